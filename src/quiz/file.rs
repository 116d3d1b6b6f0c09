//! What stands in a quiz file of format 1: plain serde types, read by [`super::tree`] with every fault told.
//!
//! Numbers are literals or expressions in quotes ([`Num`]), so that parameters come later without a new format. What names a number
//! (`asks`, `claims`) is kept as its place in the file and read by [`super::names`]: `Output` and `Output(2)` are one name with and without an
//! argument, which serde's enums cannot say.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, IgnoredAny, Visitor};

use super::kinds::KindFile;
use super::tree::{Entries, Items, Lenient, OrMinusInfinity, Spanned};
use crate::attention::{Alignment, EmptyRow, Normaliser, RotaryPairs};
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
    Attention(Box<AttentionFile>),
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
    /// What scores are divided by before softmax.
    #[serde(default)]
    pub temperature: Option<Num>,
    /// c of c · tanh(score / c).
    #[serde(default)]
    pub softcap: Option<Num>,
    /// Whether a word is kept from seeing those after it, and how queries and keys are lined up.
    #[serde(default)]
    pub causal: Option<AlignmentName>,
    /// How many words before its own a word sees.
    #[serde(default)]
    pub window_left: Option<usize>,
    /// How many words after its own a word sees.
    #[serde(default)]
    pub window_right: Option<usize>,
    /// (n, m): true = visible.
    #[serde(default)]
    pub keep: Option<Cells<bool>>,
    /// (n, m): added to the scaled scores; -inf hides.
    #[serde(default)]
    pub bias: Option<Cells<Spanned<OrMinusInfinity<RawNum>>>>,
    /// What comes out where nothing has weight.
    #[serde(default)]
    pub empty_row: Option<EmptyRowName>,
    /// How scores become weights.
    #[serde(default)]
    pub normaliser: Option<NormaliserName>,
    /// How a word's place enters.
    #[serde(default)]
    pub positions: Option<Spanned<PositionsName>>,
}

/// Rows of cells.
pub type Cells<T> = Spanned<Vec<Spanned<Vec<T>>>>;

/// Rows of numbers.
pub type Rows = Cells<Num>;

/// The names of [`Alignment`] in files.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
pub enum AlignmentName {
    /// The first query is the first word's.
    TopLeft,
    /// The last query is the last word's.
    BottomRight,
}

/// The names of [`EmptyRow`] in files.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
pub enum EmptyRowName {
    /// 0.
    Zeros,
    /// The plain mean of all values.
    Mean,
}

/// The names of [`Normaliser`] in files.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[allow(missing_docs, reason = "as in the engine")]
pub enum NormaliserName {
    Softmax,
    HardMax,
    Uniform,
    Sparsemax,
    Sigmoid,
    SoftmaxPlusOne,
    Unnormalised,
}

/// The names of `attention::Positions` in files. (Sinusoidal ones belong to x, which a quiz has not got.)
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub enum PositionsName {
    /// q and k turned by their place.
    Rotary {
        /// How components are paired.
        pairs: RotaryPairsName,
        /// 10,000 where it is left out.
        #[serde(default)]
        base: Option<Num>,
    },
    /// Less by the distance.
    Alibi,
}

/// The names of [`RotaryPairs`] in files.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
pub enum RotaryPairsName {
    /// i with i + d/2.
    Halves,
    /// 2i with 2i + 1.
    Interleaved,
}

impl From<AlignmentName> for Alignment {
    fn from(name: AlignmentName) -> Self {
        match name {
            AlignmentName::TopLeft => Self::TopLeft,
            AlignmentName::BottomRight => Self::BottomRight,
        }
    }
}

impl From<EmptyRowName> for EmptyRow {
    fn from(name: EmptyRowName) -> Self {
        match name {
            EmptyRowName::Zeros => Self::Zeros,
            EmptyRowName::Mean => Self::Mean,
        }
    }
}

impl From<NormaliserName> for Normaliser {
    fn from(name: NormaliserName) -> Self {
        match name {
            NormaliserName::Softmax => Self::Softmax,
            NormaliserName::HardMax => Self::HardMax,
            NormaliserName::Uniform => Self::Uniform,
            NormaliserName::Sparsemax => Self::Sparsemax,
            NormaliserName::Sigmoid => Self::Sigmoid,
            NormaliserName::SoftmaxPlusOne => Self::SoftmaxPlusOne,
            NormaliserName::Unnormalised => Self::Unnormalised,
        }
    }
}

impl From<RotaryPairsName> for RotaryPairs {
    fn from(name: RotaryPairsName) -> Self {
        match name {
            RotaryPairsName::Halves => Self::Halves,
            RotaryPairsName::Interleaved => Self::Interleaved,
        }
    }
}

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
