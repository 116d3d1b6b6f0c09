//! A described situation, computed by the attention engine: its numbers, operations, named mistakes and told steps.
//!
//! A *worked example* is either weighted values (three people got 70, five 80, two 90) or attention (tokens with q, k, v). Both run
//! through [`crate::attention`]: weighted values are attention with ln(count) as scores, so one computation stands behind every number.
//! An example is a value: an [`Edit`] makes a new one, and [`Computed`] is all of its numbers at once, so that a screen can never
//! show numbers of two examples mixed.

mod array_file;
mod array_run;
mod check;
mod computed;
#[cfg(test)]
mod conventions;
mod edit;
mod formula;
mod mistake;
mod operation;
mod quantity;
mod renumber;
mod sample;
mod steps;

pub use array_file::{
    ARRAY_CODES, ArrayFault, ArrayFile, ArrayName, ArrayPlace, ArrayRemedy, FieldMsg, FieldValue,
    MOST_AXES, MOST_NUMBERS, NamedArray, PositionsWord, SpecFields, UnknownWord, Word, WriteFormat,
    WriteProblem, read_arrays, read_one, read_word, write_arrays, write_json_list,
};
pub use array_run::{
    ArrayRun, Keep, MOST_CELLS, NoticeKind, NoticeMsg, RUN_CODES, RunFault, RunNotice, Shown,
    run_arrays,
};
pub use check::{ExampleMsg, ExampleProblem, Field};
pub use computed::Computed;
pub use edit::{Edit, EditMsg, EditProblem};
pub use formula::{NumeralMsg, numeral};
pub use mistake::{
    Array, MISTAKES, Mistake, NamedMatrixMistake, NamedMistake, Parting, diagnose, diagnose_arrays,
    diagnose_matrix, every_mistake,
};
pub use operation::{Basis, Operation};
pub use quantity::Quantity;
pub use sample::{Draws, draw};
pub use steps::{Step, steps};

use ndarray::Array2;

use crate::attention::Spec;

