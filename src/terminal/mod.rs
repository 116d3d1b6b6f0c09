//! The same work without a window: asking a quiz line by line, and checking quiz files.
//!
//! Each function takes where it reads and writes, so that tests (and pipes) are a terminal like any other.

mod attend;
mod check;
mod quiz;

pub use attend::{AttendArguments, AttendMsg, Attended, attend};
pub use check::{Findings, check, report};
pub use quiz::quiz;

use crate::words::messages;

messages! {
    /// What the terminal says.
    pub enum TerminalMsg {
        QuizHead { title: String, n: usize },
        QuestionHead { number: usize, of: usize },
        AskChoice { n: usize },
        AskNumber,
        AskNumberUnit { unit: String },
        AskWeights { n: usize, labels: String },
        WeightsWrongCount { n: usize, given: usize },
        WeightNotRead { text: String },
        WeightNegative { text: String },
        WeightsAllZero,
        WeightsScaled { sum: f64 },
        NoSuchChoice { typed: String, n: usize },
        Hint { number: usize, of: usize, text: String },
        NoMoreHints,
        CommandsHelp,
        Right,
        Wrong,
        Partly { percent: f64 },
        Open,
        Yours,
        RightAnswer { answer: String },
        Skipped { answer: String },
        SummaryHead,
        Missed { question: String },
        EndOfInput,
        CheckClean { files: usize, questions: usize },
        CheckFindings { errors: CountMsg, warnings: CountMsg, notes: CountMsg },
        NoQuizToAsk,
        NoSuchPath { path: String },
        NoOut,
        NotWritten { path: String, why: String },
        CheckMore { n: usize },
        CheckProved { n: usize, of: usize },
        Fix { text: String },
    }
}

messages! {
    /// How many of a kind.
    pub enum CountMsg {
        Errors { n: usize },
        Warnings { n: usize },
        Notes { n: usize },
    }
}
