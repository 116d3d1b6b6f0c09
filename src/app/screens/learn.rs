//! Learn: the first quiz with its picture, the others as cards, what was found in opened files, and *Open…*.

use std::sync::Arc;

use egui::{Align, Layout, Margin, Response, Role, Sense, Ui, UiBuilder, WidgetInfo};

use super::actions::{Action, actions_ui};
use super::prose::{say_ui, title_ui};
use crate::app::command::Command;
use crate::app::figures;
use crate::app::icons::{Icon, icon_ui};
use crate::app::live::Live;
use crate::app::messages::AppMsg;
use crate::app::outbox::{Change, Outbox};
use crate::app::state::AppState;
use crate::app::theme::{self, Ink, Type, radius, space};
use crate::app::widgets::figure::{FigureView, figure_ui};
use crate::app::widgets::{Card, progress_ring_ui, quiet_button_ui};
use crate::figure::{FigureKind, Moment};
use crate::quiz::{Origin, Quiz};
use crate::words::diagnostic::Severity;

/// A card is about as wide as this; as many stand side by side as there is room for.
const CARD_WIDTH: f32 = 330.0;
const CARD_HEIGHT: f32 = 124.0;
const CARD_PADDING: (f32, f32) = (20.0, 18.0);
const RING: f32 = 30.0;
/// Narrower than this, the first card has no picture.
const PICTURE_FROM: f32 = 720.0;
const PICTURE: [f32; 2] = [430.0, 160.0];

/// The screen.
pub fn learn_ui(ui: &mut Ui, state: &AppState, out: &mut Outbox) {
    super::page_ui(ui, "learn", super::WIDEST - 150.0, |ui| {
        let words = &state.words;
        title_ui(ui, &words.say(&AppMsg::LearnTitle));
        let quizzes = state.quizzes_to_learn();
        if !quizzes.is_empty() {
            let sub = AppMsg::LearnSub { n: quizzes.len() };
            say_ui(ui, words.say(&sub), Type::Body, Ink::Quiet);
        }
        ui.add_space(space::SMALL);
        problems_banner_ui(ui, state, out);
        ui.add_space(space::SMALL);
        match quizzes.split_first() {
            None => empty_ui(ui, state),
            Some((first, others)) => {
                first_card_ui(ui, state, first, out);
                ui.add_space(space::MEDIUM);
                cards_ui(ui, state, others, out);
            }
        }
        ui.add_space(space::MEDIUM);
        actions_ui(ui, state, [Action::new(state, Command::Open)], out);
        if state.loading {
            say_ui(ui, words.say(&AppMsg::Loading), Type::Small, Ink::Quiet);
        }
    });
}

/// One quiet line where something was found in the files.
fn problems_banner_ui(ui: &mut Ui, state: &AppState, out: &mut Outbox) {
    let found = &state.library.diagnostics;
    if found.is_empty() {
        return;
    }
    let errors = found
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .count();
    Card::new().margin(Margin::symmetric(16, 8)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        super::row_ui(ui, |ui| {
            let color = theme::ink(ui, if errors > 0 { Ink::Wrong } else { Ink::Quiet });
            icon_ui(ui, Icon::Warning, 18.0, color);
            let said = AppMsg::ProblemsFound { n: found.len() };
            say_ui(ui, state.words.say(&said), Type::Body, Ink::Text);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let label = state.words.say(&AppMsg::ShowProblems);
                if quiet_button_ui(ui, &label).clicked() {
                    out.command(Command::Problems);
                }
            });
        });
    });
}

fn empty_ui(ui: &mut Ui, state: &AppState) {
    Card::new().show(ui, |ui| {
        ui.set_width(ui.available_width());
        say_ui(
            ui,
            state.words.say(&AppMsg::NoQuizzes),
            Type::Body,
            Ink::Text,
        );
    });
}

/// The quiz to begin with, and its first example as a picture.
fn first_card_ui(ui: &mut Ui, state: &AppState, quiz: &Quiz, out: &mut Outbox) {
    let words = &state.words;
    Card::new()
        .margin(Margin::symmetric(26, 24))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            let whole = ui.available_width();
            let with_picture = whole >= PICTURE_FROM;
            let text_width = if with_picture {
                whole - PICTURE[0] - space::LARGE
            } else {
                whole
            };
            ui.horizontal_top(|ui| {
                ui.vertical(|ui| {
                    ui.set_width(text_width);
                    let stopped = state.stopped_at(&quiz.id);
                    let head = match &quiz.origin {
                        _ if stopped.is_some() => length_of(quiz, state),
                        Origin::BuiltIn(_) => with_length(&AppMsg::StartHere, quiz, state),
                        Origin::Opened(_) => with_length(&AppMsg::Opened, quiz, state),
                        Origin::Own(_) => with_length(&AppMsg::Own, quiz, state),
                    };
                    say_ui(ui, head, Type::SmallStrong, Ink::Text);
                    ui.add_space(2.0);
                    say_ui(ui, &quiz.title, Type::Prompt, Ink::Text);
                    say_ui(ui, &quiz.promise, Type::Body, Ink::Quiet);
                    ui.add_space(space::SMALL);
                    let label = match stopped {
                        Some(_) => AppMsg::GoOn,
                        None => AppMsg::Begin,
                    };
                    let begin = Action::new(state, Command::Begin).filled();
                    super::row_ui(ui, |ui| {
                        actions_ui(ui, state, [begin.label(words.say(&label))], out);
                        if stopped.is_some() {
                            let again = words.say(&AppMsg::FromTheStart);
                            if quiet_button_ui(ui, &again).clicked() {
                                out.change(Change::StartAgain(quiz.id.clone()));
                            }
                        }
                    });
                });
                if with_picture {
                    ui.add_space(space::SMALL);
                    first_picture_ui(ui, state, quiz);
                }
            });
        });
}

