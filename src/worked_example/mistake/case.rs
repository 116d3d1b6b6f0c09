//! What is asked of which example, and what other weights make of it.

use ndarray::Array2;

use super::Found;
use super::said::{HowMsg, MistakeMsg, ThingMsg, WhatMsg};
use crate::attention::{Alteration, attend_altered};
use crate::words::Words;
use crate::worked_example::formula::{Tex, numeral};
use crate::worked_example::{Basis, Computed, Operation, Quantity, WorkedExample};

/// What is asked of which example.
pub(super) struct Case<'a> {
    pub c: &'a Computed,
    pub asked: Quantity,
    pub words: &'a Words,
    pub tex: Tex<'a>,
    pub labels: Vec<String>,
}

/// Weights other than the right ones, and what they are put on.
pub(super) struct Weighing {
    /// (m): the weights.
    pub weights: Vec<f64>,
    /// (m, dᵥ): what they are put on.
    pub values: Array2<f64>,
    /// (m): the scores and scaled scores, where these are altered too.
    pub scores: Option<(Vec<f64>, Vec<f64>)>,
    /// What was done otherwise.
    pub how: HowMsg,
    /// What the sum of the weighted values is called, where it has a name.
    pub name: Option<WhatMsg>,
    /// How the weights come about (TeX), where that is not in the sum.
    pub origin: Option<String>,
    /// What is summed (TeX), where it is shorter than weights times values.
    pub summing: Option<fn(Tex<'_>, &[f64]) -> String>,
}

impl<'a> Case<'a> {
    pub fn new(c: &'a Computed, asked: Quantity, words: &'a Words) -> Self {
        Self {
            c,
            asked,
            words,
            tex: Tex(words),
            labels: c.labels(words),
        }
    }

    /// The component of the values that an operation is asked of (the output is one).
    pub fn component(&self) -> Option<usize> {
        match self.asked {
            Quantity::Output(c) | Quantity::Operation(_, _, c) => Some(c),
            Quantity::MeanOfAll => Some(0),
            _ => None,
        }
    }

    /// Column c of the values.
    pub fn column(&self, component: usize) -> Vec<f64> {
        self.c
            .values()
            .columns()
            .into_iter()
            .nth(component)
            .map_or_else(Vec::new, |column| column.to_vec())
    }

    pub fn label(&self, item: usize) -> String {
        self.labels.get(item).cloned().unwrap_or_default()
    }

    pub fn things(&self) -> ThingMsg {
        if self.c.counts().is_some() {
            ThingMsg::Numbers
        } else {
            ThingMsg::Values
        }
    }

    /// The holders' name, where the example has one.
    pub fn holders(&self) -> Option<String> {
        match self.c.example() {
            WorkedExample::WeightedValues(weighted) if !weighted.holders.is_empty() => {
                Some(weighted.holders.clone())
            }
            _ => None,
        }
    }

    /// Other weights on the example's values.
    pub fn weighing(&self, weights: Vec<f64>, how: HowMsg) -> Weighing {
        let values = self.c.values().to_owned();
        Weighing {
            weights,
            values,
            scores: None,
            how,
            name: None,
            origin: None,
            summing: None,
        }
    }

    /// The weights of the pipeline with one step changed, on what it puts them on; `None` where the change does not apply.
    pub fn altered(&self, alteration: Alteration, how: HowMsg) -> Option<Weighing> {
        let inputs = &self.c.inputs;
        let trace = attend_altered(inputs, &self.c.spec, alteration).ok()?;
        let weights = trace.weights.rows().into_iter().nth(self.c.row)?.to_vec();
        let scores = trace.scores.rows().into_iter().nth(self.c.row)?.to_vec();
        let values = if alteration == Alteration::KeysAndValuesSwapped {
            &inputs.k
        } else {
            &inputs.v
        };
        let weighing = self.weighing(weights, how);
        Some(Weighing {
            values: values.clone(),
            scores: Some((scores, trace.masked_scores(self.c.row))),
            ..weighing
        })
    }

