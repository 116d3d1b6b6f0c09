//! `attention-tutor attend` as someone with arrays in files meets it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

fn attend(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_attention-tutor"))
        .current_dir(folder)
        .arg("attend")
        .args(arguments)
        .output()
        .unwrap()
}

fn said(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

/// What `--json` prints.
fn numbers(folder: &Path, arguments: &[&str]) -> Value {
    let output = attend(folder, &[arguments, &["--json"]].concat());
    let (text, errors) = said(&output);
    assert!(output.status.success(), "{errors}");
    serde_json::from_str(&text).unwrap()
}

/// What went wrong.
fn fault(folder: &Path, arguments: &[&str]) -> String {
    let output = attend(folder, arguments);
    assert_eq!(output.status.code(), Some(1), "{:?}", said(&output));
    let (text, errors) = said(&output);
    assert_eq!(text, "", "nothing is said beside the fault");
    errors
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn samples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/arrays")
}

/// The unit test of Coursera DLS C5W4 A1, exercise 3, with its mask.
const COURSE: &str = r#"{
  "tokens": ["Jane", "visits", "Africa", "today"],
  "q": [[1, 0, 1, 1], [0, 1, 1, 1], [1, 0, 0, 1]],
  "k": [[1, 1, 0, 1], [1, 0, 1, 1], [0, 1, 1, 0], [0, 0, 0, 1]],
  "v": [[0, 0], [1, 0], [1, 0], [1, 1]],
  "keep": [[true, true, false, true]]
}"#;

fn near(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| near(a, b))
        }
        (Value::Number(a), Value::Number(b)) => {
            (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-12
        }
        _ => a == b,
    }
}

#[test]
fn a_query_is_told_step_by_step_and_the_output_follows() {
    let folder = folder(&[("course.json", COURSE)]);
    let output = attend(folder.path(), &["course.json", "--query", "2"]);
    let (text, errors) = said(&output);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    for part in [
        "q (3, 4) · k (4, 4) · v (4, 2) · keep (1, 4)",
        "scale 0.5 = 1/√4, since none is given",
        "Query 2 of 3, step by step",
        "Jane  visits  Africa  today",
        "exp",
        "Output (3, 2)",
        "0.62  0.23",
        "words (e^entropy of its weights)",
    ] {
        assert!(text.contains(part), "no “{part}” in:\n{text}");
    }
    let widest = text.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(80), "wider than a terminal: {widest:?}");
}

#[test]
fn json_has_full_digits_and_the_inputs_rank() {
    let folder = folder(&[("course.json", COURSE)]);
    let found = numbers(folder.path(), &["course.json", "--stage", "masked"]);
    assert_eq!(found["scores"][0], json!([2.0, 3.0, 1.0, 1.0]));
    assert_eq!(found["output"][0][0], json!(0.692_804_114_281_501_6));
    assert_eq!(
        found["stages"]["masked"][0],
        json!([1.0, 1.5, "-Infinity", 0.5])
    );
    assert_eq!(found["notices"][0]["id"], "default-scale");
    assert_eq!(found["notices"][0]["kind"], "convention");
}

#[test]
fn every_format_holds_the_same_arrays() {
    let stages = [
        "--stage", "biased", "--stage", "visible", "--stage", "entropy",
    ];
    let of = |name: &str| numbers(&samples(), &[&[name][..], &stages].concat());
    let json = of("plain.json");
    assert_eq!(
        json["scores"],
        json!([[1.0, 0.5, 0.75], [0.25, -2.0, -0.875]])
    );
    for name in ["plain.csv", "plain.ron"] {
        assert_eq!(of(name), json, "{name}");
    }
}

#[test]
fn what_is_written_can_be_read_again() {
    let folder = folder(&[("course.json", COURSE)]);
    let whole = numbers(folder.path(), &["course.json"]);
    for name in ["weights.json", "weights.csv", "weights.npy"] {
        let arguments = ["course.json", "--stage", "weights", "--out", name];
        let (text, _) = said(&attend(folder.path(), &arguments));
        assert!(text.contains("weights (3, 4)"), "{text}");
        // Alone, x asks as it is.
        let named = format!("x={name}");
        let found = numbers(folder.path(), &[&named, "--stage", "q"]);
        assert_eq!(found["stages"]["q"], whole["weights"], "{name}");
    }
}

