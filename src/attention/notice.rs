//! What the conventions came to for these arrays, and what looks unintended: typed, so that others can say it in words.

use ndarray::ArrayView2;

use super::pipeline::Head;
use super::{Alignment, EmptyRow, Normaliser, Precision, Spec, Trace};

/// Something a careful reader would be told.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// No scale was given: 1/√d.
    DefaultScale {
        /// d.
        width: usize,
        /// 1/√d.
        scale: f64,
    },
    /// A scale of 0 or a temperature of ∞: without bias, what comes out is the plain mean of the visible values.
    PlainMean,
    /// Causal with fewer or more queries than keys: the alignment decides.
    Aligned {
        /// Which was applied.
        alignment: Alignment,
        /// n.
        queries: usize,
        /// m.
        keys: usize,
    },
    /// Queries that give no key any weight.
    EmptyRows {
        /// The first of them (0-based).
        first: usize,
        /// How many.
        count: usize,
        /// What came out.
        policy: EmptyRow,
    },
    /// A score of +∞: the limit was taken, all weight to it.
    InfiniteScore {
        /// Its query (0-based).
        row: usize,
        /// Its key (0-based).
        key: usize,
    },
    /// A finite bias as low as the lowest f32 hides nothing; in rows where all have it, the scores are swallowed and the plain mean comes out.
    LowBiasIsNoMask {
        /// The first query with such a bias (0-based).
        row: usize,
        /// Whether all its visible keys have it.
        everywhere: bool,
    },
    /// A bias of only zeros and ones: likely a mask that was meant as *keep*.
    ZeroOneBias,
    /// What is computed with is not exact.
    Simulated(Precision),
    /// Something came out that is not finite.
    NotFinite {
        /// The first such query (0-based).
        row: usize,
    },
}

/// A finite bias below this can only be meant as a mask.
const LOW: f64 = -1e30;

/// What there is to say about one head.
pub(super) fn notices(head: &Head<'_>, spec: &Spec, trace: &Trace) -> Vec<Notice> {
    let mut notices = Vec::new();
    let (n, m) = trace.scores.dim();
    if spec.scale.is_none() {
        notices.push(Notice::DefaultScale {
            width: head.q.ncols(),
            scale: trace.scoring.factor,
        });
    }
    if spec.precision != Precision::F64 {
        notices.push(Notice::Simulated(spec.precision));
    }
    let flat = spec.scale == Some(0.0) || spec.temperature == f64::INFINITY;
    if flat && spec.normaliser == Normaliser::Softmax && head.bias.is_none() && head.slope == 0.0 {
        notices.push(Notice::PlainMean);
    }
    if let Some(alignment) = spec.causal.filter(|_| n != m) {
        notices.push(Notice::Aligned {
            alignment,
            queries: n,
            keys: m,
        });
    }
    notices.extend(head.bias.and_then(|bias| low_bias(bias, trace)));
    if head.bias.is_some_and(only_zeros_and_ones) {
        notices.push(Notice::ZeroOneBias);
    }
    notices.extend(infinite_score(trace));
    notices.extend(empty_rows(spec, trace));
    let broken = |row: ndarray::ArrayView1<'_, f64>| row.iter().any(|x| !x.is_finite());
    if let Some(row) = trace.output.rows().into_iter().position(broken) {
        notices.push(Notice::NotFinite { row });
    }
    notices
}

fn only_zeros_and_ones(bias: ArrayView2<'_, f64>) -> bool {
    bias.iter().all(|x| *x == 0.0 || *x == 1.0) && bias.iter().any(|x| *x == 1.0)
}

fn low_bias(bias: ArrayView2<'_, f64>, trace: &Trace) -> Option<Notice> {
    let is_low = |bias: &f64| bias.is_finite() && *bias <= LOW;
    let row = bias
        .rows()
        .into_iter()
        .position(|row| row.iter().any(is_low))?;
    let cells = bias.rows().into_iter().zip(trace.visible.rows());
    let everywhere = cells.enumerate().find(|(_, (row, seen))| {
        let mut seen = row.iter().zip(seen).filter(|(_, seen)| **seen).peekable();
        seen.peek().is_some() && seen.all(|(bias, _)| is_low(bias))
    });
    Some(match everywhere {
        Some((row, _)) => Notice::LowBiasIsNoMask {
            row,
            everywhere: true,
        },
        None => Notice::LowBiasIsNoMask {
            row,
            everywhere: false,
        },
    })
}

fn infinite_score(trace: &Trace) -> Option<Notice> {
    let mut rows = trace.log_sum_exp.iter().enumerate();
    let (row, _) = rows.find(|(_, sum)| **sum == f64::INFINITY)?;
    let masked = trace.masked_scores(row);
    let key = masked.iter().position(|score| *score == f64::INFINITY)?;
    Some(Notice::InfiniteScore { row, key })
}

fn empty_rows(spec: &Spec, trace: &Trace) -> Option<Notice> {
    let is_empty = |sum: &f64| *sum == f64::NEG_INFINITY;
    let first = trace.log_sum_exp.iter().position(is_empty)?;
    Some(Notice::EmptyRows {
        first,
        count: trace.log_sum_exp.iter().filter(|sum| is_empty(sum)).count(),
        policy: spec.empty_row,
    })
}
