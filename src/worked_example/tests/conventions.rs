//! Examples with conventions: what is hidden is out of every number, each stage is told, edits go back through every stage, and nothing takes long.

use std::time::{Duration, Instant};

use ndarray::{Array2, array};
use proptest::prelude::*;

use super::{computed, sentence};
use crate::attention::{Alignment, EmptyRow, Normaliser, Positions, Rotary, RotaryPairs, Window};
use crate::words::Words;
use crate::worked_example::*;

fn changed(change: impl FnOnce(&mut AttentionExample)) -> WorkedExample {
    let WorkedExample::Attention(mut attention) = sentence() else {
        unreachable!()
    };
    change(&mut attention);
    WorkedExample::Attention(attention)
}

fn hiding(keys: [bool; 4]) -> WorkedExample {
    changed(|a| a.keep = Some(Array2::from_shape_fn((4, 4), |(_, j)| keys[j])))
}

fn rotary() -> Positions {
    Positions::Rotary(Rotary {
        pairs: RotaryPairs::Interleaved,
        base: 50.0,
    })
}

#[test]
fn a_hidden_key_is_out_of_every_operation() {
    let c = computed(&hiding([true, false, true, true]));
    let of = |operation, basis, component| {
        c.number(Quantity::Operation(operation, basis, component))
            .unwrap()
    };
    for (operation, expected) in [
        (Operation::Sum, 12.0),
        (Operation::PlainMean, 4.0),
        (Operation::Highest, 7.0),
        (Operation::Lowest, 1.0),
    ] {
        assert_eq!(of(operation, Basis::Values, 0), expected, "{operation:?}");
    }
    assert_eq!(
        of(Operation::Lowest, Basis::Values, 1),
        0.0,
        "not the hidden −3"
    );
    assert!(
        of(Operation::Lowest, Basis::WeightedValues, 0) > 0.0,
        "not the hidden key's 0"
    );
    assert_eq!((c.uniform_weight(), c.visible_items()), (1.0 / 3.0, 3));
    assert_eq!(c.number(Quantity::Weight(1)), Some(0.0));
    assert_eq!(c.number(Quantity::WeightedValue(1, 0)), Some(0.0));
    assert_eq!(c.number(Quantity::MaskedScore(1)), Some(f64::NEG_INFINITY));
    assert_eq!(
        c.number(Quantity::BiasedScore(1)),
        c.number(Quantity::ScaledScore(1))
    );
}

#[test]
fn where_all_is_hidden_the_policy_speaks_and_there_is_no_mean() {
    // Zeros are no average of anything; the plain mean of all is one.
    for (policy, output, average) in [
        (EmptyRow::Zeros, 0.0, None),
        (EmptyRow::Mean, 3.5, Some(3.5)),
    ] {
        let WorkedExample::Attention(mut attention) = hiding([false; 4]) else {
            unreachable!()
        };
        attention.spec.empty_row = policy;
        let c = computed(&WorkedExample::Attention(attention));
        let of = |operation, basis| c.number(Quantity::Operation(operation, basis, 0));
        assert_eq!(c.number(Quantity::Output(0)), Some(output));
        assert_eq!(of(Operation::WeightedAverage, Basis::Values), average);
        assert_eq!(of(Operation::Sum, Basis::WeightedValues), Some(output));
        assert_eq!(of(Operation::Sum, Basis::Values), Some(0.0));
        for operation in [Operation::PlainMean, Operation::Highest, Operation::Lowest] {
            assert_eq!(of(operation, Basis::Values), None, "{operation:?}");
            assert_eq!(of(operation, Basis::WeightedValues), None, "{operation:?}");
        }
        assert_eq!(c.uniform_weight(), 0.0);
        let words = Words::english();
        for step in steps(&c, &words) {
            assert!(!step.substituted.is_empty(), "{step:?}");
        }
        let _no_panic = every_mistake(&c, Quantity::Output(0), &words);
    }
}

