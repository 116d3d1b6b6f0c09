//! Several heads at once: past keys put before new ones, positions put in, grouped heads given their keys; then each head's pipeline for itself.

use ndarray::{Array2, Array3, ArrayView2, ArrayView3, Axis, CowArray, Ix3, concatenate};
use rayon::prelude::*;

use super::arrays::Fit;
use super::notice::notices;
use super::pipeline::{Head, Stages, run};
use super::position::rotated;
use super::{
    Alteration, AttentionError, Heads, Inputs, Positions, Sight, Spec, Trace, alibi_slopes,
};

/// Attention of one head: scores, weights, output. q: (n, d), k: (m, d), v: (m, dᵥ); output (n, dᵥ). Definition: Vaswani et al. 2017, eq. 1.
///
/// # Errors
/// Where shapes do not fit (both are named), or a number of the spec is not one that can be computed with.
pub fn attend(inputs: &Inputs, spec: &Spec) -> Result<Trace, AttentionError> {
    one_head(inputs, spec, None)
}

/// The same with one step changed.
///
/// # Errors
/// As [`attend`]; and where the changed step's shapes do not fit (a missing transpose needs m = d, swapped keys and values dᵥ = d).
pub fn attend_altered(
    inputs: &Inputs,
    spec: &Spec,
    alteration: Alteration,
) -> Result<Trace, AttentionError> {
    one_head(inputs, spec, Some(alteration))
}

/// One query's row of [`attend`], or of [`attend_altered`]: a trace of that row alone. Only steps that mix rows cost what all of them cost.
///
/// # Errors
/// As [`attend_altered`]. A row that is not there gives a trace without rows.
pub fn attend_row(
    inputs: &Inputs,
    spec: &Spec,
    alteration: Option<Alteration>,
    row: usize,
) -> Result<Trace, AttentionError> {
    if alteration.is_some_and(Alteration::mixes_rows) {
        return one_head(inputs, spec, alteration).map(|trace| trace.only(row));
    }
    let mut traces = some_heads(&inputs.as_heads(), spec, alteration, Some(row))?.heads;
    traces
        .pop()
        .ok_or(AttentionError::Heads { q: 0, k: 1, v: 1 })
}

/// Attention of several heads. q: (H, n, d), k: (G, m, d), v: (G, m, dᵥ); each head's trace has an output of (n, dᵥ).
///
/// # Errors
/// As [`attend`]; and where heads cannot be shared evenly, or past arrays do not fit the new ones.
pub fn attend_heads(heads: &Heads<'_, f64>, spec: &Spec) -> Result<HeadsTrace, AttentionError> {
    all_heads(heads, spec, None)
}

/// The same with one step changed in every head.
///
/// # Errors
/// As [`attend_heads`] and [`attend_altered`].
pub fn attend_heads_altered(
    heads: &Heads<'_, f64>,
    spec: &Spec,
    alteration: Alteration,
) -> Result<HeadsTrace, AttentionError> {
    all_heads(heads, spec, Some(alteration))
}

/// What went through several heads.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadsTrace {
    /// (H) one trace a query head.
    pub heads: Vec<Trace>,
    /// (H, n, d): the queries as they were asked, rotary positions in them.
    pub q: Array3<f64>,
    /// (G, p + m, d): past and new keys, rotary positions in them.
    pub k: Array3<f64>,
    /// (G, p + m, dᵥ): past and new values.
    pub v: Array3<f64>,
}

impl HeadsTrace {
    /// (n, H · dᵥ): the heads' outputs side by side, as an output projection takes them.
    #[must_use]
    pub fn joined(&self) -> Array2<f64> {
        let outputs: Vec<ArrayView2<'_, f64>> =
            self.heads.iter().map(|head| head.output.view()).collect();
        let nothing = || Array2::zeros((self.q.len_of(Axis(1)), 0));
        concatenate(Axis(1), &outputs).unwrap_or_else(|_| nothing())
    }
}

fn one_head(
    inputs: &Inputs,
    spec: &Spec,
    alteration: Option<Alteration>,
) -> Result<Trace, AttentionError> {
    let mut traces = all_heads(&inputs.as_heads(), spec, alteration)?.heads;
    // One query head went in, so that one trace has come out.
    traces
        .pop()
        .ok_or(AttentionError::Heads { q: 0, k: 1, v: 1 })
}

