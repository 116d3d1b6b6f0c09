//! The pipeline of one head: from arrays and conventions to a trace, each stage in one place, so that a mistake can change one and leave the rest.

use ndarray::{Array1, Array2, ArrayView2, s};

use super::softmax::{log_sum_exp, softmax_in_place};
use super::weights::{Weighing, row_weights};
use super::{AttentionError, EmptyRow, Normaliser, Precision, Sight, Spec, Trace};

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
    pub bias: Option<ArrayView2<'a, f64>>,
    /// What a place's distance costs (ALiBi); 0 elsewhere.
    pub slope: f64,
    /// What each query may see.
    pub sight: Sight,
}

impl Head<'_> {
    /// One query alone, which stays at its place; no query where there is no such row.
    pub fn only(self, row: usize) -> Self {
        Self {
            q: rows_of(self.q, row),
            keep: (self.keep).map(|keep| rows_of(keep, row)),
            bias: (self.bias).map(|bias| rows_of(bias, row)),
            sight: self.sight.from_query(row),
            ..self
        }
    }
}

fn rows_of<T>(mask: ArrayView2<'_, T>, row: usize) -> ArrayView2<'_, T> {
    let rows = at_most_one(row, mask.nrows());
    mask.slice_move(s![rows, ..])
}

/// The range of row `row` of `count`; empty where it is not one of them.
pub(super) fn at_most_one(row: usize, count: usize) -> std::ops::Range<usize> {
    row.min(count)..row.saturating_add(1).min(count)
}

/// How each stage is done. The right pipeline is one value of this; an [`super::Alteration`] changes one field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stages {
    /// q·kᵀ, not q·k.
    pub transposed: bool,
    /// Keys and values change places.
    pub swapped: bool,
    /// Queries and keys change places.
    pub asked_backwards: bool,
    /// On the scores.
    pub factor: f64,
    /// The cap on scaled scores.
    pub softcap: Option<f64>,
    /// Whether a bias is added.
    pub biased: bool,
    /// What biased scores are divided by.
    pub temperature: f64,
    /// What is done about hidden keys.
    pub masking: Masking,
    /// How masked scores become weights.
    pub weighing: Weighing,
    /// On the weights.
    pub factor_after: f64,
    /// What comes out where nothing has weight.
    pub empty_row: EmptyRow,
    /// The numbers that are computed with.
    pub numbers: Precision,
}

/// What is done about hidden keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Masking {
    /// They are skipped.
    Skip,
    /// They are seen, and the others skipped.
    Invert,
    /// They are seen like the others.
    Ignore,
    /// Their scores become 0, which softmax gives weight.
    ZeroScores,
    /// A mask of ones (visible) and zeros is added to all scores.
    AddOnes,
    /// They are hidden before the cap, which makes −∞ a finite −c.
    BeforeCap,
    /// They take part in softmax and lose their weight afterwards, which the others do not get.
    AfterWeights,
}

impl Stages {
    /// What the spec says; `q` is the shape of the queries.
    pub fn right(spec: &Spec, q: (usize, usize)) -> Result<Self, AttentionError> {
        Ok(Self {
            transposed: true,
            swapped: false,
            asked_backwards: false,
            factor: spec.precision.round(spec.factor(q)?),
            softcap: spec.softcap,
            biased: true,
            temperature: spec.temperature,
            masking: Masking::Skip,
            weighing: Weighing::Right(spec.normaliser),
            factor_after: 1.0,
            empty_row: spec.empty_row,
            numbers: spec.precision,
        })
    }
}

/// From score to what softmax sees, a cell at a time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scoring {
    pub factor: f64,
    pub softcap: Option<f64>,
    pub bias: Option<Array2<f64>>,
    pub slope: f64,
    pub sight: Sight,
    pub temperature: f64,
    pub masking: Masking,
    pub numbers: Precision,
}

impl Scoring {
    /// scale · score. An infinite score stays so under a factor of 0 (the limit from above), instead of becoming NaN.
    pub fn scaled(&self, score: f64) -> f64 {
        self.times(self.factor, score)
    }

