//! The card at the right: the worked example as a figure one can take hold of, or as its table, with what can be done to it.

use egui::{Align, Frame, Layout, Margin, Rect, ScrollArea, Ui, UiBuilder, Vec2, pos2, vec2};

use super::form::announce;

use crate::app::asking::Asking;
use crate::app::command::Command;
use crate::app::figures;
use crate::app::icons::Icon;
use crate::app::live::Live;
use crate::app::messages::AppMsg;
use crate::app::outbox::{Change, Outbox};
use crate::app::screens::actions::{Action, Lines};
use crate::app::screens::prose::{say_ui, spans_ui};
use crate::app::state::AppState;
use crate::app::theme::{self, CONTROL_HEIGHT, Ink, Type, radius, space};
use crate::app::widgets::figure::{FigureView, figure_ui};
use crate::app::widgets::figure_table::table_ui;
use crate::app::widgets::{Card, icon_button_ui, segmented_ui};
use crate::figure::{self, Chart, Drawing, FigureKind, Picture, Scene, Table};
use crate::text::{Face, faces};
use crate::worked_example::{Quantity, WorkedExample};

const PADDING: f32 = 22.0;
/// Below this, a figure cannot be read: the card scrolls instead.
const LEAST_FIGURE_HEIGHT: f32 = 200.0;
/// The tabs or the headline with the icon buttons.
const HEADLINE_HEIGHT: f32 = 34.0;
/// A line of notes.
const NOTE_HEIGHT: f32 = 20.0;
/// Around the notes where they stand out.
const BANNER_PADDING: f32 = 8.0;
/// In a lower card there is no room for a note that says nothing new.
const NOTES_FROM: f32 = 560.0;
/// Room for the scroll bar in the card's margin.
const SCROLL_BAR: f32 = 14.0;
/// A row of the table.
const TABLE_ROW_HEIGHT: f32 = 31.0;

/// The card, `height` points high.
pub fn card_ui(ui: &mut Ui, state: &AppState, asking: &Asking, height: f32, out: &mut Outbox) {
    let Some(live) = &asking.live else { return };
    Card::new()
        .margin(Margin::same(PADDING as i8))
        .show(ui, |ui| {
            let size = vec2(ui.available_width(), height - 2.0 * PADDING);
            let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
            let lines = Lines::of(ui, state, actions(state, asking, live), size.x);
            let notes = notes(state, asking, live, height);
            let asks = if askers(asking, live).is_some() {
                CONTROL_HEIGHT + space::SMALL
            } else {
                0.0
            };
            let noted = match notes.lines.len() {
                0 => 0.0,
                lines => {
                    lines as f32 * NOTE_HEIGHT
                        + space::SMALL
                        + if notes.stands_out {
                            2.0 * BANNER_PADDING
                        } else {
                            0.0
                        }
                }
            };
            let foot_height = lines.height() + noted + asks;
            let foot = Rect::from_min_max(pos2(rect.left(), rect.bottom() - foot_height), rect.max);
            let gap = if foot_height > 0.0 {
                space::MEDIUM
            } else {
                0.0
            };
            let body = Rect::from_min_max(rect.min, pos2(rect.right(), foot.top() - gap));
            // The scroll bar stands in the card's margin.
            let with_bar = Rect::from_min_max(body.min, body.max + vec2(SCROLL_BAR, 0.0));
            child(ui, with_bar, |ui| {
                body_ui(ui, state, asking, live, body.size(), out)
            });
            child(ui, foot, |ui| {
                who_asks_ui(ui, state, asking, live, out);
                lines.ui(ui, out);
                notes_ui(ui, &notes);
            });
        });
}

/// A part of the card at its own place, which moves nothing else.
fn child(ui: &mut Ui, rect: Rect, contents: impl FnOnce(&mut Ui)) {
    let mut part = ui.new_child(
        UiBuilder::new()
            .max_rect(rect)
            .layout(Layout::top_down(Align::Min)),
    );
    part.spacing_mut().item_spacing = Vec2::splat(space::SMALL);
    contents(&mut part);
}

