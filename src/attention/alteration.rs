//! The pipelines with one step changed: each is the right pipeline with one setting of its stages turned.

use super::pipeline::{Normalise, Stages};

/// One step done otherwise than attention does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Alteration {
    /// The scores go to softmax as they are.
    NoScale,
    /// Scores divided by d instead of √d.
    DivideByWidth,
    /// Scores multiplied by √d: also what "divided by 1/√d" says.
    TimesRootWidth,
    /// Softmax down the columns, over the queries.
    OverQueries,
    /// One softmax over all cells.
    OverEverything,
    /// Softmax of the weights once more.
    Twice,
    /// Scaled scores divided by their sum, without exp.
    NoExp,
    /// e^score, not divided by the sum.
    NoDivision,
    /// Softmax of the unscaled scores, the weights scaled afterwards.
    ScaleAfterSoftmax,
    /// All visible keys alike: the plain mean.
    Uniform,
    /// Every visible value once: the sum.
    Sum,
    /// All weight to the greatest score; ties share it.
    HardMax,
    /// Values asked and keys summed. Needs dᵥ = d.
    KeysAndValuesSwapped,
    /// q·k without the transpose. Needs m = d.
    NoTranspose,
}

impl Alteration {
    /// Every alteration.
    pub const ALL: [Self; 14] = [
        Self::NoScale,
        Self::DivideByWidth,
        Self::TimesRootWidth,
        Self::OverQueries,
        Self::OverEverything,
        Self::Twice,
        Self::NoExp,
        Self::NoDivision,
        Self::ScaleAfterSoftmax,
        Self::Uniform,
        Self::Sum,
        Self::HardMax,
        Self::KeysAndValuesSwapped,
        Self::NoTranspose,
    ];

    /// The right stages with this one step changed; `width` is d.
    pub(super) fn change(self, right: Stages, width: usize) -> Stages {
        let width = width as f64;
        match self {
            Self::NoScale => Stages {
                factor: 1.0,
                ..right
            },
            Self::DivideByWidth => Stages {
                factor: 1.0 / width,
                ..right
            },
            Self::TimesRootWidth => Stages {
                factor: width.sqrt(),
                ..right
            },
            Self::OverQueries => Stages {
                normalise: Normalise::OverQueries,
                ..right
            },
            Self::OverEverything => Stages {
                normalise: Normalise::OverEverything,
                ..right
            },
            Self::Twice => Stages {
                normalise: Normalise::Twice,
                ..right
            },
            Self::NoExp => Stages {
                normalise: Normalise::Share,
                ..right
            },
            Self::NoDivision => Stages {
                normalise: Normalise::Exp,
                ..right
            },
            Self::ScaleAfterSoftmax => Stages {
                factor: 1.0,
                factor_after: right.factor,
                ..right
            },
            Self::Uniform => Stages {
                normalise: Normalise::Equal,
                ..right
            },
            Self::Sum => Stages {
                normalise: Normalise::Ones,
                ..right
            },
            Self::HardMax => Stages {
                normalise: Normalise::HardMax,
                ..right
            },
            Self::KeysAndValuesSwapped => Stages {
                swapped: true,
                ..right
            },
            Self::NoTranspose => Stages {
                transposed: false,
                ..right
            },
        }
    }
}