/// The first question's example, with nothing given away and nothing to take hold of.
fn first_picture_ui(ui: &mut Ui, state: &AppState, quiz: &Quiz) {
    let example = quiz
        .questions
        .iter()
        .find_map(|question| question.example.as_ref());
    let Some(live) = example.and_then(|(_, example)| Live::new(example)) else {
        return;
    };
    let drawing = [FigureKind::Balance, FigureKind::Weights]
        .into_iter()
        .find_map(|kind| {
            figures::drawing_of(kind, &live, Moment::Before, &state.words, PICTURE, 1.0)
        });
    if let Some(drawing) = drawing.map(figures::without_guess) {
        ui.vertical(|ui| {
            ui.set_width(PICTURE[0]);
            figure_ui(ui, &drawing, FigureView::Still);
        });
    }
}

/// The other quizzes, side by side.
fn cards_ui(ui: &mut Ui, state: &AppState, quizzes: &[&Arc<Quiz>], out: &mut Outbox) {
    let whole = ui.available_width();
    let columns = ((whole + space::MEDIUM) / (CARD_WIDTH + space::MEDIUM))
        .floor()
        .max(1.0);
    let width = (whole - (columns - 1.0) * space::MEDIUM) / columns;
    for row in quizzes.chunks(columns as usize) {
        let needs = row.iter().map(|quiz| text_height(ui, quiz, width));
        let height = needs.fold(CARD_HEIGHT, f32::max);
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = space::MEDIUM;
            for quiz in row {
                ui.push_id(&quiz.id, |ui| {
                    if card_ui(ui, state, quiz, [width, height]).clicked() {
                        out.change(Change::BeginQuiz(quiz.id.clone()));
                    }
                });
            }
        });
        ui.add_space(space::SMALL);
    }
}

/// How high a card must be for its words: those of a row are as high as the highest.
fn text_height(ui: &Ui, quiz: &Quiz, width: f32) -> f32 {
    let wrap = (width - 2.0 * CARD_PADDING.0 - RING - space::MEDIUM).max(1.0);
    let lines = [(&quiz.title, Type::Strong), (&quiz.promise, Type::Small)];
    let text: f32 = lines
        .into_iter()
        .map(|(text, kind)| {
            let color = egui::Color32::PLACEHOLDER;
            let galley = ui.painter().layout(text.clone(), kind.font(), color, wrap);
            galley.size().y + 3.0
        })
        .sum();
    (text + space::SMALL + 3.0 + 20.0 + 2.0 * CARD_PADDING.1).ceil()
}

fn card_ui(ui: &mut Ui, state: &AppState, quiz: &Quiz, [width, height]: [f32; 2]) -> Response {
    let response = ui
        .scope_builder(UiBuilder::new().sense(Sense::click()), |ui| {
            ui.style_mut().interaction.selectable_labels = false;
            Card::new()
                .margin(Margin::symmetric(
                    CARD_PADDING.0 as i8,
                    CARD_PADDING.1 as i8,
                ))
                .show(ui, |ui| {
                    ui.set_width(width - 2.0 * CARD_PADDING.0);
                    ui.set_min_height(height - 2.0 * CARD_PADDING.1);
                    ui.horizontal_top(|ui| {
                        ui.spacing_mut().item_spacing.x = space::MEDIUM;
                        let share = state.share_answered(quiz);
                        let said = state.words.say(&AppMsg::ShareAnswered {
                            percent: f64::from((share * 100.0).round()),
                        });
                        progress_ring_ui(ui, share, RING, &said);
                        ui.vertical(|ui| {
                            ui.spacing_mut().item_spacing.y = 3.0;
                            say_ui(ui, &quiz.title, Type::Strong, Ink::Text);
                            say_ui(ui, &quiz.promise, Type::Small, Ink::Quiet);
                            ui.add_space(space::SMALL);
                            say_ui(ui, length_of(quiz, state), Type::Small, Ink::Quiet);
                        });
                    });
                });
        })
        .response;
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &quiz.title));
    theme::focus_ring(ui, &response, radius::CARD);
    response.on_hover_cursor(egui::CursorIcon::PointingHand)
}

/// "Start here · 12 questions, 10 minutes".
fn with_length(head: &AppMsg, quiz: &Quiz, state: &AppState) -> String {
    format!("{} · {}", state.words.say(head), length_of(quiz, state))
}

/// "12 questions, 10 minutes"; where its run is under way, where that stands.
fn length_of(quiz: &Quiz, state: &AppState) -> String {
    let words = &state.words;
    if let Some((number, of)) = state.stopped_at(&quiz.id) {
        return words.say(&AppMsg::WhereYouStopped { number, of });
    }
    let questions = words.say(&AppMsg::Questions {
        n: quiz.questions.len(),
    });
    match quiz.minutes {
        Some(minutes) => {
            let minutes = words.say(&AppMsg::Minutes {
                n: usize::try_from(minutes).unwrap_or(usize::MAX),
            });
            format!("{questions}, {minutes}")
        }
        None => questions,
    }
}
