//! The table of the weights: from queries and keys over scores and weights to the output, tokens as columns.

use super::super::said::{FigureMsg as M, row_of, subscript};
use super::super::{Cell, CellEdit, FigureInput, Moment, Row, Table, Target};
use super::guessed;
use crate::text::Ink;
use crate::words::Words;
use crate::worked_example::{AttentionExample, Edit, Quantity, WorkedExample};

/// The table of any example; before the answer only what the example is given by, and the learner's own weights.
pub(in crate::figure) fn table(input: &FigureInput) -> Table {
    let (words, computed) = (input.words, input.computed);
    let columns = computed.labels(words);
    let after = input.moment == Moment::After;
    let mut rows = Vec::new();
    if let WorkedExample::Attention(example) = input.example {
        given_rows(&mut rows, example, &columns, after, words);
    }
    if after {
        computed_rows(&mut rows, input, &columns);
    }
    if !after || input.guess.weights.is_some() {
        let guess = guessed(input);
        let edits = columns
            .iter()
            .zip(&guess)
            .enumerate()
            .map(|(i, (item, value))| {
                (!after).then(|| CellEdit {
                    name: words.say(&M::YourWeightOf { item: item.clone() }),
                    value: *value,
                    range: (0.0, 1.0),
                    step: 0.01,
                    target: Target::GuessWeight(i),
                })
            });
        rows.push(row(
            words.say(&M::YourWeightsRow),
            Ink::Text,
            &guess,
            edits.collect(),
            String::new(),
            words,
        ));
    }
    Table {
        columns,
        heads: Vec::new(),
        rows,
    }
}

/// q, k and v as they are given.
fn given_rows(
    rows: &mut Vec<Row>,
    example: &AttentionExample,
    columns: &[String],
    after: bool,
    words: &Words,
) {
    let AttentionExample { q, k, v, focus, .. } = example;
    let editable = |name: M, value: f64, edit: Edit| {
        after.then(|| CellEdit {
            name: words.say(&name),
            value,
            range: (-1e6, 1e6),
            step: 0.1,
            target: Target::Edit(edit),
        })
    };
    for c in 0..q.ncols() {
        let component = subscript(c, q.ncols());
        let numbers: Vec<f64> = q.column(c).to_vec();
        let texts = row_of(&numbers, words);
        // A lone query is the focus word's: it stands in that word's column.
        let lone = q.nrows() == 1 && columns.len() > 1;
        let cells = (0..columns.len())
            .map(|i| {
                let r = if lone {
                    if i == *focus { Some(0) } else { None }
                } else {
                    Some(i)
                };
                let found = r.and_then(|r| Some((r, texts.get(r)?.clone(), *numbers.get(r)?)));
                let Some((r, text, value)) = found else {
                    return Cell {
                        text: String::new(),
                        ink: Ink::Quiet,
                        strong: false,
                        edit: None,
                    };
                };
                if i != *focus {
                    return Cell {
                        text,
                        ink: Ink::Quiet,
                        strong: false,
                        edit: None,
                    };
                }
                let item = columns.get(i).cloned().unwrap_or_default();
                Cell {
                    text,
                    ink: Ink::Text,
                    strong: true,
                    edit: editable(
                        M::QueryCell {
                            component: c + 1,
                            item,
                        },
                        value,
                        Edit::Query(r, c, value),
                    ),
                }
            })
            .collect();
        rows.push(Row {
            name: words.say(&M::QueryRow { component }),
            ink: Ink::Text,
            cells,
            result: String::new(),
        });
    }
    for c in 0..k.ncols() {
        let numbers: Vec<f64> = k.column(c).to_vec();
        let edits = numbers.iter().enumerate().map(|(i, x)| {
            let item = columns.get(i).cloned().unwrap_or_default();
            editable(
                M::KeyCell {
                    component: c + 1,
                    item,
                },
                *x,
                Edit::Key(i, c, *x),
            )
        });
        let name = words.say(&M::KeyRow {
            component: subscript(c, k.ncols()),
        });
        rows.push(row(
            name,
            Ink::Text,
            &numbers,
            edits.collect(),
            String::new(),
            words,
        ));
    }
    if !after {
        for c in 0..v.ncols() {
            let name = words.say(&M::ValueRow {
                component: subscript(c, v.ncols()),
            });
            rows.push(row(
                name,
                Ink::Text,
                &v.column(c).to_vec(),
                Vec::new(),
                String::new(),
                words,
            ));
        }
    }
}

