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
//! 2. where there is more to a score than a product (a bias, a cap, the edge of what a query sees), it is put in ([`Scoring::dress`]);
//! 3. the greatest score so far, and by how much it grew: what was summed before shrinks by that (Milakov and Gimelshein 2018, Dao et al. 2022);
//! 4. weights = 2^((score − greatest) · log₂ e) in place, and their sum;
//! 5. outputs += valuesᵀ · weights, summed over this group in registers first, so that no chain of additions is longer than a group.
//!
//! At the end outputs are divided by the sums, once. A hidden key has −∞ here and weighs exactly 0; its value is a finite number, since arrays
//! with others never come here. What the causal rule or a window hides is not computed at all, in steps of 16 queries ([`pieces`]).
//!
//! Roads not taken: keys in the lanes (needs Kᵀ packed, and sums across lanes); log₂ e multiplied into the queries (as fast, 1.4 times the error);
//! one group of all keys (the scores would leave the cache, and the error doubles).

use std::array;

use pulp::Simd;

use super::lanes::{LOG2_E, Tiled, exp2, multiply_add};
use super::pieces::{BAND, Piece, groups, pieces};
use super::scoring::{Scoring, Seen, dress};
use super::turn::{Quad, turn_in, turn_out};

/// Queries of a block.
pub(super) const QUERIES: usize = 64;
/// Keys of a group: 64 KiB of scores, in the second-level cache; 192 to 384 are as fast.
pub(super) const KEYS: usize = 256;
/// Rows of a register tile: 6 × 4 vectors fill 24 of AVX-512's 32 registers, 6 × 2 fill 12 of AVX2's 16.
const TALL: usize = 6;
/// Below all scores of the arrays that come here, and still finite when it is multiplied by log₂ e.
pub(super) const NOTHING: f32 = -1e38;

/// One number for each query of a block.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Row(pub [f32; QUERIES]);

impl Row {
    pub const ZERO: Self = Self([0.0; QUERIES]);

    /// W of its vectors, from vector `at`.
    #[inline(always)]
    pub fn load<S: Simd, const W: usize>(&self, at: usize) -> [S::f32s; W] {
        let vectors = &S::as_simd_f32s(&self.0).0[at..at + W];
        let mut out = [vectors[0]; W];
        out.copy_from_slice(vectors);
        out
    }

    #[inline(always)]
    pub fn store<S: Simd, const W: usize>(&mut self, at: usize, vectors: [S::f32s; W]) {
        S::as_mut_simd_f32s(&mut self.0).0[at..at + W].copy_from_slice(&vectors);
    }
}

impl Row {
    #[inline(always)]
    fn add<S: Simd, const W: usize>(&mut self, simd: S, at: usize, other: [S::f32s; W]) {
        let mut numbers = self.load::<S, W>(at);
        for (number, other) in numbers.iter_mut().zip(other) {
            *number = simd.add_f32s(*number, other);
        }
        self.store::<S, W>(at, numbers);
    }

    #[inline(always)]
    fn multiply<S: Simd, const W: usize>(&mut self, simd: S, at: usize, other: [S::f32s; W]) {
        let mut numbers = self.load::<S, W>(at);
        for (number, other) in numbers.iter_mut().zip(other) {
            *number = simd.mul_f32s(*number, other);
        }
        self.store::<S, W>(at, numbers);
    }
}

/// Calls `function::<S, W, …>(simd, at, …)` for the vectors of some bands, W at a time. Where a vector is a whole band (AVX-512), the last call
/// may be for fewer; elsewhere a tile is one band wide.
macro_rules! across {
    ($bands:expr, $function:ident::<$S:ident, $W:ident>($simd:expr $(, $argument:expr)*)) => {
        let vectors = BAND / $S::F32_LANES;
        let (mut at, end) = ($bands.start * vectors, $bands.end * vectors);
        while at < end {
            match (end - at).min($W) {
                1 => $function::<$S, 1>($simd, at $(, $argument)*),
                2 => $function::<$S, 2>($simd, at $(, $argument)*),
                3 => $function::<$S, 3>($simd, at $(, $argument)*),
                _ => $function::<$S, $W>($simd, at $(, $argument)*),
            }
            at += $W;
        }
    };
}
pub(super) use across;

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
        let edges = scoring.edges();
        let (mut squares, mut largest, mut has_bad_bias) = (Row::ZERO, Row::ZERO, false);
        across!(
            0..QUERIES / BAND,
            add_squares::<S, W>(simd, queries, &mut squares)
        );
        for group in groups(plan) {
            for piece in group {
                let keys = &k[piece.keys.start * d..piece.keys.end * d];
                let scores = &mut scores[piece.rows.clone()];
                if scoring.is_plain() && !piece.has_edge {
                    across!(
                        piece.bands,
                        score::<S, W>(simd, keys, queries, scores, Some(&mut running.greatest))
                    );
                } else {
                    across!(
                        piece.bands,
                        score::<S, W>(simd, keys, queries, scores, None)
                    );
                    has_bad_bias |= !scoring.extras(&piece.keys, extras);
                    across!(
                        piece.bands,
                        dress::<S, W>(
                            simd,
                            &scoring,
                            piece.keys.start,
                            &edges,
                            extras,
                            scores,
                            &mut running.greatest,
                            &mut largest
                        )
                    );
                }
            }
            across!(
                0..QUERIES / BAND,
                rescale::<S, W>(simd, &mut running, outputs)
            );
            for piece in group {
                let values = &v[piece.keys.start * dv..piece.keys.end * dv];
                let scores = &mut scores[piece.rows.clone()];
                across!(
                    piece.bands,
                    weigh::<S, W>(simd, scores, &running.shift, &mut running.sums)
                );
                across!(piece.bands, add_up::<S, W>(simd, values, scores, outputs));
            }
        }
        let Running {
            greatest,
            shift,
            sums,
        } = &running;
        for (lane, out) in log_sum_exp.iter_mut().enumerate() {
            // With the shift as it was taken off, so that its rounding goes out as it came in.
            let log2 = f64::from(shift.0[lane]) + f64::from(sums.0[lane]).log2();
            let is_empty = greatest.0[lane] == NOTHING;
            *out = if is_empty {
                f64::NEG_INFINITY
            } else {
                log2 * std::f64::consts::LN_2
            };
        }
        across!(0..QUERIES / BAND, shares::<S, W>(simd, &mut running.sums));
        turn_out(simd, outputs, &running.sums, quads, output);
        let seen = scoring.seen(&running.greatest, &squares, &largest);
        Seen {
            has_bad_bias,
            ..seen
        }
    }
}

