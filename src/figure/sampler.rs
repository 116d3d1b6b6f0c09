//! The sampler: items drawn by lot with the weights as chances; how often each came, and the mean of the draws on its way to the
//! weighted average.
//!
//! Decision: the running mean is drawn over the logarithm of the number of draws, since its error shrinks with the square root of
//! that; over the number itself everything would happen in the first tenth.

use super::place::{Area, Canvas, LABEL_PT, Label, Scale};
use super::said::{FigureMsg as M, inked, row_of, spans, vector, whole};
use super::{Align, Cell, Drawing, FigureInput, Mark, Moment, Picture, Row, Scene, Table};
use crate::text::{Ink, Span};
use crate::worked_example::{Draws, Quantity};

const LEFT_PT: f32 = 40.0;
/// The tallest picture, as a share of its width.
const TALLEST: f32 = 0.95;

/// The draws so far.
pub(super) fn draw(input: &FigureInput) -> Option<Drawing> {
    let words = input.words;
    let draws = input
        .draws
        .filter(|d| d.total > 0 && input.moment == Moment::After);
    let target = input.computed.number(Quantity::Output(0))?;
    let headline = match (input.moment, draws) {
        (Moment::Before, _) => spans(&M::DrawAfterAnswer, words),
        (_, None) => spans(&M::DrawFirst, words),
        (_, Some(draws)) => {
            let mean = inked(&vector(&draws.mean, words), Ink::Text);
            spans(
                &M::DrawsHeadline {
                    total: draws.total,
                    mean,
                },
                words,
            )
        }
    };
    let mut sentence = headline
        .iter()
        .map(|s: &Span| s.text.as_str())
        .collect::<String>();
    if let Some((draws, mean)) = draws.and_then(|d| Some((d, *d.mean.first()?))) {
        let distance = (mean - target).abs();
        sentence = words.say(&M::DrawsSaid {
            total: draws.total,
            mean,
            target,
            distance,
        });
    }
    let scene = if input.moment == Moment::Before {
        before(input)
    } else {
        after(input, draws, target)
    };
    Some(Drawing {
        headline,
        picture: Picture::Scene(scene),
        table: table(input, draws, target),
        sentence,
    })
}

/// Before the answer there is only the promise: the items, without their chances.
fn before(input: &FigureInput) -> Scene {
    let [width, height] = input.size;
    let size = [width.max(160.0), height.clamp(60.0, 96.0)];
    let mut canvas = Canvas::new(size);
    let base = size[1] - 24.0;
    canvas.line([4.0, base], [size[0] - 4.0, base], Ink::Line, 1.0, false);
    names(&mut canvas, input, (LEFT_PT, size[0] - LEFT_PT), base);
    Scene {
        size,
        marks: canvas.marks,
        handles: Vec::new(),
    }
}

/// The items' names under a line.
fn names(canvas: &mut Canvas, input: &FigureInput, (left, right): (f32, f32), base: f32) {
    let labels = input.computed.labels(input.words);
    let slot = (right - left) / labels.len().max(1) as f32;
    for (i, label) in labels.iter().enumerate() {
        let label = Label::new(super::axes::shortened(label, slot - 6.0), Ink::Text);
        canvas.write(
            &label,
            &[([left + (i as f32 + 0.5) * slot, base + 17.0], Align::Centre)],
        );
    }
}

fn after(input: &FigureInput, draws: Option<&Draws>, target: f64) -> Scene {
    let width = input.size[0].max(160.0);
    let height = input.size[1].min(TALLEST * width).max(240.0);
    let mut canvas = Canvas::new([width, height]);
    let middle = (0.46 * height).round();
    let right = width - 4.0;
    counts(
        &mut canvas,
        input,
        draws,
        Area {
            min: [LEFT_PT, 24.0],
            max: [right, middle - 24.0],
        },
    );
    path(
        &mut canvas,
        input,
        draws,
        target,
        Area {
            min: [LEFT_PT, middle + 44.0],
            max: [right, height - 24.0],
        },
    );
    Scene {
        size: canvas.size,
        marks: canvas.marks,
        handles: Vec::new(),
    }
}

/// How often each came as filled bars, its chance as an outline.
fn counts(canvas: &mut Canvas, input: &FigureInput, draws: Option<&Draws>, plot: Area) {
    let words = input.words;
    canvas.write(
        &Label::new(words.say(&M::CountsTitle), Ink::Quiet),
        &[([0.0, 12.0], Align::Left)],
    );
    let chances = input.computed.weights();
    let shares: Vec<f64> = draws.map_or(Vec::new(), |d| {
        d.counts
            .iter()
            .map(|n| *n as f64 / d.total as f64)
            .collect()
    });
    let most = chances.iter().chain(&shares).copied().fold(0.0, f64::max);
    let y = Scale {
        domain: (0.0, most.max(1e-9)),
        range: (plot.max[1], plot.min[1] + 18.0),
    };
    let slot = (plot.max[0] - plot.min[0]) / chances.len().max(1) as f32;
    let wide = (0.5 * slot).min(56.0);
    for (i, chance) in chances.iter().enumerate() {
        let x = plot.min[0] + (i as f32 + 0.5) * slot;
        let bar = |value: f64, fill, stroke| {
            let top = y.at(value);
            Mark::Rect {
                min: [x - wide / 2.0, top],
                size: [wide, plot.max[1] - top],
                radius: 1.5,
                fill,
                stroke,
                hatched: false,
            }
        };
        let share = shares.get(i).copied().unwrap_or(0.0);
        canvas.mark(bar(share, Some(Ink::Block), None));
        canvas.mark(bar(*chance, None, Some((Ink::Text, 1.25))));
        if let Some(n) = draws.and_then(|d| d.counts.get(i)) {
            let label = Label::new(whole(*n), Ink::Text).strong();
            canvas.write(
                &label,
                &[([x, y.at(share.max(*chance)) - 5.0], Align::Centre)],
            );
        }
    }
    canvas.line(
        [plot.min[0], plot.max[1]],
        [plot.max[0], plot.max[1]],
        Ink::BlockLine,
        1.0,
        false,
    );
    names(canvas, input, (plot.min[0], plot.max[0]), plot.max[1]);
}