/// Tabs, headline, picture and, where there is room, its table.
fn body_ui(
    ui: &mut Ui,
    state: &AppState,
    asking: &Asking,
    live: &Live,
    size: Vec2,
    out: &mut Outbox,
) {
    let words = &state.words;
    let motion = live.motion(state.now_seconds);
    if motion < 1.0 {
        ui.ctx().request_repaint();
    }
    let tabs = if asking.figures().len() > 1 {
        CONTROL_HEIGHT + space::SMALL
    } else {
        0.0
    };
    let room = size.y - tabs - HEADLINE_HEIGHT - space::SMALL;
    let Some(drawing) = figures::drawing(
        asking,
        words,
        [size.x, room.max(LEAST_FIGURE_HEIGHT)],
        motion,
    ) else {
        return;
    };
    tabs_ui(ui, state, asking, out);
    let continuing = ui.input(|input| input.pointer.any_down() && !input.pointer.any_pressed());
    let spare = room - picture_height(&drawing);
    let below = short_table(&drawing);
    let with_table =
        asking.is_answered() && spare > below.rows.len() as f32 * TABLE_ROW_HEIGHT + 56.0;
    let set = ScrollArea::vertical()
        .id_salt(("figure", asking.figure))
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.set_max_width(size.x);
            if asking.is_answered() {
                headline_ui(ui, state, asking, &drawing, out);
            } else {
                // Before the answer nothing stands under the picture: it stands in the middle.
                ui.add_space((spare / 2.0 - space::MEDIUM).max(0.0).floor());
                let caption: String = drawing
                    .headline
                    .iter()
                    .map(|span| span.text.as_str())
                    .collect();
                let wide = faces::width(&caption, Face::Sans, Type::Body.font().size) > size.x;
                let kind = if wide { Type::Small } else { Type::Body };
                ui.vertical_centered(|ui| say_ui(ui, caption, kind, Ink::Quiet));
                ui.add_space(space::SMALL);
            }
            if asking.as_table && asking.is_answered() {
                return table_ui(ui, &drawing.table, words);
            }
            let shown = ui.scope(|ui| figure_ui(ui, &drawing, FigureView::Live));
            enter_goes_on(ui, shown.response.rect, out);
            let mut set = shown.inner;
            if !asking.is_answered() && asking.figure_shown() == Some(FigureKind::Balance) {
                ui.add_space(space::LARGE);
                ui.vertical_centered(|ui| {
                    say_ui(
                        ui,
                        words.say(&AppMsg::AnswerAndLetGo),
                        Type::Small,
                        Ink::Quiet,
                    )
                });
            }
            if with_table {
                ui.add_space(space::MEDIUM);
                set.extend(table_ui(ui, &below, words));
            }
            set
        })
        .inner;
    for (target, value) in set {
        out.change(Change::Set {
            target,
            value,
            continuing,
        });
    }
}

/// A handle of the figure has no use for Enter: there it means *Answer* or *Next*, as it does everywhere else.
fn enter_goes_on(ui: &Ui, figure: Rect, out: &mut Outbox) {
    let focused = ui.memory(|memory| memory.focused());
    let handle = focused.and_then(|id| ui.ctx().read_response(id));
    if let Some(handle) = handle.filter(|handle| figure.contains(handle.rect.center())) {
        out.enter_goes_on.push(handle.id);
    }
}

/// The headline with what can be done with the picture itself at its right.
fn headline_ui(
    ui: &mut Ui,
    state: &AppState,
    asking: &Asking,
    drawing: &Drawing,
    out: &mut Outbox,
) {
    debug_assert!(asking.is_answered(), "the buttons are for after the answer");
    let width = ui.available_width();
    ui.allocate_ui_with_layout(
        vec2(width, HEADLINE_HEIGHT),
        Layout::right_to_left(Align::Center),
        |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for (command, icon) in [
                (Command::SavePicture, Icon::Picture),
                (Command::CopyPicture, Icon::Copy),
            ] {
                let name = command.label(&state.words);
                let hint = command
                    .cap()
                    .map_or_else(|| name.clone(), |cap| format!("{name}  {cap}"));
                if icon_button_ui(ui, icon, &name)
                    .on_hover_text(hint)
                    .clicked()
                {
                    out.command(command);
                }
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                spans_ui(ui, &drawing.headline, &state.words)
            });
        },
    );
}

fn picture_height(drawing: &Drawing) -> f32 {
    match &drawing.picture {
        Picture::Chart(Chart {
            size: [_, height], ..
        })
        | Picture::Scene(Scene {
            size: [_, height], ..
        }) => *height,
    }
}

/// The rows that have something under each column: what a picture does not say by itself. The whole table is one key away.
fn short_table(drawing: &Drawing) -> Table {
    let mut table = drawing.table.clone();
    table
        .rows
        .retain(|row| row.cells.iter().any(|cell| !cell.text.is_empty()));
    table
}

/// The figures there are, where there are several.
fn tabs_ui(ui: &mut Ui, state: &AppState, asking: &Asking, out: &mut Outbox) {
    let figures = asking.figures();
    if figures.len() < 2 {
        return;
    }
    let mut chosen = asking.figure.min(figures.len() - 1);
    let names: Vec<String> = figures
        .iter()
        .map(|kind| figure::name(*kind, &state.words))
        .collect();
    let options: Vec<(usize, &str)> = names
        .iter()
        .enumerate()
        .map(|(at, name)| (at, name.as_str()))
        .collect();
    if segmented_ui(ui, &mut chosen, &options) {
        out.change(Change::ShowFigure(chosen));
    }
}

