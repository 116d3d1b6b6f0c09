//! Slips that people make, one in each file: every one is told once, at its very place, and whatever it does not touch still loads.

use super::faults;
use crate::quiz::testing::read;
use crate::quiz::{fault, tree};
use crate::words::Words;
use crate::words::diagnostic::line_and_column;

/// A good quiz; a slip is made in it by putting one text for another.
const GOOD: &str = r#"Quiz(
    format: 1,
    id: "slips",
    title: "Slips",
    examples: {
        "exam": WeightedValues(unit: "points", values: [70, 80, 90], counts: [3, 5, 2]),
        "jane": Attention(
            tokens: ["Jane", "visits", "the", "the"],
            q: [[-1, 0.5], [0, 1], [0.5, 1], [1, 0]],
            k: [[-2, 1], [0, 2], [1, 1], [1, 2]],
            v: [[6, 1], [2, 3], [4, 5], [7, 7]],
        ),
    },
    questions: [
        Question(id: "one", example: "exam", prompt: r"How much is it?", asks: WeightedAverage, kind: Number(right: 79)),
        Question(
            id: "two",
            example: "exam",
            prompt: r"Which is it?",
            asks: WeightedAverage,
            kind: OneOf([Wrong(text: "{=plain_mean}", claims: PlainMean), Right(text: "{=answer}", claims: WeightedAverage)]),
        ),
        Question(id: "three", example: "jane", prompt: r"Guess for {=focus}.", kind: Predict(), figures: [Weights]),
    ],
)
"#;