#[test]
fn learned_matrices_heads_and_context_make_a_layer() {
    let folder = folder(&[(
        "layer.ron",
        "(
            x: [[1, 0, 1], [0, 2, 0]],
            context: [[1, 1, 1], [0, 1, 0], [2, 0, 1]],
            wq: [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]],
            wk: [[1, 0], [0, 1], [1, 0]],
            wv: [[1, 0], [0, 1], [0, 1]],
            wo: [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]],
            heads: 2, kv_heads: 1,
        )",
    )]);
    let found = numbers(
        folder.path(),
        &["layer.ron", "--stage", "q", "--stage", "head_output"],
    );
    // x·wq is [1, 0, 1, 1] and [0, 2, 0, 0]; split, head 1 asks [1, 0] and [0, 2], head 2 [1, 1] and [0, 0].
    assert_eq!(
        found["stages"]["q"],
        json!([[[1.0, 0.0], [0.0, 2.0]], [[1.0, 1.0], [0.0, 0.0]]])
    );
    assert_eq!(found["scores"][0][0], json!([2.0, 0.0, 3.0]));
    let plain_mean = json!([1.0, 4.0 / 3.0]);
    assert!(
        near(&found["stages"]["head_output"][1][1], &plain_mean),
        "a zero query"
    );
    assert_eq!(found["output"].as_array().unwrap().len(), 2);
    assert_eq!(found["output"][0].as_array().unwrap().len(), 3);
}

