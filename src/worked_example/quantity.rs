//! Every number of an example that can be asked for or cited, by name.

use super::{Basis, Operation};
use crate::attention::Stage;

/// A number of an example. Items and components are 0-based here and 1-based in files and on screens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// An operation, of the values or of the weighted values, of component c.
    Operation(Operation, Basis, usize),
    /// The output of the focus word (the weighted average), component c.
    Output(usize),
    /// Value of item i, component c.
    Value(usize, usize),
    /// How many hold item i.
    Count(usize),
    /// How many hold any.
    Total,
    /// How many items there are (m).
    Items,
    /// The score q·k of item i (for weighted values ln count).
    Score(usize),
    /// The scaled score of item i: scale · score.
    ScaledScore(usize),
    /// The capped score of item i: the scaled score after the softcap.
    CappedScore(usize),
    /// The biased score of item i: the capped score and what is added to it.
    BiasedScore(usize),
    /// The masked score of item i, which softmax sees: the biased score over the temperature, −∞ where hidden.
    MaskedScore(usize),
    /// The attention weight of item i.
    Weight(usize),
    /// Weight times value of item i, component c.
    WeightedValue(usize, usize),
    /// The plain mean of the list with every person written out.
    MeanOfAll,
    /// d, the width of queries and keys.
    KeyWidth,
}

impl Quantity {
    /// The number of item i at a stage of the pipeline.
    #[must_use]
    pub fn at_stage(stage: Stage, item: usize) -> Self {
        match stage {
            Stage::Scores => Self::Score(item),
            Stage::Scaled => Self::ScaledScore(item),
            Stage::Capped => Self::CappedScore(item),
            Stage::Biased => Self::BiasedScore(item),
            Stage::Masked => Self::MaskedScore(item),
            Stage::Weights => Self::Weight(item),
        }
    }

    /// The stage of the pipeline and the item, where it is a number of one.
    #[must_use]
    pub fn stage(self) -> Option<(Stage, usize)> {
        match self {
            Self::Score(item) => Some((Stage::Scores, item)),
            Self::ScaledScore(item) => Some((Stage::Scaled, item)),
            Self::CappedScore(item) => Some((Stage::Capped, item)),
            Self::BiasedScore(item) => Some((Stage::Biased, item)),
            Self::MaskedScore(item) => Some((Stage::Masked, item)),
            Self::Weight(item) => Some((Stage::Weights, item)),
            Self::Operation(..)
            | Self::Output(_)
            | Self::Value(..)
            | Self::Count(_)
            | Self::Total
            | Self::Items
            | Self::WeightedValue(..)
            | Self::MeanOfAll
            | Self::KeyWidth => None,
        }
    }
}
