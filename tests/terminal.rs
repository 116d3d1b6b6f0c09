//! The program as it is used from a shell: what it prints, where it exits, and what it makes of bad input.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str], input: &str) -> Output {
    let data = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_attention-tutor"))
        .args(arguments)
        .env("ATTENTION_TUTOR_DATA", data.path())
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may be done before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn check(path: &Path) -> Output {
    run(&["check", path.to_str().unwrap()], "")
}

const GOOD: &str = r##"Quiz(format: 1, id: "good", title: "Good", examples: {
    "exam": WeightedValues(unit: "points", holders: "people", values: [70, 80, 90], counts: [3, 5, 2]),
}, questions: [
    Question(id: "a", example: "exam", prompt: r"What is the weighted average?", asks: WeightedAverage, kind: Number(right: 79)),
])"##;

fn good(id: &str) -> String {
    GOOD.replace("\"good\"", &format!("\"{id}\""))
}

#[test]
fn the_quiz_runs_from_a_pipe_and_ends_with_its_summary() {
    let done = run(&["quiz"], "2\n3\n72\n");
    assert!(done.status.success(), "{}", err(&done));
    let text = out(&done);
    // Screen A: both readings that give 79, side by side.
    assert!(text.contains("Two readings give 79"), "{text}");
    // The weights are drawn against the uniform line.
    assert!(
        text.contains("uniform 1/3") && text.contains("███"),
        "{text}"
    );
    assert!(text.contains("2 of 2 right"), "{text}");
    assert!(text.contains("11 questions were not answered"), "{text}");
}

#[test]
fn typed_numbers_are_read_generously_and_a_wrong_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("q.ron");
    fs::write(&file, GOOD).unwrap();
    let quiz = |typed: &str| {
        out(&run(
            &["quiz", file.to_str().unwrap()],
            &format!("{typed}\n"),
        ))
    };
    for typed in [
        "79",
        "79.0",
        "79,0",
        " 79 ",
        "7.9e1",
        "+79",
        "７９",
        "79 points",
    ] {
        assert!(
            quiz(typed).contains("1 of 1 right"),
            "{typed:?}: {}",
            quiz(typed)
        );
    }
    let wrong = quiz("80");
    assert!(
        wrong.contains("80 is the plain mean of the three numbers"),
        "{wrong}"
    );
    assert!(
        quiz("79.28").contains("without"),
        "softmax of the counts: {}",
        quiz("79.28")
    );
    // What is no number is asked again and does not count.
    let asked_again = quiz("many\n79");
    assert!(asked_again.contains("1 of 1 right"), "{asked_again}");
}

#[test]
fn without_a_display_it_says_what_is_missing_and_goes_on_in_the_terminal() {
    let done = run(&[], "2\n");
    assert!(done.status.success());
    let told = err(&done);
    for part in [
        "no display",
        "libgl1-mesa-dri",
        "libxkbcommon-x11-0",
        "LIBGL_ALWAYS_SOFTWARE=1",
    ] {
        assert!(told.contains(part), "{part:?} is not told: {told}");
    }
    assert!(!told.contains(".rs:"), "a source path is no help: {told}");
    assert!(out(&done).contains("Two readings give 79"));
}

#[test]
fn check_exits_0_clean_1_with_findings_2_where_it_could_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("q.ron");
    fs::write(&file, GOOD).unwrap();
    assert_eq!(
        check(&file).status.code(),
        Some(0),
        "{}",
        out(&check(&file))
    );

    fs::write(&file, GOOD.replace("right: 79", "right: 80")).unwrap();
    let disproved = check(&file);
    assert_eq!(disproved.status.code(), Some(1));
    let text = out(&disproved);
    assert!(
        text.contains("q.ron:4:") && text.contains("79") && text.contains("80"),
        "{text}"
    );

    assert_eq!(check(&folder.path().join("nothing")).status.code(), Some(2));
    assert_eq!(run(&["check"], "").status.code(), Some(2));
}

