//! All numbers of an example from one run of the engine, each behind one door: [`Computed::number`].

use ndarray::{Array1, Array2, ArrayView2};

use super::{AttentionExample, Basis, Operation, Quantity, WeightedValues, WorkedExample};
use crate::attention::{self, Inputs, Spec, Trace};
use crate::words::{Message, Words, messages};

/// An example and all of its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Computed {
    example: WorkedExample,
    pub(super) inputs: Inputs,
    pub(super) spec: Spec,
    trace: Trace,
    /// The row of the trace that belongs to the focus word.
    pub(super) row: usize,
    /// (m): the focus row's weights, beside each other in memory.
    weights: Vec<f64>,
    /// (m): its scores.
    scores: Vec<f64>,
}

/// Which field of an example is at fault, so that a reader can place it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the fields of the file format, by name")]
pub enum Field {
    Values,
    Counts,
    Tokens,
    Q,
    K,
    V,
    Scale,
    Focus,
}

messages! {
    /// Why an example cannot be computed.
    pub enum ExampleMsg {
        NoItems,
        NoWidth,
        NotFinite { item: usize },
        TooLarge { item: usize },
        AsManyCounts { counts: usize, values: usize },
        NegativeCount { item: usize },
        NobodyCounted,
        RowsAsTokens { rows: usize, tokens: usize },
        QueryRows { rows: usize, tokens: usize },
        KeyAsWideAsQuery { keys: usize, queries: usize },
        ScaleNotFinite,
        NoSuchFocus { focus: usize, tokens: usize },
    }
}

/// Why an example cannot be computed, and which field is at fault.
#[derive(Clone, Debug, PartialEq)]
pub struct ExampleProblem {
    /// The field.
    pub field: Field,
    /// What is wrong with it.
    pub what: ExampleMsg,
}

impl ExampleProblem {
    /// What is wrong, to be said.
    #[must_use]
    pub fn message(&self) -> impl Message + use<> {
        self.what.clone()
    }
}

/// Numbers above this could overflow on their way through the pipeline.
const LARGEST: f64 = 1e100;

impl Computed {
    /// Computes the example.
    ///
    /// # Errors
    /// The first fault: no items, numbers that are not finite or above 1e100, lengths that do not fit, negative counts or all zero, no such focus.
    pub fn new(example: &WorkedExample) -> Result<Self, ExampleProblem> {
        let (inputs, spec, row) = match example {
            WorkedExample::WeightedValues(weighted) => {
                check_weighted(weighted)?;
                (
                    as_attention(weighted),
                    Spec {
                        scale: Some(1.0),
                        ..Spec::default()
                    },
                    0,
                )
            }
            WorkedExample::Attention(attention) => {
                check_attention(attention)?;
                let AttentionExample {
                    q,
                    k,
                    v,
                    keep,
                    bias,
                    spec,
                    focus,
                    ..
                } = attention;
                let row = if q.nrows() == 1 { 0 } else { *focus };
                let inputs = Inputs {
                    keep: keep.clone(),
                    bias: bias.clone(),
                    ..Inputs::new(q.clone(), k.clone(), v.clone())
                };
                (inputs, *spec, row)
            }
        };
        let problem = |_| ExampleProblem {
            field: Field::K,
            what: ExampleMsg::NoWidth,
        };
        let trace = attention::attend(&inputs, &spec).map_err(problem)?;
        let weights = trace.weights.row(row).to_vec();
        let scores = trace.scores.row(row).to_vec();
        Ok(Self {
            example: example.clone(),
            inputs,
            spec,
            trace,
            row,
            weights,
            scores,
        })
    }

    /// The example.
    #[must_use]
    pub fn example(&self) -> &WorkedExample {
        &self.example
    }

    /// m: how many items there are.
    #[must_use]
    pub fn items(&self) -> usize {
        self.inputs.v.nrows()
    }

