//! The kernel: attention of 64 queries with all keys they may see, in f32, without their row of scores ever standing whole.
//!
//! # How it goes
//!
//! Everything stands *turned*: a [`Row`] is one number for each of the 64 queries, which lie in the lanes of SIMD vectors. Keys and widths are the
//! operand that is broadcast. So keys and values are read as they lie, row by row; the greatest and the sum of a query's scores are taken *down*
//! a column of vectors, never across one; and both products are the same register tile, `rows of numbers × 64 lanes`. Only queries, on the way in,
//! and outputs, on the way out, are transposed.
//!
//! For each group of up to 256 keys:
//! 1. scores = keys · queries, a tile of [`TALL`] keys at a time, the greatest kept on the way;
//! 2. where there is more to a score than a product (a bias, a cap, the edge of what a query sees), it is put in ([`Dress`]);
//! 3. the greatest score so far, and by how much it grew: what was summed before shrinks by that (Milakov and Gimelshein 2018, Dao et al. 2022);
//! 4. weights = 2^((score − greatest) · log₂ e) in place, and their sum;
//! 5. outputs += valuesᵀ · weights, summed over this group in registers first, so that no chain of additions is longer than a group.
//!
//! At the end outputs are divided by the sums, once. A hidden key has −∞ here and weighs exactly 0; its value is a finite number, since arrays
//! with others never come here. What the causal rule or a window hides is not computed at all, in steps of 16 queries ([`pieces`]).
//!
//! Roads not taken: keys in the lanes (needs Kᵀ packed, and sums across lanes); log₂ e multiplied into the queries (as fast, 1.4 times the error);
//! one group of all keys (the scores would leave the cache, and the error doubles).

use pulp::Simd;

use super::lanes::{LOG2_E, Tiled, exp2, multiply_add};
use super::pieces::{BAND, Piece, groups, pieces};
use super::rows::{ALL, QUERIES, Row, Step, across};
use super::scoring::{Dress, Scoring, Seen};
use super::turn::{Quad, turn_in, turn_out};

/// Keys of a group: 64 KiB of scores, in the second-level cache; 192 to 384 are as fast.
pub(super) const KEYS: usize = 256;
/// Rows of a register tile: 6 × 4 vectors fill 24 of AVX-512's 32 registers, 6 × 2 fill 12 of AVX2's 16.
const TALL: usize = 6;
/// Below all scores of the arrays that come here, and still finite when it is multiplied by log₂ e.
pub(super) const NOTHING: f32 = -1e38;

/// Room to work in, kept by each thread from block to block: it grows to the widths once, after that nothing is allocated.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// (d): the queries, turned, times the factor.
    pub queries: Vec<Row>,
    /// (256): scores of a group, then weights.
    pub scores: Vec<Row>,
    /// (256): what is added to the scores of a piece; −∞ hides.
    pub extras: Vec<Row>,
    /// (dᵥ): outputs, turned.
    outputs: Vec<Row>,
    /// (max(d, dᵥ) / 4): queries or outputs on their way to or from their rows.
    pub quads: Vec<Quad>,
    pieces: Vec<Piece>,
}

/// Up to 64 queries of a head, and the keys and values of that head.
#[derive(Debug)]
pub(super) struct Block<'a> {
    /// (≤ 64, d).
    pub q: &'a [f32],
    /// (m, d).
    pub k: &'a [f32],
    /// (m, dᵥ).
    pub v: &'a [f32],
    /// d and dᵥ, both > 0.
    pub widths: (usize, usize),
    /// From q·k to what softmax sees.
    pub scoring: Scoring<'a>,
    /// (≤ 64, dᵥ).
    pub output: &'a mut [f32],
    /// (≤ 64): ln Σ e^score; −∞ where no key is visible.
    pub log_sum_exp: &'a mut [f64],
    /// Room to work in.
    pub room: &'a mut Room,
}

/// What is known of each query after some groups.
struct Running {
    greatest: Row,
    /// greatest · log₂ e, as it is taken off.
    shift: Row,
    /// Σ 2^(score · log₂ e − shift).
    sums: Row,
}

