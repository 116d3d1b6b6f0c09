//! How far one is: dots for the questions of a quiz, a ring for a quiz on its card.

use std::f32::consts::TAU;

use egui::{
    CornerRadius, Pos2, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo, vec2,
};

use crate::app::theme::{self, Ink};

const DOT: f32 = 9.0;
const PILL: f32 = 22.0;
const GAP: f32 = 6.0;
const RING_WIDTH: f32 = 4.0;

/// One question of a quiz.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Not yet asked.
    Ahead,
    /// On the screen.
    Current,
    /// Answered right.
    Right,
    /// Answered wrong.
    Wrong,
}

/// A row of dots, one a question. `label` says the same in words.
pub fn progress_dots_ui(ui: &mut Ui, steps: &[Step], label: &str) -> Response {
    let width_of = |step: &Step| if *step == Step::Current { PILL } else { DOT };
    let gaps = GAP * steps.len().saturating_sub(1) as f32;
    let width = steps.iter().map(width_of).sum::<f32>() + gaps;
    let (rect, response) = ui.allocate_exact_size(vec2(width, DOT), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, label));
    let painter = ui.painter();
    let round = CornerRadius::same((DOT / 2.0).ceil() as u8);
    let mut left = rect.left();
    for step in steps {
        let place = Rect::from_min_size(Pos2::new(left, rect.top()), vec2(width_of(step), DOT));
        match step {
            Step::Ahead => painter.rect_filled(place, round, theme::ink(ui, Ink::Line)),
            Step::Current => painter.rect_filled(place, round, theme::ink(ui, Ink::Accent)),
            Step::Right => painter.rect_filled(place, round, theme::ink(ui, Ink::Right)),
            Step::Wrong => {
                let ring = Stroke::new(2.0, theme::ink(ui, Ink::Wrong));
                painter.rect_stroke(place, round, ring, StrokeKind::Inside)
            }
        };
        left += place.width() + GAP;
    }
    response
}

/// A ring filled clockwise from the top; `share` runs from 0 to 1. `label` says the same in words.
pub fn progress_ring_ui(ui: &mut Ui, share: f32, size: f32, label: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(size), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, label));
    let painter = ui.painter();
    // egui draws a circle's stroke outside its radius, and a line's on both sides.
    let (inner, middle) = (size / 2.0 - RING_WIDTH, (size - RING_WIDTH) / 2.0);
    let ring = |ink| Stroke::new(RING_WIDTH, theme::ink(ui, ink));
    if share >= 1.0 {
        painter.circle_stroke(rect.center(), inner, ring(Ink::Right));
        return response;
    }
    painter.circle_stroke(rect.center(), inner, ring(Ink::Line));
    if share > 0.0 {
        let pieces = (share * 64.0).ceil();
        let at = |piece: f32| {
            rect.center() + middle * Vec2::angled(TAU * (share * piece / pieces - 0.25))
        };
        let points: Vec<Pos2> = (0..=pieces as u16)
            .map(|piece| at(f32::from(piece)))
            .collect();
        painter.add(Shape::line(points, ring(Ink::Right)));
    }
    response
}
