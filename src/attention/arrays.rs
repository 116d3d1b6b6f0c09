//! The arrays that attention is of: one head, or several at once.

use ndarray::{Array2, ArrayView3, Axis};

/// One head's arrays.
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
    /// (n, m): added to the scaled scores, after the softcap; −∞ hides.
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

    /// The same as one of several heads.
    #[must_use]
    pub fn as_heads(&self) -> Heads<'_, f64> {
        let Self {
            q,
            k,
            v,
            keep,
            bias,
        } = self;
        Heads {
            keep: keep.as_ref().map(|keep| keep.view().insert_axis(Axis(0))),
            bias: bias.as_ref().map(|bias| bias.view().insert_axis(Axis(0))),
            ..Heads::new(
                q.view().insert_axis(Axis(0)),
                k.view().insert_axis(Axis(0)),
                v.view().insert_axis(Axis(0)),
            )
        }
    }
}

/// Several heads' arrays, heads first, looked at and not owned. H query heads share G key and value heads (G divides H).
#[derive(Clone, Copy, Debug)]
pub struct Heads<'a, T> {
    /// (H, n, d).
    pub q: ArrayView3<'a, T>,
    /// (G, m, d): the new keys.
    pub k: ArrayView3<'a, T>,
    /// (G, m, dᵥ): the new values.
    pub v: ArrayView3<'a, T>,
    /// (G, p, d) and (G, p, dᵥ): keys and values that came before the new ones; the queries stand after them. Rotary positions are already in them.
    pub past: Option<(ArrayView3<'a, T>, ArrayView3<'a, T>)>,
    /// (1 or H, n, p + m): true = visible.
    pub keep: Option<ArrayView3<'a, bool>>,
    /// (1 or H, n, p + m): added to the scaled scores, after the softcap; −∞ hides.
    pub bias: Option<ArrayView3<'a, T>>,
}

impl<'a, T> Heads<'a, T> {
    /// Queries, keys and values with nothing past, nothing hidden and nothing added.
    #[must_use]
    pub fn new(q: ArrayView3<'a, T>, k: ArrayView3<'a, T>, v: ArrayView3<'a, T>) -> Self {
        Self {
            q,
            k,
            v,
            past: None,
            keep: None,
            bias: None,
        }
    }
}
