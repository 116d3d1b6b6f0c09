//! Named mistakes of a whole array: which wrong computation gives all of it, where one number could be of several.
//!
//! A mistake that explains every cell is told alone; where none does (a slip of the hand besides), those that explain most, if they explain more
//! than the right array does. Shapes are mistakes too: an array that is turned over is looked at the right way round.

use ndarray::{Array2, ArrayView2};

use super::said::{ArrayMsg, HowMsg, MistakeMsg};
use super::wrong::applies;
use super::{MISTAKES, Parting, SAME, near};
use crate::attention::{AttentionError, Inputs, Spec, Stage, Trace, attend, attend_altered};
use crate::words::Words;
use crate::worked_example::{Computed, Operation};

/// A whole array that can be asked for: all queries' rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Array {
    /// (n, dᵥ): the outputs.
    Outputs,
    /// (n, m): a stage.
    Stage(Stage),
}

/// A wrong computation that comes to the array given.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedMatrixMistake {
    /// Stable id ("no-scale"); "transposed" and "wrong-shape" are of the shape alone.
    pub id: &'static str,
    /// 1 for the best; mistakes that explain the array equally well share a rank.
    pub rank: usize,
    /// Whether the array is turned over besides.
    pub is_turned_over: bool,
    /// How many cells it explains (of the array as it is, or turned over).
    pub cells: usize,
    /// The largest difference from what was given, over the cells that are numbers in both.
    pub largest_difference: f64,
    /// The first cell, row by row, in which it differs from what is right; `None` where shapes do.
    pub parts: Option<Parting>,
    /// What happened, and where it first shows: "These outputs come out with …"
    pub sentence: String,
}

/// The mistakes that come to `given`, to `within` a cell (half a unit of the last digit typed): those that explain most cells first, then the
/// smallest largest difference, then as the registry has them. Empty where `given` is right, where nothing explains it, and for weighted values, which
/// have one row.
#[must_use]
pub fn diagnose_matrix(
    computed: &Computed,
    asked: Array,
    given: ArrayView2<'_, f64>,
    within: f64,
    words: &Words,
) -> Vec<NamedMatrixMistake> {
    if computed.counts().is_some() {
        return Vec::new();
    }
    let of = Of {
        inputs: &computed.inputs,
        spec: &computed.spec,
        trace: computed.trace(),
    };
    of.diagnose(asked, given, within, words)
}

/// The same of arrays that are no worked example, with any number of queries.
///
/// # Errors
/// Where the right array cannot be computed.
pub fn diagnose_arrays(
    inputs: &Inputs,
    spec: &Spec,
    asked: Array,
    given: ArrayView2<'_, f64>,
    within: f64,
    words: &Words,
) -> Result<Vec<NamedMatrixMistake>, AttentionError> {
    let trace = &attend(inputs, spec)?;
    let of = Of {
        inputs,
        spec,
        trace,
    };
    Ok(of.diagnose(asked, given, within, words))
}

/// What is computed, and its right run.
struct Of<'a> {
    inputs: &'a Inputs,
    spec: &'a Spec,
    trace: &'a Trace,
}

