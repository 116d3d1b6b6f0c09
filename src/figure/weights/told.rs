//! The table of the weights: from queries and keys over scores and weights to the output, tokens as columns.

use super::super::said::{FigureMsg as M, row_of, subscript};
use super::super::{Cell, CellEdit, FigureInput, Moment, Row, Table, Target};
use super::guessed;
use crate::attention::{Positions, Stage};
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
        convention_rows(&mut rows, input);
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
                let seen = computed.visible().get(i).copied().unwrap_or(true);
                (!after && seen).then(|| CellEdit {
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

/// What is given besides q, k and v about the focus word's row: what it sees, where something is hidden, and what is added.
fn convention_rows(rows: &mut Vec<Row>, input: &FigureInput) {
    let (words, computed) = (input.words, input.computed);
    let bias = computed.bias();
    if !bias.is_empty() {
        let name = words.say(&M::BiasRow);
        rows.push(row(
            name,
            Ink::Text,
            &bias,
            Vec::new(),
            String::new(),
            words,
        ));
    }
    if computed.visible().contains(&false) {
        let cell = |seen: &bool| Cell {
            text: words.say(if *seen { &M::Seen } else { &M::Hidden }),
            ink: if *seen { Ink::Text } else { Ink::Quiet },
            strong: false,
            edit: None,
        };
        rows.push(Row {
            name: words.say(&M::VisibleRow),
            ink: Ink::Text,
            cells: computed.visible().iter().map(cell).collect(),
            result: String::new(),
        });
    }
}

/// What the engine computed, stage by stage.
fn computed_rows(rows: &mut Vec<Row>, input: &FigureInput, columns: &[String]) {
    let (words, computed) = (input.words, input.computed);
    let attention = matches!(input.example, WorkedExample::Attention(_));
    if attention {
        let spec = computed.spec();
        let adds = !computed.bias().is_empty() || spec.positions == Positions::Alibi;
        let masks = computed.visible().contains(&false) || spec.temperature != 1.0;
        for (stage, name, told) in [
            (Stage::Scores, M::ScoresRow, true),
            (Stage::Scaled, M::ScaledScoresRow, true),
            (Stage::Capped, M::CappedScoresRow, spec.softcap.is_some()),
            (Stage::Biased, M::BiasedScoresRow, adds),
            (Stage::Masked, M::MaskedScoresRow, masks),
        ] {
            if told {
                let (name, numbers) = (words.say(&name), computed.stage(stage));
                rows.push(row(
                    name,
                    Ink::Text,
                    &numbers,
                    Vec::new(),
                    String::new(),
                    words,
                ));
            }
        }
    }
    let item = |i: usize| columns.get(i).cloned().unwrap_or_default();
    let weights = computed.weights();
    let visible = computed.visible();
    let edits = weights
        .iter()
        .zip(visible)
        .enumerate()
        .map(|(i, (w, seen))| {
            seen.then(|| CellEdit {
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
