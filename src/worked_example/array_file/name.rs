//! The names of arrays: the same in every file format.

/// What an array is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArrayName {
    /// Queries (…, n, d).
    Q,
    /// Keys (…, m, d).
    K,
    /// Values (…, m, dᵥ).
    V,
    /// Tokens (…, n, width) that are projected.
    X,
    /// Tokens (…, m, width) that keys and values come from instead of x: cross-attention.
    Context,
    /// The learned matrix of the queries.
    Wq,
    /// The learned matrix of the keys.
    Wk,
    /// The learned matrix of the values.
    Wv,
    /// The learned matrix of the output.
    Wo,
    /// Added to x·wq; rank 1.
    Bq,
    /// Added to x·wk; rank 1.
    Bk,
    /// Added to x·wv; rank 1.
    Bv,
    /// Added after wo; rank 1.
    Bo,
    /// The mask (…, n, m): true = visible.
    Keep,
    /// Added to the scores (…, n, m); −∞ hides.
    Bias,
    /// Keys that came before (…, p, d).
    PastK,
    /// Values that came before (…, p, dᵥ).
    PastV,
}

impl ArrayName {
    /// Every one, with its name in files.
    pub const ALL: [(&'static str, Self); 17] = [
        ("q", Self::Q),
        ("k", Self::K),
        ("v", Self::V),
        ("x", Self::X),
        ("context", Self::Context),
        ("wq", Self::Wq),
        ("wk", Self::Wk),
        ("wv", Self::Wv),
        ("wo", Self::Wo),
        ("bq", Self::Bq),
        ("bk", Self::Bk),
        ("bv", Self::Bv),
        ("bo", Self::Bo),
        ("keep", Self::Keep),
        ("bias", Self::Bias),
        ("past_k", Self::PastK),
        ("past_v", Self::PastV),
    ];

    /// The array with this name; capitals do not matter.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, array)| *array)
    }

    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(_, array)| *array == self)
            .map_or("", |(name, _)| name)
    }

    /// Whether it is a list of numbers, not a matrix or several.
    #[must_use]
    pub fn is_list(self) -> bool {
        matches!(self, Self::Bq | Self::Bk | Self::Bv | Self::Bo)
    }
}
