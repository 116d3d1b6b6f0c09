//! The one diagnostic type: what is wrong in something people wrote, where, why, and what to do about it.
//!
//! It is neutral about who shows it: the terminal renders it with source excerpts, the window as a list, a tool may ask for JSON.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Message, Words};

/// How much a diagnostic stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Works, but a learner or the author may be misled.
    Warning,
    /// The question (or file) cannot be used as it stands.
    Error,
}

/// A text that was read, with its name: a path, or "built in".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name people know it by.
    pub name: String,
    /// The file, where there is one.
    pub path: Option<PathBuf>,
    /// The whole text as read (without a byte-order mark).
    pub text: String,
}

/// What to do about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Remedy {
    /// In words.
    pub text: String,
    /// The change of the text that does it, where a machine can.
    pub edit: Option<(Range<usize>, String)>,
}

/// One finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The stable code, `Q017`.
    pub code: &'static str,
    /// How much it stands in the way.
    pub severity: Severity,
    /// The text it is about; `None` where there is no text (an unreadable file).
    pub source: Option<Arc<Source>>,
    /// Bytes of that text.
    pub range: Range<usize>,
    /// What is wrong and why.
    pub message: String,
    /// A second place that explains the first ("first written here").
    pub also: Option<(Range<usize>, String)>,
    /// What to do.
    pub remedy: Option<Remedy>,
}

impl Diagnostic {
    /// A finding at `range` of `source`, in the words of `message`.
    pub fn new(
        words: &Words,
        code: &'static str,
        severity: Severity,
        source: Option<Arc<Source>>,
        range: Range<usize>,
        message: &impl Message,
    ) -> Self {
        Self {
            code,
            severity,
            source,
            range,
            message: words.say(message),
            also: None,
            remedy: None,
        }
    }

    /// With what to do about it.
    #[must_use]
    pub fn with_remedy(mut self, words: &Words, remedy: &impl Message) -> Self {
        self.remedy = Some(Remedy {
            text: words.say(remedy),
            edit: None,
        });
        self
    }

    /// With what to do about it, and the change of the text that does it.
    #[must_use]
    pub fn with_fix(
        mut self,
        words: &Words,
        remedy: &impl Message,
        range: Range<usize>,
        new: String,
    ) -> Self {
        self.remedy = Some(Remedy {
            text: words.say(remedy),
            edit: Some((range, new)),
        });
        self
    }

    /// With a second place that explains the first.
    #[must_use]
    pub fn with_also(mut self, words: &Words, range: Range<usize>, message: &impl Message) -> Self {
        self.also = Some((range, words.say(message)));
        self
    }

    /// `file:line:column`, line and column from 1, columns in characters; the name alone where there is no text.
    #[must_use]
    pub fn place(&self) -> String {
        match &self.source {
            None => String::new(),
            Some(source) => {
                let (line, column) = line_and_column(&source.text, self.range.start);
                format!("{}:{line}:{column}", source.name)
            }
        }
    }
}

/// Line and column (both from 1, the column in characters) of a byte of a text.
#[must_use]
pub fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    let before = &text[..byte];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}
