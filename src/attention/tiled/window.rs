//! A window of the attention weights, computed again from the rows' log-sum-exp: no row's softmax is taken, so that its cost is that of the window.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use ndarray::{Array2, ArrayView2};
use pulp::Simd;

use super::super::{AttentionError, Heads, Spec};
use super::kernel::{KEYS, NOTHING, Room, Score, Squares, Weigh};
use super::lanes::Tiled;
use super::placed::{Placed, rounded};
use super::reach::Look;
use super::rows::{ALL, QUERIES, Row, across};
use super::scoring::{Dress, Scoring, Seen};
use super::turn::turn_in;
use super::{InstructionSet, Kind, ROOM, threads};

/// (rows, keys): the attention weights of these queries of a query head for these keys, from the log-sum-exp (H, n) that [`super::attend_tiled`]
/// returned for the same arrays: e^(score − log-sum-exp); 0 where hidden. Ranges beyond the arrays are cut off at their ends.
///
/// # Errors
/// As [`super::attend_tiled`].
pub fn weight_window(
    heads: &Heads<'_, f32>,
    spec: &Spec,
    log_sum_exp: ArrayView2<'_, f64>,
    head: usize,
    (rows, keys): (Range<usize>, Range<usize>),
    threads: usize,
) -> Result<Array2<f32>, AttentionError> {
    let placed = Placed::new(heads, spec)?;
    let ((count, _), (n, m), (d, _)) = (placed.counts, placed.rows, placed.widths);
    let cut = |range: Range<usize>, end: usize| {
        range.start.min(end)..range.end.clamp(range.start.min(end), end)
    };
    let (rows, keys) = (cut(rows, n), cut(keys, m));
    let mut weights = Array2::zeros((rows.len(), keys.len()));
    if head >= count || weights.is_empty() {
        return Ok(weights);
    }
    let log_sum_exp: Vec<f64> = rows
        .clone()
        .map(|row| log_sum_exp.get((head, row)).copied().unwrap_or(f64::NAN))
        .collect();
    let set = InstructionSet::best();
    let k = &placed.k(placed.key_head(head))[keys.start * d..keys.end * d];
    let kind = Kind::of(spec, &placed);
    let look = Look::of(set, k, d, &[]);
    let width = keys.len();
    let blocks = rows
        .clone()
        .step_by(QUERIES)
        .zip(log_sum_exp.chunks(QUERIES));
    let outputs = weights
        .as_slice_mut()
        .unwrap_or_default()
        .chunks_mut(QUERIES * width);
    let queue = Mutex::new(blocks.zip(outputs));
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let in_f32 = |queries: &Range<usize>, log_sum_exp: &[f64], out: &mut [f32], room: &mut Room| {
        let Ok(kind) = kind else { return false };
        if look.reason().is_some() || !log_sum_exp.iter().all(|x| x.is_finite()) {
            return false;
        }
        let seen = set.run(Window {
            q: &placed.q(head)[queries.start * d..queries.end * d],
            k,
            d,
            keys: keys.clone(),
            scoring: placed.scoring(head, queries, kind),
            log_sum_exp,
            out,
            room,
        });
        look.verdict(&seen, spec.temperature, kind.has_temperature)
            .is_none()
    };
    threads::on_each(threads, || {
        ROOM.with_borrow_mut(|room| {
            while let Some(((first, log_sum_exp), out)) = next() {
                let queries = first..first + log_sum_exp.len();
                if !in_f32(&queries, log_sum_exp, out, room) {
                    let exact = placed.exact(head);
                    for (query, out) in queries.zip(out.chunks_exact_mut(width)) {
                        exact.weights(query, keys.clone(), out);
                    }
                }
            }
        });
    });
    Ok(weights)
}

/// The weights of up to 64 queries for a run of keys.
struct Window<'a> {
    /// (≤ 64, d).
    q: &'a [f32],
    /// (keys, d).
    k: &'a [f32],
    d: usize,
    keys: Range<usize>,
    scoring: Scoring<'a>,
    /// (≤ 64).
    log_sum_exp: &'a [f64],
    /// (≤ 64, keys).
    out: &'a mut [f32],
    room: &'a mut Room,
}

impl Tiled for Window<'_> {
    type Output = Seen;

    #[inline(always)]
    fn run<S: Simd, const W: usize>(self, simd: S) -> Seen {
        let Self {
            q,
            k,
            d,
            keys,
            scoring,
            log_sum_exp,
            out,
            room,
        } = self;
        let Room {
            queries,
            scores,
            extras,
            quads,
            ..
        } = room;
        turn_in(simd, q, d, scoring.factor, quads, queries);
        scores.resize(KEYS, Row::ZERO);
        extras.resize(KEYS, Row::ZERO);
        let edges = scoring.edges();
        let mut shift = Row::ZERO;
        for (shift, log_sum_exp) in shift.0.iter_mut().zip(log_sum_exp) {
            *shift = rounded(log_sum_exp * std::f64::consts::LOG2_E);
        }
        let (mut squares, mut largest, mut has_bad_bias) = (Row::ZERO, Row::ZERO, false);
        across::<S, W>(
            simd,
            &ALL,
            Squares {
                queries,
                squares: &mut squares,
            },
        );
        let mut greatest = Row([NOTHING; QUERIES]);
        let mut sums = Row::ZERO;
        for (group, k) in k.chunks(KEYS * d).enumerate() {
            let before = group * KEYS;
            let these = keys.start + before..keys.start + before + k.len() / d;
            let scores = &mut scores[..these.len()];
            across::<S, W>(
                simd,
                &ALL,
                Score {
                    keys: k,
                    queries,
                    scores,
                    greatest: None,
                },
            );
            has_bad_bias |= !scoring.extras(&these, extras);
            let (first_key, edges, greatest, largest) =
                (these.start, &edges, &mut greatest, &mut largest);
            let scoring = &scoring;
            across::<S, W>(
                simd,
                &ALL,
                Dress {
                    scoring,
                    first_key,
                    edges,
                    extras,
                    scores,
                    greatest,
                    largest,
                },
            );
            across::<S, W>(
                simd,
                &ALL,
                Weigh {
                    scores,
                    shift: &shift,
                    sums: &mut sums,
                },
            );
            for (lane, out) in out.chunks_exact_mut(keys.len()).enumerate() {
                for (weight, row) in out[before..].iter_mut().zip(scores.iter()) {
                    *weight = row.0[lane];
                }
            }
        }
        Seen {
            has_bad_bias,
            ..scoring.seen(&greatest, &squares, &largest)
        }
    }
}