impl Tiled for Block<'_> {
    /// How large its scores were.
    type Output = Seen;

    #[inline(always)]
    fn run<S: Simd, const W: usize>(self, simd: S) -> Seen {
        let Self {
            q,
            k,
            v,
            widths: (d, dv),
            scoring,
            output,
            log_sum_exp,
            room,
        } = self;
        let Room {
            queries,
            scores,
            extras,
            outputs,
            quads,
            pieces: plan,
        } = room;
        turn_in(simd, q, d, scoring.factor, quads, queries);
        scores.resize(KEYS, Row::ZERO);
        extras.resize(KEYS, Row::ZERO);
        outputs.clear();
        outputs.resize(dv, Row::ZERO);
        pieces(&scoring.sight, scoring.queries.clone(), plan);
        let mut running = Running {
            greatest: Row([NOTHING; QUERIES]),
            shift: Row([NOTHING * LOG2_E; QUERIES]),
            sums: Row::ZERO,
        };
        let has_edges = plan.iter().any(|piece| piece.has_edge);
        let edges = if has_edges || !scoring.is_plain() {
            scoring.edges()
        } else {
            [Row::ZERO; 2]
        };
        let (mut squares, mut largest, mut has_bad_bias) = (Row::ZERO, Row::ZERO, false);
        across::<S, W>(
            simd,
            &ALL,
            Squares {
                queries,
                squares: &mut squares,
            },
        );
        for group in groups(plan) {
            for Piece {
                keys,
                rows,
                bands,
                has_edge,
            } in group
            {
                let (first_key, scores) = (keys.start, &mut scores[rows.clone()]);
                let greatest = &mut running.greatest;
                let is_bare = scoring.is_plain() && !has_edge;
                let bare = is_bare.then_some(&mut *greatest);
                let these = &k[keys.start * d..keys.end * d];
                across::<S, W>(
                    simd,
                    bands,
                    Score {
                        keys: these,
                        queries,
                        scores,
                        greatest: bare,
                    },
                );
                if !is_bare {
                    has_bad_bias |= !scoring.extras(keys, extras);
                    let (scoring, edges, largest) = (&scoring, &edges, &mut largest);
                    across::<S, W>(
                        simd,
                        bands,
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
                }
            }
            across::<S, W>(
                simd,
                &ALL,
                Rescale {
                    running: &mut running,
                    outputs,
                },
            );
            for Piece {
                keys, rows, bands, ..
            } in group
            {
                let (values, scores) = (
                    &v[keys.start * dv..keys.end * dv],
                    &mut scores[rows.clone()],
                );
                across::<S, W>(
                    simd,
                    bands,
                    Weigh {
                        scores,
                        shift: &running.shift,
                        sums: &mut running.sums,
                    },
                );
                across::<S, W>(
                    simd,
                    bands,
                    AddUp {
                        values,
                        weights: scores,
                        outputs,
                    },
                );
            }
        }
        running.log_sum_exp(log_sum_exp);
        across::<S, W>(
            simd,
            &ALL,
            Shares {
                sums: &mut running.sums,
            },
        );
        turn_out(simd, outputs, &running.sums, quads, output);
        Seen {
            has_bad_bias,
            ..scoring.seen(&running.greatest, &squares, &largest)
        }
    }
}

/// squares += |query|².
pub(super) struct Squares<'a> {
    pub queries: &'a [Row],
    pub squares: &'a mut Row,
}

impl Step for Squares<'_> {
    #[inline(always)]
    fn take<S: Simd, const W: usize>(&mut self, simd: S, at: usize) {
        let mut sums = self.squares.load::<S, W>(at);
        for query in self.queries {
            let query = query.load::<S, W>(at);
            for i in 0..W {
                sums[i] = multiply_add(simd, query[i], query[i], sums[i]);
            }
        }
        self.squares.store::<S, W>(at, sums);
    }
}

/// scores = keys · queries; the greatest are kept where these are all there is to a score.
pub(super) struct Score<'a> {
    /// (keys, d).
    pub keys: &'a [f32],
    /// (d).
    pub queries: &'a [Row],
    /// (keys).
    pub scores: &'a mut [Row],
    pub greatest: Option<&'a mut Row>,
}

