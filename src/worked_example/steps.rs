//! The calculation told step by step: each stage that the example has, its formula, the formula with this example's numbers, what comes out.

use ndarray::Array2;

use super::formula::{Tex, listed};
use super::{Basis, Computed, Operation, Quantity};
use crate::attention::{Alteration, Normaliser, Positions, Rotary, Stage as Kept, attend_row};
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
        Positions,
        Scores,
        ScaledScores,
        CappedScores,
        BiasedScores,
        Temperature,
        Mask,
        Softmax,
        HardMax,
        EqualWeights,
        Sparsemax,
        Sigmoid,
        SoftmaxPlusOne,
        Unnormalised,
        Output,
        RowValue,
        RowCount,
        RowWeight,
        RowExp,
        RowScore,
        RowScaledScore,
        RowCappedScore,
        RowBias,
        RowBiasedScore,
        RowTempered,
        RowMaskedScore,
        RowKeyComponent { component: usize },
        RowWeightedValue,
        RowOutput,
        RowWeightedComponent { component: usize },
    }
}

/// The stages that the example has, in order. Weighted values: values and counts, weights, weighted values, their sum, and the same by attention.
/// Attention: positions (where they turn q and k), scores, scaled scores (where the scale is not 1), cap, bias, temperature and mask (where there
/// are any), softmax or what stands in its place, weighted values, output.
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

/// A stage between scores and weights, told once its letter and the one before it are known.
struct Stage<'a> {
    name: StepMsg,
    rows: Vec<(StepMsg, Vec<f64>)>,
    quantity: Quantity,
    /// What is done to the stage before, whose letter is given.
    formula: Box<dyn Fn(&str) -> String + 'a>,
    /// The same with the numbers of an item.
    substituted: Box<dyn Fn(usize) -> String + 'a>,
}

impl Stage<'_> {
    fn told(self, teller: &Teller<'_>, before: &str, own: &str) -> Step {
        let Self {
            name,
            rows,
            quantity,
            formula,
            substituted,
        } = self;
        let (shown, index) = teller.shown();
        let left = substituted(shown);
        let substituted = if matches!(name, StepMsg::Mask) {
            format!(r"{left} = -\infty")
        } else {
            let number = rows.last().map_or(0.0, |(_, numbers)| at(numbers, shown));
            format!("{own}_{{{index}}} = {}", teller.tex.equation(&left, number))
        };
        let is = if matches!(name, StepMsg::Mask) {
            r"\in"
        } else {
            "="
        };
        let formula = format!("{own}_i {is} {}", formula(before));
        teller.step(&name, (formula, substituted), rows, quantity)
    }
}

