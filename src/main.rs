//! Arguments in; a window or a command out.

use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

use attention_tutor::app::{self, PictureOptions, RunOptions};
use attention_tutor::quiz::Library;
use attention_tutor::terminal::{self, AttendArguments, Attended, Findings, TerminalMsg};
use attention_tutor::words::Words;

/// Understand self-attention: quizzes with instant explanations, computed by a real attention engine. Offline.
#[derive(Parser)]
#[command(
    name = "attention-tutor",
    version,
    args_conflicts_with_subcommands = true
)]
struct Arguments {
    /// Quiz files or folders to open (beside the built-in quizzes)
    paths: Vec<PathBuf>,

    /// Where your settings and your own quizzes lie (default: the platform's data folder)
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,

    #[command(subcommand)]
    command: Option<Work>,
}

/// What can be done without a window.
#[derive(Subcommand)]
enum Work {
    /// Ask a quiz here, line by line; answers may come from a pipe
    Quiz {
        /// The quiz file (default: the built-in argument "Is attention an average?")
        file: Option<PathBuf>,
    },
    /// Tell every mistake in quiz files or folders: exit 0 clean, 1 with findings, 2 could not run
    Check {
        /// Quiz files or folders
        #[arg(required = true)]
        paths: Vec<PathBuf>,
    },
    /// Attention of arrays from files: told step by step, or any stage as JSON, CSV or .npy: exit 0 done, 1 with faults
    Attend(Box<AttendArguments>),
    /// Draw a screen to a PNG file, without a display
    Picture {
        /// The screen, such as learn or question:2:answered=1 (see --list)
        screen: Option<String>,
        /// Name the screens, one a line
        #[arg(long)]
        list: bool,
        /// The file to write
        #[arg(long, value_name = "FILE.png")]
        out: Option<PathBuf>,
        /// Light or dark
        #[arg(long, value_enum, default_value_t = Theme::Light)]
        theme: Theme,
        /// Width and height in points
        #[arg(long, default_value = "1280x800", value_parser = size)]
        size: [f32; 2],
        /// Pixels per point, 0.5 to 4
        #[arg(long, default_value_t = 1.0, value_parser = scale)]
        scale: f32,
        /// A quiz file to draw instead of the built-in one
        #[arg(long, value_name = "FILE.ron")]
        quiz: Option<PathBuf>,
    },
}

/// The theme of a picture.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Theme {
    Light,
    Dark,
}

/// Exit codes of `check` and of what could not be done at all.
const WITH_FINDINGS: u8 = 1;
const COULD_NOT_RUN: u8 = 2;

fn main() -> ExitCode {
    env_logger::Builder::new()
        .filter_level(log::LevelFilter::Off)
        .parse_default_env()
        .init();
    let Arguments {
        paths,
        data,
        command,
    } = Arguments::parse();
    let words = Words::english();
    let done = match command {
        None => window(paths, data, &words),
        Some(Work::Quiz { file }) => quiz(file.as_deref(), &words),
        Some(Work::Check { paths }) => check(&paths, &words),
        Some(Work::Attend(arguments)) => attend(&arguments, &words),
        Some(Work::Picture { list: true, .. }) => list_screens(&words),
        Some(Work::Picture {
            screen,
            out,
            theme,
            size,
            scale,
            quiz,
            ..
        }) => {
            let options = PictureOptions {
                screen: screen.unwrap_or_else(|| "learn".to_owned()),
                dark: theme == Theme::Dark,
                size_points: size,
                scale,
                quiz,
            };
            picture(&options, out.as_deref(), &words)
        }
    };
    match done {
        Ok(code) => code,
        // The reader of our output went away (`| head`): nothing is wrong.
        Err(problem)
            if problem
                .downcast_ref::<io::Error>()
                .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe) =>
        {
            ExitCode::SUCCESS
        }
        Err(problem) => {
            // Nowhere is left to tell it, should this fail too.
            let _ = writeln!(io::stderr(), "attention-tutor: {problem:#}");
            ExitCode::from(COULD_NOT_RUN)
        }
    }
}

