//! The calculation told step by step: each stage that the example has, its formula, the formula with this example's numbers, what comes out.

use super::formula::{Tex, listed};
use super::{Basis, Computed, Operation, Quantity};
use crate::attention::{Alteration, attend_altered};
use crate::words::{Words, messages};

/// One stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What it is called ("Scores").
    pub name: String,
    /// In general, as TeX.
    pub formula: String,
    /// With this example's numbers (the focus word's), as TeX.
    pub substituted: String,
    /// What the columns of `rows` are called: the items' labels, or the components' numbers where the output comes out.
    pub columns: Vec<String>,
    /// What comes out: a name and its numbers, one a column.
    pub rows: Vec<(String, Vec<f64>)>,
    /// What kind of number comes out last (of item and component 0).
    pub quantity: Quantity,
}

messages! {
    /// Names of stages, and of the rows that come out of them.
    pub enum StepMsg {
        ValuesAndCounts,
        Shares,
        WeightedValues,
        Sum,
        SameByAttention,
        Scores,
        ScaledScores,
        Softmax,
        Output,
        RowValue,
        RowCount,
        RowWeight,
        RowExp,
        RowScore,
        RowScaledScore,
        RowWeightedValue,
        RowOutput,
        RowWeightedComponent { component: usize },
    }
}

/// The stages that the example has, in order. Weighted values: values and counts, weights, weighted values, their sum, and the same by attention.
/// Attention: scores, scaled scores (where the scale is not 1), softmax, weighted values, output.
#[must_use]
pub fn steps(computed: &Computed, words: &Words) -> Vec<Step> {
    let teller = Teller {
        c: computed,
        words,
        tex: Tex(words),
    };
    match computed.counts() {
        Some(counts) => teller.of_weighted_values(counts),
        None => teller.of_attention(),
    }
}

struct Teller<'a> {
    c: &'a Computed,
    words: &'a Words,
    tex: Tex<'a>,
}

