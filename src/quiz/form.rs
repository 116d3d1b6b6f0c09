//! What a question asks for and what marking says, as data: the window and the terminal draw these, and know no kind of question.

use crate::figure::FigureKind;
use crate::text::{Document, Ink};
use crate::worked_example::NamedMistake;

/// A question ready to be put: every placeholder filled for one example.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// What is put to the learner.
    pub prompt: Document,
    /// What she is asked for.
    pub form: Form,
    /// The hints, in order.
    pub hints: Vec<Document>,
    /// The figures beside it.
    pub figures: Vec<FigureKind>,
}

/// What the learner is asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Pick one.
    Choices(Vec<FormChoice>),
    /// Type a number.
    Number {
        /// What stands behind the field ("points"); may be empty.
        unit: String,
    },
    /// Set weights, one an item, together 1.
    Weights {
        /// The items.
        labels: Vec<String>,
        /// Where the bars start (all equal).
        start: Vec<f64>,
    },
}

/// One choice before the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct FormChoice {
    /// Its stable id: answers and marking go by it, never by the position.
    pub id: String,
    /// Its text.
    pub text: Document,
}

/// What the learner gave.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The id of a choice.
    Choice(String),
    /// As typed.
    Number(String),
    /// Weights, one an item.
    Weights(Vec<f64>),
}

/// How an answer stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Right.
    Right,
    /// Wrong.
    Wrong,
    /// Some credit (a prediction).
    Partly,
    /// Nothing is right until a reading is chosen (readings).
    Open,
}

/// What marking says.
#[derive(Clone, Debug, PartialEq)]
pub enum Marking {
    /// The answer cannot be marked and does not count: the reason, for the learner ("type 1.234 or 1234").
    NotCounted(String),
    /// Marked.
    Marked {
        /// How it stands.
        verdict: Verdict,
        /// 0 to 1.
        credit: f64,
        /// The mistakes that give this answer, best first, ties included; none where it is right.
        mistakes: Vec<NamedMistake>,
        /// Why.
        explanation: Box<Explanation>,
    },
}

/// How a choice stands after the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceState {
    /// The learner's, and right.
    YoursRight,
    /// The learner's, and wrong.
    YoursWrong,
    /// The learner's, where nothing is right or wrong.
    Yours,
    /// The right one, not the learner's.
    Right,
    /// Another.
    Other,
}

/// A choice after the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedChoice {
    /// Its id.
    pub id: String,
    /// Its text.
    pub text: Document,
    /// How it stands.
    pub state: ChoiceState,
    /// The number its claim comes to ("= 80") and that operation's colour.
    pub number: Option<(String, Ink)>,
    /// The reason, beginning with what is true in it.
    pub why: Document,
}

/// One computed cell of the table of readings.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadingCell {
    /// The number.
    pub number: String,
    /// Its colour.
    pub ink: Ink,
    /// Whether it equals the number in dispute.
    pub agrees: bool,
    /// What follows it ("with equal shares"); may be empty.
    pub with: String,
    /// Who meant it ("the objection"); may be empty.
    pub note: String,
}

/// One offer with its readings.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadingRow {
    /// The choice's id.
    pub id: String,
    /// The offer's words.
    pub offer: Document,
    /// Whether the learner picked it.
    pub yours: bool,
    /// One list of cells a column.
    pub cells: Vec<Vec<ReadingCell>>,
}

/// Every reading of every offer, computed.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadingsTable {
    /// "read as: of the values 70, 80, 90".
    pub columns: Vec<String>,
    /// The offers.
    pub rows: Vec<ReadingRow>,
}

/// Why: what is shown after the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The choices with their reasons (one of).
    pub choices: Vec<ExplainedChoice>,
    /// The table of readings (readings).
    pub readings: Option<ReadingsTable>,
    /// What the learner's own answer is told ("80 is the plain mean of the three"); one paragraph or more.
    pub reply: Document,
    /// The right answer in words ("79 points"), where there is one that is not a choice.
    pub right: Option<String>,
    /// What is said to everyone afterwards; may be empty.
    pub statement: Document,
    /// The number of the learner's answer: where the wedge is put when the beam is let go.
    pub released: Option<f64>,
    /// The weights that were predicted and the true ones (predict).
    pub predicted: Option<(Vec<f64>, Vec<f64>)>,
    /// Numbers were rounded to so many places on this screen.
    pub rounded_to: Option<usize>,
}
