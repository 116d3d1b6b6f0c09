//! A chart laid out in a box: where its axes, bars, lines and labels stand. SVG paints all of it; on the screen egui_plot paints what
//! lies inside the axes and the same labels stand around it, so that both look alike.
//!
//! The label of a line across stands in a margin of its own at the right, where no bar's number can be.

use super::place::{Area, Canvas, LABEL_PT, Label, Scale};
use super::{Align, Axis, Chart, Handle, Mark, Scene, Target};
use crate::text::Ink;

/// The widest bar, in points, and the share of its slot that a bar takes.
const WIDEST_BAR: f32 = 64.0;
const BAR_SHARE: f32 = 0.62;
/// The thickness of the seam under a line that crosses a bar.
const SEAM_PT: f32 = 4.0;

/// A chart with places.
pub(crate) struct Plotted {
    /// The box.
    pub size: [f32; 2],
    /// Inside the axes: the plot.
    pub plot: Area,
    /// A bar's width, as a share of its slot.
    pub bar_share: f32,
    /// Under the bars: grid lines, and the hatched columns of masked keys.
    pub under: Vec<Mark>,
    /// Bars, and the outlines of guesses.
    pub bars: Vec<Mark>,
    /// Over the bars: lines across.
    pub over: Vec<Mark>,
    /// The texts, and what keeps lines away from them.
    pub labels: Vec<Mark>,
    /// The tops of the bars that can be dragged.
    pub handles: Vec<Handle>,
}

impl Plotted {
    /// Lays the chart out in its box.
    pub fn new(chart: &Chart) -> Self {
        let size = chart.size;
        let mut canvas = Canvas::new(size);
        let [width, height] = size;
        let ticks: Vec<Label> = chart
            .y_ticks
            .iter()
            .map(|(_, said)| Label::new(said.clone(), Ink::Quiet))
            .collect();
        let lines: Vec<Label> = chart
            .references
            .iter()
            .map(|r| Label::new(r.label.clone(), r.ink).strong())
            .collect();
        let widest = |labels: &[Label]| labels.iter().map(Label::width).fold(0.0, f32::max);
        let margin = |w: f32| if w > 0.0 { w + 10.0 } else { 4.0 };
        let left = margin(widest(&ticks));
        let right = width - margin(widest(&lines));
        let slot = (right - left).max(20.0) / chart.bars.len().max(1) as f32;
        let rows = if chart
            .bars
            .iter()
            .any(|b| Label::new(b.label.clone(), Ink::Text).width() > slot - 6.0)
        {
            2
        } else {
            1
        };
        let title = if chart.y_label.is_empty() { 0.0 } else { 20.0 };
        // Over the highest bar there is room for its number.
        let (top, bottom) = (title + 18.0, height - 6.0 - 17.0 * rows as f32);
        let plot = Area {
            min: [left, top],
            max: [right.max(left + 20.0), bottom.max(top + 20.0)],
        };
        let y = Scale {
            domain: chart.y_range,
            range: (plot.max[1], plot.min[1]),
        };
        let bar_width = (BAR_SHARE * slot).min(WIDEST_BAR);

        let mut under = grid(chart, plot, y);
        under.extend(masked(chart, plot, slot, bar_width));
        let bars = bars(chart, plot, y, slot, bar_width);
        let over = references(chart, plot, y, slot, bar_width);

        if title > 0.0 {
            canvas.write(
                &Label::new(chart.y_label.clone(), Ink::Quiet),
                &[([0.0, 13.0], Align::Left)],
            );
        }
        for (label, (at, _)) in ticks.iter().zip(&chart.y_ticks) {
            canvas.write(
                label,
                &[([left - 7.0, y.at(*at) + 0.33 * LABEL_PT], Align::Right)],
            );
        }
        for (label, line) in lines.iter().zip(&chart.references) {
            let base = y.at(line.at) + 0.33 * LABEL_PT;
            let places = [0.0, -17.0, 17.0].map(|dy| ([plot.max[0] + 7.0, base + dy], Align::Left));
            canvas.write(label, &places);
        }
        let ink_of_number = |bar: &super::Bar| {
            if is_guess(bar) || bar.hatched {
                Ink::Quiet
            } else {
                Ink::Text
            }
        };
        for (i, bar) in chart.bars.iter().enumerate() {
            let x = plot.min[0] + (i as f32 + 0.5) * slot;
            let number = Label::new(bar.said.clone(), ink_of_number(bar)).strong();
            let at = [x, number_base(bar, y)];
            let before = canvas.marks.len();
            if let Some(area) = canvas.write(&number, &[(at, Align::Centre)]) {
                let Area { min, .. } = area.grown(1.5);
                let halo = Mark::Rect {
                    min,
                    size: area.grown(1.5).size(),
                    radius: 2.0,
                    fill: Some(Ink::Card),
                    stroke: None,
                    hatched: false,
                };
                canvas.marks.insert(before, halo);
            }
            let row = if rows == 2 { (i % 2) as f32 } else { 0.0 };
            let room = if rows == 2 { 2.0 * slot } else { slot } - 6.0;
            let name = Label {
                text: shortened(&bar.label, room),
                ..Label::new("", Ink::Text)
            };
            let x = canvas.clamped(x, name.width());
            canvas.write(
                &name,
                &[([x, plot.max[1] + 17.0 + 17.0 * row], Align::Centre)],
            );
        }
        let handles = handles(chart, plot, y, slot, bar_width);
        Self {
            size,
            plot,
            bar_share: bar_width / slot,
            under,
            bars,
            over,
            labels: canvas.marks,
            handles,
        }
    }

