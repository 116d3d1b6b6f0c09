//! Checking a quiz: what the engine proves or disproves, and what a learner would stumble over. One file a lint, one line in `LINTS`.

mod bare_average;
mod claims;
mod formulas;
mod right_answer;
mod tolerance;
mod unfilled;

use std::ops::Range;

use super::fault::{QuizFault, QuizRemedy};
use super::model::{Question, Quiz};
use super::reading::{Reading, told};
use crate::words::diagnostic::Diagnostic;
use crate::words::{Words, messages};
use crate::worked_example::Computed;

/// Every lint; each looks at one question.
const LINTS: &[fn(&mut Case<'_>)] = &[
    right_answer::check,
    claims::check,
    tolerance::check,
    bare_average::check,
    formulas::check,
    unfilled::check,
];

messages! {
    /// What a check proved.
    pub enum ProofMsg {
        NumberProved { number: f64 },
        NumberComputed { number: f64 },
        ClaimProved { number: f64 },
        AllComputed,
    }
}

/// What was found, and what was proved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checked {
    /// What was found, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// What was proved of which question; wording is never proved.
    pub proved: Vec<Proved>,
}

/// What was proved of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The question's id.
    pub question: String,
    /// What, in words.
    pub what: String,
}

/// Checks every question of a quiz.
#[must_use]
pub fn check_quiz(quiz: &Quiz, words: &Words) -> Checked {
    let mut checked = Checked::default();
    for question in &quiz.questions {
        let computed = question
            .example
            .as_ref()
            .and_then(|(_, example)| Computed::new(example).ok());
        let mut case = Case {
            quiz,
            question,
            computed: computed.as_ref(),
            words,
            checked: &mut checked,
        };
        for lint in LINTS {
            lint(&mut case);
        }
    }
    checked.diagnostics.sort_by_key(|d| d.range.start);
    checked
}

impl Question {
    /// Whether the engine proves its right answer; its wording is never proved.
    #[must_use]
    pub fn proved(&self) -> bool {
        let computed = self
            .example
            .as_ref()
            .and_then(|(_, example)| Computed::new(example).ok());
        right_answer::proof(self, computed.as_ref()).is_some()
    }
}

/// One question under the lints.
struct Case<'a> {
    quiz: &'a Quiz,
    question: &'a Question,
    computed: Option<&'a Computed>,
    words: &'a Words,
    checked: &'a mut Checked,
}

impl Case<'_> {
    fn tell(&mut self, fault: &QuizFault, range: Range<usize>) {
        self.checked
            .diagnostics
            .push(told(self.words, Some(&self.quiz.source), range, fault));
    }

    fn tell_with_fix(
        &mut self,
        fault: &QuizFault,
        range: Range<usize>,
        remedy: &QuizRemedy,
        new: String,
    ) {
        let found = told(self.words, Some(&self.quiz.source), range.clone(), fault);
        self.checked
            .diagnostics
            .push(found.with_fix(self.words, remedy, range, new));
    }

    fn tell_with_first(&mut self, fault: QuizFault, range: Range<usize>, first: Range<usize>) {
        let mut reading = Reading::new(&self.quiz.source, self.words, None);
        reading.tell_with_first(fault, range, first);
        self.checked.diagnostics.append(&mut reading.told);
    }

    fn prove(&mut self, what: &ProofMsg) {
        let proved = Proved {
            question: self.question.id.clone(),
            what: self.words.say(what),
        };
        self.checked.proved.push(proved);
    }

    /// Where the question begins, up to the end of its line: for what concerns all of it.
    fn head(&self) -> Range<usize> {
        let Range { start, end } = self.question.range.clone();
        let text = self.quiz.source.text.get(start..end).unwrap_or_default();
        start..start + text.find('\n').unwrap_or(text.len())
    }
}