impl Step for Score<'_> {
    #[inline(always)]
    fn take<S: Simd, const W: usize>(&mut self, simd: S, at: usize) {
        let (keys, queries, scores) = (self.keys, self.queries, &mut *self.scores);
        let mut most = [simd.splat_f32s(NOTHING); W];
        // A narrow tile must be taller, for as many sums to be under way as the processor can take.
        let (keys, scores) = if S::F32_LANES == BAND && W < 3 {
            score_tall::<S, W, 8>(simd, at, keys, queries, scores, &mut most)
        } else {
            score_tall::<S, W, TALL>(simd, at, keys, queries, scores, &mut most)
        };
        let (keys, scores) = score_tall::<S, W, 4>(simd, at, keys, queries, scores, &mut most);
        let (keys, scores) = score_tall::<S, W, 2>(simd, at, keys, queries, scores, &mut most);
        score_tall::<S, W, 1>(simd, at, keys, queries, scores, &mut most);
        if let Some(greatest) = &mut self.greatest {
            let before = greatest.load::<S, W>(at);
            for (most, before) in most.iter_mut().zip(before) {
                *most = simd.max_f32s(*most, before);
            }
            greatest.store::<S, W>(at, most);
        }
    }
}

/// As many keys as there are whole tiles of that height; returns the rest.
#[inline(always)]
fn score_tall<'k, 's, S: Simd, const W: usize, const HEIGHT: usize>(
    simd: S,
    at: usize,
    keys: &'k [f32],
    queries: &[Row],
    scores: &'s mut [Row],
    greatest: &mut [S::f32s; W],
) -> (&'k [f32], &'s mut [Row]) {
    let d = queries.len();
    let mut tiles = keys.chunks_exact(HEIGHT * d);
    let mut out = scores.chunks_exact_mut(HEIGHT);
    for (keys, out) in tiles.by_ref().zip(out.by_ref()) {
        // Each as long as there are queries' rows, for the compiler to see that `key[c]` is inside.
        let mut lines = [keys; HEIGHT];
        for (row, line) in lines.iter_mut().enumerate() {
            *line = &keys[row * d..][..d];
        }
        let mut tile = [[simd.splat_f32s(0.0); W]; HEIGHT];
        for (c, query) in queries.iter().enumerate() {
            let query = query.load::<S, W>(at);
            for (sums, key) in tile.iter_mut().zip(lines) {
                let number = simd.splat_f32s(key[c]);
                for (sum, &query) in sums.iter_mut().zip(&query) {
                    *sum = multiply_add(simd, number, query, *sum);
                }
            }
        }
        for (out, sums) in out.iter_mut().zip(tile) {
            for (most, sum) in greatest.iter_mut().zip(sums) {
                *most = simd.max_f32s(*most, sum);
            }
            out.store::<S, W>(at, sums);
        }
    }
    (tiles.remainder(), out.into_remainder())
}

/// Takes the greatest scores as they now are, and shrinks what was summed before to them.
struct Rescale<'a> {
    running: &'a mut Running,
    /// (dᵥ).
    outputs: &'a mut [Row],
}

impl Step for Rescale<'_> {
    #[inline(always)]
    fn take<S: Simd, const W: usize>(&mut self, simd: S, at: usize) {
        let Running {
            greatest,
            shift,
            sums,
        } = &mut *self.running;
        let mut new = greatest.load::<S, W>(at);
        let mut shrink = shift.load::<S, W>(at);
        let mut least = simd.splat_f32s(1.0);
        for i in 0..W {
            new[i] = simd.mul_f32s(new[i], simd.splat_f32s(LOG2_E));
            shrink[i] = exp2(simd, simd.sub_f32s(shrink[i], new[i]));
            least = simd.min_f32s(least, shrink[i]);
        }
        shift.store::<S, W>(at, new);
        // After the first few groups nothing grows any more.
        if simd.reduce_min_f32s(least) == 1.0 {
            return;
        }
        for row in &mut *self.outputs {
            row.multiply::<S, W>(simd, at, shrink);
        }
        sums.multiply::<S, W>(simd, at, shrink);
    }
}

/// weights = 2^(score · log₂ e − shift) in place of the scores; sums += weights.
pub(super) struct Weigh<'a> {
    pub scores: &'a mut [Row],
    pub shift: &'a Row,
    pub sums: &'a mut Row,
}

