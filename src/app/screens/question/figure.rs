//! The card at the right: the worked example as a figure one can take hold of, or as its table, with what can be done to it.

use egui::{Margin, Ui, Vec2};

use crate::app::asking::Asking;
use crate::app::command::Command;
use crate::app::figures;
use crate::app::live::Live;
use crate::app::messages::AppMsg;
use crate::app::outbox::{Change, Outbox};
use crate::app::screens::actions::{Action, Lines};
use crate::app::screens::prose::{say_ui, spans_ui};
use crate::app::state::AppState;
use crate::app::theme::{Ink, Type, space};
use crate::app::widgets::figure::{FigureView, figure_ui};
use crate::app::widgets::figure_table::table_ui;
use crate::app::widgets::{Card, segmented_ui};
use crate::figure::{self, FigureKind, Target};
use crate::quiz::Form;
use crate::worked_example::WorkedExample;

const PADDING: f32 = 22.0;
/// Below this, a figure cannot be read: the card scrolls instead.
const LEAST_FIGURE_HEIGHT: f32 = 190.0;

/// The card, `height` points high.
pub fn card_ui(ui: &mut Ui, state: &AppState, asking: &Asking, height: f32, out: &mut Outbox) {
    let Some(live) = &asking.live else { return };
    let words = &state.words;
    Card::new().margin(Margin::same(PADDING as i8)).show(ui, |ui| {
        let width = ui.available_width();
        ui.set_width(width);
        let inner_height = height - 2.0 * PADDING;
        ui.set_min_height(inner_height);
        ui.spacing_mut().item_spacing = Vec2::new(space::SMALL, space::SMALL);
        let top = ui.cursor().top();
        tabs_ui(ui, state, asking, out);
        let lines = Lines::of(ui, state, actions(state), width);
        let notes = notes(state, asking, live);
        let foot = lines.height() + notes.len() as f32 * 22.0 + who_asks_height(asking, live) + space::MEDIUM;
        let motion = live.motion(state.now_seconds);
        if motion < 1.0 {
            ui.ctx().request_repaint();
        }
        let head = 34.0;
        let used = ui.cursor().top() - top;
        let size = [width, (inner_height - used - head - foot).max(LEAST_FIGURE_HEIGHT)];
        if let Some(drawing) = figures::drawing(asking, words, size, motion) {
            let before = caption(asking);
            let headline = spans_ui(ui, &drawing.headline, words);
            if headline.is_none()
                && let Some(caption) = before
            {
                ui.vertical_centered(|ui| say_ui(ui, words.say(&caption), Type::Body, Ink::Quiet));
            }
            let continuing = ui.input(|input| input.pointer.any_down() && !input.pointer.any_pressed());
            let with_table = asking.as_table || has_room_for_table(&drawing, asking, size[1]);
            let set = ui
                .push_id(asking.figure, |ui| {
                    if asking.as_table {
                        table_ui(ui, &drawing.table, words)
                    } else {
                        let mut set = figure_ui(ui, &drawing, FigureView::Live);
                        if with_table {
                            set.extend(table_ui(ui, &drawing.table, words));
                        }
                        set
                    }
                })
                .inner;
            for (target, value) in set {
                send(target, value, continuing, out);
            }
        }
        let rest = top + inner_height - foot + space::MEDIUM - ui.cursor().top();
        ui.add_space(rest.max(space::SMALL));
        who_asks_ui(ui, state, asking, live, out);
        lines.ui(ui, out);
        for (note, ink) in notes {
            say_ui(ui, note, Type::Small, ink);
        }
    });
}

/// A handle's or cell's new value; what is said as a focus word goes its own way, as it is chosen and not measured.
fn send(target: Target, value: f64, continuing: bool, out: &mut Outbox) {
    out.change(Change::Set { target, value, continuing });
}

/// The figures there are, where there are several.
fn tabs_ui(ui: &mut Ui, state: &AppState, asking: &Asking, out: &mut Outbox) {
    let figures = asking.figures();
    if figures.len() < 2 {
        return;
    }
    let mut chosen = asking.figure.min(figures.len() - 1);
    let names: Vec<String> = figures.iter().map(|kind| figure::name(*kind, &state.words)).collect();
    let options: Vec<(usize, &str)> = names.iter().enumerate().map(|(at, name)| (at, name.as_str())).collect();
    if segmented_ui(ui, &mut chosen, &options) {
        out.change(Change::ShowFigure(chosen));
    }
}

/// Before the answer: what one may do with the figure.
fn caption(asking: &Asking) -> Option<AppMsg> {
    if asking.is_answered() {
        return None;
    }
    match (asking.figure_shown()?, &asking.asked().form) {
        (FigureKind::Balance, _) => Some(AppMsg::WhereWouldItBalance),
        (FigureKind::Weights, Form::Weights { .. }) => Some(AppMsg::SetTheWeights),
        _ => None,
    }
}

/// The short table of the beam stands under it where there is room, as the design has it.
fn has_room_for_table(drawing: &crate::figure::Drawing, asking: &Asking, height: f32) -> bool {
    let rows = drawing.table.rows.len() as f32;
    asking.is_answered() && asking.figure_shown() == Some(FigureKind::Balance) && rows > 0.0 && height > 420.0
}

/// What can be done to the example; each only where it can be done.
fn actions(state: &AppState) -> Vec<Action> {
    [
        Command::WriteOut,
        Command::EqualWeights,
        Command::DrawTen,
        Command::DrawHundred,
        Command::DrawThousand,
        Command::Reset,
        Command::Undo,
        Command::Table,
        Command::CopyPicture,
        Command::SavePicture,
    ]
    .map(|command| Action::new(state, command))
    .into()
}

/// What is said under the buttons: whose numbers these are, and what the answer would be with them.
fn notes(state: &AppState, asking: &Asking, live: &Live) -> Vec<(String, Ink)> {
    let words = &state.words;
    if !asking.is_answered() {
        let after = asking.figure_shown() == Some(FigureKind::Balance);
        return after.then(|| (words.say(&AppMsg::AnswerAndLetGo), Ink::Quiet)).into_iter().collect();
    }
    if !live.is_changed() {
        return vec![(words.say(&AppMsg::TheseAreTheQuestions), Ink::Quiet)];
    }
    let would = asking.would_be_right().map(|right| {
        let message = if right { AppMsg::WouldBeRight } else { AppMsg::WouldBeWrong };
        (words.say(&message), Ink::Text)
    });
    std::iter::once((words.say(&AppMsg::NumbersChanged), Ink::Text)).chain(would).collect()
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

fn who_asks_height(asking: &Asking, live: &Live) -> f32 {
    if askers(asking, live).is_some() { 24.0 + 33.0 + 2.0 * space::SMALL } else { 0.0 }
}

fn who_asks_ui(ui: &mut Ui, state: &AppState, asking: &Asking, live: &Live, out: &mut Outbox) {
    let Some((tokens, focus)) = askers(asking, live) else { return };
    say_ui(ui, state.words.say(&AppMsg::WhoAsks), Type::Small, Ink::Quiet);
    let mut chosen = focus;
    let options: Vec<(usize, &str)> = tokens.iter().enumerate().map(|(at, token)| (at, token.as_str())).collect();
    if segmented_ui(ui, &mut chosen, &options) {
        out.change(Change::Focus(chosen));
    }
}
