//! Pick the one right choice; each may claim an operation, whose number and colour it shows afterwards.

use std::ops::Range;

use super::{KindMsg, Place, QuestionKind, Wanted, empty_explanation, ids, ink_of};
use crate::quiz::fault::QuizFault;
use crate::quiz::file::{NumberName, Text};
use crate::quiz::fill::Filling;
use crate::quiz::form::{Answer, ChoiceState, ExplainedChoice, Form, FormChoice, Marking, Verdict};
use crate::quiz::names::operation_of;
use crate::quiz::reading::Reading;
use crate::quiz::template::Template;
use crate::quiz::tree::Spanned;
use crate::worked_example::{NamedMistake, Operation, Quantity, diagnose};

/// What stands in a file: `OneOf([Wrong(text: …), Right(text: …)])`.
pub type File = Vec<Spanned<ChoiceFile>>;

/// A choice as it stands in a file.
#[derive(Debug, serde::Deserialize)]
pub enum ChoiceFile {
    /// The right one.
    Right(ChoiceBody),
    /// Another.
    Wrong(ChoiceBody),
}

/// What a choice consists of.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChoiceBody {
    text: Text,
    #[serde(default)]
    claims: Option<NumberName>,
    #[serde(default)]
    why: Option<Text>,
    #[serde(default)]
    id: Option<Text>,
}

/// The choices, exactly one of them right.
#[derive(Clone, Debug)]
pub struct OneOf {
    /// In the order of the file.
    pub choices: Vec<Choice>,
}

/// A choice.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Stable id within the question.
    pub id: String,
    /// Whether it is right.
    pub is_right: bool,
    /// Its text.
    pub text: Template,
    /// What it asserts, and where that stands in the source.
    pub claims: Option<(Quantity, Range<usize>)>,
    /// The reason, beginning with what is true in it.
    pub why: Option<Template>,
    /// Where it stands in the source.
    pub range: Range<usize>,
}

impl OneOf {
    pub(super) fn read(file: &File, place: &Place, reading: &mut Reading<'_>) -> Option<Self> {
        let before = reading.errors;
        let bodies: Vec<(&ChoiceBody, bool, &Range<usize>)> = file
            .iter()
            .map(|choice| match &choice.value {
                ChoiceFile::Right(body) => (body, true, &choice.range),
                ChoiceFile::Wrong(body) => (body, false, &choice.range),
            })
            .collect();
        let right: Vec<&Range<usize>> = bodies
            .iter()
            .filter(|(_, r, _)| *r)
            .map(|(_, _, range)| *range)
            .collect();
        match right.as_slice() {
            [] if bodies.is_empty() => {}
            [] => reading.tell(QuizFault::NoRightChoice, place.range.clone()),
            [_] => {}
            [first, .., last] => {
                let fault = QuizFault::SeveralRight { right: right.len() };
                reading.tell_with_first(fault, (*last).clone(), (*first).clone());
            }
        }
        if bodies.len() < 2 {
            reading.tell(
                QuizFault::TooFewChoices {
                    choices: bodies.len(),
                },
                place.range.clone(),
            );
        }
        for (i, (body, _, _)) in bodies.iter().enumerate() {
            let text = |b: &ChoiceBody| {
                b.text
                    .value
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ")
            };
            let same = bodies
                .iter()
                .take(i)
                .find(|(other, _, _)| text(other) == text(body));
            if let Some((other, _, _)) = same {
                let (here, first) = (body.text.range.clone(), other.text.range.clone());
                reading.tell_with_first(QuizFault::ChoicesSameText, here, first);
            }
        }
        let source = std::sync::Arc::clone(reading.source);
        let wanted: Vec<Wanted<'_>> = bodies
            .iter()
            .map(|(body, _, range)| Wanted {
                id: body.id.as_ref(),
                claim: body
                    .claims
                    .as_ref()
                    .and_then(|c| source.text.get(c.range.clone())),
                text: &body.text.value,
                range: body
                    .id
                    .as_ref()
                    .map_or_else(|| (*range).clone(), |id| id.range.clone()),
            })
            .collect();
        let ids = ids(&wanted, reading);
        let choices: Vec<Choice> = bodies
            .iter()
            .zip(ids)
            .filter_map(|((body, is_right, range), id)| {
                let text = reading.template(&body.text);
                let claims = body
                    .claims
                    .as_ref()
                    .and_then(|c| Some((reading.quantity(c)?.quantity, c.range.clone())));
                let why = reading.optional(body.why.as_ref());
                Some(Choice {
                    id,
                    is_right: *is_right,
                    text: text?,
                    claims,
                    why,
                    range: (*range).clone(),
                })
            })
            .collect();
        (reading.errors == before).then_some(Self { choices })
    }