impl Of<'_> {
    fn diagnose(
        &self,
        asked: Array,
        given: ArrayView2<'_, f64>,
        within: f64,
        words: &Words,
    ) -> Vec<NamedMatrixMistake> {
        let right = asked.of(self.trace);
        let teller = Teller {
            asked,
            right: &right,
            within,
            words,
        };
        let (fits, turned) = (given.dim() == right.dim(), given.t());
        let turns = turned.dim() == right.dim();
        if fits && teller.explained(given, &right) == right.len() {
            return Vec::new();
        }
        if !fits && !turns {
            return vec![teller.wrong_shape(given.dim())];
        }
        let wrong = self.wrong_arrays(asked);
        let whole = |named: &NamedMatrixMistake| named.cells == right.len();
        let as_it_is = if fits {
            teller.best(given, &wrong, false)
        } else {
            Vec::new()
        };
        if as_it_is.iter().any(whole) || !turns {
            return as_it_is;
        }
        if teller.explained(turned, &right) == right.len() {
            return vec![teller.turned_over()];
        }
        let turned = teller.best(turned, &wrong, true);
        if as_it_is.is_empty() || turned.iter().any(whole) {
            turned
        } else {
            as_it_is
        }
    }

    /// Every mistake's array, in the order of the registry; then other arrays of the same shape.
    fn wrong_arrays(&self, asked: Array) -> Vec<Wrong> {
        let Self {
            inputs,
            spec,
            trace,
        } = self;
        let altered = MISTAKES.iter().filter_map(|mistake| {
            let alteration = mistake.alteration.filter(|it| applies(trace, *it))?;
            Some(Wrong {
                id: mistake.id,
                array: asked.of(&attend_altered(inputs, spec, alteration).ok()?),
                said: Said::How(HowMsg::of(alteration)),
            })
        });
        let mut wrong: Vec<Wrong> = altered.collect();
        match asked {
            Array::Outputs => {
                let extremes = [
                    ("highest", Operation::Highest, ArrayMsg::HighestValues),
                    ("lowest", Operation::Lowest, ArrayMsg::LowestValues),
                ];
                wrong.extend(extremes.map(|(id, operation, what)| Wrong {
                    id,
                    array: self.extreme(operation),
                    said: Said::Is(what),
                }));
            }
            Array::Stage(asked) => {
                let others = [
                    ("score-instead", Stage::Scores),
                    ("scaled-score-instead", Stage::Scaled),
                    ("capped-score-instead", Stage::Capped),
                    ("biased-score-instead", Stage::Biased),
                    ("masked-score-instead", Stage::Masked),
                    ("weight-instead", Stage::Weights),
                ];
                let others = others.into_iter().filter(|(_, stage)| *stage != asked);
                wrong.extend(others.map(|(id, stage)| Wrong {
                    id,
                    array: trace.stage(stage),
                    said: Said::Is(ArrayMsg::of_stage(stage)),
                }));
            }
        }
        wrong
    }

    /// (n, dᵥ): the highest or lowest of the values that each query sees; 0 where it sees none.
    fn extreme(&self, operation: Operation) -> Array2<f64> {
        let Self { inputs, trace, .. } = self;
        let mut out = Array2::zeros(trace.output.dim());
        for ((row, component), cell) in out.indexed_iter_mut() {
            let column = inputs.v.column(component);
            let seen = column.into_iter().zip(trace.visible.row(row));
            let seen = seen.filter(|(_, seen)| **seen).map(|(x, _)| *x);
            let found = match operation {
                Operation::Highest => seen.reduce(f64::max),
                _ => seen.reduce(f64::min),
            };
            *cell = found.unwrap_or(0.0);
        }
        out
    }
}

impl Array {
    fn of(self, trace: &Trace) -> Array2<f64> {
        match self {
            Self::Outputs => trace.output.clone(),
            Self::Stage(stage) => trace.stage(stage),
        }
    }
}

/// An array that a mistake comes to, and what there is to say of it.
struct Wrong {
    id: &'static str,
    array: Array2<f64>,
    said: Said,
}

enum Said {
    /// The array asked for, done otherwise.
    How(HowMsg),
    /// Another array, taken for it.
    Is(ArrayMsg),
}

/// What is asked, what is right, and how near is near.
struct Teller<'a> {
    asked: Array,
    right: &'a Array2<f64>,
    within: f64,
    words: &'a Words,
}

