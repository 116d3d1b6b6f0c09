//! Answers and what they are told: read generously, marked by the engine, explained with its numbers.

use super::{ONE_OF, builtin, mark, question, typed, verdict};
use crate::quiz::kinds::Kind;
use crate::quiz::kinds::predict::total_variation;
use crate::quiz::testing::{question_of, quiz_of, read};
use crate::quiz::{Answer, ChoiceState, Marking, Verdict};
use crate::text::{Ink, spoken};
use crate::words::Words;
use crate::worked_example::{Computed, Edit};

#[test]
fn typed_numbers_are_marked_generously() {
    let mean = question("WeightedAverage", "Number(right: 79)");
    for text in [
        "79",
        "79.0",
        "79,0",
        " 79 ",
        "7.9e1",
        "79 points",
        "158/2",
        "７９",
        "79.00",
        "+79",
        "79points",
        "79\u{2009}points",
        "79 Points",
        "\u{202f}79\u{a0}",
        "790 / 10",
        "7900 %",
    ] {
        assert_eq!(
            verdict(&typed(&mean, text)),
            Some(Verdict::Right),
            "{text:?}"
        );
    }
    for text in ["80", "79.28", "-79", "78", "79.1", "790"] {
        assert_eq!(
            verdict(&typed(&mean, text)),
            Some(Verdict::Wrong),
            "{text:?}"
        );
    }
    for text in [
        "",
        "  ",
        "seventy-nine",
        "7 9 x",
        "1,234",
        "1e999",
        "79 p",
        "79 people",
        "79 or 80",
        "7.9.0",
    ] {
        assert_eq!(verdict(&typed(&mean, text)), None, "{text:?}");
    }
    let negative = question("", r#"Number(right: "-2.5")"#);
    for text in ["-2.5", "−2.5", "–2,50"] {
        assert_eq!(
            verdict(&typed(&negative, text)),
            Some(Verdict::Right),
            "{text:?}"
        );
    }
    let third = question("", r#"Number(right: "1 / 3")"#);
    for text in ["0.33", "0,33", ".333", "1/3", "33.3 %", "33 %", "1⁄3"] {
        assert_eq!(
            verdict(&typed(&third, text)),
            Some(Verdict::Right),
            "{text:?}"
        );
    }
    let large = question("", "Number(right: 12345.5)");
    for text in [
        "12345.5",
        "12 345,5",
        "12\u{202f}345.5",
        "12.345,5",
        "12,345.5",
        "12'345.5",
    ] {
        assert_eq!(
            verdict(&typed(&large, text)),
            Some(Verdict::Right),
            "{text:?}"
        );
    }
    let weight = question("Weight(1)", "Number()");
    for text in ["0.3", ".3", "0,30", "30 %", "3/10"] {
        assert_eq!(
            verdict(&typed(&weight, text)),
            Some(Verdict::Right),
            "{text:?}"
        );
    }
}

#[test]
fn a_number_right_as_far_as_it_goes_is_asked_for_more_places() {
    let third = question("Of(PlainMean, WeightedValues)", "Number(right: 26.33)");
    assert_eq!(verdict(&typed(&third, "26.33")), Some(Verdict::Right));
    assert_eq!(verdict(&typed(&third, "26.333")), Some(Verdict::Right));
    assert_eq!(verdict(&typed(&third, "79/3")), Some(Verdict::Right));
    assert!(matches!(typed(&third, "26.3"), Marking::NotCounted(why) if why.contains('2')));
    assert_eq!(verdict(&typed(&third, "26.4")), Some(Verdict::Wrong));
}

#[test]
fn a_wrong_number_is_named_by_the_mistake_that_gives_it() {
    let mean = question("WeightedAverage", "Number(right: 79)");
    let Marking::Marked {
        mistakes,
        explanation,
        credit,
        ..
    } = typed(&mean, "80")
    else {
        panic!()
    };
    assert!(
        mistakes.iter().any(|m| m.id == "plain-mean"),
        "{mistakes:?}"
    );
    let reply = spoken::spoken(&explanation.reply, &Words::english());
    assert!(
        reply.contains("80 is the plain mean of the three numbers."),
        "{reply}"
    );
    assert_eq!(
        (credit, explanation.released, explanation.right.as_deref()),
        (0.0, Some(80.0), Some("79 points"))
    );
    let Marking::Marked {
        mistakes,
        explanation,
        ..
    } = typed(&mean, "12345")
    else {
        panic!()
    };
    assert!(mistakes.is_empty() && !explanation.reply.is_empty());
}

#[test]
fn a_choice_is_explained_with_its_number_and_colour() {
    let of = question("WeightedAverage", ONE_OF);
    let Marking::Marked {
        verdict,
        mistakes,
        explanation,
        ..
    } = mark(&of, &Answer::Choice("PlainMean".into()))
    else {
        panic!()
    };
    assert_eq!(
        (verdict, explanation.released),
        (Verdict::Wrong, Some(80.0))
    );
    let ids: Vec<&str> = mistakes.iter().map(|m| m.id).collect();
    assert_eq!(
        ids,
        ["plain-mean"],
        "what she claimed, not what else comes to 80"
    );
    let told: Vec<_> = explanation
        .choices
        .iter()
        .map(|c| (c.id.as_str(), c.state, c.number.clone().unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            ("Sum", ChoiceState::Other, ("= 240".into(), Ink::Sum)),
            (
                "WeightedAverage",
                ChoiceState::Right,
                ("= 79".into(), Ink::WeightedAverage)
            ),
            (
                "PlainMean",
                ChoiceState::YoursWrong,
                ("= 80".into(), Ink::PlainMean)
            ),
        ]
    );
    assert!(matches!(
        mark(&of, &Answer::Choice("none".into())),
        Marking::NotCounted(_)
    ));
    assert!(matches!(
        mark(&of, &Answer::Number("1".into())),
        Marking::NotCounted(_)
    ));
}

#[test]
fn every_reading_of_every_offer_is_computed() {
    let quiz = builtin();
    let offers = quiz
        .questions
        .iter()
        .find(|q| matches!(q.kind, Kind::Readings(_)))
        .unwrap();
    let computed = Computed::new(&offers.example.as_ref().unwrap().1).unwrap();
    let Kind::Readings(kind) = &offers.kind else {
        panic!()
    };
    let words = Words::english();
    let marking = offers.mark(
        &Answer::Choice(kind.offers[1].id.clone()),
        Some(&computed),
        &words,
    );
    let Marking::Marked {
        verdict,
        explanation,
        ..
    } = marking
    else {
        panic!()
    };
    let table = explanation.readings.unwrap();
    assert_eq!(verdict, Verdict::Open);
    assert_eq!(
        table.columns,
        [
            "of the values 70, 80, 90",
            "of the weighted values 21, 40, 18"
        ]
    );
    let numbers: Vec<Vec<Vec<(&str, bool)>>> = table
        .rows
        .iter()
        .map(|r| {
            r.cells
                .iter()
                .map(|c| {
                    c.iter()
                        .map(|cell| (cell.number.as_str(), cell.agrees))
                        .collect()
                })
                .collect()
        })
        .collect();
    assert_eq!(
        numbers,
        [
            vec![vec![("240", false)], vec![("79", true)]],
            vec![vec![("80", false), ("79", true)], vec![("26.33", false)]],
            vec![vec![("90", false)], vec![("40", false)]],
            vec![vec![("70", false)], vec![("18", false)]],
        ]
    );
    assert_eq!(explanation.rounded_to, Some(2));
    let statement = spoken::spoken(&explanation.statement, &words);
    assert!(statement.starts_with("Two readings give 79"), "{statement}");
}

#[test]
fn a_prediction_earns_what_it_gets_right() {
    let of = question("", "Predict(close: 0.1)");
    for (guess, verdict, credit) in [
        (vec![0.3, 0.5, 0.2], Verdict::Right, 1.0),
        (vec![0.35, 0.45, 0.2], Verdict::Right, 0.95),
        (vec![1.0 / 3.0; 3], Verdict::Partly, 5.0 / 6.0),
        (vec![0.0, 0.0, 1.0], Verdict::Partly, 0.2),
    ] {
        let Marking::Marked {
            verdict: v,
            credit: c,
            explanation,
            ..
        } = mark(&of, &Answer::Weights(guess.clone()))
        else {
            panic!()
        };
        assert_eq!(v, verdict, "{guess:?}");
        assert!((c - credit).abs() < 1e-9, "{guess:?}: {c}");
        assert_eq!(explanation.predicted.map(|p| p.0.len()), Some(3));
    }
    for bad in [
        vec![],
        vec![0.5, 0.5],
        vec![f64::NAN, 0.5, 0.5],
        vec![-0.5, 1.0, 0.5],
        vec![0.5, 0.5, 0.5],
    ] {
        assert_eq!(
            verdict(&mark(&of, &Answer::Weights(bad.clone()))),
            None,
            "{bad:?}"
        );
    }
    assert_eq!(total_variation(&[1.0, 0.0], &[0.0, 1.0]), 1.0);
}

#[test]
fn texts_follow_other_numbers_and_say_when_they_cannot() {
    let (of, _) = question("WeightedAverage", ONE_OF);
    assert!(of.renumberable());
    let fixed = r#"OneOf([Right(text: "79", claims: WeightedAverage), Wrong(text: "b")])"#;
    assert!(!question("WeightedAverage", fixed).0.renumberable());
    assert!(!question("", "Number(right: 79)").0.renumberable());
    let edited = of
        .example
        .as_ref()
        .unwrap()
        .1
        .edited(&Edit::Value(0, 60.0))
        .unwrap();
    let computed = Computed::new(&edited).unwrap();
    let marking = of.mark(
        &Answer::Choice("WeightedAverage".into()),
        Some(&computed),
        &Words::english(),
    );
    let Marking::Marked {
        explanation,
        verdict,
        ..
    } = marking
    else {
        panic!()
    };
    assert_eq!(verdict, Verdict::Right, "the marks stay");
    let why = spoken::spoken(&explanation.choices[1].why, &Words::english());
    assert!(why.contains("0.3 · 60") && why.contains("76"), "{why}");
}

#[test]
fn the_version_follows_what_matters_and_nothing_else() {
    let version = |text: &str| read(text).0.unwrap().questions[0].version;
    let text = quiz_of(&question_of("WeightedAverage", ONE_OF));
    let first = version(&text);
    // Kept with every attempt: this number must not change from one version of the program to the next.
    assert_eq!(format!("{:016x}", first.0), "6344a909c99ce1e3");
    for wording in [
        text.replace("What is it?", "And what is it?"),
        text.replace("their sum", "the sum of them"),
        text.replace("points", "marks"),
    ] {
        assert_eq!(version(&wording), first);
    }
    for meaning in [
        text.replace("70, 80", "71, 80"),
        text.replace("[3, 5", "[4, 5"),
        text.replace("claims: Sum", "claims: Highest"),
        text.replace("asks: WeightedAverage", "asks: Output"),
    ] {
        assert_ne!(version(&meaning), first, "{meaning}");
    }
}
