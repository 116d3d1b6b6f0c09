//! The palette (Ctrl+K): every command that can be done now and every question of every quiz, by a few letters.

use egui::{
    Align, Align2, Context, Id, Key, Layout, Margin, Modal, Modifiers, Response, Role, ScrollArea,
    Sense, TextEdit, Ui, UiBuilder, WidgetInfo,
};

use super::prose::say_ui;
use crate::app::command::Command;
use crate::app::messages::AppMsg;
use crate::app::outbox::{Change, FocusWish, Outbox, Sent};
use crate::app::state::{AppState, Screen};
use crate::app::theme::{self, Ink, Type, radius, space};
use crate::app::widgets::keycap_ui;

/// So many lines are offered at once.
const MOST: usize = 60;

/// One line.
struct Line {
    label: String,
    /// The keycap, or the quiz a question is of.
    aside: Aside,
    sends: Sent,
}

enum Aside {
    Nothing,
    Key(String),
    Quiz(String),
}

/// The window over the screen.
pub fn palette_ui(
    ctx: &Context,
    state: &AppState,
    filter: &str,
    selected: usize,
    out: &mut Outbox,
) {
    let words = &state.words;
    let room = ctx.content_rect().size();
    let area = Modal::default_area(Id::unique("palette")).anchor(Align2::CENTER_TOP, [0.0, 72.0]);
    let response = Modal::new(Id::unique("palette"))
        .area(area)
        .frame(super::over_frame(ctx, 16))
        .show(ctx, |ui| {
            ui.set_width((room.x - 96.0).min(620.0));
            let lines = lines(state, filter);
            let selected = selected.min(lines.len().saturating_sub(1));
            let shown = Id::unique("palette-shown");
            let now = (selected, lines.len());
            let moved = ui.data(|data| data.get_temp(shown) != Some(now));
            if moved {
                ui.data_mut(|data| data.insert_temp(shown, now));
                // The window takes its size from the frame before.
                ui.ctx().request_repaint();
            }
            let pressed =
                |ui: &Ui, key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
            if pressed(ui, Key::ArrowDown) && selected + 1 < lines.len() {
                out.change(Change::Select(selected + 1));
            }
            if pressed(ui, Key::ArrowUp) {
                out.change(Change::Select(selected.saturating_sub(1)));
            }
            let entered = pressed(ui, Key::Enter);
            let mut text = filter.to_owned();
            let hint = words.say(&AppMsg::PaletteHint);
            let field = ui.add(
                TextEdit::singleline(&mut text)
                    .id(Id::unique("palette-filter"))
                    .hint_text(&hint)
                    .font(Type::Body.font())
                    .desired_width(f32::INFINITY)
                    .margin(Margin::symmetric(12, 8)),
            );
            field.widget_info(|| {
                let mut info = WidgetInfo::text_edit(true, filter, &text, "");
                info.label = Some(hint.clone());
                info
            });
            // There is nothing else to type into while the palette lies on top.
            if !field.has_focus() {
                field.request_focus();
            }
            out.focus = out.focus.filter(|wish| *wish != FocusWish::Field);
            if text != filter {
                out.change(Change::Filter(text));
            }
            ui.add_space(space::SMALL);
            if lines.is_empty() {
                say_ui(
                    ui,
                    words.say(&AppMsg::PaletteNothing),
                    Type::Body,
                    Ink::Quiet,
                );
            }
            ScrollArea::vertical()
                .max_height(room.y - 260.0)
                .auto_shrink([false, true])
                .show(ui, |ui| {
                    ui.spacing_mut().item_spacing.y = 2.0;
                    for (at, line) in lines.iter().enumerate() {
                        let response = ui.push_id(at, |ui| line_ui(ui, line, at == selected)).inner;
                        // Scrolling asks for a frame: only when there is something new to bring into sight.
                        if at == selected && moved {
                            response.scroll_to_me(None);
                        }
                        if response.clicked() || (entered && at == selected) {
                            out.command(Command::Back);
                            out.sent.push(line.sends.clone());
                        }
                    }
                });
        });
    if response.backdrop_response.clicked() {
        out.command(Command::Back);
    }
}

fn line_ui(ui: &mut Ui, line: &Line, selected: bool) -> Response {
    let width = ui.available_width();
    let ground = ui.painter().add(egui::Shape::Noop);
    let response = ui
        .scope_builder(UiBuilder::new().sense(Sense::click()), |ui| {
            ui.style_mut().interaction.selectable_labels = false;
            egui::Frame::new()
                .inner_margin(Margin::symmetric(12, 5))
                .show(ui, |ui| {
                    let size = egui::vec2(width - 24.0, 24.0);
                    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
                        match &line.aside {
                            Aside::Nothing => {}
                            Aside::Key(cap) => {
                                keycap_ui(ui, cap);
                            }
                            Aside::Quiz(title) => {
                                say_ui(ui, title, Type::Small, Ink::Quiet);
                            }
                        }
                        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                            let color = theme::ink(ui, Ink::Text);
                            let text = egui::RichText::new(&line.label)
                                .font(Type::Body.font())
                                .color(color);
                            ui.add(egui::Label::new(text).truncate());
                        });
                    });
                });
        })
        .response;
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, selected, &line.label));
    if selected || response.hovered() {
        let fill = theme::ink(ui, Ink::Wash);
        ui.painter().set(
            ground,
            egui::epaint::RectShape::filled(response.rect, radius::CONTROL, fill),
        );
    }
    response
}

/// What the filter leaves: every word of it must stand somewhere in the line.
fn lines(state: &AppState, filter: &str) -> Vec<Line> {
    let words = &state.words;
    let wanted: Vec<String> = filter.split_whitespace().map(str::to_lowercase).collect();
    let fits = |text: &str| {
        let text = text.to_lowercase();
        wanted.iter().all(|word| text.contains(word))
    };
    let commands = Command::ALL
        .into_iter()
        .filter(|command| {
            // On the summary, *Next* is *Again those*, which is listed by its own name.
            let twice = *command == Command::Next && state.screen == Screen::Summary;
            let has_line = !matches!(command, Command::Palette | Command::Back) && !twice;
            has_line && state.can(*command)
        })
        .map(|command| Line {
            label: command.label(words),
            aside: command.cap().map_or(Aside::Nothing, Aside::Key),
            sends: Sent::Command(command),
        })
        .filter(|line| fits(&line.label));
    let phrase = filter.trim().to_lowercase();
    let mut found: Vec<_> = state
        .listed_questions()
        .iter()
        .filter(|question| wanted.iter().all(|word| question.searched.contains(word)))
        .collect();
    // What stands there as it was typed comes before what holds the words apart.
    found.sort_by_key(|question| !question.searched.contains(&phrase));
    let questions = found.into_iter().map(|question| Line {
        label: question.prompt.clone(),
        aside: Aside::Quiz(question.title.clone()),
        sends: Sent::Change(Change::GoTo {
            quiz: question.quiz.clone(),
            question: question.id.clone(),
        }),
    });
    commands.chain(questions).take(MOST).collect()
}
