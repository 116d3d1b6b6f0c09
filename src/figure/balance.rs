//! The balance: people as blocks on a beam that tips, the wedge under the weighted average and the hollow one under the plain mean.
//!
//! From top to bottom: the sum (off this scale), the columns, the beam, the lane of the learner's own wedge (it touches the beam, which
//! tips about it), the numbers, their captions, and a lane for each computed wedge. Leaders stop at every text in their way.
//! Lanes are measured for the beam as far as it will tip, so that nothing else moves while it does.
//!
//! Decision: the axis follows the example's numbers alone, in large round steps; a wedge outside it is told, not drawn far away.

mod columns;
mod sizes;
#[cfg(test)]
mod tests;
mod told;
mod wedges;

use columns::{Column, columns};
use sizes::{Sizes, roominess};

use super::place::{Area, Canvas, Label, Scale, round_domain, step_of};
use super::said::{FigureMsg as M, alike, inked, spans};
use super::{
    Align, Axis, Drawing, FigureInput, Handle, Mark, Moment, Picture, Place, Scene, Target,
};
use crate::text::{Ink, Span};
use crate::words::Words;
use crate::worked_example::{
    Basis, Computed, Edit, Operation, Quantity, WeightedValues, WorkedExample,
};

/// A column higher than this is drawn as a bar.
const MOST_BLOCKS: f64 = 12.0;
/// In less height than this the beam is drawn as compact as it can be.
const LEAST_PT: f32 = 240.0;
/// How far the beam tips at most and at least, in radians.
const TILT: (f32, f32) = (0.025, 0.075);

/// The numbers of the picture.
pub(super) struct Numbers {
    pub weighted_average: f64,
    pub plain_mean: f64,
    pub mean_of_all: f64,
    pub sum: f64,
    pub highest: f64,
    pub lowest: f64,
}

impl Numbers {
    /// Taken from the engine; `None` where it has none of these.
    pub fn of(computed: &Computed) -> Option<Self> {
        let of = |operation| computed.number(Quantity::Operation(operation, Basis::Values, 0));
        Some(Self {
            weighted_average: of(Operation::WeightedAverage)?,
            plain_mean: of(Operation::PlainMean)?,
            mean_of_all: computed
                .number(Quantity::MeanOfAll)
                .or_else(|| of(Operation::WeightedAverage))?,
            sum: of(Operation::Sum)?,
            highest: of(Operation::Highest)?,
            lowest: of(Operation::Lowest)?,
        })
    }
}

/// The beam of an example of weighted values.
pub(super) fn draw(input: &FigureInput) -> Option<Drawing> {
    let WorkedExample::WeightedValues(example) = input.example else {
        return None;
    };
    let numbers = Numbers::of(input.computed)?;
    let table = told::table(input, example, &numbers);
    let room = table.room_over(input, LEAST_PT);
    let scene = Beam::new(input, example, &numbers, room).scene();
    Some(Drawing {
        headline: headline(input, &numbers),
        picture: Picture::Scene(scene),
        table,
        sentence: told::sentence(input, example, &numbers),
    })
}

/// What the beam does.
fn headline(input: &FigureInput, numbers: &Numbers) -> Vec<Span> {
    let words = input.words;
    let at = inked(
        &words.number(numbers.weighted_average),
        Ink::WeightedAverage,
    );
    match (input.moment, input.released) {
        (Moment::Before, _) => spans(&M::WhereBalance, words),
        (_, Some(tips)) if !alike(tips, numbers.weighted_average, words) => spans(
            &M::TipsAt {
                tips: inked(&words.number(tips), Ink::Text),
                at,
            },
            words,
        ),
        _ => spans(&M::BalancesAt { at }, words),
    }
}

/// All that the parts of the picture share.
struct Beam<'a> {
    input: &'a FigureInput<'a>,
    words: &'a Words,
    example: &'a WeightedValues,
    numbers: &'a Numbers,
    scale: Scale,
    sizes: Sizes,
    columns: Vec<Column>,
    block_width: f32,
    /// Points a person (or a unit of weight) is high.
    unit: f32,
    /// Whole people, few enough for blocks.
    blocks: bool,
    /// The middle of the beam's upper edge, level, at the pivot.
    pivot: Place,
    /// Clockwise, in radians: as far as it will tip, and now.
    tilt: (f32, f32),
    pivot_lane: f32,
    canvas: Canvas,
    handles: Vec<Handle>,
}

