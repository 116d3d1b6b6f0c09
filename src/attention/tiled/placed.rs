//! Arrays as the kernel takes them: looked over for shapes, head-major without gaps, past keys before new ones, rotary positions in them.

use std::sync::OnceLock;

use ndarray::{Array1, Array3, ArrayView3, Axis, CowArray, Ix3, concatenate, s};

use super::super::arrays::Fit;
use super::super::pipeline;
use super::super::position::rotated;
use super::super::{AttentionError, Heads, Positions, Shape, Sight, Spec, alibi_slopes};
use super::exact::Head;

/// Every array of some heads, without gaps.
#[derive(Debug)]
pub(super) struct Placed<'a> {
    heads: Heads<'a, f32>,
    spec: Spec,
    /// Query heads and key heads.
    pub counts: Shape,
    /// n, m with the past.
    pub rows: Shape,
    /// d, dᵥ.
    pub widths: Shape,
    pub sight: Sight,
    /// scale, or 1/√d.
    pub factor: f64,
    /// (H): what a place's distance costs (ALiBi); 0 elsewhere.
    pub slopes: Vec<f64>,
    /// (H, n, d).
    q: CowArray<'a, f32, Ix3>,
    /// (G, m, d).
    k: CowArray<'a, f32, Ix3>,
    /// (G, m, dᵥ).
    v: CowArray<'a, f32, Ix3>,
    keep: Option<CowArray<'a, bool, Ix3>>,
    bias: Option<CowArray<'a, f32, Ix3>>,
    /// The same in f64: made when the first block is handed over, since few ever are.
    exact: OnceLock<[Array3<f64>; 3]>,
}

impl<'a> Placed<'a> {
    /// # Errors
    /// Where shapes do not fit, or a number of the spec is not one that can be computed with.
    pub fn new(heads: &Heads<'a, f32>, spec: &Spec) -> Result<Self, AttentionError> {
        let Fit {
            counts,
            rows,
            widths,
        } = heads.fit()?;
        let factor = spec.factor((rows.0, widths.0))?;
        let past = heads.past.map_or(0, |(k, _)| k.len_of(Axis(1)));
        let sight = spec.sight(rows.0, rows.1, past);
        let turn = |x: ArrayView3<'a, f32>, first| match spec.positions {
            Positions::Rotary(rotary) => rotated(x, first, rotary).mapv(rounded).into(),
            _ => CowArray::from(x),
        };
        if spec.positions == Positions::Sinusoidal {
            return Err(AttentionError::NoX);
        }
        let q = turn(heads.q, sight.place(0));
        let k = turn(heads.k, isize::try_from(past).unwrap_or(isize::MAX));
        let v = CowArray::from(heads.v);
        let (k, v) = match heads.past {
            None => (k, v),
            Some((past_k, past_v)) => (
                joined(past_k, k.view())?.into(),
                joined(past_v, v.view())?.into(),
            ),
        };
        Ok(Self {
            heads: *heads,
            spec: *spec,
            counts,
            rows,
            widths,
            sight,
            factor,
            slopes: match spec.positions {
                Positions::Alibi => alibi_slopes(counts.0),
                _ => vec![0.0; counts.0],
            },
            q: without_gaps(q),
            k: without_gaps(k),
            v: without_gaps(v),
            keep: heads.keep.map(|keep| without_gaps(keep.into())),
            bias: heads.bias.map(|bias| without_gaps(bias.into())),
            exact: OnceLock::new(),
        })
    }

    /// The key head that a query head asks.
    pub fn key_head(&self, head: usize) -> usize {
        self.spec
            .head_order
            .key_head(head, self.counts.0, self.counts.1)
    }

    /// (n, d): a query head's queries.
    pub fn q(&self, head: usize) -> &[f32] {
        part(&self.q, head)
    }

    /// (m, d): a key head's keys.
    pub fn k(&self, key_head: usize) -> &[f32] {
        part(&self.k, key_head)
    }

    /// (m, dᵥ): a key head's values.
    pub fn v(&self, key_head: usize) -> &[f32] {
        part(&self.v, key_head)
    }

    /// (n, m): the mask of a query head.
    pub fn keep(&self, head: usize) -> Option<&[bool]> {
        self.keep
            .as_ref()
            .map(|keep| part(keep, head.min(keep.len_of(Axis(0)).saturating_sub(1))))
    }

    /// (n, m): the bias of a query head.
    pub fn bias(&self, head: usize) -> Option<&[f32]> {
        self.bias
            .as_ref()
            .map(|bias| part(bias, head.min(bias.len_of(Axis(0)).saturating_sub(1))))
    }

    /// A query head in f64, for a row at a time.
    pub fn exact(&self, head: usize) -> Head<'_> {
        let [q, k, v] = self.exact.get_or_init(|| self.in_f64());
        let key_head = self.key_head(head);
        let of_head = |count: usize| head.min(count.saturating_sub(1));
        let arrays = pipeline::Head {
            q: q.index_axis(Axis(0), head),
            k: k.index_axis(Axis(0), key_head),
            v: v.index_axis(Axis(0), key_head),
            keep: self
                .keep
                .as_ref()
                .map(|keep| keep.index_axis(Axis(0), of_head(keep.len_of(Axis(0))))),
            bias: None,
            slope: self.slopes.get(head).copied().unwrap_or(0.0),
            sight: self.sight,
        };
        Head {
            arrays,
            bias: self
                .bias
                .as_ref()
                .map(|bias| bias.index_axis(Axis(0), of_head(bias.len_of(Axis(0))))),
            spec: self.spec,
        }
    }

    /// Turned anew from the arrays that were given: a rotation rounded to f32 has lost what a cancellation brings to light.
    fn in_f64(&self) -> [Array3<f64>; 3] {
        let [mut q, mut k] = [self.q.mapv(f64::from), self.k.mapv(f64::from)];
        if let Positions::Rotary(rotary) = self.spec.positions {
            q = rotated(self.heads.q, self.sight.place(0), rotary);
            let past = self.rows.1 - self.heads.k.len_of(Axis(1));
            k.slice_mut(s![.., past.., ..]).assign(&rotated(
                self.heads.k,
                isize::try_from(past).unwrap_or(isize::MAX),
                rotary,
            ));
        }
        [q, k, self.v.mapv(f64::from)]
    }
}

/// One head of an array without gaps.
fn part<'x, T>(x: &'x CowArray<'_, T, Ix3>, head: usize) -> &'x [T] {
    let size = x.len_of(Axis(1)) * x.len_of(Axis(2));
    x.as_slice()
        .and_then(|all| all.get(head * size..(head + 1) * size))
        .unwrap_or_default()
}

fn without_gaps<T: Clone>(x: CowArray<'_, T, Ix3>) -> CowArray<'_, T, Ix3> {
    if x.is_standard_layout() {
        return x;
    }
    let (shape, all) = (x.raw_dim(), x.iter().cloned().collect::<Array1<T>>());
    match all.into_shape_with_order(shape) {
        Ok(all) => all.into(),
        // As many numbers as before in the same shape always fit.
        Err(_) => x,
    }
}

/// New rows after past ones.
fn joined(
    past: ArrayView3<'_, f32>,
    new: ArrayView3<'_, f32>,
) -> Result<Array3<f32>, AttentionError> {
    concatenate(Axis(1), &[past, new]).map_err(|_| AttentionError::Past {
        past: past.dim(),
        new: new.dim(),
    })
}

/// The nearest f32.
#[expect(clippy::cast_possible_truncation, reason = "rounding is what is asked")]
pub(super) fn rounded(x: f64) -> f32 {
    x as f32
}
