//! The attention weights of the focus word as bars on the absolute scale from 0 to 1, against the uniform weight.
//!
//! Before the answer the bars are the learner's own guess (equal at first); after it the guess stays as outlines over the computed bars.

mod told;

pub(super) use told::table;

use super::said::{FigureMsg as M, inked, listed, row_of, spans, vector};
use super::{Bar, Chart, Drawing, FigureInput, Moment, Picture, Reference, Target};
use crate::text::{Ink, Span};
use crate::words::Words;
use crate::worked_example::{Edit, Quantity, WorkedExample};

/// In less height than this, the chart takes all of it and leaves none to a table.
const LEAST_PT: f32 = 280.0;
/// The tallest chart, as a share of its width.
const TALLEST: f32 = 0.9;

/// The bars of any example.
pub(super) fn draw(input: &FigureInput) -> Option<Drawing> {
    let (words, computed) = (input.words, input.computed);
    let labels = computed.labels(words);
    let uniform = share_of(computed.uniform_weight(), words);
    let (heights, ink) = match input.moment {
        Moment::Before => (guessed(input), Ink::BlockStrong),
        Moment::After => (computed.weights().to_vec(), Ink::WeightedAverage),
    };
    let said = row_of(&heights, words);
    let visible = computed.visible();
    let bars = (labels.iter().zip(heights.iter().zip(&said)).enumerate())
        .map(|(i, (label, (height, said)))| {
            let seen = visible.get(i).copied().unwrap_or(true);
            let item = label.clone();
            let (name, guess, target) = match input.moment {
                Moment::Before => (M::YourWeightOf { item }, None, Target::GuessWeight(i)),
                Moment::After => {
                    let guess = input.guess.weights.as_ref().and_then(|w| w.get(i).copied());
                    (
                        M::WeightOf { item },
                        guess,
                        Target::Edit(Edit::Weight(i, *height)),
                    )
                }
            };
            let said = if seen {
                said.clone()
            } else {
                words.say(&M::Hidden)
            };
            Bar {
                label: label.clone(),
                name: words.say(&name),
                height: *height,
                said,
                ink,
                hatched: !seen,
                guess: guess.filter(|_| seen),
                // A hidden key has no weight that could be set.
                target: seen.then_some(target),
            }
        })
        .collect();
    let table = told::table(input);
    let room = table.room_over(input, LEAST_PT);
    let width = input.size[0].max(160.0);
    // Weights go from 0 to 1; what is no softmax may go higher.
    let highest = heights.iter().copied().fold(1.0, f64::max);
    let top = highest.min(1e9).ceil();
    let outlined = input.moment == Moment::After && input.guess.weights.is_some();
    let chart = Chart {
        y_label: words.say(match (&input.example, outlined) {
            (_, true) => &M::WeightAndGuess,
            (WorkedExample::Attention(_), _) => &M::AttentionWeight,
            (WorkedExample::WeightedValues(_), _) => &M::Weight,
        }),
        y_range: (0.0, top),
        y_ticks: [0.0, top / 2.0, top].map(|y| (y, words.number(y))).to_vec(),
        size: [width, room.min(TALLEST * width).max(140.0)],
        bars,
        references: (visible.contains(&true))
            .then(|| Reference {
                at: computed.uniform_weight(),
                label: words.say(&M::Uniform { share: uniform }),
                ink: Ink::PlainMean,
            })
            .into_iter()
            .collect(),
    };
    Some(Drawing {
        headline: headline(input, &labels),
        picture: Picture::Chart(chart),
        table,
        sentence: sentence(input, &labels),
    })
}

/// The learner's bars: as she set them, equal at first (those of hidden keys 0).
pub(super) fn guessed(input: &FigureInput) -> Vec<f64> {
    let n = input.computed.items();
    let set = input.guess.weights.clone().filter(|w| w.len() == n);
    let equal = input.computed.uniform_weight();
    let visible = input.computed.visible().iter();
    set.unwrap_or_else(|| {
        visible
            .map(|seen| if *seen { equal } else { 0.0 })
            .collect()
    })
}

