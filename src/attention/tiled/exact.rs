//! One query at a time in f64: what a block is handed to when f32 cannot promise its numbers. O(m) memory.
//!
//! The one seam to the trace path: [`Head::row`].

use std::ops::Range;

use ndarray::ArrayView2;

use super::super::softmax::{log_sum_exp, softmax};
use super::super::{EmptyRow, Normaliser, Sight, Spec};
use super::placed::rounded;

/// One head's arrays, looked at: rotary positions are in them, past keys stand before the new ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<'a> {
    /// (n, d).
    pub q: ArrayView2<'a, f64>,
    /// (m, d).
    pub k: ArrayView2<'a, f64>,
    /// (m, dᵥ).
    pub v: ArrayView2<'a, f64>,
    /// (n, m).
    pub keep: Option<ArrayView2<'a, bool>>,
    /// (n, m).
    pub bias: Option<ArrayView2<'a, f32>>,
    /// What a place's distance costs (ALiBi); 0 elsewhere.
    pub slope: f64,
    /// On the scores.
    pub factor: f64,
    pub sight: Sight,
    pub spec: Spec,
}

impl Head<'_> {
    /// Writes a query's output (dᵥ) and returns its log-sum-exp: ln Σ e^score over the visible keys.
    pub fn row(&self, query: usize, output: &mut [f32]) -> f64 {
        let (keys, scores): (Vec<usize>, Vec<f64>) = self.masked(query, 0..usize::MAX).unzip();
        let mut sums = vec![0.0; output.len()];
        match weights(self.spec.normaliser, &scores) {
            Some(weights) => {
                for (&key, weight) in keys
                    .iter()
                    .zip(weights)
                    .filter(|(_, weight)| *weight != 0.0)
                {
                    for (sum, value) in sums.iter_mut().zip(self.v.row(key)) {
                        *sum += weight * value;
                    }
                }
            }
            None => self.empty_row(&mut sums),
        }
        for (out, sum) in output.iter_mut().zip(sums) {
            *out = rounded(sum);
        }
        log_sum_exp(&scores)
    }

    /// A query's weights of some keys, by its log-sum-exp where that tells them.
    pub fn weights(&self, query: usize, keys: Range<usize>, log_sum_exp: f64, out: &mut [f32]) {
        out.fill(0.0);
        if self.spec.normaliser == Normaliser::Softmax && log_sum_exp.is_finite() {
            for (key, score) in self.masked(query, keys.clone()) {
                out[key - keys.start] = rounded((score - log_sum_exp).exp());
            }
            return;
        }
        let (seen, scores): (Vec<usize>, Vec<f64>) = self.masked(query, 0..usize::MAX).unzip();
        match (weights(self.spec.normaliser, &scores), self.spec.empty_row) {
            (Some(weights), _) => {
                for (key, weight) in seen
                    .into_iter()
                    .zip(weights)
                    .filter(|(key, _)| keys.contains(key))
                {
                    out[key - keys.start] = rounded(weight);
                }
            }
            (None, EmptyRow::Zeros) => {}
            (None, EmptyRow::NaN) => out.fill(f32::NAN),
            (None, EmptyRow::Mean) => out.fill(rounded(1.0 / self.k.nrows() as f64)),
        }
    }

    /// Those of some keys that a query sees, and what softmax sees of them.
    fn masked(&self, query: usize, keys: Range<usize>) -> impl Iterator<Item = (usize, f64)> {
        let q = self.q.row(query);
        let place = self.sight.place(query);
        let seen = self.sight.keys(query);
        (seen.start.max(keys.start)..seen.end.min(keys.end)).filter_map(move |key| {
            let bias = self.bias.map_or(0.0, |bias| f64::from(bias[(query, key)]));
            if bias == f64::NEG_INFINITY || self.keep.is_some_and(|keep| !keep[(query, key)]) {
                return None;
            }
            let score = q.iter().zip(self.k.row(key)).map(|(q, k)| q * k).sum();
            let scaled = times(self.factor, score);
            let capped = self
                .spec
                .softcap
                .map_or(scaled, |cap| cap * (scaled / cap).tanh());
            let distance = (place - isize::try_from(key).unwrap_or(isize::MAX)).unsigned_abs();
            let biased = capped + bias - self.slope * distance as f64;
            Some((key, times(1.0 / self.spec.temperature, biased)))
        })
    }

    /// What comes out where no key has weight.
    fn empty_row(&self, sums: &mut [f64]) {
        let keys = self.v.nrows();
        match self.spec.empty_row {
            _ if keys == 0 => {}
            EmptyRow::Zeros => {}
            EmptyRow::NaN => sums.fill(f64::NAN),
            EmptyRow::Mean => {
                for (column, sum) in self.v.columns().into_iter().zip(sums) {
                    *sum = column.iter().map(|value| value / keys as f64).sum();
                }
            }
        }
    }
}

/// An infinite score stays so under a factor of 0 (the limit from above), instead of becoming NaN.
fn times(factor: f64, score: f64) -> f64 {
    if factor == 0.0 && score.is_infinite() {
        score
    } else {
        factor * score
    }
}

/// The weights of a query's visible keys; `None` where none gets any.
fn weights(normaliser: Normaliser, scores: &[f64]) -> Option<Vec<f64>> {
    let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let each =
        |weight: &dyn Fn(f64) -> f64| Some(scores.iter().map(|score| weight(*score)).collect());
    if scores.is_empty() {
        return None;
    }
    match normaliser {
        Normaliser::Softmax => softmax(scores),
        Normaliser::HardMax => {
            let ties = scores.iter().filter(|score| **score == greatest).count() as f64;
            let shared = |score: f64| if score == greatest { 1.0 / ties } else { 0.0 };
            if greatest == f64::NEG_INFINITY {
                None
            } else {
                each(&shared)
            }
        }
        Normaliser::Uniform => each(&|_| 1.0 / scores.len() as f64),
        Normaliser::Sigmoid => each(&|score| 1.0 / (1.0 + (-score).exp())),
        Normaliser::SoftmaxPlusOne => {
            let with_zero: Vec<f64> = scores.iter().copied().chain([0.0]).collect();
            let mut weights = softmax(&with_zero)?;
            weights.truncate(scores.len());
            Some(weights)
        }
        Normaliser::Unnormalised => each(&f64::exp),
        Normaliser::Sparsemax => {
            // The threshold τ with Σ max(score − τ, 0) = 1, found among the sorted scores.
            let mut sorted = scores.to_vec();
            sorted.sort_unstable_by(|a, b| b.total_cmp(a));
            let (mut sum, mut threshold) = (0.0, 0.0);
            for (count, score) in (1..).zip(&sorted) {
                sum += score;
                let candidate = (sum - 1.0) / f64::from(count);
                if *score > candidate {
                    threshold = candidate;
                }
            }
            each(&|score| (score - threshold).max(0.0))
        }
    }
}
