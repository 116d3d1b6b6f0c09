//! Arithmetic on vectors of whatever width the processor has, and the choice of its instruction set.

use pulp::{Simd, WithSimd};

/// What the kernel may be run with. The numbers differ in the last bits (fused or separate rounding), not in meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// 16 numbers at once, 32 registers.
    Avx512,
    /// 8 numbers at once, 16 registers, multiply and add in one.
    Avx2,
    /// 4 numbers at once: SSE4.2, which x86-64 processors have had since about 2009.
    Sse4,
    /// What every processor of the family has: NEON on 64-bit Arm; elsewhere one number at a time, a fifth as fast as SSE4.
    Baseline,
}

impl InstructionSet {
    /// The best one that this processor has.
    #[must_use]
    pub fn best() -> Self {
        Self::available()
            .into_iter()
            .next()
            .unwrap_or(Self::Baseline)
    }

    /// All that this processor has, best first.
    #[must_use]
    pub fn available() -> Vec<Self> {
        [Self::Avx512, Self::Avx2, Self::Sse4, Self::Baseline]
            .into_iter()
            .filter(|set| set.is_here())
            .collect()
    }

    #[cfg(target_arch = "x86_64")]
    fn is_here(self) -> bool {
        match self {
            Self::Avx512 => pulp::x86::V4::try_new().is_some(),
            Self::Avx2 => pulp::x86::V3::try_new().is_some(),
            Self::Sse4 => pulp::x86::V2::try_new().is_some(),
            Self::Baseline => true,
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn is_here(self) -> bool {
        self == Self::Baseline
    }

    /// Runs `job` compiled for this instruction set, or for the baseline where the processor lacks it.
    /// Each is an instantiation of its own: `job` is made for tiles of the width that fits the registers.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn run<J: Tiled>(self, job: J) -> J::Output {
        match self {
            Self::Avx512 => {
                if let Some(simd) = pulp::x86::V4::try_new() {
                    return Simd::vectorize(simd, Width::<J, 4>(job));
                }
            }
            Self::Avx2 => {
                if let Some(simd) = pulp::x86::V3::try_new() {
                    return Simd::vectorize(simd, Width::<J, 2>(job));
                }
            }
            Self::Sse4 => {
                if let Some(simd) = pulp::x86::V2::try_new() {
                    return Simd::vectorize(simd, Width::<J, 2>(job));
                }
            }
            Self::Baseline => {}
        }
        Simd::vectorize(pulp::Scalar128b, Width::<J, 2>(job))
    }

    #[cfg(target_arch = "aarch64")]
    pub(super) fn run<J: Tiled>(self, job: J) -> J::Output {
        match pulp::aarch64::Neon::try_new() {
            Some(simd) => Simd::vectorize(simd, Width::<J, 4>(job)),
            None => Simd::vectorize(pulp::Scalar128b, Width::<J, 2>(job)),
        }
    }

    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    pub(super) fn run<J: Tiled>(self, job: J) -> J::Output {
        Simd::vectorize(pulp::Scalar128b, Width::<J, 2>(job))
    }
}

/// A job over register tiles of at most W vectors: 16 lanes in each instruction set, and up to 64 in AVX-512, whose registers can hold that.
pub(super) trait Tiled {
    /// What comes out.
    type Output;
    /// The job itself; inlined into a function that may use the instruction set.
    fn run<S: Simd, const W: usize>(self, simd: S) -> Self::Output;
}

struct Width<J, const W: usize>(J);

impl<J: Tiled, const W: usize> WithSimd for Width<J, W> {
    type Output = J::Output;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> J::Output {
        self.0.run::<S, W>(simd)
    }
}

/// a · b + c. Fused where that is one instruction: elsewhere `mul_add` would be a call of the C library, a hundred times slower.
#[inline(always)]
pub(super) fn multiply_add<S: Simd>(simd: S, a: S::f32s, b: S::f32s, c: S::f32s) -> S::f32s {
    if const { S::F32_LANES > 4 || cfg!(target_arch = "aarch64") } {
        simd.mul_add_f32s(a, b, c)
    } else {
        simd.add_f32s(simd.mul_f32s(a, b), c)
    }
}

/// log₂ e.
pub(super) const LOG2_E: f32 = std::f32::consts::LOG2_E;

/// 1.5 · 2²³ + 127: added to a number of moderate size, it rounds that to a whole number n and leaves n + 127 in the low bits, which, shifted
/// into the exponent, are 2ⁿ.
const ROUNDER: f32 = 12_583_039.0;

/// 2^f for |f| ≤ ½ as a polynomial, from f⁰ up: a minimax fit of the relative error (2.7e-9, below f32's own rounding) with 2⁰ = 1 exactly.
const POWERS: [f32; 7] = [
    1.0,
    std::f32::consts::LN_2,
    0.240_226_46,
    0.055_503_357,
    0.009_618_529,
    0.001_339_827_1,
    0.000_153_352_4,
];

/// 2^x for x ≤ 127, to within 2 units in the last place (a test measures it). Exactly 0 from −126.5 down, and so for −∞: what is hidden weighs nothing.
#[inline(always)]
pub(super) fn exp2<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    let rounder = simd.splat_f32s(ROUNDER);
    let x = simd.max_f32s(x, simd.splat_f32s(-127.0));
    let rounded = simd.add_f32s(x, rounder);
    let rest = simd.sub_f32s(x, simd.sub_f32s(rounded, rounder));
    let [lower @ .., last] = POWERS;
    let mut power = simd.splat_f32s(last);
    for coefficient in lower.into_iter().rev() {
        power = multiply_add(simd, power, rest, simd.splat_f32s(coefficient));
    }
    let bits = simd.transmute_u32s_f32s(rounded);
    let whole = simd.wrapping_dyn_shl_u32s(bits, simd.splat_u32s(23));
    simd.mul_f32s(power, simd.transmute_f32s_u32s(whole))
}

/// tanh x. With y = e^(−2|x|) it is (1 − y)/(1 + y), which loses digits where y is near 1: there, below ½, the series of tanh x / x in x² is taken
/// (relative error under 1e-7; a test measures it).
#[inline(always)]
pub(super) fn tanh<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    let one = simd.splat_f32s(1.0);
    let size = simd.abs_f32s(x);
    let y = exp2(simd, simd.mul_f32s(size, simd.splat_f32s(-2.0 * LOG2_E)));
    let far = simd.div_f32s(simd.sub_f32s(one, y), simd.add_f32s(one, y));
    let square = simd.mul_f32s(x, x);
    let mut series = simd.splat_f32s(TANH_SERIES[TANH_SERIES.len() - 1]);
    for coefficient in TANH_SERIES[..TANH_SERIES.len() - 1].iter().rev() {
        series = multiply_add(simd, series, square, simd.splat_f32s(*coefficient));
    }
    let near = simd.mul_f32s(size, series);
    let is_near = simd.less_than_f32s(size, simd.splat_f32s(0.5));
    let value = simd.select_f32s(is_near, near, far);
    let is_negative = simd.less_than_f32s(x, simd.splat_f32s(0.0));
    simd.select_f32s(is_negative, simd.neg_f32s(value), value)
}

/// tanh x / x = 1 − x²/3 + 2x⁴/15 − …, exactly the Taylor coefficients.
const TANH_SERIES: [f32; 8] = [
    1.0,
    -1.0 / 3.0,
    2.0 / 15.0,
    -17.0 / 315.0,
    62.0 / 2835.0,
    -1382.0 / 155_925.0,
    21_844.0 / 6_081_075.0,
    -929_569.0 / 638_512_875.0,
];
