//! A question: the head with the way back and the dots, then two columns (or one, where the window is narrow), or the table of readings.

mod explained;
mod figure;
mod form;
mod readings;

use egui::{Align, Frame, Layout, Margin, Rect, ScrollArea, Ui, UiBuilder, Vec2, pos2, vec2};

use super::actions::{Action, Lines};
use super::prose::{document_ui, say_ui};
use crate::app::asking::Asking;
use crate::app::command::Command;
use crate::app::messages::AppMsg;
use crate::app::outbox::{FocusWish, Outbox};
use crate::app::state::{AppState, Run};
use crate::app::theme::{Ink, Type, space};
use crate::app::widgets::{Step, link_button_ui, progress_dots_ui};
use crate::quiz::Verdict;
use crate::text::Style;

/// Below this width of the page, one column.
const TWO_COLUMNS_FROM: f32 = 780.0;
const MARGIN: f32 = 28.0;
const HEAD_HEIGHT: f32 = 58.0;
/// The left column's share of two.
const LEFT_SHARE: f32 = 0.495;
/// The figure card's height where it stands in one column.
const CARD_HEIGHT: f32 = 520.0;
/// Room for the focus ring around what stands at a column's edge.
const RING: f32 = 5.0;
/// Room for the scroll bar beside the column.
const SCROLL_BAR: f32 = 14.0;
/// The gaps around the way on, without and with the line that says what to do first.
const FOOT: f32 = 22.0;
const FOOT_WITH_WORDS: f32 = 52.0;
/// The table of readings is not drawn wider.
const READINGS_WIDTH: f32 = 948.0;

/// The screen.
pub fn question_ui(ui: &mut Ui, state: &AppState, out: &mut Outbox) {
    let (Some(run), Some(asking)) = (state.run(), state.asking()) else {
        return;
    };
    let whole = ui.available_rect_before_wrap();
    let head =
        Rect::from_min_size(whole.min, vec2(whole.width(), HEAD_HEIGHT)).shrink2(vec2(MARGIN, 0.0));
    ui.scope_builder(UiBuilder::new().max_rect(head), |ui| {
        head_ui(ui, state, run, out)
    });
    let page = Rect::from_min_max(whole.min + vec2(0.0, HEAD_HEIGHT), whole.max);
    // The scroll position belongs to the question: a new one begins at its top.
    ui.push_id((&asking.question.id, asking.is_answered()), |ui| {
        ui.scope_builder(UiBuilder::new().max_rect(page), |ui| {
            let has_readings = asking
                .explanation()
                .is_some_and(|explanation| explanation.readings.is_some());
            if has_readings || asking.figures().is_empty() {
                single_ui(ui, page, READINGS_WIDTH, state, asking, out, |_, _| {});
            } else if page.width() >= TWO_COLUMNS_FROM {
                columns_ui(ui, page, state, asking, out);
            } else {
                single_ui(ui, page, f32::INFINITY, state, asking, out, |ui, out| {
                    ui.add_space(space::MEDIUM);
                    figure::card_ui(ui, state, asking, CARD_HEIGHT, out);
                });
            }
        });
    });
}

/// The way back, the quiz, the place, and a dot a question.
fn head_ui(ui: &mut Ui, state: &AppState, run: &Run, out: &mut Outbox) {
    let words = &state.words;
    let session = &run.session;
    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = space::SMALL;
        if link_button_ui(ui, &words.say(&AppMsg::Learn)).clicked() {
            out.command(Command::Learn);
        }
        say_ui(ui, "›", Type::Body, Ink::Quiet);
        let (number, of) = (session.at() + 1, session.order().len());
        let place = words.say(&AppMsg::PlaceOf { number, of });
        let steps = steps(state, run);
        let dots = dots_width(&steps);
        let room = ui.available_width() - dots - 90.0;
        let color = crate::app::theme::ink(ui, Ink::Text);
        let title = egui::RichText::new(&session.quiz().title)
            .font(Type::Strong.font())
            .color(color);
        ui.scope(|ui| {
            ui.set_max_width(room.max(60.0));
            ui.add(egui::Label::new(title).truncate());
        });
        say_ui(ui, &place, Type::Small, Ink::Quiet);
        if dots < ui.available_width() {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                progress_dots_ui(ui, &steps, &place);
            });
        }
    });
}

/// As [`progress_dots_ui`] draws them.
fn dots_width(steps: &[Step]) -> f32 {
    steps.len() as f32 * 15.0 + 16.0
}

fn steps(state: &AppState, run: &Run) -> Vec<Step> {
    let here = run.session.at();
    let step = |(place, id): (usize, &String)| match state.verdict_of(id) {
        _ if place == here => Step::Current,
        Some(Verdict::Right | Verdict::Open) => Step::Right,
        Some(Verdict::Wrong | Verdict::Partly) => Step::Wrong,
        None => Step::Ahead,
    };
    run.session.order().iter().enumerate().map(step).collect()
}

