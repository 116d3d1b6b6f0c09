//! What this processor could do at most, measured: what a speed is to be compared with.

use std::hint::black_box;
use std::time::{Duration, Instant};

use pulp::Simd;

use super::InstructionSet;
use super::lanes::{Tiled, exp2, multiply_add};

/// The two things attention is made of, one thread's rate of each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roofline {
    /// Additions and multiplications a second, fused and in registers.
    pub flops: f64,
    /// Powers a second, in registers.
    pub powers: f64,
}

impl Roofline {
    /// Measures for about a tenth of a second; the best of many short runs.
    #[must_use]
    pub fn measured(set: InstructionSet) -> Self {
        let rate = |run: &dyn Fn() -> usize| {
            let mut best = 0.0f64;
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_millis(50) {
                let start = Instant::now();
                let count = run();
                best = best.max(count as f64 / start.elapsed().as_secs_f64());
            }
            best
        };
        Self {
            flops: rate(&|| set.run(Sums)),
            powers: rate(&|| set.run(Powers)),
        }
    }

    /// The least seconds that some multiplications and additions and some powers take on one thread.
    #[must_use]
    pub fn seconds(&self, flops: f64, powers: f64) -> f64 {
        flops / self.flops + powers / self.powers
    }
}

const ROUNDS: usize = 20_000;

/// Twelve sums that do not wait for each other.
struct Sums;

impl Tiled for Sums {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd, const W: usize>(self, simd: S) -> usize {
        let (half, more) = (
            simd.splat_f32s(black_box(0.5)),
            simd.splat_f32s(black_box(1.0)),
        );
        let mut sums = [more; 12];
        for _ in 0..ROUNDS {
            for sum in &mut sums {
                *sum = multiply_add(simd, *sum, half, more);
            }
        }
        black_box(sums);
        ROUNDS * 12 * 2 * S::F32_LANES
    }
}

/// Eight powers that do not wait for each other.
struct Powers;

impl Tiled for Powers {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd, const W: usize>(self, simd: S) -> usize {
        let mut numbers = [simd.splat_f32s(black_box(-1.0)); 8];
        for _ in 0..ROUNDS / 4 {
            for number in &mut numbers {
                *number = exp2(simd, *number);
            }
        }
        black_box(numbers);
        ROUNDS / 4 * 8 * S::F32_LANES
    }
}
