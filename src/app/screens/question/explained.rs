//! After the answer: the choices with their edges, marks and reasons; what a typed number comes to; what is said to everyone.

use egui::{Align, Layout, Margin, Response, Role, Sense, Ui, UiBuilder, WidgetInfo};

use super::form::announce;
use crate::app::asking::{Asking, Given};
use crate::app::command::Command;
use crate::app::messages::AppMsg;
use crate::app::outbox::Outbox;
use crate::app::screens::prose::{document_ui, document_with_ui, say_ui};
use crate::app::state::AppState;
use crate::app::theme::{self, Ink, Type, radius};
use crate::app::widgets::{Card, number_box_ui};
use crate::quiz::{Answer, ChoiceState, ExplainedChoice, Explanation, Verdict};
use crate::text::{Document, Span, Style, spoken};
use crate::words::Words;

/// The number box and the gap after it.
const BOXED: f32 = 34.0;

/// The choices or the given answer, each with how it stands.
pub fn explained_ui(
    ui: &mut Ui,
    state: &AppState,
    asking: &Asking,
    explanation: &Explanation,
    out: &mut Outbox,
) {
    let Some(given) = &asking.given else { return };
    if explanation.choices.is_empty() {
        given_ui(ui, state, asking, given, explanation);
        return;
    }
    for (at, choice) in explanation.choices.iter().enumerate() {
        let number = u8::try_from(at + 1).unwrap_or(u8::MAX);
        let response = ui
            .push_id(&choice.id, |ui| {
                choice_ui(ui, state, asking, choice, number)
            })
            .inner;
        if response.clicked() {
            out.command(Command::Pick(number));
        }
    }
    document_ui(ui, &explanation.reply, &Style::body(), &state.words);
}

/// One choice: open with its reason where it matters or was opened, else one line with its number.
fn choice_ui(
    ui: &mut Ui,
    state: &AppState,
    asking: &Asking,
    choice: &ExplainedChoice,
    number: u8,
) -> Response {
    let ExplainedChoice {
        id,
        text,
        state: stands,
        number: comes_to,
        why,
    } = choice;
    let words = &state.words;
    // The digit toggles: what was open by itself closes, what was closed opens.
    let opens_itself = *stands != ChoiceState::Other;
    let open = opens_itself != asking.opened.contains(id);
    let edge = edge_of(*stands);
    let mark = mark_of(*stands, words);
    let response = ui
        .scope_builder(UiBuilder::new().sense(Sense::click()), |ui| {
            Card::new()
                .edge(edge)
                .margin(Margin {
                    left: 15,
                    right: 15,
                    top: 10,
                    bottom: 10,
                })
                .show(ui, |ui| {
                    ui.set_width(ui.available_width());
                    ui.horizontal_top(|ui| {
                        ui.spacing_mut().item_spacing.x = BOXED - 22.0;
                        number_box_ui(ui, &number.to_string());
                        ui.vertical(|ui| {
                            ui.spacing_mut().item_spacing.y = 4.0;
                            head_ui(ui, text, mark.clone(), comes_to.as_ref(), words);
                            if open {
                                document_ui(ui, why, &Style::body(), words);
                            }
                        });
                    });
                });
        })
        .response;
    let name = spoken::spoken(text, words);
    let said = match &mark {
        Some(mark) => format!("{name}, {}", mark.text.trim()),
        None => name,
    };
    response.widget_info(|| WidgetInfo::selected(Role::DisclosureTriangle, true, open, &said));
    theme::focus_ring(ui, &response, radius::CARD);
    response
}

/// The text with its mark, and what it comes to at the right.
fn head_ui(
    ui: &mut Ui,
    text: &Document,
    mark: Option<Span>,
    comes_to: Option<&(String, Ink)>,
    words: &Words,
) {
    let width = ui.available_width();
    ui.horizontal_top(|ui| {
        let number_width = comes_to.map_or(0.0, |(said, _)| {
            let color = egui::Color32::PLACEHOLDER;
            ui.painter()
                .layout_no_wrap(said.clone(), Type::Strong.font(), color)
                .size()
                .x
                + 16.0
        });
        ui.vertical(|ui| {
            ui.set_width((width - number_width).max(80.0));
            document_with_ui(ui, text, mark.into_iter().collect(), &Style::body(), words);
        });
        if let Some((said, ink)) = comes_to {
            ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
                say_ui(ui, said, Type::Strong, *ink)
            });
        }
    });
}

