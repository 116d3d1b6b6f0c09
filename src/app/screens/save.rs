//! Saving: what will be written is shown first, then where to; one file, written whole or not at all.

use egui::{Margin, RichText, ScrollArea, Ui};

use super::open::path_field_ui;
use super::prose::{say_ui, spans_ui, title_ui};
use crate::app::command::Command;
use crate::app::figures;
use crate::app::messages::AppMsg;
use crate::app::outbox::{Change, Outbox};
use crate::app::state::{AppState, Run, SaveWhat, Saving};
use crate::app::theme::{self, Ink, Type, space};
use crate::app::widgets::figure::{FigureView, figure_ui};
use crate::app::widgets::figure_table::table_ui;
use crate::app::widgets::{Card, filled_button_ui, keyed_ui, quiet_button_ui, segmented_ui};
use crate::study::results_markdown;

const ENDINGS: [&str; 3] = ["png", "svg", "csv"];

/// The screen.
pub fn save_ui(ui: &mut Ui, state: &AppState, saving: &Saving, out: &mut Outbox) {
    let words = &state.words;
    super::page_ui(ui, "save", 760.0, |ui| {
        let (title, sub) = match saving.what {
            SaveWhat::Results => (AppMsg::SaveResultsTitle, AppMsg::SaveResultsSub),
            SaveWhat::Figure => (AppMsg::SaveFigureTitle, AppMsg::SaveFigureSub),
        };
        title_ui(ui, &words.say(&title));
        say_ui(ui, words.say(&sub), Type::Body, Ink::Quiet);
        ui.add_space(space::SMALL);
        let path = saving.path.path();
        if saving.what == SaveWhat::Figure {
            let ending = path
                .extension()
                .map(|e| e.to_string_lossy().to_lowercase())
                .unwrap_or_default();
            let mut chosen = ENDINGS.iter().position(|known| *known == ending);
            let labels =
                [AppMsg::AsPng, AppMsg::AsSvg, AppMsg::AsCsv].map(|message| words.say(&message));
            let options: Vec<_> = labels
                .iter()
                .enumerate()
                .map(|(at, label)| (Some(at), label.as_str()))
                .collect();
            if segmented_ui(ui, &mut chosen, &options)
                && let Some(ending) = chosen.and_then(|at| ENDINGS.get(at))
            {
                out.change(Change::PathTyped(
                    path.with_extension(ending).display().to_string(),
                ));
            }
        }
        let entered = path_field_ui(ui, state, &saving.path, out);
        if path.exists() && !path.is_dir() {
            say_ui(ui, words.say(&AppMsg::WillReplace), Type::Small, Ink::Quiet);
        }
        ui.add_space(space::SMALL);
        super::row_ui(ui, |ui| {
            let clicked = keyed_ui(ui, "Enter", |ui| {
                filled_button_ui(ui, &words.say(&AppMsg::Save)).clicked()
            });
            if clicked || entered {
                out.change(Change::SaveHere);
            }
            if quiet_button_ui(ui, &words.say(&AppMsg::Cancel)).clicked() {
                out.command(Command::Back);
            }
        });
        ui.add_space(space::MEDIUM);
        preview_ui(ui, state, saving);
    });
}

/// What will be written.
fn preview_ui(ui: &mut Ui, state: &AppState, saving: &Saving) {
    let Some(run) = state.run() else { return };
    Card::new().margin(Margin::same(16)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        match saving.what {
            SaveWhat::Results => {
                let text = results_markdown(&run.session, &state.words);
                let color = theme::ink(ui, Ink::Text);
                ScrollArea::vertical()
                    .id_salt("preview")
                    .max_height(360.0)
                    .show(ui, |ui| {
                        // Room for the scroll bar.
                        ui.set_width(ui.available_width() - space::MEDIUM);
                        ui.label(RichText::new(text).font(Type::Small.font()).color(color));
                    });
            }
            SaveWhat::Figure => {
                let size = [ui.available_width(), 360.0];
                if let Some(drawing) = Run::asking(run)
                    .and_then(|asking| figures::drawing(asking, &state.words, size, 1.0))
                {
                    let as_table = saving
                        .path
                        .path()
                        .extension()
                        .is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
                    if as_table {
                        // Nothing is edited here: what the cells give back is left.
                        ui.add_enabled_ui(false, |ui| table_ui(ui, &drawing.table, &state.words));
                    } else {
                        spans_ui(ui, &drawing.headline, &state.words);
                        figure_ui(ui, &drawing, FigureView::Still);
                    }
                }
            }
        }
    });
}
