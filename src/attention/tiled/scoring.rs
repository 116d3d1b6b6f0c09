//! From q·k to what softmax sees, where there is more to it than a factor: cap, bias, distance, masks, temperature; for a block of turned queries.

use std::ops::Range;

use pulp::Simd;

use super::super::Sight;
use super::kernel::NOTHING;
use super::lanes::{multiply_add, tanh};
use super::rows::{QUERIES, Row, Step};

/// What stands between q·k and softmax, for the queries of one block.
#[derive(Clone, Debug)]
pub(super) struct Scoring<'a> {
    /// Its queries, counted in the head.
    pub queries: Range<usize>,
    /// Keys of the head.
    pub keys: usize,
    pub sight: Sight,
    /// On the queries: the scale; where nothing else happens to a score, by the temperature already.
    pub factor: f32,
    pub softcap: Option<f32>,
    /// What a place's distance costs (ALiBi); 0 elsewhere.
    pub slope: f32,
    /// One over the temperature; 1 where the factor has it.
    pub per_temperature: f32,
    /// (queries, keys).
    pub keep: Option<&'a [bool]>,
    /// (queries, keys).
    pub bias: Option<&'a [f32]>,
}

/// How large a block's scores were, before the temperature.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Seen {
    /// At most the greatest |scaled score| of a visible key: what error is measured by.
    pub scaled: f32,
    /// The greatest |greatest biased score| of a query: what the last bits of a score are lost to.
    pub greatest: f32,
    /// The greatest length of a query times the factor; not a number, or infinite, where that is.
    pub query: f32,
    /// Whether a bias was not a number or out of reach.
    pub has_bad_bias: bool,
}

/// Biases above this are out of reach.
const HIGHEST: f32 = 1e30;

/// Finite biases below this are taken for it: they weigh nothing beside any score of the arrays that come here, and where a query sees no others
/// its block is handed over.
const LOWEST: f32 = -1e30;

impl Scoring<'_> {
    /// Whether scores are products alone.
    #[inline(always)]
    pub fn is_plain(&self) -> bool {
        self.softcap.is_none() && self.slope == 0.0 && self.keep.is_none() && self.bias.is_none()
    }

    /// Turns masks of these keys: what is added to their scores, −∞ where hidden. Nothing is written where there is no mask.
    /// Returns whether all biases are within reach.
    #[inline(always)]
    pub fn extras(&self, keys: &Range<usize>, out: &mut [Row]) -> bool {
        let mut fine = true;
        let out = &mut out[..keys.len()];
        if let Some(bias) = self.bias {
            for (lane, bias) in bias.chunks_exact(self.keys).enumerate() {
                for (row, &bias) in out.iter_mut().zip(&bias[keys.clone()]) {
                    fine &= bias <= HIGHEST;
                    row.0[lane] = if bias == f32::NEG_INFINITY {
                        bias
                    } else {
                        bias.max(LOWEST)
                    };
                }
            }
        } else if self.keep.is_some() {
            out.fill(Row::ZERO);
        }
        if let Some(keep) = self.keep {
            for (lane, keep) in keep.chunks_exact(self.keys).enumerate() {
                for (row, &keep) in out.iter_mut().zip(&keep[keys.clone()]) {
                    if !keep {
                        row.0[lane] = f32::NEG_INFINITY;
                    }
                }
            }
        }
        fine
    }

    /// Whether masks are there at all.
    #[inline(always)]
    fn has_extras(&self) -> bool {
        self.bias.is_some() || self.keep.is_some()
    }

    /// The first key that each query may see by the causal rule and the window, and the first that it may see no more.
    #[inline(always)]
    pub fn edges(&self) -> [Row; 2] {
        let mut edges = [Row::ZERO; 2];
        let [from, to] = &mut edges;
        for ((query, from), to) in self.queries.clone().zip(&mut from.0).zip(&mut to.0) {
            let keys = self.sight.keys(query);
            (*from, *to) = (keys.start as f32, keys.end as f32);
        }
        edges
    }

    /// What the block's scores came to, from its rows: the greatest score of each query, its squared length, and the largest score that was dressed.
    #[inline(always)]
    pub fn seen(&self, greatest: &Row, squares: &Row, largest: &Row) -> Seen {
        let most = |row: &Row| row.0.iter().copied().fold(0.0f32, f32::max);
        let seeing = greatest
            .0
            .iter()
            .take(self.queries.len())
            .filter(|score| **score > NOTHING);
        let greatest =
            seeing.fold(0.0f32, |most, score| most.max(score.abs())) / self.per_temperature;
        // So written, NaN takes the place of what was found, and keeps it.
        let longer = |most: f32, square: f32| {
            if most >= square || most.is_nan() {
                most
            } else {
                square
            }
        };
        Seen {
            scaled: if self.is_plain() {
                greatest
            } else {
                most(largest)
            },
            greatest,
            query: squares.0.iter().copied().fold(0.0, longer).sqrt(),
            has_bad_bias: false,
        }
    }
}

