//! What each fault in a file says, where, and what is read all the same.

#[cfg(test)]
mod cases {
    use std::sync::Arc;

    use serde::Deserialize;
    use serde::de::DeserializeOwned;

    use super::super::*;
    use crate::words::diagnostic::line_and_column;
    use crate::words::{Message, MessageShape};

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Quiz {
        id: String,
        #[serde(default)]
        title: Option<String>,
        #[serde(default)]
        language: Lenient<String>,
        #[serde(default)]
        examples: Entries<Example>,
        questions: Items<Question>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    enum Example {
        Weighted { values: Vec<f64>, counts: Vec<u32> },
        Nothing,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Question {
        id: String,
        prompt: Spanned<String>,
        #[serde(default)]
        points: Option<u32>,
        kind: Kind,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    enum Kind {
        Number {
            right: Spanned<f64>,
            #[serde(default)]
            tolerance: Option<f64>,
        },
        OneOf(Vec<Choice>),
        Open,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    enum Choice {
        Right {
            text: String,
        },
        Wrong {
            text: String,
            #[serde(default)]
            why: Option<String>,
        },
    }

    fn source(text: &str) -> Arc<Source> {
        Arc::new(Source {
            name: "quiz.ron".to_owned(),
            path: None,
            text: text.to_owned(),
        })
    }

    fn read_text<T: DeserializeOwned>(text: &str) -> (Option<T>, Vec<Diagnostic>) {
        read(&source(text), &Words::english())
    }

    /// Each finding as `line:column code`.
    fn places(text: &str, told: &[Diagnostic]) -> Vec<String> {
        let place = |d: &Diagnostic| {
            let (line, column) = line_and_column(text, d.range.start);
            format!("{line}:{column} {}", d.code)
        };
        told.iter().map(place).collect()
    }

    /// Reads `text` as a `T` and holds what is told against the lines of `expected`: `line:column code words that the message holds`.
    #[track_caller]
    fn check<T: DeserializeOwned>(text: &str, expected: &[&str]) -> Option<T> {
        let (value, told) = read_text::<T>(text);
        let said: Vec<String> = places(text, &told)
            .iter()
            .zip(&told)
            .map(|(place, d)| format!("{place} {}", d.message))
            .collect();
        let fits = |(said, expected): (&String, &&str)| said.starts_with(expected);
        assert!(
            said.len() == expected.len() && said.iter().zip(expected).all(fits),
            "of\n{text}\nsaid {said:#?}\nexpected {expected:#?}"
        );
        value
    }

    /// The text with every mechanical fix put in, from the end to the beginning.
    fn fixed(text: &str, told: &[Diagnostic]) -> String {
        let mut edits: Vec<_> = told
            .iter()
            .filter_map(|d| d.remedy.as_ref()?.edit.clone())
            .collect();
        edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
        let mut text = text.to_owned();
        for (range, new) in edits {
            text.replace_range(range, &new);
        }
        text
    }

    #[test]
    fn faults_of_form_are_told_in_place_and_the_value_is_read() {
        /// A text, what is told of it, and what is read.
        type Case<'a> = (&'a str, &'a [&'a str], Option<Vec<f64>>);
        let cases: &[Case<'_>] = &[
            ("[1, 2, 3]", &[], Some(vec![1.0, 2.0, 3.0])),
            (
                "[1 2, 3]",
                &["1:3 Q001 A comma is missing"],
                Some(vec![1.0, 2.0, 3.0]),
            ),
            (
                "[1, 2",
                &["1:1 Q002 This [ is never closed."],
                Some(vec![1.0, 2.0]),
            ),
            (
                "[1, 2)",
                &["1:6 Q039 This ) cannot close a [."],
                Some(vec![1.0, 2.0]),
            ),
            ("[1/2, 3]", &["1:2 Q014 1/2 is a computation"], None),
            (
                "[1, 2 * sqrt(3), 4]",
                &["1:5 Q014 2 * sqrt(3) is a computation"],
                None,
            ),
            ("[5 %, 1]", &["1:2 Q014 5 % is no number"], None),
            (
                "1, 2",
                &[
                    "1:1 Q032 Expected a list in square brackets, found a number.",
                    "1:2 Q020",
                ],
                None,
            ),
            ("Some words, not a list.", &["1:1 Q032"], None),
            (
                "[1, 2]]",
                &["1:7 Q006 This ] closes nothing"],
                Some(vec![1.0, 2.0]),
            ),
            ("[1, ; 2]", &["1:5 Q005"], Some(vec![1.0, 2.0])),
            (
                "[1; 2]",
                &["1:3 Q001 Items are parted by commas here, not by semicolons."],
                Some(vec![1.0, 2.0]),
            ),
            ("[1,, 2]", &["1:4 Q019"], Some(vec![1.0, 2.0])),
            ("[1, 2] /* so", &["1:8 Q004"], Some(vec![1.0, 2.0])),
            ("[1, 2] 3", &["1:8 Q020"], Some(vec![1.0, 2.0])),
            (
                "[70,5, 80]",
                &["1:2 Q013 70,5 is read as two"],
                Some(vec![70.0, 5.0, 80.0]),
            ),
            ("[70,5,80]", &[], Some(vec![70.0, 5.0, 80.0])),
            ("[70,5,\n 80,1]", &[], Some(vec![70.0, 5.0, 80.0, 1.0])),
            ("[1, 1.2.3]", &["1:5 Q014"], None),
            (
                "[1, NaN, -inf, 1e400]",
                &["1:5 Q012", "1:10 Q012", "1:16 Q012 1e400 is no finite"],
                None,
            ),
            ("[1, b\"x\"]", &["1:5 Q024"], None),
            (
                "[1, \"2\"]",
                &["1:5 Q032 Expected a number, found a text."],
                None,
            ),
            (
                "[1, true, Foo, (2), {}]",
                &[
                    "1:5 Q032",
                    "1:11 Q032 Expected a number, found the name Foo.",
                    "1:16 Q032",
                    "1:21 Q032",
                ],
                None,
            ),
            ("[a: 1]", &["1:2 Q032", "1:3 Q028"], None),
            ("", &["1:1 Q023"], None),
            (
                "#![enable(unwrap_newtypes)] [1]",
                &["1:1 Q025"],
                Some(vec![1.0]),
            ),
            ("#![enable(implicit_some)] [1]", &[], Some(vec![1.0])),
        ];
        for (text, expected, value) in cases {
            assert_eq!(&check::<Vec<f64>>(text, expected), value, "{text}");
        }
    }

    #[test]
    fn faults_of_texts_are_told_with_a_fix_that_mends_them() {
        let cases = [
            ("[\"a, \"b\"]", &["1:6 Q009"] as &[&str], None),
            (
                "[\"a,\n \"b\",\n \"c\"]",
                &["1:2 Q003 This text is never closed"],
                Some("[\"a\",\n \"b\",\n \"c\"]"),
            ),
            (
                "[“a”, ‘b’]",
                &["1:2 Q007", "1:7 Q007"],
                Some("[\"a\", \"b\"]"),
            ),
            ("[\"a”, \n \"b\"]", &["1:2 Q007"], Some("[\"a\", \n \"b\"]")),
            ("['abc']", &["1:2 Q008"], Some("[\"abc\"]")),
            (
                "[\"say \"no\" twice\", \"b\"]",
                &["1:7 Q009"],
                Some("[r#\"say \"no\" twice\"#, \"b\"]"),
            ),
            (
                r#"["$\frac{1}{2}$"]"#,
                &[r"1:4 Q010 In a plain text a backslash begins an escape, and \frac is none."],
                Some(r#"[r"$\frac{1}{2}$"]"#),
            ),
            (r#"["50\%"]"#, &["1:5 Q010"], Some(r#"[r"50\%"]"#)),
            (
                r#"["$\nabla f$ \"x\"", "\text{a}"]"#,
                &[
                    r"1:4 Q011 This plain text swallows LaTeX: the beginning of \nabla",
                    "1:23 Q011",
                ],
                Some(r##"[r#"$\nabla f$ "x""#, r"\text{a}"]"##),
            ),
            (
                r#"["$\theta \rho$", "$\beta$", "$x\to y$"]"#,
                &["1:4 Q011", "1:21 Q010", "1:33 Q011"],
                Some(r#"[r"$\theta \rho$", r"$\beta$", r"$x\to y$"]"#),
            ),
            (r#"["one\ntwo", "\tno", "a\\nabla"]"#, &[], None),
            ("[r#\"a\", \"b\"]\n", &["1:2 Q003"], None),
        ];
        for (text, expected, mended) in cases {
            check::<Vec<String>>(text, expected);
            if let Some(mended) = mended {
                let told = read_text::<Vec<String>>(text).1;
                assert_eq!(fixed(text, &told), mended);
                check::<Vec<String>>(mended, &[]);
            }
        }
    }

    #[test]
    fn faults_of_fields_are_told_and_their_neighbours_still_read() {
        let cases: &[(&str, &[&str])] = &[
            ("Right(text: \"a\")", &[]),
            (
                "Right(\n text: \"a\"\n why: \"b\")",
                &["2:11 Q001", "3:2 Q029 Right has no field why."],
            ),
            (
                "Wrong(text \"a\", why = \"b\")",
                &["1:11 Q017 A colon is missing between text", "1:21 Q017"],
            ),
            (
                "Wrong(\"text\": \"a\", why: )",
                &["1:7 Q026", "1:24 Q018 why has no value."],
            ),
            ("Wrong(text: \"a\", \"b\")", &["1:18 Q027"]),
            ("Wrong(\"b\", text: \"a\")", &["1:7 Q027"]),
            (
                "Wrong(text: \"a\", text: \"b\")",
                &["1:18 Q016 text is written twice"],
            ),
            (
                "Wrong(texd: \"a\", wy: \"b\")",
                &["1:7 Q029 Wrong has no field texd.", "1:18 Q029"],
            ),
            (
                "Wrong(why: 3, txt: 4)",
                &["1:12 Q032", "1:15 Q029", "1:20 Q032"],
            ),
            (
                "Wrong(why: \"a\")",
                &["1:1 Q031 Wrong needs the field text"],
            ),
            (
                "Wrnog(text: 3)",
                &["1:1 Q030 Wrnog is not among", "1:13 Q032"],
            ),
            ("Wrong", &["1:1 Q032 Wrong needs its content"]),
            ("Banana(text: 3)", &["1:1 Q030"]),
            (
                "7",
                &["1:1 Q032 Expected one of Right, Wrong, found a number."],
            ),
        ];
        for (text, expected) in cases {
            check::<Choice>(text, expected);
        }
        check::<Kind>("Number(right: 79,5)", &["1:15 Q013 79,5 is read as two"]);
        check::<Kind>("Open(1)", &["1:5 Q036"]);
        check::<Kind>(
            "OneOf([Right(text: 1), Wrong(), Rigth(text: 2)])",
            &["1:20 Q032", "1:24 Q031", "1:33 Q030", "1:45 Q032"],
        );
        check::<(u8, i8, bool)>("(256, -129, 1)", &["1:2 Q034", "1:7 Q034", "1:13 Q032"]);
        check::<(u8, u8)>("(1.5, 2, 3)", &["1:1 Q035"]);
        check::<Vec<u8>>(
            "[1.5, \"7\"]",
            &["1:2 Q032 Expected a whole number, found 1.5.", "1:7 Q032"],
        );
        check::<Quiz>(
            "Qiuz(id: \"a\", questions: [])",
            &["1:1 Q033 Expected Quiz(…), found Qiuz."],
        );
    }

    #[test]
    fn one_pass_tells_ten_faults_and_keeps_what_is_good() {
        let text = r#"Quiz(
    id: "demo"
    titel: "Is it?",
    language: 7,
    examples: {
        "a": Weighted(values: [70, "x", 1e999], counts: [3, -5, 2]),
        "b": Nothing,
        "b": Weighted(values: [], counts: []),
        "c": Wieghted(values: [1], count: [1]),
    },
    questions: [
        Question(id: "one", prompt: "$\frac12$", kind: Open),
        Question(id: "two", prompt: “Why?”, kind: Number(right: "many", tolerance: [])),
        Question(id: 3, kind: OneOf([Right(text: "y"), Wrong(text: "n", way: "no")])),
        Question(id: "four", prompt: "fine", points: 2, kind: Number(right: 79)),
        Question(id: "five", prompt: "not closed, kind: Open),
        Question(id: "six", prompt: "fine too", kind: OneOf([Wrong(text: "n")])),
    ],
)
"#;
        let quiz = check::<Quiz>(
            text,
            &[
                "2:15 Q001",
                "3:5 Q029",
                "4:15 Q032",
                "6:36 Q032",
                "6:41 Q012",
                "6:61 Q034",
                "8:9 Q015",
                "9:14 Q030",
                "9:36 Q029",
                "12:39 Q010",
                "13:37 Q007",
                "13:65 Q032",
                "13:84 Q032",
                "14:9 Q031",
                "14:22 Q032",
                "14:73 Q029",
                "16:38 Q003",
            ],
        )
        .unwrap();
        assert_eq!(quiz.title.as_deref(), Some("Is it?"));
        assert_eq!(quiz.language, Lenient(None));
        assert_eq!((quiz.examples.len(), quiz.examples.dropped), (1, 2));
        let ids: Vec<&str> = quiz.questions.iter().map(|q| q.id.as_str()).collect();
        assert_eq!(ids, ["one", "four", "five", "six"]);
        let four = &quiz.questions[1];
        assert_eq!(&text[four.prompt.range.clone()], "\"fine\"");
        assert!(text[four.range.clone()].starts_with("Question(id: \"four\""));
        let Kind::Number { right, .. } = &four.kind else {
            panic!("a number was asked")
        };
        assert_eq!((right.value, &text[right.range.clone()]), (79.0, "79"));
    }

    #[test]
    fn an_unclosed_bracket_costs_no_neighbour() {
        let text = "Quiz(id: \"a\", questions: [\n  Question(id: \"one\", prompt: \"p\", kind: Number(right: 1),\n  \
                Question(id: \"two\", prompt: \"p\", kind: OneOf([Right(text: \"x\"))),\n  \
                Question(id: \"three\", prompt: \"p\", kind: Open),\n])";
        let quiz = check::<Quiz>(text, &["2:11 Q002", "3:48 Q002"]).unwrap();
        assert_eq!(quiz.questions.len(), 3);
        let text = "Quiz(id: \"a\", questions: [\n  Question(id: \"one\", prompt: \"p\", kind: Open),\n  title: \"t\")";
        let quiz = check::<Quiz>(text, &["1:26 Q002"]).unwrap();
        assert_eq!(
            (quiz.questions.len(), quiz.title.as_deref()),
            (1, Some("t"))
        );
    }

    #[test]
    fn all_missing_fields_are_told_at_the_name() {
        check::<Quiz>(
            "Quiz(questions: [Question(), (points: 1)])",
            &[
                "1:1 Q031",
                "1:18 Q031",
                "1:18 Q031",
                "1:18 Q031",
                "1:30 Q031",
                "1:30 Q031",
                "1:30 Q031",
            ],
        );
    }

    #[test]
    fn fifty_faults_are_fifty_findings() {
        let bad =
            "Question(id: 1, prompt: 2, points: -3, kind: Number(right: x, tolernce: \"y\")),\n"
                .repeat(10);
        let (quiz, told) = read_text::<Quiz>(&format!("Quiz(id: \"a\", questions: [\n{bad}])"));
        assert_eq!(told.len(), 60);
        assert_eq!(quiz.unwrap().questions.dropped, 10);
    }

    #[test]
    fn a_value_that_its_own_type_refuses_hides_no_neighbour() {
        #[derive(Debug, Deserialize)]
        #[serde(try_from = "f64")]
        struct Share;
        impl TryFrom<f64> for Share {
            type Error = &'static str;
            fn try_from(x: f64) -> Result<Self, Self::Error> {
                if (0.0..=1.0).contains(&x) {
                    Ok(Self)
                } else {
                    Err("a share lies between 0 and 1")
                }
            }
        }
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(dead_code)]
        struct Shares {
            a: Share,
            b: Share,
            c: String,
        }
        check::<Shares>(
            "(a: 3, b: 4, c: 5)",
            &[
                "1:5 Q037 This value cannot be used: a share",
                "1:11 Q037",
                "1:17 Q032",
            ],
        );
    }

    #[test]
    fn a_number_or_an_expression_of_the_wrong_type_hides_no_neighbour() {
        #[derive(Debug, PartialEq)]
        enum Amount {
            Number(f64),
            Expression(String),
        }
        impl<'de> Deserialize<'de> for Amount {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Either;
                impl serde::de::Visitor<'_> for Either {
                    type Value = Amount;
                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("a number or an expression")
                    }
                    fn visit_u64<E>(self, n: u64) -> Result<Amount, E> {
                        Ok(Amount::Number(n as f64))
                    }
                    fn visit_f64<E>(self, n: f64) -> Result<Amount, E> {
                        Ok(Amount::Number(n))
                    }
                    fn visit_str<E>(self, text: &str) -> Result<Amount, E> {
                        Ok(Amount::Expression(text.to_owned()))
                    }
                }
                deserializer.deserialize_any(Either)
            }
        }
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(dead_code)]
        struct Values {
            values: Vec<Spanned<Amount>>,
            right: Option<Amount>,
            unit: String,
        }
        let good = check::<Values>(
            "(values: [70, \"2 * $a\", 7.5], right: 3, unit: \"m\")",
            &[],
        )
        .unwrap();
        assert_eq!(
            good.values[1].value,
            Amount::Expression("2 * $a".to_owned())
        );
        check::<Values>(
            "(values: [70, [1], Plain, NaN], right: (2), unit: 3)",
            &[
                "1:15 Q032 Expected a number or an expression, found a list",
                "1:20 Q032 Expected a number or an expression, found the name Plain.",
                "1:27 Q012",
                "1:40 Q032",
                "1:51 Q032",
            ],
        );
    }

    #[test]
    fn a_hundred_thousand_brackets_are_one_finding() {
        for (open, close) in [
            ("[", "]"),
            ("(", ")"),
            ("{", "}"),
            ("[(", ")]"),
            ("a(", ")"),
        ] {
            let half = 100_000 / open.len();
            for text in [
                open.repeat(half),
                format!("{}{}", open.repeat(half), close.repeat(half)),
            ] {
                let (_, told) = parse(source(&text), &Words::english());
                let deep: Vec<&str> = told
                    .iter()
                    .map(|d| d.code)
                    .filter(|c| *c != "Q018")
                    .collect();
                assert_eq!(deep, ["Q021"], "{open}");
            }
        }
        let (_, told) = parse(source(&"]".repeat(100_000)), &Words::english());
        assert!(told.len() <= 501);
    }

    #[test]
    fn hostile_files_are_read_in_linear_time() {
        for piece in [
            "\"\n",
            "r#\"\n",
            "/*\n",
            "\\\"\n",
            "'\n",
            "“\n",
            "a \"\n",
            "\"a\nb\" c\n",
            "a: /* */\n",
        ] {
            let text = piece.repeat(200_000 / piece.len());
            let began = std::time::Instant::now();
            let (tree, _) = parse(source(&text), &Words::english());
            assert!(
                began.elapsed().as_secs() < 10,
                "{piece:?} took {:?}",
                began.elapsed()
            );
            assert_eq!(
                tree.tokens().map(|(_, range)| range.len()).sum::<usize>(),
                text.len()
            );
        }
    }

    #[test]
    fn codes_are_unique_and_every_message_has_words() {
        let mut ids: Vec<&str> = codes::ALL.iter().map(|code| code.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), codes::ALL.len());
        let in_file = Words::english().keys_and_args();
        for MessageShape { key, args } in ReadMsg::SHAPES.iter().chain(ReadThing::SHAPES) {
            let (_, used) = in_file
                .iter()
                .find(|(k, _)| k == key)
                .unwrap_or_else(|| panic!("{key} has no words"));
            let mut named: Vec<&str> = args.to_vec();
            named.sort_unstable();
            assert_eq!(used, &named, "{key}");
        }
        assert_eq!(strip_bom("\u{FEFF}Quiz()"), ("Quiz()", true));
    }
}