    /// The right choice.
    #[must_use]
    pub fn right(&self) -> Option<&Choice> {
        self.choices.iter().find(|c| c.is_right)
    }
}

impl Choice {
    /// The mistakes that give what a wrong choice claims.
    fn mistakes(&self, filling: &Filling<'_>) -> Vec<NamedMistake> {
        let claimed = self.claims.as_ref().filter(|_| !self.is_right);
        let (Some((claim, _)), Some(asks), Some(example)) =
            (claimed, filling.asks, filling.example)
        else {
            return Vec::new();
        };
        let Some(number) = example.number(*claim) else {
            return Vec::new();
        };
        let mut mistakes = diagnose(
            example,
            asks,
            number,
            1e-9 * number.abs().max(1.0),
            filling.words,
        );
        // The choice says which mistake it is; others that come to the same number by chance are not hers.
        let claimed = operation_of(*claim).map(mistake_of);
        if mistakes.iter().any(|m| Some(m.id) == claimed) {
            mistakes.retain(|m| Some(m.id) == claimed);
        }
        mistakes
    }

    fn explained(&self, yours: bool, filling: &Filling<'_>) -> ExplainedChoice {
        let state = match (yours, self.is_right) {
            (true, true) => ChoiceState::YoursRight,
            (true, false) => ChoiceState::YoursWrong,
            (false, true) => ChoiceState::Right,
            (false, false) => ChoiceState::Other,
        };
        let number = self.claims.as_ref().and_then(|(claim, _)| {
            Some((filling.comes_to(*claim)?, ink_of(*claim)))
        });
        ExplainedChoice {
            id: self.id.clone(),
            text: filling.document(&self.text),
            state,
            number,
            why: filling.optional(self.why.as_ref()),
        }
    }
}

/// The id of the mistake of taking this operation.
fn mistake_of(operation: Operation) -> &'static str {
    match operation {
        Operation::Sum => "sum",
        Operation::PlainMean => "plain-mean",
        Operation::WeightedAverage => "weighted-average",
        Operation::Highest => "highest",
        Operation::Lowest => "lowest",
    }
}

impl QuestionKind for OneOf {
    fn form(&self, filling: &Filling<'_>) -> Form {
        let choice = |c: &Choice| FormChoice {
            id: c.id.clone(),
            text: filling.document(&c.text),
        };
        Form::Choices(self.choices.iter().map(choice).collect())
    }

    fn mark(&self, answer: &Answer, filling: &Filling<'_>) -> Marking {
        let picked = match answer {
            Answer::Choice(id) => self.choices.iter().find(|c| c.id == *id),
            _ => None,
        };
        let Some(picked) = picked else {
            return Marking::NotCounted(filling.words.say(&KindMsg::PickAChoice));
        };
        let mut explanation = empty_explanation();
        explanation.choices = self
            .choices
            .iter()
            .map(|c| c.explained(c.id == picked.id, filling))
            .collect();
        explanation.released = picked
            .claims
            .as_ref()
            .and_then(|(claim, _)| filling.example?.number(*claim));
        Marking::Marked {
            verdict: if picked.is_right {
                Verdict::Right
            } else {
                Verdict::Wrong
            },
            credit: if picked.is_right { 1.0 } else { 0.0 },
            mistakes: picked.mistakes(filling),
            explanation: Box::new(explanation),
        }
    }

    fn right_answer(&self, filling: &Filling<'_>) -> Option<String> {
        self.right().map(|c| filling.text(&c.text))
    }

    fn texts(&self) -> Vec<&Template> {
        self.choices
            .iter()
            .flat_map(|c| std::iter::once(&c.text).chain(&c.why))
            .collect()
    }

    fn follows_numbers(&self, asks: Option<Quantity>) -> bool {
        let right_claims = self
            .right()
            .and_then(|c| c.claims.as_ref())
            .map(|(claim, _)| *claim);
        asks.is_some() && right_claims.is_some()
    }

    fn matters(&self, out: &mut String) {
        for choice in &self.choices {
            out.push_str(if choice.is_right { "right" } else { "wrong" });
            if let Some((claim, _)) = &choice.claims {
                out.push_str(&format!(" {claim:?}"));
            }
            out.push('\n');
        }
    }
}