/// A typed number or a prediction: what it is told, and the right answer where it was missed.
fn given_ui(
    ui: &mut Ui,
    state: &AppState,
    asking: &Asking,
    given: &Given,
    explanation: &Explanation,
) {
    let words = &state.words;
    let Given {
        answer, verdict, ..
    } = given;
    let card = |edge: Option<Ink>| {
        Card::new().edge(edge).margin(Margin {
            left: 18,
            right: 15,
            top: 12,
            bottom: 12,
        })
    };
    let edge = match verdict {
        Verdict::Right => Some(Ink::Right),
        Verdict::Wrong => Some(Ink::Wrong),
        Verdict::Partly | Verdict::Open => None,
    };
    card(edge).show(ui, |ui| {
        ui.set_width(ui.available_width());
        let said = match answer {
            Answer::Number(typed) => {
                let unit = match &asking.asked().form {
                    crate::quiz::Form::Number { unit } => unit.as_str(),
                    _ => "",
                };
                format!("{} {unit}", typed.trim()).trim().to_owned()
            }
            Answer::Weights(_) => words.say(&AppMsg::PredictionWas {
                percent: (asking.credit_now() * 100.0).round(),
            }),
            Answer::Choice(id) => id.clone(),
        };
        let stands = match verdict {
            Verdict::Right => ChoiceState::YoursRight,
            Verdict::Wrong => ChoiceState::YoursWrong,
            Verdict::Partly | Verdict::Open => ChoiceState::Yours,
        };
        let is_prediction = matches!(answer, Answer::Weights(_));
        let mark = if is_prediction && *verdict != Verdict::Right {
            None
        } else {
            mark_of(stands, words)
        };
        document_with_ui(
            ui,
            &Document::plain(said),
            mark.into_iter().collect(),
            &Style::body().strong(),
            words,
        );
        document_ui(ui, &explanation.reply, &Style::body(), words);
    });
    // What a prediction missed, the bars show: no number is said twice.
    if let Some(right) = &explanation.right
        && *verdict != Verdict::Right
        && !matches!(answer, Answer::Weights(_))
    {
        card(Some(Ink::Right)).show(ui, |ui| {
            ui.set_width(ui.available_width());
            let mark = mark_of(ChoiceState::Right, words).into_iter().collect();
            document_with_ui(
                ui,
                &Document::plain(right.clone()),
                mark,
                &Style::body().strong(),
                words,
            );
        });
    }
}

/// The verdict for the screen reader: seen in the marks, heard here. It takes no room. It stands at the top: what is scrolled out of sight is
/// told to nobody.
pub fn verdict_ui(ui: &mut Ui, state: &AppState, asking: &Asking) {
    let Some(given) = &asking.given else { return };
    let verdict = state.words.say(&match given.verdict {
        Verdict::Right => AppMsg::VerdictRight,
        Verdict::Wrong => AppMsg::VerdictWrong,
        Verdict::Partly => AppMsg::VerdictPartly,
        Verdict::Open => AppMsg::VerdictOpen,
    });
    let spacing = std::mem::take(&mut ui.spacing_mut().item_spacing);
    let response = ui.allocate_response(egui::Vec2::ZERO, Sense::empty());
    ui.spacing_mut().item_spacing = spacing;
    response.widget_info(|| WidgetInfo::labeled(Role::Status, true, &verdict));
    announce(ui, &response);
}

/// What is said to everyone, and how numbers were rounded.
pub fn afterwards_ui(ui: &mut Ui, state: &AppState, explanation: &Explanation) {
    let words = &state.words;
    let style = if explanation.readings.is_some() {
        Style::body().size(18.0).strong()
    } else {
        Style::body()
    };
    if !explanation.statement.is_empty() {
        ui.add_space(2.0);
        statement_ui(ui, &explanation.statement, &style, words);
    }
    if let Some(places) = explanation.rounded_to {
        say_ui(
            ui,
            words.say(&AppMsg::RoundedTo { places }),
            Type::Small,
            Ink::Quiet,
        );
    }
}

/// The first paragraph carries the weight; what follows stands back.
fn statement_ui(ui: &mut Ui, statement: &Document, style: &Style, words: &Words) {
    let mut blocks = statement.blocks.iter().cloned();
    let first = Document {
        blocks: blocks.next().into_iter().collect(),
    };
    let rest = Document {
        blocks: blocks.collect(),
    };
    document_ui(ui, &first, style, words);
    let quiet = if style.strong {
        Style::body().ink(Ink::Quiet)
    } else {
        *style
    };
    document_ui(ui, &rest, &quiet, words);
}

fn edge_of(stands: ChoiceState) -> Option<Ink> {
    match stands {
        ChoiceState::YoursRight | ChoiceState::Right => Some(Ink::Right),
        ChoiceState::YoursWrong => Some(Ink::Wrong),
        ChoiceState::Yours | ChoiceState::Other => None,
    }
}

/// The sign and the word, never the colour alone.
fn mark_of(stands: ChoiceState, words: &Words) -> Option<Span> {
    let (message, ink) = match stands {
        ChoiceState::YoursRight => (AppMsg::MarkYoursRight, Ink::Right),
        ChoiceState::YoursWrong => (AppMsg::MarkYours, Ink::Wrong),
        ChoiceState::Yours => (AppMsg::YourPick, Ink::Quiet),
        ChoiceState::Right => (AppMsg::MarkRight, Ink::Right),
        ChoiceState::Other => return None,
    };
    let span = Span::plain(format!("  {}", words.say(&message))).ink(ink);
    Some(if stands == ChoiceState::Yours {
        span
    } else {
        span.strong()
    })
}
