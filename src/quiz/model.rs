//! A quiz as the program thinks of it: ids resolved, examples read, every template kept as its author wrote it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::kinds::Kind;
use super::template::Template;
use crate::figure::FigureKind;
use crate::words::diagnostic::Source;
use crate::worked_example::{Quantity, WorkedExample};

/// Where a quiz comes from; of two with the same id the first of these wins.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A path given on the command line or opened.
    Opened(PathBuf),
    /// The learner's own `quizzes` folder.
    Own(PathBuf),
    /// Compiled into the program.
    BuiltIn(&'static str),
}

/// A hash of what matters to an answer: the kind, the right answer, the claims and the example's numbers, not the wording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version(pub u64);

/// A quiz.
#[derive(Clone, Debug)]
pub struct Quiz {
    /// Stable id ("is-attention-an-average").
    pub id: String,
    /// Its title.
    pub title: String,
    /// One line: what one will know after it.
    pub promise: String,
    /// The language it is written in.
    pub language: String,
    /// How long it takes, as the author says.
    pub minutes: Option<u32>,
    /// The examples by id.
    pub examples: BTreeMap<String, Arc<WorkedExample>>,
    /// The questions that can be asked, in file order.
    pub questions: Vec<Arc<Question>>,
    /// Where it comes from.
    pub origin: Origin,
    /// Its text.
    pub source: Arc<Source>,
}

/// A question.
#[derive(Clone, Debug)]
pub struct Question {
    /// Stable id within the quiz.
    pub id: String,
    /// Hash of what matters to an answer.
    pub version: Version,
    /// The example's id and the example.
    pub example: Option<(String, Arc<WorkedExample>)>,
    /// What is put to the learner.
    pub prompt: Template,
    /// What is asked of the example; without it nothing is proved.
    pub asks: Option<Quantity>,
    /// The kind, with its right answer.
    pub kind: Kind,
    /// From a nudge to nearly the answer.
    pub hints: Vec<Template>,
    /// Said after the answer, whatever it was.
    pub explanation: Option<Template>,
    /// The figures shown, the first one first.
    pub figures: Vec<FigureKind>,
    /// Where it stands in the source.
    pub range: std::ops::Range<usize>,
}