impl<'a> Beam<'a> {
    fn new(
        input: &'a FigureInput<'a>,
        example: &'a WeightedValues,
        numbers: &'a Numbers,
        room: f32,
    ) -> Self {
        let words = input.words;
        let width = input.size[0].max(160.0);
        let end = 34.0_f32.min(0.12 * width);
        let scale = Scale {
            domain: round_domain(example.values.iter().copied()),
            range: (end, width - end),
        };
        let (columns, nearest) = columns(example, scale);
        let tallest = columns
            .iter()
            .map(|c| c.below + c.count)
            .fold(0.0, f64::max);
        let blocks = example.counts.iter().all(|c| c.fract() == 0.0) && tallest <= MOST_BLOCKS;

        let after = input.moment == Moment::After;
        let full = tilt(input, numbers, scale, words);
        let pivot_x = scale.at(scale.clamp(input.released.unwrap_or(numbers.weighted_average)));
        // Room for the farthest tip there can be about this wedge, so that the beam stays where it is while people are moved.
        let swing = |x: f32| {
            if input.released.is_some() && after {
                (x - pivot_x).abs() * TILT.1
            } else {
                0.0
            }
        };
        let dip = swing(6.0).max(swing(width - 6.0));
        let pivot_lane = |sizes: Sizes| match (input.moment, input.released) {
            (Moment::Before, _) => sizes.own_lane,
            (Moment::After, None) => 6.0,
            // An answer off the scale has its label under the wedge where there is no room beside it.
            (Moment::After, Some(at)) if !scale.holds(at) => {
                (dip + 12.0).max(sizes.own_lane + 18.0)
            }
            (Moment::After, Some(_)) => (dip + 6.0).max(sizes.own_lane),
        };
        let under = |sizes: Sizes| {
            let wedges = if input.written_out { 3.0 } else { 2.0 };
            let lanes = if after {
                sizes.caption + wedges * sizes.lane
            } else {
                0.0
            };
            sizes.beam + pivot_lane(sizes) + sizes.number_lane + lanes + 4.0
        };
        let over = |sizes: Sizes| if after { sizes.label + 7.0 } else { 4.0 } + sizes.over_columns;
        let rise = columns.iter().map(|c| swing(c.x)).fold(0.0, f32::max);
        // For the same reason the room for the columns depends on how many people there are, not on where they are.
        let total: f64 = example.counts.iter().sum();
        let rows = if blocks {
            (0.6 * total).ceil().clamp(3.0, MOST_BLOCKS) as f32
        } else {
            8.0
        };
        let around = |sizes: Sizes| over(sizes) + under(sizes) + rise;
        let needed = |sizes: Sizes| around(sizes) + rows * sizes.block;
        let sizes = Sizes::between(roominess(needed, room, width));
        let stacks = (room - around(sizes)).min(rows * sizes.block).max(36.0);
        let unit = if blocks {
            (stacks / tallest.max(1.0) as f32).min(sizes.block)
        } else {
            stacks / tallest.max(1e-12) as f32
        };
        let pivot = [pivot_x, over(sizes) + stacks + rise];
        let tilt = (full, full * input.motion.clamp(0.0, 1.0));
        let canvas = Canvas::new([width, pivot[1] + under(sizes)]);
        // A column near the end of the beam leans out over it when it tips: it is made as narrow as that needs.
        let to_end = (columns.iter().map(|c| c.x.min(width - c.x))).fold(width, f32::min);
        let leaning = 2.0 * (to_end - stacks * TILT.1 - 2.0);
        let block_width = (nearest - 4.0).min(leaning).clamp(8.0, sizes.block_width);
        Self {
            input,
            words,
            example,
            numbers,
            scale,
            sizes,
            columns,
            block_width,
            unit,
            blocks,
            pivot,
            tilt,
            pivot_lane: pivot_lane(sizes),
            canvas,
            handles: Vec::new(),
        }
    }

    fn scene(mut self) -> Scene {
        let after = self.input.moment == Moment::After;
        if after {
            self.sum();
        }
        self.draw_columns();
        self.beam();
        self.numbers();
        match self.input.moment {
            Moment::Before => self.guess_wedge(),
            Moment::After => {
                self.released_wedge();
                self.computed_wedges();
            }
        }
        Scene {
            size: self.canvas.size,
            marks: self.canvas.marks,
            handles: self.handles,
        }
    }

