//! Turned numbers: one row holds a number for each of a block's 64 queries; and steps over the vectors that rows are made of.

use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::pieces::BAND;

/// Queries of a block.
pub(super) const QUERIES: usize = 64;

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

    #[inline(always)]
    pub fn add<S: Simd, const W: usize>(&mut self, simd: S, at: usize, other: [S::f32s; W]) {
        let mut numbers = self.load::<S, W>(at);
        for (number, other) in numbers.iter_mut().zip(other) {
            *number = simd.add_f32s(*number, other);
        }
        self.store::<S, W>(at, numbers);
    }

    #[inline(always)]
    pub fn multiply<S: Simd, const W: usize>(&mut self, simd: S, at: usize, other: [S::f32s; W]) {
        let mut numbers = self.load::<S, W>(at);
        for (number, other) in numbers.iter_mut().zip(other) {
            *number = simd.mul_f32s(*number, other);
        }
        self.store::<S, W>(at, numbers);
    }
}

/// Something done to W vectors of rows at a time, from vector `at` on. Plain loops only: a closure that the standard library calls would be compiled
/// without the instruction set, a tenth as fast.
pub(super) trait Step {
    fn take<S: Simd, const W: usize>(&mut self, simd: S, at: usize);
}

/// Every query of a block.
pub(super) const ALL: Range<usize> = 0..QUERIES / BAND;

/// Takes a step for the vectors of some bands, W at a time. Where a vector is a whole band (AVX-512), the last may be fewer; elsewhere a tile is one
/// band wide.
#[inline(always)]
pub(super) fn across<S: Simd, const W: usize>(simd: S, bands: &Range<usize>, mut step: impl Step) {
    let vectors = BAND / S::F32_LANES;
    let (mut at, end) = (bands.start * vectors, bands.end * vectors);
    let step = &mut step;
    while at < end {
        match (end - at).min(W) {
            1 => apart::<S, 1>(simd, step, at),
            2 => apart::<S, 2>(simd, step, at),
            3 => apart::<S, 3>(simd, step, at),
            _ => apart::<S, W>(simd, step, at),
        }
        at += W;
    }
}

/// Each width is a function of its own, not inlined, so that its registers are its own too: together, the compiler keeps the polynomial of one
/// loop in registers that the tile of the next must have (a tenth slower).
#[inline(never)]
fn apart<S: Simd, const W: usize>(simd: S, step: &mut impl Step, at: usize) {
    Simd::vectorize(simd, Apart::<_, W> { step, at });
}

struct Apart<'a, T, const W: usize> {
    step: &'a mut T,
    at: usize,
}

impl<T: Step, const W: usize> WithSimd for Apart<'_, T, W> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.step.take::<S, W>(simd, self.at);
    }
}
