//! The balance: people as blocks on a beam that tips, the wedge under the weighted average and the hollow one under the plain mean.
//!
//! From top to bottom: the sum (off this scale), the columns, the beam, the lane of the learner's own wedge (it touches the beam, which
//! tips about it), the numbers, their captions, and a lane for each computed wedge. Leaders stop at every text in their way.
//! Lanes are measured for the beam as far as it will tip, so that nothing else moves while it does.
//!
//! Decision: the axis follows the example's numbers alone, in large round steps; a wedge outside it is told, not drawn far away.

use super::place::{Area, Canvas, Label, Scale, fine_step, round_domain};
use super::said::{FigureMsg as M, alike, in_words, inked, spans};
use super::{Align, Axis, Drawing, FigureInput, Handle, Mark, Moment, Picture, Place, Scene, Target, balance_told};
use crate::text::{Ink, Span};
use crate::words::Words;
use crate::worked_example::{Basis, Computed, Edit, Operation, Quantity, WeightedValues, WorkedExample};

/// A column higher than this is drawn as a bar.
const MOST_BLOCKS: f64 = 12.0;
/// How far the beam tips at most and at least, in radians.
const TILT: (f32, f32) = (0.028, 0.1);
const BEAM_PT: f32 = 5.0;
const WEDGE: [f32; 2] = [18.0, 15.0];
const LANE_PT: f32 = 22.0;
/// From the numbers' baseline to their captions'.
const CAPTION_PT: f32 = 16.5;

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
            mean_of_all: computed.number(Quantity::MeanOfAll).or_else(|| of(Operation::WeightedAverage))?,
            sum: of(Operation::Sum)?,
            highest: of(Operation::Highest)?,
            lowest: of(Operation::Lowest)?,
        })
    }
}

/// The beam of an example of weighted values.
pub(super) fn draw(input: &FigureInput) -> Option<Drawing> {
    let WorkedExample::WeightedValues(example) = input.example else { return None };
    let numbers = Numbers::of(input.computed)?;
    let scene = Beam::new(input, example, &numbers).scene();
    Some(Drawing {
        headline: headline(input, &numbers),
        picture: Picture::Scene(scene),
        table: balance_told::table(input, example, &numbers),
        sentence: balance_told::sentence(input, example, &numbers),
    })
}

/// What the beam does.
fn headline(input: &FigureInput, numbers: &Numbers) -> Vec<Span> {
    let words = input.words;
    let at = inked(&words.number(numbers.weighted_average), Ink::WeightedAverage);
    match (input.moment, input.released) {
        (Moment::Before, _) => spans(&M::WhereBalance, words),
        (_, Some(tips)) if !alike(tips, numbers.weighted_average, words) => {
            spans(&M::TipsAt { tips: inked(&words.number(tips), Ink::Text), at }, words)
        }
        _ => spans(&M::BalancesAt { at }, words),
    }
}

/// One column: its item's blocks, standing on those of the items at (nearly) the same number.
struct Column {
    item: usize,
    x: f32,
    /// How many hold the items below it.
    below: f64,
    count: f64,
}