fn at(numbers: &[f64], item: usize) -> f64 {
    numbers.get(item).copied().unwrap_or_default()
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
        let mut steps = Vec::new();
        steps.extend(self.positions());
        steps.push(self.scores());
        // Each stage is written with a letter of its own; what comes next is written with the last one.
        let mut letter = "s";
        let told = [
            (self.scaled(), "s'"),
            (self.capped(), r"\bar s"),
            (self.biased(), r"\tilde s"),
            (self.tempered(), r"\hat s"),
            (self.masked(), "z"),
        ];
        for (stage, own) in told {
            if let Some(tell) = stage {
                steps.push(tell.told(self, letter, own));
                letter = own;
            }
        }
        steps.push(self.weights(letter));
        steps.extend([self.weighted_values(), self.output(&StepMsg::Output)]);
        steps
    }

    /// Rotary positions: query and keys as they are asked.
    fn positions(&self) -> Option<Step> {
        let Self { c, tex, .. } = self;
        let Positions::Rotary(Rotary { base, .. }) = c.spec.positions else {
            return None;
        };
        let (shown, index) = self.shown();
        let rotated = |symbol: &str, from: Vec<f64>, to: Vec<f64>| {
            let (from, to) = (tex.tuple(from), tex.tuple(to));
            format!(r"{symbol} = {from} \to {to}")
        };
        let row_of = |array: &Array2<f64>, row: usize| {
            let mut rows = array.rows().into_iter();
            rows.nth(row).map_or_else(Vec::new, |row| row.to_vec())
        };
        let (q, k) = (&c.inputs.q, &c.inputs.k);
        let texts = (
            format!(r"\theta_i = {}^{{-2i/d}}", tex.number(base)),
            [
                rotated("q", row_of(q, c.row), c.query.clone()),
                rotated(
                    &format!("k_{{{index}}}"),
                    row_of(k, shown),
                    row_of(&c.keys, shown),
                ),
            ]
            .join(r",\quad "),
        );
        let components = c.keys.columns().into_iter().enumerate();
        let rows = components.map(|(component, column)| {
            let name = StepMsg::RowKeyComponent {
                component: component + 1,
            };
            (name, column.to_vec())
        });
        Some(self.step(
            &StepMsg::Positions,
            texts,
            rows.collect(),
            Quantity::KeyWidth,
        ))
    }

    fn scores(&self) -> Step {
        let Self { c, tex, .. } = self;
        let (shown, index) = self.shown();
        let key = c.keys.rows().into_iter().nth(shown);
        let key = key.map_or_else(Vec::new, |key| key.to_vec());
        let score = c.scores().get(shown).copied().unwrap_or_default();
        let texts = (
            r"s_i = q \cdot k_i".to_owned(),
            format!(
                r"q = {},\quad s_{{{index}}} = {}",
                tex.tuple(c.query.iter().copied()),
                tex.equation(&tex.products(c.query.iter().copied(), key), score)
            ),
        );
        let rows = vec![(StepMsg::RowScore, c.scores().to_vec())];
        self.step(&StepMsg::Scores, texts, rows, Quantity::Score(0))
    }

    fn scaled(&self) -> Option<Stage<'_>> {
        let Self { c, tex, .. } = self;
        let (scale, width) = (c.scale(), c.key_width());
        let is_default = c.spec.scale.is_none();
        (scale != 1.0).then(|| Stage {
            name: StepMsg::ScaledScores,
            rows: vec![(StepMsg::RowScaledScore, c.stage(Kept::Scaled))],
            quantity: Quantity::ScaledScore(0),
            formula: Box::new(move |s| match is_default {
                true => format!(r"\frac{{{s}_i}}{{\sqrt{{d}}}}"),
                false => format!(r"c \cdot {s}_i"),
            }),
            substituted: Box::new(move |i| {
                let score = tex.term(at(c.scores(), i));
                match is_default {
                    true => format!(r"\frac{{{score}}}{{\sqrt{{{width}}}}}"),
                    false => format!(r"{} \cdot {score}", tex.term(scale)),
                }
            }),
        })
    }

    fn capped(&self) -> Option<Stage<'_>> {
        let Self { c, tex, .. } = self;
        let cap = c.spec.softcap?;
        let scaled = c.stage(Kept::Scaled);
        let of =
            move |cap: &str, score: &str| format!(r"{cap} \cdot \tanh \frac{{{score}}}{{{cap}}}");
        Some(Stage {
            name: StepMsg::CappedScores,
            rows: vec![(StepMsg::RowCappedScore, c.stage(Kept::Capped))],
            quantity: Quantity::CappedScore(0),
            formula: Box::new(move |s| of("c", &format!("{s}_i"))),
            substituted: Box::new(move |i| of(&tex.number(cap), &tex.number(at(&scaled, i)))),
        })
    }

    fn biased(&self) -> Option<Stage<'_>> {
        let Self { c, tex, .. } = self;
        if c.inputs.bias.is_none() && c.spec.positions != Positions::Alibi {
            return None;
        }
        let (capped, biased) = (c.stage(Kept::Capped), c.stage(Kept::Biased));
        let added: Vec<f64> = biased.iter().zip(&capped).map(|(b, c)| b - c).collect();
        let bias = added.clone();
        Some(Stage {
            name: StepMsg::BiasedScores,
            rows: vec![(StepMsg::RowBias, added), (StepMsg::RowBiasedScore, biased)],
            quantity: Quantity::BiasedScore(0),
            formula: Box::new(|s| format!("{s}_i + b_i")),
            substituted: Box::new(move |i| tex.sum([at(&capped, i), at(&bias, i)])),
        })
    }

    fn tempered(&self) -> Option<Stage<'_>> {
        let Self { c, tex, .. } = self;
        let temperature = c.spec.temperature;
        if temperature == 1.0 {
            return None;
        }
        let biased = c.stage(Kept::Biased);
        // Of the hidden keys too, whose turn comes with the mask; but what a bias hides is so already.
        let all = attend_row(&c.inputs, &c.spec, Some(Alteration::NoMask), c.row).ok()?;
        let all = all.masked_scores(0).into_iter().zip(&biased);
        let tempered = all.map(|(x, biased)| {
            x.min(if biased.is_finite() {
                f64::INFINITY
            } else {
                *biased
            })
        });
        Some(Stage {
            name: StepMsg::Temperature,
            rows: vec![(StepMsg::RowTempered, tempered.collect())],
            quantity: Quantity::MaskedScore(0),
            formula: Box::new(|s| format!(r"\frac{{{s}_i}}{{T}}")),
            substituted: Box::new(move |i| {
                let [score, temperature] = [at(&biased, i), temperature].map(|x| tex.number(x));
                format!(r"\frac{{{score}}}{{{temperature}}}")
            }),
        })
    }

    /// Where something is hidden that no bias has hidden already. The hidden words are named.
    fn masked(&self) -> Option<Stage<'_>> {
        let Self { c, .. } = self;
        let biased = c.stage(Kept::Biased);
        let cells = c.visible().iter().zip(&biased).enumerate();
        let hidden = cells.filter(|(_, (seen, biased))| !**seen && **biased != f64::NEG_INFINITY);
        let hidden: Vec<String> = hidden.map(|(item, _)| self.index(item)).collect();
        (!hidden.is_empty()).then(|| Stage {
            name: StepMsg::Mask,
            rows: vec![(StepMsg::RowMaskedScore, c.stage(Kept::Masked))],
            quantity: Quantity::MaskedScore(0),
            formula: Box::new(|s| format!(r"\{{ {s}_i,\; -\infty \}}")),
            substituted: Box::new(move |_| {
                let hidden = hidden.iter().map(|index| format!("z_{{{index}}}"));
                listed(hidden.collect(), " = ")
            }),
        })
    }

    fn weights(&self, letter: &str) -> Step {
        let Self { c, tex, .. } = self;
        let seen = c.seen(c.stage(Kept::Masked));
        let (shown, index) = self.shown();
        let own = at(&c.stage(Kept::Masked), shown);
        let weight = at(c.weights(), shown);
        // Not as e with an exponent: that would be the smallest print of all, and it is what matters.
        let power = |x: &f64| format!(r"\exp {}", tex.term(*x));
        let powers = listed(seen.iter().map(power).collect(), " + ");
        let sum = format!(r"\sum_j \exp {letter}_j");
        let (name, formula, of_shown) = match c.spec.normaliser {
            Normaliser::Softmax => (
                StepMsg::Softmax,
                format!(r"\frac{{\exp {letter}_i}}{{{sum}}}"),
                format!(r"\frac{{{}}}{{{powers}}}", power(&own)),
            ),
            Normaliser::SoftmaxPlusOne => (
                StepMsg::SoftmaxPlusOne,
                format!(r"\frac{{\exp {letter}_i}}{{1 + {sum}}}"),
                format!(r"\frac{{{}}}{{1 + {powers}}}", power(&own)),
            ),
            Normaliser::Unnormalised => (
                StepMsg::Unnormalised,
                format!(r"\exp {letter}_i"),
                power(&own),
            ),
            Normaliser::Sigmoid => (
                StepMsg::Sigmoid,
                format!(r"\frac{{1}}{{1 + \exp(-{letter}_i)}}"),
                format!(r"\frac{{1}}{{1 + {}}}", power(&-own)),
            ),
            Normaliser::Uniform => (
                StepMsg::EqualWeights,
                r"\frac{1}{m}".to_owned(),
                format!(r"\frac{{1}}{{{}}}", seen.len()),
            ),
            Normaliser::HardMax => (
                StepMsg::HardMax,
                format!(r"1 \;\Leftarrow\; {letter}_i = \max_j {letter}_j"),
                format!(
                    r"\max{} = {} \;\Rightarrow\; w_{{{index}}}",
                    tex.tuple(seen.iter().copied()),
                    tex.number(own)
                ),
            ),
            Normaliser::Sparsemax => (
                StepMsg::Sparsemax,
                format!(r"\max(0,\; {letter}_i - \tau)"),
                format!(r"{} - {}", tex.number(own), tex.term(own - weight)),
            ),
        };
        let left = match c.spec.normaliser {
            Normaliser::HardMax => String::new(),
            _ => format!("w_{{{index}}} = "),
        };
        // Where nothing is visible there is nothing to divide by.
        let substituted = if seen.is_empty() {
            format!("w = {}", tex.tuple(c.weights().iter().copied()))
        } else {
            left + &tex.equation(&of_shown, weight)
        };
        let mut rows = vec![(StepMsg::RowWeight, c.weights().to_vec())];
        let divides = matches!(
            c.spec.normaliser,
            Normaliser::Softmax | Normaliser::SoftmaxPlusOne
        );
        // Powers that no longer fit a number are left out; the weights (computed from differences) are right all the same.
        let powers = attend_row(&c.inputs, &c.spec, Some(Alteration::NoDivision), c.row).ok();
        let powers = powers.map(|trace| trace.weights.iter().copied().collect::<Vec<_>>());
        let fit = |powers: &Vec<f64>| divides && powers.iter().all(|x| x.is_finite());
        if let Some(powers) = powers.filter(fit) {
            rows.insert(0, (StepMsg::RowExp, powers));
        }
        let texts = (format!("w_i = {formula}"), substituted);
        self.step(&name, texts, rows, Quantity::Weight(0))
    }

    /// The item whose numbers are put in, the visible one with the largest weight, and what stands for it as an index.
    fn shown(&self) -> (usize, String) {
        let weights = self.c.weights().iter().zip(self.c.visible()).enumerate();
        let seen = weights.filter(|(_, (_, seen))| **seen);
        let (item, _) = seen.fold((0, f64::NEG_INFINITY), |most, (i, (weight, _))| {
            if *weight > most.1 { (i, *weight) } else { most }
        });
        (item, self.index(item))
    }

    /// What stands for an item as an index: its word where that is short and plain, else its place.
    fn index(&self, item: usize) -> String {
        const LONGEST: usize = 12;
        let label = self.c.labels(self.words).into_iter().nth(item);
        let plain = |label: &String| {
            let letters = label.chars().all(|c| c.is_ascii_alphabetic());
            letters && !label.is_empty() && label.len() <= LONGEST
        };
        label.filter(plain).map_or_else(
            || (item + 1).to_string(),
            |label| format!(r"\text{{{label}}}"),
        )
    }

    /// What is told of the items: of the visible ones; of all where none is, so that the policy is seen at work.
    fn taking_part<T>(&self, of_items: impl Iterator<Item = T>) -> Vec<T> {
        match self.c.visible_items() {
            0 => of_items.collect(),
            _ => self.c.seen(of_items),
        }
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
        let of_one = c.weights().iter().zip(self.column(0));
        let terms = (self.taking_part(of_one).into_iter())
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
            .map(|(column, x)| {
                let sum = tex.sum(self.taking_part(column.iter().copied()));
                tex.equation(&sum, *x)
            })
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