    /// c · tanh(scaled / c).
    pub fn capped(&self, scaled: f64) -> f64 {
        let Self { numbers, .. } = self;
        self.softcap.map_or(scaled, |cap| {
            let part = numbers.round(numbers.round(scaled / cap).tanh());
            numbers.round(cap * part)
        })
    }

    /// capped + bias − slope · distance.
    pub fn biased(&self, capped: f64, row: usize, key: usize) -> f64 {
        let bias = self.bias.as_ref().and_then(|bias| bias.get((row, key)));
        let with_bias = match bias {
            // A hidden key that is looked at nevertheless (a mistake) has the others' share of a bias: none.
            Some(bias) if *bias != f64::NEG_INFINITY => self.numbers.round(capped + bias),
            _ => capped,
        };
        if self.slope == 0.0 {
            return with_bias;
        }
        let distance = (self.sight.place(row) - isize::try_from(key).unwrap_or(isize::MAX)).abs();
        let cost = self.numbers.round(self.slope * distance as f64);
        self.numbers.round(with_bias - cost)
    }

    /// biased / temperature: what softmax sees of a visible key.
    pub fn tempered(&self, biased: f64) -> f64 {
        if self.temperature == 1.0 {
            biased
        } else {
            self.times(1.0 / self.temperature, biased)
        }
    }

    /// What softmax sees of a key; `None` where it is skipped.
    pub fn masked(&self, score: f64, row: usize, key: usize, visible: bool) -> Option<f64> {
        let seen =
            |score: f64| self.tempered(self.biased(self.capped(self.scaled(score)), row, key));
        match self.masking {
            Masking::Skip => visible.then(|| seen(score)),
            Masking::Invert => (!visible).then(|| seen(score)),
            Masking::Ignore | Masking::AfterWeights => Some(seen(score)),
            Masking::ZeroScores => Some(if visible { seen(score) } else { 0.0 }),
            Masking::AddOnes => Some(seen(score) + f64::from(u8::from(visible))),
            Masking::BeforeCap if visible => Some(seen(score)),
            Masking::BeforeCap => self.softcap.map(|cap| self.tempered(-cap)),
        }
    }

    fn times(&self, factor: f64, score: f64) -> f64 {
        if factor == 0.0 && score.is_infinite() {
            score
        } else {
            self.numbers.round(factor * score)
        }
    }
}

/// Runs the pipeline.
pub(super) fn run(head: Head<'_>, stages: Stages) -> Result<Trace, AttentionError> {
    let Head { q, k, v, .. } = head;
    let (k, v) = if stages.swapped { (v, k) } else { (k, v) };
    let (q, k) = if stages.asked_backwards {
        (k, q)
    } else {
        (q, k)
    };
    check(&Head { q, k, v, ..head }, stages.transposed)?;
    // From here on all lengths agree, so that the indices below stay inside.
    let numbers = stages.numbers;
    let (q, k, v) = (numbers.rounded(q), numbers.rounded(k), numbers.rounded(v));
    let keys = if stages.transposed { k.t() } else { k.view() };
    let scores = numbers.product(q.view(), keys);
    let visible = visible(&head, scores.dim());
    let bias = head.bias.filter(|_| stages.biased);
    let scoring = Scoring {
        factor: stages.factor,
        softcap: stages.softcap,
        bias: bias.map(|bias| numbers.rounded(bias).into_owned()),
        slope: if stages.biased { head.slope } else { 0.0 },
        sight: head.sight,
        temperature: stages.temperature,
        masking: stages.masking,
        numbers,
    };
    let (mut weights, log_sum_exp) = weigh(&scores, &visible, &scoring, &stages);
    if stages.masking == Masking::AfterWeights {
        weights.zip_mut_with(&visible, |weight, &seen| {
            *weight *= f64::from(u8::from(seen))
        });
    }
    if stages.factor_after != 1.0 {
        weights.mapv_inplace(|weight| numbers.round(weight * stages.factor_after));
    }
    let output = numbers.weighted_sum(&weights, v.view());
    Ok(Trace {
        scores,
        visible,
        weights,
        log_sum_exp,
        output,
        notices: Vec::new(),
        scoring,
        v: v.into_owned(),
    })
}