#[test]
fn conventions_that_cannot_be_are_told_with_their_field() {
    type Change = fn(&mut AttentionExample);
    let faults: [(Field, Change); 10] = [
        (Field::Keep, |a| {
            a.keep = Some(Array2::from_elem((4, 3), true))
        }),
        (Field::Bias, |a| a.bias = Some(Array2::zeros((1, 4)))),
        (Field::Bias, |a| {
            a.bias = Some(Array2::from_elem((4, 4), f64::NAN))
        }),
        (Field::Bias, |a| {
            a.bias = Some(Array2::from_elem((4, 4), f64::INFINITY))
        }),
        (Field::Temperature, |a| a.spec.temperature = 0.0),
        (Field::Softcap, |a| a.spec.softcap = Some(-1.0)),
        (Field::Positions, |a| {
            a.spec.positions = Positions::Sinusoidal
        }),
        (Field::Positions, |a| {
            a.spec.positions = Positions::Rotary(Rotary {
                pairs: RotaryPairs::Halves,
                base: 0.0,
            });
        }),
        (Field::Positions, |a| {
            a.q = Array2::ones((4, 3));
            a.k = Array2::ones((4, 3));
            a.spec.positions = rotary();
        }),
        // A lone query stands at the first word here, and its word is the third.
        (Field::Q, |a| {
            a.q = array![[1.0, 2.0]];
            a.spec.causal = Some(Alignment::TopLeft);
        }),
    ];
    let words = Words::english();
    for (place, (field, change)) in faults.into_iter().enumerate() {
        let problem = Computed::new(&changed(change)).unwrap_err();
        assert_eq!(problem.field, field, "fault {place}");
        assert!(
            !words.say(&problem.message()).contains("Msg"),
            "fault {place}"
        );
    }
    let hides = changed(|a| a.bias = Some(Array2::from_elem((4, 4), f64::NEG_INFINITY)));
    assert_eq!(computed(&hides).visible_items(), 0);
}

fn typeset(tex: &str) {
    if let Err(problem) = crate::text::formula::layout(tex, 16.0, true) {
        panic!("{tex}: {problem:?}");
    }
}

#[test]
fn each_convention_is_a_step_of_its_own() {
    let words = Words::english();
    let of_all = changed(|a| {
        a.keep = Some(Array2::from_shape_fn((4, 4), |(_, j)| j != 1));
        a.bias = Some(Array2::from_elem((4, 4), 0.5));
        a.spec.softcap = Some(2.0);
        a.spec.temperature = 0.5;
        a.spec.positions = rotary();
    });
    let told = steps(&computed(&of_all), &words);
    let names: Vec<&str> = told.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "Positions",
            "Scores",
            "Scaled scores",
            "Softcap",
            "Bias",
            "Temperature",
            "Mask",
            "Softmax",
            "Weighted values",
            "Output"
        ]
    );
    assert_eq!(told[6].substituted, r"z_{\text{visits}} = -\infty");
    assert_eq!(told[6].rows[0].1[1], f64::NEG_INFINITY);
    assert!(told[5].rows[0].1[1].is_finite(), "hidden only after it");
    assert!(
        !told[7].substituted.contains("infty"),
        "{}",
        told[7].substituted
    );
    for (before, after) in [
        (3, "s'_i"),
        (4, r"\bar s_i"),
        (5, r"\tilde s_i"),
        (6, r"\hat s_i"),
        (7, "z_i"),
    ] {
        assert!(
            told[before].formula.contains(after),
            "{}",
            told[before].formula
        );
    }
    for normaliser in Normaliser::ALL {
        let other = changed(|a| a.spec.normaliser = normaliser);
        let told = steps(&computed(&other), &words);
        assert!(told[2].substituted.contains("w_"), "{:?}", told[2]);
        typeset(&told[2].formula);
        typeset(&told[2].substituted);
    }
    for step in told {
        typeset(&step.formula);
        typeset(&step.substituted);
    }
}

#[test]
fn weights_that_do_not_sum_to_one_make_no_average() {
    for (normaliser, is_average) in [
        (Normaliser::Sparsemax, true),
        (Normaliser::Sigmoid, false),
        (Normaliser::SoftmaxPlusOne, false),
        (Normaliser::Unnormalised, false),
    ] {
        let c = computed(&changed(|a| a.spec.normaliser = normaliser));
        let average = Quantity::Operation(Operation::WeightedAverage, Basis::Values, 0);
        assert_eq!(c.number(average).is_some(), is_average, "{normaliser:?}");
        assert!(c.number(Quantity::Output(0)).is_some(), "{normaliser:?}");
    }
}

