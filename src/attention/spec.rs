//! What attention is told: its arrays, every convention by name, and the errors when these do not fit each other.

use ndarray::Array2;

/// Which keys a query may see when the future is hidden and there are not as many queries as keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    /// Query i sees keys 0..=i: the first query is the first key's word.
    TopLeft,
    /// Query i sees keys 0..=i + m − n: the last query is the last key's word.
    BottomRight,
}

/// What comes out of a query that gives no key any weight: all are hidden, or all visible scores are −∞. (Where there are no keys at all, 0.)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmptyRow {
    /// Weights and output are 0.
    #[default]
    Zeros,
    /// The plain mean of all values, hidden ones too (what a mask of large finite numbers comes to).
    Mean,
    /// Not a number, as 0/0 is.
    NaN,
}

/// The conventions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spec {
    /// The factor on the scores; `None` = 1/√d. Any finite number; 0 makes the weights equal.
    pub scale: Option<f64>,
    /// What the scaled scores are divided by before softmax: greater than 0; ∞ makes the weights equal.
    pub temperature: f64,
    /// Whether a query is kept from seeing keys after it, and how the two are lined up.
    pub causal: Option<Alignment>,
    /// What comes out where nothing has weight.
    pub empty_row: EmptyRow,
}

impl Default for Spec {
    fn default() -> Self {
        Self {
            scale: None,
            temperature: 1.0,
            causal: None,
            empty_row: EmptyRow::Zeros,
        }
    }
}

/// The arrays.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    /// (n, d): one query a row.
    pub q: Array2<f64>,
    /// (m, d): one key a row.
    pub k: Array2<f64>,
    /// (m, dᵥ): one value a row.
    pub v: Array2<f64>,
    /// (n, m): true = visible.
    pub keep: Option<Array2<bool>>,
    /// (n, m): added to the scaled scores; −∞ hides.
    pub bias: Option<Array2<f64>>,
}

impl Inputs {
    /// Queries, keys and values with nothing hidden and nothing added.
    #[must_use]
    pub fn new(q: Array2<f64>, k: Array2<f64>, v: Array2<f64>) -> Self {
        Self {
            q,
            k,
            v,
            keep: None,
            bias: None,
        }
    }
}

/// Rows and columns.
type Shape = (usize, usize);

/// Why attention cannot be computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AttentionError {
    /// q·k needs queries and keys of one width.
    #[error("queries {q:?} and keys {k:?} must be equally wide")]
    Widths {
        /// Shape of the queries.
        q: Shape,
        /// Shape of the keys.
        k: Shape,
    },
    /// Each key needs its value.
    #[error("keys {k:?} and values {v:?} must have equally many rows")]
    Rows {
        /// Shape of the keys.
        k: Shape,
        /// Shape of the values.
        v: Shape,
    },
    /// Mask or bias needs a cell for each query and key.
    #[error("mask or bias {given:?} must have the shape of the scores {scores:?}")]
    Mask {
        /// Its shape.
        given: Shape,
        /// (n, m).
        scores: Shape,
    },
    /// 1/√d of queries without width.
    #[error("queries {q:?} have no width, so that 1/√d is not a number: give a scale")]
    NoWidth {
        /// Shape of the queries.
        q: Shape,
    },
    /// The scale is not finite.
    #[error("the scale {0} is not a finite number")]
    Scale(f64),
    /// The temperature is not greater than 0.
    #[error("the temperature {0} must be greater than 0")]
    Temperature(f64),
}

impl Spec {
    /// The factor between scores and scaled scores (before bias and temperature), for queries and keys of width d.
    ///
    /// # Errors
    /// [`AttentionError::NoWidth`] where `scale` is `None` and d = 0; [`AttentionError::Scale`], [`AttentionError::Temperature`].
    pub fn factor(&self, q: Shape) -> Result<f64, AttentionError> {
        if self.temperature.is_nan() || self.temperature <= 0.0 {
            return Err(AttentionError::Temperature(self.temperature));
        }
        match self.scale {
            Some(scale) if scale.is_finite() => Ok(scale),
            Some(scale) => Err(AttentionError::Scale(scale)),
            None if q.1 == 0 => Err(AttentionError::NoWidth { q }),
            None => Ok(1.0 / (q.1 as f64).sqrt()),
        }
    }
}
