//! A described situation, computed by the attention engine: its numbers, operations, named mistakes and told steps.
//!
//! A *worked example* is either weighted values (three people got 70, five 80, two 90) or attention (tokens with q, k, v). Both run
//! through [`crate::attention`]: weighted values are attention with ln(count) as scores, so one computation stands behind every number.
//! An example is a value: an [`Edit`] makes a new one, and [`Computed`] is all of its numbers at once, so that a screen can never
//! show numbers of two examples mixed.

mod computed;
mod edit;
mod formula;
mod mistake;
mod operation;
mod quantity;
mod renumber;
mod sample;
mod steps;

pub use computed::{Computed, ExampleMsg, ExampleProblem, Field};
pub use edit::{Edit, EditMsg, EditProblem};
pub use formula::{NumeralMsg, numeral};
pub use mistake::{MISTAKES, Mistake, NamedMistake, diagnose};
pub use operation::{Basis, Operation};
pub use quantity::Quantity;
pub use sample::{Draws, draw};
pub use steps::{Step, steps};

use ndarray::Array2;

/// A described situation that the engine computes.
#[derive(Clone, Debug, PartialEq)]
pub enum WorkedExample {
    /// Numbers, and how many hold each: m values, m counts.
    WeightedValues(WeightedValues),
    /// Tokens with their queries, keys and values.
    Attention(AttentionExample),
}

/// m numbers and how many people (or how much weight) hold each.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedValues {
    /// What the numbers count ("points"); may be empty.
    pub unit: String,
    /// Who holds them ("people"); may be empty.
    pub holders: String,
    /// (m): the numbers.
    pub values: Vec<f64>,
    /// (m): how many hold each; finite, not negative, not all zero. Whole numbers where people are counted.
    pub counts: Vec<f64>,
}

/// Tokens with q: (n, d), k: (m, d), v: (m, dᵥ); n = m = number of tokens, or n = 1.
#[derive(Clone, Debug, PartialEq)]
pub struct AttentionExample {
    /// (m): the words.
    pub tokens: Vec<String>,
    /// (n, d): one query a row; one row a token, or a single row for the focus word.
    pub q: Array2<f64>,
    /// (m, d): one key a row.
    pub k: Array2<f64>,
    /// (m, dᵥ): one value a row.
    pub v: Array2<f64>,
    /// The factor on the scores; `None` = 1/√d.
    pub scale: Option<f64>,
    /// The token whose context is computed (0-based), the row of `q` where q has one row a token.
    pub focus: usize,
}

#[cfg(test)]
mod tests;
