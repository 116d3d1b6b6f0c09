//! Named mistakes: which wrong computation gives the number that a learner typed.
//!
//! Each entry of [`MISTAKES`] runs on the example's own numbers; most are *other weights* (the pipeline with one step changed, counts paired with
//! the wrong values, everything on one item), from which follows what they make of any number that is asked: the output, a weight, a weighted value.
//! Where several mistakes give the number, all are told. Road not taken: a table of wrong numbers beside each question: it would go stale with
//! the first change of an example.

mod case;
mod registry;
mod said;

use std::cmp::Ordering;

use case::Case;
pub use registry::MISTAKES;

use super::{Computed, Quantity};
use crate::words::Words;

/// A wrong computation that comes to the number given.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedMistake {
    /// Stable id ("plain-mean").
    pub id: &'static str,
    /// What it comes to, unrounded.
    pub number: f64,
    /// What the number is: "80 is the plain mean of the three numbers."
    pub sentence: String,
    /// How it comes about, as Markdown: "$(70 + 80 + 90) / 3 = 80$".
    pub computation: String,
}

/// One wrong computation, or a family of them (each item left out in turn).
pub struct Mistake {
    /// Stable id ("plain-mean").
    pub id: &'static str,
    /// What it comes to for what is asked; empty where it does not apply.
    find: fn(&Case<'_>) -> Vec<Found>,
}

/// What one wrong computation comes to.
struct Found {
    number: f64,
    sentence: String,
    computation: String,
}

/// Numbers closer than this (relative) are the same number.
const SAME: f64 = 1e-9;

/// The mistakes that come to `given` (to `within`) when `asked` is asked: the closest first, then as the registry has them. Empty where
/// `given` is right, or where no mistake gives it.
#[must_use]
pub fn diagnose(
    computed: &Computed,
    asked: Quantity,
    given: f64,
    within: f64,
    words: &Words,
) -> Vec<NamedMistake> {
    let Some(right) = computed.number(asked) else {
        return Vec::new();
    };
    let is_near = |number: f64| near(number, given, within);
    if !given.is_finite() || is_near(right) {
        return Vec::new();
    }
    let case = Case::new(computed, asked, words);
    let mut named: Vec<NamedMistake> = Vec::new();
    for Mistake { id, find } in MISTAKES {
        for Found {
            number,
            sentence,
            computation,
        } in find(&case)
        {
            let told = named.iter().any(|known| known.sentence == sentence);
            if is_near(number) && !near(number, right, 0.0) && !told {
                named.push(NamedMistake {
                    id,
                    number,
                    sentence,
                    computation,
                });
            }
        }
    }
    let distance = |mistake: &NamedMistake| (mistake.number - given).abs();
    named.sort_by(|a, b| {
        let same = near(distance(a), distance(b), SAME * given.abs());
        if same {
            Ordering::Equal
        } else {
            distance(a).total_cmp(&distance(b))
        }
    });
    named
}

fn near(a: f64, b: f64, within: f64) -> bool {
    a == b || (a - b).abs() <= within.max(SAME * a.abs().max(b.abs()))
}

#[cfg(test)]
pub(super) use tests::check_words;

#[cfg(test)]
mod tests;