#[test]
fn positions_are_the_papers() {
    let all: Value = serde_json::from_str(include_str!("data/positions_by_numpy.json")).unwrap();
    let cases = all["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 5);
    for case in cases {
        let folder = folder(&[("arrays.json", &case["arrays"].to_string())]);
        let positions = case["positions"].as_str().unwrap();
        let found = numbers(folder.path(), &["arrays.json", "--positions", positions]);
        assert!(near(&found["output"], &case["output"]), "{positions}");
        let other_name = positions.replace("rotary", "rope");
        let again = numbers(folder.path(), &["arrays.json", "--positions", &other_name]);
        assert_eq!(again, found, "{other_name}");
    }
}

#[test]
fn flags_win_over_the_file() {
    let folder = folder(&[("course.json", COURSE)]);
    let causal = numbers(
        folder.path(),
        &[
            "course.json",
            "--causal",
            "bottom-right",
            "--empty-row",
            "mean",
        ],
    );
    // Query 1 stands at key 2, and sees keys 1 and 2.
    assert_eq!(causal["weights"][0][3], json!(0.0));
    let ids: Vec<&Value> = causal["notices"]
        .as_array()
        .unwrap()
        .iter()
        .map(|n| &n["id"])
        .collect();
    assert_eq!(ids, ["default-scale", "aligned"]);
    // As in files, so as flags.
    let narrow = ["course.json", "--window_left", "0", "--window-right", "0"];
    let narrow = numbers(folder.path(), &narrow);
    assert_eq!(narrow["weights"][1], json!([0.0, 1.0, 0.0, 0.0]));
    let flat = numbers(folder.path(), &["course.json", "--scale", "0"]);
    assert!(near(&flat["output"][0], &json!([2.0 / 3.0, 1.0 / 3.0])));
    assert_eq!(flat["notices"][0]["id"], "plain-mean");
    let rough = numbers(folder.path(), &["course.json", "--precision", "bf16"]);
    assert_ne!(rough["output"], flat["output"]);
    let hard = numbers(folder.path(), &["course.json", "--normaliser", "hard-max"]);
    assert_eq!(hard["weights"][0], json!([0.0, 1.0, 0.0, 0.0]));
}

#[test]
fn faults_say_what_where_why_and_what_to_do() {
    let folder = folder(&[
        (
            "widths.json",
            "{\n  \"q\": [[1, 0, 2]],\n  \"k\": [[1, 0], [0, 1]],\n  \"v\": [[1], [2]]\n}",
        ),
        ("no_v.json", r#"{"q": [[1, 0]], "k": [[1, 0], [0, 1]]}"#),
        ("both.ron", "(x: [[1]], q: [[1]], k: [[1]], v: [[1]])"),
        (
            "mask.csv",
            "q\n1, 0\nk\n1, 0\n0, 1\nv\n1\n2\nkeep\n1, 0, 1\n",
        ),
        ("good.csv", "q\n1, 0\nk\n1, 0\n0, 1\nv\n1\n2\n"),
    ]);
    for (arguments, parts) in [
        (
            &["widths.json"][..],
            &[
                "A108",
                "Queries (1, 3) and keys (2, 2)",
                "widths.json:3:8",
                "help:",
            ][..],
        ),
        (&["no_v.json"], &["A101", "There is no v", "no_v.json:1:"]),
        (&["both.ron"], &["A102", "Both x and some of q, k, v"]),
        (&["mask.csv"], &["A110", "(1, 3)", "(1, 2)", "mask.csv:9:1"]),
        (&["gone.csv"], &["gone.csv cannot be read"]),
        (
            &["good.csv", "--causal", "up"],
            &["“up”", "top-left, bottom-right"],
        ),
        (
            &["good.csv", "--scale", "abc"],
            &["scale should be a number"],
        ),
        (&["good.csv", "--softcap", "0"], &["A121", "softcap 0"]),
        (
            &["good.csv", "--stage", "wieghts"],
            &["did you mean weights"],
        ),
        (&["good.csv", "--head", "2"], &["no head 2"]),
        (
            &["good.csv", "--heads", "2"],
            &["A107", "columns of v", "good.csv:6:1"],
        ),
        (
            &["good.csv", "--positions", "sinusoidal"],
            &["A116", "x with wq"],
        ),
        (&["qq=good.csv"], &["no array “qq”"]),
        (
            &["good.csv", "--out", "out.txt"],
            &["out.txt", ".json, .csv or .npy"],
        ),
        (
            &["good.csv", "--out", "o.npy", "--stage", "q", "--stage", "k"],
            &["o.npy", "one array"],
        ),
    ] {
        let told = fault(folder.path(), arguments);
        for part in parts {
            assert!(
                told.contains(part),
                "{arguments:?}: no “{part}” in:\n{told}"
            );
        }
    }
}

#[test]
fn what_looks_unintended_is_warned_of() {
    let folder = folder(&[(
        "bias.ron",
        "(q: [[1, 0], [0, 1]], k: [[1, 0], [0, 1]], v: [[1], [2]], bias: [[1, 0], [1, 1]])",
    )]);
    let (text, _) = said(&attend(folder.path(), &["bias.ron"]));
    assert!(text.contains("! bias holds only zeros and ones"), "{text}");
}

#[test]
fn batches_keep_their_axis() {
    let folder = folder(&[(
        "batches.json",
        r#"{"x": [[[1, 0], [0, 1]], [[2, 0], [0, 2]]], "scale": 1}"#,
    )]);
    let found = numbers(folder.path(), &["batches.json"]);
    assert_eq!(
        found["scores"],
        json!([[[1.0, 0.0], [0.0, 1.0]], [[4.0, 0.0], [0.0, 4.0]]])
    );
    assert_eq!(found["notices"][0]["id"], "bare-x");
    let told = said(&attend(folder.path(), &["batches.json", "--batch", "2"])).0;
    assert!(told.contains("batch 2 of 2"), "{told}");
}

#[test]
fn what_does_not_fit_is_computed_tile_by_tile() {
    let rows = 5_800;
    let column = |number: &dyn Fn(usize) -> f64| -> Vec<[f64; 1]> {
        (0..rows).map(|i| [number(i)]).collect()
    };
    let (zeros, places) = (column(&|_| 0.0), column(&|i| i as f64));
    let heads = json!({"q": &zeros, "k": &places, "v": &places, "causal": "top-left"});
    let layer = json!({"x": &places, "wq": [[0.0]], "wk": [[1.0]], "wv": [[1.0]], "wo": [[2.0]]});
    let folder = folder(&[
        ("heads.json", &heads.to_string()),
        ("layer.json", &layer.to_string()),
    ]);
    assert!(fault(folder.path(), &["heads.json"]).contains("A123"));
    for (file, row, expected) in [("heads.json", 100, 50.0), ("layer.json", 7, 5_799.0)] {
        let (text, notices) = said(&attend(folder.path(), &[file, "--out", "output.json"]));
        assert!(text.contains("output (5800, 1)"), "{text}{notices}");
        assert!(
            notices.contains("tile by tile") && notices.contains("1/√1"),
            "{notices}"
        );
        let written = fs::read_to_string(folder.path().join("output.json")).unwrap();
        let written: Value = serde_json::from_str(&written).unwrap();
        // A zero query gives the plain mean of what it sees.
        let found = written["output"][row][0].as_f64().unwrap();
        assert!((found - expected).abs() < 1e-2, "{file}: {found}");
    }
}

#[test]
fn help_shows_an_example_of_each_format() {
    let (text, _) = said(&attend(Path::new("."), &["--help"]));
    for part in [
        "JSON",
        "RON",
        "CSV",
        ".npy",
        ".npz",
        ".safetensors",
        "--window-left",
        "(batch, heads, n, d)",
    ] {
        assert!(text.contains(part), "no {part} in the help");
    }
}
