//! The end of a run: how many were right, what was missed and why, by mistake; again those; the results to be saved.

use egui::{Margin, Response, Role, Sense, Ui, UiBuilder, WidgetInfo};

use super::actions::{Action, actions_ui};
use super::prose::{document_ui, say_ui, title_ui};
use crate::app::command::Command;
use crate::app::messages::AppMsg;
use crate::app::outbox::{Change, Outbox};
use crate::app::state::AppState;
use crate::app::theme::{self, Ink, Type, radius, space};
use crate::app::widgets::{Card, number_box_ui};
use crate::study::{Missed, Session};
use crate::text::spoken::spoken;
use crate::text::{Document, Style};
use crate::words::Words;

/// The screen.
pub fn summary_ui(ui: &mut Ui, state: &AppState, out: &mut Outbox) {
    let Some(run) = state.run() else { return };
    let words = &state.words;
    super::page_ui(ui, "summary", 760.0, |ui| {
        let session = &run.session;
        let summary = session.summary();
        say_ui(ui, &session.quiz().title, Type::SmallStrong, Ink::Quiet);
        let title = if summary.marked == 0 {
            AppMsg::SummaryNothingMarked
        } else {
            AppMsg::SummaryRight {
                right: summary.right,
                of: summary.marked,
            }
        };
        title_ui(ui, &words.say(&title));
        if summary.unanswered > 0 {
            let said = words.say(&AppMsg::SummaryUnanswered {
                n: summary.unanswered,
            });
            say_ui(ui, said, Type::Body, Ink::Quiet);
        }
        ui.add_space(space::SMALL);
        // Above what was missed: however long that is, the way on is in sight.
        let missed_some = state.can(Command::AgainThose);
        let filled = Action::new(state, Command::Next).filled();
        let back = words.say(&AppMsg::BackToQuizzes);
        let (first, then) = if missed_some {
            let again = Command::AgainThose.label(words);
            let back = Action::new(state, Command::Learn).label(back);
            (filled.label(again), Some(back))
        } else {
            (filled.label(back), None)
        };
        let save = Action::new(state, Command::SaveResults);
        let all = std::iter::once(first).chain(then).chain([save]);
        actions_ui(ui, state, all, out);
        ui.add_space(space::MEDIUM);
        if summary.missed.is_empty() {
            let said = if summary.marked > 0 && summary.unanswered == 0 {
                AppMsg::SummaryAllRight
            } else {
                AppMsg::SummaryNothingMissed
            };
            say_ui(ui, words.say(&said), Type::Body, Ink::Text);
        } else {
            say_ui(
                ui,
                words.say(&AppMsg::SummaryMissed),
                Type::Strong,
                Ink::Text,
            );
            for questions in by_mistake(&summary.missed) {
                missed_ui(ui, state, session, &questions, out);
            }
        }
    });
}

/// What was missed, grouped by the first mistake that was named, the most frequent first; those without one come last.
fn by_mistake(missed: &[Missed]) -> Vec<Vec<&Missed>> {
    let first = |missed: &Missed| missed.mistakes.first().map(|mistake| mistake.id);
    let mut groups: Vec<Vec<&Missed>> = Vec::new();
    for one in missed {
        let known = groups.iter_mut().find(|group| {
            group
                .first()
                .is_some_and(|known| first(known) == first(one))
        });
        match known {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups.sort_by_key(|group| {
        let named = group.first().is_some_and(|one| first(one).is_some());
        (!named, usize::MAX - group.len())
    });
    groups
}

/// Questions in which the same mistake was made, each with what its own number came of; a click goes there.
fn missed_ui(
    ui: &mut Ui,
    state: &AppState,
    session: &Session,
    missed: &[&Missed],
    out: &mut Outbox,
) {
    let words = &state.words;
    Card::new()
        .edge(Ink::Wrong)
        .margin(Margin::symmetric(18, 14))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            for one in missed {
                let Some(place) = session.order().iter().position(|id| *id == one.question) else {
                    continue;
                };
                let Some(question) = session.find(&one.question) else {
                    continue;
                };
                let computed = session.computed(question);
                let prompt = question.ask(computed.as_ref(), words).prompt;
                ui.push_id(&one.question, |ui| {
                    let why = one
                        .mistakes
                        .first()
                        .map(|mistake| mistake.sentence.as_str());
                    if question_row_ui(ui, place + 1, &prompt, why, words).clicked() {
                        out.change(Change::GoToPlace(place));
                    }
                });
            }
        });
}

/// A question with its number in a box, and what the answer came of; a click goes there.
fn question_row_ui(
    ui: &mut Ui,
    number: usize,
    prompt: &Document,
    why: Option<&str>,
    words: &Words,
) -> Response {
    let response = ui
        .scope_builder(UiBuilder::new().sense(Sense::click()), |ui| {
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = 12.0;
                number_box_ui(ui, &number.to_string());
                ui.vertical(|ui| {
                    ui.spacing_mut().item_spacing.y = 2.0;
                    document_ui(ui, prompt, &Style::body(), words);
                    if let Some(why) = why {
                        say_ui(ui, why, Type::SmallStrong, Ink::Text);
                    }
                });
            });
        })
        .response;
    let name = words.say(&AppMsg::GoToQuestion {
        number,
        prompt: spoken(prompt, words),
    });
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    theme::focus_ring(ui, &response, radius::KEYCAP);
    response.on_hover_cursor(egui::CursorIcon::PointingHand)
}
