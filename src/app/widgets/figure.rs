//! A drawing on the screen: scenes by egui's painter, charts by egui_plot with our labels around them, and handles to take hold of.
//!
//! What was moved is given back as targets with their new values; the caller makes commands of them, and the next frame shows the result.
//! A person who is carried follows the pointer and changes columns as she passes over them, so that the wedge runs along.

use egui::{Color32, CornerRadius, Pos2, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, UiBuilder, Vec2, WidgetInfo, pos2, vec2};
use egui_plot::{Bar, BarChart, HLine, LineStyle, Plot};

use super::figure_handle::{carried_ui, handle_ui};
use super::rich;
use crate::app::theme::{self, Ink};
use crate::figure::{Align, Chart, Drawing, Handle, Mark, Picture, Place, Plotted, Target};

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

/// Bars and lines by egui_plot, exactly where our own axes stand. It neither zooms nor scrolls: the wheel belongs to the page.
fn plot_ui(ui: &mut Ui, chart: &Chart, plotted: &Plotted, origin: Pos2) {
    let area = Rect::from_min_max(origin + Vec2::from(plotted.plot.min), origin + Vec2::from(plotted.plot.max));
    for mark in plotted.inside.iter().take(chart.y_ticks.len()) {
        paint_mark(ui, mark, origin);
    }
    let ink = |ink| theme::ink(ui, ink);
    let bars = |outline: bool| -> Vec<Bar> {
        (chart.bars.iter().enumerate())
            .filter_map(|(i, bar)| {
                let height = if outline { bar.guess? } else { bar.height };
                let (fill, stroke) = if outline { (Color32::TRANSPARENT, Stroke::new(1.5, ink(Ink::Text))) } else { (ink(bar.ink), Stroke::NONE) };
                Some(Bar::new(i as f64 + 0.5, height).width(f64::from(plotted.bar_share)).fill(fill).stroke(stroke))
            })
            .collect()
    };
    let (filled, outlines) = (bars(false), bars(true));
    let lines: Vec<HLine> = (chart.references.iter())
        .map(|line| HLine::new("", line.at).color(ink(line.ink)).width(1.5).style(LineStyle::Dashed { length: 5.0 }).allow_hover(false))
        .collect();
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
            for line in lines {
                plot.hline(line);
            }
        });
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
    let stroked = |stroke: &Option<(Ink, f32)>| stroke.map_or(Stroke::NONE, |(colour, width)| Stroke::new(width, ink(colour)));
    match mark {
        Mark::Line { from, to, ink: colour, width, dashed } => {
            let (points, stroke) = ([place(*from), place(*to)], Stroke::new(*width, ink(*colour)));
            if *dashed {
                painter.extend(Shape::dashed_line(&points, stroke, DASH.0, DASH.1));
            } else {
                painter.line_segment(points, stroke);
            }
        }
        Mark::Rect { min, size, radius, fill, stroke, hatched } => {
            let rect = Rect::from_min_size(place(*min), Vec2::from(*size));
            painter.rect(rect, CornerRadius::same(radius.round() as u8), filled(fill), stroked(stroke), StrokeKind::Inside);
            if *hatched {
                hatch(ui, rect);
            }
        }
        Mark::Polygon { points, fill, stroke } => {
            let points = points.iter().map(|p| place(*p)).collect();
            painter.add(Shape::convex_polygon(points, filled(fill), stroked(stroke)));
        }
        Mark::Circle { centre, radius, fill, stroke } => {
            painter.circle(place(*centre), *radius, filled(fill), stroked(stroke));
        }
        Mark::Text { at, align, text, face, size, ink: colour } => {
            let width = crate::text::faces::width(text, *face, *size);
            let [x, y] = *at;
            let left = match align {
                Align::Left => x,
                Align::Centre => x - width / 2.0,
                Align::Right => x - width,
            };
            rich::paint_text(painter, text, rich::font_id(*face, *size), place([left, y]), ink(*colour));
        }
        Mark::Rich { at, laid, .. } => rich::paint_laid(painter, laid, place(*at), ink),
    }
}

/// Slanted lines over a masked key's bar.
fn hatch(ui: &Ui, rect: Rect) {
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let stroke = theme::hairline(ui, Ink::BlockLine);
    let mut x = rect.left() - rect.height();
    while x < rect.right() {
        painter.line_segment([pos2(x, rect.bottom()), pos2(x + rect.height(), rect.top())], stroke);
        x += 6.0;
    }
}

#[cfg(test)]
mod dump {
    //! Pictures for the eye while building.
    use super::*;
    use crate::figure::{self, FigureInput, FigureKind, Guess, Moment};
    use crate::words::Words;
    use crate::worked_example::{AttentionExample, Computed, WeightedValues, WorkedExample, draw};
    use ndarray::array;

    fn exam(values: &[f64], counts: &[f64]) -> WorkedExample {
        WorkedExample::WeightedValues(WeightedValues { unit: "points".into(), holders: "people".into(), values: values.to_vec(), counts: counts.to_vec() })
    }