impl Teller<'_> {
    /// How many cells of `given` an array of the same shape has.
    fn explained(&self, given: ArrayView2<'_, f64>, array: &Array2<f64>) -> usize {
        let cells = given.iter().zip(array);
        cells.filter(|(a, b)| near(**a, **b, self.within)).count()
    }

    /// The mistakes that explain most of an array of the right shape.
    fn best(
        &self,
        given: ArrayView2<'_, f64>,
        wrong: &[Wrong],
        is_turned_over: bool,
    ) -> Vec<NamedMatrixMistake> {
        let all = self.right.len();
        let by_right = self.explained(given, self.right);
        let parts = |wrong: &Wrong| self.parts(&wrong.array);
        let named = wrong
            .iter()
            .filter(|wrong| wrong.array.dim() == self.right.dim())
            .filter_map(|wrong| {
                let cells = self.explained(given, &wrong.array);
                // Half of the cells by luck, and no better than what is right: that explains nothing.
                if 2 * cells < all || cells <= by_right {
                    return None;
                }
                let parts = parts(wrong)?;
                Some(NamedMatrixMistake {
                    id: wrong.id,
                    rank: 1,
                    is_turned_over,
                    cells,
                    largest_difference: largest_difference(given, &wrong.array),
                    parts: Some(parts),
                    sentence: self.sentence(&wrong.said, is_turned_over, &parts),
                })
            });
        let mut named: Vec<NamedMatrixMistake> = named.collect();
        let most = named.iter().map(|mistake| mistake.cells).max().unwrap_or(0);
        if most == all {
            named.retain(|mistake| mistake.cells == all);
        }
        let size = given.iter().fold(0.0, |size, x| f64::max(size, x.abs()));
        let better = |a: &NamedMatrixMistake, b: &NamedMatrixMistake| {
            let (near_a, near_b) = (a.largest_difference, b.largest_difference);
            let closer = near_a < near_b && !near(near_a, near_b, SAME * size);
            a.cells > b.cells || (a.cells == b.cells && closer)
        };
        let ranks: Vec<usize> = (named.iter())
            .map(|own| 1 + named.iter().filter(|other| better(other, own)).count())
            .collect();
        for (mistake, rank) in named.iter_mut().zip(ranks) {
            mistake.rank = rank;
        }
        named.sort_by_key(|mistake| mistake.rank);
        named
    }

    /// Where an array first differs from the right one.
    fn parts(&self, wrong: &Array2<f64>) -> Option<Parting> {
        let mut cells = self.right.indexed_iter().zip(wrong);
        let differs = |right: f64, wrong: f64| !near(right, wrong, 0.0);
        let (((row, column), right), wrong) = cells.find(|((_, a), b)| differs(**a, **b))?;
        Some(Parting {
            row,
            column,
            right: *right,
            wrong: *wrong,
        })
    }

    fn sentence(&self, said: &Said, is_turned_over: bool, parts: &Parting) -> String {
        let array = self.array();
        let what = match said {
            Said::How(how) if is_turned_over => MistakeMsg::TurnedOverAnd {
                array,
                how: how.clone(),
            },
            Said::How(how) => MistakeMsg::ArrayComesOut {
                array,
                how: how.clone(),
            },
            Said::Is(given) => MistakeMsg::ArrayIs {
                given: given.clone(),
                array,
            },
        };
        let Parting {
            row,
            column,
            right,
            wrong,
        } = *parts;
        let first = MistakeMsg::FirstPart {
            row: row + 1,
            column: column + 1,
            right,
            wrong,
        };
        [self.words.say(&what), self.words.say(&first)].join(" ")
    }

    fn turned_over(&self) -> NamedMatrixMistake {
        let array = self.array();
        NamedMatrixMistake {
            is_turned_over: true,
            cells: self.right.len(),
            ..of_shape(
                "transposed",
                self.words.say(&MistakeMsg::TurnedOver { array }),
            )
        }
    }

    fn wrong_shape(&self, (given_rows, given_columns): (usize, usize)) -> NamedMatrixMistake {
        let (rows, columns) = self.right.dim();
        let said = MistakeMsg::WrongShape {
            array: self.array(),
            rows,
            columns,
            given_rows,
            given_columns,
        };
        of_shape("wrong-shape", self.words.say(&said))
    }

    fn array(&self) -> ArrayMsg {
        match self.asked {
            Array::Outputs => ArrayMsg::Outputs,
            Array::Stage(stage) => ArrayMsg::of_stage(stage),
        }
    }
}

/// A mistake of the shape alone.
fn of_shape(id: &'static str, sentence: String) -> NamedMatrixMistake {
    NamedMatrixMistake {
        id,
        rank: 1,
        is_turned_over: false,
        cells: 0,
        largest_difference: 0.0,
        parts: None,
        sentence,
    }
}

fn largest_difference(given: ArrayView2<'_, f64>, array: &Array2<f64>) -> f64 {
    let cells = given.iter().zip(array).filter(|(a, b)| a != b);
    let differences = cells.map(|(a, b)| (a - b).abs());
    differences
        .filter(|difference| difference.is_finite())
        .fold(0.0, f64::max)
}
