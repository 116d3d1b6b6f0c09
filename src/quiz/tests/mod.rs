//! The room as its users meet it: bad files told at their places, answers marked generously, right answers proved.

mod conventions;
mod files;
mod marking;
mod properties;
mod slips;

use std::sync::Arc;

use super::check::check_quiz;
use super::testing::{question_of, quiz_of, read};
use super::{Answer, Marking, Question, Quiz, Verdict};
use crate::words::Words;
use crate::words::diagnostic::{Diagnostic, line_and_column};
use crate::worked_example::Computed;

/// What reading and checking tell: "line:column code", in the order of the text.
fn faults(text: &str) -> Vec<String> {
    let (quiz, mut told) = read(text);
    told.extend(
        quiz.map(|quiz| check_quiz(&quiz, &Words::english()).diagnostics)
            .unwrap_or_default(),
    );
    told.sort_by_key(|d| d.range.start);
    let place = |d: &Diagnostic| {
        let (line, column) = line_and_column(text, d.range.start);
        format!("{line}:{column} {}", d.code)
    };
    told.iter().map(place).collect()
}

/// The first question of a quiz about the exam, with its numbers.
fn question(asks: &str, kind: &str) -> (Arc<Question>, Option<Computed>) {
    let (quiz, told) = read(&quiz_of(&question_of(asks, kind)));
    assert!(told.is_empty(), "{told:#?}");
    let question = Arc::clone(&quiz.unwrap().questions[0]);
    let computed = question
        .example
        .as_ref()
        .map(|(_, example)| Computed::new(example).unwrap());
    (question, computed)
}

fn mark(question: &(Arc<Question>, Option<Computed>), answer: &Answer) -> Marking {
    question
        .0
        .mark(answer, question.1.as_ref(), &Words::english())
}

fn typed(question: &(Arc<Question>, Option<Computed>), text: &str) -> Marking {
    mark(question, &Answer::Number(text.to_owned()))
}

fn verdict(marking: &Marking) -> Option<Verdict> {
    match marking {
        Marking::NotCounted(_) => None,
        Marking::Marked { verdict, .. } => Some(*verdict),
    }
}

fn builtin() -> Quiz {
    let (name, text) = super::builtin::BUILT_IN[0];
    let (quiz, told) = read(text);
    assert!(told.is_empty(), "{name}: {told:#?}");
    quiz.unwrap()
}

const ONE_OF: &str = r#"OneOf([
    Wrong(text: "their sum", claims: Sum, why: "{=sum}"),
    Right(text: "weighted", claims: WeightedAverage, why: "{=weighted_terms} = {=weighted_average}"),
    Wrong(text: "plain", claims: PlainMean, why: "{=plain_mean}"),
])"#;
