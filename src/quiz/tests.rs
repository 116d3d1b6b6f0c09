//! The room as its users meet it: bad files told at their places, answers marked generously, right answers proved.

use std::fs;
use std::sync::Arc;

use proptest::prelude::*;

use super::check::check_quiz;
use super::kinds::Kind;
use super::kinds::predict::total_variation;
use super::library::{Library, read_file};
use super::testing::{question_of, quiz_of, read};
use super::{Answer, ChoiceState, Marking, Origin, Question, Quiz, Verdict};
use crate::text::{Ink, spoken};
use crate::words::Words;
use crate::words::diagnostic::{Diagnostic, Severity, line_and_column};
use crate::words::number::{DecimalSign, show};
use crate::worked_example::{Computed, Quantity, WorkedExample};

/// What reading and checking tell: "line:column code", in the order of the text.
fn faults(text: &str) -> Vec<String> {
    let (quiz, mut told) = read(text);
    told.extend(quiz.map(|quiz| check_quiz(&quiz, &Words::english()).diagnostics).unwrap_or_default());
    told.sort_by_key(|d| d.range.start);
    let place = |d: &Diagnostic| {
        let (line, column) = line_and_column(text, d.range.start);
        format!("{line}:{column} {}", d.code)
    };
    told.iter().map(place).collect()
}

/// The first question of a quiz about the exam, with its numbers.
fn question(asks: &str, kind: &str) -> (Arc<Question>, Option<Computed>) {
    let (quiz, told) = read(&quiz_of(&question_of(asks, kind)));
    assert!(told.is_empty(), "{told:#?}");
    let question = Arc::clone(&quiz.unwrap().questions[0]);
    let computed = question.example.as_ref().map(|(_, example)| Computed::new(example).unwrap());
    (question, computed)
}

fn mark(question: &(Arc<Question>, Option<Computed>), answer: &Answer) -> Marking {
    question.0.mark(answer, question.1.as_ref(), &Words::english())
}

fn typed(question: &(Arc<Question>, Option<Computed>), text: &str) -> Marking {
    mark(question, &Answer::Number(text.to_owned()))
}

fn verdict(marking: &Marking) -> Option<Verdict> {
    match marking {
        Marking::NotCounted(_) => None,
        Marking::Marked { verdict, .. } => Some(*verdict),
    }
}

fn builtin() -> Quiz {
    let (name, text) = super::builtin::BUILT_IN[0];
    let (quiz, told) = read(text);
    assert!(told.is_empty(), "{name}: {told:#?}");
    quiz.unwrap()
}

const ONE_OF: &str = r#"OneOf([
    Wrong(text: "their sum", claims: Sum, why: "{=sum}"),
    Right(text: "weighted", claims: WeightedAverage, why: "{=weighted_terms} = {=weighted_average}"),
    Wrong(text: "plain", claims: PlainMean, why: "{=plain_mean}"),
])"#;

#[test]
fn the_builtin_quizzes_are_clean_and_all_their_numbers_proved() {
    let quiz = builtin();
    assert!(quiz.questions.len() >= 12);
    let checked = check_quiz(&quiz, &Words::english());
    assert!(checked.diagnostics.is_empty(), "{:#?}", checked.diagnostics);
    for question in quiz.questions.iter().filter(|q| q.asks.is_some()) {
        assert!(question.proved(), "{}", question.id);
        assert!(checked.proved.iter().any(|p| p.question == question.id), "{}", question.id);
    }
}

/// What a question is told; `»` in it marks where, and is taken out before.
fn assert_told(asks: &str, kind: &str, codes: &[&str]) {
    let marked = quiz_of(&question_of(asks, kind));
    let places = marked.match_indices('»').enumerate().map(|(n, (byte, _))| byte - n * '»'.len_utf8());
    let text = marked.replace('»', "");
    let wanted: Vec<String> = places
        .zip(codes)
        .map(|(byte, code)| {
            let (line, column) = line_and_column(&text, byte);
            format!("{line}:{column} {code}")
        })
        .collect();
    assert_eq!((faults(&text), wanted.len()), (wanted, codes.len()), "{asks} {kind}");
}

