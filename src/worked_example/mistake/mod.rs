//! Named mistakes: which wrong computation gives the number that a learner typed.
//!
//! Each entry of [`MISTAKES`] runs on the example's own numbers; most are *other weights* (the pipeline with one step changed, counts paired with
//! the wrong values, everything on one item), from which follows what they make of any number that is asked: the output, a weight, a weighted value.
//! Where several mistakes give the number, all are told. Road not taken: a table of wrong numbers beside each question: it would go stale with
//! the first change of an example.

mod case;
mod matrix;
#[cfg(test)]
mod proofs;
mod registry;
mod said;
mod wrong;

use std::collections::HashSet;

use case::Case;
pub use matrix::{Array, NamedMatrixMistake, diagnose_arrays, diagnose_matrix};
pub use registry::MISTAKES;

use super::{Computed, Quantity};
use crate::attention::Alteration;
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
    /// 1 for the closest to what was given; mistakes that are equally close, so that the number cannot tell them apart, share a rank. (Before a
    /// diagnosis, in [`every_mistake`], all have 1.)
    pub rank: usize,
    /// For other weights: where the focus word's output first comes out otherwise.
    pub parts: Option<Parting>,
}

/// The cell in which a wrong computation first comes to something else than the right one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parting {
    /// The query's row (0-based).
    pub row: usize,
    /// The column (0-based).
    pub column: usize,
    /// What is right there.
    pub right: f64,
    /// What comes out instead.
    pub wrong: f64,
}

/// One wrong computation, or a family of them (each item left out in turn).
pub struct Mistake {
    /// Stable id ("plain-mean").
    pub id: &'static str,
    /// The changed step of the pipeline, where it is one.
    alteration: Option<Alteration>,
    /// What it comes to for what is asked, where that is more than what the changed step gives; empty where it does not apply.
    find: Option<fn(&Case<'_>) -> Vec<Found>>,
}

impl Mistake {
    fn find(&self, case: &Case<'_>) -> Vec<Found> {
        match (self.find, self.alteration) {
            (Some(find), _) => find(case),
            (None, Some(alteration)) => wrong::altered(case, alteration),
            (None, None) => Vec::new(),
        }
    }
}

/// What one wrong computation comes to.
struct Found {
    number: f64,
    sentence: String,
    computation: String,
    parts: Option<Parting>,
}

/// Numbers closer than this (relative) are the same number.
const SAME: f64 = 1e-9;

/// The mistakes that come to `given` when `asked` is asked, to `within` (half a unit of the last digit typed; not an author's tolerance, which is
/// about right answers): the closest first, then as the registry has them. Empty where
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
    if !given.is_finite() || near(right, given, within) {
        return Vec::new();
    }
    closest(every_mistake(computed, asked, words), given, within)
}

/// Those that come to `given`, the closest first, each with its rank.
fn closest(mut named: Vec<NamedMistake>, given: f64, within: f64) -> Vec<NamedMistake> {
    named.retain(|mistake| near(mistake.number, given, within));
    let distances: Vec<f64> = (named.iter())
        .map(|mistake| (mistake.number - given).abs())
        .collect();
    for (mistake, rank) in named.iter_mut().zip(ranks(&distances, given.abs())) {
        mistake.rank = rank;
    }
    named.sort_by_key(|mistake| mistake.rank);
    named
}

/// For each distance its rank: 1 for the smallest, equal ones the same; they are of numbers about as large as `size`.
fn ranks(distances: &[f64], size: f64) -> Vec<usize> {
    let closer = |a: f64, b: f64| a < b && !near(a, b, SAME * size);
    let rank = |own: &f64| {
        1 + distances
            .iter()
            .filter(|other| closer(**other, *own))
            .count()
    };
    distances.iter().map(rank).collect()
}

/// Every mistake that can be made where `asked` is asked, in the order of the registry; never one that comes to what is right.
#[must_use]
pub fn every_mistake(computed: &Computed, asked: Quantity, words: &Words) -> Vec<NamedMistake> {
    let Some(right) = computed.number(asked) else {
        return Vec::new();
    };
    let case = Case::new(computed, asked, words);
    let mut named: Vec<NamedMistake> = Vec::new();
    let rounding = rounding(computed);
    let mut told = HashSet::new();
    for mistake in MISTAKES {
        for found in mistake.find(&case) {
            let Found {
                number,
                sentence,
                computation,
                parts,
            } = found;
            if !near(number, right, rounding) && told.insert(sentence.clone()) {
                named.push(NamedMistake {
                    id: mistake.id,
                    number,
                    sentence,
                    computation,
                    rank: 1,
                    parts,
                });
            }
        }
    }
    named
}

