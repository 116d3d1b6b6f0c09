//! Examples with conventions in files: each is read, each fault told at its place, and what has none keeps its version.

use super::faults;
use crate::quiz::testing::read;
use crate::quiz::version::example_hash;
use crate::worked_example::{Computed, Quantity, WorkedExample};

/// A quiz about two words with these fields besides q, k and v.
fn quiz_with(fields: &str) -> String {
    format!(
        r#"Quiz(format: 1, id: "t", title: "T", examples: {{ "two": Attention(tokens: ["a", "b"], focus: "b",
q: [[1, 0.5], [0, 2]], k: [[1, 1], [0, 1]], v: [[10], [30]],
{fields}) }}, questions: [
Question(id: "q", example: "two", prompt: "Which? {{=masked_scores}}", asks: MaskedScore(2), kind: OneOf([Right(text: "a"), Wrong(text: "b")]))])"#
    )
}

fn example_with(fields: &str) -> WorkedExample {
    let (quiz, told) = read(&quiz_with(fields));
    let example = quiz.and_then(|quiz| quiz.examples.values().next().cloned());
    (*example.unwrap_or_else(|| panic!("{fields}: {told:?}"))).clone()
}

#[test]
fn every_convention_is_read() {
    for fields in [
        "temperature: 2",
        "softcap: \"3 * 2\"",
        "causal: TopLeft",
        "causal: BottomRight, window_left: 0",
        "window_left: 1, window_right: 0",
        "keep: [[true, false], [true, true]]",
        "bias: [[0, -inf], [\"ln(2)\", -0.5]]",
        "empty_row: Mean",
        "normaliser: Sparsemax",
        "positions: Alibi",
        "positions: Rotary(pairs: Halves)",
        "positions: Rotary(pairs: Interleaved, base: 500)",
    ] {
        let text = quiz_with(fields);
        let errors: Vec<String> = faults(&text)
            .into_iter()
            .filter(|fault| !fault.ends_with("Q104"))
            .collect();
        assert!(errors.is_empty(), "{fields}: {errors:?}");
        assert_ne!(
            example_hash(&example_with(fields)),
            example_hash(&example_with("")),
            "{fields}"
        );
    }
    assert_eq!(
        example_with("keep: [[true, false]], bias: [[1, 0]]"),
        example_with("keep: [[true, false], [true, false]], bias: [[1, 0], [1, 0]]"),
        "one row is for all queries"
    );
    let hidden = example_with("keep: [[true, true], [true, false]], bias: [[0, 0], [1, 0]]");
    let computed = Computed::new(&hidden).unwrap();
    let number = |quantity| computed.number(quantity);
    assert_eq!(number(Quantity::MaskedScore(1)), Some(f64::NEG_INFINITY));
    assert_eq!(number(Quantity::Output(0)), Some(10.0));
    assert_eq!(
        number(Quantity::BiasedScore(0)),
        number(Quantity::ScaledScore(0)).map(|x| x + 1.0)
    );
}

#[test]
fn each_fault_in_a_convention_is_told_at_its_place() {
    for (fields, code) in [
        ("temperature: »0", "Q063"),
        ("softcap: »-1", "Q063"),
        ("keep: »[[true, false], [true, true], [true, true]]", "Q063"),
        ("bias: »[[1], [2]]", "Q063"),
        ("bias: [[0, 1], »[2]]", "Q064"),
        ("bias: [[0, »inf], [0, 0]]", "Q012"),
        ("temperature: »-inf", "Q012"),
        ("causal: »Topleft", "Q030"),
        ("keep: [[true, »1], [true, true]]", "Q032"),
        ("positions: »Rotary(pairs: Halves, base: 0)", "Q063"),
        ("normaliser: »SoftMax", "Q030"),
        ("q: [[1, 2]], »q: [[1, 2]]", "Q016"),
    ] {
        let marked = quiz_with(fields);
        let at = marked.find('»').unwrap();
        let text = marked.replace('»', "");
        let (line, column) = crate::words::diagnostic::line_and_column(&text, at);
        let told = faults(&text);
        let wanted = format!("{line}:{column} {code}");
        assert!(
            told.contains(&wanted),
            "{fields}: {wanted} is not in {told:?}"
        );
    }
}

#[test]
fn what_nobody_can_answer_is_told() {
    let hidden = "keep: [[true, true], [false, false]]";
    for (fields, asked) in [
        (hidden, "asks: PlainMean, kind: Number()"),
        (hidden, "asks: MaskedScore(1), kind: Number()"),
        (hidden, "kind: Predict(close: 0.1)"),
        ("normaliser: Sigmoid", "kind: Predict(close: 0.1)"),
    ] {
        let question = r#"asks: MaskedScore(2), kind: OneOf([Right(text: "a"), Wrong(text: "b")])"#;
        let told = faults(&quiz_with(fields).replace(question, asked));
        assert!(
            told.len() == 1 && told[0].ends_with("Q111"),
            "{fields} {asked}: {told:?}"
        );
    }
    let told = faults(&quiz_with(hidden).replace("MaskedScore(2)", "Output"));
    assert!(told.iter().all(|fault| fault.ends_with("Q104")), "{told:?}");
}
