//! The `ron` crate as the oracle: what it accepts we accept with the same value, what we find clean it accepts.

#[cfg(test)]
mod cases {
    use std::collections::BTreeMap;
    use std::fmt::Debug;
    use std::sync::Arc;

    use proptest::prelude::*;
    use ron::extensions::Extensions;
    use serde::de::DeserializeOwned;
    use serde::{Deserialize, Serialize};

    use super::super::*;
    use crate::words::diagnostic::Severity;

    /// A type with one of everything that a file may hold.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    enum Thing {
        Unit,
        Number(f64),
        Whole(i64),
        Text(String),
        Letter(char),
        Truth(bool),
        Nil(()),
        Few(u8, String),
        List(Vec<Thing>),
        Map(BTreeMap<String, Thing>),
        Struct {
            a: Option<f64>,
            b: Option<Box<Thing>>,
            r#type: (i8, bool),
        },
        Wrapped(Inner),
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        x: Vec<f32>,
        #[serde(default)]
        y: Option<String>,
    }

    fn things() -> impl Strategy<Value = Thing> {
        let text = || prop_oneof![any::<String>(), "[a-z\\\\\"\n$ ]{0,12}"];
        let number = || prop_oneof![-1e9..1e9_f64, Just(0.1), Just(1e-300), Just(-0.0)];
        let leaf = prop_oneof![
            Just(Thing::Unit),
            number().prop_map(Thing::Number),
            any::<i64>().prop_map(Thing::Whole),
            text().prop_map(Thing::Text),
            any::<char>().prop_map(Thing::Letter),
            any::<bool>().prop_map(Thing::Truth),
            Just(Thing::Nil(())),
            (any::<u8>(), text()).prop_map(|(n, t)| Thing::Few(n, t)),
            (
                proptest::collection::vec(-1e3..1e3_f32, 0..3),
                proptest::option::of(text())
            )
                .prop_map(|(x, y)| Thing::Wrapped(Inner { x, y })),
        ];
        leaf.prop_recursive(4, 24, 4, move |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Thing::List),
                proptest::collection::btree_map(text(), inner.clone(), 0..4).prop_map(Thing::Map),
                (
                    proptest::option::of(number()),
                    proptest::option::of(inner),
                    any::<(i8, bool)>()
                )
                    .prop_map(|(a, b, r#type)| Thing::Struct {
                        a,
                        b: b.map(Box::new),
                        r#type
                    }),
            ]
        })
    }

    /// The text of a thing in one of ron's ways of writing, with comments and white space strewn in where `seed` says.
    fn written(thing: &Thing, style: u8, seed: u64) -> String {
        let mut config = ron::ser::PrettyConfig::new()
            .struct_names(style & 1 == 1)
            .escape_strings(style & 2 == 2)
            .compact_arrays(style & 4 == 4);
        if style & 8 == 8 {
            config = config.extensions(Extensions::IMPLICIT_SOME);
        }
        let text = if style & 16 == 16 {
            ron::to_string(thing)
        } else {
            ron::ser::to_string_pretty(thing, config)
        };
        let text = text.unwrap();
        // White space may come before any comma or opening list bracket outside of texts; a tree of ours tells where that is.
        let (tree, _) = parse(source(&text), &Words::english());
        let mut out = String::new();
        let mut dice = seed;
        for (kind, range) in tree.tokens() {
            dice = dice
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            if matches!(
                kind,
                TokenKind::Comma | TokenKind::LeftBracket | TokenKind::LeftBrace | TokenKind::Ident
            ) {
                out.push_str(
                    ["", "", " ", "\n\t", "/* a /* b */ \" */", "// [ \"\n"]
                        [(dice >> 33) as usize % 6],
                );
            }
            out.push_str(&text[range]);
        }
        out
    }

    fn source(text: &str) -> Arc<Source> {
        Arc::new(Source {
            name: "t".to_owned(),
            path: None,
            text: text.to_owned(),
        })
    }

    fn by_ron<T: DeserializeOwned>(text: &str) -> Option<T> {
        ron::Options::default()
            .with_default_extension(Extensions::IMPLICIT_SOME)
            .from_str(text)
            .ok()
    }

    /// Our value where nothing but warnings is told.
    fn by_us<T: DeserializeOwned>(text: &str) -> Result<T, Vec<Diagnostic>> {
        let (value, told) = read::<T>(&source(text), &Words::english());
        match value {
            Some(value) if told.iter().all(|d| d.severity < Severity::Error) => Ok(value),
            _ => {
                assert!(
                    !told.is_empty(),
                    "nothing read and nothing told of {text:?}"
                );
                Err(told)
            }
        }
    }

    /// Holds the two against each other, but for the differences told at the module's head.
    fn compare<T: DeserializeOwned + PartialEq + Debug>(text: &str) -> Result<(), TestCaseError> {
        match (by_ron::<T>(text), by_us::<T>(text)) {
            (Some(theirs), Ok(ours)) => prop_assert_eq!(theirs, ours, "of {}", text),
            (Some(_), Err(told)) => {
                let refused = [
                    codes::DUPLICATE_KEY,
                    codes::NOT_FINITE,
                    codes::BYTES,
                    codes::BAD_NUMBER,
                    codes::SWITCH,
                ];
                let is_meant = told
                    .iter()
                    .any(|d| refused.iter().any(|code| code.id == d.code));
                prop_assert!(is_meant, "ron reads {:?}, we say {:#?}", text, told);
            }
            (None, Ok(ours)) => prop_assert!(
                we_accept_more(text),
                "only we read {:?}, as {:?}",
                text,
                ours
            ),
            (None, Err(_)) => {}
        }
        Ok(())
    }

    /// Whether a text holds what only we accept: no inner parentheses in a newtype variant, `( )`, number suffixes, hexadecimal floats, names with `-` or `.`.
    fn we_accept_more(text: &str) -> bool {
        let (tree, _) = parse(source(text), &Words::english());
        let mut nodes = vec![tree.root()];
        while let Some(node) = nodes.pop() {
            let source = node.source_text();
            let is_more = match node.kind() {
                NodeKind::Struct => node.name() == Some("Wrapped"),
                NodeKind::Tuple => source != "()" && node.children().next().is_none(),
                NodeKind::Number => source.contains(['i', 'u', 'f', 'x', 'b', 'o']),
                NodeKind::Name => source.contains(['-', '.']),
                _ => false,
            };
            if is_more {
                return true;
            }
            nodes.extend(node.children());
        }
        false
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_ron_writes_we_read_as_it_does(thing in things(), style in 0_u8..32, seed in any::<u64>()) {
            let text = written(&thing, style, seed);
            prop_assert_eq!(by_us::<Thing>(&text).map_err(|told| TestCaseError::fail(format!("{text}\n{told:#?}")))?, thing);
            compare::<Thing>(&text)?;
        }

        #[test]
        fn a_text_with_slips_reads_alike(
            thing in things(), style in 0_u8..32, seed in any::<u64>(),
            slips in proptest::collection::vec((any::<proptest::sample::Index>(), 0_usize..22), 1..4),
        ) {
            let mut chars: Vec<char> = written(&thing, style, seed).chars().collect();
            for (place, slip) in slips {
                let at = place.index(chars.len() + 1);
                match "()[]{},:\"\\'#r/*1.e-_\n".chars().nth(slip) {
                    Some(c) => chars.insert(at, c),
                    None => { chars.drain(at..(at + 1).min(chars.len())); }
                }
            }
            compare::<Thing>(&chars.into_iter().collect::<String>())?;
        }

        #[test]
        fn nothing_panics_and_no_byte_is_lost(bytes in proptest::collection::vec(any::<u8>(), 0..200), text in "[\\[\\](){}:,\"'#r/*\\\\a-c1.“” \n]{0,80}") {
            for text in [String::from_utf8_lossy(&bytes).into_owned(), text] {
                let (tree, _) = parse(source(&text), &Words::english());
                let whole: String = tree.tokens().map(|(_, range)| &text[range]).collect();
                prop_assert_eq!(&whole, &text);
                let _ = read::<Thing>(&source(&text), &Words::english());
                compare::<Vec<String>>(&text)?;
            }
        }

        #[test]
        fn texts_with_escapes_read_alike(text in r#"([a-z$"' ]|\\[ntr0x'"u{4]|\\x[0-9A-Fa-f]{2}|\\u\{[0-9A-Fa-f]{0,7}\}|\\\r?\n[ \t\r\n]*|é|\\xC3\\xA9|\\\\){0,8}"#) {
            compare::<String>(&format!("\"{text}\""))?;
            compare::<char>(&format!("'{text}'"))?;
            compare::<String>(&format!("r#\"{text}\"#"))?;
        }

        #[test]
        fn numbers_read_alike(text in "[-+]?(0[xbo])?[0-9a-f_.eE+-]{1,7}(i8|u8|f32|f64|i64)?") {
            compare::<f64>(&text)?;
            compare::<u8>(&text)?;
            compare::<i64>(&text)?;
            compare::<f32>(&text)?;
        }
    }

    #[test]
    fn what_nests_as_deep_as_allowed_is_read() {
        let levels = MOST_NESTED / 2;
        let text = format!("{}{}", "List([".repeat(levels), "])".repeat(levels));
        assert!(by_us::<Thing>(&text).is_ok());
        assert!(by_us::<Thing>(&format!("List([{text}])")).is_err());
    }
}
