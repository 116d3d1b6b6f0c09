//! The pipelines with one step changed: each is the right pipeline with one convention of its spec or one setting of its stages turned.

use super::pipeline::{Masking, Stages};
use super::weights::Weighing;
use super::{
    Alignment, HeadOrder, Normaliser, Positions, Rotary, RotaryPairs, Sight, Spec, Window,
};

/// One step done otherwise than attention does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Alteration {
    /// The scores go to softmax as they are.
    NoScale,
    /// Scores divided by d instead of √d.
    DivideByWidth,
    /// Scores multiplied by √d: also what "divided by 1/√d" says.
    TimesRootWidth,
    /// Scores divided by √m, the number of keys.
    DivideByRootKeys,
    /// Scores divided by √(H·d), the width of all heads together.
    DivideByRootModelWidth,
    /// Scaled twice.
    ScaledTwice,
    /// No softcap.
    NoCap,
    /// The softcap after the mask: a hidden key gets −c, not −∞.
    CapAfterMask,
    /// No bias, and no cost of distance.
    NoBias,
    /// Temperature 1.
    NoTemperature,
    /// Multiplied by the temperature.
    TimesTemperature,
    /// The hidden keys are seen and the visible ones hidden.
    MaskInverted,
    /// Nothing is hidden.
    NoMask,
    /// A hidden key's score becomes 0.
    MaskZeroesScores,
    /// A mask of ones (visible) and zeros (hidden) is added to the scores.
    MaskAdded,
    /// Hidden keys lose their weight after softmax, and nobody gets it.
    MaskAfterSoftmax,
    /// A query does not see itself.
    WithoutItself,
    /// Queries and keys lined up at the other corner.
    OtherAlignment,
    /// No window.
    NoWindow,
    /// Positions are left out.
    NoPositions,
    /// Rotary components paired the other way.
    OtherPairs,
    /// Grouped heads given the key heads of the other order.
    OtherHeadOrder,
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
    /// 1 more in the division.
    PlusOne,
    /// Each score through a sigmoid of its own.
    Sigmoid,
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
    /// Keys ask and queries answer. Needs n = m.
    QueriesAndKeysSwapped,
    /// q·k without the transpose. Needs m = d.
    NoTranspose,
}

impl Alteration {
    /// Every alteration.
    pub const ALL: [Self; 36] = [
        Self::NoScale,
        Self::DivideByWidth,
        Self::TimesRootWidth,
        Self::DivideByRootKeys,
        Self::DivideByRootModelWidth,
        Self::ScaledTwice,
        Self::NoCap,
        Self::CapAfterMask,
        Self::NoBias,
        Self::NoTemperature,
        Self::TimesTemperature,
        Self::MaskInverted,
        Self::NoMask,
        Self::MaskZeroesScores,
        Self::MaskAdded,
        Self::MaskAfterSoftmax,
        Self::WithoutItself,
        Self::OtherAlignment,
        Self::NoWindow,
        Self::NoPositions,
        Self::OtherPairs,
        Self::OtherHeadOrder,
        Self::OverQueries,
        Self::OverEverything,
        Self::Twice,
        Self::NoExp,
        Self::NoDivision,
        Self::PlusOne,
        Self::Sigmoid,
        Self::ScaleAfterSoftmax,
        Self::Uniform,
        Self::Sum,
        Self::HardMax,
        Self::KeysAndValuesSwapped,
        Self::QueriesAndKeysSwapped,
        Self::NoTranspose,
    ];

    /// Whether a query's row comes to depend on other queries.
    pub(super) fn mixes_rows(self) -> bool {
        matches!(
            self,
            Self::OverQueries | Self::OverEverything | Self::QueriesAndKeysSwapped
        )
    }

