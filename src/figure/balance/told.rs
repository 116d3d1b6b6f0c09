//! The balance in words: its table (people, weights, equal weights, and what each comes to) and its sentence.

use super::super::place::{round_domain, step_of};
use super::super::said::{FigureMsg as M, in_words, listed, row_of};
use super::super::{Cell, CellEdit, FigureInput, Moment, Row, Table, Target};
use super::Numbers;
use crate::text::Ink;
use crate::worked_example::{Edit, Quantity, WeightedValues};

/// More items than this, and a row's working is left out: only its result is told.
const MOST_TERMS: usize = 4;

/// The table of the beam; before the answer only who holds what.
pub(super) fn table(input: &FigureInput, example: &WeightedValues, numbers: &Numbers) -> Table {
    let (words, computed) = (input.words, input.computed);
    let after = input.moment == Moment::After;
    let columns = computed.labels(words);
    let values = &example.values;
    let heads = (values.iter().zip(&columns).enumerate())
        .map(|(i, (value, column))| {
            after.then(|| CellEdit {
                name: words.say(&M::ValueCell {
                    column: column.clone(),
                }),
                value: *value,
                range: (-1e9, 1e9),
                step: step_of(values, round_domain(values.iter().copied())),
                target: Target::Edit(Edit::Value(i, *value)),
            })
        })
        .collect();
    let edited = |i: usize, name: M, value: f64, most: f64, step: f64, edit: Edit| {
        after
            .then(|| CellEdit {
                name: words.say(&name),
                value,
                range: (0.0, most),
                step,
                target: Target::Edit(edit),
            })
            .filter(|_| i < values.len())
    };
    let column = |i: usize| columns.get(i).cloned().unwrap_or_default();
    let cell = |text: String, ink, edit| Cell {
        text,
        ink,
        strong: false,
        edit,
    };

    let whole = example.counts.iter().all(|c| c.fract() == 0.0);
    let total: f64 = example.counts.iter().sum();
    let counts = (row_of(&example.counts, words)
        .into_iter()
        .zip(&example.counts)
        .enumerate())
    .map(|(i, (text, n))| {
        let step = if whole { 1.0 } else { 0.1 };
        cell(
            text,
            Ink::Text,
            edited(
                i,
                M::CountCell { column: column(i) },
                *n,
                1e9,
                step,
                Edit::Count(i, *n),
            ),
        )
    })
    .collect();
    let counts_name = if example.holders.is_empty() {
        words.say(&M::CountsRow)
    } else {
        example.holders.clone()
    };
    let mut rows = vec![Row {
        name: counts_name,
        ink: Ink::Text,
        cells: counts,
        result: words.say(&M::Together { n: total }),
    }];
    if after {
        let weights = computed.weights();
        let few = values.len() <= MOST_TERMS;
        let terms = |xs: &[f64]| {
            xs.iter()
                .map(|x| bracketed(words.number(*x)))
                .collect::<Vec<_>>()
                .join(" + ")
        };
        let weighted: Vec<f64> = (0..values.len())
            .filter_map(|i| computed.number(Quantity::WeightedValue(i, 0)))
            .collect();
        let equals = |working: String, result: f64| {
            if few {
                format!("{working} {}", words.equals(result))
            } else {
                words.equals(result)
            }
        };
        rows.push(Row {
            name: words.say(&M::WeightsRow),
            ink: Ink::WeightedAverage,
            cells: (row_of(weights, words).into_iter().zip(weights).enumerate())
                .map(|(i, (text, w))| {
                    cell(
                        text,
                        Ink::Text,
                        edited(
                            i,
                            M::WeightCell { column: column(i) },
                            *w,
                            1.0,
                            0.01,
                            Edit::Weight(i, *w),
                        ),
                    )
                })
                .collect(),
            result: equals(terms(&weighted), numbers.weighted_average),
        });
        let share = format!("1/{}", values.len());
        rows.push(Row {
            name: words.say(&M::EqualWeightsRow),
            ink: Ink::PlainMean,
            cells: values
                .iter()
                .map(|_| cell(share.clone(), Ink::Text, None))
                .collect(),
            result: equals(
                format!("({}) / {}", terms(values), values.len()),
                numbers.plain_mean,
            ),
        });
        for (name, ink, number) in [
            (M::SumRow, Ink::Sum, numbers.sum),
            (M::HighestRow, Ink::Highest, numbers.highest),
            (M::LowestRow, Ink::Lowest, numbers.lowest),
        ] {
            rows.push(Row {
                name: words.say(&name),
                ink,
                cells: Vec::new(),
                result: words.number(number),
            });
        }
    }
    Table {
        columns,
        heads,
        rows,
    }
}

/// A negative term keeps its sign apart from the plus before it.
fn bracketed(number: String) -> String {
    if number.starts_with(crate::words::number::MINUS) {
        format!("({number})")
    } else {
        number
    }
}

/// The beam, said.
pub(super) fn sentence(input: &FigureInput, example: &WeightedValues, numbers: &Numbers) -> String {
    let words = input.words;
    let columns: Vec<String> = (example.values.iter().zip(&example.counts))
        .map(|(value, n)| {
            words.say(&M::CountAt {
                n: *n,
                value: *value,
            })
        })
        .collect();
    let mut said = vec![words.say(&M::BeamWith {
        list: listed(&columns, words),
    })];
    match input.moment {
        Moment::Before => said.push(input.guess.wedge.map_or_else(
            || words.say(&M::NoGuess),
            |at| words.say(&M::GuessAt { at }),
        )),
        Moment::After => {
            let Numbers {
                weighted_average: average,
                plain_mean: mean,
                mean_of_all,
                sum,
                highest,
                lowest,
            } = *numbers;
            if let Some(at) = input
                .released
                .filter(|at| !crate::figure::said::alike(*at, average, words))
            {
                said.push(words.say(&M::TipsAt {
                    tips: words.number(at),
                    at: words.number(average),
                }));
            } else {
                said.push(words.say(&M::BalancesAt {
                    at: words.number(average),
                }));
            }
            let n = in_words(example.values.len(), words);
            said.push(words.say(&M::BeamResult {
                average,
                n,
                mean,
                sum,
                highest,
                lowest,
            }));
            let total: f64 = example.counts.iter().sum();
            if input.written_out && total.fract() == 0.0 {
                let each = format!("1/{}", words.number(total));
                said.push(words.say(&M::BeamWrittenOut {
                    n: total as usize,
                    each,
                    mean: mean_of_all,
                }));
            }
        }
    }
    said.join(" ")
}