#[test]
fn many_faults_in_one_file_are_told_at_once_with_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("faults.ron");
    let faults = [
        ("id: \"good\"", "idd: \"good\"", 1),
        ("values: [70, 80, 90]", "values: [70,5, 80, 90]", 2),
        ("counts: [3, 5, 2]", "counts: [3, NaN, 2]", 2),
        ("prompt: r\"What", "prompt: \"What \\nabla $\\theta$", 4),
        ("asks: WeightedAverage", "asks: WeightedAverag", 4),
    ];
    let mut text = GOOD.to_owned();
    for (good, bad, _) in faults {
        text = text.replace(good, bad);
    }
    fs::write(&file, &text).unwrap();
    let report = out(&check(&file));
    for (_, bad, line) in faults {
        let place = format!("faults.ron:{line}:");
        assert!(
            report.contains(&place),
            "nothing is told of {bad:?}:\n{report}"
        );
    }
    assert!(
        report.matches("faults.ron:").count() >= faults.len(),
        "{report}"
    );
    assert!(report.contains("help"), "{report}");
}

#[test]
fn bad_input_is_told_and_nothing_else_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);

    let empty = path("empty");
    fs::create_dir(&empty).unwrap();
    assert_eq!(check(&empty).status.code(), Some(1));

    // 1 bad among 499 good ones: the good load, the bad one is told.
    let many = path("many");
    fs::create_dir(&many).unwrap();
    for n in 0..499 {
        fs::write(many.join(format!("{n:03}.ron")), good(&format!("good-{n}"))).unwrap();
    }
    fs::write(
        many.join("bad.ron"),
        good("bad").replace("kind: Number(right: 79)", "kind: Numbr(right: 79)"),
    )
    .unwrap();
    let told = out(&check(&many));
    assert!(
        told.contains("bad.ron:4:") && told.contains("Number"),
        "{told}"
    );
    assert!(told.contains("499 of"), "{told}");

    // Too large: told with its size, without reading it.
    let large = path("large.ron");
    fs::File::create(&large)
        .unwrap()
        .set_len(50 * 1024 * 1024)
        .unwrap();
    let told = out(&check(&large));
    assert!(told.contains("50") && told.contains("32"), "{told}");

    let not_utf8 = path("latin1.ron");
    fs::write(&not_utf8, b"Quiz(format: 1, title: \"caf\xe9\")").unwrap();
    let told = out(&check(&not_utf8));
    assert!(
        told.contains("UTF-8") && told.contains("latin1.ron:1:28"),
        "{told}"
    );

    let nested = path("nested.ron");
    fs::write(&nested, "[".repeat(100_000)).unwrap();
    let told = out(&check(&nested));
    assert!(
        told.contains("nested.ron:1:") && told.matches("error").count() < 20,
        "{}",
        &told[..told.len().min(2000)]
    );

    let with_bom = path("bom.ron");
    fs::write(&with_bom, format!("\u{feff}{GOOD}")).unwrap();
    let done = check(&with_bom);
    assert!(out(&done).contains("byte order mark"), "{}", out(&done));

    for nothing in [
        "",
        " ",
        "Quiz",
        "Quiz(",
        ")",
        "\"",
        "Quiz(format: 2)",
        "// only words",
    ] {
        let file = path("nothing.ron");
        fs::write(&file, nothing).unwrap();
        let done = check(&file);
        assert_eq!(done.status.code(), Some(1), "{nothing:?}: {}", out(&done));
    }
}

#[test]
fn screens_are_drawn_without_a_display() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("learn.png");
    let file = file.to_str().unwrap();
    let done = run(
        &[
            "picture", "learn", "--out", file, "--theme", "dark", "--size", "1024x600", "--scale",
            "2",
        ],
        "",
    );
    assert!(done.status.success(), "{}", err(&done));
    let decoder = png::Decoder::new(std::io::BufReader::new(fs::File::open(file).unwrap()));
    let info = decoder.read_info().unwrap();
    assert_eq!((info.info().width, info.info().height), (2048, 1200));

    let names = out(&run(&["picture", "--list"], ""));
    assert!(
        names.lines().any(|line| line.starts_with("learn ")),
        "{names}"
    );
    assert_eq!(
        run(&["picture", "no-such-screen", "--out", file], "")
            .status
            .code(),
        Some(2)
    );
}
