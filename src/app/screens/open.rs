//! Opening a quiz file or folder: a path field with completion, the folder's content, what was opened before. All by keyboard.

use egui::{
    Align, Key, Layout, Margin, Modifiers, Response, Role, ScrollArea, Sense, TextEdit, Ui,
    UiBuilder, WidgetInfo,
};

use super::prose::{say_ui, title_ui};
use crate::app::icons::{Icon, icon_ui};
use crate::app::messages::AppMsg;
use crate::app::outbox::{Change, FocusWish, Outbox};
use crate::app::paths::{Entry, PathForm};
use crate::app::state::AppState;
use crate::app::theme::{self, Ink, Type, radius, space};
use crate::app::widgets::{Card, filled_button_ui, keyed_ui, link_button_ui, quiet_button_ui};

/// The screen.
pub fn open_ui(ui: &mut Ui, state: &AppState, form: &PathForm, out: &mut Outbox) {
    let words = &state.words;
    super::page_ui(ui, "open", 760.0, |ui| {
        title_ui(ui, &words.say(&AppMsg::OpenTitle));
        say_ui(ui, words.say(&AppMsg::OpenSub), Type::Body, Ink::Quiet);
        ui.add_space(space::SMALL);
        let entered = path_field_ui(ui, state, form, out);
        ui.add_space(space::SMALL);
        let clicked = super::row_ui(ui, |ui| {
            let clicked = keyed_ui(ui, "Enter", |ui| {
                filled_button_ui(ui, &words.say(&AppMsg::OpenThis)).clicked()
            });
            if quiet_button_ui(ui, &words.say(&AppMsg::OpenFolderHere)).clicked() {
                out.change(Change::OpenPath(form.folder.clone()));
            }
            clicked
        });
        if clicked || entered {
            go(form, out);
        }
        ui.add_space(space::SMALL);
        entries_ui(ui, state, form, out);
        let recent: Vec<_> = state
            .settings
            .recent
            .iter()
            .filter(|path| path.exists())
            .collect();
        if !recent.is_empty() {
            ui.add_space(space::SMALL);
            say_ui(ui, words.say(&AppMsg::Recent), Type::Strong, Ink::Text);
            for path in recent {
                if link_button_ui(ui, &path.display().to_string()).clicked() {
                    out.change(Change::OpenPath(path.clone()));
                }
            }
        }
    });
}

/// The path field with what is wrong with it; true when Enter was pressed in it. Tab completes while only one thing can be meant.
pub fn path_field_ui(ui: &mut Ui, state: &AppState, form: &PathForm, out: &mut Outbox) -> bool {
    let mut text = form.text.clone();
    let id = ui.make_persistent_id("path");
    let matching = form.matching();
    let only = if let [only] = matching.as_slice() {
        Some(only.path.clone())
    } else {
        None
    };
    let typed = form.path();
    let completes = only.filter(|only| *only != typed);
    let focused = ui.memory(|memory| memory.has_focus(id));
    if focused
        && let Some(path) = &completes
        && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Tab))
    {
        complete(path, out);
        // The caret follows to the end of what was completed.
        egui::text_edit::TextEditState::default().store(ui.ctx(), id);
    }
    let response = ui.add(
        TextEdit::singleline(&mut text)
            .id(id)
            .desired_width(ui.available_width())
            .margin(Margin::symmetric(12, 8))
            .font(Type::Body.font())
            .lock_focus(completes.is_some()),
    );
    response.widget_info(|| {
        let mut info = WidgetInfo::text_edit(true, &form.text, &text, "");
        info.label = Some(state.words.say(&AppMsg::PathField));
        info
    });
    out.focus_if(FocusWish::Field, &response);
    if text != form.text {
        out.change(Change::PathTyped(text));
    }
    if let Some(problem) = &form.problem {
        let color = theme::ink(ui, Ink::Wrong);
        super::row_ui(ui, |ui| {
            icon_ui(ui, Icon::Cross, 16.0, color);
            say_ui(ui, problem, Type::Body, Ink::Text)
        });
    }
    response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter))
}

/// Opens the file or, where a folder is typed, goes into it.
fn go(form: &PathForm, out: &mut Outbox) {
    let path = form.path();
    if path.is_dir() && path != form.folder {
        out.change(Change::EnterFolder(path));
    } else {
        out.change(Change::OpenPath(path));
    }
}

fn complete(path: &std::path::Path, out: &mut Outbox) {
    if path.is_dir() {
        out.change(Change::EnterFolder(path.to_owned()));
    } else {
        out.change(Change::PathTyped(path.display().to_string()));
    }
}

/// The folder's content: folders are gone into, files opened.
fn entries_ui(ui: &mut Ui, state: &AppState, form: &PathForm, out: &mut Outbox) {
    let words = &state.words;
    Card::new().margin(Margin::same(8)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        let matching = form.matching();
        if let Some(parent) = form.folder.parent() {
            let up = Entry {
                is_file: false,
                name: words.say(&AppMsg::FolderUp),
                path: parent.to_owned(),
            };
            if entry_ui(ui, &up).clicked() {
                out.change(Change::EnterFolder(parent.to_owned()));
            }
        }
        if matching.is_empty() {
            say_ui(ui, words.say(&AppMsg::NothingHere), Type::Small, Ink::Quiet);
        }
        let height = 36.0;
        ScrollArea::vertical()
            .id_salt("entries")
            .max_height(8.0 * height)
            .auto_shrink([false, true])
            .show_rows(ui, height, matching.len(), |ui, rows| {
                for entry in matching.iter().skip(rows.start).take(rows.len()) {
                    if entry_ui(ui, entry).clicked() {
                        out.change(if entry.is_file {
                            Change::OpenPath(entry.path.clone())
                        } else {
                            Change::EnterFolder(entry.path.clone())
                        });
                    }
                }
            });
    });
}

fn entry_ui(ui: &mut Ui, entry: &Entry) -> Response {
    let width = ui.available_width();
    let ground = ui.painter().add(egui::Shape::Noop);
    let response = ui
        .push_id(&entry.path, |ui| {
            ui.scope_builder(UiBuilder::new().sense(Sense::click()), |ui| {
                ui.style_mut().interaction.selectable_labels = false;
                egui::Frame::new()
                    .inner_margin(Margin::symmetric(8, 4))
                    .show(ui, |ui| {
                        ui.set_width(width - 16.0);
                        ui.set_height(28.0);
                        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                            let color = theme::ink(ui, Ink::Quiet);
                            icon_ui(
                                ui,
                                if entry.is_file {
                                    Icon::Learn
                                } else {
                                    Icon::Open
                                },
                                18.0,
                                color,
                            );
                            say_ui(ui, &entry.name, Type::Body, Ink::Text);
                        });
                    });
            })
            .response
        })
        .inner;
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &entry.name));
    if response.hovered() {
        let fill = theme::ink(ui, Ink::Wash);
        ui.painter().set(
            ground,
            egui::epaint::RectShape::filled(response.rect, radius::CONTROL, fill),
        );
    }
    theme::focus_ring(ui, &response, radius::CONTROL);
    response
}
