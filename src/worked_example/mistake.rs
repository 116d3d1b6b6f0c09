//! Named wrong computations.

use super::{Computed, Quantity};
use crate::words::Words;

/// A wrong computation that comes to the number given.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedMistake {
    /// Stable id ("plain-mean").
    pub id: &'static str,
    /// What it comes to.
    pub number: f64,
    /// What the number is: "80 is the plain mean of the three numbers."
    pub sentence: String,
    /// How it comes about, Markdown with formulas: "$(70 + 80 + 90) / 3 = 80$".
    pub computation: String,
}

/// One entry of the registry.
pub struct Mistake {
    /// Stable id.
    pub id: &'static str,
}

/// Every mistake there is.
pub const MISTAKES: &[Mistake] = &[];

/// The mistakes that give this number.
#[must_use]
pub fn diagnose(
    _c: &Computed,
    _asked: Quantity,
    _given: f64,
    _within: f64,
    _words: &Words,
) -> Vec<NamedMistake> {
    Vec::new()
}
