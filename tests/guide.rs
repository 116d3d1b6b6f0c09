//! Every example in the guides is a quiz that reads and checks clean: what an author copies works.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use attention_tutor::quiz::{Origin, check_quiz, read_quiz};
use attention_tutor::words::Words;
use attention_tutor::words::diagnostic::{Severity, Source};

/// The fenced blocks of a Markdown file whose info string begins with `ron`: info, line of the fence, text.
fn blocks(file: &str) -> Vec<(String, usize, String)> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    let mut found = Vec::new();
    let mut open: Option<(String, usize, String)> = None;
    for (number, line) in text.lines().enumerate() {
        match (&mut open, line.trim_start().strip_prefix("```")) {
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some((_, _, text)), None) => *text += &format!("{line}\n"),
            (None, Some(info)) => open = Some((info.trim().to_owned(), number + 1, String::new())),
            (None, None) => {}
        }
    }
    found.retain(|(info, ..)| info.split_whitespace().next() == Some("ron"));
    found
}

/// What is wrong with a text as a quiz, without notes.
fn faults(name: &str, text: &str) -> Vec<String> {
    let words = Words::english();
    let source = Arc::new(Source {
        name: name.to_owned(),
        path: None,
        text: text.to_owned(),
    });
    let (quiz, mut told) = read_quiz(source, Origin::BuiltIn("guide"), &words);
    if let Some(quiz) = &quiz {
        told.extend(check_quiz(quiz, &words).diagnostics);
    }
    told.retain(|diagnostic| diagnostic.severity > Severity::Note);
    let mut faults: Vec<String> = told
        .iter()
        .map(|d| format!("{} {} {}", d.place(), d.code, d.message))
        .collect();
    if quiz.is_none() {
        faults.push(format!("{name}: no quiz comes of it"));
    }
    faults
}

#[test]
fn every_example_in_the_guides_works() {
    let mut faults_told = Vec::new();
    for file in ["quizzes/README.md", "README.md"] {
        let blocks = blocks(file);
        let examples: String = blocks
            .iter()
            .filter(|(info, ..)| info == "ron example")
            .map(|(.., text)| format!("{},\n", text.trim_end().trim_end_matches(',')))
            .collect();
        let mut whole = 0;
        for (info, line, text) in &blocks {
            let quiz = match info.as_str() {
                "ron" => {
                    whole += 1;
                    text.clone()
                }
                "ron question" => {
                    format!(
                        "Quiz(format: 1, id: \"guide\", title: \"Guide\", examples: {{\n{examples}}}, questions: [\n{text}])"
                    )
                }
                "ron example" => continue,
                other => panic!("{file}:{line}: a block marked {other:?}"),
            };
            // A fragment need not use every example of the guide.
            let mut faults = faults(&format!("{file}:{line}"), &quiz);
            if info == "ron question" {
                faults.retain(|fault| !fault.contains(" Q058 "));
            }
            faults_told.extend(faults);
        }
        assert!(whole > 0, "{file} shows no whole quiz");
    }
    assert!(faults_told.is_empty(), "{}", faults_told.join("\n"));
}

#[test]
fn the_shipped_quizzes_are_clean_and_proved() {
    let words = Words::english();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("quizzes")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "ron") {
            let text = fs::read_to_string(&path).unwrap();
            assert_eq!(
                faults(&path.display().to_string(), &text),
                Vec::<String>::new()
            );
            let source = Arc::new(Source {
                name: path.display().to_string(),
                path: None,
                text,
            });
            let quiz = read_quiz(source, Origin::BuiltIn("shipped"), &words)
                .0
                .unwrap();
            assert!(quiz.questions.len() >= 12);
            let numbers = quiz
                .questions
                .iter()
                .filter(|question| question.asks.is_some());
            assert!(numbers.clone().count() * 2 >= quiz.questions.len());
            assert!(numbers.into_iter().all(|question| question.proved()));
        }
    }
}

/// A right answer that is not right never gets through: every literal is moved by one per cent, every right choice made a wrong one.
#[test]
fn a_wrong_right_answer_in_a_shipped_quiz_is_caught() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("quizzes/is-attention-an-average.ron");
    let text = fs::read_to_string(path).unwrap();
    let mut tried = 0;
    for (at, _) in text.match_indices("right: ") {
        let number: String = text[at + 7..]
            .chars()
            .take_while(|c| c.is_ascii_digit() || *c == '.')
            .collect();
        let moved = format!(
            "{}right: {}{}",
            &text[..at],
            number.parse::<f64>().unwrap() * 1.01,
            &text[at + 7 + number.len()..]
        );
        assert!(
            !faults("moved", &moved).is_empty(),
            "right: {number} moved by 1 % passes"
        );
        tried += 1;
    }
    for (at, _) in text.match_indices("Right(") {
        let swapped = format!("{}Wrong({}", &text[..at], &text[at + 6..]);
        assert!(
            !faults("swapped", &swapped).is_empty(),
            "a question without a right choice passes"
        );
        tried += 1;
    }
    assert!(tried > 8);
}

/// Where a question allows for rounding on the way, a wrong number rounded on the way is named as well; of two the nearer one.
#[test]
fn a_mistake_rounded_on_the_way_is_named_where_rounding_is_allowed() {
    use attention_tutor::quiz::{Answer, Library, Marking};
    use attention_tutor::worked_example::Computed;
    let words = Words::english();
    let library = Library::load(&[], None, &words);
    let quiz = library.quiz("is-attention-an-average").unwrap();
    let named = |question: &str, typed: &str| {
        let question = quiz.questions.iter().find(|q| q.id == question).unwrap();
        let computed = Computed::new(&question.example.as_ref().unwrap().1).unwrap();
        match question.mark(&Answer::Number(typed.to_owned()), Some(&computed), &words) {
            Marking::Marked { mistakes, .. } => mistakes.iter().map(|m| m.id).collect::<Vec<_>>(),
            Marking::NotCounted(why) => panic!("{why}"),
        }
    };
    assert_eq!(named("compute-attention", "14"), ["no-scale"]);
    assert_eq!(named("compute-attention", "13.99"), ["no-scale"]);
    assert!(
        named("compute-attention", "19.99").is_empty(),
        "the right answer is no mistake"
    );
    assert_eq!(named("compute-attention", "16"), ["plus-one"]);
    assert!(named("compute-attention", "17.3").is_empty());
    // Without a tolerance nothing is taken for what it is not.
    assert!(named("compute-it", "76.6").is_empty());
}
