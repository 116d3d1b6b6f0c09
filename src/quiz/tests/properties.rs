//! What holds for every example, order and damage.

use proptest::prelude::*;

use super::{ONE_OF, question, question_of, quiz_of, verdict};
use crate::quiz::check::check_quiz;
use crate::quiz::kinds::Kind;
use crate::quiz::testing::read;
use crate::quiz::{Answer, Question, Verdict, builtin};
use crate::words::Words;
use crate::words::number::{DecimalSign, show};
use crate::worked_example::{
    AttentionExample, Basis, Computed, Operation, Quantity, WeightedValues, WorkedExample,
    every_mistake,
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_shown_is_right_when_typed_back(
        values in proptest::collection::vec(-1000.0..1000.0f64, 1..6),
        counts in proptest::collection::vec(1.0..50.0f64, 6),
        asked in 0usize..4,
        comma in proptest::bool::ANY,
    ) {
        let counts = counts[..values.len()].to_vec();
        let example = WorkedExample::WeightedValues(WeightedValues {
            unit: "points".into(), holders: "people".into(), values, counts,
        });
        let computed = Computed::new(&example).unwrap();
        let mut question = (*question("WeightedAverage", "Number()").0).clone();
        question.asks = Some([Quantity::Output(0), Quantity::Weight(0), Quantity::Score(0), Quantity::WeightedValue(0, 0)][asked]);
        let number = computed.number(question.asks.unwrap()).unwrap();
        let mut words = Words::english();
        words.decimal = if comma { DecimalSign::Comma } else { DecimalSign::Point };
        let shown = show(number, words.decimal).text;
        let marking = question.mark(&Answer::Number(shown.clone()), Some(&computed), &words);
        prop_assert_eq!(verdict(&marking), Some(Verdict::Right), "{}", shown);
        let right = question.right_answer(Some(&computed), &words).unwrap();
        prop_assert!(right.starts_with(&shown));
    }

    /// With `q`, `k`, `v` of any numbers, in either decimal sign, with and without the unit: what is shown is never even asked about.
    #[test]
    fn what_attention_comes_to_is_right_when_typed_back(
        numbers in proptest::collection::vec(-9.0..9.0f64, 18),
        asked in 0usize..6,
        comma in proptest::bool::ANY,
        unit in prop_oneof![Just(""), Just(" points"), Just("\u{202f}Points ")],
    ) {
        let rows = |from: usize| ndarray::Array2::from_shape_vec((3, 2), numbers[from..from + 6].to_vec()).unwrap();
        let example = WorkedExample::Attention(AttentionExample {
            tokens: ["a", "b", "c"].map(str::to_owned).to_vec(),
            q: rows(0), k: rows(6), v: rows(12), keep: None, bias: None, spec: crate::attention::Spec::default(), focus: 1,
        });
        let computed = Computed::new(&example).unwrap();
        let mut question = (*question("", r#"Number(right: 1, unit: "points")"#).0).clone();
        question.asks = Some([
            Quantity::Output(1), Quantity::Weight(0), Quantity::Score(2), Quantity::ScaledScore(1), Quantity::WeightedValue(0, 1),
            Quantity::Operation(Operation::PlainMean, Basis::Values, 0),
        ][asked]);
        let mut words = Words::english();
        words.decimal = if comma { DecimalSign::Comma } else { DecimalSign::Point };
        let number = computed.number(question.asks.unwrap()).unwrap();
        let typed = format!("{}{unit}", show(number, words.decimal).text);
        let marking = question.mark(&Answer::Number(typed.clone()), Some(&computed), &words);
        prop_assert_eq!(verdict(&marking), Some(Verdict::Right), "{:?} for {}", typed, number);
    }

    /// Whatever the numbers: where the check finds nothing to say, no known mistake passes for right, typed as it is shown.
    #[test]
    fn no_known_mistake_is_right_when_typed_as_it_is_shown(
        values in proptest::collection::vec(-20i32..100, 2..5),
        counts in proptest::collection::vec(0i32..6, 5),
    ) {
        let list = |numbers: &[i32]| format!("{numbers:?}");
        let text = quiz_of(&question_of("WeightedAverage", "Number()"))
            .replace("[70, 80, 90]", &list(&values))
            .replace("[3, 5, 2]", &list(&counts[..values.len()]));
        let words = Words::english();
        let Some(quiz) = read(&text).0.filter(|quiz| quiz.questions.len() == 1) else { return Ok(()) };
        if check_quiz(&quiz, &words).diagnostics.iter().any(|d| d.code == "Q106") {
            return Ok(());
        }
        let question = &quiz.questions[0];
        let computed = Computed::new(&question.example.as_ref().unwrap().1).unwrap();
        let asks = question.asks.unwrap();
        let expected = computed.number(asks).unwrap();
        for mistake in every_mistake(&computed, asks, &words) {
            let shown = show(mistake.number, words.decimal).text;
            let is_right = verdict(&question.mark(&Answer::Number(shown.clone()), Some(&computed), &words)) == Some(Verdict::Right);
            prop_assert!(!is_right || (mistake.number - expected).abs() <= 1e-9 * expected.abs(), "{} {shown} for {expected}", mistake.id);
        }
    }

    #[test]
    fn choices_are_marked_by_id_whatever_their_order(order in Just(vec![0usize, 1, 2]).prop_shuffle()) {
        let (question, computed) = question("WeightedAverage", ONE_OF);
        let mut shuffled = (*question).clone();
        let Kind::OneOf(kind) = &mut shuffled.kind else { panic!() };
        kind.choices = order.iter().map(|i| kind.choices[*i].clone()).collect();
        for id in ["Sum", "WeightedAverage", "PlainMean"] {
            let of = |q: &Question| verdict(&q.mark(&Answer::Choice(id.into()), computed.as_ref(), &Words::english()));
            prop_assert_eq!(of(&shuffled), of(&question));
            prop_assert_eq!(of(&shuffled) == Some(Verdict::Right), id == "WeightedAverage");
        }
    }

    #[test]
    fn a_damaged_quiz_is_told_and_never_panics(
        cuts in proptest::collection::vec((0.0..1.0f64, 0usize..40, "[\\]\\[(){}=$*`\\\\\", a1.:rn-]{0,6}"), 1..4),
    ) {
        let mut text = builtin::BUILT_IN[0].1.to_owned();
        for (at, length, put) in cuts {
            let boundary = |mut byte: usize| { while !text.is_char_boundary(byte) { byte -= 1; } byte };
            let start = boundary((text.len() as f64 * at) as usize);
            let end = boundary((start + length).min(text.len())).max(start);
            text.replace_range(start..end, &put);
        }
        let (quiz, told) = read(&text);
        let words = Words::english();
        for found in &told {
            prop_assert!(found.range.start <= found.range.end && found.range.end <= text.len());
            let has_words = !found.message.starts_with("[ReadMsg") && !found.message.starts_with("[QuizFault");
            prop_assert!(has_words, "{}", found.message);
        }
        prop_assert!(quiz.is_some() || !told.is_empty());
        if let Some(quiz) = quiz {
            let _ = check_quiz(&quiz, &words);
            for question in &quiz.questions {
                let computed = question.example.as_ref().and_then(|(_, e)| Computed::new(e).ok());
                let _ = question.ask(computed.as_ref(), &words);
            }
        }
    }
}