/// Puts cap, bias, distance, masks and temperature into scores that are products so far; keeps the greatest, and the largest visible one before
/// cap and bias.
pub(super) struct Dress<'a> {
    pub scoring: &'a Scoring<'a>,
    pub first_key: usize,
    pub edges: &'a [Row; 2],
    /// (keys).
    pub extras: &'a [Row],
    /// (keys).
    pub scores: &'a mut [Row],
    pub greatest: &'a mut Row,
    pub largest: &'a mut Row,
}

impl Step for Dress<'_> {
    #[inline(always)]
    fn take<S: Simd, const W: usize>(&mut self, simd: S, at: usize) {
        let Self {
            scoring,
            first_key,
            edges,
            extras,
            scores,
            greatest,
            largest,
        } = self;
        let lane = LANES.load::<S, W>(at);
        let (from, to) = (edges[0].load::<S, W>(at), edges[1].load::<S, W>(at));
        let hidden = simd.splat_f32s(f32::NEG_INFINITY);
        let per_temperature = simd.splat_f32s(scoring.per_temperature);
        let mut most = greatest.load::<S, W>(at);
        let mut widest = largest.load::<S, W>(at);
        for ((key, row), extra) in (*first_key..).zip(scores.iter_mut()).zip(extras.iter()) {
            let number = simd.splat_f32s(key as f32);
            let mut x = row.load::<S, W>(at);
            let extra = extra.load::<S, W>(at);
            for i in 0..W {
                let raw = x[i];
                if let Some(cap) = scoring.softcap {
                    let part = simd.mul_f32s(x[i], simd.splat_f32s(1.0 / cap));
                    x[i] = simd.mul_f32s(tanh(simd, part), simd.splat_f32s(cap));
                }
                if scoring.slope != 0.0 {
                    let place = simd.splat_f32s(scoring.distance_to(key));
                    let distance = simd.abs_f32s(simd.add_f32s(lane[i], place));
                    x[i] = multiply_add(simd, simd.splat_f32s(-scoring.slope), distance, x[i]);
                }
                if scoring.has_extras() {
                    x[i] = simd.add_f32s(x[i], extra[i]);
                }
                x[i] = simd.mul_f32s(x[i], per_temperature);
                x[i] = simd.select_f32s(simd.less_than_f32s(number, from[i]), hidden, x[i]);
                x[i] = simd.select_f32s(simd.less_than_f32s(number, to[i]), x[i], hidden);
                most[i] = simd.max_f32s(most[i], x[i]);
                let is_visible = simd.greater_than_f32s(x[i], hidden);
                let visible =
                    simd.select_f32s(is_visible, simd.abs_f32s(raw), simd.splat_f32s(0.0));
                widest[i] = simd.max_f32s(widest[i], visible);
            }
            row.store::<S, W>(at, x);
        }
        greatest.store::<S, W>(at, most);
        largest.store::<S, W>(at, widest);
    }
}

/// The lanes' own numbers.
static LANES: Row = Row({
    let mut lanes = [0.0; QUERIES];
    let mut lane = 0;
    while lane < QUERIES {
        lanes[lane] = lane as f32;
        lane += 1;
    }
    lanes
});

impl Scoring<'_> {
    /// The place of the block's first query less that of a key. Exact: places are below 2²⁴ where arrays come here.
    #[inline(always)]
    fn distance_to(&self, key: usize) -> f32 {
        let key = isize::try_from(key).unwrap_or(isize::MAX);
        (self.sight.place(self.queries.start) - key) as f32
    }
}
