//! How far f32 reaches: what is looked at once, and when a block of queries is handed over to f64.
//!
//! # The promise
//!
//! |tiled − trace| ≤ 1e-6 · (1 + S) · max |v|, S the largest |scaled score| of a visible key, on every input.
//!
//! # Why it holds
//!
//! An output is wrong by at most max |v| times twice the worst error of a row's scores (what is the same for the whole row cancels). With u = 2⁻²⁴:
//! * A product of width d errs by u · B times a factor of about √d / 32 where roundings fall as they may, and at most d / 4 where all of them fall one
//!   way, with B = |scale| · |q| · |k|, which bounds the score by Cauchy and Schwarz. The promise is 16.8 u · (1 + S). So it can matter only
//!   where much cancels and B is far above 1 + S: a block with B above [`CANCELLATION`] · (1 + S) is computed again in f64. Normal random numbers
//!   have B ≈ 12, S ≈ 4.5 at d = 64. This is a measured bound, not a proved one: the tests look for roundings that fall one way, and a proved one
//!   (B < 67 · (1 + S) / d) would send ordinary numbers to f64.
//! * A bias (or a distance) costs the last bits of what it is added to: u times their sum, which matters where the sum is near its row's greatest.
//! * A small temperature multiplies both.
//! * Cap, powers, sums and quotient err by a few u, relatively.
//!
//! S is taken from the block itself, from below: its largest score before bias; without bias, its rows' greatest. So the decision is made after the
//! block is computed, costs nothing, and does not depend on the number of threads.

use pulp::Simd;

use super::lanes::{Tiled, multiply_add};
use super::scoring::Seen;

/// Why a block of queries was handed over to f64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// What the kernel does not know: another normaliser, simulated numbers, arrays without width.
    Kind,
    /// Not a number, or infinite.
    NotFinite,
    /// Products could leave the numbers that f32 has.
    OutOfReach,
    /// Scores are so much smaller than their terms that f32 would lose their digits.
    Cancellation,
    /// A bias is so large that f32 would lose the digits of the scores it is added to.
    LargeBias,
}

impl Reason {
    /// Every one.
    pub const ALL: [Self; 5] = [
        Self::Kind,
        Self::NotFinite,
        Self::OutOfReach,
        Self::Cancellation,
        Self::LargeBias,
    ];
}

/// How far a bound may stand above what was seen.
const CANCELLATION: f64 = 6.0;
/// How far a biased score may stand above the scores.
const BIAS: f64 = 6.0;
/// A score's powers are taken relative to its row's greatest, rounded: of larger ones the rounding alone would overflow.
const SCORE: f64 = 1e7;
/// Keys and values must be between these: squares, and products with queries, then are far from f32's ends.
const LEAST: f32 = 1e-15;
const MOST: f32 = 1e15;

/// What is known of the keys and values of a key head.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    /// The greatest length of a key.
    key: f32,
    reason: Option<Reason>,
}

impl Look {
    /// Looks at keys (m, d) and values, each number once.
    pub fn of(set: super::InstructionSet, keys: &[f32], d: usize, values: &[f32]) -> Self {
        let key = set
            .run(Longest {
                rows: keys,
                width: d,
            })
            .sqrt();
        // Of the values only their reach matters: pieces of any length will do.
        let value = set
            .run(Longest {
                rows: values,
                width: 256,
            })
            .sqrt();
        let is_finite = |all: &[f32]| all.iter().all(|x| x.is_finite());
        let reason =
            if key <= MOST && value <= MOST && (value >= LEAST || values.iter().all(|v| *v == 0.0))
            {
                None
            } else if is_finite(keys) && is_finite(values) {
                Some(Reason::OutOfReach)
            } else {
                Some(Reason::NotFinite)
            };
        Self { key, reason }
    }

    /// Whether these keys and values must not come to the kernel.
    pub fn reason(&self) -> Option<Reason> {
        self.reason
    }

    /// Why f64 must compute again what the kernel has computed, if it must. `factor_has_temperature`: whether the queries were divided by it.
    pub fn verdict(
        &self,
        seen: &Seen,
        temperature: f64,
        factor_has_temperature: bool,
    ) -> Option<Reason> {
        let Seen {
            scaled,
            greatest,
            query,
            has_bad_bias,
        } = *seen;
        if !query.is_finite() || has_bad_bias {
            return Some(if query.is_nan() {
                Reason::NotFinite
            } else {
                Reason::OutOfReach
            });
        }
        let bound = f64::from(query) * f64::from(self.key);
        // Scores before the temperature, the bound after it.
        let (bound, unit) = if factor_has_temperature {
            (bound, temperature)
        } else {
            (bound / temperature, 1.0)
        };
        let (scaled, greatest) = (f64::from(scaled) * unit, f64::from(greatest) * unit);
        if bound > 1e30 {
            return Some(Reason::OutOfReach);
        }
        let allowed = 1.0 + scaled / temperature.max(1.0);
        if bound > CANCELLATION * allowed {
            return Some(Reason::Cancellation);
        }
        if (greatest - scaled) / temperature > BIAS * allowed {
            return Some(Reason::LargeBias);
        }
        (greatest / temperature > SCORE).then_some(Reason::OutOfReach)
    }
}

/// The greatest square of a row's length; not a number, or infinite, where one is.
struct Longest<'a> {
    rows: &'a [f32],
    width: usize,
}

impl Tiled for Longest<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<S: Simd, const W: usize>(self, simd: S) -> f32 {
        let mut most = 0.0f32;
        for row in self.rows.chunks(self.width.max(1)) {
            let (vectors, rest) = S::as_simd_f32s(row);
            let mut sum = simd.splat_f32s(0.0);
            for &vector in vectors {
                sum = multiply_add(simd, vector, vector, sum);
            }
            let mut square = simd.reduce_sum_f32s(sum);
            for number in rest {
                square += number * number;
            }
            // So written, NaN takes the place of what was found, and keeps it.
            most = if most >= square { most } else { square };
            if most.is_nan() {
                return most;
            }
        }
        most
    }
}