/// What is written, what is put in its place, what is told of it, and which questions still load.
type Slip<'a> = (&'a str, &'a str, &'a [&'a str], &'a [&'a str]);

const ALL: &[&str] = &["one", "two", "three"];

/// `»` marks the places told, in order; a place outside of what is put in is written out before its code.
const SLIPS: &[Slip<'_>] = &[
    // Brackets.
    ("[3, 5, 2]", "[3, 5, 2»)", &["Q039"], ALL),
    ("[3, 5, 2]", "»[3, 5, 2", &["Q002"], ALL),
    ("Predict()", "Predict(»]", &["Q039"], ALL),
    ("Predict()", "Predict»[]", &["Q039"], ALL),
    (
        "Number(right: 79)),",
        "Number(right: 79),",
        &["15:17 Q002"],
        ALL,
    ),
    (
        "Number(right: 79)),",
        "Number(right: 79)",
        &["15:17 Q002"],
        ALL,
    ),
    ("        ),\n    },", "        ),", &["5:15 Q002"], ALL),
    ("    ],\n)", "    ],\n", &["1:5 Q002"], ALL),
    ("    ],\n)", "", &["1:5 Q002", "14:16 Q002"], ALL),
    ("\"exam\": W", "»exam: W", &["Q032"], &["three"]),
    (
        "OneOf([W",
        "»OneOf(W",
        &["Q032", "21:123 Q006"],
        &["one", "three"],
    ),
    ("counts: [3, 5, 2]", "counts: »3, 5, 2]", &["Q040"], ALL),
    (
        "        Question(\n            id: \"two\"",
        "        Question»\n            id: \"two\"",
        &["Q040"],
        ALL,
    ),
    ("    ],\n)", "    ,\n)", &["14:16 Q002"], ALL),
    ("kind: OneOf", "kind» OneOf", &["Q017"], ALL),
    // Commas and colons.
    ("id: \"one\", ", "id: \"one\"»; ", &["Q001"], ALL),
    ("79)),\n", "79))»\n", &["Q001"], ALL),
    ("id: \"slips\"", "id »= \"slips\"", &["Q017"], ALL),
    ("[70, 80, 90]", "[»70,5, 80, 90]", &["Q013"], &["three"]),
    // Quotes.
    (
        "r\"How much is it?\"",
        "»r\"How much is it?",
        &["Q003"],
        ALL,
    ),
    ("r\"How much is it?\"", "»“How much is it?”", &["Q007"], ALL),
    (
        "r\"How much is it?\"",
        "»rHow much is it?\"",
        &["Q003"],
        &["two", "three"],
    ),
    ("id: \"one\"", "id: »one\"", &["Q003"], &["two", "three"]),
    (
        "asks: WeightedAverage, kind",
        "asks: »\"WeightedAverage\", kind",
        &["Q071"],
        &["two", "three"],
    ),
    (
        "example: \"jane\"",
        "example: »jane",
        &["Q032"],
        &["one", "two"],
    ),
    // Numbers.
    ("[3, 5, 2]", "[3, »1/2, 2]", &["Q014"], &["three"]),
    ("[3, 5, 2]", "[3, »5%, 2]", &["Q014"], &["three"]),
    ("[3, 5, 2]", "[3, »sqrt(2), 2]", &["Q032"], &["three"]),
    ("[3, 5, 2]", "[3, \"2»,5\", 2]", &["Q061"], &["three"]),
    ("[3, 5, 2]", "[3, \"»√2\", 2]", &["Q061"], &["three"]),
    ("[3, 5, 2]", "[3, »\"sqrt(-1)\", 2]", &["Q062"], &["three"]),
    ("[3, 5, 2]", "[3, »-5, 2]", &["Q063"], &["three"]),
    ("[3, 5, 2]", "»3", &["Q032"], &["three"]),
    // The head of the file.
    ("format: 1,", "", &["1:1 Q031"], ALL),
    ("format: 1", "format: »\"1\"", &["Q032"], ALL),
    ("title: \"Slips\"", "title: »Slips", &["Q032"], ALL),
    ("title", "»name", &["1:1 Q031", "Q029"], ALL),
    (
        "title: \"Slips\",",
        "title: \"Slips\", minutes: »-5, promise: »[],",
        &["Q034", "Q032"],
        ALL,
    ),
    // Names, and two slips in one question.
    ("{=focus}", "»{=weight the}", &["Q068"], &["one", "two"]),
    ("{=focus}", "»{focus}", &["Q109"], ALL),
    ("figures: [Weights]", "figures: [»Balance]", &["Q110"], ALL),
    (
        "kind: Predict()",
        "focus: »\"cow\", kind: Predict(close: »2)",
        &["Q060", "Q066"],
        &["one", "two"],
    ),
    (
        "{=focus}.\", kind: Predict()",
        "»{=fokus}.\", kind: Predict(»clos: »2)",
        &["Q068", "Q029", "Q066"],
        &["one", "two"],
    ),
    (
        "prompt: r\"Which is it?\"",
        "»promt: r\"Which is »{=plain_maen}?\"",
        &["Q029", "Q068"],
        &["one", "three"],
    ),
    (
        "example: \"jane\", prompt: r\"Guess for {=focus}",
        "example: »\"jan\", prompt: r\"Guess for »{=fokus}",
        &["7:9 Q058", "Q057", "Q068"],
        &["one", "two"],
    ),
    (
        "asks: WeightedAverage, kind: Number(right: 79)",
        "asks: »Mean, kind: Number()",
        &["Q071"],
        &["two", "three"],
    ),
    ("Wrong(text", "Wrong(»txt", &["Q029"], &["one", "three"]),
    (
        "OneOf([Wrong(text: \"{=plain_mean}\", claims: PlainMean), Right(text: \"{=answer}\", claims: WeightedAverage)])",
        "»OneOf([])",
        &["Q075"],
        &["one", "three"],
    ),
];

#[test]
fn each_slip_is_told_once_at_its_place_and_the_rest_loads() {
    assert_eq!(faults(GOOD), Vec::<String>::new());
    let mut surprises = Vec::new();
    for (written, slip, told, kept) in SLIPS {
        assert!(GOOD.contains(written), "{written}");
        let (text, told) = marked(&GOOD.replacen(written, slip, 1), told);
        let found = faults(&text);
        let loaded: Vec<String> = read(&text)
            .0
            .map(|quiz| quiz.questions.iter().map(|q| q.id.clone()).collect())
            .unwrap_or_default();
        if found != told || loaded != *kept {
            surprises.push(format!("{written:?}, {slip:?}: {found:?} {loaded:?}"));
        }
    }
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
}

/// A text without its marks, and what is told of it with its places.
fn marked(text: &str, told: &[&str]) -> (String, Vec<String>) {
    let plain = text.replace('»', "");
    let mut marks = text
        .match_indices('»')
        .enumerate()
        .map(|(n, (byte, _))| line_and_column(&plain, byte - n * '»'.len_utf8()));
    let placed = told.iter().map(|code| match code.contains(' ') {
        true => (*code).to_owned(),
        false => {
            let (line, column) = marks.next().unwrap();
            format!("{line}:{column} {code}")
        }
    });
    let placed = placed.collect();
    (plain, placed)
}

/// The text with the changes put in that its faults carry; of two that touch, the first.
fn mended(text: &str) -> String {
    let (_, told) = read(text);
    let mut edits: Vec<_> = told
        .iter()
        .filter_map(|d| d.remedy.as_ref()?.edit.clone())
        .collect();
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = String::new();
    let mut at = 0;
    for (range, new) in edits {
        if range.start >= at {
            out += &text[at..range.start];
            out += &new;
            at = range.end;
        }
    }
    out + &text[at..]
}

#[test]
fn the_changes_that_faults_carry_mend_them_and_keep_every_comment() {
    let faulty = r#"Quiz( // the head
    format = 1,
    "id": "many", // an id
    title: “Many faults”;
    examples: { /* one */
        exam: WeightedValues(unit: "points", vallues: [70, 80, 90), counts: [3, 1/2, 20%]), // its numbers
    },
    questions: [ // first
        Question(id: "one", example: "exma", prompt: "What is \frac{1}{2}?", asks: "WeightedAverage", kind: number())
        // second
        Question(id: "two" example: "exam", promt: 'How much is {=wieghted_average}?', asks: PlainMaen, kind: Number()),, // third
        Question(id: "three", prompt: "He said "so"", kind: OneOf(Right(text: "a"), Wrong(text: "b")), hints: "Think",
    ], // the end
)
"#;
    let mut text = faulty.to_owned();
    for _ in 0..4 {
        text = mended(&text);
    }
    let left = faults(&text);
    assert_eq!(left, Vec::<String>::new(), "{text}");
    let comments = |text: &str| {
        let (tree, _) = tree::parse(crate::quiz::testing::source(text), &Words::english());
        tree.comments(0..text.len())
            .map(|range| text[range].trim_end().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(comments(&text), comments(faulty));
    assert_eq!(read(&text).0.unwrap().questions.len(), 3);
}

#[test]
fn the_guide_tells_of_every_code_and_of_no_other() {
    let guide = include_str!("../../../quizzes/README.md");
    let table = guide
        .split("## What check tells")
        .nth(1)
        .unwrap()
        .split("\n## ")
        .next()
        .unwrap();
    let mut told: Vec<&str> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| Q"))
        .flat_map(|row| row.split('|').next().unwrap().split_whitespace())
        .map(|code| code.trim_start_matches('Q'))
        .collect();
    told.sort_unstable();
    let codes = tree::codes::ALL
        .iter()
        .map(|code| code.id)
        .chain(fault::CODES.iter().copied());
    let codes: Vec<&str> = codes.map(|code| code.trim_start_matches('Q')).collect();
    assert_eq!(told, codes);
}
