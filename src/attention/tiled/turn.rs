//! Turning: (≤ 64 queries, width) to and from one [`Row`] for each component, by blocks of 4 components and as many queries as a vector has lanes.
//!
//! Plain loops would touch another line of the cache for each number; on short inputs that is 3 % of all time. Vectors of four numbers a query are
//! copied as they lie, and pulp's (de)interleaving parts them; it leaves the lanes in an order of its own, which is found by turning the numbers
//! 0, 1, 2, …, and undone by where each query is put.

use pulp::Simd;

use super::rows::{QUERIES, Row};

/// Components of a block.
const FOUR: usize = 4;

/// Four components of 64 queries, a query's four beside each other.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Quad([f32; FOUR * QUERIES]);

/// (≤ 64, width) times a factor → (width) rows; lanes without a query are 0.
#[inline(always)]
pub(super) fn turn_in<S: Simd>(
    simd: S,
    q: &[f32],
    width: usize,
    factor: f32,
    quads: &mut Vec<Quad>,
    rows: &mut Vec<Row>,
) {
    let whole = width / FOUR;
    rows.resize(width, Row::ZERO);
    quads.resize(whole, Quad([0.0; FOUR * QUERIES]));
    if q.len() < QUERIES * width {
        quads.fill(Quad([0.0; FOUR * QUERIES]));
        rows.fill(Row::ZERO);
    }
    let places = places(simd);
    for (query, &place) in q.chunks_exact(width).zip(&places) {
        for (quad, four) in quads.iter_mut().zip(query.chunks_exact(FOUR)) {
            quad.0[place..place + FOUR].copy_from_slice(four);
        }
    }
    let factors = simd.splat_f32s(factor);
    for (quad, rows) in quads.iter().zip(rows.chunks_exact_mut(FOUR)) {
        let (vectors, _) = S::as_simd_f32s(&quad.0);
        for (at, four) in vectors.chunks_exact(FOUR).enumerate() {
            let parted = simd.deinterleave_shfl_f32s([four[0], four[1], four[2], four[3]]);
            for (row, vector) in rows.iter_mut().zip(parted) {
                row.store::<S, 1>(at, [simd.mul_f32s(vector, factors)]);
            }
        }
    }
    for (lane, query) in q.chunks_exact(width).enumerate() {
        for (row, number) in rows.iter_mut().zip(query).skip(whole * FOUR) {
            row.0[lane] = number * factor;
        }
    }
}

/// (width) rows → (≤ 64, width), each row times a number for each lane.
#[inline(always)]
pub(super) fn turn_out<S: Simd>(
    simd: S,
    rows: &[Row],
    factors: &Row,
    quads: &mut Vec<Quad>,
    output: &mut [f32],
) {
    let width = rows.len();
    let whole = width / FOUR;
    quads.resize(whole, Quad([0.0; FOUR * QUERIES]));
    for (quad, rows) in quads.iter_mut().zip(rows.chunks_exact(FOUR)) {
        let (vectors, _) = S::as_mut_simd_f32s(&mut quad.0);
        for (at, four) in vectors.chunks_exact_mut(FOUR).enumerate() {
            let [factor] = factors.load::<S, 1>(at);
            let mut parted = [factor; FOUR];
            for (vector, row) in parted.iter_mut().zip(rows) {
                let [numbers] = row.load::<S, 1>(at);
                *vector = simd.mul_f32s(numbers, factor);
            }
            four.copy_from_slice(&simd.interleave_shfl_f32s(parted));
        }
    }
    let places = places(simd);
    for (lane, (out, &place)) in output.chunks_exact_mut(width).zip(&places).enumerate() {
        for (quad, four) in quads.iter().zip(out.chunks_exact_mut(FOUR)) {
            four.copy_from_slice(&quad.0[place..place + FOUR]);
        }
        for (out, row) in out.iter_mut().zip(rows).skip(whole * FOUR) {
            *out = row.0[lane] * factors.0[lane];
        }
    }
}

/// Where each lane's four numbers stand in a [`Quad`].
#[inline(always)]
fn places<S: Simd>(simd: S) -> [usize; QUERIES] {
    let mut numbers = Quad([0.0; FOUR * QUERIES]);
    for (at, number) in numbers.0.iter_mut().enumerate() {
        *number = at as f32;
    }
    let mut first = Row::ZERO;
    let (vectors, _) = S::as_simd_f32s(&numbers.0);
    for (at, four) in vectors.chunks_exact(FOUR).enumerate() {
        let [parted, ..] = simd.deinterleave_shfl_f32s([four[0], four[1], four[2], four[3]]);
        first.store::<S, 1>(at, [parted]);
    }
    first.0.map(|place| place as usize)
}