/// A described situation that the engine computes.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "few stand at a time, and a box would stand in every match"
)]
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
    /// (n, m): true = visible.
    pub keep: Option<Array2<bool>>,
    /// (n, m): added to the scaled scores; −∞ hides.
    pub bias: Option<Array2<f64>>,
    /// Every convention.
    pub spec: Spec,
    /// The token whose context is computed (0-based), the row of `q` where q has one row a token.
    pub focus: usize,
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, array};
    use proptest::prelude::*;

    use super::*;
    use crate::words::{Message, Words};

    /// Three people got 70 points, five 80, two 90.
    pub(super) fn exam() -> WorkedExample {
        weighted(&[70.0, 80.0, 90.0], &[3.0, 5.0, 2.0])
    }

    pub(super) fn weighted(values: &[f64], counts: &[f64]) -> WorkedExample {
        WorkedExample::WeightedValues(WeightedValues {
            unit: "points".to_owned(),
            holders: "people".to_owned(),
            values: values.to_vec(),
            counts: counts.to_vec(),
        })
    }

    /// Four tokens of width 2, all weights of the focus word different.
    pub(super) fn sentence() -> WorkedExample {
        WorkedExample::Attention(AttentionExample {
            tokens: ["Jane", "visits", "Africa", "today"]
                .map(str::to_owned)
                .to_vec(),
            q: array![[1.0, 0.5], [0.5, 1.0], [2.0, -1.0], [0.1, 0.3]],
            k: array![[1.0, 0.0], [0.3, 1.2], [2.0, 1.0], [-0.5, 0.8]],
            v: array![[1.0, 10.0], [2.0, -3.0], [4.0, 0.0], [7.0, 1.0]],
            keep: None,
            bias: None,
            spec: Spec::default(),
            focus: 2,
        })
    }

    /// Three tokens with d = dᵥ = m = 3, so that keys and values can be swapped and a transpose forgotten.
    pub(super) fn square() -> WorkedExample {
        WorkedExample::Attention(AttentionExample {
            tokens: ["a", "b", "c"].map(str::to_owned).to_vec(),
            q: array![[1.0, 0.5, 0.2], [0.5, 1.0, -0.3], [2.0, -1.0, 0.4]],
            k: array![[1.0, 0.1, 0.6], [0.3, 1.2, -0.7], [2.0, 1.0, 0.9]],
            v: array![[1.0, 10.0, 3.0], [2.0, -3.0, 4.0], [4.0, 0.5, -2.0]],
            keep: None,
            bias: None,
            spec: Spec::default(),
            focus: 0,
        })
    }

    pub(super) fn computed(example: &WorkedExample) -> Computed {
        Computed::new(example).unwrap()
    }

    fn near(a: f64, b: f64) -> bool {
        a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
    }

    #[test]
    fn the_table_of_readings_is_computed() {
        let c = computed(&exam());
        let of = |operation, basis| c.number(Quantity::Operation(operation, basis, 0)).unwrap();
        for (operation, of_values, of_weighted) in [
            (Operation::Sum, 240.0, 79.0),
            (Operation::PlainMean, 80.0, 79.0 / 3.0),
            (Operation::WeightedAverage, 79.0, 29.9),
            (Operation::Highest, 90.0, 40.0),
            (Operation::Lowest, 70.0, 18.0),
        ] {
            assert!(
                near(of(operation, Basis::Values), of_values),
                "{operation:?}"
            );
            assert!(
                near(of(operation, Basis::WeightedValues), of_weighted),
                "{operation:?} of the weighted values"
            );
        }
        for (quantity, number) in [
            (Quantity::MeanOfAll, 79.0),
            (Quantity::Total, 10.0),
            (Quantity::Items, 3.0),
            (Quantity::Weight(1), 0.5),
            (Quantity::WeightedValue(1, 0), 40.0),
            (Quantity::Score(0), 3f64.ln()),
        ] {
            assert!(near(c.number(quantity).unwrap(), number), "{quantity:?}");
        }
        for nothing in [
            Quantity::Weight(3),
            Quantity::Output(1),
            Quantity::Value(0, 1),
            Quantity::KeyWidth,
        ] {
            assert_eq!(c.number(nothing), None, "{nothing:?}");
        }
    }

    #[test]
    fn a_count_of_zero_stays_visible_with_weight_zero() {
        let c = computed(&weighted(&[70.0, 80.0, 90.0], &[5.0, 0.0, 5.0]));
        assert_eq!(
            (c.number(Quantity::Weight(1)), c.number(Quantity::Score(1))),
            (Some(0.0), Some(f64::NEG_INFINITY))
        );
        assert!(near(c.number(Quantity::Output(0)).unwrap(), 80.0));
        assert!(near(
            c.number(Quantity::Operation(Operation::PlainMean, Basis::Values, 0))
                .unwrap(),
            80.0
        ));
        assert!(near(c.uniform_weight(), 1.0 / 3.0));
    }

    #[test]
    fn examples_that_cannot_be_computed_say_why_and_where() {
        let field = |example: &WorkedExample| Computed::new(example).unwrap_err().field;
        assert_eq!(field(&weighted(&[], &[])), Field::Values);
        assert_eq!(
            field(&weighted(&[1.0, f64::NAN], &[1.0, 1.0])),
            Field::Values
        );
        assert_eq!(field(&weighted(&[1.0, 1e300], &[1.0, 1.0])), Field::Values);
        assert_eq!(field(&weighted(&[1.0, 2.0], &[1.0])), Field::Counts);
        assert_eq!(field(&weighted(&[1.0, 2.0], &[1.0, -1.0])), Field::Counts);
        assert_eq!(field(&weighted(&[1.0, 2.0], &[0.0, 0.0])), Field::Counts);
        type Change = fn(&mut AttentionExample);
        let faults: [(Field, Change); 7] = [
            (Field::Q, |a| a.q = Array2::ones((2, 2))),
            (Field::K, |a| a.k = Array2::ones((4, 3))),
            (Field::K, |a| a.k = Array2::ones((3, 2))),
            (Field::V, |a| a.v = Array2::ones((4, 0))),
            (Field::V, |a| a.v[[1, 1]] = f64::INFINITY),
            (Field::Scale, |a| a.spec.scale = Some(f64::NAN)),
            (Field::Focus, |a| a.focus = 4),
        ];
        for (expected, change) in faults {
            let WorkedExample::Attention(mut attention) = sentence() else {
                unreachable!()
            };
            change(&mut attention);
            assert_eq!(field(&WorkedExample::Attention(attention)), expected);
        }
        let problem = Computed::new(&weighted(&[1.0, 2.0], &[1.0, -1.0])).unwrap_err();
        assert_eq!(
            Words::english().say(&problem.message()),
            "count 2 is negative: a count is 0 or more"
        );
    }

    #[test]
    fn impossible_edits_say_why() {
        let words = Words::english();
        let zero_query = sentence().edited(&Edit::EqualWeights).unwrap();
        let one_only = weighted(&[70.0, 80.0], &[3.0, 0.0]);
        for (example, edit) in [
            (exam(), Edit::Weight(0, 1.0)),
            (exam(), Edit::Weight(0, 1.5)),
            (exam(), Edit::Weight(0, f64::NAN)),
            (exam(), Edit::Weight(3, 0.5)),
            (exam(), Edit::Value(0, f64::NAN)),
            (exam(), Edit::Count(0, -1.0)),
            (exam(), Edit::MovePerson { from: 0, to: 3 }),
            (exam(), Edit::Query(0, 0, 1.0)),
            (one_only.clone(), Edit::Weight(0, 0.5)),
            (one_only.clone(), Edit::Count(0, 0.0)),
            (one_only, Edit::MovePerson { from: 1, to: 0 }),
            (
                weighted(&[1.0, 2.0], &[0.5, 0.5]),
                Edit::MovePerson { from: 1, to: 0 },
            ),
            (sentence(), Edit::Weight(0, 0.0)),
            (sentence(), Edit::Weight(0, 1.0)),
            (zero_query, Edit::Weight(0, 0.5)),
            (sentence(), Edit::Focus(9)),
            (sentence(), Edit::Key(0, 2, 1.0)),
            (sentence(), Edit::Count(0, 1.0)),
        ] {
            let problem = example.edited(&edit).unwrap_err();
            let said = words.say(&problem.message());
            assert!(
                said.ends_with('.') && !said.contains(['{', '[']),
                "{edit:?}: {said}"
            );
        }
    }

    #[test]
    fn equal_weights_put_the_output_on_the_plain_mean() {
        for example in [exam(), sentence(), weighted(&[1.0, 5.0], &[0.25, 0.75])] {
            let c = computed(&example.edited(&Edit::EqualWeights).unwrap());
            for component in 0..c.value_width() {
                let mean = c
                    .number(Quantity::Operation(
                        Operation::PlainMean,
                        Basis::Values,
                        component,
                    ))
                    .unwrap();
                assert!(near(c.number(Quantity::Output(component)).unwrap(), mean));
            }
        }
    }

    #[test]
    fn another_focus_word_changes_weights_and_leaves_values() {
        let (a, b) = (computed(&sentence()), computed(&sentence().with_focus(0)));
        assert_eq!(a.values(), b.values());
        assert!(a.weights() != b.weights());
        assert_eq!(sentence().with_focus(17), sentence());
    }

    #[test]
    fn draws_are_the_same_on_every_machine_and_however_they_are_split() {
        let c = computed(&exam());
        let whole = draw(&c, None, 100, 7);
        let split = draw(
            &c,
            Some(&draw(&c, Some(&draw(&c, None, 13, 7)), 37, 7)),
            50,
            7,
        );
        assert_eq!(whole, split);
        assert_eq!(whole.counts.iter().sum::<u64>(), 100);
        assert_eq!(whole.counts, PINNED_COUNTS, "the generator is pinned");
        let many = draw(&c, None, 100_000, 1);
        assert!((many.mean[0] - 79.0).abs() < 0.1, "{:?}", many.mean);
        assert!(near(many.path.last().unwrap().1, many.mean[0]));
        assert!(many.path.len() < 250 && many.path.windows(2).all(|pair| pair[0].0 < pair[1].0));
        let never = draw(
            &computed(&weighted(&[1.0, 2.0, 3.0], &[1.0, 0.0, 1.0])),
            None,
            1000,
            1,
        );
        assert_eq!(never.counts[1], 0);
    }

    /// As the generator of this program's first version drew them: another generator, or another way of using it, would be seen here.
    const PINNED_COUNTS: [u64; 3] = [31, 51, 18];

    #[test]
    fn steps_tell_the_stages_that_the_example_has() {
        let words = Words::english();
        let names = |example: &WorkedExample| -> Vec<String> {
            steps(&computed(example), &words)
                .into_iter()
                .map(|step| step.name)
                .collect()
        };
        assert_eq!(
            names(&exam()),
            [
                "Values and counts",
                "Weights",
                "Weighted values",
                "Their sum",
                "The same by attention"
            ]
        );
        assert_eq!(
            names(&sentence()),
            [
                "Scores",
                "Scaled scores",
                "Softmax",
                "Weighted values",
                "Output"
            ]
        );
        let WorkedExample::Attention(attention) = sentence() else {
            unreachable!()
        };
        let unscaled = WorkedExample::Attention(AttentionExample {
            spec: Spec {
                scale: Some(1.0),
                ..Spec::default()
            },
            ..attention
        });
        assert_eq!(
            names(&unscaled),
            ["Scores", "Softmax", "Weighted values", "Output"]
        );

        let exam_steps = steps(&computed(&exam()), &words);
        assert_eq!(exam_steps[3].substituted, "21 + 40 + 18 = 79");
        assert_eq!(
            exam_steps[1].substituted,
            r"\frac{3}{10} = 0.3,\quad \frac{5}{10} = 0.5,\quad \frac{2}{10} = 0.2"
        );
        let spoken = steps(&computed(&sentence()), &words);
        assert_eq!(
            spoken[0].substituted,
            r"q = (2,\; -1),\quad s_{\text{Africa}} = 2 \cdot 2 + (-1) \cdot 1 = 3"
        );
        assert_eq!(
            spoken[1].substituted,
            r"s'_{\text{Africa}} = \frac{3}{\sqrt{2}} \approx 2.12"
        );
        for step in exam_steps.iter().chain(&spoken) {
            assert!(
                step.rows
                    .iter()
                    .all(|(name, row)| !name.contains('[') && row.len() == step.columns.len()),
                "{step:?}"
            );
        }
    }

    #[test]
    fn other_numbers_keep_what_could_be_told_apart_and_what_was_luck() {
        let operations = |c: &Computed| {
            Operation::ALL.map(|op| c.number(Quantity::Operation(op, Basis::Values, 0)).unwrap())
        };
        for (example, luck) in [
            (exam(), false),
            (weighted(&[70.0, 80.0, 90.0], &[1.0, 2.0, 1.0]), true),
        ] {
            let mut seen = Vec::new();
            for seed in 0..40 {
                let other = example.renumbered(seed);
                assert_eq!(
                    other,
                    example.renumbered(seed),
                    "the same seed, the same numbers"
                );
                let c = computed(&other);
                let [_, plain, weighted, highest, lowest] = operations(&c);
                assert_eq!(near(plain, weighted), luck, "{other:?}");
                assert!(lowest < weighted && weighted < highest);
                assert!(other.whole_counts());
                assert_eq!(c.items(), 3);
                seen.push(format!("{other:?}"));
            }
            seen.sort();
            seen.dedup();
            assert!(
                seen.len() > 8,
                "only {} different examples, luck: {luck}",
                seen.len()
            );
        }
        let (a, b) = (sentence(), sentence().renumbered(3));
        assert_ne!(a, b);
        let weights = computed(&b).weights().to_vec();
        assert!(weights.iter().all(|w| *w > 0.0), "{weights:?}");
        let WorkedExample::Attention(b) = b else {
            unreachable!()
        };
        assert!(
            b.k.iter().all(|x| near(x * 10.0, (x * 10.0).round())),
            "one decimal: {}",
            b.k
        );
    }

    #[test]
    fn every_message_has_words() {
        fn check<M: Message>(words: &[(String, Vec<String>)]) {
            for shape in M::SHAPES {
                let (_, args) = words
                    .iter()
                    .find(|(key, _)| key == shape.key)
                    .unwrap_or_else(|| panic!("{}", shape.key));
                let mut expected: Vec<&str> = shape.args.to_vec();
                expected.sort_unstable();
                assert_eq!(*args, expected, "{}", shape.key);
            }
        }
        let words = Words::english().keys_and_args();
        check::<ExampleMsg>(&words);
        check::<EditMsg>(&words);
        check::<NumeralMsg>(&words);
        check::<steps::StepMsg>(&words);
        mistake::check_words(|shapes| {
            for shape in shapes {
                assert!(
                    words.iter().any(|(key, _)| key == shape.key),
                    "{}",
                    shape.key
                );
            }
        });
    }

    prop_compose! {
        fn any_weighted()(m in 2usize..6)
            (values in prop::collection::vec(-50i32..100, m), counts in prop::collection::vec(0u8..9, m), sure in 0..m) -> WorkedExample {
            let mut counts: Vec<f64> = counts.into_iter().map(f64::from).collect();
            counts[sure] += 1.0;
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            weighted(&values, &counts)
        }
    }

    /// Numbers with one decimal.
    fn tenths(rows: usize, columns: usize) -> impl Strategy<Value = Array2<f64>> {
        prop::collection::vec(-30i32..30, rows * columns).prop_map(move |cells| {
            Array2::from_shape_vec((rows, columns), cells)
                .unwrap()
                .mapv(|x| f64::from(x) / 10.0)
        })
    }

    prop_compose! {
        fn any_attention()(m in 2usize..6, d in 1usize..4, width in 1usize..3)
            (q in tenths(m, d), k in tenths(m, d), v in tenths(m, width), focus in 0..m) -> WorkedExample {
            let tokens = (0..q.nrows()).map(|i| format!("t{i}")).collect();
            WorkedExample::Attention(AttentionExample { tokens, q, k, v, keep: None, bias: None, spec: Spec::default(), focus })
        }
    }

    pub(super) fn any_example() -> impl Strategy<Value = WorkedExample> {
        prop_oneof![any_weighted(), any_attention()]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn weighted_values_are_what_dividing_by_the_total_gives(example in any_weighted()) {
            let c = computed(&example);
            let WorkedExample::WeightedValues(WeightedValues { values, counts, .. }) = &example else { unreachable!() };
            let total: f64 = counts.iter().sum();
            let direct = values.iter().zip(counts).map(|(x, n)| x * n).sum::<f64>() / total;
            let output = c.number(Quantity::Output(0)).unwrap();
            prop_assert!((output - direct).abs() < 1e-9);
            prop_assert_eq!(c.number(Quantity::MeanOfAll), Some(output));
            prop_assert!((c.weights().iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }

        #[test]
        fn a_weight_that_is_dragged_comes_to_be_exactly_that_and_the_others_keep_their_ratios(
            example in any_example(), item in 0usize..6, weight in 0.001..0.999f64,
        ) {
            let before = computed(&example);
            let item = item % before.items();
            let Ok(edited) = example.edited(&Edit::Weight(item, weight)) else { return Ok(()) };
            let after = computed(&edited);
            prop_assert!((after.weights()[item] - weight).abs() < 1e-9);
            let others = |c: &Computed| -> Vec<f64> {
                let rest = 1.0 - c.weights()[item];
                c.weights().iter().enumerate().filter(|(i, _)| *i != item).map(|(_, w)| w / rest).collect()
            };
            for (a, b) in others(&before).into_iter().zip(others(&after)) {
                prop_assert!((a - b).abs() < 1e-6, "{} {}", a, b);
            }
            for i in (0..before.items()).filter(|i| *i != item) {
                prop_assert_eq!(before.scores()[i], after.scores()[i]);
            }
            prop_assert_eq!(before.values(), after.values());
        }

        #[test]
        fn moving_a_person_keeps_the_total_and_the_plain_mean_of_the_numbers(example in any_weighted(), from in 0usize..6, to in 0usize..6) {
            let before = computed(&example);
            let (from, to) = (from % before.items(), to % before.items());
            let Ok(edited) = example.edited(&Edit::MovePerson { from, to }) else {
                prop_assert_eq!(before.number(Quantity::Count(from)), Some(0.0));
                return Ok(());
            };
            let after = computed(&edited);
            for kept in [Quantity::Total, Quantity::Operation(Operation::PlainMean, Basis::Values, 0)] {
                prop_assert_eq!(before.number(kept), after.number(kept));
            }
        }

        #[test]
        fn other_numbers_can_always_be_computed(example in any_example(), seed in any::<u64>()) {
            let other = example.renumbered(seed);
            prop_assert_eq!(computed(&other).items(), computed(&example).items());
        }
    }
}