    /// dᵥ: how many components a value has; 1 for weighted values.
    #[must_use]
    pub fn value_width(&self) -> usize {
        self.inputs.v.ncols()
    }

    /// d: how wide queries and keys are; 1 for weighted values.
    #[must_use]
    pub fn key_width(&self) -> usize {
        self.inputs.k.ncols()
    }

    /// (m): what the items are called: "70", "80", "90", or the tokens.
    #[must_use]
    pub fn labels(&self, words: &Words) -> Vec<String> {
        match &self.example {
            WorkedExample::WeightedValues(weighted) => {
                weighted.values.iter().map(|x| words.number(*x)).collect()
            }
            WorkedExample::Attention(attention) => attention.tokens.clone(),
        }
    }

    /// The number, where the example has it: the one door to every number on every screen.
    #[must_use]
    pub fn number(&self, quantity: Quantity) -> Option<f64> {
        let values = &self.inputs.v;
        match quantity {
            Quantity::Operation(operation, basis, c) => self.operation(operation, basis, c),
            Quantity::Output(c) => self.trace.output.get((self.row, c)).copied(),
            Quantity::Value(i, c) => values.get((i, c)).copied(),
            Quantity::Count(i) => self.counts()?.get(i).copied(),
            Quantity::Total => Some(self.counts()?.iter().sum()),
            Quantity::Items => Some(self.items() as f64),
            Quantity::Score(i) => self.scores.get(i).copied(),
            Quantity::ScaledScore(i) => self.scaled_scores().get(i).copied(),
            Quantity::Weight(i) => self.weights.get(i).copied(),
            Quantity::WeightedValue(i, c) => Some(self.weights.get(i)? * values.get((i, c))?),
            Quantity::MeanOfAll if self.example.whole_counts() => self.number(Quantity::Output(0)),
            Quantity::MeanOfAll => None,
            Quantity::KeyWidth => matches!(self.example, WorkedExample::Attention(_))
                .then_some(self.key_width() as f64),
        }
    }

    /// (m): the attention weights of the focus word.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// (m): the scores of the focus word; ln(count) for weighted values.
    #[must_use]
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// (m): the scaled scores of the focus word.
    #[must_use]
    pub fn scaled_scores(&self) -> Vec<f64> {
        self.trace.masked_scores(self.row)
    }

    /// (m, dᵥ): the values.
    #[must_use]
    pub fn values(&self) -> ArrayView2<'_, f64> {
        self.inputs.v.view()
    }

    /// The engine's run: all rows.
    #[must_use]
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// One over the number of items: every weight, were all equal.
    #[must_use]
    pub fn uniform_weight(&self) -> f64 {
        1.0 / self.items() as f64
    }

    /// The factor on the scores.
    #[must_use]
    pub fn scale(&self) -> f64 {
        self.spec.factor(self.inputs.q.dim()).unwrap_or(1.0)
    }

    /// (m): how many hold each, for weighted values.
    #[must_use]
    pub fn counts(&self) -> Option<&[f64]> {
        match &self.example {
            WorkedExample::WeightedValues(weighted) => Some(&weighted.counts),
            WorkedExample::Attention(_) => None,
        }
    }

    fn operation(&self, operation: Operation, basis: Basis, component: usize) -> Option<f64> {
        if component >= self.value_width() {
            return None;
        }
        let column: Array1<f64> = match basis {
            Basis::Values => self.inputs.v.column(component).to_owned(),
            Basis::WeightedValues => self
                .trace
                .weighted_values(self.row)
                .column(component)
                .to_owned(),
        };
        Some(match (operation, basis) {
            (Operation::WeightedAverage, Basis::Values)
            | (Operation::Sum, Basis::WeightedValues) => {
                *self.trace.output.get((self.row, component))?
            }
            (Operation::Sum, _) => column.sum(),
            (Operation::PlainMean, _) => column.sum() / column.len() as f64,
            (Operation::WeightedAverage, _) => column
                .iter()
                .zip(&self.weights)
                .map(|(x, weight)| x * weight)
                .sum(),
            (Operation::Highest, _) => column.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            (Operation::Lowest, _) => column.iter().copied().fold(f64::INFINITY, f64::min),
        })
    }
}

