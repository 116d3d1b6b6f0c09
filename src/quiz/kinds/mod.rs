//! The kinds of question: one file each (what stands in the file, reading, the form it asks for, marking), and one line in the registry.

use super::fill::Filling;
use super::form::{Answer, Explanation, Form, Marking};
use super::names::Named;
use super::reading::Reading;
use super::template::Template;
use crate::words::messages;
use crate::worked_example::{Computed, Quantity};

/// Makes the registry: the enum that a file names a kind by, the enum of kinds, and the ways to what they share.
macro_rules! kinds {
    ($($kind:ident = $module:ident, $doc:literal;)*) => {
        $(#[doc = $doc] pub mod $module;)*

        /// A question's kind as it stands in a file.
        #[derive(Debug, serde::Deserialize)]
        pub enum KindFile {
            $(#[doc = $doc] $kind($module::File)),*
        }

        /// A question's kind, with its right answer.
        #[derive(Clone, Debug)]
        pub enum Kind {
            $(#[doc = $doc] $kind($module::$kind)),*
        }

        impl Kind {
            /// Every kind's name.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($kind)),*];

            /// Reads what stands in a file; what is at fault is told, and gives nothing.
            pub(super) fn read(file: &KindFile, place: &Place, reading: &mut Reading<'_>) -> Option<Self> {
                match file {
                    $(KindFile::$kind(file) => $module::$kind::read(file, place, reading).map(Self::$kind)),*
                }
            }

            /// What all kinds can do.
            pub(super) fn shared(&self) -> &dyn QuestionKind {
                match self {
                    $(Self::$kind(kind) => kind),*
                }
            }

            /// Its name, as in files.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$kind(_) => stringify!($kind)),*
                }
            }
        }
    };
}

kinds! {
    OneOf = one_of, "Pick the one right choice.";
    Number = number, "Type a number.";
    Readings = readings, "Pick an offer; every reading of every offer is computed, and none is right alone.";
    Predict = predict, "Set the attention weights before they are shown.";
}

/// What a kind is read with besides its own fields.
pub(super) struct Place {
    /// Where the kind stands in the source.
    pub range: std::ops::Range<usize>,
    /// What the question asks.
    pub asks: Option<Named>,
    /// Whether it asks anything; what is wrong with that is told already.
    pub is_asked: bool,
}

/// What every kind of question can do.
pub(super) trait QuestionKind {
    /// What the learner is asked for.
    fn form(&self, filling: &Filling<'_>) -> Form;

    /// How an answer stands, and why. What is said to everyone afterwards is added by the question.
    fn mark(&self, answer: &Answer, filling: &Filling<'_>) -> Marking;

    /// The right answer in words, where there is one.
    fn right_answer(&self, filling: &Filling<'_>) -> Option<String>;

    /// Its texts.
    fn texts(&self) -> Vec<&Template>;

    /// Whether what is right follows the example's numbers.
    fn follows_numbers(&self, asks: Option<Quantity>) -> bool;

    /// Writes down what matters to an answer, without its wording.
    fn matters(&self, out: &mut String);

    /// How many readings come to the number in dispute.
    fn agreeing(&self, _example: &Computed) -> usize {
        0
    }
}

messages! {
    /// What marking says.
    pub enum KindMsg {
        NumberWithUnit { number: String, unit: String },
        // Answers that do not count.
        PickAChoice,
        TypeANumber,
        TypeSomething,
        TooLarge,
        DecimalOrThousands { decimal: String, thousands: String },
        GiveMorePlaces { given: String, places: usize },
        SetAllWeights { items: usize },
        WeightsMustSumToOne { sum: f64 },
        NeedsNumbers,
        // Replies.
        NoNamedMistake { given: f64 },
        OfTheValues { values: String },
        OfTheWeightedValues { values: String },
        PredictedWell { apart: f64 },
        PredictedApart { apart: f64, label: String, given: f64, is: f64 },
        WeightOf { label: String, weight: f64 },
    }
}

/// An explanation with nothing in it yet.
pub(super) fn empty_explanation() -> Explanation {
    Explanation {
        choices: Vec::new(),
        readings: None,
        reply: Default::default(),
        right: None,
        statement: Default::default(),
        released: None,
        predicted: None,
        rounded_to: None,
    }
}

/// The colour of a quantity's operation.
pub(super) fn ink_of(quantity: Quantity) -> crate::text::Ink {
    use crate::text::Ink;
    use crate::worked_example::Operation;
    match super::names::operation_of(quantity) {
        Some(Operation::Sum) => Ink::Sum,
        Some(Operation::PlainMean) => Ink::PlainMean,
        Some(Operation::WeightedAverage) => Ink::WeightedAverage,
        Some(Operation::Highest) => Ink::Highest,
        Some(Operation::Lowest) => Ink::Lowest,
        None => Ink::Text,
    }
}

/// Gives each its id: the author's, else the name of its claim where no other claims it, else its text's letters. Told where two are the same.
pub(super) fn ids(wanted: &[Wanted<'_>], reading: &mut Reading<'_>) -> Vec<String> {
    use super::fault::QuizFault;
    let mut ids: Vec<(String, std::ops::Range<usize>)> = Vec::new();
    for (number, choice) in wanted.iter().enumerate() {
        let claimed = |c: &&str| wanted.iter().filter(|w| w.claim == Some(*c)).count() == 1;
        let (id, is_written) = match choice.id {
            Some(id) => (reading.id(id).unwrap_or_default(), true),
            None => match choice.claim.as_ref().filter(|c| claimed(c)) {
                Some(claim) => ((*claim).to_owned(), false),
                None => (super::reading::slug(choice.text), false),
            },
        };
        let taken = ids
            .iter()
            .find(|(other, _)| *other == id)
            .map(|(_, range)| range.clone());
        match taken {
            Some(first) if is_written && !id.is_empty() => {
                reading.tell_with_first(
                    QuizFault::ChoiceIdTwice { id: id.clone() },
                    choice.range.clone(),
                    first,
                );
                ids.push((id, choice.range.clone()));
            }
            None if !id.is_empty() => ids.push((id, choice.range.clone())),
            _ => ids.push((
                format!("{id}-{}", number + 1)
                    .trim_start_matches('-')
                    .to_owned(),
                choice.range.clone(),
            )),
        }
    }
    ids.into_iter().map(|(id, _)| id).collect()
}

/// A choice that wants an id.
pub(super) struct Wanted<'a> {
    /// The author's.
    pub id: Option<&'a super::file::Text>,
    /// What it claims, as written.
    pub claim: Option<&'a str>,
    /// Its text.
    pub text: &'a str,
    /// Where it stands.
    pub range: std::ops::Range<usize>,
}
