//! Arguments in; a window or a command out.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use attention_tutor::app::{self, PictureOptions, RunOptions};
use attention_tutor::terminal;
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
        /// light or dark
        #[arg(long, default_value = "light")]
        theme: String,
        /// Width and height in points
        #[arg(long, default_value = "1280x800")]
        size: String,
        /// Pixels per point
        #[arg(long, default_value_t = 1.0)]
        scale: f32,
        /// A quiz file to draw instead of the built-in one
        #[arg(long, value_name = "FILE.ron")]
        quiz: Option<PathBuf>,
    },
}