    /// All of it as a scene.
    pub fn scene(self) -> Scene {
        let Self {
            size,
            under,
            bars,
            over,
            labels,
            handles,
            ..
        } = self;
        Scene {
            size,
            marks: [under, bars, over, labels].concat(),
            handles,
        }
    }
}

/// The baseline of a bar's number: over the bar, and over the guess's outline where that would cross it.
fn number_base(bar: &super::Bar, y: Scale) -> f32 {
    // A guess has its grip on its upper edge.
    let top = y.at(bar.height) - if is_guess(bar) { 4.0 } else { 0.0 };
    match bar.guess.map(|guess| y.at(guess)) {
        Some(guess) if guess < top && guess > top - 22.0 => guess - 5.0,
        _ => top - 5.0,
    }
}

/// Whether it is the learner's own bar.
fn is_guess(bar: &super::Bar) -> bool {
    matches!(bar.target, Some(Target::GuessWeight(_)))
}

fn grid(chart: &Chart, plot: Area, y: Scale) -> Vec<Mark> {
    (chart.y_ticks.iter())
        .map(|(tick, _)| {
            let at = y.at(*tick);
            let ink = if *tick == chart.y_range.0 {
                Ink::BlockLine
            } else {
                Ink::Line
            };
            Mark::Line {
                from: [plot.min[0], at],
                to: [plot.max[0], at],
                ink,
                width: 1.0,
                dashed: false,
            }
        })
        .collect()
}

fn bars(chart: &Chart, plot: Area, y: Scale, slot: f32, width: f32) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (i, bar) in chart.bars.iter().enumerate() {
        let left = plot.min[0] + (i as f32 + 0.5) * slot - width / 2.0;
        let rect = |height: f64, fill, stroke| {
            let top = y.at(height);
            Mark::Rect {
                min: [left, top],
                size: [width, (plot.max[1] - top).max(0.0)],
                radius: 2.0,
                fill,
                stroke,
                hatched: false,
            }
        };
        marks.push(rect(bar.height, Some(bar.ink), None));
        if let Some(guess) = bar.guess {
            marks.push(rect(guess, None, Some((Ink::Text, 1.5))));
        }
    }
    marks
}

/// A masked key has no weight, and so no bar to hatch: its whole column is.
fn masked(chart: &Chart, plot: Area, slot: f32, width: f32) -> Vec<Mark> {
    (chart.bars.iter().enumerate())
        .filter(|(_, bar)| bar.hatched)
        .map(|(i, _)| Mark::Rect {
            min: [
                plot.min[0] + (i as f32 + 0.5) * slot - width / 2.0,
                plot.min[1],
            ],
            size: [width, plot.max[1] - plot.min[1]],
            radius: 0.0,
            fill: None,
            stroke: None,
            hatched: true,
        })
        .collect()
}

/// The lines across, with a light seam where they cross a bar, so that they are seen on it.
fn references(chart: &Chart, plot: Area, y: Scale, slot: f32, width: f32) -> Vec<Mark> {
    let mut marks = Vec::new();
    for line in &chart.references {
        let at = y.at(line.at);
        let level = |from: f32, to: f32, ink, width, dashed| Mark::Line {
            from: [from, at],
            to: [to, at],
            ink,
            width,
            dashed,
        };
        for (i, bar) in chart.bars.iter().enumerate() {
            if y.at(bar.height) < at - 1.0 {
                let left = plot.min[0] + (i as f32 + 0.5) * slot - width / 2.0;
                marks.push(level(left, left + width, Ink::Card, SEAM_PT, false));
            }
        }
        marks.push(level(plot.min[0], plot.max[0] + 3.0, line.ink, 1.5, true));
    }
    marks
}

fn handles(chart: &Chart, plot: Area, y: Scale, slot: f32, width: f32) -> Vec<Handle> {
    (chart.bars.iter().enumerate())
        .filter_map(|(i, bar)| {
            let target = bar.target?;
            let edge = y.at(bar.height);
            let (middle, top) = (plot.min[0] + (i as f32 + 0.5) * slot, edge - 8.0);
            Some(Handle {
                id: format!("bar-{i}"),
                name: bar.name.clone(),
                said: bar.said.clone(),
                min: [middle - width / 2.0, top],
                size: [width, plot.max[1] - top],
                value: bar.height,
                range: chart.y_range,
                step: super::place::fine_step(chart.y_range),
                axis: Axis::Y,
                per_unit: y.per_point(),
                stops: Vec::new(),
                grip: Some([middle, edge]),
                target,
            })
        })
        .collect()
}

/// The text, cut with an ellipsis where it is wider than there is room; the whole of it stands in table and sentence.
pub(crate) fn shortened(text: &str, room: f32) -> String {
    let width = |t: &str| Label::new(t, Ink::Text).width();
    if width(text) <= room {
        return text.to_owned();
    }
    let mut kept: Vec<char> = text.chars().collect();
    while kept.pop().is_some() {
        let short: String = kept.iter().chain(['…'].iter()).collect();
        if width(&short) <= room {
            return short;
        }
    }
    String::new()
}