/// All that the parts of the picture share.
struct Beam<'a> {
    input: &'a FigureInput<'a>,
    words: &'a Words,
    example: &'a WeightedValues,
    numbers: &'a Numbers,
    scale: Scale,
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
    fn new(input: &'a FigureInput<'a>, example: &'a WeightedValues, numbers: &'a Numbers) -> Self {
        let words = input.words;
        let [width, height] = [input.size[0].max(160.0), input.size[1]];
        let end = 34.0_f32.min(0.12 * width);
        let scale = Scale { domain: round_domain(example.values.iter().copied()), range: (end, width - end) };
        let (columns, nearest) = columns(example, scale);
        let tallest = columns.iter().map(|c| c.below + c.count).fold(0.0, f64::max);
        let blocks = example.counts.iter().all(|c| c.fract() == 0.0) && tallest <= MOST_BLOCKS;

        let after = input.moment == Moment::After;
        let full = tilt(input, numbers, scale, words);
        let pivot_x = scale.at(scale.clamp(input.released.unwrap_or(numbers.weighted_average)));
        let lever = |x: f32| (x - pivot_x) * full.sin();
        let ends = [scale.range.0 - end + 6.0, scale.range.1 + end - 6.0];
        let dip = ends.iter().map(|x| lever(*x)).fold(0.0, f32::max);
        let pivot_lane = match (input.moment, input.released) {
            (Moment::Before, _) => 22.0,
            (Moment::After, None) => 6.0,
            (Moment::After, Some(_)) => (dip + 6.0).max(22.0),
        };
        let lanes = if !after { 0.0 } else { CAPTION_PT + LANE_PT * if input.written_out { 3.0 } else { 2.0 } };
        let over = if after { 20.0 } else { 4.0 };
        let under = BEAM_PT + pivot_lane + 20.0 + lanes + 4.0;
        let room = height - over - 18.0 - under - dip;
        let unit = if blocks { (room / tallest.max(1.0) as f32).clamp(4.0, 16.0) } else { room.clamp(36.0, 132.0) / tallest.max(1e-12) as f32 };
        let stacks = columns.iter().map(|c| (c.below + c.count) as f32 * unit - lever(c.x)).fold(0.0, f32::max);
        let pivot = [pivot_x, over + 18.0 + stacks];
        let tilt = (full, full * input.motion.clamp(0.0, 1.0));
        let canvas = Canvas::new([width, pivot[1] + under]);
        let block_width = (nearest - 4.0).clamp(8.0, 44.0);
        Self { input, words, example, numbers, scale, columns, block_width, unit, blocks, pivot, tilt, pivot_lane, canvas, handles: Vec::new() }
    }

    fn scene(mut self) -> Scene {
        let after = self.input.moment == Moment::After;
        if after {
            self.sum();
        }
        self.columns();
        self.beam();
        self.numbers();
        match self.input.moment {
            Moment::Before => self.guess_wedge(),
            Moment::After => {
                self.released_wedge();
                self.computed_wedges();
            }
        }
        Scene { size: self.canvas.size, marks: self.canvas.marks, handles: self.handles }
    }

    /// Where a place of the level beam is now.
    fn turned(&self, [x, y]: Place) -> Place {
        let [px, py] = self.pivot;
        let (sin, cos) = self.tilt.1.sin_cos();
        let (dx, dy) = (x - px, y - py);
        [px + dx * cos - dy * sin, py + dx * sin + dy * cos]
    }

    /// The lower edge of the beam at x, now.
    fn under_beam(&self, x: f32) -> f32 {
        self.pivot[1] + BEAM_PT + (x - self.pivot[0]) * self.tilt.1.tan()
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
        let label = Label::new(self.words.say(&message), Ink::Sum);
        let x = if align == Align::Centre { self.canvas.clamped(x, label.width()) } else { x };
        self.canvas.write(&label, &[([x, 13.0], align)]);
        if self.scale.holds(sum) {
            self.tick(sum, Ink::Sum);
        }
    }

    /// The columns with their labels and handles.
    fn columns(&mut self) {
        let gap = if self.unit > 7.0 { 2.0 } else { 1.0 };
        let total: f64 = self.example.counts.iter().sum();
        let each = format!("1/{}", self.words.number(total));
        let written_out = self.input.written_out && self.example.counts.iter().all(|c| c.fract() == 0.0);
        let in_blocks = written_out && self.blocks && self.unit >= 13.0 && self.block_width >= 30.0;
        let half = self.block_width / 2.0;
        let stops = self.stops();
        for i in 0..self.columns.len() {
            let Some(&Column { item, x, below, count }) = self.columns.get(i) else { continue };
            let (pieces, piece) = if self.blocks { (count as usize, 1.0) } else { (1, count) };
            let fill = (count > 0.0).then_some(Ink::Block);
            for k in 0..pieces {
                let bottom = self.pivot[1] - (below + k as f64) as f32 * self.unit - 1.0;
                let high = (piece as f32 * self.unit - gap).max(1.5);
                let [left, top] = [x - half, bottom - high];
                let corners = rounded(Area::new([left, top], [self.block_width, high]), 2.5);
                let points = corners.into_iter().map(|p| self.turned(p)).collect();
                self.canvas.mark(Mark::Polygon { points, fill, stroke: None });
                let middle = self.turned([x, top + high / 2.0]);
                self.canvas.keep_free(Area::new([middle[0] - half, middle[1] - high / 2.0], [self.block_width, high]));
                if in_blocks {
                    let size = 11.0;
                    let (text, face) = (each.clone(), crate::text::Face::Sans);
                    self.canvas.mark(Mark::Text { at: [middle[0], middle[1] + 0.36 * size], align: Align::Centre, text, face, size, ink: Ink::Text });
                }
                if self.input.moment == Moment::After {
                    let area = Area::new([middle[0] - half, middle[1] - high / 2.0], [self.block_width, high]);
                    self.handles.push(if self.blocks { self.person(item, k, area, &stops) } else { self.bar(item, area) });
                }
            }
        }
        self.column_labels(written_out && !in_blocks, &each);
    }

    /// "5 people" over each stack; numbers alone where that is too wide for any of them.
    fn column_labels(&mut self, written_out: bool, each: &str) {
        let tops: Vec<(f32, f64, f32)> = {
            let mut tops: Vec<(f32, f64, f32)> = Vec::new();
            for c in &self.columns {
                let top = self.pivot[1] - (c.below + c.count) as f32 * self.unit;
                match tops.last_mut() {
                    Some(last) if c.below > 0.0 => *last = (c.x, c.below + c.count, top),
                    _ => tops.push((c.x, c.count, top)),
                }
            }
            tops
        };
        let long: Vec<Label> = tops.iter().map(|(_, n, _)| Label::new(self.holders(*n, written_out, each), Ink::Quiet)).collect();
        let fits = tops.windows(2).zip(long.windows(2)).all(|(t, l)| match (t, l) {
            ([a, b], [la, lb]) => (b.0 - a.0) > (la.width() + lb.width()) / 2.0 + 6.0,
            _ => true,
        });
        for ((x, n, top), long) in tops.into_iter().zip(long) {
            let at = self.turned([x, top - 6.0]);
            let label = if fits { long } else { Label::new(self.words.number(n), Ink::Quiet) };
            let x = self.canvas.clamped(at[0], label.width());
            self.canvas.write(&label, &[([x, at[1]], Align::Centre)]);
        }
    }

    /// How many hold a number, as said over its column.
    fn holders(&self, n: f64, written_out: bool, each: &str) -> String {
        let (words, holders) = (self.words, &self.example.holders);
        let number = words.number(n);
        if written_out {
            format!("{number} × {each}")
        } else if holders.is_empty() {
            number
        } else if n == 1.0 && holders == "people" {
            words.say(&M::OnePerson)
        } else {
            words.say(&M::Holders { n: number, holders: holders.clone() })
        }
    }

    /// Where a person can be dropped: the place of each item and the item, left to right.
    fn stops(&self) -> Vec<(f32, f64)> {
        let mut stops: Vec<(f32, f64)> = self.columns.iter().map(|c| (c.x, c.item as f64)).collect();
        stops.sort_by(|a, b| a.0.total_cmp(&b.0));
        stops
    }

    fn value(&self, item: usize) -> f64 {
        self.example.values.get(item).copied().unwrap_or_default()
    }

    fn person(&self, item: usize, k: usize, area: Area, stops: &[(f32, f64)]) -> Handle {
        Handle {
            id: format!("person-{item}-{k}"),
            name: self.words.say(&M::PersonHandle { value: self.value(item) }),
            said: self.words.number(self.value(item)),
            min: area.min,
            size: area.size(),
            value: item as f64,
            range: (0.0, self.example.values.len().saturating_sub(1) as f64),
            step: 1.0,
            axis: Axis::X,
            per_unit: 0.0,
            stops: stops.to_vec(),
            target: Target::Person { column: item },
        }
    }

    fn bar(&self, item: usize, area: Area) -> Handle {
        let count = self.example.counts.get(item).copied().unwrap_or_default();
        let most = self.example.counts.iter().copied().fold(0.0, f64::max);
        let whole = self.example.counts.iter().all(|c| c.fract() == 0.0);
        Handle {
            id: format!("count-{item}"),
            name: self.words.say(&M::CountHandle { value: self.value(item) }),
            said: self.words.number(count),
            min: [area.min[0], area.min[1] - 6.0],
            size: [area.size()[0], area.size()[1].max(6.0) + 6.0],
            value: count,
            range: (0.0, super::place::round_up(2.0 * most)),
            step: if whole { 1.0 } else { fine_step((0.0, most)) },
            axis: Axis::Y,
            per_unit: 1.0 / f64::from(self.unit.max(1e-6)),
            stops: Vec::new(),
            target: Target::Edit(Edit::Count(item, count)),
        }
    }

    /// The beam itself, and the ticks of highest and lowest.
    fn beam(&mut self) {
        let [width, _] = self.canvas.size;
        let y = self.pivot[1];
        let points = rounded(Area::new([4.0, y], [width - 8.0, BEAM_PT]), 2.4).into_iter().map(|p| self.turned(p)).collect();
        self.canvas.mark(Mark::Polygon { points, fill: Some(Ink::Text), stroke: None });
        if self.input.moment == Moment::After {
            self.tick(self.numbers.lowest, Ink::Lowest);
            self.tick(self.numbers.highest, Ink::Highest);
        }
    }

    /// A short line under the beam.
    fn tick(&mut self, value: f64, ink: Ink) {
        let x = self.scale.at(value);
        let [from, to] = [self.turned([x, self.pivot[1] + BEAM_PT]), self.turned([x, self.pivot[1] + BEAM_PT + 6.0])];
        self.canvas.line(from, to, ink, 3.0, false);
    }

    /// The top of the lane of numbers.
    fn number_lane(&self) -> f32 {
        self.pivot[1] + BEAM_PT + self.pivot_lane
    }

    /// The numbers, and under them which is the highest and which the lowest.
    fn numbers(&mut self) {
        let after = self.input.moment == Moment::After;
        let base = self.number_lane() + 14.0;
        let [width, _] = self.canvas.size;
        // The ends first: they carry captions.
        let mut items: Vec<(usize, f32, f64)> = self.columns.iter().map(|c| (c.item, c.x, self.value(c.item))).collect();
        let extreme = |v: f64| v == self.numbers.lowest || v == self.numbers.highest;
        items.sort_by_key(|(_, _, v)| !extreme(*v));
        let mut written: Vec<f64> = Vec::new();
        for (item, x, value) in items {
            if written.contains(&value) {
                continue;
            }
            let label = Label::new(self.words.number(value), Ink::Text).strong();
            let x = self.canvas.clamped(x, label.width());
            let Some(area) = self.canvas.write(&label, &[([x, base], Align::Centre)]) else { continue };
            written.push(value);
            if after {
                let handle = self.number_handle(item, value, area.grown(3.0));
                self.handles.push(handle);
            }
        }
        if !self.example.unit.is_empty() {
            let unit = Label::new(self.example.unit.clone(), Ink::Quiet);
            self.canvas.write(&unit, &[([width - 4.0, base], Align::Right), ([4.0, base], Align::Left)]);
        }
        if after {
            self.captions(base + CAPTION_PT);
        }
    }

    fn captions(&mut self, base: f32) {
        let Numbers { highest, lowest, .. } = *self.numbers;
        let captions = if highest == lowest {
            vec![(M::HighestAndLowest, highest, Ink::Quiet)]
        } else {
            vec![(M::Lowest, lowest, Ink::Lowest), (M::Highest, highest, Ink::Highest)]
        };
        for (message, value, ink) in captions {
            let label = Label::new(self.words.say(&message), ink);
            let x = self.scale.at(value);
            let centred = self.canvas.clamped(x, label.width());
            self.canvas.write(&label, &[([centred, base], Align::Centre), ([x - 10.0, base], Align::Left), ([x + 10.0, base], Align::Right)]);
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
            step: fine_step(self.scale.domain).max(super::place::round_up(self.scale.per_point())),
            axis: Axis::X,
            per_unit: self.scale.per_point(),
            stops: Vec::new(),
            target: Target::Edit(Edit::Value(item, value)),
        }
    }

    /// The learner's wedge before the answer: where she set it, or parked at the end of the beam with an invitation.
    fn guess_wedge(&mut self) {
        let guess = self.input.guess.wedge;
        let value = self.scale.clamp(guess.unwrap_or(self.scale.domain.0));
        let x = self.scale.at(value);
        let top = self.pivot[1] + BEAM_PT + 1.0;
        let ink = if guess.is_some() { Ink::Text } else { Ink::Quiet };
        self.wedge([x, top], Some(Ink::Card), ink);
        let said = guess.map_or_else(|| self.words.say(&M::PlaceTheWedge), |at| self.words.say(&M::YourGuess { at }));
        let label = if guess.is_some() { Label::new(said, ink).strong() } else { Label::new(said, ink) };
        self.beside([x, top], &[label], true);
        let [wide, high] = WEDGE;
        self.handles.push(Handle {
            id: "guess".to_owned(),
            name: self.words.say(&M::GuessHandle),
            said: guess.map_or_else(|| self.words.say(&M::NotSet), |at| self.words.number(at)),
            min: [x - wide / 2.0 - 5.0, top - 3.0],
            size: [wide + 10.0, high + 8.0],
            value,
            range: self.scale.domain,
            step: fine_step(self.scale.domain),
            axis: Axis::X,
            per_unit: self.scale.per_point(),
            stops: Vec::new(),
            target: Target::GuessWedge,
        });
    }

    /// The wedge at the learner's number, after the answer.
    fn released_wedge(&mut self) {
        let Some(at) = self.input.released else { return };
        let place = [self.pivot[0], self.pivot[1] + BEAM_PT + 1.0];
        self.wedge(place, Some(Ink::Card), Ink::Text);
        let on_scale = self.scale.holds(at);
        let said = self.words.say(&if on_scale { M::YourAnswer { at } } else { M::YourAnswerOff { at } });
        let labels = [Label::new(said, Ink::Text).strong(), Label::new(self.words.number(at), Ink::Text).strong()];
        // On the side where the beam rises there is room.
        self.beside(place, &labels, self.tilt.0 <= 0.0);
    }

    /// The filled wedge and the hollow ones, each in its lane, then their leaders.
    fn computed_wedges(&mut self) {
        let Numbers { weighted_average, plain_mean, mean_of_all, .. } = *self.numbers;
        let n = in_words(self.example.values.len(), self.words);
        let top = self.number_lane() + 20.0 + CAPTION_PT;
        let (average_x, mean_x) = (self.scale.at(weighted_average), self.scale.at(plain_mean));
        let strong = |message: &M, ink| Label::new(self.words.say(message), ink).strong();
        let average = [
            strong(&M::WeightedAverageIs { at: weighted_average }, Ink::WeightedAverage),
            Label::new(self.words.number(weighted_average), Ink::WeightedAverage).strong(),
        ];
        let mean = [
            strong(&M::PlainMeanOfThe { n, at: plain_mean }, Ink::PlainMean),
            strong(&M::PlainMeanIs { at: plain_mean }, Ink::PlainMean),
            Label::new(self.words.number(plain_mean), Ink::PlainMean).strong(),
        ];
        let total: f64 = self.example.counts.iter().sum();
        let all = strong(
            &M::PlainMeanOfAll { n: in_words(total.round().max(0.0) as usize, self.words), at: mean_of_all },
            Ink::PlainMean,
        );
        let all = [all, Label::new(self.words.number(mean_of_all), Ink::PlainMean).strong()];

        let left = mean_x < average_x;
        self.wedge([average_x, top], Some(Ink::WeightedAverage), Ink::WeightedAverage);
        self.beside([average_x, top], &average, left);
        let mut lane = top + LANE_PT;
        if self.input.written_out {
            self.hollow_wedge([average_x, lane]);
            self.beside([average_x, lane], &all, left);
            lane += LANE_PT;
        }
        self.hollow_wedge([mean_x, lane]);
        self.beside([mean_x, lane], &mean, !left);
        let under = |beam: &Self, x: f32| beam.under_beam(x) + if beam.input.released.is_some() && (x - beam.pivot[0]).abs() < 10.0 { WEDGE[1] + 3.0 } else { 2.0 };
        let from = under(self, average_x);
        self.canvas.leader(average_x, from, top, Ink::WeightedAverage, false);
        let from = under(self, mean_x);
        self.canvas.leader(mean_x, from, lane, Ink::PlainMean, true);
    }

    /// A wedge with its tip at the place.
    fn wedge(&mut self, [x, y]: Place, fill: Option<Ink>, stroke: Ink) {
        let [wide, high] = WEDGE;
        let points = vec![[x, y], [x + wide / 2.0, y + high], [x - wide / 2.0, y + high]];
        self.canvas.mark(Mark::Polygon { points, fill, stroke: Some((stroke, 1.75)) });
        self.canvas.keep_free(Area::new([x - wide / 2.0 - 1.0, y], [wide + 2.0, high + 2.0]));
    }

    /// The hollow wedge of the plain mean; its leader is the dashed one.
    fn hollow_wedge(&mut self, place: Place) {
        self.wedge(place, Some(Ink::Card), Ink::PlainMean);
    }

    /// A label beside a wedge: the longest that fits, on the preferred side if it can.
    fn beside(&mut self, [x, y]: Place, labels: &[Label], right: bool) {
        let base = y + WEDGE[1] - 1.0;
        let away = WEDGE[0] / 2.0 + 6.0;
        let sides = [([x + away, base], Align::Left), ([x - away, base], Align::Right)];
        self.canvas.write_any(labels, |_| if right { sides.to_vec() } else { sides.iter().rev().copied().collect() });
    }
}