fn all_heads(
    heads: &Heads<'_, f64>,
    spec: &Spec,
    alteration: Option<Alteration>,
) -> Result<HeadsTrace, AttentionError> {
    some_heads(heads, spec, alteration, None)
}

/// All rows, or only one of each head.
fn some_heads(
    heads: &Heads<'_, f64>,
    spec: &Spec,
    alteration: Option<Alteration>,
    row: Option<usize>,
) -> Result<HeadsTrace, AttentionError> {
    let altered = alteration.map_or(*spec, |alteration| alteration.spec(*spec));
    let placed = Placed::new(heads, &altered)?;
    let Placed { q, k, v, sight, .. } = &placed;
    let sight = alteration.map_or(*sight, |alteration| alteration.sight(*sight));
    let (count, width) = (q.len_of(Axis(0)), q.len_of(Axis(2)));
    let slopes = match altered.positions {
        Positions::Alibi => alibi_slopes(count),
        _ => vec![0.0; count],
    };
    let (n, m) = (q.len_of(Axis(1)), k.len_of(Axis(1)));
    let stages = Stages::right(&altered, (n, width))?;
    let stages = alteration.map_or(stages, |alteration| {
        alteration.stages(stages, width, m, count)
    });
    let trace_of = |(index, slope): (usize, f64)| {
        let group = altered.head_order.key_head(index, count, k.len_of(Axis(0)));
        let head = Head {
            q: q.index_axis(Axis(0), index),
            k: k.index_axis(Axis(0), group),
            v: v.index_axis(Axis(0), group),
            keep: heads.keep.as_ref().map(|keep| of_head(keep, index)),
            bias: heads.bias.as_ref().map(|bias| of_head(bias, index)),
            slope,
            sight,
        };
        let head = row.map_or(head, |row| head.only(row));
        let mut trace = run(head, stages)?;
        if alteration.is_none() {
            trace.notices = notices(&head, spec, &trace);
        }
        Ok(trace)
    };
    let heads: Result<Vec<Trace>, AttentionError> = match slopes.as_slice() {
        [slope] => trace_of((0, *slope)).map(|trace| vec![trace]),
        _ => slopes.into_par_iter().enumerate().map(trace_of).collect(),
    };
    Ok(HeadsTrace {
        heads: heads?,
        q: placed.q.into_owned(),
        k: placed.k.into_owned(),
        v: placed.v.into_owned(),
    })
}

/// One head's mask of those for all heads or for each.
fn of_head<'a, T>(mask: &'a ArrayView3<'_, T>, head: usize) -> ArrayView2<'a, T> {
    let last = mask.len_of(Axis(0)).saturating_sub(1);
    mask.index_axis(Axis(0), head.min(last))
}

/// Arrays with their past before them and their positions in them.
struct Placed<'a> {
    q: CowArray<'a, f64, Ix3>,
    k: CowArray<'a, f64, Ix3>,
    v: CowArray<'a, f64, Ix3>,
    sight: Sight,
}

impl<'a> Placed<'a> {
    fn new(heads: &Heads<'a, f64>, spec: &Spec) -> Result<Self, AttentionError> {
        let Fit { rows: (n, m), .. } = heads.fit()?;
        let past = m - heads.k.len_of(Axis(1));
        let sight = spec.sight(n, m, past);
        let (mut q, mut k) = (CowArray::from(heads.q), CowArray::from(heads.k));
        match spec.positions {
            Positions::None | Positions::Alibi => {}
            Positions::Sinusoidal => return Err(AttentionError::NoX),
            Positions::Rotary(rotary) => {
                spec.factor((n, q.len_of(Axis(2))))?;
                q = rotated(q.view(), sight.place(0), rotary).into();
                let first = isize::try_from(past).unwrap_or(isize::MAX);
                k = rotated(k.view(), first, rotary).into();
            }
        }
        let v = CowArray::from(heads.v);
        let (k, v) = match heads.past {
            None => (k, v),
            Some((past_k, past_v)) => (after(past_k, &k)?, after(past_v, &v)?),
        };
        Ok(Self { q, k, v, sight })
    }
}

/// New rows after past ones.
fn after<'a>(
    past: ArrayView3<'_, f64>,
    new: &CowArray<'_, f64, Ix3>,
) -> Result<CowArray<'a, f64, Ix3>, AttentionError> {
    let joined = concatenate(Axis(1), &[past, new.view()]);
    joined
        .map(CowArray::from)
        .map_err(|_| AttentionError::Past {
            past: past.dim(),
            new: new.dim(),
        })
}
