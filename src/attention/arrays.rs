//! The arrays that attention is of: one head, or several at once.

use ndarray::{Array2, ArrayView3, Axis};

use super::{AttentionError, Shape};

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

/// How many of what there are, in arrays that fit each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fit {
    /// Query heads and key heads.
    pub counts: Shape,
    /// n, and m with the past.
    pub rows: Shape,
    /// d and dᵥ.
    pub widths: Shape,
}

impl<T> Heads<'_, T> {
    /// Whether the arrays fit each other: both paths ask here.
    ///
    /// # Errors
    /// The first misfit, with both shapes.
    pub(super) fn fit(&self) -> Result<Fit, AttentionError> {
        let Heads {
            q,
            k,
            v,
            past,
            keep,
            bias,
        } = self;
        let ((count, n, d), (key_count, new, k_width), (value_count, new_v, dv)) =
            (q.dim(), k.dim(), v.dim());
        if key_count != value_count || (count > 0 && (key_count == 0 || count % key_count != 0)) {
            return Err(AttentionError::Heads {
                q: count,
                k: key_count,
                v: value_count,
            });
        }
        if k_width != d {
            return Err(AttentionError::Widths {
                q: (n, d),
                k: (new, k_width),
            });
        }
        if new_v != new {
            return Err(AttentionError::Rows {
                k: (new, d),
                v: (new_v, dv),
            });
        }
        let mut m = new;
        if let Some((past_k, past_v)) = past {
            for (past, new) in [(past_k.dim(), k.dim()), (past_v.dim(), v.dim())] {
                if (past.0, past.2) != (new.0, new.2) {
                    return Err(AttentionError::Past { past, new });
                }
            }
            let (k_rows, v_rows) = (past_k.len_of(Axis(1)), past_v.len_of(Axis(1)));
            if k_rows != v_rows {
                return Err(AttentionError::Rows {
                    k: (k_rows, d),
                    v: (v_rows, dv),
                });
            }
            m += k_rows;
        }
        let masks = [
            keep.as_ref().map(ArrayView3::dim),
            bias.as_ref().map(ArrayView3::dim),
        ];
        for (given, rows, keys) in masks.into_iter().flatten() {
            if given != 1 && given != count {
                return Err(AttentionError::MaskHeads {
                    given,
                    heads: count,
                });
            }
            if (rows, keys) != (n, m) {
                return Err(AttentionError::Mask {
                    given: (rows, keys),
                    scores: (n, m),
                });
            }
        }
        Ok(Fit {
            counts: (count, key_count),
            rows: (n, m),
            widths: (d, dv),
        })
    }
}