/// The window; without a display or OpenGL, what is missing in one paragraph, and the quiz in the terminal.
fn window(paths: Vec<PathBuf>, data: Option<PathBuf>, words: &Words) -> anyhow::Result<ExitCode> {
    let first = paths.first().cloned();
    let Err(problem) = app::run(RunOptions { paths, data }) else {
        return Ok(ExitCode::SUCCESS);
    };
    writeln!(io::stderr(), "{problem}\n")?;
    quiz(first.as_deref(), words)
}

/// The first quiz of a file or folder, or the built-in argument, in the terminal.
fn quiz(file: Option<&Path>, words: &Words) -> anyhow::Result<ExitCode> {
    let library = match file {
        Some(path) => Library::opened(&[path.to_owned()], words),
        None => Library::load(&[], None, words),
    };
    for diagnostic in &library.diagnostics {
        writeln!(
            io::stderr(),
            "{}\n",
            terminal::report(diagnostic, words, io::stderr().is_terminal())
        )?;
    }
    let Some(quiz) = library.quizzes.first() else {
        anyhow::bail!(words.say(&TerminalMsg::NoQuizToAsk));
    };
    terminal::quiz(
        quiz,
        io::stdin().lock(),
        io::stdout().lock(),
        words,
        columns(),
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Everything that is wrong in some quizzes.
fn check(paths: &[PathBuf], words: &Words) -> anyhow::Result<ExitCode> {
    if let Some(path) = paths.iter().find(|path| !path.exists()) {
        anyhow::bail!(words.say(&TerminalMsg::NoSuchPath {
            path: path.display().to_string()
        }));
    }
    let library = Library::opened(paths, words).checked(words);
    let styled = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let found = terminal::check(&library, words, styled, &mut io::stdout().lock())?;
    Ok(match found {
        Findings::Clean => ExitCode::SUCCESS,
        Findings::Some => ExitCode::from(WITH_FINDINGS),
    })
}

/// Attention of arrays from files.
fn attend(arguments: &AttendArguments, words: &Words) -> anyhow::Result<ExitCode> {
    let (mut output, mut errors) = (io::stdout().lock(), io::stderr().lock());
    let attended = terminal::attend(arguments, words, columns(), &mut output, &mut errors)?;
    Ok(match attended {
        Attended::Done => ExitCode::SUCCESS,
        Attended::Failed => ExitCode::from(WITH_FINDINGS),
    })
}

fn list_screens(words: &Words) -> anyhow::Result<ExitCode> {
    let mut output = io::stdout().lock();
    for (name, shows) in app::picture_screens::list(words) {
        writeln!(output, "{name:<28} {shows}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A screen as a PNG file.
fn picture(
    options: &PictureOptions,
    out: Option<&Path>,
    words: &Words,
) -> anyhow::Result<ExitCode> {
    let Some(out) = out else {
        anyhow::bail!(words.say(&TerminalMsg::NoOut))
    };
    let image = app::draw_screen(options, words)?;
    let png = image.to_png()?;
    fs::write(out, png).map_err(|why| {
        let message = TerminalMsg::NotWritten {
            path: out.display().to_string(),
            why: why.to_string(),
        };
        anyhow::anyhow!(words.say(&message))
    })?;
    Ok(ExitCode::SUCCESS)
}

/// How many characters a line of the terminal holds, as the shell says; 80 where it does not.
fn columns() -> usize {
    std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok())
        .unwrap_or(80)
}

/// `1280x800`.
fn size(text: &str) -> Result<[f32; 2], String> {
    let (width, height) = text.split_once(['x', '×']).ok_or("such as 1280x800")?;
    let side = |side: &str| match side.trim().parse::<f32>() {
        Ok(points) if (200.0..=8000.0).contains(&points) => Ok(points),
        _ => Err("each side from 200 to 8000 points, such as 1280x800"),
    };
    Ok([side(width)?, side(height)?])
}

fn scale(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(scale) if (0.5..=4.0).contains(&scale) => Ok(scale),
        _ => Err("from 0.5 to 4".to_owned()),
    }
}
