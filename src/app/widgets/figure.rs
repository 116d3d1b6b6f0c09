//! A drawing on the screen: scenes by egui's painter, charts by egui_plot with our labels around them, and handles to take hold of.
//!
//! What was moved is given back as targets with their new values; the caller makes commands of them, and the next frame shows the result.
//! A person who is carried follows the pointer and changes columns as she passes over them, so that the wedge runs along.

use egui::{
    Color32, CornerRadius, Pos2, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, UiBuilder, Vec2,
    WidgetInfo, pos2, vec2,
};
use egui_plot::{Bar, BarChart, Plot};

use super::figure_handle::{carried_ui, handle_ui};
use super::rich;
use crate::app::theme::{self, Ink};
use crate::figure::{Align, Chart, Drawing, Handle, Mark, Picture, Place, Plotted, Target, dashes};

/// Dash and gap of dashed lines, in points.
const DASH: (f32, f32) = (4.0, 3.0);

/// How a drawing is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureView {
    /// With handles to take hold of.
    Live,
    /// As a picture.
    Still,
}

/// Shows the picture of a drawing at its own size and gives back what the learner moved. The headline, table and buttons are the caller's.
pub fn figure_ui(ui: &mut Ui, drawing: &Drawing, view: FigureView) -> Vec<(Target, f64)> {
    let (size, handles, plotted) = match &drawing.picture {
        Picture::Scene(scene) => (scene.size, scene.handles.clone(), None),
        Picture::Chart(chart) => {
            let plotted = Plotted::new(chart);
            (chart.size, plotted.handles.clone(), Some(plotted))
        }
    };
    let (rect, response) = ui.allocate_exact_size(Vec2::from(size), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, ui.is_enabled(), &drawing.sentence));
    let origin = rect.min;
    match (&drawing.picture, &plotted) {
        (Picture::Chart(chart), Some(plotted)) => {
            plot_ui(ui, chart, plotted, origin);
            paint(ui, &plotted.labels, origin);
        }
        (Picture::Scene(scene), _) => paint(ui, &scene.marks, origin),
        (Picture::Chart(_), None) => {}
    }
    if view == FigureView::Still {
        return Vec::new();
    }
    handles_ui(ui, &handles, origin)
}

/// The handles over the picture.
fn handles_ui(ui: &mut Ui, handles: &[Handle], origin: Pos2) -> Vec<(Target, f64)> {
    let mut moved: Vec<(Target, f64)> = Vec::new();
    for handle in handles {
        moved.extend(handle_ui(ui, handle, handles, origin).map(|value| (handle.target, value)));
    }
    moved.extend(carried_ui(ui, handles, origin));
    moved
}

