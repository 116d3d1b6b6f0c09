//! `attention-tutor attend FILE…`: attention of arrays from a file, told step by step, and any stage written for other programs.

mod arguments;
mod told;

pub use arguments::AttendArguments;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{TerminalMsg, report};
use crate::words::diagnostic::{Diagnostic, Severity};
use crate::words::{Words, messages, nearest};
use crate::worked_example::{
    ArrayFile, ArrayName, ArrayRun, FieldMsg, Keep, NoticeKind, Shown, WriteFormat, read_arrays,
    read_one, run_arrays, write_arrays, write_json_list,
};

messages! {
    /// What `attend` says.
    pub enum AttendMsg {
        Arrays { arrays: String },
        Convention { text: String },
        Warning { text: String },
        OfHead { text: String, batch: usize, head: usize },
        Told { query: usize, of: usize },
        ToldOfHead { query: usize, of: usize, head: usize, heads: usize },
        ToldOfBatch { query: usize, of: usize, head: usize, heads: usize, batch: usize, batches: usize },
        NotTold,
        Step { number: usize, name: String },
        LooksAt { words: f64, of: usize },
        OutputHead { shape: String },
        MoreRows { n: usize },
        MoreHeads { n: usize },
        Written { path: String, arrays: String },
        NoSuchStage { stage: String, stages: String },
        NoSuchStageDidYouMean { stage: String, nearest: &'static str },
        StageNotThere { stage: &'static str },
        NoSuchQuery { query: usize, of: usize },
        NoSuchHead { head: usize, of: usize },
        NoSuchBatch { batch: usize, of: usize },
        WrongFlag { said: FieldMsg },
        FileUnread { path: String, why: String },
        UnknownEnding { path: String },
        NpyOneStage { path: String },
        NoSuchArray { name: String, names: String },
    }
}

/// How an `attend` ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attended {
    /// The numbers are out.
    Done,
    /// Something was at fault, and is told.
    Failed,
}

/// Reads the files, runs them, and writes what is asked for. `columns` is how wide the terminal is.
///
/// # Errors
/// Where the output cannot be written.
pub fn attend(
    arguments: &AttendArguments,
    words: &Words,
    columns: usize,
    output: &mut impl Write,
    errors: &mut impl Write,
) -> io::Result<Attended> {
    match attended(arguments, words, columns, output, errors)? {
        Ok(()) => Ok(Attended::Done),
        Err(problem) => {
            for diagnostic in &problem.found {
                writeln!(errors, "{}\n", report(diagnostic, words, false))?;
            }
            if let Some(said) = problem.said {
                writeln!(errors, "attention-tutor: {said}")?;
            }
            Ok(Attended::Failed)
        }
    }
}

/// Why there are no numbers.
#[derive(Default)]
struct Problem {
    found: Vec<Diagnostic>,
    said: Option<String>,
}

impl Problem {
    fn said(words: &Words, message: &AttendMsg) -> Self {
        Self {
            found: Vec::new(),
            said: Some(words.say(message)),
        }
    }
}

fn attended(
    arguments: &AttendArguments,
    words: &Words,
    columns: usize,
    output: &mut impl Write,
    errors: &mut impl Write,
) -> io::Result<Result<(), Problem>> {
    let asked = match Asked::new(arguments, words) {
        Ok(asked) => asked,
        Err(problem) => return Ok(Err(problem)),
    };
    let (file, warned) = match read_all(arguments, words) {
        Ok(read) => read,
        Err(problem) => return Ok(Err(problem)),
    };
    for diagnostic in &warned {
        writeln!(errors, "{}\n", report(diagnostic, words, false))?;
    }
    let file = ArrayFile {
        spec: file.spec.merge(asked.fields),
        ..file
    };
    let run = match run_arrays(words, &file, asked.keep(arguments)) {
        Ok(run) => run,
        Err(found) => return Ok(Err(Problem { found, said: None })),
    };
    let done = match (&arguments.out, arguments.json) {
        (None, false) => return told::tell(arguments, &file, &run, words, columns, output),
        (None, true) => json(&asked, &run, words).map(|text| output.write_all(text.as_bytes())),
        (Some(out), also_json) => match write_out(out, &asked, &run, words) {
            Err(problem) => Err(problem),
            Ok(_) if also_json => {
                json(&asked, &run, words).map(|text| output.write_all(text.as_bytes()))
            }
            Ok(written) => {
                for notice in &run.notices {
                    writeln!(errors, "{}", told::notice(notice, words))?;
                }
                Ok(writeln!(output, "{}", words.say(&written)))
            }
        },
    };
    match done {
        Ok(written) => written.map(Ok),
        Err(problem) => Ok(Err(problem)),
    }
}

/// The flags, understood.
struct Asked {
    fields: crate::worked_example::SpecFields,
    stages: Vec<Shown>,
}

impl Asked {
    fn new(arguments: &AttendArguments, words: &Words) -> Result<Self, Problem> {
        let fields = arguments
            .fields()
            .map_err(|said| Problem::said(words, &AttendMsg::WrongFlag { said }))?;
        let stages: Result<Vec<Shown>, Problem> = arguments
            .stages
            .iter()
            .map(|stage| shown(stage, words))
            .collect();
        Ok(Self {
            fields,
            stages: stages?,
        })
    }

    /// Whether all stages are needed: to be told or shown, or because one was asked for.
    fn keep(&self, arguments: &AttendArguments) -> Keep {
        let only_output = self.stages.iter().all(|shown| *shown == Shown::Output);
        if arguments.out.is_some() && !arguments.json && only_output {
            Keep::Output
        } else {
            Keep::Stages
        }
    }

    /// What goes into a file: the stages asked for, or the output.
    fn to_write(&self) -> Vec<Shown> {
        if self.stages.is_empty() {
            vec![Shown::Output]
        } else {
            self.stages.clone()
        }
    }
}

fn shown(stage: &str, words: &Words) -> Result<Shown, Problem> {
    let plain = |name: &str| name.to_lowercase().replace('-', "_");
    let found = Shown::ALL.iter().find(|(name, _)| *name == plain(stage));
    found.map(|(_, shown)| *shown).ok_or_else(|| {
        let names = Shown::ALL.map(|(name, _)| name);
        let (nearest, stages) = (nearest(&plain(stage), names), names.join(", "));
        let stage = stage.to_owned();
        let message = match nearest {
            Some(nearest) => AttendMsg::NoSuchStageDidYouMean { stage, nearest },
            None => AttendMsg::NoSuchStage { stage, stages },
        };
        Problem::said(words, &message)
    })
}

/// Every file, later ones over earlier ones, and what there is to warn of.
fn read_all(
    arguments: &AttendArguments,
    words: &Words,
) -> Result<(ArrayFile, Vec<Diagnostic>), Problem> {
    let mut all = ArrayFile::default();
    let mut found = Vec::new();
    for given in &arguments.files {
        let (name, path) = named_file(given, words)?;
        let shown = path.display().to_string();
        let bytes = fs::read(path).map_err(|why| {
            let (path, why) = (shown.clone(), why.to_string());
            Problem::said(words, &AttendMsg::FileUnread { path, why })
        })?;
        let (file, told) = match name {
            Some(name) => read_one(words, name, &shown, &bytes),
            None => read_arrays(words, &shown, &bytes),
        };
        found.extend(told);
        if let Some(file) = file {
            all = all.join(file);
        }
    }
    let failed = found.iter().any(|one| one.severity == Severity::Error);
    if failed {
        return Err(Problem { found, said: None });
    }
    Ok((all, found))
}

/// `q=queries.csv` is the array q of that file; anything else is a file.
fn named_file<'a>(
    given: &'a Path,
    words: &Words,
) -> Result<(Option<ArrayName>, &'a Path), Problem> {
    let split = given.to_str().and_then(|text| text.split_once('='));
    match split {
        Some((name, path)) if !given.exists() => match ArrayName::named(name) {
            Some(array) => Ok((Some(array), Path::new(path))),
            None => {
                let names = ArrayName::ALL.map(|(name, _)| name).join(", ");
                let name = name.to_owned();
                Err(Problem::said(
                    words,
                    &AttendMsg::NoSuchArray { name, names },
                ))
            }
        },
        _ => Ok((None, given)),
    }
}

