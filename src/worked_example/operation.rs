//! The operations a learner may confuse, each with one name, and what they are taken of.

/// An operation on the values. For vectors, highest and lowest are per component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Deserialize)]
pub enum Operation {
    /// Σ vᵢ.
    Sum,
    /// Σ vᵢ / m over the visible values.
    PlainMean,
    /// Σ wᵢ vᵢ with wᵢ ≥ 0 and Σ wᵢ = 1: what attention computes.
    WeightedAverage,
    /// The largest value, per component.
    Highest,
    /// The smallest value, per component.
    Lowest,
}

impl Operation {
    /// Every operation, in the order they are told.
    pub const ALL: [Self; 5] = [
        Self::Sum,
        Self::PlainMean,
        Self::WeightedAverage,
        Self::Highest,
        Self::Lowest,
    ];
}

/// What an operation is taken of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Deserialize)]
pub enum Basis {
    /// Of the values 70, 80, 90.
    #[default]
    Values,
    /// Of the weighted values 21, 40, 18.
    WeightedValues,
}
