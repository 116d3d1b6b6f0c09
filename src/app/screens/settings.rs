//! The settings: theme, text size, motion, how numbers are written, and where the learner's things lie.

use egui::{Margin, Ui};

use super::prose::{say_ui, title_ui};
use crate::app::messages::AppMsg;
use crate::app::outbox::{Change, Outbox};
use crate::app::settings::{Decimal, TEXT_SIZES, ThemeChoice};
use crate::app::state::AppState;
use crate::app::theme::{Ink, Type, space};
use crate::app::widgets::{Card, quiet_button_ui, segmented_ui};

/// The screen.
pub fn settings_ui(ui: &mut Ui, state: &AppState, out: &mut Outbox) {
    let words = &state.words;
    super::page_ui(ui, "settings", 760.0, |ui| {
        title_ui(ui, &words.say(&AppMsg::Settings));
        ui.add_space(space::MEDIUM);
        if let Some(problem) = &state.data.problem {
            unreadable_ui(ui, state, problem, out);
        }
        let mut settings = state.settings.clone();
        let mut changed = false;
        group_ui(ui, state, &AppMsg::Theme, None, |ui| {
            let options = [
                (ThemeChoice::System, words.say(&AppMsg::ThemeSystem)),
                (ThemeChoice::Light, words.say(&AppMsg::ThemeLight)),
                (ThemeChoice::Dark, words.say(&AppMsg::ThemeDark)),
            ];
            changed |= choose_ui(ui, &mut settings.theme, &options);
        });
        group_ui(
            ui,
            state,
            &AppMsg::TextSize,
            Some(&AppMsg::TextSizeKeys),
            |ui| {
                let near = |size: f32| (size * 100.0).round() as i32;
                let mut chosen = near(settings.text_size);
                let options = TEXT_SIZES.map(|size| {
                    (
                        near(size),
                        words.say(&AppMsg::Percent {
                            percent: f64::from(near(size)),
                        }),
                    )
                });
                if choose_ui(ui, &mut chosen, &options) {
                    settings.text_size = chosen as f32 / 100.0;
                    changed = true;
                }
            },
        );
        group_ui(ui, state, &AppMsg::Motion, None, |ui| {
            let options = [
                (true, words.say(&AppMsg::MotionOn)),
                (false, words.say(&AppMsg::MotionOff)),
            ];
            changed |= choose_ui(ui, &mut settings.motion, &options);
        });
        group_ui(ui, state, &AppMsg::DecimalSign, None, |ui| {
            let options = [
                (Decimal::Point, "0.5".to_owned()),
                (Decimal::Comma, "0,5".to_owned()),
            ];
            changed |= choose_ui(ui, &mut settings.decimal, &options);
        });
        if changed {
            out.change(Change::Settings(Box::new(settings)));
        }
        group_ui(
            ui,
            state,
            &AppMsg::DataFolder,
            Some(&AppMsg::DataFolderWhat),
            |ui| {
                let folder = state.data.folder.as_ref();
                let said = folder.map_or_else(
                    || words.say(&AppMsg::NoDataFolder),
                    |folder| folder.display().to_string(),
                );
                say_ui(ui, said, Type::Body, Ink::Text);
            },
        );
        let version = AppMsg::Version {
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        say_ui(ui, words.say(&version), Type::Small, Ink::Quiet);
    });
}

/// A setting: its name, what it does where that is not plain, and its control.
fn group_ui(
    ui: &mut Ui,
    state: &AppState,
    name: &AppMsg,
    what: Option<&AppMsg>,
    control: impl FnOnce(&mut Ui),
) {
    say_ui(ui, state.words.say(name), Type::Strong, Ink::Text);
    control(ui);
    if let Some(what) = what {
        say_ui(ui, state.words.say(what), Type::Small, Ink::Quiet);
    }
    ui.add_space(space::MEDIUM);
}

fn choose_ui<T: PartialEq + Copy>(ui: &mut Ui, chosen: &mut T, options: &[(T, String)]) -> bool {
    let options: Vec<(T, &str)> = options
        .iter()
        .map(|(value, label)| (*value, label.as_str()))
        .collect();
    segmented_ui(ui, chosen, &options)
}

/// The settings could not be read: they are left alone until the learner says otherwise.
fn unreadable_ui(ui: &mut Ui, state: &AppState, problem: &str, out: &mut Outbox) {
    let words = &state.words;
    Card::new()
        .edge(Ink::Wrong)
        .margin(Margin::symmetric(18, 14))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            say_ui(
                ui,
                words.say(&AppMsg::SettingsNotRead),
                Type::Strong,
                Ink::Text,
            );
            let file = state
                .data
                .settings_file()
                .map(|file| file.display().to_string())
                .unwrap_or_default();
            say_ui(ui, format!("{file}: {problem}"), Type::Small, Ink::Quiet);
            if quiet_button_ui(ui, &words.say(&AppMsg::ReplaceSettings)).clicked() {
                out.change(Change::ReplaceSettings);
            }
        });
    ui.add_space(space::MEDIUM);
}
