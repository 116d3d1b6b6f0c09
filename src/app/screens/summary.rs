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
use crate::worked_example::Computed;

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
            for (reason, questions) in by_mistake(&summary.missed) {
                missed_ui(ui, state, session, reason.as_deref(), &questions, out);
            }
        }
        ui.add_space(space::MEDIUM);
        let done = Action::new(state, Command::Next)
            .filled()
            .label(words.say(&AppMsg::BackToQuizzes));
        let others =
            [Command::AgainThose, Command::SaveResults].map(|command| Action::new(state, command));
        actions_ui(ui, state, std::iter::once(done).chain(others), out);
    });
}

/// What was missed, grouped by the first mistake that was named; those without one come last.
fn by_mistake(missed: &[Missed]) -> Vec<(Option<String>, Vec<&Missed>)> {
    let mut groups: Vec<(Option<&'static str>, Option<String>, Vec<&Missed>)> = Vec::new();
    for one in missed {
        let first = one.mistakes.first();
        let id = first.map(|mistake| mistake.id);
        match groups.iter_mut().find(|(known, ..)| *known == id) {
            Some((.., questions)) => questions.push(one),
            None => groups.push((id, first.map(|mistake| mistake.sentence.clone()), vec![one])),
        }
    }
    groups.sort_by_key(|(id, _, questions)| (id.is_none(), usize::MAX - questions.len()));
    groups
        .into_iter()
        .map(|(_, sentence, questions)| (sentence, questions))
        .collect()
}

/// One mistake with the questions it was made in; a click goes there.
fn missed_ui(
    ui: &mut Ui,
    state: &AppState,
    session: &Session,
    reason: Option<&str>,
    missed: &[&Missed],
    out: &mut Outbox,
) {
    let words = &state.words;
    Card::new()
        .edge(Ink::Wrong)
        .margin(Margin::symmetric(18, 14))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            if let Some(reason) = reason {
                say_ui(ui, reason, Type::Strong, Ink::Text);
            }
            for one in missed {
                let Some(place) = session.order().iter().position(|id| *id == one.question) else {
                    continue;
                };
                let Some(question) = session.find(&one.question) else {
                    continue;
                };
                let computed = question
                    .example
                    .as_ref()
                    .and_then(|(_, example)| Computed::new(example).ok());
                let prompt = question.ask(computed.as_ref(), words).prompt;
                ui.push_id(&one.question, |ui| {
                    if question_row_ui(ui, place + 1, &prompt, words).clicked() {
                        out.change(Change::GoToPlace(place));
                    }
                });
            }
        });
}

/// A question with its number in a box; a click goes there.
fn question_row_ui(ui: &mut Ui, number: usize, prompt: &Document, words: &Words) -> Response {
    let response = ui
        .scope_builder(UiBuilder::new().sense(Sense::click()), |ui| {
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = 12.0;
                number_box_ui(ui, &number.to_string());
                ui.vertical(|ui| document_ui(ui, prompt, &Style::body(), words));
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