/// What the engine computed, stage by stage.
fn computed_rows(rows: &mut Vec<Row>, input: &FigureInput, columns: &[String]) {
    let (words, computed) = (input.words, input.computed);
    let attention = matches!(input.example, WorkedExample::Attention(_));
    if attention {
        rows.push(row(
            words.say(&M::ScoresRow),
            Ink::Text,
            computed.scores(),
            Vec::new(),
            String::new(),
            words,
        ));
        rows.push(row(
            words.say(&M::ScaledScoresRow),
            Ink::Text,
            &computed.scaled_scores(),
            Vec::new(),
            String::new(),
            words,
        ));
    }
    let item = |i: usize| columns.get(i).cloned().unwrap_or_default();
    let weights = computed.weights();
    let edits = weights.iter().enumerate().map(|(i, w)| {
        Some(CellEdit {
            name: words.say(&M::WeightOf { item: item(i) }),
            value: *w,
            range: (0.0, 1.0),
            step: 0.01,
            target: Target::Edit(Edit::Weight(i, *w)),
        })
    });
    let name = words.say(if attention {
        &M::AttentionWeightsRow
    } else {
        &M::SharesRow
    });
    rows.push(row(
        name,
        Ink::WeightedAverage,
        weights,
        edits.collect(),
        // That they sum to one is what makes the output a weighted average.
        words.say(&M::OutputIs {
            output: words.number(weights.iter().sum()),
        }),
        words,
    ));
    let width = computed.value_width();
    for c in 0..width {
        let component = subscript(c, width);
        let of = |quantity: fn(usize, usize) -> Quantity| -> Vec<f64> {
            (0..columns.len())
                .filter_map(|i| computed.number(quantity(i, c)))
                .collect()
        };
        let values = of(Quantity::Value);
        let edits = values.iter().enumerate().map(|(i, v)| {
            let step = if v.abs() >= 10.0 { 1.0 } else { 0.1 };
            let edit = if attention {
                Edit::ValueCell(i, c, *v)
            } else {
                Edit::Value(i, *v)
            };
            let name = words.say(&M::ValueOf {
                component: c + 1,
                item: item(i),
            });
            Some(CellEdit {
                name,
                value: *v,
                range: (-1e9, 1e9),
                step,
                target: Target::Edit(edit),
            })
        });
        let name = if attention {
            words.say(&M::ValueRow {
                component: component.clone(),
            })
        } else if let WorkedExample::WeightedValues(example) = input.example
            && !example.unit.is_empty()
        {
            example.unit.clone()
        } else {
            words.say(&M::ValuesRow)
        };
        rows.push(row(
            name,
            Ink::Text,
            &values,
            edits.collect(),
            String::new(),
            words,
        ));
        let output = computed
            .number(Quantity::Output(c))
            .map(|x| {
                words.say(&M::OutputIs {
                    output: words.number(x),
                })
            })
            .unwrap_or_default();
        let name = words.say(&M::WeightedValuesRow { component });
        rows.push(row(
            name,
            Ink::WeightedAverage,
            &of(Quantity::WeightedValue),
            Vec::new(),
            output,
            words,
        ));
    }
}

/// One row of numbers.
fn row(
    name: String,
    ink: Ink,
    numbers: &[f64],
    edits: Vec<Option<CellEdit>>,
    result: String,
    words: &Words,
) -> Row {
    let mut edits = edits.into_iter();
    let cells = (row_of(numbers, words).into_iter())
        .map(|text| Cell {
            text,
            ink: Ink::Text,
            strong: false,
            edit: edits.next().flatten(),
        })
        .collect();
    Row {
        name,
        ink,
        cells,
        result,
    }
}
