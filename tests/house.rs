//! The laws of the house (`src/lib.rs`), held by tests.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Every Rust file below `src`, with its path from there and its text.
fn sources() -> Vec<(String, String)> {
    fn walk(folder: &Path, out: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, out);
            } else if path.extension().is_some_and(|e| e == "rs") {
                out.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    walk(&root, &mut paths);
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let name = path
                .strip_prefix(&root)
                .unwrap()
                .to_string_lossy()
                .replace('\\', "/");
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect()
}

/// The room a file belongs to.
fn room(file: &str) -> &str {
    file.split('/').next().unwrap()
}

/// The code of a file: without its comments, and without the unit tests that close it.
fn code(text: &str) -> String {
    let body = text.split("#[cfg(test)]\nmod ").next().unwrap();
    body.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The rooms from the ground up: each may use those before it.
const ROOMS: &[&str] = &[
    "words",
    "text",
    "attention",
    "worked_example",
    "figure",
    "quiz",
    "study",
    "exchange",
    "classroom",
    "app",
    "terminal",
];

#[test]
fn data_flows_one_way() {
    let mut faults = Vec::new();
    for (file, text) in sources() {
        let Some(own) = ROOMS.iter().position(|r| *r == room(&file)) else {
            continue;
        };
        for (above, other) in ROOMS.iter().enumerate() {
            let forbidden = above > own || (room(&file) == "terminal" && *other == "app");
            if forbidden && code(&text).contains(&format!("crate::{other}::")) {
                faults.push(format!("{file} uses {other}"));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "arrows against the flow:\n{}",
        faults.join("\n")
    );
}

#[test]
fn only_the_app_names_egui() {
    for (file, text) in sources() {
        if room(&file) != "app" {
            for name in ["egui", "eframe"] {
                assert!(
                    !code(&text).contains(&format!("{name}::")),
                    "{file} names {name}"
                );
            }
        }
    }
}

#[test]
fn the_engine_knows_arrays_only() {
    for (file, text) in sources() {
        if room(&file) == "attention" {
            for name in [
                "std::fs",
                "std::path",
                "crate::quiz",
                "crate::words",
                "messages!",
            ] {
                assert!(!code(&text).contains(name), "{file} names {name}");
            }
        }
    }
}

#[test]
fn colours_come_from_the_theme() {
    for (file, text) in sources() {
        if file != "app/theme.rs" && !file.starts_with("app/picture") {
            for name in [
                "Color32::from_",
                "Color32::WHITE",
                "Color32::BLACK",
                "Rgba::from_",
                "hex_color!",
            ] {
                assert!(
                    !code(&text).contains(name),
                    "{file} makes a colour of its own: {name}"
                );
            }
        }
    }
}

#[test]
fn files_say_their_purpose_and_stay_readable() {
    let mut faults = Vec::new();
    for (file, text) in sources() {
        if !text.starts_with("//!") {
            faults.push(format!("{file}: does not begin with its purpose"));
        }
        let lines = text.lines().count();
        if lines > 600 {
            faults.push(format!("{file}: {lines} lines"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn nothing_can_panic_on_purpose() {
    let mut faults = Vec::new();
    // Unit tests that stand in files of their own may, as all tests.
    for (file, text) in sources()
        .into_iter()
        .filter(|(file, _)| !file.contains("test"))
    {
        for name in [
            ".unwrap()",
            ".expect(",
            "panic!(",
            "todo!(",
            "unimplemented!(",
            "unreachable!(",
            "process::exit",
        ] {
            for line in code(&text).lines().filter(|line| line.contains(name)) {
                faults.push(format!("{file}: {}", line.trim()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn nothing_reaches_the_network() {
    for (file, text) in sources() {
        for name in [
            "std::net",
            "TcpStream",
            "UdpSocket",
            "reqwest",
            "ureq",
            "open_url",
            "Command::new",
            "webbrowser",
        ] {
            assert!(!code(&text).contains(name), "{file} names {name}");
        }
    }
}

/// Every message's key and arguments, read from the `messages!` blocks of the sources: so that a new room cannot be forgotten here.
fn messages_in_code() -> Vec<(String, BTreeSet<String>)> {
    let mut found = Vec::new();
    for (file, text) in sources() {
        if file == "words/message.rs" {
            continue;
        }
        for block in code(&text).split("messages! {").skip(1) {
            let Some((_, rest)) = block.split_once("enum ") else {
                continue;
            };
            let Some((name, rest)) = rest.split_once('{') else {
                continue;
            };
            let (name, mut depth, mut variant, mut args) =
                (name.trim(), 1, String::new(), String::new());
            let mut close = |variant: &mut String, args: &mut String| {
                let id = variant.split(']').next_back().unwrap().trim().to_owned();
                if !id.is_empty() {
                    let names = args
                        .split(',')
                        .filter_map(|a| a.split_once(':'))
                        .map(|(n, _)| n.trim().to_owned());
                    found.push((format!("{name}.{id}"), names.collect()));
                }
                variant.clear();
                args.clear();
            };
            for c in rest.chars() {
                match (c, depth) {
                    ('{', _) => depth += 1,
                    ('}', 1) => break,
                    ('}', _) => depth -= 1,
                    (',', 1) => close(&mut variant, &mut args),
                    (c, 1) => variant.push(c),
                    (c, _) => args.push(c),
                }
            }
            close(&mut variant, &mut args);
        }
    }
    found
}

#[test]
fn every_message_has_its_words_and_every_word_its_message() {
    let in_code = messages_in_code();
    assert!(
        in_code.len() > 50,
        "only {} messages found: the test no longer reads the code",
        in_code.len()
    );
    for language in attention_tutor::words::Words::languages() {
        let words = attention_tutor::words::Words::of_language(language).unwrap();
        let in_file = words.keys_and_args();
        let mut faults = Vec::new();
        for (key, args) in &in_code {
            match in_file.iter().find(|(k, _)| k == key) {
                None => faults.push(format!("{key} has no words")),
                Some((_, used)) => {
                    for name in used.iter().filter(|name| !args.contains(*name)) {
                        faults.push(format!(
                            "{key} is said with {{{name}}}, which it does not have"
                        ));
                    }
                }
            }
        }
        for (key, _) in &in_file {
            if !in_code.iter().any(|(k, _)| k == key) {
                faults.push(format!("{key} has words that nothing says"));
            }
        }
        assert!(faults.is_empty(), "{language}:\n{}", faults.join("\n"));
    }
}

#[test]
fn fonts_have_their_licences() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/fonts");
    let names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    for name in names.iter().filter(|n| n.ends_with(".ttf")) {
        let family = name.split(['-', '_']).next().unwrap();
        assert!(
            names
                .iter()
                .any(|n| n.starts_with(family) && n.contains("OFL")),
            "{name} has no licence beside it"
        );
    }
}
