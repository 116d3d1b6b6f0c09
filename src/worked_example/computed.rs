//! All numbers of an example from one run of the engine, each behind one door: [`Computed::number`].

use ndarray::{Array1, Array2, ArrayView2, Axis};

use super::check::{check_attention, check_weighted, unfit};
use super::{Basis, ExampleProblem, Operation, Quantity, WeightedValues, WorkedExample};
use crate::attention::{Inputs, Spec, Stage, Trace, attend_heads};
use crate::words::Words;

/// An example and all of its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Computed {
    example: WorkedExample,
    pub(super) inputs: Inputs,
    pub(super) spec: Spec,
    trace: Trace,
    /// The row of the trace that belongs to the focus word.
    pub(super) row: usize,
    /// (d): the focus word's query as it is asked: rotary positions are in it.
    pub(super) query: Vec<f64>,
    /// (m, d): the keys as they are asked.
    pub(super) keys: Array2<f64>,
    /// (m): which keys the focus word sees.
    visible: Vec<bool>,
    /// (m): the focus row's weights, beside each other in memory.
    weights: Vec<f64>,
    /// (m): its scores.
    scores: Vec<f64>,
}

impl Computed {
    /// Computes the example.
    ///
    /// # Errors
    /// The first fault: no items, numbers that are not finite or above 1e100, lengths that do not fit, negative counts or all zero, no such focus,
    /// conventions that cannot be computed with.
    pub fn new(example: &WorkedExample) -> Result<Self, ExampleProblem> {
        let (inputs, spec, row) = match example {
            WorkedExample::WeightedValues(weighted) => {
                check_weighted(weighted)?;
                let spec = Spec {
                    scale: Some(1.0),
                    ..Spec::default()
                };
                (as_attention(weighted), spec, 0)
            }
            WorkedExample::Attention(attention) => {
                check_attention(attention)?;
                (attention.inputs(), attention.spec, attention.row())
            }
        };
        let mut run = attend_heads(&inputs.as_heads(), &spec).map_err(|error| unfit(&error))?;
        // One head went in, so that one trace has come out.
        let trace = run.heads.pop().ok_or_else(ExampleProblem::no_items)?;
        let query = run.q.index_axis(Axis(0), 0).row(row).to_vec();
        let keys = run.k.index_axis_move(Axis(0), 0);
        let visible = trace.visible.row(row).to_vec();
        let weights = trace.weights.row(row).to_vec();
        let scores = trace.scores.row(row).to_vec();
        Ok(Self {
            example: example.clone(),
            inputs,
            spec,
            trace,
            row,
            query,
            keys,
            visible,
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
            Quantity::Score(i)
            | Quantity::ScaledScore(i)
            | Quantity::CappedScore(i)
            | Quantity::BiasedScore(i)
            | Quantity::MaskedScore(i)
            | Quantity::Weight(i) => {
                let (stage, _) = quantity.stage()?;
                self.trace.cell(stage, self.row, i)
            }
            Quantity::WeightedValue(i, c) => match *self.weights.get(i)? {
                0.0 => values.get((i, c)).map(|_| 0.0),
                weight => Some(weight * values.get((i, c))?),
            },
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

    /// (m): the scaled scores of the focus word, hidden keys' too.
    #[must_use]
    pub fn scaled_scores(&self) -> Vec<f64> {
        self.stage(Stage::Scaled)
    }

    /// (m): a stage of the focus word.
    #[must_use]
    pub fn stage(&self, stage: Stage) -> Vec<f64> {
        self.trace.row(stage, self.row)
    }

    /// (m): which keys the focus word sees; all of weighted values.
    #[must_use]
    pub fn visible(&self) -> &[bool] {
        &self.visible
    }

    /// How many keys the focus word sees.
    #[must_use]
    pub fn visible_items(&self) -> usize {
        self.visible.iter().filter(|seen| **seen).count()
    }

    /// (m): what is added to the focus word's scores; empty where there is no bias.
    #[must_use]
    pub fn bias(&self) -> Vec<f64> {
        let bias = self.inputs.bias.as_ref();
        let row = bias.and_then(|bias| bias.rows().into_iter().nth(self.row));
        row.map_or_else(Vec::new, |row| row.to_vec())
    }

    /// The conventions.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The numbers of the items that the focus word sees.
    pub(super) fn seen<T>(&self, of_items: impl IntoIterator<Item = T>) -> Vec<T> {
        let items = of_items.into_iter().zip(&self.visible);
        items.filter(|(_, seen)| **seen).map(|(x, _)| x).collect()
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

    /// One over the number of visible items: their weight, were all equal; 0 where none is visible.
    #[must_use]
    pub fn uniform_weight(&self) -> f64 {
        match self.visible_items() {
            0 => 0.0,
            count => 1.0 / count as f64,
        }
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

    /// Of the visible values; of none, only the output and the sum are numbers.
    /// Whether the weights sum to 1, so that the output is a weighted average. A sigmoid's do not, nor those of a word that sees nothing.
    #[must_use]
    pub fn is_average(&self) -> bool {
        (self.weights.iter().sum::<f64>() - 1.0).abs() < 1e-9
    }

    fn operation(&self, operation: Operation, basis: Basis, component: usize) -> Option<f64> {
        let output = *self.trace.output.get((self.row, component))?;
        let column: Array1<f64> = match basis {
            Basis::Values => self.inputs.v.column(component).to_owned(),
            Basis::WeightedValues => self
                .trace
                .weighted_values(self.row)
                .column(component)
                .to_owned(),
        };
        let column = self.seen(column);
        let of_some = |number: f64| (!column.is_empty()).then_some(number);
        match (operation, basis) {
            // Weights that do not sum to 1 make no average: what comes out has no other name than the output, or the sum of the weighted values.
            (Operation::WeightedAverage, _) if !self.is_average() => None,
            (Operation::WeightedAverage, Basis::Values)
            | (Operation::Sum, Basis::WeightedValues) => Some(output),
            (Operation::Sum, _) => Some(column.iter().sum()),
            (Operation::PlainMean, _) => of_some(column.iter().sum::<f64>() / column.len() as f64),
            (Operation::WeightedAverage, _) => {
                let weights = self.seen(self.weights.iter().copied());
                let terms = column.iter().zip(weights);
                of_some(terms.map(|(x, weight)| x * weight).sum())
            }
            (Operation::Highest, _) => {
                of_some(column.iter().copied().fold(f64::NEG_INFINITY, f64::max))
            }
            (Operation::Lowest, _) => of_some(column.iter().copied().fold(f64::INFINITY, f64::min)),
        }
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