/// "1/5" for the uniform weight of five keys.
pub(super) fn share_of(weight: f64, words: &Words) -> String {
    let n = (1.0 / weight).round();
    if n >= 1.0 && (weight * n - 1.0).abs() < 1e-9 {
        format!("1/{}", words.number(n))
    } else {
        words.number(weight)
    }
}

/// The focus word of attention.
pub(super) fn focus_word(example: &WorkedExample) -> Option<String> {
    match example {
        WorkedExample::Attention(attention) => attention.tokens.get(attention.focus).cloned(),
        WorkedExample::WeightedValues(_) => None,
    }
}

fn headline(input: &FigureInput, labels: &[String]) -> Vec<Span> {
    let (words, word) = (input.words, focus_word(input.example));
    if input.moment == Moment::Before {
        return match word {
            Some(word) => spans(&M::PredictWeights { word }, words),
            None => spans(&M::PredictShares, words),
        };
    }
    let weights = input.computed.weights();
    let seen = (weights.iter().zip(input.computed.visible())).filter(|(_, seen)| **seen);
    let seen: Vec<f64> = seen.map(|(weight, _)| *weight).collect();
    if let (Some(word), []) = (&word, seen.as_slice()) {
        return spans(&M::SeesNothing { word: word.clone() }, words);
    }
    let most = weights.iter().copied().fold(0.0, f64::max);
    let same = |w: f64| (w - most).abs() <= 1e-9;
    if seen.len() > 1 && seen.iter().all(|w| same(*w)) {
        let each = inked(&share_of(most, words), Ink::WeightedAverage);
        return spans(&M::WeightsEqual { each }, words);
    }
    let of_most: Vec<String> = labels
        .iter()
        .zip(weights)
        .filter(|(_, w)| same(**w))
        .map(|(label, _)| label.clone())
        .collect();
    let most_label = listed(&of_most, words);
    let weight = inked(&words.number(most), Ink::WeightedAverage);
    match word {
        Some(word) => spans(
            &M::WeightsOf {
                word,
                most: most_label,
                weight,
            },
            words,
        ),
        None => spans(
            &M::SharesOf {
                most: most_label,
                weight,
            },
            words,
        ),
    }
}

fn sentence(input: &FigureInput, labels: &[String]) -> String {
    let (words, computed) = (input.words, input.computed);
    let visible = computed.visible();
    let list = |numbers: &[f64]| {
        let items = labels.iter().zip(numbers).zip(visible);
        let items: Vec<String> = items
            .filter(|(_, seen)| **seen)
            .map(|((item, value), _)| {
                words.say(&M::ItemIs {
                    item: item.clone(),
                    value: *value,
                })
            })
            .collect();
        listed(&items, words)
    };
    let hidden = labels.iter().zip(visible).filter(|(_, seen)| !**seen);
    let hidden: Vec<String> = hidden.map(|(label, _)| label.clone()).collect();
    let hidden = (!hidden.is_empty()).then(|| {
        words.say(&M::HiddenAre {
            list: listed(&hidden, words),
        })
    });
    let mut said = match (input.moment, focus_word(input.example)) {
        (Moment::Before, word) => {
            let ask = word.map_or(words.say(&M::PredictShares), |word| {
                words.say(&M::PredictWeights { word })
            });
            let guess = words.say(&M::YourWeightsAre {
                list: list(&guessed(input)),
            });
            return [ask]
                .into_iter()
                .chain(hidden)
                .chain([guess])
                .collect::<Vec<_>>()
                .join(" ");
        }
        (Moment::After, Some(word)) if !visible.contains(&true) => {
            vec![words.say(&M::SeesNothing { word })]
        }
        (Moment::After, _) => {
            let output: Vec<f64> = (0..computed.value_width())
                .filter_map(|c| computed.number(Quantity::Output(c)))
                .collect();
            let (list, output) = (list(computed.weights()), vector(&output, words));
            vec![words.say(&if computed.is_average() {
                M::WeightsAre {
                    list,
                    uniform: computed.uniform_weight(),
                    output,
                }
            } else {
                M::WeightsSumTo {
                    list,
                    sum: computed.weights().iter().sum(),
                    output,
                }
            })]
        }
    };
    said.extend(hidden);
    if let Some(guess) = &input.guess.weights {
        said.push(words.say(&M::YourWeightsAre { list: list(guess) }));
    }
    said.join(" ")
}