    /// What the weights make of what is asked. (At most one finding, as a list for the registry.)
    pub fn weigh(&self, weighing: Option<Weighing>) -> Vec<Found> {
        let found = weighing.and_then(|weighing| match self.asked {
            Quantity::Weight(i) => self.changed_weight(&weighing, i),
            Quantity::WeightedValue(i, c) => {
                let (weight, value) = (*weighing.weights.get(i)?, *weighing.values.get((i, c))?);
                let what = WhatMsg::WeightedValue {
                    label: self.label(i),
                };
                let left = self.tex.products([weight], [value]);
                Some(self.would_be(
                    weight * value,
                    what,
                    weighing.how,
                    &left,
                    weighing.origin.as_deref(),
                ))
            }
            Quantity::Score(i) => {
                let score = *weighing.scores?.0.get(i)?;
                let what = WhatMsg::Score {
                    label: self.label(i),
                };
                Some(self.would_be(score, what, weighing.how, &format!("s_{{{}}}", i + 1), None))
            }
            Quantity::ScaledScore(i) => {
                let (scores, scaled) = weighing.scores?;
                let number = *scaled.get(i)?;
                let what = WhatMsg::ScaledScore {
                    label: self.label(i),
                };
                let from = self.tex.number(*scores.get(i)?);
                Some(self.would_be(
                    number,
                    what,
                    weighing.how,
                    &format!(r"{from} \;\to\; s'_{{{}}}", i + 1),
                    None,
                ))
            }
            _ => self.weighed_sum(weighing),
        });
        found.into_iter().collect()
    }

    fn changed_weight(&self, weighing: &Weighing, item: usize) -> Option<Found> {
        let weight = *weighing.weights.get(item)?;
        let what = WhatMsg::Weight {
            label: self.label(item),
        };
        let left = format!("w_{{{}}}", item + 1);
        Some(self.would_be(
            weight,
            what,
            weighing.how.clone(),
            &left,
            weighing.origin.as_deref(),
        ))
    }

    fn would_be(
        &self,
        number: f64,
        what: WhatMsg,
        how: HowMsg,
        left: &str,
        origin: Option<&str>,
    ) -> Found {
        let sentence = self.words.say(&MistakeMsg::WouldBe { number, what, how });
        Found {
            number,
            sentence,
            computation: self.working(origin, left, number),
        }
    }

    fn weighed_sum(&self, weighing: Weighing) -> Option<Found> {
        let component = self.component()?;
        let Weighing {
            weights,
            values,
            how,
            name,
            origin,
            summing,
            ..
        } = weighing;
        let column: Vec<f64> = values.columns().into_iter().nth(component)?.to_vec();
        let number = weights
            .iter()
            .zip(&column)
            .map(|(weight, x)| weight * x)
            .sum();
        let left = match summing {
            Some(summing) => summing(self.tex, &column),
            None => self
                .tex
                .products(weights.iter().copied(), column.iter().copied()),
        };
        let computation = self.working(origin.as_deref(), &left, number);
        Some(Found {
            number,
            sentence: self.sentence(number, name.ok_or(how), component),
            computation,
        })
    }

    /// What a number is, or how it comes out; the component is told where there are several.
    fn sentence(&self, number: f64, told: Result<WhatMsg, HowMsg>, component: usize) -> String {
        let several = self.c.value_width() > 1;
        self.words.say(&match told {
            Ok(what) if several => MistakeMsg::IsInComponent {
                number,
                what,
                component: component + 1,
            },
            Ok(what) => MistakeMsg::Is { number, what },
            Err(how) if several => MistakeMsg::ComesOutInComponent {
                number,
                how,
                component: component + 1,
            },
            Err(how) => MistakeMsg::ComesOut { number, how },
        })
    }

    fn working(&self, origin: Option<&str>, left: &str, number: f64) -> String {
        let equation = self.tex.equation(left, number);
        match origin {
            Some(origin) => format!("${origin}$, ${equation}$"),
            None => format!("${equation}$"),
        }
    }

