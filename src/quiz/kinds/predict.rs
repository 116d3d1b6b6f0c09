//! Set the attention weights before they are shown; credit is one minus the total variation between the guess and the truth.

use super::{KindMsg, Place, QuestionKind, empty_explanation};
use crate::quiz::fault::QuizFault;
use crate::quiz::file::Num;
use crate::quiz::fill::Filling;
use crate::quiz::form::{Answer, Form, Marking, Verdict};
use crate::quiz::names;
use crate::quiz::reading::Reading;
use crate::quiz::template::Template;
use crate::text::Document;
use crate::worked_example::Quantity;

/// What stands in a file: `Predict(close: 0.1)`.
#[derive(Debug, serde::Deserialize)]
#[serde(rename = "Predict", deny_unknown_fields)]
pub struct File {
    #[serde(default)]
    close: Option<Num>,
}

/// How close is right.
#[derive(Clone, Debug)]
pub struct Predict {
    /// The largest total variation that is right, 0 to 1.
    pub close: f64,
}

/// Right within this total variation where the author says nothing.
const CLOSE: f64 = 0.1;

/// Guessed weights may miss the sum 1 by this much (bars are set to hundredths); they are scaled to it.
const SUM_WITHIN: f64 = 0.02;

impl Predict {
    pub(super) fn read(file: &File, place: &Place, reading: &mut Reading<'_>) -> Option<Self> {
        let before = reading.errors;
        if !reading.lacks_example(&place.range) && reading.example.map_or(0, names::item_count) < 2
        {
            reading.tell(QuizFault::PredictOneItem, place.range.clone());
        }
        let close = file.close.as_ref().map_or(Some(CLOSE), |close| {
            let value = reading.number(close)?;
            if !(0.0..=1.0).contains(&value) {
                reading.tell(QuizFault::CloseOutside, close.range.clone());
            }
            Some(value)
        });
        close
            .filter(|_| reading.errors == before)
            .map(|close| Self { close })
    }
}

/// Half the sum of the differences: the weight that stands in the wrong place, 0 to 1.
#[must_use]
pub fn total_variation(a: &[f64], b: &[f64]) -> f64 {
    0.5 * a.iter().zip(b).map(|(x, y)| (x - y).abs()).sum::<f64>()
}

/// The guess as weights that sum to 1, or why it is none.
fn guess(answer: &Answer, items: usize) -> Result<Vec<f64>, KindMsg> {
    let all = KindMsg::SetAllWeights { items };
    let Answer::Weights(given) = answer else {
        return Err(all);
    };
    if given.len() != items || given.iter().any(|w| !w.is_finite() || *w < 0.0) {
        return Err(all);
    }
    let sum: f64 = given.iter().sum();
    if (sum - 1.0).abs() > SUM_WITHIN {
        return Err(KindMsg::WeightsMustSumToOne { sum });
    }
    Ok(given.iter().map(|w| w / sum).collect())
}

impl QuestionKind for Predict {
    fn form(&self, filling: &Filling<'_>) -> Form {
        let labels = filling
            .example
            .map(|e| e.labels(filling.words))
            .unwrap_or_default();
        // A hidden key has no weight, which is no secret.
        let start = filling.example.map_or_else(Vec::new, |example| {
            let equal = example.uniform_weight();
            let visible = example.visible().iter();
            visible
                .map(|seen| if *seen { equal } else { 0.0 })
                .collect()
        });
        Form::Weights { start, labels }
    }

    fn mark(&self, answer: &Answer, filling: &Filling<'_>) -> Marking {
        let Some(example) = filling.example else {
            return Marking::NotCounted(filling.words.say(&KindMsg::NeedsNumbers));
        };
        let weights = example.weights();
        let guess = match guess(answer, weights.len()) {
            Ok(guess) => guess,
            Err(why) => return Marking::NotCounted(filling.words.say(&why)),
        };
        let apart = total_variation(&guess, weights);
        let credit = (1.0 - apart).clamp(0.0, 1.0);
        let is_right = apart <= self.close + 1e-9;
        let farthest = guess
            .iter()
            .zip(weights)
            .zip(example.labels(filling.words))
            .max_by(|((a, b), _), ((c, d), _)| (*a - *b).abs().total_cmp(&(*c - *d).abs()));
        let reply = match farthest {
            Some(((given, is), label)) if !is_right => KindMsg::PredictedApart {
                apart,
                label,
                given: *given,
                is: *is,
            },
            _ => KindMsg::PredictedWell { apart },
        };
        let mut explanation = empty_explanation();
        explanation.reply = Document::plain(filling.words.say(&reply));
        explanation.right = self.right_answer(filling);
        explanation.predicted = Some((guess, weights.to_vec()));
        let verdict = match (is_right, credit > 0.0) {
            (true, _) => Verdict::Right,
            (false, true) => Verdict::Partly,
            (false, false) => Verdict::Wrong,
        };
        Marking::Marked {
            verdict,
            credit,
            mistakes: Vec::new(),
            explanation: Box::new(explanation),
        }
    }

    fn right_answer(&self, filling: &Filling<'_>) -> Option<String> {
        let example = filling.example?;
        let of = |(label, weight): (String, &f64)| {
            filling.number(*weight);
            filling.words.say(&KindMsg::WeightOf {
                label,
                weight: *weight,
            })
        };
        let all: Vec<String> = example
            .labels(filling.words)
            .into_iter()
            .zip(example.weights())
            .map(of)
            .collect();
        Some(all.join(filling.separator()))
    }

    fn texts(&self) -> Vec<&Template> {
        Vec::new()
    }

    fn follows_numbers(&self, _: Option<Quantity>) -> bool {
        true
    }

    fn matters(&self, out: &mut String) {
        out.push_str(&format!("{:?}\n", self.close));
    }
}