    /// The spec with this convention changed; most alterations change a stage instead.
    pub(super) fn spec(self, right: Spec) -> Spec {
        match self {
            Self::OtherAlignment => Spec {
                causal: right.causal.map(|alignment| match alignment {
                    Alignment::TopLeft => Alignment::BottomRight,
                    Alignment::BottomRight => Alignment::TopLeft,
                }),
                ..right
            },
            Self::NoWindow => Spec {
                window: Window::default(),
                ..right
            },
            Self::NoPositions => Spec {
                positions: Positions::None,
                ..right
            },
            Self::OtherPairs => Spec {
                positions: other_pairs(right.positions),
                ..right
            },
            Self::OtherHeadOrder => Spec {
                head_order: match right.head_order {
                    HeadOrder::Interleaved => HeadOrder::Tiled,
                    HeadOrder::Tiled => HeadOrder::Interleaved,
                },
                ..right
            },
            _ => right,
        }
    }

    /// What each query may see.
    pub(super) fn sight(self, right: Sight) -> Sight {
        match self {
            Self::WithoutItself => right.without_itself(),
            _ => right,
        }
    }

    /// The right stages with this one step changed: `width` is d, `keys` m, `heads` H.
    pub(super) fn stages(self, right: Stages, width: usize, keys: usize, heads: usize) -> Stages {
        let [width, keys, heads] = [width, keys, heads].map(|count| count as f64);
        let scaled_by = |factor: f64| Stages { factor, ..right };
        let masked = |masking: Masking| Stages { masking, ..right };
        let weighed = |weighing: Weighing| Stages { weighing, ..right };
        match self {
            Self::NoScale => scaled_by(1.0),
            Self::DivideByWidth => scaled_by(1.0 / width),
            Self::TimesRootWidth => scaled_by(width.sqrt()),
            Self::DivideByRootKeys => scaled_by(1.0 / keys.sqrt()),
            Self::DivideByRootModelWidth => scaled_by(1.0 / (width * heads).sqrt()),
            Self::ScaledTwice => scaled_by(right.factor * right.factor),
            Self::NoCap => Stages {
                softcap: None,
                ..right
            },
            Self::CapAfterMask if right.softcap.is_some() => masked(Masking::BeforeCap),
            Self::NoBias => Stages {
                biased: false,
                ..right
            },
            Self::NoTemperature => Stages {
                temperature: 1.0,
                ..right
            },
            Self::TimesTemperature => Stages {
                temperature: 1.0 / right.temperature,
                ..right
            },
            Self::MaskInverted => masked(Masking::Invert),
            Self::NoMask => masked(Masking::Ignore),
            Self::MaskZeroesScores => masked(Masking::ZeroScores),
            Self::MaskAdded => masked(Masking::AddOnes),
            Self::MaskAfterSoftmax => masked(Masking::AfterWeights),
            Self::OverQueries => weighed(Weighing::OverQueries),
            Self::OverEverything => weighed(Weighing::OverEverything),
            Self::Twice => weighed(Weighing::Twice),
            Self::NoExp => weighed(Weighing::Share),
            Self::NoDivision => weighed(Weighing::Right(Normaliser::Unnormalised)),
            Self::PlusOne => weighed(Weighing::Right(Normaliser::SoftmaxPlusOne)),
            Self::Sigmoid => weighed(Weighing::Right(Normaliser::Sigmoid)),
            Self::ScaleAfterSoftmax => Stages {
                factor: 1.0,
                factor_after: right.factor,
                ..right
            },
            Self::Uniform => weighed(Weighing::Right(Normaliser::Uniform)),
            Self::Sum => weighed(Weighing::Ones),
            Self::HardMax => weighed(Weighing::Right(Normaliser::HardMax)),
            Self::KeysAndValuesSwapped => Stages {
                swapped: true,
                ..right
            },
            Self::QueriesAndKeysSwapped => Stages {
                asked_backwards: true,
                ..right
            },
            Self::NoTranspose => Stages {
                transposed: false,
                ..right
            },
            Self::CapAfterMask
            | Self::WithoutItself
            | Self::OtherAlignment
            | Self::NoWindow
            | Self::NoPositions
            | Self::OtherPairs
            | Self::OtherHeadOrder => right,
        }
    }
}

fn other_pairs(positions: Positions) -> Positions {
    match positions {
        Positions::Rotary(Rotary { pairs, base }) => Positions::Rotary(Rotary {
            pairs: match pairs {
                RotaryPairs::Halves => RotaryPairs::Interleaved,
                RotaryPairs::Interleaved => RotaryPairs::Halves,
            },
            base,
        }),
        other => other,
    }
}