    /// A number with its name, of a component where it belongs to one.
    pub fn is(&self, number: f64, what: WhatMsg, component: Option<usize>, left: &str) -> Found {
        let sentence = match component {
            Some(component) => self.sentence(number, Ok(what), component),
            None => self.words.say(&MistakeMsg::Is { number, what }),
        };
        Found {
            number,
            sentence,
            computation: self.working(None, left, number),
        }
    }

    /// Another number of the example, taken for the one that is asked.
    pub fn instead(&self, other: Quantity) -> Option<Found> {
        if other == self.asked {
            return None;
        }
        let number = self.c.number(other)?;
        let tex = self.tex;
        let label = |i: usize| self.label(i);
        let (what, component, left) = match other {
            Quantity::Operation(operation, basis, c) => {
                return Some(self.operation(number, operation, basis, c));
            }
            Quantity::Weight(i) => (
                WhatMsg::Weight { label: label(i) },
                None,
                format!("w_{{{}}}", i + 1),
            ),
            Quantity::Score(i) => (
                WhatMsg::Score { label: label(i) },
                None,
                format!(r"q \cdot k_{{{}}}", i + 1),
            ),
            Quantity::ScaledScore(i) => {
                let (scale, score) = (self.c.scale(), self.c.number(Quantity::Score(i))?);
                (
                    WhatMsg::ScaledScore { label: label(i) },
                    None,
                    tex.products([scale], [score]),
                )
            }
            Quantity::Value(i, c) => (
                WhatMsg::Value { label: label(i) },
                Some(c),
                format!("v_{{{}}}", i + 1),
            ),
            Quantity::Count(i) => (
                WhatMsg::Count { label: label(i) },
                None,
                format!("n_{{{}}}", i + 1),
            ),
            Quantity::WeightedValue(i, c) => {
                let (weight, value) = (
                    self.c.number(Quantity::Weight(i))?,
                    self.c.number(Quantity::Value(i, c))?,
                );
                (
                    WhatMsg::WeightedValue { label: label(i) },
                    Some(c),
                    tex.products([weight], [value]),
                )
            }
            Quantity::Total => (
                WhatMsg::CountsSum,
                None,
                tex.sum(self.c.counts()?.iter().copied()),
            ),
            Quantity::Items => (WhatMsg::Items, None, "m".to_owned()),
            Quantity::KeyWidth => (WhatMsg::KeyWidth, None, "d".to_owned()),
            Quantity::Output(_) | Quantity::MeanOfAll => return None,
        };
        Some(self.is(number, what, component, &left))
    }

    fn operation(
        &self,
        number: f64,
        operation: Operation,
        basis: Basis,
        component: usize,
    ) -> Found {
        let m = numeral(self.c.items());
        let (things, column) = match basis {
            Basis::Values => (self.things(), self.column(component)),
            Basis::WeightedValues => {
                let weighted = |(x, weight): (f64, &f64)| x * weight;
                let column = self
                    .column(component)
                    .into_iter()
                    .zip(self.c.weights())
                    .map(weighted)
                    .collect();
                (ThingMsg::WeightedValues, column)
            }
        };
        let tex = self.tex;
        let (what, left) = match operation {
            Operation::Sum => (WhatMsg::Sum { m, things }, tex.sum(column)),
            Operation::PlainMean => (
                WhatMsg::PlainMean { m, things },
                divided_by_number(tex, &column),
            ),
            Operation::WeightedAverage => (
                WhatMsg::WeightedAverage { m, things },
                tex.products(self.c.weights().iter().copied(), column),
            ),
            Operation::Highest => (
                WhatMsg::Highest { m, things },
                format!(r"\max{}", tex.tuple(column)),
            ),
            Operation::Lowest => (
                WhatMsg::Lowest { m, things },
                format!(r"\min{}", tex.tuple(column)),
            ),
        };
        self.is(number, what, Some(component), &left)
    }
}

/// `(a + b + c) / 3`.
pub(super) fn divided_by_number(tex: Tex<'_>, column: &[f64]) -> String {
    format!("({}) / {}", tex.sum(column.iter().copied()), column.len())
}
