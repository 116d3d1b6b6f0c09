//! The help: every key and what it does, straight from the commands.

use egui::{Context, Grid, Id, Modal, ScrollArea, Ui};

use super::prose::{say_ui, title_ui};
use crate::app::command::Command;
use crate::app::messages::AppMsg;
use crate::app::outbox::Outbox;
use crate::app::state::AppState;
use crate::app::theme::{Ink, Type, space};
use crate::app::widgets::{keycap_ui, quiet_button_ui};

/// The window over the screen.
pub fn keys_ui(ctx: &Context, state: &AppState, out: &mut Outbox) {
    let words = &state.words;
    let room = ctx.content_rect().size();
    let response = Modal::new(Id::unique("keys"))
        .frame(super::over_frame(ctx, 24))
        .show(ctx, |ui| {
            ui.set_width((room.x - 96.0).min(760.0));
            title_ui(ui, &words.say(&AppMsg::KeysTitle));
            ui.add_space(space::SMALL);
            ScrollArea::vertical()
                .max_height(room.y - 230.0)
                .show(ui, |ui| {
                    ui.set_width(ui.available_width());
                    let rows = rows(state);
                    let half = rows.len().div_ceil(2);
                    ui.horizontal_top(|ui| {
                        for (column, rows) in rows.chunks(half.max(1)).enumerate() {
                            grid_ui(ui, column, rows);
                            ui.add_space(space::LARGE);
                        }
                    });
                });
            ui.add_space(space::SMALL);
            say_ui(ui, words.say(&AppMsg::KeysNote), Type::Small, Ink::Quiet);
            ui.add_space(space::SMALL);
            super::row_ui(ui, |ui| {
                if quiet_button_ui(ui, &words.say(&AppMsg::Close)).clicked() {
                    out.command(Command::Back);
                }
                keycap_ui(ui, "Esc");
            });
        });
    if response.backdrop_response.clicked() {
        out.command(Command::Back);
    }
}

/// Caps and what they do: the picks as one line, each other command as its own.
fn rows(state: &AppState) -> Vec<(Vec<String>, String)> {
    let words = &state.words;
    let mut rows = vec![(vec!["1–9".to_owned()], words.say(&AppMsg::KeysPick))];
    for command in Command::ALL {
        let caps: Vec<String> = command
            .bindings()
            .into_iter()
            .map(|binding| binding.cap())
            .collect();
        if !caps.is_empty() && !matches!(command, Command::Pick(_)) {
            rows.push((caps, command.label(words)));
        }
    }
    rows.push((
        vec![
            "Ctrl++".to_owned(),
            "Ctrl+−".to_owned(),
            "Ctrl+0".to_owned(),
        ],
        words.say(&AppMsg::TextSize),
    ));
    rows.push((vec!["Ctrl+Q".to_owned()], words.say(&AppMsg::Quit)));
    rows
}

fn grid_ui(ui: &mut Ui, column: usize, rows: &[(Vec<String>, String)]) {
    ui.spacing_mut().interact_size.y = 20.0;
    Grid::new(("keys", column))
        .num_columns(2)
        .spacing([16.0, 6.0])
        .show(ui, |ui| {
            for (caps, what) in rows {
                super::row_ui(ui, |ui| {
                    ui.spacing_mut().item_spacing.x = 4.0;
                    for cap in caps {
                        keycap_ui(ui, cap);
                    }
                });
                say_ui(ui, what, Type::Small, Ink::Text);
                ui.end_row();
            }
        });
}