    fn jane() -> WorkedExample {
        WorkedExample::Attention(AttentionExample {
            tokens: ["Jane", "visits", "Africa", "in", "September"].map(String::from).to_vec(),
            q: array![[1.0, 0.5], [0.2, 1.1], [0.8, 1.2], [0.1, 0.4], [0.5, 0.9]],
            k: array![[0.2, 0.3], [1.0, 0.9], [0.9, 0.7], [0.1, 0.2], [-0.2, 0.3]],
            v: array![[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [0.5, 0.5], [2.0, 2.0]],
            scale: None,
            focus: 2,
        })
    }

    #[test]
    fn dump() {
        let Ok(dir) = std::env::var("FIGURE_DUMP") else { return };
        let words = Words::english();
        let none = Guess::default();
        let set = Guess { wedge: Some(77.0), weights: Some(vec![0.1, 0.4, 0.3, 0.1, 0.1]) };
        let (e, j) = (exam(&[70.0, 80.0, 90.0], &[3.0, 5.0, 2.0]), jane());
        let crowd = exam(&[12.0, 15.0, 16.0, 40.0, 41.0, 88.0], &[0.5, 2.25, 1.0, 0.1, 3.0, 0.0]);
        type Case<'a> = (&'a str, FigureKind, &'a WorkedExample, Moment, &'a Guess, Option<f64>, bool, u64);
        use FigureKind::*;
        use Moment::*;
        let cases: Vec<Case> = vec![
            ("balance-empty", Balance, &e, Before, &none, None, false, 0),
            ("balance-guess", Balance, &e, Before, &set, None, false, 0),
            ("balance-80", Balance, &e, After, &set, Some(80.0), false, 0),
            ("balance-79", Balance, &e, After, &set, Some(79.0), false, 0),
            ("balance-240", Balance, &e, After, &set, Some(240.0), false, 0),
            ("balance-all", Balance, &e, After, &none, None, true, 0),
            ("balance-crowd", Balance, &crowd, After, &none, Some(60.0), false, 0),
            ("weights-before", Weights, &j, Before, &none, None, false, 0),
            ("weights-after", Weights, &j, After, &set, None, false, 0),
            ("weights-exam", Weights, &e, After, &none, None, false, 0),
            ("steps-before", Steps, &j, Before, &none, None, false, 0),
            ("steps-after", Steps, &j, After, &none, None, false, 0),
            ("steps-exam", Steps, &e, After, &none, None, false, 0),
            ("sampler-before", Sampler, &e, Before, &none, None, false, 0),
            ("sampler-none", Sampler, &e, After, &none, None, false, 0),
            ("sampler-1000", Sampler, &e, After, &none, None, false, 1110),
        ];
        for (name, kind, example, moment, guess, released, written_out, drawn) in cases {
            for (tag, size, dark) in [("big", [520.0_f32, 640.0], false), ("small", [380.0, 420.0], true)] {
                let computed = Computed::new(example).unwrap();
                let draws = (drawn > 0).then(|| draw(&computed, None, drawn, 7));
                let figure_height = if tag == "big" { 300.0 } else { 240.0 };
                let input = FigureInput { example, computed: &computed, moment, guess, released, written_out, draws: draws.as_ref(), motion: 1.0, words: &words, size: [size[0] - 48.0, figure_height] };
                let drawing = figure::draw(kind, &input).unwrap();
                let theme = if dark { egui::Theme::Dark } else { egui::Theme::Light };
                let image = crate::app::picture::draw(Vec2::from(size), 2.0, theme, 8, |ui| {
                    let card = theme::ink(ui, Ink::Card);
                    egui::Frame::new().fill(card).inner_margin(24.0).show(ui, |ui| {
                        ui.set_min_size(Vec2::from(size) - vec2(48.0, 48.0));
                        let line = crate::text::Document::line(drawing.headline.clone());
                        let style = crate::text::Style::body().size(18.0).strong();
                        let dark_theme = ui.ctx().theme();
                        rich::rich_ui(ui, &line, &style, |i| theme::ink_of(dark_theme, i), &words);
                        ui.add_space(12.0);
                        figure_ui(ui, &drawing, FigureView::Live);
                        ui.add_space(12.0);
                        super::super::figure_table::table_ui(ui, &drawing.table, &words);
                    });
                });
                std::fs::write(format!("{dir}/{name}-{tag}.png"), image.to_png().unwrap()).unwrap();
                std::fs::write(format!("{dir}/{name}-{tag}.svg"), figure::svg(&drawing, &crate::text::Palette::light())).unwrap();
                if tag == "big" {
                    println!("== {name}\n{}\n{}\n{}\n", figure::terminal(&drawing, 72, &words), figure::terminal_table(&drawing.table, 72), drawing.sentence);
                }
            }
        }
    }
}