/// What can be done to the example; each only where it can be done.
fn actions(state: &AppState, asking: &Asking, live: &Live) -> Vec<Action> {
    let words = &state.words;
    let action = |command| Action::new(state, command);
    let people = live
        .now()
        .number(Quantity::Total)
        .unwrap_or_default()
        .round() as usize;
    let write_out = if live.written_out {
        AppMsg::PutTogether
    } else {
        AppMsg::WriteOutAll { n: people }
    };
    let table = if asking.as_table {
        AppMsg::AsPicture
    } else {
        AppMsg::AsTable
    };
    let mut actions = vec![
        action(Command::WriteOut).label(words.say(&write_out)),
        action(Command::EqualWeights),
        action(Command::DrawTen),
        action(Command::DrawHundred),
        action(Command::DrawThousand),
        action(Command::Table).label(words.say(&table)),
    ];
    actions.extend([Command::Reset, Command::Undo, Command::Redo].map(action));
    actions
}

/// What is said under the buttons.
struct Notes {
    lines: Vec<String>,
    /// The numbers are no longer the question's: it must not be overlooked.
    stands_out: bool,
}

/// Whose numbers these are, and what the answer would be with them.
fn notes(state: &AppState, asking: &Asking, live: &Live, height: f32) -> Notes {
    let words = &state.words;
    if !asking.is_answered() {
        return Notes {
            lines: Vec::new(),
            stands_out: false,
        };
    }
    if !live.is_changed() {
        // In a small window the figure needs the room more.
        let lines = if height < NOTES_FROM {
            Vec::new()
        } else {
            vec![words.say(&AppMsg::TheseAreTheQuestions)]
        };
        return Notes {
            lines,
            stands_out: false,
        };
    }
    let would = asking.would_be_right().map(|right| {
        words.say(if right {
            &AppMsg::WouldBeRight
        } else {
            &AppMsg::WouldBeWrong
        })
    });
    let changed = if live.only_focus_changed() {
        AppMsg::AnotherWordAsks
    } else {
        AppMsg::NumbersChanged
    };
    Notes {
        lines: std::iter::once(words.say(&changed)).chain(would).collect(),
        stands_out: true,
    }
}

fn notes_ui(ui: &mut Ui, notes: &Notes) {
    let Notes { lines, stands_out } = notes;
    let (frame, ink) = if *stands_out {
        let wash = Frame::new()
            .fill(theme::ink(ui, Ink::Wash))
            .corner_radius(radius::CONTROL);
        (
            wash.inner_margin(Margin::symmetric(12, BANNER_PADDING as i8)),
            Ink::Text,
        )
    } else {
        (Frame::new(), Ink::Quiet)
    };
    if lines.is_empty() {
        return;
    }
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 0.0;
        for line in lines {
            let line = ui
                .allocate_ui(vec2(ui.available_width(), NOTE_HEIGHT), |ui| {
                    say_ui(ui, line, Type::Small, ink)
                })
                .inner;
            if *stands_out {
                announce(ui, &line);
            }
        }
    });
}

/// The words that can ask, where each has a query of its own.
fn askers(asking: &Asking, live: &Live) -> Option<(Vec<String>, usize)> {
    match live.now().example() {
        WorkedExample::Attention(example) if asking.is_answered() && example.q.nrows() > 1 => {
            Some((example.tokens.clone(), example.focus))
        }
        _ => None,
    }
}

fn who_asks_ui(ui: &mut Ui, state: &AppState, asking: &Asking, live: &Live, out: &mut Outbox) {
    let Some((tokens, focus)) = askers(asking, live) else {
        return;
    };
    let mut chosen = focus;
    let options: Vec<(usize, &str)> = tokens
        .iter()
        .enumerate()
        .map(|(at, token)| (at, token.as_str()))
        .collect();
    let label = state.words.say(&AppMsg::WhoAsks);
    let pills = tokens
        .iter()
        .map(|token| faces::width(token, Face::Sans, Type::Button.font().size) + 36.0);
    let has_room = pills.sum::<f32>() + faces::width(&label, Face::Sans, Type::Small.font().size)
        < ui.available_width();
    ScrollArea::horizontal().id_salt("asks").show(ui, |ui| {
        ui.horizontal(|ui| {
            if has_room {
                say_ui(ui, &label, Type::Small, Ink::Quiet);
            }
            if segmented_ui(ui, &mut chosen, &options) {
                out.change(Change::Focus(chosen));
            }
        });
    });
}