impl Teller<'_> {
    fn of_weighted_values(&self, counts: &[f64]) -> Vec<Step> {
        let Self { c, tex, .. } = self;
        let weights = c.weights().to_vec();
        let total = c.number(Quantity::Total).unwrap_or_default();
        let shares = counts.iter().zip(&weights).map(|(count, weight)| {
            tex.equation(
                &format!(r"\frac{{{}}}{{{}}}", tex.number(*count), tex.number(total)),
                *weight,
            )
        });
        let logs = counts
            .iter()
            .map(|count| format!(r"\ln {}", tex.number(*count)))
            .collect();
        let [values_and_counts, shares_step, by_attention] = [
            (
                r"v_i,\; n_i".to_owned(),
                format!(
                    r"v = {},\quad n = {}",
                    tex.tuple(self.column(0)),
                    tex.tuple(counts.iter().copied())
                ),
            ),
            (
                r"w_i = \frac{n_i}{\sum_j n_j}".to_owned(),
                listed(shares.collect(), r",\quad "),
            ),
            (
                r"w = \mathrm{softmax}(\ln n)".to_owned(),
                format!(
                    r"\mathrm{{softmax}}({}) = {}",
                    listed(logs, r",\; "),
                    tex.tuple(weights.iter().copied())
                ),
            ),
        ];
        vec![
            self.step(
                &StepMsg::ValuesAndCounts,
                values_and_counts,
                vec![
                    (StepMsg::RowValue, self.column(0)),
                    (StepMsg::RowCount, counts.to_vec()),
                ],
                Quantity::Count(0),
            ),
            self.step(
                &StepMsg::Shares,
                shares_step,
                vec![(StepMsg::RowWeight, weights.clone())],
                Quantity::Weight(0),
            ),
            self.weighted_values(),
            self.output(&StepMsg::Sum),
            self.step(
                &StepMsg::SameByAttention,
                by_attention,
                vec![
                    (StepMsg::RowScore, c.scores().to_vec()),
                    (StepMsg::RowWeight, weights),
                ],
                Quantity::Score(0),
            ),
        ]
    }

    fn of_attention(&self) -> Vec<Step> {
        let Self { c, tex, .. } = self;
        let (scores, scaled) = (c.scores().to_vec(), c.scaled_scores());
        let scale = c.scale();
        let row_of = |array: &ndarray::Array2<f64>, row: usize| {
            array
                .rows()
                .into_iter()
                .nth(row)
                .map_or_else(Vec::new, |row| row.to_vec())
        };
        let (shown, index) = self.shown();
        let (query, key) = (row_of(&c.inputs.q, c.row), row_of(&c.inputs.k, shown));
        let its_score = tex.products(query.iter().copied(), key);
        let its = |numbers: &[f64]| numbers.get(shown).copied().unwrap_or_default();
        let mut steps = vec![self.step(
            &StepMsg::Scores,
            (
                r"s_i = q \cdot k_i".to_owned(),
                format!(
                    r"q = {},\quad s_{{{index}}} = {}",
                    tex.tuple(query.iter().copied()),
                    tex.equation(&its_score, its(&scores))
                ),
            ),
            vec![(StepMsg::RowScore, scores.clone())],
            Quantity::Score(0),
        )];
        if scale != 1.0 {
            let score = tex.term(its(&scores));
            let (formula, left) = if c.spec.scale.is_none() {
                (
                    r"s'_i = \frac{s_i}{\sqrt{d}}".to_owned(),
                    format!(r"\frac{{{score}}}{{\sqrt{{{}}}}}", c.key_width()),
                )
            } else {
                (
                    r"s'_i = c \cdot s_i".to_owned(),
                    format!(r"{} \cdot {score}", tex.term(scale)),
                )
            };
            let substituted = format!("s'_{{{index}}} = {}", tex.equation(&left, its(&scaled)));
            let rows = vec![(StepMsg::RowScaledScore, scaled.clone())];
            steps.push(self.step(
                &StepMsg::ScaledScores,
                (formula, substituted),
                rows,
                Quantity::ScaledScore(0),
            ));
        }
        steps.extend([self.softmax(&scaled, if scale == 1.0 { "s" } else { "s'" })]);
        steps.extend([self.weighted_values(), self.output(&StepMsg::Output)]);
        steps
    }

    fn softmax(&self, scaled: &[f64], name: &str) -> Step {
        let Self { c, tex, .. } = self;
        let weights = c.weights().to_vec();
        let (shown, index) = self.shown();
        // Not as e with an exponent: that would be the smallest print of all, and it is what matters.
        let power = |x: &f64| format!(r"\exp {}", tex.term(*x));
        let all = listed(scaled.iter().map(power).collect(), " + ");
        let its = scaled.get(shown).map(power).unwrap_or_default();
        let fraction = format!(r"\frac{{{its}}}{{{all}}}");
        let substituted = format!(
            "w_{{{index}}} = {}",
            tex.equation(&fraction, weights.get(shown).copied().unwrap_or_default())
        );
        let mut rows = vec![(StepMsg::RowWeight, weights)];
        // Powers that no longer fit a number are left out; the weights (computed from differences) are right all the same.
        let powers = attend_altered(&c.inputs, &c.spec, Alteration::NoDivision).ok();
        let powers = powers.and_then(|trace| {
            trace
                .weights
                .rows()
                .into_iter()
                .nth(c.row)
                .map(|row| row.to_vec())
        });
        if let Some(powers) = powers.filter(|powers| powers.iter().all(|x| x.is_finite())) {
            rows.insert(0, (StepMsg::RowExp, powers));
        }
        let formula = format!(r"w_i = \frac{{\exp {name}_i}}{{\sum_j \exp {name}_j}}");
        self.step(
            &StepMsg::Softmax,
            (formula, substituted),
            rows,
            Quantity::Weight(0),
        )
    }

    /// The item whose numbers are put in, the one with the largest weight, and what stands for it as an index: its word where that is
    /// short and plain, else its place.
    fn shown(&self) -> (usize, String) {
        const LONGEST: usize = 12;
        let weights = self.c.weights().iter().enumerate();
        let (item, _) = weights.fold((0, f64::NEG_INFINITY), |most, (i, weight)| {
            if *weight > most.1 { (i, *weight) } else { most }
        });
        let label = self.c.labels(self.words).into_iter().nth(item);
        let plain = |label: &String| {
            let letters = label.chars().all(|c| c.is_ascii_alphabetic());
            letters && !label.is_empty() && label.len() <= LONGEST
        };
        let index = label.filter(plain).map_or_else(
            || (item + 1).to_string(),
            |label| format!(r"\text{{{label}}}"),
        );
        (item, index)
    }

    fn weighted_values(&self) -> Step {
        let Self { c, tex, .. } = self;
        let weighted = c.trace().weighted_values(c.row);
        let mut rows = Vec::new();
        for (component, column) in weighted.columns().into_iter().enumerate() {
            let name = match c.value_width() {
                1 => StepMsg::RowWeightedValue,
                _ => StepMsg::RowWeightedComponent {
                    component: component + 1,
                },
            };
            rows.push((name, column.to_vec()));
        }
        let terms = c
            .weights()
            .iter()
            .zip(self.column(0))
            .map(|(weight, value)| tex.equation(&tex.products([*weight], [value]), weight * value));
        let substituted = listed(terms.collect(), r",\quad ");
        self.step(
            &StepMsg::WeightedValues,
            (r"w_i \, v_i".to_owned(), substituted),
            rows,
            Quantity::WeightedValue(0, 0),
        )
    }

    /// The weighted values summed: the output, component by component.
    fn output(&self, name: &StepMsg) -> Step {
        let Self { c, words, tex } = self;
        let output = |component| c.number(Quantity::Output(component));
        let outputs: Vec<f64> = (0..c.value_width()).filter_map(output).collect();
        let weighted = c.trace().weighted_values(c.row);
        let sums = weighted.columns().into_iter().zip(&outputs);
        let sums = sums
            .map(|(column, x)| tex.equation(&tex.sum(column.iter().copied()), *x))
            .collect();
        let columns = (1..=outputs.len())
            .map(|component| words.number(component as f64))
            .collect();
        let quantity = Quantity::Operation(Operation::Sum, Basis::WeightedValues, 0);
        let texts = (
            r"y = \sum_i w_i \, v_i".to_owned(),
            listed(sums, r",\quad "),
        );
        let step = self.step(name, texts, vec![(StepMsg::RowOutput, outputs)], quantity);
        Step { columns, ..step }
    }

    fn step(
        &self,
        name: &StepMsg,
        (formula, substituted): (String, String),
        rows: Vec<(StepMsg, Vec<f64>)>,
        quantity: Quantity,
    ) -> Step {
        let Self { c, words, .. } = self;
        let rows = rows
            .into_iter()
            .map(|(name, numbers)| (words.say(&name), numbers))
            .collect();
        Step {
            name: words.say(name),
            formula,
            substituted,
            columns: c.labels(words),
            rows,
            quantity,
        }
    }

    fn column(&self, component: usize) -> Vec<f64> {
        self.c
            .values()
            .columns()
            .into_iter()
            .nth(component)
            .map_or_else(Vec::new, |column| column.to_vec())
    }
}
