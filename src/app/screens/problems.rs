//! What was found in opened files: each with its place, code, cause, the line itself, and what to do.

use egui::{Margin, RichText, Ui};

use super::actions::{Action, actions_ui};
use super::prose::{say_ui, title_ui};
use crate::app::command::Command;
use crate::app::messages::AppMsg;
use crate::app::outbox::Outbox;
use crate::app::state::AppState;
use crate::app::theme::{self, Ink, Type, space};
use crate::app::widgets::Card;
use crate::words::Words;
use crate::words::diagnostic::{Diagnostic, Severity};

/// So many are shown; the others are counted (all of them can be copied).
const MOST_SHOWN: usize = 200;
/// A longer line is cut.
const LONGEST_LINE: usize = 160;

/// The screen.
pub fn problems_ui(ui: &mut Ui, state: &AppState, out: &mut Outbox) {
    let words = &state.words;
    super::page_ui(ui, "problems", 860.0, |ui| {
        let found = &state.library.diagnostics;
        title_ui(ui, &words.say(&AppMsg::ProblemsTitle));
        say_ui(
            ui,
            words.say(&AppMsg::ProblemsSub { n: found.len() }),
            Type::Body,
            Ink::Quiet,
        );
        ui.add_space(space::SMALL);
        let reload = Action::new(state, Command::Reload).filled();
        let others =
            [Command::CopyProblems, Command::Back].map(|command| Action::new(state, command));
        actions_ui(ui, state, std::iter::once(reload).chain(others), out);
        ui.add_space(space::SMALL);
        for diagnostic in found.iter().take(MOST_SHOWN) {
            problem_ui(ui, diagnostic, words);
        }
        if found.len() > MOST_SHOWN {
            let said = words.say(&AppMsg::MoreProblems {
                n: found.len() - MOST_SHOWN,
            });
            say_ui(ui, said, Type::Body, Ink::Quiet);
        }
    });
}

fn problem_ui(ui: &mut Ui, diagnostic: &Diagnostic, words: &Words) {
    let edge = (diagnostic.severity == Severity::Error).then_some(Ink::Wrong);
    Card::new()
        .edge(edge)
        .margin(Margin::symmetric(18, 14))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            let place = match diagnostic.place() {
                place if place.is_empty() => severity(diagnostic.severity, words),
                place => format!("{place} · {}", severity(diagnostic.severity, words)),
            };
            say_ui(
                ui,
                format!("{place} · {}", diagnostic.code),
                Type::Small,
                Ink::Quiet,
            );
            say_ui(ui, &diagnostic.message, Type::Body, Ink::Text);
            if let Some(line) = excerpt(diagnostic) {
                egui::Frame::new()
                    .fill(theme::ink(ui, Ink::Wash))
                    .inner_margin(Margin::symmetric(10, 5))
                    .corner_radius(5)
                    .show(ui, |ui| {
                        let color = theme::ink(ui, Ink::Text);
                        ui.label(RichText::new(line).monospace().color(color));
                    });
            }
            if let Some(remedy) = &diagnostic.remedy {
                let written = remedy
                    .edit
                    .as_ref()
                    .map(|(_, new)| new.trim())
                    .filter(|new| !new.is_empty());
                let said = match written {
                    Some(new) if !new.contains('\n') && new.chars().count() <= 60 => {
                        words.say(&AppMsg::RemedyWrite {
                            remedy: remedy.text.clone(),
                            new: new.to_owned(),
                        })
                    }
                    _ => words.say(&AppMsg::Remedy {
                        remedy: remedy.text.clone(),
                    }),
                };
                say_ui(ui, said, Type::Body, Ink::Text);
            }
        });
}

fn severity(severity: Severity, words: &Words) -> String {
    words.say(&match severity {
        Severity::Error => AppMsg::SeverityError,
        Severity::Warning => AppMsg::SeverityWarning,
        Severity::Note => AppMsg::SeverityNote,
    })
}

/// The line that the finding begins on.
fn excerpt(diagnostic: &Diagnostic) -> Option<String> {
    let text = &diagnostic.source.as_ref()?.text;
    let start = text
        .get(..diagnostic.range.start)?
        .rfind('\n')
        .map_or(0, |at| at + 1);
    let line = text.get(start..)?.lines().next()?.trim();
    (!line.is_empty()).then(|| {
        if line.chars().count() > LONGEST_LINE {
            line.chars().take(LONGEST_LINE).chain(['…']).collect()
        } else {
            line.to_owned()
        }
    })
}

/// All of it as plain text, one finding a paragraph: to be sent to whoever wrote the quiz.
#[must_use]
pub fn problems_text(state: &AppState) -> String {
    let words = &state.words;
    let told = state.library.diagnostics.iter().map(|diagnostic| {
        let mut lines = vec![
            format!(
                "{} [{}] {}",
                diagnostic.place(),
                diagnostic.code,
                diagnostic.message
            )
            .trim()
            .to_owned(),
        ];
        lines.extend(excerpt(diagnostic).map(|line| format!("    {line}")));
        lines.extend(diagnostic.remedy.as_ref().map(|remedy| {
            words.say(&AppMsg::Remedy {
                remedy: remedy.text.clone(),
            })
        }));
        lines.join("\n")
    });
    told.collect::<Vec<_>>().join("\n\n") + "\n"
}
