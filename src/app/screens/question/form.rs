//! Before the answer: the form that the question asks for, drawn generally; hints; the one button.

use egui::{Key, Margin, TextEdit, Ui, WidgetInfo};

use crate::app::asking::Asking;
use crate::app::command::Command;
use crate::app::messages::AppMsg;
use crate::app::outbox::{Change, FocusWish, Outbox};
use crate::app::screens::prose::{document_ui, say_ui};
use crate::app::state::AppState;
use crate::app::theme::{Ink, Type, space};
use crate::app::widgets::{Card, Choice, choice};
use crate::quiz::{Form, FormChoice};
use crate::text::{Style, spoken};

/// The form, and the hints that are open.
pub fn form_ui(ui: &mut Ui, state: &AppState, asking: &Asking, out: &mut Outbox) {
    match &asking.asked().form {
        Form::Choices(choices) => choices_ui(ui, state, asking, choices, out),
        Form::Number { unit } => number_ui(ui, state, asking, unit, out),
        // They are set in the figure, and stand there as numbers.
        Form::Weights { .. } => {
            say_ui(
                ui,
                state.words.say(&AppMsg::SetTheBars),
                Type::Body,
                Ink::Text,
            );
        }
    }
    if let Some(why) = &asking.not_counted {
        let said = say_ui(ui, why, Type::Body, Ink::Text);
        announce(ui, &said);
    }
    for (number, hint) in asking
        .asked()
        .hints
        .iter()
        .take(asking.hints_open)
        .enumerate()
    {
        Card::new()
            .margin(Margin::symmetric(16, 12))
            .show(ui, |ui| {
                ui.set_width(ui.available_width());
                let of = asking.asked().hints.len();
                say_ui(
                    ui,
                    state.words.say(&AppMsg::HintOf {
                        number: number + 1,
                        of,
                    }),
                    Type::SmallStrong,
                    Ink::Quiet,
                );
                document_ui(ui, hint, &Style::body(), &state.words);
            });
    }
}

/// Why the answer cannot be given yet.
pub fn what_first_ui(ui: &mut Ui, state: &AppState, asking: &Asking) {
    let what = match asking.asked().form {
        Form::Choices(_) => AppMsg::PickFirst,
        Form::Number { .. } | Form::Weights { .. } => AppMsg::TypeFirst,
    };
    say_ui(ui, state.words.say(&what), Type::Small, Ink::Quiet);
}

fn choices_ui(
    ui: &mut Ui,
    state: &AppState,
    asking: &Asking,
    choices: &[FormChoice],
    out: &mut Outbox,
) {
    let width = choice::text_width(ui.available_width());
    for (at, one) in choices.iter().enumerate() {
        let picked = asking.picked.as_ref() == Some(&one.id);
        let number = u8::try_from(at + 1).unwrap_or(u8::MAX);
        let name = spoken::spoken(&one.text, &state.words);
        let response = ui
            .push_id(&one.id, |ui| {
                Choice::new(&number.to_string(), &name)
                    .picked(picked)
                    .show(ui, |ui, kind| {
                        ui.set_max_width(width);
                        let style = if kind == Type::Strong {
                            Style::body().strong()
                        } else {
                            Style::body()
                        };
                        document_ui(ui, &one.text, &style, &state.words);
                    })
            })
            .inner;
        out.focus_if(FocusWish::Choice(at), &response);
        let walked = out.walks && response.has_focus();
        if response.clicked() || (walked && !picked) {
            out.command(Command::Pick(number));
        }
        // As with any radio button, Space picks. Enter means *Answer*: pressed once too often, it must not pick.
        out.enter_goes_on.push(response.id);
    }
}

fn number_ui(ui: &mut Ui, state: &AppState, asking: &Asking, unit: &str, out: &mut Outbox) {
    crate::app::screens::row_ui(ui, |ui| {
        let mut typed = asking.typed.clone();
        let response = ui.add(
            TextEdit::singleline(&mut typed)
                .id(ui.make_persistent_id("number"))
                .desired_width(160.0)
                .margin(Margin::symmetric(14, 10))
                .font(Type::Prompt.font()),
        );
        let label = if unit.is_empty() {
            state.words.say(&AppMsg::YourNumber)
        } else {
            state.words.say(&AppMsg::YourNumberIn {
                unit: unit.to_owned(),
            })
        };
        response.widget_info(|| {
            let mut info = WidgetInfo::text_edit(true, &asking.typed, &typed, "");
            info.label = Some(label.clone());
            info
        });
        out.focus_if(FocusWish::Field, &response);
        if typed != asking.typed {
            out.change(Change::Typed(typed));
        }
        if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
            out.command(Command::Submit);
            // Where there is nothing to submit yet, what is typed next belongs here.
            response.request_focus();
        }
        ui.add_space(space::SMALL);
        say_ui(ui, unit, Type::Body, Ink::Quiet);
    });
}

/// A screen reader says this as soon as it appears.
pub fn announce(ui: &Ui, response: &egui::Response) {
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_live(egui::accesskit::Live::Polite)
    });
}