/// The columns and the least distance between two that do not stand on one another, in points.
fn columns(example: &WeightedValues, scale: Scale) -> (Vec<Column>, f32) {
    let mut columns: Vec<Column> = (example.values.iter().zip(&example.counts).enumerate())
        .map(|(item, (value, count))| Column { item, x: scale.at(*value), below: 0.0, count: *count })
        .collect();
    columns.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut nearest = f32::INFINITY;
    let mut stack: Option<(f32, f64)> = None;
    for column in &mut columns {
        match stack {
            Some((x, height)) if column.x - x < 12.0 => {
                column.below = height;
                stack = Some((x, height + column.count));
            }
            Some((x, _)) => {
                nearest = nearest.min(column.x - x);
                stack = Some((column.x, column.count));
            }
            None => stack = Some((column.x, column.count)),
        }
    }
    (columns, nearest)
}

/// How far the beam tips when it is let go, clockwise, in radians: 0 at the weighted average, more the farther the wedge is from it.
fn tilt(input: &FigureInput, numbers: &Numbers, scale: Scale, words: &Words) -> f32 {
    let Some(at) = input.released.filter(|_| input.moment == Moment::After) else { return 0.0 };
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
    let Area { min: [left, top], max: [right, bottom] } = area;
    let r = radius.min((right - left) / 2.0).min((bottom - top) / 2.0);
    let corners = [([right - r, top + r], -90.0_f32), ([right - r, bottom - r], 0.0), ([left + r, bottom - r], 90.0), ([left + r, top + r], 180.0)];
    let mut points = Vec::with_capacity(16);
    for ([x, y], from) in corners {
        for step in 0..4_u8 {
            let (sin, cos) = (from + 30.0 * f32::from(step)).to_radians().sin_cos();
            points.push([x + r * cos, y + r * sin]);
        }
    }
    points
}
