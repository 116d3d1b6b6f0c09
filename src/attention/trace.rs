//! What went through one head: scores, weights and log-sum-exp are kept, every other stage is derived for the cell or row that is looked at.

use ndarray::{Array1, Array2, s};

use super::Notice;
use super::pipeline::{Scoring, at_most_one};

/// What went through the pipeline of one head.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// (n, m): q·k.
    pub scores: Array2<f64>,
    /// (n, m): which keys each query sees.
    pub visible: Array2<bool>,
    /// (n, m): the attention weights; 0 where hidden.
    pub weights: Array2<f64>,
    /// (n): ln Σ e^(what softmax sees) of each row, over the visible keys.
    pub log_sum_exp: Array1<f64>,
    /// (n, dᵥ): weights · v.
    pub output: Array2<f64>,
    /// What the conventions came to, and what looks unintended.
    pub notices: Vec<Notice>,
    pub(super) scoring: Scoring,
    pub(super) v: Array2<f64>,
}

/// A stage that has a number for each query and key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// q·k.
    Scores,
    /// scale · score.
    Scaled,
    /// c · tanh(scaled / c); the scaled score where there is no cap.
    Capped,
    /// capped + bias, and less what distance costs.
    Biased,
    /// What softmax sees: biased / temperature, −∞ where hidden.
    Masked,
    /// The attention weights.
    Weights,
}

impl Stage {
    /// Every stage, in order.
    pub const ALL: [Self; 6] = [
        Self::Scores,
        Self::Scaled,
        Self::Capped,
        Self::Biased,
        Self::Masked,
        Self::Weights,
    ];
}

impl Trace {
    /// One row alone; no row where there is no such row.
    pub(super) fn only(self, row: usize) -> Self {
        let rows = at_most_one(row, self.scores.nrows());
        let Self {
            scores,
            visible,
            weights,
            log_sum_exp,
            output,
            notices,
            mut scoring,
            v,
        } = self;
        scoring.bias = (scoring.bias).map(|bias| bias.slice_move(s![rows.clone(), ..]));
        scoring.sight = scoring.sight.from_query(row);
        Self {
            scores: scores.slice_move(s![rows.clone(), ..]),
            visible: visible.slice_move(s![rows.clone(), ..]),
            weights: weights.slice_move(s![rows.clone(), ..]),
            log_sum_exp: log_sum_exp.slice_move(s![rows.clone()]),
            output: output.slice_move(s![rows, ..]),
            notices,
            scoring,
            v,
        }
    }

    /// The number of a stage for one query and key; `None` where there is no such cell.
    #[must_use]
    pub fn cell(&self, stage: Stage, row: usize, key: usize) -> Option<f64> {
        let score = *self.scores.get((row, key))?;
        let Self { scoring, .. } = self;
        let scaled = || scoring.scaled(score);
        let capped = || scoring.capped(scaled());
        Some(match stage {
            Stage::Scores => score,
            Stage::Scaled => scaled(),
            Stage::Capped => capped(),
            Stage::Biased => {
                let hidden = scoring.bias.as_ref().and_then(|bias| bias.get((row, key)));
                if hidden == Some(&f64::NEG_INFINITY) {
                    f64::NEG_INFINITY
                } else {
                    scoring.biased(capped(), row, key)
                }
            }
            Stage::Masked => scoring
                .masked(score, row, key, *self.visible.get((row, key))?)
                .unwrap_or(f64::NEG_INFINITY),
            Stage::Weights => *self.weights.get((row, key))?,
        })
    }

    /// (m): a stage for one query; empty where there is no such row.
    #[must_use]
    pub fn row(&self, stage: Stage, row: usize) -> Vec<f64> {
        (0..self.scores.ncols())
            .filter_map(|key| self.cell(stage, row, key))
            .collect()
    }

    /// (n, m): a whole stage.
    #[must_use]
    pub fn stage(&self, stage: Stage) -> Array2<f64> {
        Array2::from_shape_fn(self.scores.dim(), |(row, key)| {
            self.cell(stage, row, key).unwrap_or(f64::NAN)
        })
    }

    /// (m): what softmax sees of a row; −∞ where hidden. Empty where there is no such row.
    #[must_use]
    pub fn masked_scores(&self, row: usize) -> Vec<f64> {
        self.row(Stage::Masked, row)
    }

    /// (m, dᵥ): weight times value for each key of a row; 0 where it has no weight. No rows where there is no such row.
    #[must_use]
    pub fn weighted_values(&self, row: usize) -> Array2<f64> {
        if row >= self.weights.nrows() {
            return Array2::zeros((0, self.v.ncols()));
        }
        Array2::from_shape_fn(self.v.dim(), |(j, c)| match self.weights[[row, j]] {
            0.0 => 0.0,
            weight => self.scoring.numbers.round(weight * self.v[[j, c]]),
        })
    }

    /// −Σ w ln w of a row, in nats: 0 where one key has all the weight, ln m where all m are alike. `None` where there is no such row.
    #[must_use]
    pub fn entropy(&self, row: usize) -> Option<f64> {
        let weights = self.weights.rows().into_iter().nth(row)?;
        let terms = weights.iter().filter(|w| **w != 0.0).map(|w| -w * w.ln());
        Some(terms.sum::<f64>().max(0.0))
    }

    /// e^entropy of a row: how many words it looks at, as it were.
    #[must_use]
    pub fn effective_words(&self, row: usize) -> Option<f64> {
        self.entropy(row).map(f64::exp)
    }
}
