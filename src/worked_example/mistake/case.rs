//! What is asked of which example, and what other weights make of it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use ndarray::Array2;

use super::said::{HowMsg, MistakeMsg, ThingMsg, WhatMsg};
use super::{Found, Parting, near};
use crate::attention::{Alteration, Stage, Trace, attend_row};
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
    /// The focus word's row of each changed pipeline, run once; `None` where the change does not apply.
    altered: RefCell<HashMap<Alteration, Option<Rc<Trace>>>>,
}

/// Weights other than the right ones, and what they are put on.
pub(super) struct Weighing {
    /// (m): the weights.
    pub weights: Vec<f64>,
    /// (m, dᵥ): what they are put on.
    pub values: Array2<f64>,
    /// The focus word's row, where scores may be altered too.
    pub trace: Option<Rc<Trace>>,
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
            altered: RefCell::default(),
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
            trace: None,
            how,
            name: None,
            origin: None,
            summing: None,
        }
    }

    /// The weights of the pipeline with one step changed, on what it puts them on; `None` where the change does not apply.
    pub fn altered(&self, alteration: Alteration) -> Option<Weighing> {
        let trace = self.run(alteration)?;
        let weights = trace.weights.rows().into_iter().next()?.to_vec();
        let inputs = &self.c.inputs;
        let values = match alteration {
            Alteration::KeysAndValuesSwapped => inputs.k.clone(),
            _ => inputs.v.clone(),
        };
        let weighing = self.weighing(weights, HowMsg::of(alteration));
        Some(Weighing {
            values,
            trace: Some(trace),
            ..weighing
        })
    }

    fn run(&self, alteration: Alteration) -> Option<Rc<Trace>> {
        let run = || {
            let Computed {
                inputs, spec, row, ..
            } = self.c;
            attend_row(inputs, spec, Some(alteration), *row)
                .map(Rc::new)
                .ok()
        };
        let mut known = self.altered.borrow_mut();
        known.entry(alteration).or_insert_with(run).clone()
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
                Some(self.would_be(weight * value, what, &weighing, &left))
            }
            asked => match asked.stage() {
                Some((stage, i)) => self.changed_score(weighing, stage, i),
                None => self.weighed_sum(weighing),
            },
        });
        found.into_iter().collect()
    }

    fn changed_score(&self, weighing: Weighing, stage: Stage, item: usize) -> Option<Found> {
        let trace = weighing.trace.clone()?;
        let number = trace.cell(stage, 0, item)?;
        let what = WhatMsg::of_stage(stage, self.label(item));
        let place = item + 1;
        let left = match stage {
            Stage::Scores => format!("s_{{{place}}}"),
            _ => {
                let score = self.tex.number(trace.cell(Stage::Scores, 0, item)?);
                format!(r"{score} \;\to\; s'_{{{place}}}")
            }
        };
        // How the weights come about is no part of how a score does.
        let weighing = Weighing {
            origin: None,
            ..weighing
        };
        Some(self.would_be(number, what, &weighing, &left))
    }

    fn changed_weight(&self, weighing: &Weighing, item: usize) -> Option<Found> {
        let weight = *weighing.weights.get(item)?;
        let what = WhatMsg::Weight {
            label: self.label(item),
        };
        Some(self.would_be(weight, what, weighing, &format!("w_{{{}}}", item + 1)))
    }

    fn would_be(&self, number: f64, what: WhatMsg, weighing: &Weighing, left: &str) -> Found {
        let how = weighing.how.clone();
        let sentence = self.words.say(&MistakeMsg::WouldBe { number, what, how });
        Found {
            number,
            sentence,
            computation: self.working(weighing.origin.as_deref(), left, number),
            parts: self.parts(weighing),
        }
    }

    /// The first component of the output in which the weights come to something else than the right ones.
    fn parts(&self, weighing: &Weighing) -> Option<Parting> {
        let columns = weighing.values.columns().into_iter().enumerate();
        let mut outputs = columns.filter_map(|(column, values)| {
            let right = self.c.number(Quantity::Output(column))?;
            Some((column, right, weighed(&weighing.weights, values)))
        });
        let (column, right, wrong) =
            outputs.find(|(_, right, wrong)| !near(*right, *wrong, 0.0))?;
        Some(Parting {
            row: self.c.row,
            column,
            right,
            wrong,
        })
    }

    fn weighed_sum(&self, weighing: Weighing) -> Option<Found> {
        let component = self.component()?;
        let parts = self.parts(&weighing);
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
        let number = weighed(&weights, &column);
        let left = match summing {
            Some(summing) => summing(self.tex, &self.c.seen(column)),
            None => {
                // What is hidden has no part in it.
                let hides = self.c.visible_items() < self.c.items();
                let terms = weights.iter().copied().zip(column);
                let terms = terms.filter(|(weight, _)| !hides || *weight != 0.0);
                let (weights, column): (Vec<f64>, Vec<f64>) = terms.unzip();
                match weights.as_slice() {
                    [] => "0".to_owned(),
                    _ => self.tex.products(weights, column),
                }
            }
        };
        let computation = self.working(origin.as_deref(), &left, number);
        Some(Found {
            number,
            sentence: self.sentence(number, name.ok_or(how), component),
            computation,
            parts,
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
            parts: None,
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
            Quantity::Score(i)
            | Quantity::ScaledScore(i)
            | Quantity::CappedScore(i)
            | Quantity::BiasedScore(i)
            | Quantity::MaskedScore(i)
            | Quantity::Weight(i) => {
                let (stage, _) = other.stage()?;
                let place = i + 1;
                let left = match stage {
                    Stage::Scores => format!(r"q \cdot k_{{{place}}}"),
                    Stage::Scaled => {
                        let score = self.c.number(Quantity::Score(i))?;
                        tex.products([self.c.scale()], [score])
                    }
                    Stage::Capped | Stage::Biased | Stage::Masked => format!("s'_{{{place}}}"),
                    Stage::Weights => format!("w_{{{place}}}"),
                };
                (WhatMsg::of_stage(stage, label(i)), None, left)
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
        let m = numeral(self.c.visible_items());
        let weights = self.c.seen(self.c.weights().iter().copied());
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
        let column = self.c.seen(column);
        let tex = self.tex;
        let (what, left) = match operation {
            Operation::Sum => (WhatMsg::Sum { m, things }, tex.sum(column)),
            Operation::PlainMean => (
                WhatMsg::PlainMean { m, things },
                divided_by_number(tex, &column),
            ),
            Operation::WeightedAverage => (
                WhatMsg::WeightedAverage { m, things },
                tex.products(weights, column),
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

/// Σ w · x; what has no weight is skipped.
fn weighed<'a>(weights: &[f64], values: impl IntoIterator<Item = &'a f64>) -> f64 {
    let terms = weights.iter().zip(values);
    let terms = terms.filter(|(weight, _)| **weight != 0.0);
    terms.map(|(weight, x)| weight * x).sum()
}

/// `(a + b + c) / 3`.
pub(super) fn divided_by_number(tex: Tex<'_>, column: &[f64]) -> String {
    format!("({}) / {}", tex.sum(column.iter().copied()), column.len())
}
