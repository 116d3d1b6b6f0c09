//! What one question is read with: the example it stands on, the source, and where its faults are told.

use std::ops::Range;
use std::sync::Arc;

use serde::de::IgnoredAny;

use super::fault::{QuizFault, QuizRemedy};
use super::file::{Num, RawNum, Text};
use super::names::{self, NameMsg, Named};
use super::place::Literal;
use super::template::Template;
use super::tree::Spanned;
use crate::words::Words;
use crate::words::diagnostic::{Diagnostic, Severity, Source};
use crate::worked_example::WorkedExample;

/// Reading goes on after a fault; whether what was read can be used is asked at the end.
pub(super) struct Reading<'a> {
    /// The whole file.
    pub source: &'a Arc<Source>,
    /// The words faults are told in.
    pub words: &'a Words,
    /// The example of what is being read.
    pub example: Option<&'a WorkedExample>,
    /// There is an example, but it is at fault, which is told: what needs it is passed over, and only what is wrong in itself is told.
    pub example_at_fault: bool,
    /// What was told.
    pub told: Vec<Diagnostic>,
    /// How many errors were told.
    pub errors: usize,
}

impl<'a> Reading<'a> {
    /// Nothing told yet.
    pub fn new(
        source: &'a Arc<Source>,
        words: &'a Words,
        example: Option<&'a WorkedExample>,
    ) -> Self {
        Self {
            source,
            words,
            example,
            example_at_fault: false,
            told: Vec::new(),
            errors: 0,
        }
    }

    /// Tells a fault at its place, with its remedy.
    pub fn tell(&mut self, fault: QuizFault, range: Range<usize>) {
        let told = told(self.words, Some(self.source), range, &fault);
        self.errors += usize::from(told.severity == Severity::Error);
        self.told.push(told);
    }

    /// Tells a fault that another place explains ("first here").
    pub fn tell_with_first(&mut self, fault: QuizFault, range: Range<usize>, first: Range<usize>) {
        self.tell(fault, range);
        if let Some(last) = self.told.pop() {
            self.told
                .push(last.with_also(self.words, first, &QuizRemedy::FirstHere));
        }
    }

    /// A text with placeholders.
    pub fn template(&mut self, text: &Text) -> Option<Template> {
        if text.value.trim().is_empty() {
            self.tell(QuizFault::TextEmpty, text.range.clone());
            return None;
        }
        Template::read(&text.value, text.range.clone(), self)
    }

    /// A text that may be left out.
    pub fn optional(&mut self, text: Option<&Text>) -> Option<Template> {
        text.and_then(|text| self.template(text))
    }

    /// A finite number, literal or expression.
    pub fn number(&mut self, number: &Num) -> Option<f64> {
        let value = match &number.value {
            RawNum::Literal(value) => *value,
            RawNum::Expression(text) => match super::expression::evaluate(text) {
                Ok(value) => value,
                Err(problem) => {
                    let place = Literal::new(number.range.clone()).place(
                        &self.source.text,
                        text,
                        problem.at,
                    );
                    self.tell(QuizFault::Expression { said: problem.why }, place);
                    return None;
                }
            },
        };
        if value.is_finite() {
            return Some(value);
        }
        self.tell(QuizFault::NotFinite, number.range.clone());
        None
    }

    /// A quantity by name, of the example.
    pub fn quantity(&mut self, written: &Spanned<IgnoredAny>) -> Option<Named> {
        let text = self
            .source
            .text
            .get(written.range.clone())
            .unwrap_or_default();
        let range = written.range.clone();
        if let Some(name) = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
            let (remedy, name) = (QuizRemedy::WithoutQuotes, name.to_owned());
            self.tell(QuizFault::QuantityQuoted, range.clone());
            if let Some(told) = self.told.pop() {
                self.told
                    .push(told.with_fix(self.words, &remedy, range, name));
            }
            return None;
        }
        let Some(example) = self.example else {
            let fault = match names::known_in_file(text) {
                Err(said) => {
                    self.no_quantity(said, range);
                    None
                }
                Ok(()) if self.example_at_fault => None,
                Ok(()) => Some(QuizFault::QuantityWithoutExample),
            };
            if let Some(fault) = fault {
                self.tell(fault, written.range.clone());
            }
            return None;
        };
        names::quantity_in_file(text, example)
            .map_err(|said| self.no_quantity(said, range))
            .ok()
    }

    /// Tells that what is written names no number; where nothing near it does, with all names there are.
    fn no_quantity(&mut self, said: NameMsg, range: Range<usize>) {
        let names_help = matches!(said, NameMsg::Unknown { .. } | NameMsg::NotReadable);
        self.tell(QuizFault::Quantity { said }, range);
        if names_help && let Some(told) = self.told.pop() {
            let names = names::names_in_files();
            let remedy = QuizRemedy::NamesOfNumbers { names };
            self.told.push(told.with_remedy(self.words, &remedy));
        }
    }

    /// Whether there is no example, and none is to come: told as such.
    pub fn lacks_example(&mut self, range: &Range<usize>) -> bool {
        if self.example.is_none() && !self.example_at_fault {
            self.tell(QuizFault::KindWithoutExample, range.clone());
        }
        self.example.is_none()
    }

    /// An id: something, and no spaces in it.
    pub fn id(&mut self, id: &Text) -> Option<String> {
        let fault = if id.value.is_empty() {
            QuizFault::IdEmpty
        } else if id
            .value
            .contains(|c: char| c.is_whitespace() || c.is_control())
        {
            QuizFault::IdWithSpace {
                id: id.value.clone(),
            }
        } else {
            return Some(id.value.clone());
        };
        self.tell(fault, id.range.clone());
        None
    }
}

/// A fault as a diagnostic, with its remedy; where a name is misspelt, with the change that mends it.
pub(super) fn told(
    words: &Words,
    source: Option<&Arc<Source>>,
    range: Range<usize>,
    fault: &QuizFault,
) -> Diagnostic {
    let (code, severity, remedy) = fault.row();
    let written = source.and_then(|source| source.text.get(range.clone()));
    let mended = written
        .zip(fault.misspelling())
        .filter(|(written, (name, _))| written.contains(name))
        .map(|(written, (name, nearest))| written.replacen(name, nearest, 1));
    let told = Diagnostic::new(
        words,
        code,
        severity,
        source.map(Arc::clone),
        range.clone(),
        fault,
    );
    match mended {
        Some(new) => told.with_fix(words, &remedy, range, new),
        None => told.with_remedy(words, &remedy),
    }
}

/// An id made of a text: its letters and digits, words joined by hyphens, at most about 40 of them.
pub(super) fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if !out.ends_with('-') && !out.is_empty() {
            out.push('-');
        }
        if out.chars().count() >= 40 {
            break;
        }
    }
    out.trim_end_matches('-').to_owned()
}
