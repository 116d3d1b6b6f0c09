//! Examples and short ways for the tests of this room.

use std::sync::Arc;

use super::model::{Origin, Quiz};
use super::reading::Reading;
use super::template::Template;
use crate::words::Words;
use crate::words::diagnostic::{Diagnostic, Source};
use crate::worked_example::{AttentionExample, WeightedValues, WorkedExample};

/// Three people got 70, five 80, two 90.
pub fn exam() -> WorkedExample {
    WorkedExample::WeightedValues(WeightedValues {
        unit: "points".into(),
        holders: "people".into(),
        values: vec![70.0, 80.0, 90.0],
        counts: vec![3.0, 5.0, 2.0],
    })
}

/// "Jane visits Africa in September", width 2, looking from "Africa".
pub fn jane() -> WorkedExample {
    let rows = |rows: [[f64; 2]; 5]| ndarray::Array2::from(rows.to_vec());
    WorkedExample::Attention(AttentionExample {
        tokens: ["Jane", "visits", "Africa", "in", "September"]
            .map(str::to_owned)
            .to_vec(),
        q: rows([
            [-1.0, 0.5],
            [0.0, 1.0],
            [0.5, 1.0],
            [1.0, -0.5],
            [1.0, -1.0],
        ]),
        k: rows([
            [-2.0, 1.0],
            [0.0, 2.0],
            [1.0, 1.0],
            [1.0, -1.0],
            [1.0, -2.0],
        ]),
        v: rows([[6.0, 1.0], [2.0, 3.0], [4.0, 5.0], [1.0, 0.0], [9.0, 2.0]]),
        keep: None,
        bias: None,
        spec: crate::attention::Spec::default(),
        focus: 2,
    })
}

/// A source named "test.ron".
pub fn source(text: &str) -> Arc<Source> {
    Arc::new(Source {
        name: "test.ron".into(),
        path: None,
        text: text.to_owned(),
    })
}

/// A template read against an example, as if it stood in a file by itself.
pub fn template_of(text: &str, example: &WorkedExample) -> Option<Template> {
    let (words, source) = (Words::english(), source(text));
    Template::read(
        text,
        0..text.len(),
        &mut Reading::new(&source, &words, Some(example)),
    )
}

/// A quiz read from its text.
pub fn read(text: &str) -> (Option<Quiz>, Vec<Diagnostic>) {
    super::read::read_quiz(source(text), Origin::BuiltIn("test.ron"), &Words::english())
}

/// A quiz about the exam with these questions.
pub fn quiz_of(questions: &str) -> String {
    format!(
        r#"Quiz(
format: 1, id: "test", title: "Test",
examples: {{ "exam": WeightedValues(unit: "points", holders: "people", values: [70, 80, 90], counts: [3, 5, 2]) }},
questions: [
{questions}
])"#
    )
}

/// A question about the exam of this kind.
pub fn question_of(asks: &str, kind: &str) -> String {
    let asks = if asks.is_empty() {
        String::new()
    } else {
        format!("asks: {asks}, ")
    };
    format!(r#"Question(id: "q", example: "exam", prompt: "What is it?", {asks}kind: {kind}),"#)
}
