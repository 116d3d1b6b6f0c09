//! The screens: each reads the state, draws itself, and sends what the learner does; none changes anything.

mod actions;
mod keys;
mod learn;
mod open;
mod palette;
mod problems;
pub mod prose;
mod question;
mod save;
mod settings;
mod summary;

use egui::{Align, CentralPanel, Context, Frame, Layout, Margin, Panel, ScrollArea, Ui, Vec2};

use super::command::Command;
use super::icons::Icon;
use super::messages::AppMsg;
use super::outbox::Outbox;
use super::state::{AppState, Overlay, Screen};
use super::theme::{self, Ink, space};
use super::widgets::{RailItem, rail};

pub use problems::problems_text;

/// The rail's width, in points.
const RAIL_WIDTH: f32 = 92.0;

/// The widest that a screen becomes.
const WIDEST: f32 = 1280.0;

/// The whole window.
pub fn window_ui(ui: &mut Ui, state: &AppState, out: &mut Outbox) {
    let rail = Frame::new()
        .fill(theme::ink(ui, Ink::Paper))
        .inner_margin(Margin::symmetric(8, 16));
    Panel::left("rail")
        .exact_size(RAIL_WIDTH)
        .resizable(false)
        .frame(rail)
        .show(ui, |ui| rail_ui(ui, state, out));
    let page = Frame::new().fill(theme::ink(ui, Ink::Paper));
    CentralPanel::default()
        .frame(page)
        .show(ui, |ui| match &state.screen {
            Screen::Learn => learn::learn_ui(ui, state, out),
            Screen::Question => question::question_ui(ui, state, out),
            Screen::Summary => summary::summary_ui(ui, state, out),
            Screen::Problems => problems::problems_ui(ui, state, out),
            Screen::Settings => settings::settings_ui(ui, state, out),
            Screen::Open(form) => open::open_ui(ui, state, form, out),
            Screen::Save(saving) => save::save_ui(ui, state, saving, out),
        });
    match &state.overlay {
        Some(Overlay::Palette { filter, selected }) => {
            palette::palette_ui(ui.ctx(), state, filter, *selected, out)
        }
        Some(Overlay::Keys) => keys::keys_ui(ui.ctx(), state, out),
        None => {}
    }
}

/// The rooms that there are.
fn rail_ui(ui: &mut Ui, state: &AppState, out: &mut Outbox) {
    ui.spacing_mut().item_spacing = Vec2::new(0.0, 3.0);
    let here = match state.screen {
        Screen::Settings => Command::Settings,
        _ => Command::Learn,
    };
    let rooms = [
        (Icon::Learn, AppMsg::Learn, Command::Learn),
        (Icon::Settings, AppMsg::Settings, Command::Settings),
    ];
    for (icon, word, command) in rooms {
        let word = state.words.say(&word);
        debug_assert_eq!(
            rail::SIZE.x + 16.0,
            RAIL_WIDTH,
            "the rail is as wide as its entries"
        );
        if RailItem::new(icon, &word)
            .selected(here == command)
            .ui(ui, &word)
            .clicked()
        {
            out.command(command);
        }
    }
}

/// A page with margins that scrolls where it is longer than the window.
fn page_ui<R>(ui: &mut Ui, id: &str, width: f32, contents: impl FnOnce(&mut Ui) -> R) -> R {
    ScrollArea::vertical()
        .id_salt(id)
        .auto_shrink(false)
        .show(ui, |ui| {
            let margin = if ui.available_width() > 760.0 { 48 } else { 24 };
            let inner = (ui.available_width() - 2.0 * f32::from(margin))
                .min(width)
                .max(0.0);
            Frame::new()
                .inner_margin(Margin {
                    left: margin,
                    right: margin,
                    top: 32,
                    bottom: 32,
                })
                .show(ui, |ui| {
                    ui.set_width(inner);
                    ui.spacing_mut().item_spacing = Vec2::new(space::SMALL, space::SMALL);
                    contents(ui)
                })
        })
        .inner
        .inner
}

/// Things in a row, from the left, their middles on one line.
fn row_ui<R>(ui: &mut Ui, contents: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::left_to_right(Align::Center), contents)
            .inner
    })
    .inner
}

/// The frame of what lies over a screen.
fn over_frame(ctx: &Context, margin: i8) -> Frame {
    Frame::new()
        .fill(theme::ink(ctx, Ink::Card))
        .stroke(theme::hairline(ctx, Ink::Line))
        .corner_radius(theme::radius::CARD)
        .inner_margin(Margin::same(margin))
}