/// Writes what is asked for to a file of the format its ending says.
fn write_out(
    out: &PathBuf,
    asked: &Asked,
    run: &ArrayRun,
    words: &Words,
) -> Result<AttendMsg, Problem> {
    let path = out.display().to_string();
    let Some(format) = WriteFormat::of_file(&path) else {
        return Err(Problem::said(words, &AttendMsg::UnknownEnding { path }));
    };
    let stages = asked.to_write();
    let mut arrays = Vec::new();
    for shown in &stages {
        let stage = shown.name();
        let array = run
            .array(*shown)
            .ok_or_else(|| Problem::said(words, &AttendMsg::StageNotThere { stage }))?;
        arrays.push((stage, array));
    }
    let views: Vec<_> = arrays
        .iter()
        .map(|(name, array)| (*name, array.view()))
        .collect();
    let Ok(bytes) = write_arrays(format, &views) else {
        return Err(Problem::said(words, &AttendMsg::NpyOneStage { path }));
    };
    fs::write(out, bytes).map_err(|why| {
        let (path, why) = (path.clone(), why.to_string());
        let message = TerminalMsg::NotWritten { path, why };
        Problem {
            found: Vec::new(),
            said: Some(words.say(&message)),
        }
    })?;
    let of = |(name, array): &(&str, ndarray::ArrayD<f64>)| {
        format!("{name} {}", told::shape(array.shape()))
    };
    let arrays: Vec<String> = arrays.iter().map(of).collect();
    Ok(AttendMsg::Written {
        path,
        arrays: arrays.join(", "),
    })
}

/// One object: scores, weights, output, the stages asked for, the notices; full digits.
fn json(asked: &Asked, run: &ArrayRun, words: &Words) -> Result<String, Problem> {
    let list = |shown: Shown| {
        let stage = shown.name();
        let array = run
            .array(shown)
            .ok_or_else(|| Problem::said(words, &AttendMsg::StageNotThere { stage }))?;
        let mut text = String::new();
        write_json_list(&array.view(), &mut text);
        Ok(format!("\"{stage}\": {text}"))
    };
    use crate::attention::Stage;
    let always = [
        Shown::Stage(Stage::Scores),
        Shown::Stage(Stage::Weights),
        Shown::Output,
    ];
    let always: Result<Vec<String>, Problem> = always.into_iter().map(list).collect();
    let mut fields = always?;
    if !asked.stages.is_empty() {
        let stages: Result<Vec<String>, Problem> =
            asked.stages.iter().map(|shown| list(*shown)).collect();
        fields.push(format!(
            "\"stages\": {{\n    {}\n  }}",
            stages?.join(",\n    ")
        ));
    }
    let notices: Vec<String> = run
        .notices
        .iter()
        .map(|notice| {
            let kind = match notice.kind {
                NoticeKind::Convention => "convention",
                NoticeKind::Warning => "warning",
            };
            serde_json::json!({"id": notice.id, "kind": kind, "text": notice.said(words)})
                .to_string()
        })
        .collect();
    fields.push(format!("\"notices\": [{}]", notices.join(", ")));
    Ok(format!("{{\n  {}\n}}\n", fields.join(",\n  ")))
}
