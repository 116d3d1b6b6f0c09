//! What stands in a quiz file of format 1: plain serde types, read by [`super::tree`] with every fault told.
//!
//! Numbers are literals or expressions in quotes ([`Num`]), so that parameters come later without a new format. What names a number
//! (`asks`, `claims`) is kept as its place in the file and read by [`super::names`]: `Output` and `Output(2)` are one name with and without an
//! argument, which serde's enums cannot say.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, IgnoredAny, Visitor};

use super::kinds::KindFile;
use super::tree::{Entries, Items, Lenient, Spanned};
use crate::figure::FigureKind;

/// The newest format this program reads.
pub const FORMAT: u64 = 1;

/// A text and its place.
pub type Text = Spanned<String>;

/// A number and its place.
pub type Num = Spanned<RawNum>;

/// The name of a number, as it stands in the file.
pub type NumberName = Spanned<IgnoredAny>;

/// A number as it is written.
#[derive(Clone, Debug, PartialEq)]
pub enum RawNum {
    /// `79`
    Literal(f64),
    /// `"2 * sqrt(3)"`
    Expression(String),
}

/// The file. What is wrong at its head keeps no question from being read.
#[derive(Debug, serde::Deserialize)]
#[serde(rename = "Quiz", deny_unknown_fields)]
pub struct QuizFile {
    /// Which format it is written in.
    pub format: Lenient<u64>,
    /// Stable id.
    pub id: Lenient<String>,
    /// Its title.
    pub title: Lenient<String>,
    /// One line: what one will know after it.
    #[serde(default)]
    pub promise: Lenient<String>,
    /// The language it is written in; English where it is left out.
    #[serde(default)]
    pub language: Lenient<String>,
    /// How long it takes.
    #[serde(default)]
    pub minutes: Lenient<u32>,
    /// The examples by id.
    #[serde(default)]
    pub examples: Entries<ExampleFile>,
    /// The questions.
    pub questions: Items<QuestionFile>,
}

/// An example.
#[derive(Debug, serde::Deserialize)]
pub enum ExampleFile {
    /// Numbers and how many hold each.
    WeightedValues(WeightedValuesFile),
    /// Tokens with q, k, v.
    Attention(AttentionFile),
}

/// Numbers and how many hold each.
#[derive(Debug, serde::Deserialize)]
#[serde(rename = "WeightedValues", deny_unknown_fields)]
pub struct WeightedValuesFile {
    /// What the numbers count.
    #[serde(default)]
    pub unit: String,
    /// Who holds them.
    #[serde(default)]
    pub holders: String,
    /// (m).
    pub values: Spanned<Vec<Num>>,
    /// (m).
    pub counts: Spanned<Vec<Num>>,
}

/// Tokens with q, k, v.
#[derive(Debug, serde::Deserialize)]
#[serde(rename = "Attention", deny_unknown_fields)]
pub struct AttentionFile {
    /// (m).
    pub tokens: Spanned<Vec<String>>,
    /// The word whose context is computed; the first one where it is left out.
    #[serde(default)]
    pub focus: Option<Text>,
    /// (n, d) or (1, d).
    pub q: Rows,
    /// (m, d).
    pub k: Rows,
    /// (m, dᵥ).
    pub v: Rows,
    /// The factor on the scores.
    #[serde(default)]
    pub scale: Option<Num>,
}

/// Rows of numbers.
pub type Rows = Spanned<Vec<Spanned<Vec<Num>>>>;

/// A question.
#[derive(Debug, serde::Deserialize)]
#[serde(rename = "Question", deny_unknown_fields)]
pub struct QuestionFile {
    /// Stable id within the quiz.
    pub id: Text,
    /// The example's id.
    #[serde(default)]
    pub example: Option<Text>,
    /// Another focus word than the example's.
    #[serde(default)]
    pub focus: Option<Text>,
    /// What is put to the learner.
    pub prompt: Text,
    /// What is asked of the example.
    #[serde(default)]
    pub asks: Option<NumberName>,
    /// The kind, with its right answer.
    pub kind: Spanned<KindFile>,
    /// From a nudge to nearly the answer.
    #[serde(default)]
    pub hints: Vec<Text>,
    /// Said after the answer.
    #[serde(default)]
    pub explanation: Option<Text>,
    /// The figures; by the example's kind where left out.
    #[serde(default)]
    pub figures: Option<Vec<Spanned<FigureKind>>>,
}

impl<'de> Deserialize<'de> for RawNum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumVisitor;

        impl Visitor<'_> for NumVisitor {
            type Value = RawNum;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or an expression in quotes")
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<RawNum, E> {
                Ok(RawNum::Literal(value))
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<RawNum, E> {
                Ok(RawNum::Literal(value as f64))
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<RawNum, E> {
                Ok(RawNum::Literal(value as f64))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<RawNum, E> {
                Ok(RawNum::Expression(text.to_owned()))
            }
        }

        deserializer.deserialize_any(NumVisitor)
    }
}