/// Weighted values as attention: a query of 1 and keys of ln(count), so that e^score is the count.
fn as_attention(weighted: &WeightedValues) -> Inputs {
    let WeightedValues { values, counts, .. } = weighted;
    let column = |numbers: Vec<f64>| Array1::from(numbers).insert_axis(ndarray::Axis(1));
    Inputs::new(
        Array2::ones((1, 1)),
        column(counts.iter().map(|count| count.ln()).collect()),
        column(values.clone()),
    )
}

fn check_weighted(weighted: &WeightedValues) -> Result<(), ExampleProblem> {
    let WeightedValues { values, counts, .. } = weighted;
    check(Field::Values, !values.is_empty(), || ExampleMsg::NoItems)?;
    check(Field::Counts, counts.len() == values.len(), || {
        ExampleMsg::AsManyCounts {
            counts: counts.len(),
            values: values.len(),
        }
    })?;
    check_numbers(Field::Values, values.iter(), 1)?;
    check_numbers(Field::Counts, counts.iter(), 1)?;
    let negative = counts.iter().position(|count| *count < 0.0);
    check(Field::Counts, negative.is_none(), || {
        ExampleMsg::NegativeCount {
            item: negative.map_or(0, |i| i + 1),
        }
    })?;
    check(
        Field::Counts,
        counts.iter().any(|count| *count > 0.0),
        || ExampleMsg::NobodyCounted,
    )
}

fn check_attention(attention: &AttentionExample) -> Result<(), ExampleProblem> {
    let AttentionExample {
        tokens,
        q,
        k,
        v,
        spec,
        focus,
        ..
    } = attention;
    let items = tokens.len();
    check(Field::Tokens, items > 0, || ExampleMsg::NoItems)?;
    for (field, array) in [(Field::K, k), (Field::V, v)] {
        check(field, array.nrows() == items, || ExampleMsg::RowsAsTokens {
            rows: array.nrows(),
            tokens: items,
        })?;
    }
    check(Field::Q, q.nrows() == items || q.nrows() == 1, || {
        ExampleMsg::QueryRows {
            rows: q.nrows(),
            tokens: items,
        }
    })?;
    check(Field::K, k.ncols() == q.ncols(), || {
        ExampleMsg::KeyAsWideAsQuery {
            keys: k.ncols(),
            queries: q.ncols(),
        }
    })?;
    for (field, array) in [(Field::Q, q), (Field::K, k), (Field::V, v)] {
        check(field, array.ncols() > 0, || ExampleMsg::NoWidth)?;
        check_numbers(field, array.iter(), array.ncols())?;
    }
    check(
        Field::Scale,
        spec.scale.is_none_or(|scale| scale.abs() <= LARGEST),
        || ExampleMsg::ScaleNotFinite,
    )?;
    check(Field::Focus, *focus < items, || ExampleMsg::NoSuchFocus {
        focus: focus + 1,
        tokens: items,
    })
}

/// Every number finite and not too large; the first that is not is told by its item (row).
fn check_numbers<'a>(
    field: Field,
    numbers: impl Iterator<Item = &'a f64>,
    width: usize,
) -> Result<(), ExampleProblem> {
    for (place, number) in numbers.enumerate() {
        let item = place / width + 1;
        check(field, number.is_finite(), || ExampleMsg::NotFinite { item })?;
        check(field, number.abs() <= LARGEST, || ExampleMsg::TooLarge {
            item,
        })?;
    }
    Ok(())
}

fn check(
    field: Field,
    holds: bool,
    what: impl FnOnce() -> ExampleMsg,
) -> Result<(), ExampleProblem> {
    if holds {
        Ok(())
    } else {
        Err(ExampleProblem {
            field,
            what: what(),
        })
    }
}