/// Whether the arrays fit each other.
pub(super) fn check(head: &Head<'_>, transposed: bool) -> Result<(), AttentionError> {
    let Head {
        q,
        k,
        v,
        keep,
        bias,
        ..
    } = head;
    let (n, m) = (q.nrows(), k.nrows());
    let asked = if transposed { k.ncols() } else { m };
    if q.ncols() != asked || (!transposed && k.ncols() != m) {
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
    let masks = [keep.map(|keep| keep.dim()), bias.map(|bias| bias.dim())];
    match masks.into_iter().flatten().find(|given| *given != (n, m)) {
        Some(given) => Err(AttentionError::Mask {
            given,
            scores: (n, m),
        }),
        None => Ok(()),
    }
}

/// (n, m): which keys each query sees.
fn visible(head: &Head<'_>, shape: (usize, usize)) -> Array2<bool> {
    let mut visible = Array2::from_elem(shape, false);
    for (i, mut row) in visible.rows_mut().into_iter().enumerate() {
        let seen = head.sight.keys(i);
        let count = seen.len();
        row.iter_mut()
            .skip(seen.start)
            .take(count)
            .for_each(|cell| *cell = true);
    }
    if let Some(keep) = head.keep {
        visible.zip_mut_with(&keep, |cell, keep| *cell &= keep);
    }
    if let Some(bias) = head.bias {
        visible.zip_mut_with(&bias, |cell, bias| *cell &= *bias != f64::NEG_INFINITY);
    }
    visible
}

/// (n, m) weights and (n) ln Σ e^(what softmax sees).
fn weigh(
    scores: &Array2<f64>,
    visible: &Array2<bool>,
    scoring: &Scoring,
    stages: &Stages,
) -> (Array2<f64>, Array1<f64>) {
    let mut weights = Array2::zeros(scores.dim());
    let mut log_sums = Array1::zeros(scores.nrows());
    let (mut keys, mut row) = (Vec::new(), Vec::new());
    for (i, log_sum) in log_sums.iter_mut().enumerate() {
        keys.clear();
        row.clear();
        let cells = scores.row(i).into_iter().zip(visible.row(i)).enumerate();
        for (j, (&score, &seen)) in cells {
            if let Some(masked) = scoring.masked(score, i, j, seen) {
                keys.push(j);
                row.push(masked);
            }
        }
        let mut out = weights.row_mut(i);
        let weighed = match stages.weighing {
            Weighing::Right(Normaliser::Softmax) if !stages.numbers.is_simulated() => {
                let sum = softmax_in_place(&mut row);
                *log_sum = sum.unwrap_or(f64::NEG_INFINITY);
                sum.is_some()
            }
            Weighing::OverQueries | Weighing::OverEverything => {
                *log_sum = log_sum_exp(&row);
                // Kept as they are, to be normalised with their neighbours below.
                out.fill(f64::NEG_INFINITY);
                true
            }
            by_row => {
                *log_sum = log_sum_exp(&row);
                let weighed = row_weights(by_row, &row, stages.numbers);
                let is_some = weighed.is_some();
                row = weighed.unwrap_or_default();
                is_some
            }
        };
        if weighed {
            keys.iter().zip(&row).for_each(|(&j, &w)| out[j] = w);
        } else {
            out.fill(match stages.empty_row {
                EmptyRow::Zeros => 0.0,
                EmptyRow::Mean => stages.numbers.round(1.0 / scores.ncols() as f64),
                EmptyRow::NaN => f64::NAN,
            });
        }
    }
    if stages.weighing == Weighing::OverQueries {
        for mut column in weights.columns_mut() {
            softmax_of(column.iter_mut());
        }
    } else if stages.weighing == Weighing::OverEverything {
        softmax_of(weights.iter_mut());
    }
    (weights, log_sums)
}

/// Softmax of masked scores, hidden ones −∞; zeros where nothing has weight.
fn softmax_of<'a>(cells: impl Iterator<Item = &'a mut f64>) {
    let cells: Vec<&mut f64> = cells.collect();
    let mut weights: Vec<f64> = cells.iter().map(|cell| **cell).collect();
    if softmax_in_place(&mut weights).is_none() {
        weights.fill(0.0);
    }
    for (cell, weight) in cells.into_iter().zip(weights) {
        *cell = weight;
    }
}
