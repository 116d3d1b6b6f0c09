//! One query at a time in f64, by the trace path's own pipeline: what a block is handed to when f32 cannot promise its numbers. O(m) memory.

use std::ops::Range;

use ndarray::{Array2, ArrayView2, s};

use super::super::pipeline::{self, Stages, run};
use super::super::{Spec, Trace};
use super::placed::rounded;

/// One head in f64, but for its bias, which stays as it was given until a row of it is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<'a> {
    /// Without its bias.
    pub arrays: pipeline::Head<'a>,
    /// (n, m).
    pub bias: Option<ArrayView2<'a, f32>>,
    pub spec: Spec,
}

impl Head<'_> {
    /// Writes a query's output (dᵥ) and returns its log-sum-exp: ln Σ e^score over the visible keys.
    pub fn row(&self, query: usize, output: &mut [f32]) -> f64 {
        let Some(trace) = self.trace(query) else {
            return f64::NAN;
        };
        for (out, number) in output.iter_mut().zip(&trace.output) {
            *out = rounded(*number);
        }
        trace.log_sum_exp.first().copied().unwrap_or(f64::NAN)
    }

    /// A query's weights of some keys.
    pub fn weights(&self, query: usize, keys: Range<usize>, out: &mut [f32]) {
        let weights = self.trace(query).map(|trace| trace.weights);
        let of_keys = weights.iter().flatten().skip(keys.start);
        for (out, weight) in out.iter_mut().zip(of_keys) {
            *out = rounded(*weight);
        }
    }

    /// The trace of one query. Shapes and numbers were looked at when the arrays were placed, so that there is one.
    fn trace(&self, query: usize) -> Option<Trace> {
        let Self { arrays, bias, spec } = self;
        let bias: Option<Array2<f64>> =
            bias.map(|bias| bias.slice(s![query..query + 1, ..]).mapv(f64::from));
        let row = pipeline::Head {
            bias: bias.as_ref().map(|bias| bias.view()),
            ..arrays.only(query)
        };
        run(row, Stages::right(spec, arrays.q.dim()).ok()?).ok()
    }
}