#[test]
fn each_fault_is_told_at_its_place() {
    for (kind, code) in [
        (r#"»OneOf([Wrong(text: "a"), Wrong(text: "b")])"#, "Q073"),
        (r#"OneOf([Right(text: "a"), »Right(text: "b")])"#, "Q074"),
        (r#"»OneOf([Right(text: "a")])"#, "Q075"),
        (r#"OneOf([Right(text: "a b"), Wrong(text: »"a  b")])"#, "Q076"),
        (r#"OneOf([Right(text: "a", id: "x"), Wrong(text: "b", id: »"x")])"#, "Q056"),
        (r#"OneOf([Right(text: "a", id: »""), Wrong(text: "b")])"#, "Q053"),
        (r#"OneOf([Right(text: "a", id: »"x y"), Wrong(text: "b")])"#, "Q054"),
        (r#"OneOf([Right(text: »" "), Wrong(text: "b")])"#, "Q067"),
        (r#"OneOf([Right(text: "a", claims: »PlainMaen), Wrong(text: "b")])"#, "Q071"),
        (r#"OneOf([Right(text: "a", claims: »Weight("Africa")), Wrong(text: "b")])"#, "Q071"),
        (r#"OneOf([Right(text: "a »{=summ}"), Wrong(text: "b")])"#, "Q068"),
        (r#"OneOf([Right(text: "a »{=value 4}"), Wrong(text: "b")])"#, "Q068"),
        (r#"OneOf([Right(text: "a »{=sum"), Wrong(text: "b")])"#, "Q069"),
        (r#"OneOf([Right(text: "a »{=focus}"), Wrong(text: "b")])"#, "Q068"),
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
        (r#"OneOf([Right(text: "an »average"), Wrong(text: "a *plain* mean")])"#, "Q107"),
        (r#"OneOf([Right(text: r"a $\frac{1}»$ b"), Wrong(text: "b")])"#, "Q108"),
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
        ("WeightedAverage", "Number(right: 79, tolerance: »1)", vec!["Q106"]),
        ("WeightedAverage", "Number(right: 79, tolerance: 0.2)", vec![]),
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
    let unclaimed = quiz_of(&question_of("WeightedAverage", r#"OneOf([Right(text: "a"), Wrong(text: "b")])"#));
    assert_eq!(faults(&unclaimed), ["5:1 Q104"]);
}

#[test]
fn the_widest_safe_tolerance_is_told_with_the_mistake() {
    let (quiz, _) = read(&quiz_of(&question_of("WeightedAverage", "Number(right: 79, tolerance: 2)")));
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
    let kept: Vec<String> = quiz.unwrap().questions.iter().map(|q| q.id.clone()).collect();
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
fn typed_numbers_are_marked_generously() {
    let mean = question("WeightedAverage", "Number(right: 79)");
    for text in ["79", "79.0", "79,0", " 79 ", "7.9e1", "79 points", "158/2", "７９", "79.00", "+79"] {
        assert_eq!(verdict(&typed(&mean, text)), Some(Verdict::Right), "{text:?}");
    }
    for text in ["80", "79.28", "-79", "78", "79.1", "790"] {
        assert_eq!(verdict(&typed(&mean, text)), Some(Verdict::Wrong), "{text:?}");
    }
    for text in ["", "  ", "seventy-nine", "7 9 x", "1,234", "1e999"] {
        assert_eq!(verdict(&typed(&mean, text)), None, "{text:?}");
    }
    let negative = question("", r#"Number(right: "-2.5")"#);
    for text in ["-2.5", "−2.5", "–2,50"] {
        assert_eq!(verdict(&typed(&negative, text)), Some(Verdict::Right), "{text:?}");
    }
    let weight = question("Weight(1)", "Number()");
    for text in ["0.3", ".3", "0,30", "30 %", "3/10"] {
        assert_eq!(verdict(&typed(&weight, text)), Some(Verdict::Right), "{text:?}");
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
    let Marking::Marked { mistakes, explanation, credit, .. } = typed(&mean, "80") else { panic!() };
    assert!(mistakes.iter().any(|m| m.id == "plain-mean"), "{mistakes:?}");
    let reply = spoken::spoken(&explanation.reply, &Words::english());
    assert!(reply.contains("80 is the plain mean of the three numbers."), "{reply}");
    assert_eq!((credit, explanation.released, explanation.right.as_deref()), (0.0, Some(80.0), Some("79 points")));
    let Marking::Marked { mistakes, explanation, .. } = typed(&mean, "12345") else { panic!() };
    assert!(mistakes.is_empty() && !explanation.reply.is_empty());
}

#[test]
fn a_choice_is_explained_with_its_number_and_colour() {
    let of = question("WeightedAverage", ONE_OF);
    let Marking::Marked { verdict, mistakes, explanation, .. } = mark(&of, &Answer::Choice("PlainMean".into())) else {
        panic!()
    };
    assert_eq!((verdict, explanation.released), (Verdict::Wrong, Some(80.0)));
    assert!(mistakes.iter().any(|m| m.id == "plain-mean"), "{mistakes:?}");
    let told: Vec<_> = explanation.choices.iter().map(|c| (c.id.as_str(), c.state, c.number.clone().unwrap())).collect();
    assert_eq!(
        told,
        [
            ("Sum", ChoiceState::Other, ("= 240".into(), Ink::Sum)),
            ("WeightedAverage", ChoiceState::Right, ("= 79".into(), Ink::WeightedAverage)),
            ("PlainMean", ChoiceState::YoursWrong, ("= 80".into(), Ink::PlainMean)),
        ]
    );
    assert!(matches!(mark(&of, &Answer::Choice("none".into())), Marking::NotCounted(_)));
    assert!(matches!(mark(&of, &Answer::Number("1".into())), Marking::NotCounted(_)));
}

#[test]
fn every_reading_of_every_offer_is_computed() {
    let quiz = builtin();
    let offers = quiz.questions.iter().find(|q| matches!(q.kind, Kind::Readings(_))).unwrap();
    let computed = Computed::new(&offers.example.as_ref().unwrap().1).unwrap();
    let Kind::Readings(kind) = &offers.kind else { panic!() };
    let words = Words::english();
    let marking = offers.mark(&Answer::Choice(kind.offers[1].id.clone()), Some(&computed), &words);
    let Marking::Marked { verdict, explanation, .. } = marking else { panic!() };
    let table = explanation.readings.unwrap();
    assert_eq!(verdict, Verdict::Open);
    assert_eq!(table.columns, ["of the values 70, 80, 90", "of the weighted values 21, 40, 18"]);
    let numbers: Vec<Vec<Vec<(&str, bool)>>> = table
        .rows
        .iter()
        .map(|r| r.cells.iter().map(|c| c.iter().map(|cell| (cell.number.as_str(), cell.agrees)).collect()).collect())
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
        let Marking::Marked { verdict: v, credit: c, explanation, .. } = mark(&of, &Answer::Weights(guess.clone())) else {
            panic!()
        };
        assert_eq!(v, verdict, "{guess:?}");
        assert!((c - credit).abs() < 1e-9, "{guess:?}: {c}");
        assert_eq!(explanation.predicted.map(|p| p.0.len()), Some(3));
    }
    for bad in [vec![], vec![0.5, 0.5], vec![f64::NAN, 0.5, 0.5], vec![-0.5, 1.0, 0.5], vec![0.5, 0.5, 0.5]] {
        assert_eq!(verdict(&mark(&of, &Answer::Weights(bad.clone()))), None, "{bad:?}");
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
    let edited = of.example.as_ref().unwrap().1.edited(&crate::worked_example::Edit::Value(0, 60.0)).unwrap();
    let computed = Computed::new(&edited).unwrap();
    let marking = of.mark(&Answer::Choice("WeightedAverage".into()), Some(&computed), &Words::english());
    let Marking::Marked { explanation, verdict, .. } = marking else { panic!() };
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
    assert_eq!(format!("{:016x}", first.0), "afa856f83be1cf9a");
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

#[test]
fn whatever_the_file_system_does_is_told() {
    let words = Words::english();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let codes = |library: &Library| library.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>();
    let good = quiz_of(&question_of("WeightedAverage", "Number(right: 79)"));

    fs::create_dir(path("empty")).unwrap();
    assert_eq!(codes(&Library::opened(&[path("empty")], &words)), ["Q094"]);
    assert_eq!(codes(&Library::opened(&[path("gone.ron")], &words)), ["Q090"]);

    fs::write(path("latin.ron"), b"Quiz(\n  title: \"caf\xe9\"").unwrap();
    let (quiz, told) = read_file(&path("latin.ron"), Origin::BuiltIn("x"), &words);
    assert!(quiz.is_none());
    assert!(told[0].code == "Q092" && told[0].message.contains("19") && told[0].place().ends_with(":2:14"), "{told:?}");

    fs::write(path("mark.ron"), format!("\u{feff}{good}")).unwrap();
    let (quiz, told) = read_file(&path("mark.ron"), Origin::BuiltIn("x"), &words);
    assert_eq!((quiz.unwrap().questions.len(), told[0].code, told.len()), (1, "Q093", 1));

    let large = fs::File::create(path("large.ron")).unwrap();
    large.set_len(50 * 1024 * 1024).unwrap();
    let (_, told) = read_file(&path("large.ron"), Origin::BuiltIn("x"), &words);
    assert!(told[0].code == "Q091" && told[0].message.contains("50 MB"), "{told:?}");

    fs::create_dir(path("two")).unwrap();
    fs::write(path("two/b.ron"), &good).unwrap();
    fs::write(path("two/a.ron"), &good).unwrap();
    fs::write(path("two/.hidden.ron"), "not read").unwrap();
    fs::write(path("two/notes.txt"), "not read").unwrap();
    let library = Library::opened(&[path("two")], &words);
    assert_eq!(codes(&library), ["Q095"]);
    assert!(library.quizzes[0].source.name.ends_with("a.ron"), "the first one wins");

    let own = Library::load(&[], Some(&path("two")), &words);
    assert_eq!(own.quizzes.iter().map(|q| q.id.as_str()).collect::<Vec<_>>(), ["test", "is-attention-an-average"]);
    assert!(codes(&Library::load(&[], Some(&path("no-such-folder")), &words)).is_empty());
}

#[test]
fn nested_brackets_without_end_are_told() {
    let (quiz, told) = read(&"[".repeat(100_000));
    assert!(quiz.is_none() && told.iter().any(|d| d.severity == Severity::Error));
}

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
        let example = WorkedExample::WeightedValues(crate::worked_example::WeightedValues {
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
        // "0,123" style answers with three places after one to three digits are asked about, never marked wrong.
        match marking {
            Marking::Marked { verdict, .. } => prop_assert_eq!(verdict, Verdict::Right, "{}", shown),
            Marking::NotCounted(why) => prop_assert!(comma, "{shown}: {why}"),
        }
        let right = question.right_answer(Some(&computed), &words).unwrap();
        prop_assert!(right.starts_with(&shown));
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
        let mut text = super::builtin::BUILT_IN[0].1.to_owned();
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
            prop_assert!(!found.message.starts_with('['), "no words: {}", found.message);
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