impl Step for Weigh<'_> {
    #[inline(always)]
    fn take<S: Simd, const W: usize>(&mut self, simd: S, at: usize) {
        let log2_e = simd.splat_f32s(LOG2_E);
        let mut taken_off = self.shift.load::<S, W>(at);
        for shift in &mut taken_off {
            *shift = simd.neg_f32s(*shift);
        }
        let mut sums = [simd.splat_f32s(0.0); W];
        for row in &mut *self.scores {
            let mut numbers = row.load::<S, W>(at);
            for i in 0..W {
                numbers[i] = exp2(simd, multiply_add(simd, numbers[i], log2_e, taken_off[i]));
                sums[i] = simd.add_f32s(sums[i], numbers[i]);
            }
            row.store::<S, W>(at, numbers);
        }
        self.sums.add::<S, W>(simd, at, sums);
    }
}

/// outputs += valuesᵀ · weights.
struct AddUp<'a> {
    /// (keys, dᵥ).
    values: &'a [f32],
    /// (keys).
    weights: &'a [Row],
    /// (dᵥ).
    outputs: &'a mut [Row],
}

impl Step for AddUp<'_> {
    #[inline(always)]
    fn take<S: Simd, const W: usize>(&mut self, simd: S, at: usize) {
        let (values, weights) = (self.values, self.weights);
        let dv = self.outputs.len();
        let rest = &mut *self.outputs;
        let rest = if S::F32_LANES == BAND && W < 3 {
            add_up_tall::<S, W, 8>(simd, at, values, dv, weights, rest)
        } else {
            add_up_tall::<S, W, TALL>(simd, at, values, dv, weights, rest)
        };
        let rest = add_up_tall::<S, W, 4>(simd, at, values, dv, weights, rest);
        let rest = add_up_tall::<S, W, 2>(simd, at, values, dv, weights, rest);
        add_up_tall::<S, W, 1>(simd, at, values, dv, weights, rest);
    }
}

/// As many columns of the values as there are whole tiles of that height; returns the rows of the rest, which are the last columns.
#[inline(always)]
fn add_up_tall<'o, S: Simd, const W: usize, const HEIGHT: usize>(
    simd: S,
    at: usize,
    values: &[f32],
    dv: usize,
    weights: &[Row],
    outputs: &'o mut [Row],
) -> &'o mut [Row] {
    let mut column = dv - outputs.len();
    let mut tiles = outputs.chunks_exact_mut(HEIGHT);
    for out in tiles.by_ref() {
        let mut tile = [[simd.splat_f32s(0.0); W]; HEIGHT];
        for (value, weight) in values.chunks_exact(dv).zip(weights) {
            let weight = weight.load::<S, W>(at);
            let value = &value[column..column + HEIGHT];
            for (sums, &number) in tile.iter_mut().zip(value) {
                let number = simd.splat_f32s(number);
                for (sum, &weight) in sums.iter_mut().zip(&weight) {
                    *sum = multiply_add(simd, number, weight, *sum);
                }
            }
        }
        for (out, sums) in out.iter_mut().zip(tile) {
            out.add::<S, W>(simd, at, sums);
        }
        column += HEIGHT;
    }
    tiles.into_remainder()
}

/// One over each sum; where nothing was summed, outputs are 0 and any number will do.
struct Shares<'a> {
    sums: &'a mut Row,
}

impl Step for Shares<'_> {
    #[inline(always)]
    fn take<S: Simd, const W: usize>(&mut self, simd: S, at: usize) {
        let mut shares = self.sums.load::<S, W>(at);
        for share in &mut shares {
            let sum = simd.max_f32s(*share, simd.splat_f32s(f32::MIN_POSITIVE));
            *share = simd.div_f32s(simd.splat_f32s(1.0), sum);
        }
        self.sums.store::<S, W>(at, shares);
    }
}

impl Running {
    /// ln Σ e^score; −∞ where nothing was summed.
    fn log_sum_exp(&self, out: &mut [f64]) {
        let Self {
            greatest,
            shift,
            sums,
        } = self;
        for (((out, greatest), shift), sum) in
            out.iter_mut().zip(greatest.0).zip(shift.0).zip(sums.0)
        {
            // With the shift as it was taken off, so that its rounding goes out as it came in.
            let log2 = f64::from(shift) + f64::from(sum).log2();
            let is_empty = greatest == NOTHING;
            *out = if is_empty {
                f64::NEG_INFINITY
            } else {
                log2 * std::f64::consts::LN_2
            };
        }
    }
}
