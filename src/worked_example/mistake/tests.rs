//! Wrong numbers are named, all that give them, and the right one never is.

use proptest::prelude::*;

use super::said::{HowMsg, MistakeMsg, ThingMsg, WhatMsg};
use super::*;
use crate::words::{Message, MessageShape};
use crate::worked_example::tests::{any_example, computed, exam, sentence};
use crate::worked_example::{Basis, Operation, WorkedExample};

/// Shows every message's shape to a check.
pub(crate) fn check_words(check: impl Fn(&[MessageShape])) {
    for shapes in [
        MistakeMsg::SHAPES,
        ThingMsg::SHAPES,
        WhatMsg::SHAPES,
        HowMsg::SHAPES,
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
        (790.0 / 240.0, vec!["counts-values-swapped"]),
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
    assert!(ids(&sentence(), OUTPUT, number(Quantity::Output(1))).contains(&"another-component"));
}

#[test]
fn every_entry_of_the_registry_can_be_met_and_has_an_id_of_its_own() {
    let mut unmet: Vec<&str> = MISTAKES.iter().map(|mistake| mistake.id).collect();
    let count = unmet.len();
    unmet.sort_unstable();
    unmet.dedup();
    assert_eq!(unmet.len(), count, "ids are unique");
    let square = crate::worked_example::tests::square();
    let tied = crate::worked_example::tests::weighted(
        &[1.0, 3.0, 7.0, 8.0, 20.0],
        &[4.0, 4.0, 1.0, 2.0, 3.0],
    );
    let words = Words::english();
    for example in [exam(), sentence(), square, tied] {
        let c = computed(&example);
        let operation = |op| Quantity::Operation(op, Basis::Values, 0);
        for asked in [
            OUTPUT,
            operation(Operation::PlainMean),
            operation(Operation::Highest),
            Quantity::Weight(0),
            Quantity::ScaledScore(0),
            Quantity::WeightedValue(0, 0),
            Quantity::Total,
        ] {
            let Some(right) = c.number(asked) else {
                continue;
            };
            let case = Case::new(&c, asked, &words);
            for Mistake { id, find } in MISTAKES {
                for found in find(&case)
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
                        .any(|mistake| mistake.id == *id)
                    {
                        unmet.retain(|known| known != id);
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
            for Mistake { id, find } in MISTAKES {
                for Found { number, sentence, .. } in find(&case) {
                    if number.is_finite() && !near(number, right, 1e-6) {
                        let told = diagnose(&c, asked, number, 0.0, &words);
                        prop_assert!(told.iter().any(|mistake| mistake.sentence == sentence), "{}: {}", id, sentence);
                    }
                }
            }
        }
    }
}