    /// A label as large as those of this beam are.
    fn label(&self, text: impl Into<String>, ink: Ink) -> Label {
        Label::new(text, ink).sized(self.sizes.label)
    }

    /// Where a place of the level beam is now.
    fn turned(&self, place: Place) -> Place {
        self.turned_by(self.tilt.1, place)
    }

    fn turned_by(&self, angle: f32, [x, y]: Place) -> Place {
        let [px, py] = self.pivot;
        let (sin, cos) = angle.sin_cos();
        let (dx, dy) = (x - px, y - py);
        [px + dx * cos - dy * sin, py + dx * sin + dy * cos]
    }

    /// The lower edge of the beam at x, now.
    fn under_beam(&self, x: f32) -> f32 {
        self.pivot[1] + self.sizes.beam + (x - self.pivot[0]) * self.tilt.1.tan()
    }

    /// The sum: an arrow to it where it is off this scale (mostly), else a tick.
    fn sum(&mut self) {
        let sum = self.numbers.sum;
        let [width, _] = self.canvas.size;
        let (message, x, align) = if self.scale.holds(sum) {
            (M::SumIs { at: sum }, self.scale.at(sum), Align::Centre)
        } else if sum > self.scale.domain.1 {
            (M::SumOffRight { at: sum }, width - 2.0, Align::Right)
        } else {
            (M::SumOffLeft { at: sum }, 2.0, Align::Left)
        };
        let label = self.label(self.words.say(&message), Ink::Sum);
        let x = if align == Align::Centre {
            self.canvas.clamped(x, label.width())
        } else {
            x
        };
        self.canvas.write(&label, &[([x, self.sizes.label], align)]);
        if self.scale.holds(sum) {
            self.tick(sum, Ink::Sum);
        }
    }

    fn value(&self, item: usize) -> f64 {
        self.example.values.get(item).copied().unwrap_or_default()
    }

    /// The beam itself, and the ticks of highest and lowest.
    fn beam(&mut self) {
        let [width, _] = self.canvas.size;
        let (y, thick) = (self.pivot[1], self.sizes.beam);
        let points = rounded(Area::new([4.0, y], [width - 8.0, thick]), thick / 2.0)
            .into_iter()
            .map(|p| self.turned(p))
            .collect();
        self.canvas.mark(Mark::Polygon {
            points,
            fill: Some(Ink::Text),
            stroke: None,
            dashed: false,
        });
        // Labels keep clear of the beam as it will stand, so that none moves while it tips.
        let piece = [thick, thick];
        let mut x = 4.0;
        while x < width - 4.0 {
            let [x_now, y_now] = self.turned_by(self.tilt.0, [x, y]);
            self.canvas.keep_free(Area::new([x_now, y_now], piece));
            x += thick;
        }
        if self.input.moment == Moment::After {
            self.tick(self.numbers.lowest, Ink::Lowest);
            self.tick(self.numbers.highest, Ink::Highest);
        }
    }

    /// A short line under the beam.
    fn tick(&mut self, value: f64, ink: Ink) {
        let x = self.scale.at(value);
        let [from, to] = [
            self.turned([x, self.pivot[1] + self.sizes.beam]),
            self.turned([x, self.pivot[1] + self.sizes.beam + 6.0]),
        ];
        self.canvas.line(from, to, ink, 3.0, false);
        self.canvas
            .keep_free(Area::new([to[0] - 2.0, to[1] - 6.0], [4.0, 6.0]));
    }

    /// The top of the lane of numbers.
    fn number_lane(&self) -> f32 {
        self.pivot[1] + self.sizes.beam + self.pivot_lane
    }

