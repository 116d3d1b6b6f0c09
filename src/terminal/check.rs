//! `attention-tutor check PATH…`: every finding as file:line:column with its cause, the place in the source, and the remedy.

use std::io::{self, Write};

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::{CountMsg, TerminalMsg};
use crate::quiz::Library;
use crate::words::Words;
use crate::words::diagnostic::{Diagnostic, Severity, line_and_column};

/// How many findings are shown with their place in the source; the others are counted, so that a broken file of
/// a thousand questions does not bury its first fault.
const MOST_SHOWN: usize = 200;

/// A line longer than this is not quoted.
const LONGEST_QUOTED_LINE: usize = 400;

/// What a check came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Findings {
    /// Nothing to say.
    Clean,
    /// Something to mend or to know.
    Some,
}

/// Writes what was found in a library, then one line of summary.
pub fn check(
    library: &Library,
    words: &Words,
    styled: bool,
    output: &mut impl Write,
) -> io::Result<Findings> {
    let found = &library.diagnostics;
    for diagnostic in found.iter().take(MOST_SHOWN) {
        writeln!(output, "{}\n", report(diagnostic, words, styled))?;
    }
    if found.len() > MOST_SHOWN {
        writeln!(
            output,
            "{}\n",
            words.say(&TerminalMsg::CheckMore {
                n: found.len() - MOST_SHOWN
            })
        )?;
    }
    let questions: Vec<_> = library
        .quizzes
        .iter()
        .flat_map(|quiz| &quiz.questions)
        .collect();
    let proved = questions
        .iter()
        .filter(|question| question.proved())
        .count();
    if !questions.is_empty() {
        writeln!(
            output,
            "{}",
            words.say(&TerminalMsg::CheckProved {
                n: proved,
                of: questions.len()
            })
        )?;
    }
    if found.is_empty() {
        let message = TerminalMsg::CheckClean {
            files: library.quizzes.len(),
            questions: questions.len(),
        };
        writeln!(output, "{}", words.say(&message))?;
        return Ok(Findings::Clean);
    }
    let count = |severity| found.iter().filter(|d| d.severity == severity).count();
    let message = TerminalMsg::CheckFindings {
        errors: CountMsg::Errors {
            n: count(Severity::Error),
        },
        warnings: CountMsg::Warnings {
            n: count(Severity::Warning),
        },
        notes: CountMsg::Notes {
            n: count(Severity::Note),
        },
    };
    writeln!(output, "{}", words.say(&message))?;
    // A note tells what is so, not what to mend.
    let only_notes = found
        .iter()
        .all(|diagnostic| diagnostic.severity == Severity::Note);
    Ok(if only_notes {
        Findings::Clean
    } else {
        Findings::Some
    })
}

/// One finding as a compiler tells it.
#[must_use]
pub fn report(diagnostic: &Diagnostic, words: &Words, styled: bool) -> String {
    let Diagnostic {
        code,
        severity,
        source,
        range,
        message,
        also,
        remedy,
    } = diagnostic;
    let level = match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group = level
        .primary_title(message.as_str())
        .id(*code)
        .elements(Vec::<Origin<'_>>::new());
    if let Some(source) = source {
        let quoted = Quoted::around(&source.text, range.start, range.end);
        let (line, column) = line_and_column(&source.text, range.start);
        group = match quoted {
            Some(quoted) => {
                let mut snippet = Snippet::source(quoted.text)
                    .line_start(quoted.first_line)
                    .path(source.name.as_str())
                    .annotation(
                        AnnotationKind::Primary.span(quoted.inside(range.start, range.end)),
                    );
                if let Some((place, text)) = also
                    && let Some(span) = quoted.holds(place.start, place.end)
                {
                    snippet =
                        snippet.annotation(AnnotationKind::Context.span(span).label(text.as_str()));
                }
                group.element(snippet)
            }
            None => group.element(
                Origin::path(source.name.as_str())
                    .line(line)
                    .char_column(column),
            ),
        };
        if let Some((place, text)) = also
            && Quoted::around(&source.text, range.start, range.end)
                .is_none_or(|quoted| quoted.holds(place.start, place.end).is_none())
        {
            let (line, column) = line_and_column(&source.text, place.start);
            group = group
                .element(Level::NOTE.message(format!("{text} ({}:{line}:{column})", source.name)));
        }
    }
    if let Some(remedy) = remedy {
        let told = match &remedy.edit {
            Some((_, new)) if !new.is_empty() && new.len() < 60 && !new.contains('\n') => {
                format!(
                    "{} {}",
                    remedy.text,
                    words.say(&TerminalMsg::Fix { text: new.clone() })
                )
            }
            _ => remedy.text.clone(),
        };
        return render(&[group.element(Level::HELP.message(told))], styled);
    }
    render(&[group], styled)
}

fn render(groups: &[Group<'_>], styled: bool) -> String {
    let renderer = if styled {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.render(groups)
}

/// The lines of a text around a range: what is quoted.
struct Quoted<'a> {
    text: &'a str,
    /// Byte of the source at which `text` begins.
    start: usize,
    /// Line number of the first line, from 1.
    first_line: usize,
}

impl<'a> Quoted<'a> {
    /// The lines that hold the range (the first three of a longer one); `None` where a line is too long to be read.
    fn around(source: &'a str, start: usize, end: usize) -> Option<Self> {
        let from = source.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
        let to = source
            .get(from..)?
            .match_indices('\n')
            .map(|(at, _)| from + at)
            .filter(|at| *at >= start)
            .enumerate()
            .find(|(line, at)| *line == 2 || *at >= end)
            .map_or(source.len(), |(_, at)| at);
        let text = source.get(from..to)?;
        let fits = text.lines().all(|line| line.len() <= LONGEST_QUOTED_LINE);
        (fits && !source.is_empty()).then(|| Self {
            text,
            start: from,
            first_line: line_and_column(source, from).0,
        })
    }

    /// A range of the source as a range of what is quoted, cut to it.
    fn inside(&self, start: usize, end: usize) -> std::ops::Range<usize> {
        let start = start.saturating_sub(self.start).min(self.text.len());
        let end = end.saturating_sub(self.start).clamp(start, self.text.len());
        start..end
    }

    /// The same where the range lies wholly in what is quoted.
    fn holds(&self, start: usize, end: usize) -> Option<std::ops::Range<usize>> {
        (start >= self.start && end <= self.start + self.text.len())
            .then(|| self.inside(start, end))
    }
}