#[test]
fn what_cannot_be_dragged_says_why() {
    let words = Words::english();
    let capped = |a: &mut AttentionExample| a.spec.softcap = Some(1.0);
    let biased =
        |a: &mut AttentionExample| a.bias = Some(Array2::from_shape_fn((4, 4), |(_, j)| j as f64));
    for (example, edit, begins) in [
        (
            hiding([true, false, true, true]),
            Edit::Weight(1, 0.5),
            "This key is hidden",
        ),
        (
            changed(|a| a.spec.normaliser = Normaliser::Sigmoid),
            Edit::Weight(1, 0.5),
            "Here weights are not",
        ),
        (
            changed(|a| a.spec.temperature = f64::INFINITY),
            Edit::Weight(1, 0.5),
            "The temperature is infinite",
        ),
        (
            changed(capped),
            Edit::Weight(1, 0.95),
            "The softcap keeps scores between −1 and 1",
        ),
        (
            changed(biased),
            Edit::EqualWeights,
            "What is added to the scores stays",
        ),
    ] {
        let problem = example.edited(&edit).unwrap_err();
        let said = words.say(&problem.message());
        assert!(said.starts_with(begins), "{said}");
    }
    let c = computed(
        &hiding([true, false, true, true])
            .edited(&Edit::EqualWeights)
            .unwrap(),
    );
    assert!(
        c.weights()
            .iter()
            .zip([1.0 / 3.0, 0.0, 1.0 / 3.0, 1.0 / 3.0])
            .all(|(a, b)| (a - b).abs() < 1e-15)
    );
}

/// Three hundred words of width 8, causal and with some hidden.
fn long() -> WorkedExample {
    let wave = |rows: usize, columns: usize, by: f64| {
        Array2::from_shape_fn((rows, columns), |(i, j)| {
            ((i * 7 + j * 13) as f64 * by).sin()
        })
        .mapv(|x| (x * 10.0).round() / 10.0)
    };
    WorkedExample::Attention(AttentionExample {
        tokens: (0..300).map(|i| format!("t{i}")).collect(),
        q: wave(300, 8, 0.37),
        k: wave(300, 8, 0.73),
        v: wave(300, 2, 1.1),
        keep: Some(Array2::from_shape_fn((300, 300), |(i, j)| (i + j) % 5 != 0)),
        bias: None,
        spec: Spec {
            causal: Some(Alignment::TopLeft),
            ..Spec::default()
        },
        focus: 250,
    })
}

#[test]
fn three_hundred_words_keep_nobody_waiting() {
    let example = long();
    let c = computed(&example);
    let words = Words::english();
    let timed = |what: &str, work: &dyn Fn()| {
        let begun = Instant::now();
        work();
        let took = begun.elapsed();
        println!("{what}: {took:?}");
        // In a debug build, on a busy machine; optimised it is a small part of this.
        assert!(took < Duration::from_secs(8), "{what} took {took:?}");
    };
    timed("every mistake", &|| {
        assert!(!every_mistake(&c, Quantity::Output(0), &words).is_empty())
    });
    timed("a diagnosis", &|| {
        drop(diagnose(&c, Quantity::Output(0), 0.123, 0.005, &words))
    });
    timed("other numbers", &|| {
        let other = example.renumbered(1);
        assert_eq!(computed(&other).visible(), c.visible());
    });
    timed("the steps", &|| assert!(!steps(&c, &words).is_empty()));
}

#[test]
fn other_numbers_keep_the_mask() {
    let example = hiding([true, false, true, true]);
    let other = example.renumbered(5);
    assert_ne!(other, example);
    assert_eq!(computed(&other).visible(), computed(&example).visible());
}

prop_compose! {
    fn any_conventions()(
        temperature in prop_oneof![Just(1.0), Just(0.5), Just(3.0)],
        softcap in prop::option::of(1.0..4.0f64),
        causal in any::<bool>(),
        left in prop::option::of(0usize..3),
        positions in 0usize..3,
        seen in prop::option::of(prop::collection::vec(prop::bool::weighted(0.7), 16)),
        bias in prop::option::of(prop::collection::vec(-2.0..2.0f64, 16)),
        focus in 0usize..4,
    ) -> WorkedExample {
        changed(|a| {
            let square = |cells| Array2::from_shape_vec((4, 4), cells).unwrap();
            a.spec = Spec {
                temperature,
                softcap,
                causal: causal.then_some(Alignment::TopLeft),
                window: Window { left, right: None },
                positions: [Positions::None, Positions::Alibi, rotary()][positions],
                ..Spec::default()
            };
            a.keep = seen.map(|seen| Array2::from_shape_vec((4, 4), seen).unwrap());
            a.bias = bias.map(square);
            a.focus = focus;
        })
    }
}

proptest! {
    #[test]
    fn a_dragged_weight_goes_back_through_every_convention(example in any_conventions(), item in 0usize..4, weight in 0.02..0.98f64) {
        let before = computed(&example);
        let Ok(edited) = example.edited(&Edit::Weight(item, weight)) else { return Ok(()) };
        let after = computed(&edited);
        prop_assert!((after.weights()[item] - weight).abs() < 1e-9, "{} is not {weight}", after.weights()[item]);
        for i in (0..4).filter(|i| *i != item) {
            prop_assert_eq!(before.scores()[i], after.scores()[i]);
        }
    }
}