/// The mean of the draws so far, on its way to the weighted average.
fn path(canvas: &mut Canvas, input: &FigureInput, draws: Option<&Draws>, target: f64, plot: Area) {
    let words = input.words;
    canvas.write(
        &Label::new(words.say(&M::MeanTitle), Ink::Quiet),
        &[([0.0, plot.min[1] - 16.0], Align::Left)],
    );
    let number = Label::new(words.number(target), Ink::WeightedAverage).strong();
    let right = plot.max[0] - number.width() - 8.0;
    let values: Vec<f64> = (0..input.computed.items())
        .filter_map(|i| input.computed.number(Quantity::Value(i, 0)))
        .collect();
    let (lo, hi) = values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| {
            (lo.min(*v), hi.max(*v))
        });
    let y = Scale {
        domain: (lo, hi),
        range: (plot.max[1], plot.min[1]),
    };
    let total = draws.map_or(1, |d| d.total).max(10) as f64;
    let x = Scale {
        domain: (0.0, total.log10()),
        range: (plot.min[0], right),
    };

    canvas.line(
        [plot.min[0], plot.max[1]],
        [right, plot.max[1]],
        Ink::BlockLine,
        1.0,
        false,
    );
    canvas.line(
        [plot.min[0], plot.min[1]],
        [right, plot.min[1]],
        Ink::Line,
        1.0,
        false,
    );
    let at = y.at(target);
    canvas.write(
        &number,
        &[([plot.max[0], at + 0.33 * LABEL_PT], Align::Right)],
    );
    for value in [lo, hi] {
        canvas.write(
            &Label::new(words.number(value), Ink::Quiet),
            &[(
                [plot.min[0] - 7.0, y.at(value) + 0.33 * LABEL_PT],
                Align::Right,
            )],
        );
    }
    canvas.line(
        [plot.min[0], at],
        [right + 2.0, at],
        Ink::WeightedAverage,
        1.5,
        false,
    );
    let mut power = 0;
    while 10f64.powi(power) <= total {
        let n = 10f64.powi(power);
        let label = Label::new(words.number(n), Ink::Quiet);
        let place = [
            canvas.clamped(x.at(n.log10()), label.width()),
            plot.max[1] + 17.0,
        ];
        canvas.write(&label, &[(place, Align::Centre)]);
        power += 1;
    }
    let points: Vec<_> = (draws.iter().flat_map(|d| &d.path))
        .filter(|(n, _)| *n > 0)
        .map(|(n, mean)| [x.at((*n as f64).log10()), y.at(*mean)])
        .collect();
    for pair in points.windows(2) {
        if let [from, to] = pair {
            canvas.line(*from, *to, Ink::Text, 1.5, false);
        }
    }
    if let Some(last) = points.last() {
        canvas.mark(Mark::Circle {
            centre: *last,
            radius: 4.0,
            fill: Some(Ink::Text),
            stroke: None,
        });
    }
}

/// Chances, draws and the means; nothing before the answer.
fn table(input: &FigureInput, draws: Option<&Draws>, target: f64) -> Table {
    let words = input.words;
    let columns = input.computed.labels(words);
    if input.moment == Moment::Before {
        return Table {
            columns,
            ..Table::default()
        };
    }
    let cells = |texts: Vec<String>| {
        texts
            .into_iter()
            .map(|text| Cell {
                text,
                ink: Ink::Text,
                strong: false,
                edit: None,
            })
            .collect()
    };
    let row = |name: M, ink, texts: Vec<String>, result: String| Row {
        name: words.say(&name),
        ink,
        cells: cells(texts),
        result,
    };
    let chances = input.computed.weights();
    let mut rows = vec![row(
        M::ChanceRow,
        Ink::Text,
        row_of(chances, words),
        String::new(),
    )];
    if let Some(draws) = draws {
        let expected: Vec<f64> = chances.iter().map(|p| p * draws.total as f64).collect();
        rows.push(row(
            M::DrawnRow,
            Ink::Text,
            draws.counts.iter().map(|n| whole(*n)).collect(),
            whole(draws.total),
        ));
        rows.push(row(
            M::ExpectedRow,
            Ink::Quiet,
            row_of(&expected, words),
            String::new(),
        ));
        if let Some(mean) = draws.mean.first() {
            rows.push(row(M::MeanRow, Ink::Text, Vec::new(), words.number(*mean)));
            rows.push(row(
                M::DistanceRow,
                Ink::Text,
                Vec::new(),
                words.number((mean - target).abs()),
            ));
        }
    }
    rows.push(row(
        M::TargetRow,
        Ink::WeightedAverage,
        Vec::new(),
        words.number(target),
    ));
    Table {
        columns,
        heads: Vec::new(),
        rows,
    }
}
