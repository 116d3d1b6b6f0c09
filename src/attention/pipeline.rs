//! The pipeline and its trace: scores, weights and log-sum-exp are kept, every other stage is derived for the row that is looked at.

use ndarray::{Array1, Array2, ArrayView2, Axis, Zip};

use super::softmax::{log_sum_exp, softmax};
use super::{Alignment, Alteration, AttentionError, EmptyRow, Inputs, Spec};

/// Attention of `inputs`: scores, weights, output.
///
/// # Errors
/// Where shapes do not fit (both are named), the scale is not finite, the temperature not above 0, or 1/√d asked of d = 0.
pub fn attend(inputs: &Inputs, spec: &Spec) -> Result<Trace, AttentionError> {
    let stages = Stages::right(inputs, spec)?;
    run(inputs, spec, stages)
}

/// The same with one step changed.
///
/// # Errors
/// As [`attend`]; and where the changed step's shapes do not fit (a missing transpose needs m = d, swapped keys and values dᵥ = d).
pub fn attend_altered(
    inputs: &Inputs,
    spec: &Spec,
    alteration: Alteration,
) -> Result<Trace, AttentionError> {
    let stages = alteration.change(Stages::right(inputs, spec)?, inputs.q.ncols());
    run(inputs, spec, stages)
}

/// What went through the pipeline.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// (n, m): q·k.
    pub scores: Array2<f64>,
    /// (n, m): which keys each query sees.
    pub visible: Array2<bool>,
    /// (n, m): the attention weights; 0 where hidden.
    pub weights: Array2<f64>,
    /// (n): ln Σ e^(scaled score) of each row, over the visible keys.
    pub log_sum_exp: Array1<f64>,
    /// (n, dᵥ): weights · v.
    pub output: Array2<f64>,
    scaled: Scaling,
    v: Array2<f64>,
}

impl Trace {
    /// (m): the scaled scores of a row, with bias and temperature; −∞ where hidden. Empty where there is no such row.
    #[must_use]
    pub fn scaled_scores(&self, row: usize) -> Vec<f64> {
        if row >= self.scores.nrows() {
            return Vec::new();
        }
        (0..self.scores.ncols())
            .map(|j| {
                if self.visible[[row, j]] {
                    self.scaled.of(self.scores[[row, j]], row, j)
                } else {
                    f64::NEG_INFINITY
                }
            })
            .collect()
    }

    /// (m, dᵥ): weight times value for each key of a row; 0 where hidden. No rows where there is no such row.
    #[must_use]
    pub fn weighted_values(&self, row: usize) -> Array2<f64> {
        if row >= self.weights.nrows() {
            return Array2::zeros((0, self.v.ncols()));
        }
        Array2::from_shape_fn(self.v.dim(), |(j, c)| {
            if self.visible[[row, j]] {
                self.weights[[row, j]] * self.v[[j, c]]
            } else {
                0.0
            }
        })
    }
}

/// How each stage is done. The right pipeline is one value of this; an [`Alteration`] changes one field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stages {
    /// q·kᵀ, not q·k.
    pub transposed: bool,
    /// Keys and values change places.
    pub swapped: bool,
    /// On the scores.
    pub factor: f64,
    /// How scaled scores become weights.
    pub normalise: Normalise,
    /// On the weights.
    pub factor_after: f64,
}

impl Stages {
    fn right(inputs: &Inputs, spec: &Spec) -> Result<Self, AttentionError> {
        let factor = spec.factor(inputs.q.dim())?;
        Ok(Self {
            transposed: true,
            swapped: false,
            factor,
            normalise: Normalise::Softmax,
            factor_after: 1.0,
        })
    }
}

/// How scaled scores become weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Normalise {
    /// Row by row over the keys: as it should be.
    Softmax,
    /// Softmax of its own weights.
    Twice,
    /// Column by column over the queries.
    OverQueries,
    /// All cells together.
    OverEverything,
    /// Divided by their sum.
    Share,
    /// e^ of each.
    Exp,
    /// One over their number.
    Equal,
    /// 1 each.
    Ones,
    /// One over the number of greatest ones.
    HardMax,
}

/// From score to scaled score.
#[derive(Clone, Debug, PartialEq)]
struct Scaling {
    factor: f64,
    bias: Option<Array2<f64>>,
    temperature: f64,
}

impl Scaling {
    /// An infinite score stays so under a factor of 0 (the limit from above), instead of becoming NaN.
    fn of(&self, score: f64, row: usize, key: usize) -> f64 {
        let bias = self.bias.as_ref().map_or(0.0, |bias| bias[[row, key]]);
        let scaled = times(self.factor, score) + bias;
        times(1.0 / self.temperature, scaled)
    }
}

fn times(factor: f64, score: f64) -> f64 {
    if factor == 0.0 && score.is_infinite() {
        score
    } else {
        factor * score
    }
}

