//! Files and what they are told: every fault at its place, none hidden, the rest loaded.

use std::fs;

use super::{builtin, faults};
use crate::quiz::check::check_quiz;
use crate::quiz::library::{Library, read_file};
use crate::quiz::testing::{question_of, quiz_of, read};
use crate::quiz::{Origin, fault};
use crate::words::Words;
use crate::words::diagnostic::{Diagnostic, Severity, line_and_column};

#[test]
fn the_builtin_quizzes_are_clean_and_all_their_numbers_proved() {
    let quiz = builtin();
    assert!(quiz.questions.len() >= 12);
    let checked = check_quiz(&quiz, &Words::english());
    assert!(checked.diagnostics.is_empty(), "{:#?}", checked.diagnostics);
    for question in quiz.questions.iter().filter(|q| q.asks.is_some()) {
        assert!(question.proved(), "{}", question.id);
        assert!(
            checked.proved.iter().any(|p| p.question == question.id),
            "{}",
            question.id
        );
    }
}

/// What a question is told; `»` in it marks where, and is taken out before.
fn assert_told(asks: &str, kind: &str, codes: &[&str]) {
    let marked = quiz_of(&question_of(asks, kind));
    let places = marked
        .match_indices('»')
        .enumerate()
        .map(|(n, (byte, _))| byte - n * '»'.len_utf8());
    let text = marked.replace('»', "");
    let wanted: Vec<String> = places
        .zip(codes)
        .map(|(byte, code)| {
            let (line, column) = line_and_column(&text, byte);
            format!("{line}:{column} {code}")
        })
        .collect();
    assert_eq!(
        (faults(&text), wanted.len()),
        (wanted, codes.len()),
        "{asks} {kind}"
    );
}