/// Question and answer on the left, the example on the right.
fn columns_ui(ui: &mut Ui, page: Rect, state: &AppState, asking: &Asking, out: &mut Outbox) {
    let inner = Rect::from_min_max(page.min + vec2(MARGIN, 1.0), page.max - vec2(MARGIN, 20.0));
    let width = ((inner.width() - space::LARGE) * LEFT_SHARE).floor();
    let left = Rect::from_min_size(inner.min, vec2(width, inner.height()));
    let right = Rect::from_min_max(inner.min + vec2(width + space::LARGE, 0.0), inner.max);
    // Room for the focus ring at the left, for the scroll bar at the right: neither may stand on the words.
    let room = Rect::from_min_max(left.min - vec2(RING, 0.0), left.max + vec2(SCROLL_BAR, 0.0));
    ui.scope_builder(UiBuilder::new().max_rect(room), |ui| {
        left_ui(ui, state, asking, left.size(), out, |_, _| {});
    });
    ui.scope_builder(UiBuilder::new().max_rect(right), |ui| {
        figure::card_ui(ui, state, asking, right.height(), out)
    });
}

/// All of it one under the other, as wide as `most` allows, in the middle.
fn single_ui(
    ui: &mut Ui,
    page: Rect,
    most: f32,
    state: &AppState,
    asking: &Asking,
    out: &mut Outbox,
    below: impl FnOnce(&mut Ui, &mut Outbox),
) {
    let room = page.shrink2(vec2(MARGIN, 0.0));
    let size = vec2(room.width().min(most), room.height() - 20.0).floor();
    let left = (room.center().x - size.x / 2.0).floor();
    let column = Rect::from_min_size(pos2(left - RING, room.top()), size)
        .with_max_x(left + size.x + SCROLL_BAR);
    ui.scope_builder(UiBuilder::new().max_rect(column), |ui| {
        left_ui(ui, state, asking, size, out, below);
    });
}

/// The prompt, then the form, or the explanation, then what belongs below, and under it all the way on. The way on stays in sight: what
/// does not fit above it scrolls, from its top.
fn left_ui(
    ui: &mut Ui,
    state: &AppState,
    asking: &Asking,
    size: Vec2,
    out: &mut Outbox,
    below: impl FnOnce(&mut Ui, &mut Outbox),
) {
    ui.spacing_mut().item_spacing = Vec2::new(space::SMALL, 10.0);
    let width = size.x;
    let lines = Lines::of(ui, state, actions(state, asking), width);
    let says_first = !asking.is_answered() && !asking.can_submit();
    let foot = if says_first { FOOT_WITH_WORDS } else { FOOT };
    let text = ScrollArea::vertical()
        .id_salt("left")
        .auto_shrink([false, true]);
    text.max_height(size.y - lines.height() - foot)
        .show(ui, |ui| {
            Frame::new()
                .inner_margin(Margin {
                    left: RING as i8,
                    right: 0,
                    top: 4,
                    bottom: 4,
                })
                .show(ui, |ui| {
                    ui.set_width(width);
                    text_ui(ui, state, asking, out);
                    below(ui, out);
                });
        });
    ui.add_space(2.0);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.add_space(RING);
        ui.vertical(|ui| {
            lines.ui(ui, out);
            if says_first {
                form::what_first_ui(ui, state, asking);
            }
        });
    });
    // Where nothing took the focus that was wished for, the way on is not lost: it is the first thing Tab reaches.
    out.focus = out.focus.filter(|wish| *wish != FocusWish::Main);
}

/// The prompt, and the form or the explanation.
fn text_ui(ui: &mut Ui, state: &AppState, asking: &Asking, out: &mut Outbox) {
    document_ui(ui, &asking.asked().prompt, &Style::prompt(), &state.words);
    ui.add_space(6.0);
    let Some(explanation) = asking.explanation() else {
        form::form_ui(ui, state, asking, out);
        return;
    };
    explained::verdict_ui(ui, state, asking);
    match &explanation.readings {
        Some(table) => readings::readings_ui(ui, state, table),
        None => explained::explained_ui(ui, state, asking, explanation, out),
    }
    explained::afterwards_ui(ui, state, explanation);
}

/// The way on.
fn actions(state: &AppState, asking: &Asking) -> Vec<Action> {
    if !asking.is_answered() {
        return vec![
            Action::new(state, Command::Submit).filled().stays(),
            Action::new(state, Command::Hint),
        ];
    }
    let last = state
        .run()
        .is_some_and(|run| run.session.at() + 1 == run.session.order().len());
    let next = Action::new(state, Command::Next).filled();
    let next = if last {
        next.label(state.words.say(&AppMsg::ToSummary))
    } else {
        next
    };
    vec![
        next,
        Action::new(state, Command::OtherNumbers),
        Action::new(state, Command::CopyReply),
    ]
}