/// squares = |query|².
#[inline(always)]
pub(super) fn add_squares<S: Simd, const W: usize>(
    simd: S,
    at: usize,
    queries: &[Row],
    squares: &mut Row,
) {
    let mut sums = squares.load::<S, W>(at);
    for query in queries {
        let query = query.load::<S, W>(at);
        for i in 0..W {
            sums[i] = multiply_add(simd, query[i], query[i], sums[i]);
        }
    }
    squares.store::<S, W>(at, sums);
}

/// scores = keys · queries for W vectors of queries.
#[inline(always)]
pub(super) fn score<S: Simd, const W: usize>(
    simd: S,
    at: usize,
    keys: &[f32],
    queries: &[Row],
    scores: &mut [Row],
    greatest: Option<&mut Row>,
) {
    let mut nothing = Row::ZERO;
    let greatest = greatest.unwrap_or(&mut nothing);
    let mut most = greatest.load::<S, W>(at);
    let (keys, scores) = score_tall::<S, W, TALL>(simd, at, keys, queries, scores, &mut most);
    let (keys, scores) = score_tall::<S, W, 4>(simd, at, keys, queries, scores, &mut most);
    let (keys, scores) = score_tall::<S, W, 2>(simd, at, keys, queries, scores, &mut most);
    score_tall::<S, W, 1>(simd, at, keys, queries, scores, &mut most);
    greatest.store::<S, W>(at, most);
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
        let keys: [&[f32]; HEIGHT] = array::from_fn(|row| &keys[row * d..(row + 1) * d]);
        let mut tile = [[simd.splat_f32s(0.0); W]; HEIGHT];
        for (c, query) in queries.iter().enumerate() {
            let query = query.load::<S, W>(at);
            for (sums, key) in tile.iter_mut().zip(keys) {
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
#[inline(always)]
fn rescale<S: Simd, const W: usize>(
    simd: S,
    at: usize,
    running: &mut Running,
    outputs: &mut [Row],
) {
    let Running {
        greatest,
        shift,
        sums,
    } = running;
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
    for row in outputs {
        row.multiply::<S, W>(simd, at, shrink);
    }
    sums.multiply::<S, W>(simd, at, shrink);
}

/// weights = 2^(score · log₂ e − shift), and their sums.
#[inline(always)]
pub(super) fn weigh<S: Simd, const W: usize>(
    simd: S,
    at: usize,
    scores: &mut [Row],
    shift: &Row,
    sums: &mut Row,
) {
    let log2_e = simd.splat_f32s(LOG2_E);
    let mut taken_off = shift.load::<S, W>(at);
    for shift in &mut taken_off {
        *shift = simd.neg_f32s(*shift);
    }
    let mut total = [simd.splat_f32s(0.0); W];
    for row in scores {
        let mut numbers = row.load::<S, W>(at);
        for i in 0..W {
            numbers[i] = exp2(simd, multiply_add(simd, numbers[i], log2_e, taken_off[i]));
            total[i] = simd.add_f32s(total[i], numbers[i]);
        }
        row.store::<S, W>(at, numbers);
    }
    sums.add::<S, W>(simd, at, total);
}

/// outputs += valuesᵀ · weights for W vectors of queries.
#[inline(always)]
fn add_up<S: Simd, const W: usize>(
    simd: S,
    at: usize,
    values: &[f32],
    weights: &[Row],
    outputs: &mut [Row],
) {
    let dv = outputs.len();
    let rest = add_up_tall::<S, W, TALL>(simd, at, values, dv, weights, outputs);
    let rest = add_up_tall::<S, W, 4>(simd, at, values, dv, weights, rest);
    let rest = add_up_tall::<S, W, 2>(simd, at, values, dv, weights, rest);
    add_up_tall::<S, W, 1>(simd, at, values, dv, weights, rest);
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
#[inline(always)]
fn shares<S: Simd, const W: usize>(simd: S, at: usize, sums: &mut Row) {
    let mut shares = sums.load::<S, W>(at);
    for share in &mut shares {
        let sum = simd.max_f32s(*share, simd.splat_f32s(f32::MIN_POSITIVE));
        *share = simd.div_f32s(simd.splat_f32s(1.0), sum);
    }
    sums.store::<S, W>(at, shares);
}