#[test]
fn each_fault_is_told_at_its_place() {
    for (kind, code) in [
        (r#"»OneOf([Wrong(text: "a"), Wrong(text: "b")])"#, "Q073"),
        (r#"OneOf([Right(text: "a"), »Right(text: "b")])"#, "Q074"),
        (r#"»OneOf([Right(text: "a")])"#, "Q075"),
        (
            r#"OneOf([Right(text: "a b"), Wrong(text: »"a  b")])"#,
            "Q076",
        ),
        (
            r#"OneOf([Right(text: "a", id: "x"), Wrong(text: "b", id: »"x")])"#,
            "Q056",
        ),
        (
            r#"OneOf([Right(text: "a", id: »""), Wrong(text: "b")])"#,
            "Q053",
        ),
        (
            r#"OneOf([Right(text: "a", id: »"x y"), Wrong(text: "b")])"#,
            "Q054",
        ),
        (r#"OneOf([Right(text: »" "), Wrong(text: "b")])"#, "Q067"),
        (
            r#"OneOf([Right(text: "a", claims: »PlainMaen), Wrong(text: "b")])"#,
            "Q071",
        ),
        (
            r#"OneOf([Right(text: "a", claims: »Weight("Africa")), Wrong(text: "b")])"#,
            "Q071",
        ),
        (
            r#"OneOf([Right(text: "a »{=summ}"), Wrong(text: "b")])"#,
            "Q068",
        ),
        (
            r#"OneOf([Right(text: "a »{=value 4}"), Wrong(text: "b")])"#,
            "Q068",
        ),
        (
            r#"OneOf([Right(text: "a »{=sum"), Wrong(text: "b")])"#,
            "Q069",
        ),
        (
            r#"OneOf([Right(text: "a »{=focus}"), Wrong(text: "b")])"#,
            "Q068",
        ),
        (r"»Number()", "Q077"),
        (r#"Number(right: "2 * »$a")"#, "Q061"),
        (r#"Number(right: »"1 / 0")"#, "Q062"),
        (r"Number(right: »1e400)", "Q012"),
        (r"Number(»rihgt: 79)", "Q029"),
        (r"Number(right: 79, tolerance: »-1)", "Q065"),
        (r"Predict(close: »2)", "Q066"),
        (
            r#"Readings(disputed: Sum, offers: [»Offer(text: "a"), Offer(text: "b", values: [Reads(operation: Sum)])])"#,
            "Q080",
        ),
        (
            r#"OneOf([Right(text: "an »average"), Wrong(text: "a *plain* mean")])"#,
            "Q107",
        ),
        (
            r#"OneOf([Right(text: r"a $\frac{1}»$ b"), Wrong(text: "b")])"#,
            "Q108",
        ),
    ] {
        assert_told("", kind, &[code]);
    }
}

#[test]
fn the_engine_disproves_what_is_wrong() {
    let thirds = "Of(PlainMean, WeightedValues)";
    for (asks, kind, codes) in [
        ("WeightedAverage", "Number(right: »80)", vec!["Q100"]),
        ("WeightedAverage", "Number(right: »79.1)", vec!["Q100"]),
        ("WeightedAverage", "Number(right: 79)", vec![]),
        (thirds, "Number(right: 26.33)", vec![]),
        (thirds, "Number(right: »26.34)", vec!["Q100"]),
        (thirds, r#"Number(right: "79 / 3")"#, vec![]),
        (thirds, r#"Number(right: »"26.33")"#, vec!["Q100"]),
        (
            "WeightedAverage",
            "Number(right: 79, tolerance: »1)",
            vec!["Q106"],
        ),
        (
            "WeightedAverage",
            "Number(right: 79, tolerance: 0.2)",
            vec![],
        ),
        ("»Nothing", "Number(right: 79)", vec!["Q071"]),
        (
            "WeightedAverage",
            r#"OneOf([Right(text: "{=plain_mean}", claims: »PlainMean), Wrong(text: "b")])"#,
            vec!["Q101"],
        ),
        (
            "WeightedAverage",
            r#"OneOf([Right(text: "{=answer}", claims: WeightedAverage), Wrong(text: "{=mean_of_all}", claims: »MeanOfAll)])"#,
            vec!["Q102"],
        ),
        (
            "",
            r#"OneOf([Right(text: "{=plain_mean}", claims: PlainMean), Wrong(text: "{=value 2}", claims: »Value(2))])"#,
            vec!["Q103"],
        ),
        (
            "WeightedAverage",
            r#"OneOf([Right(text: "a", claims: »WeightedAverage), Wrong(text: "b")])"#,
            vec!["Q105"],
        ),
        // A question about words claims nothing, and that is no fault; two readings alike are the point of readings.
        ("", r#"OneOf([Right(text: "a"), Wrong(text: "b")])"#, vec![]),
        (
            "",
            r#"Readings(disputed: Sum, offers: [Offer(text: "a", values: [Reads(operation: Sum)]), Offer(text: "b", values: [Reads(operation: Sum)])])"#,
            vec![],
        ),
    ] {
        assert_told(asks, kind, &codes);
    }
    let unclaimed = quiz_of(&question_of(
        "WeightedAverage",
        r#"OneOf([Right(text: "a"), Wrong(text: "b")])"#,
    ));
    assert_eq!(faults(&unclaimed), ["5:1 Q104"]);
}

#[test]
fn the_widest_safe_tolerance_is_told_with_the_mistake() {
    let (quiz, _) = read(&quiz_of(&question_of(
        "WeightedAverage",
        "Number(right: 79, tolerance: 2)",
    )));
    let told = check_quiz(&quiz.unwrap(), &Words::english()).diagnostics;
    assert!(told[0].message.contains("0.2"), "{}", told[0].message);
}

/// A file of many faults, each marked by its code in a comment on the line it is told at.
const MANY: &str = r#"Quiz(
    format: 1, id: "many", title: "Many faults",
    examples: {
        "exam": WeightedValues(values: [70, 80, 90], counts: [3, 5, 2]),
        "short": WeightedValues(values: [1, 2], counts: [1]), // Q063
        "idle": WeightedValues(values: [1, 2], counts: [1, 1]), // Q058
        "jane": Attention(tokens: ["a", "b"], // Q058
            focus: "c", // Q060
            q: [[1, 0]], k: [[1, 0],
            [1]], // Q064
            v: [[1], [2]]),
        "pair": Attention(tokens: ["a", "b"], q: [[1], [2]], k: [[1], [2]], v: [[1, 2], [3, 4]]),
    },
    questions: [
        Question(id: "one", example: "exma", // Q057
            prompt: "Which?", kind: Number(right: 1)),
        Question(id: "two", example: "exam", prompt: "How much is {=wieght 1}?", // Q068
            asks: WeightedAverage, kind: Number(right: 79)),
        Question(id: "three", example: "exam", prompt: "How much?",
            kind: OneOf([Wrong(text: "a"), Wrong(text: "b")])), // Q073
        Question(id: "four", example: "exam", prompt: "How much?", asks: WeightedAverage, kind: Number(right: 79)),
        Question(id: "four", example: "exam", prompt: "How much?", asks: Sum, kind: Number(right: 240)), // Q055
        Question(id: "five", example: "exam", focus: "a", prompt: "How much?", kind: Number(right: 1)), // Q059
        Question(id: "six", prompt: "{=sum}", kind: Number(right: 1)), // Q070
        Question(id: "seven", example: "pair", focus: "bb", prompt: "Who?", kind: Predict()), // Q060
        Question(id: "eight", example: "pair", prompt: "What?", asks: Output, kind: Number()), // Q078
        Question(id: "nine", example: "short", prompt: "{=sum}?", kind: Predict()),
        Question(id: "ten", example: "pair", focus: "b", prompt: "What?", asks: Output(2), kind: Number(right: 5)), // Q100
        Question(id: "eleven", prompt: "Which?", kind: OneOf([Right(text: "a"), Wrong(text: "b")])),
    ],
)"#;

#[test]
fn one_fault_never_hides_another() {
    let wanted: Vec<String> = MANY
        .lines()
        .enumerate()
        .filter_map(|(line, text)| Some(format!("{} {}", line + 1, text.split_once("// ")?.1)))
        .collect();
    let found: Vec<String> = faults(MANY)
        .iter()
        .map(|f| {
            let (place, code) = f.split_once(' ').unwrap();
            format!("{} {code}", place.split(':').next().unwrap())
        })
        .collect();
    assert_eq!(found, wanted);
    let (quiz, _) = read(MANY);
    let kept: Vec<String> = quiz
        .unwrap()
        .questions
        .iter()
        .map(|q| q.id.clone())
        .collect();
    assert_eq!(kept, ["four", "ten", "eleven"]);
}

#[test]
fn a_newer_format_is_told_in_one_sentence() {
    let text = r#"Quiz(format: 2, identity: "x", items: [Unknown(1)])"#;
    let (quiz, told) = read(text);
    assert!(quiz.is_none());
    assert_eq!(told.iter().map(|d| d.code).collect::<Vec<_>>(), ["Q050"]);
}

#[test]
fn one_bad_question_in_five_hundred_is_told_and_the_others_load() {
    let mut questions: String = (0..500)
        .map(|i| format!("Question(id: \"q{i}\", example: \"exam\", prompt: \"What is {{=value 1}}?\", kind: Number(right: {i})),\n"))
        .collect();
    questions = questions.replace("Number(right: 250)", "Number(rihgt: 250)");
    let (quiz, told) = read(&quiz_of(&questions));
    assert_eq!(quiz.unwrap().questions.len(), 499);
    assert_eq!(told.len(), 1, "{told:#?}");
}

#[test]
fn whatever_the_file_system_does_is_told() {
    let words = Words::english();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let codes = |library: &Library| {
        library
            .diagnostics
            .iter()
            .map(|d| d.code)
            .collect::<Vec<_>>()
    };
    let good = quiz_of(&question_of("WeightedAverage", "Number(right: 79)"));

    fs::create_dir(path("empty")).unwrap();
    assert_eq!(codes(&Library::opened(&[path("empty")], &words)), ["Q094"]);
    assert_eq!(
        codes(&Library::opened(&[path("gone.ron")], &words)),
        ["Q090"]
    );

    fs::write(path("latin.ron"), b"Quiz(\n  title: \"caf\xe9\"").unwrap();
    let (quiz, told) = read_file(&path("latin.ron"), Origin::BuiltIn("x"), &words);
    assert!(quiz.is_none());
    assert!(
        told[0].code == "Q092"
            && told[0].message.contains("19")
            && told[0].place().ends_with(":2:14"),
        "{told:?}"
    );

    fs::write(path("mark.ron"), format!("\u{feff}{good}")).unwrap();
    let (quiz, told) = read_file(&path("mark.ron"), Origin::BuiltIn("x"), &words);
    assert_eq!(
        (quiz.unwrap().questions.len(), told[0].code, told.len()),
        (1, "Q093", 1)
    );

    let large = fs::File::create(path("large.ron")).unwrap();
    large.set_len(50 * 1024 * 1024).unwrap();
    let (_, told) = read_file(&path("large.ron"), Origin::BuiltIn("x"), &words);
    assert!(
        told[0].code == "Q091" && told[0].message.contains("50 MB"),
        "{told:?}"
    );

    fs::create_dir(path("two")).unwrap();
    fs::write(path("two/b.ron"), &good).unwrap();
    fs::write(path("two/a.ron"), &good).unwrap();
    fs::write(path("two/.hidden.ron"), "not read").unwrap();
    fs::write(path("two/notes.txt"), "not read").unwrap();
    let library = Library::opened(&[path("two")], &words);
    assert_eq!(codes(&library), ["Q095"]);
    assert!(
        library.quizzes[0].source.name.ends_with("a.ron"),
        "the first one wins"
    );

    let own = Library::load(&[], Some(&path("two")), &words);
    assert_eq!(
        own.quizzes
            .iter()
            .map(|q| q.id.as_str())
            .collect::<Vec<_>>(),
        ["test", "is-attention-an-average"]
    );
    assert!(codes(&Library::load(&[], Some(&path("no-such-folder")), &words)).is_empty());
}

#[test]
fn nested_brackets_without_end_are_told() {
    let (quiz, told) = read(&"[".repeat(100_000));
    assert!(quiz.is_none() && told.iter().any(|d| d.severity == Severity::Error));
}

#[test]
fn a_code_stands_for_one_row_of_the_table() {
    let mut codes = fault::CODES.to_vec();
    codes.dedup();
    assert_eq!(codes, fault::CODES, "in order, and each once");
    assert!(
        codes.is_sorted() && codes[0] == "Q050",
        "the reader's end where these begin"
    );
}

#[test]
fn an_example_too_large_to_be_looked_at_is_told_before_it_is_computed() {
    let numbers = |n: usize| vec!["1"; n].join(", ");
    let example = format!("WeightedValues(values: [{0}], counts: [{0}])", numbers(300));
    let text = quiz_of(&question_of("Sum", "Number()")).replace(
        "examples: { ",
        &format!("examples: {{ \"large\": {example}, "),
    );
    let told = faults(&text);
    assert!(told.iter().any(|t| t.ends_with("Q082")), "{told:?}");
}

#[test]
fn a_fault_in_what_is_asked_is_told_once() {
    assert_told("»PlainMaen", "Number()", &["Q071"]);
}

#[test]
fn a_fault_in_the_head_or_an_example_hides_none_in_a_question() {
    let good = quiz_of(&question_of("WeightedAverage", "Number(right: 79)"));
    for (from, to, codes) in [
        ("id: \"test\", ", "", vec!["Q031"]),
        ("title: \"Test\"", "title: 5", vec!["Q032"]),
        ("format: 1, ", "", vec!["Q031"]),
        ("[3, 5, 2]", "[3, NaN, 2]", vec!["Q012"]),
        ("[3, 5, 2]", "[3, 5]", vec!["Q063"]),
    ] {
        let told = |text: &str| -> Vec<String> {
            faults(text)
                .iter()
                .map(|t| t.split_once(' ').unwrap().1.to_owned())
                .collect()
        };
        let bad = good.replace(from, to);
        assert_eq!(told(&bad), codes, "{to}");
        let also_bad = bad
            .replace("WeightedAverage", "WeightedAverag")
            .replace("it?", "{=valeu 1}?");
        assert_eq!(
            told(&also_bad),
            [codes, vec!["Q068", "Q071"]].concat(),
            "{to}"
        );
    }
}

#[test]
fn a_misspelt_name_comes_with_the_change_that_mends_it() {
    let good =
        quiz_of(&question_of("Of(Sum, WeightedValues)", "Number()")).replace("it?", "{=value 1}?");
    for (name, misspelt) in [
        ("Of(Sum", "Of(Smu"),
        ("{=value", "{=valeu"),
        ("example: \"exam", "example: \"exma"),
    ] {
        let bad = good.replace(name, misspelt);
        let (_, told) = read(&bad);
        let edit = |d: &Diagnostic| d.remedy.clone()?.edit;
        let (range, new) = told.iter().find_map(edit).unwrap();
        let mut mended = bad.clone();
        mended.replace_range(range, &new);
        assert_eq!(mended, good, "{misspelt}");
    }
}