fn run(inputs: &Inputs, spec: &Spec, stages: Stages) -> Result<Trace, AttentionError> {
    let Inputs {
        q,
        k,
        v,
        keep,
        bias,
    } = inputs;
    let (k, v) = if stages.swapped { (v, k) } else { (k, v) };
    let (n, m) = (q.nrows(), k.nrows());
    let k_turned = if stages.transposed { k.t() } else { k.view() };
    if k_turned.dim() != (q.ncols(), m) {
        return Err(AttentionError::Widths {
            q: q.dim(),
            k: k.dim(),
        });
    }
    if v.nrows() != m {
        return Err(AttentionError::Rows {
            k: k.dim(),
            v: v.dim(),
        });
    }
    for given in keep
        .iter()
        .map(Array2::dim)
        .chain(bias.iter().map(Array2::dim))
    {
        if given != (n, m) {
            return Err(AttentionError::Mask {
                given,
                scores: (n, m),
            });
        }
    }
    // From here on all lengths agree, so that the indices below stay inside.
    let visible = Array2::from_shape_fn((n, m), |(i, j)| {
        keep.as_ref().is_none_or(|keep| keep[[i, j]])
            && bias
                .as_ref()
                .is_none_or(|bias| bias[[i, j]] != f64::NEG_INFINITY)
            && spec.causal.is_none_or(|alignment| match alignment {
                Alignment::TopLeft => j <= i,
                Alignment::BottomRight => j + n <= i + m,
            })
    });
    let scores = q.dot(&k_turned);
    let scaling = Scaling {
        factor: stages.factor,
        bias: bias.clone(),
        temperature: spec.temperature,
    };
    let mut scaled = scores.clone();
    Zip::indexed(&mut scaled)
        .and(&visible)
        .for_each(|(i, j), score, &seen| {
            *score = if seen {
                scaling.of(*score, i, j)
            } else {
                f64::NEG_INFINITY
            };
        });
    let row_log_sum_exp = visible_rows(&scaled, &visible)
        .iter()
        .map(|(_, row)| log_sum_exp(row))
        .collect();
    let mut weights = normalised(stages.normalise, &scaled, &visible, spec.empty_row);
    weights.mapv_inplace(|weight| weight * stages.factor_after);
    let output = weighted_sum(&weights, v.view());
    Ok(Trace {
        scores,
        visible,
        weights,
        log_sum_exp: row_log_sum_exp,
        output,
        scaled: scaling,
        v: v.clone(),
    })
}

/// weights · v, skipping what has no weight, as hidden keys have not: a NaN times 0 would be NaN.
fn weighted_sum(weights: &Array2<f64>, v: ArrayView2<f64>) -> Array2<f64> {
    let mut output = Array2::zeros((weights.nrows(), v.ncols()));
    for (mut out, row) in output.rows_mut().into_iter().zip(weights.rows()) {
        for (value, &weight) in v
            .rows()
            .into_iter()
            .zip(row)
            .filter(|(_, weight)| **weight != 0.0)
        {
            out.scaled_add(weight, &value);
        }
    }
    output
}

/// The visible scaled scores of each row, and where they stand.
fn visible_rows(scaled: &Array2<f64>, visible: &Array2<bool>) -> Vec<(Vec<usize>, Vec<f64>)> {
    scaled
        .rows()
        .into_iter()
        .zip(visible.rows())
        .map(|(row, seen)| {
            row.iter()
                .zip(seen)
                .enumerate()
                .filter(|(_, (_, seen))| **seen)
                .map(|(j, (x, _))| (j, *x))
                .unzip()
        })
        .collect()
}

fn normalised(
    how: Normalise,
    scaled: &Array2<f64>,
    visible: &Array2<bool>,
    empty: EmptyRow,
) -> Array2<f64> {
    match how {
        Normalise::OverQueries => {
            let turned = normalised(
                Normalise::Softmax,
                &scaled.t().to_owned(),
                &visible.t().to_owned(),
                EmptyRow::Zeros,
            );
            turned.reversed_axes()
        }
        Normalise::OverEverything => {
            let cells: Vec<f64> = scaled.iter().copied().collect();
            let weights = softmax(&cells).unwrap_or_else(|| vec![0.0; cells.len()]);
            Array2::from_shape_vec(scaled.dim(), weights)
                .unwrap_or_else(|_| Array2::zeros(scaled.dim()))
        }
        by_row => {
            let mut weights = Array2::zeros(scaled.dim());
            for (mut out, (seen, scores)) in weights
                .axis_iter_mut(Axis(0))
                .zip(visible_rows(scaled, visible))
            {
                match row_weights(by_row, &scores) {
                    Some(row) => seen
                        .iter()
                        .zip(row)
                        .for_each(|(&j, weight)| out[j] = weight),
                    None => out.fill(match empty {
                        EmptyRow::Zeros => 0.0,
                        EmptyRow::Mean => 1.0 / scaled.ncols() as f64,
                        EmptyRow::NaN => f64::NAN,
                    }),
                }
            }
            weights
        }
    }
}

/// The weights of one row's visible keys; `None` where nothing has weight.
fn row_weights(how: Normalise, scores: &[f64]) -> Option<Vec<f64>> {
    let once = softmax(scores)?;
    let count = scores.len() as f64;
    Some(match how {
        Normalise::Softmax | Normalise::OverQueries | Normalise::OverEverything => once,
        Normalise::Twice => softmax(&once)?,
        Normalise::Share => {
            let total: f64 = scores.iter().sum();
            scores.iter().map(|score| score / total).collect()
        }
        Normalise::Exp => scores.iter().map(|score| score.exp()).collect(),
        Normalise::Equal => vec![1.0 / count; scores.len()],
        Normalise::Ones => vec![1.0; scores.len()],
        Normalise::HardMax => {
            let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let is_greatest = |score: &f64| f64::from(u8::from(*score == greatest));
            let ties: f64 = scores.iter().map(is_greatest).sum();
            scores
                .iter()
                .map(|score| is_greatest(score) / ties)
                .collect()
        }
    })
}