/// Bars by egui_plot, exactly where our own axes stand, between our own lines under and over them. It neither zooms nor scrolls: the wheel belongs to the page.
fn plot_ui(ui: &mut Ui, chart: &Chart, plotted: &Plotted, origin: Pos2) {
    let area = Rect::from_min_max(
        origin + Vec2::from(plotted.plot.min),
        origin + Vec2::from(plotted.plot.max),
    );
    paint(ui, &plotted.under, origin);
    let ink = |ink| theme::ink(ui, ink);
    let bars = |outline: bool| -> Vec<Bar> {
        (chart.bars.iter().enumerate())
            .filter_map(|(i, bar)| {
                let height = if outline { bar.guess? } else { bar.height };
                let (fill, stroke) = if outline {
                    (Color32::TRANSPARENT, Stroke::new(1.5, ink(Ink::Text)))
                } else {
                    (ink(bar.ink), Stroke::NONE)
                };
                Some(
                    Bar::new(i as f64 + 0.5, height)
                        .width(f64::from(plotted.bar_share))
                        .fill(fill)
                        .stroke(stroke),
                )
            })
            .collect()
    };
    let (filled, outlines) = (bars(false), bars(true));
    let (count, (least, most)) = (chart.bars.len().max(1) as f64, chart.y_range);
    let mut inside = ui.new_child(UiBuilder::new().max_rect(area));
    Plot::new("bars")
        .width(area.width())
        .height(area.height())
        .show_axes(false)
        .show_grid(false)
        .show_background(false)
        .show_x(false)
        .show_y(false)
        .show_crosshair(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .set_margin_fraction(Vec2::ZERO)
        .sense(Sense::hover())
        .show(&mut inside, |plot| {
            plot.set_plot_bounds_x(0.0..=count);
            plot.set_plot_bounds_y(least..=most);
            plot.bar_chart(BarChart::new("bars", filled).allow_hover(false));
            plot.bar_chart(BarChart::new("guesses", outlines).allow_hover(false));
        });
    paint(ui, &plotted.over, origin);
}

/// Paints marks with their origin at a place of the screen.
fn paint(ui: &Ui, marks: &[Mark], origin: Pos2) {
    for mark in marks {
        paint_mark(ui, mark, origin);
    }
}

fn paint_mark(ui: &Ui, mark: &Mark, origin: Pos2) {
    let painter = ui.painter();
    let place = |[x, y]: Place| origin + vec2(x, y);
    let ink = |ink: Ink| theme::ink(ui, ink);
    let filled = |fill: &Option<Ink>| fill.map_or(Color32::TRANSPARENT, ink);
    let stroked = |stroke: &Option<(Ink, f32)>| {
        stroke.map_or(Stroke::NONE, |(colour, width)| {
            Stroke::new(width, ink(colour))
        })
    };
    match mark {
        Mark::Line {
            from,
            to,
            ink: colour,
            width,
            dashed,
        } => {
            let (points, stroke) = (
                [place(*from), place(*to)],
                Stroke::new(*width, ink(*colour)),
            );
            if *dashed {
                painter.extend(Shape::dashed_line(&points, stroke, DASH.0, DASH.1));
            } else {
                painter.line_segment(points, stroke);
            }
        }
        Mark::Rect {
            min,
            size,
            radius,
            fill,
            stroke,
            hatched,
        } => {
            let rect = Rect::from_min_size(place(*min), Vec2::from(*size));
            painter.rect(
                rect,
                CornerRadius::same(radius.round() as u8),
                filled(fill),
                stroked(stroke),
                StrokeKind::Inside,
            );
            if *hatched {
                hatch(ui, rect);
            }
        }
        Mark::Polygon {
            points,
            fill,
            stroke,
            dashed,
        } => {
            let on_screen = |points: &[Place]| points.iter().map(|p| place(*p)).collect::<Vec<_>>();
            let stroke = stroked(stroke);
            let outline = if *dashed { Stroke::NONE } else { stroke };
            painter.add(Shape::convex_polygon(
                on_screen(points),
                filled(fill),
                outline,
            ));
            for line in dashes(points).iter().filter(|_| *dashed) {
                painter.add(Shape::line(on_screen(line), stroke));
            }
        }
        Mark::Circle {
            centre,
            radius,
            fill,
            stroke,
        } => {
            painter.circle(place(*centre), *radius, filled(fill), stroked(stroke));
        }
        Mark::Text {
            at,
            align,
            text,
            face,
            size,
            ink: colour,
        } => {
            let width = crate::text::faces::width(text, *face, *size);
            let [x, y] = *at;
            let left = match align {
                Align::Left => x,
                Align::Centre => x - width / 2.0,
                Align::Right => x - width,
            };
            rich::paint_text(
                painter,
                text,
                rich::font_id(*face, *size),
                place([left, y]),
                ink(*colour),
            );
        }
        Mark::Rich { at, laid, .. } => rich::paint_laid(painter, laid, place(*at), ink),
    }
}

/// Slanted lines over a masked key's bar.
fn hatch(ui: &Ui, rect: Rect) {
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let stroke = theme::hairline(ui, Ink::BlockStrong);
    let mut x = rect.left() - rect.height();
    while x < rect.right() {
        painter.line_segment(
            [pos2(x, rect.bottom()), pos2(x + rect.height(), rect.top())],
            stroke,
        );
        x += 6.0;
    }
}