/// What a sum may be off by, since it is rounded: where large terms cancel, a relative measure would call two roundings of 0 different.
fn rounding(computed: &Computed) -> f64 {
    let numbers = computed.values().into_iter().chain(computed.scores());
    let finite = numbers.map(|x| x.abs()).filter(|x| x.is_finite());
    4.0 * f64::EPSILON * computed.items() as f64 * finite.fold(0.0, f64::max)
}

/// To `within`, or the same but for rounding. An infinite number is near itself alone.
fn near(a: f64, b: f64, within: f64) -> bool {
    let finite = a.is_finite() && b.is_finite();
    a == b || (finite && (a - b).abs() <= within.max(SAME * a.abs().max(b.abs())))
}

#[cfg(test)]
pub(super) use tests::check_words;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::said::{ArrayMsg, HowMsg, MistakeMsg, ThingMsg, WhatMsg};
    use super::*;
    use crate::words::{Message, MessageShape};
    use crate::worked_example::tests::{any_example, computed, exam, sentence, square, weighted};
    use crate::worked_example::{Basis, Operation, WorkedExample};

    /// Shows every message's shape to a check.
    pub(crate) fn check_words(check: impl Fn(&[MessageShape])) {
        for shapes in [
            MistakeMsg::SHAPES,
            ThingMsg::SHAPES,
            WhatMsg::SHAPES,
            HowMsg::SHAPES,
            ArrayMsg::SHAPES,
        ] {
            check(shapes);
        }
    }

    const OUTPUT: Quantity = Quantity::Output(0);

    fn named(example: &WorkedExample, asked: Quantity, given: f64) -> Vec<NamedMistake> {
        diagnose(&computed(example), asked, given, 0.005, &Words::english())
    }

    fn ids(example: &WorkedExample, asked: Quantity, given: f64) -> Vec<&'static str> {
        named(example, asked, given)
            .into_iter()
            .map(|mistake| mistake.id)
            .collect()
    }

    #[test]
    fn the_exams_wrong_numbers_are_named() {
        for (given, expected) in [
            (80.0, vec!["plain-mean", "hard-max", "median"]),
            (240.0, vec!["sum"]),
            (90.0, vec!["highest"]),
            (70.0, vec!["lowest"]),
            (790.0, vec!["undivided"]),
            (790.0 / 3.0, vec!["divided-by-items"]),
            (79.28, vec!["softmax-of-counts"]),
            (79.70, vec!["softmax-twice"]),
            (81.0, vec!["counts-mispaired"]),
            (790.0 / 240.0, vec!["n-v-swapped"]),
            (10.0, vec!["counts-sum"]),
            (10.0 / 3.0, vec!["counts-mean"]),
            (78.0, vec!["counts-mispaired", "left-out"]),
            (0.5, vec!["only-a-weight"]),
            (79.0 / 3.0, vec!["of-weighted-values"]),
            (12.34, vec![]),
            (79.0, vec![]),
            (f64::NAN, vec![]),
        ] {
            assert_eq!(ids(&exam(), OUTPUT, given), expected, "{given}");
        }
    }

    #[test]
    fn a_mistake_is_told_in_plain_words_with_the_numbers() {
        let told = named(&exam(), OUTPUT, 80.0);
        assert_eq!(
            told[0].sentence,
            "80 is the plain mean of the three numbers."
        );
        assert_eq!(told[0].computation, "$(70 + 80 + 90) / 3 = 80$");
        assert_eq!(told[1].sentence, "80 is the number with the most people.");
        let told = named(&exam(), OUTPUT, 790.0);
        assert_eq!(
            told[0].sentence,
            "790 is what comes out without dividing by 10, the sum of the counts."
        );
        assert_eq!(
            told[0].computation,
            r"$3 \cdot 70 + 5 \cdot 80 + 2 \cdot 90 = 790$"
        );
        let told = named(&exam(), OUTPUT, 81.0);
        assert_eq!(
            told[0].sentence,
            "81 is what comes out with the counts in reverse order."
        );
        assert_eq!(
            told[0].computation,
            r"$w = (2,\; 5,\; 3) / 10$, $0.2 \cdot 70 + 0.5 \cdot 80 + 0.3 \cdot 90 = 81$"
        );
    }

    #[test]
    fn other_quantities_have_mistakes_too() {
        let plain_mean = Quantity::Operation(Operation::PlainMean, Basis::Values, 0);
        assert_eq!(ids(&exam(), plain_mean, 79.0)[0], "weighted-average");
        let told = named(&exam(), Quantity::Weight(0), 1.0 / 3.0);
        assert_eq!(told[0].id, "plain-mean");
        assert_eq!(
            told[0].sentence,
            "0.33 would be the weight of 70 with equal weights."
        );
        assert_eq!(ids(&exam(), Quantity::Weight(0), 0.5), ["another-item"]);
        assert_eq!(
            ids(&exam(), Quantity::Weight(0), 3.0),
            ["undivided", "count-instead"]
        );
        assert_eq!(
            ids(&exam(), Quantity::WeightedValue(0, 0), 0.3),
            ["weight-instead"]
        );
        assert_eq!(ids(&exam(), Quantity::Total, 3.0), ["another-number"]);
        let nobody = weighted(&[70.0, 80.0], &[3.0, 0.0]);
        assert_eq!(
            ids(&nobody, Quantity::Score(1), 0.0),
            ["weight-instead", "count-instead", "weighted-value-instead"]
        );
        let c = computed(&sentence());
        let number = |quantity| c.number(quantity).unwrap();
        assert!(
            ids(&sentence(), Quantity::Weight(1), number(Quantity::Score(1)))
                .contains(&"score-instead")
        );
        assert!(
            ids(
                &sentence(),
                Quantity::Weight(1),
                number(Quantity::ScaledScore(1))
            )
            .contains(&"scaled-score-instead")
        );
        assert!(
            ids(
                &sentence(),
                Quantity::ScaledScore(0),
                number(Quantity::Score(0))
            )
            .contains(&"no-scale")
        );
        assert!(
            ids(
                &sentence(),
                Quantity::WeightedValue(2, 1),
                number(Quantity::Weight(2))
            )
            .contains(&"weight-instead")
        );
        assert!(
            ids(&sentence(), OUTPUT, number(Quantity::Output(1))).contains(&"another-component")
        );
    }

    #[test]
    fn every_entry_of_the_registry_can_be_met_and_has_an_id_of_its_own() {
        let mut unmet: Vec<&str> = MISTAKES.iter().map(|mistake| mistake.id).collect();
        let count = unmet.len();
        unmet.sort_unstable();
        unmet.dedup();
        assert_eq!(unmet.len(), count, "ids are unique");
        let square = square();
        let tied = weighted(&[1.0, 3.0, 7.0, 8.0, 20.0], &[4.0, 4.0, 1.0, 2.0, 3.0]);
        let words = Words::english();
        let mut examples = vec![exam(), sentence(), square, tied];
        examples.extend(super::proofs::of_all_conventions());
        for example in examples {
            let c = computed(&example);
            let operation = |op| Quantity::Operation(op, Basis::Values, 0);
            for asked in [
                OUTPUT,
                operation(Operation::PlainMean),
                operation(Operation::Highest),
                Quantity::Weight(0),
                Quantity::Weight(3),
                Quantity::ScaledScore(0),
                Quantity::MaskedScore(3),
                Quantity::WeightedValue(0, 0),
                Quantity::Total,
            ] {
                let Some(right) = c.number(asked) else {
                    continue;
                };
                let case = Case::new(&c, asked, &words);
                for mistake in MISTAKES {
                    let id = mistake.id;
                    for found in mistake
                        .find(&case)
                        .into_iter()
                        .filter(|found| found.number.is_finite() && found.number != right)
                    {
                        for text in [&found.sentence, &found.computation] {
                            assert!(
                                !text.contains("Msg.") && !text.contains("{m}"),
                                "{id}: {text}"
                            );
                        }
                        if diagnose(&c, asked, found.number, 0.0, &words)
                            .iter()
                            .any(|mistake| mistake.id == id)
                        {
                            unmet.retain(|known| *known != id);
                        }
                    }
                }
            }
        }
        assert!(unmet.is_empty(), "never met: {unmet:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn each_mistake_that_applies_is_told_and_the_right_answer_never(example in any_example(), item in 0usize..6) {
            let words = Words::english();
            let c = computed(&example);
            let item = item % c.items();
            for asked in [OUTPUT, Quantity::Weight(item), Quantity::WeightedValue(item, 0), Quantity::Operation(Operation::PlainMean, Basis::Values, 0)] {
                let Some(right) = c.number(asked) else { continue };
                prop_assert!(diagnose(&c, asked, right, 0.0, &words).is_empty());
                prop_assert!(diagnose(&c, asked, right + 0.004, 0.005, &words).is_empty());
                let case = Case::new(&c, asked, &words);
                for mistake in MISTAKES {
                    let id = mistake.id;
                    for Found { number, sentence, .. } in mistake.find(&case) {
                        if number.is_finite() && !near(number, right, 1e-6) {
                            let told = diagnose(&c, asked, number, 0.0, &words);
                            prop_assert!(told.iter().any(|mistake| mistake.sentence == sentence), "{}: {}", id, sentence);
                        }
                    }
                }
            }
        }
    }
}