    /// The numbers, and under them which is the highest and which the lowest.
    fn numbers(&mut self) {
        let after = self.input.moment == Moment::After;
        let (base, caption) = (
            self.number_lane() + self.sizes.number_base,
            self.sizes.caption,
        );
        let [width, _] = self.canvas.size;
        // The ends first: they carry captions.
        let mut items: Vec<(usize, f32, f64)> = self
            .columns
            .iter()
            .map(|c| (c.item, c.x, self.value(c.item)))
            .collect();
        let extreme = |v: f64| v == self.numbers.lowest || v == self.numbers.highest;
        items.sort_by_key(|(_, _, v)| !extreme(*v));
        let mut written: Vec<f64> = Vec::new();
        for (item, x, value) in items {
            let label = Label::new(self.words.number(value), Ink::Text)
                .strong()
                .sized(self.sizes.number);
            let x = self.canvas.clamped(x, label.width());
            let mut lanes = vec![([x, base], Align::Centre)];
            if after {
                lanes.push(([x, base + caption], Align::Centre));
            }
            let area = if written.contains(&value) {
                None
            } else {
                self.canvas.write(&label, &lanes)
            };
            if area.is_some() {
                written.push(value);
            }
            if after {
                // A number dragged over another keeps its handle, though for a moment there is no room for its label.
                let area = area.unwrap_or_else(|| {
                    Area::of_text(
                        [x, base],
                        Align::Centre,
                        &label.text,
                        label.face,
                        label.size,
                    )
                });
                let handle = self.number_handle(item, value, area.grown(3.0));
                self.handles.push(handle);
            }
        }
        if !self.example.unit.is_empty() {
            let unit = self.label(self.example.unit.clone(), Ink::Quiet);
            self.canvas.write(
                &unit,
                &[
                    ([width - 4.0, base], Align::Right),
                    ([4.0, base], Align::Left),
                ],
            );
        }
        if after {
            self.captions(base + caption);
        }
    }

    fn captions(&mut self, base: f32) {
        let Numbers {
            highest, lowest, ..
        } = *self.numbers;
        let captions = if highest == lowest {
            vec![(M::HighestAndLowest, highest, Ink::Quiet)]
        } else {
            vec![
                (M::Lowest, lowest, Ink::Lowest),
                (M::Highest, highest, Ink::Highest),
            ]
        };
        for (message, value, ink) in captions {
            let label = self.label(self.words.say(&message), ink);
            let x = self.scale.at(value);
            let centred = self.canvas.clamped(x, label.width());
            self.canvas.write(
                &label,
                &[
                    ([centred, base], Align::Centre),
                    ([x - 10.0, base], Align::Left),
                    ([x + 10.0, base], Align::Right),
                ],
            );
        }
    }

    fn number_handle(&self, item: usize, value: f64, area: Area) -> Handle {
        Handle {
            id: format!("value-{item}"),
            name: self.words.say(&M::ValueHandle { value }),
            said: self.words.number(value),
            min: area.min,
            size: area.size(),
            value,
            range: self.scale.domain,
            step: step_of(&self.example.values, self.scale.domain),
            axis: Axis::X,
            per_unit: self.scale.per_point(),
            stops: Vec::new(),
            grip: None,
            target: Target::Edit(Edit::Value(item, value)),
        }
    }
}

/// How far the beam tips when it is let go, clockwise, in radians: 0 at the weighted average, more the farther the wedge is from it.
fn tilt(input: &FigureInput, numbers: &Numbers, scale: Scale, words: &Words) -> f32 {
    let Some(at) = input.released.filter(|_| input.moment == Moment::After) else {
        return 0.0;
    };
    let off = numbers.weighted_average - at;
    if alike(at, numbers.weighted_average, words) {
        return 0.0;
    }
    let span = (scale.domain.1 - scale.domain.0).max(1e-12);
    let far = (off.abs() / (0.3 * span)).min(1.0) as f32;
    (TILT.0 + (TILT.1 - TILT.0) * far) * off.signum() as f32
}

/// The outline of a rectangle with rounded corners, clockwise.
fn rounded(area: Area, radius: f32) -> Vec<Place> {
    let Area {
        min: [left, top],
        max: [right, bottom],
    } = area;
    let r = radius.min((right - left) / 2.0).min((bottom - top) / 2.0);
    let corners = [
        ([right - r, top + r], -90.0_f32),
        ([right - r, bottom - r], 0.0),
        ([left + r, bottom - r], 90.0),
        ([left + r, top + r], 180.0),
    ];
    let mut points = Vec::with_capacity(16);
    for ([x, y], from) in corners {
        for step in 0..4_u8 {
            let (sin, cos) = (from + 30.0 * f32::from(step)).to_radians().sin_cos();
            points.push([x + r * cos, y + r * sin]);
        }
    }
    points
}
