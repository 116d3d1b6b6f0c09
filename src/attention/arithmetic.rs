//! The few operations of the pipeline, in whichever numbers are asked for: exact ones by fast loops, simulated ones rounded after every single step.
//!
//! A product or sum of two numbers of at most 24 bits, computed in 53 bits and rounded once more, is what that format's own hardware gives. Road not
//! taken: running sums in a wider format, as many accelerators do: then nothing would be swallowed, and that is what the simulation is there to show.

use ndarray::{Array1, Array2, ArrayView2, CowArray, Ix2};

use super::{Precision, softmax};

impl Precision {
    /// Whether every step is to be rounded.
    pub(super) fn is_simulated(self) -> bool {
        self != Self::F64
    }

    /// a: (n, d), b: (d, m); returns (n, m). The widths must agree.
    pub(super) fn product(self, a: ArrayView2<'_, f64>, b: ArrayView2<'_, f64>) -> Array2<f64> {
        if !self.is_simulated() {
            return a.dot(&b);
        }
        Array2::from_shape_fn((a.nrows(), b.ncols()), |(i, j)| {
            let pairs = a.row(i).into_iter().zip(b.column(j));
            self.sum(pairs.map(|(x, y)| x * y))
        })
    }

    /// The running sum, each term and each step of it rounded.
    pub(super) fn sum(self, terms: impl Iterator<Item = f64>) -> f64 {
        terms.fold(0.0, |sum, term| self.round(sum + self.round(term)))
    }

    /// [`softmax()`]; simulated, without its limits at +∞ (∞ − ∞ is not a number there either).
    pub(super) fn softmax(self, scores: &[f64]) -> Option<Vec<f64>> {
        if !self.is_simulated() {
            return softmax(scores);
        }
        let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if greatest == f64::NEG_INFINITY {
            return None;
        }
        let power = |score: &f64| self.round(self.round(score - greatest).exp());
        let powers: Vec<f64> = scores.iter().map(power).collect();
        let total = self.sum(powers.iter().copied());
        let share = |power: f64| self.round(power / total);
        Some(powers.into_iter().map(share).collect())
    }

    /// weights: (n, m), v: (m, dᵥ); returns (n, dᵥ). What has no weight, as hidden keys have not, is skipped: a NaN times 0 would be NaN.
    pub(super) fn weighted_sum(self, weights: &Array2<f64>, v: ArrayView2<'_, f64>) -> Array2<f64> {
        if !self.is_simulated() && v.iter().all(|x| x.is_finite()) {
            return weights.dot(&v);
        }
        let mut output = Array2::zeros((weights.nrows(), v.ncols()));
        for (mut out, row) in output.rows_mut().into_iter().zip(weights.rows()) {
            let weighted = v.rows().into_iter().zip(row).filter(|(_, w)| **w != 0.0);
            for (value, &weight) in weighted {
                out.zip_mut_with(&value, |sum, &x| {
                    *sum = self.round(*sum + self.round(weight * x));
                });
            }
        }
        output
    }

    /// The nearest numbers of this format.
    pub(super) fn rounded(self, array: ArrayView2<'_, f64>) -> CowArray<'_, f64, Ix2> {
        if self.is_simulated() {
            array.mapv(|x| self.round(x)).into()
        } else {
            array.into()
        }
    }

    /// x · w + b: x (n, e), w (e, f), b (f).
    pub(super) fn linear(
        self,
        x: ArrayView2<'_, f64>,
        w: ArrayView2<'_, f64>,
        b: Option<&Array1<f64>>,
    ) -> Array2<f64> {
        let mut y = self.product(x, w);
        if let Some(b) = b {
            y += b;
            y.mapv_inplace(|x| self.round(x));
        }
        y
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_sums_stick_where_the_format_ends() {
        let ones = |count: usize| std::iter::repeat_n(1.0, count);
        assert_eq!(Precision::F16.sum(ones(4096)), 2048.0);
        assert_eq!(Precision::Bf16.sum(ones(512)), 256.0);
        assert_eq!(Precision::F32.sum(ones(4096)), 4096.0);
        let equal = Precision::Bf16.softmax(&[0.0; 512]).unwrap_or_default();
        assert_eq!(equal.first(), Some(&(1.0 / 256.0)));
    }

    #[test]
    fn simulated_f32_is_f32_bit_for_bit() {
        let numbers: Vec<f32> = (1u8..60).map(|i| (f32::from(i) * 0.731).sin()).collect();
        let sum = numbers.iter().fold(0f32, |sum, x| sum + x * x);
        let squares = numbers.iter().map(|x| f64::from(*x) * f64::from(*x));
        assert_eq!(Precision::F32.sum(squares), f64::from(sum));
    }
}
