//! Where things stand in a figure: scales from numbers to points, round steps, and labels that never touch one another.
//!
//! A [`Canvas`] collects marks and remembers the area of every text and obstacle. A label is offered several places, best first, and
//! takes the first that is free and inside the box; one that finds none is left out, since its number stands in the table and the
//! sentence too. Road not taken: moving labels apart after all are placed; it needs a solver, and moves labels that stood well.

use super::{Align, Mark, Place};
use crate::text::Ink;
use crate::text::faces::{self, Face};

/// The size of labels in figures, in points.
pub(super) const LABEL_PT: f32 = 13.0;
/// Free space kept around every label, in points.
const CLEAR: f32 = 2.0;

/// A rectangle in scene units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    /// Upper left corner.
    pub min: Place,
    /// Lower right corner.
    pub max: Place,
}

impl Area {
    /// From the upper left corner and the size.
    pub fn new(min: Place, size: [f32; 2]) -> Self {
        Self {
            min,
            max: [min[0] + size[0], min[1] + size[1]],
        }
    }

    /// The area that a line of text covers.
    pub fn of_text(at: Place, align: Align, text: &str, face: Face, size: f32) -> Self {
        let width = faces::width(text, face, size);
        let left = match align {
            Align::Left => at[0],
            Align::Centre => at[0] - width / 2.0,
            Align::Right => at[0] - width,
        };
        Self {
            min: [left, at[1] - 0.76 * size],
            max: [left + width, at[1] + 0.24 * size],
        }
    }

    /// Grown by so much on every side.
    pub fn grown(self, by: f32) -> Self {
        Self {
            min: [self.min[0] - by, self.min[1] - by],
            max: [self.max[0] + by, self.max[1] + by],
        }
    }

    /// Whether the two share a point inside.
    pub fn overlaps(self, other: Self) -> bool {
        self.min[0] < other.max[0]
            && other.min[0] < self.max[0]
            && self.min[1] < other.max[1]
            && other.min[1] < self.max[1]
    }

    /// Whether it lies in the box from the origin.
    pub fn within(self, size: [f32; 2]) -> bool {
        self.min[0] >= -0.01
            && self.min[1] >= -0.01
            && self.max[0] <= size[0] + 0.01
            && self.max[1] <= size[1] + 0.01
    }

    /// Width and height.
    pub fn size(self) -> [f32; 2] {
        [self.max[0] - self.min[0], self.max[1] - self.min[1]]
    }
}

/// A line of text before it has a place.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub text: String,
    pub face: Face,
    pub size: f32,
    pub ink: Ink,
}

impl Label {
    /// In the regular face.
    pub fn new(text: impl Into<String>, ink: Ink) -> Self {
        Self {
            text: text.into(),
            face: Face::Sans,
            size: LABEL_PT,
            ink,
        }
    }

    /// The same in semibold.
    pub fn strong(self) -> Self {
        Self {
            face: Face::SansSemibold,
            ..self
        }
    }

    /// The same at another size.
    pub fn sized(self, size: f32) -> Self {
        Self { size, ..self }
    }

    /// Its width in points.
    pub fn width(&self) -> f32 {
        faces::width(&self.text, self.face, self.size)
    }
}

/// Marks, and what is taken.
pub(super) struct Canvas {
    /// The box.
    pub size: [f32; 2],
    /// What is drawn, in this order.
    pub marks: Vec<Mark>,
    taken: Vec<Area>,
}

impl Canvas {
    /// An empty box.
    pub fn new(size: [f32; 2]) -> Self {
        Self {
            size,
            marks: Vec::new(),
            taken: Vec::new(),
        }
    }

    /// Draws a mark that labels may cross.
    pub fn mark(&mut self, mark: Mark) {
        self.marks.push(mark);
    }

    /// A straight line.
    pub fn line(&mut self, from: Place, to: Place, ink: Ink, width: f32, dashed: bool) {
        self.mark(Mark::Line {
            from,
            to,
            ink,
            width,
            dashed,
        });
    }

    /// Nothing may be written here.
    pub fn keep_free(&mut self, area: Area) {
        self.taken.push(area);
    }

    /// Writes the label at the first of the places that is free; `None` where none is.
    pub fn write(&mut self, label: &Label, places: &[(Place, Align)]) -> Option<Area> {
        let (at, align, area) = places.iter().find_map(|&(at, align)| {
            let area = Area::of_text(at, align, &label.text, label.face, label.size);
            let free =
                area.within(self.size) && !self.taken.iter().any(|t| t.overlaps(area.grown(CLEAR)));
            free.then_some((at, align, area))
        })?;
        self.taken.push(area);
        let Label {
            text,
            face,
            size,
            ink,
        } = label.clone();
        self.mark(Mark::Text {
            at,
            align,
            text,
            face,
            size,
            ink,
        });
        Some(area)
    }

    /// Writes the first of the labels (longest first) that finds a place.
    pub fn write_any(
        &mut self,
        labels: &[Label],
        places: impl Fn(&Label) -> Vec<(Place, Align)>,
    ) -> Option<Area> {
        labels
            .iter()
            .find_map(|label| self.write(label, &places(label)))
    }

    /// A vertical line that stops at every label in its way.
    pub fn leader(&mut self, x: f32, from_y: f32, to_y: f32, ink: Ink, dashed: bool) {
        let mut gaps: Vec<(f32, f32)> = (self.taken.iter().map(|area| area.grown(3.0)))
            .filter(|a| {
                a.min[0] - 3.0 < x && x < a.max[0] + 3.0 && a.max[1] > from_y && a.min[1] < to_y
            })
            .map(|a| (a.min[1], a.max[1]))
            .collect();
        gaps.sort_by(|a, b| a.0.total_cmp(&b.0));
        gaps.push((to_y, to_y));
        let mut y = from_y;
        for (top, bottom) in gaps {
            let end = top.min(to_y);
            // Less than a dash and a gap is a speck, not a line.
            if end - y > 9.0 {
                self.line([x, y], [x, end], ink, 1.25, dashed);
            }
            y = y.max(bottom);
        }
    }

    /// A place where a text of this width stands centred at x, moved just so far that it stays in the box.
    pub fn clamped(&self, x: f32, width: f32) -> f32 {
        let half = width / 2.0;
        x.max(half + CLEAR)
            .min((self.size[0] - half - CLEAR).max(half))
    }
}

/// From numbers to points along one axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// The numbers at the two ends.
    pub domain: (f64, f64),
    /// The points at the two ends.
    pub range: (f32, f32),
}

impl Scale {
    /// The place of a number.
    pub fn at(self, value: f64) -> f32 {
        let Self {
            domain: (lo, hi),
            range: (from, to),
        } = self;
        let share = if hi > lo {
            (value - lo) / (hi - lo)
        } else {
            0.5
        };
        from + share as f32 * (to - from)
    }

    /// How much one point is worth.
    pub fn per_point(self) -> f64 {
        let Self {
            domain: (lo, hi),
            range: (from, to),
        } = self;
        (hi - lo) / f64::from((to - from).abs().max(1.0))
    }

    /// Whether the number lies on the axis.
    pub fn holds(self, value: f64) -> bool {
        (self.domain.0..=self.domain.1).contains(&value)
    }

    /// The number, moved to the nearer end where it lies outside.
    pub fn clamp(self, value: f64) -> f64 {
        value.max(self.domain.0).min(self.domain.1)
    }
}

/// The smallest of 1, 2, 5, 10, 20, 50… (and 0.5, 0.2…) that is not below `size`.
pub(super) fn round_up(size: f64) -> f64 {
    if !(size.is_finite() && size > 0.0) {
        return 1.0;
    }
    let ten = 10f64.powf(size.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|m| m * ten)
        .find(|step| *step >= size * (1.0 - 1e-9))
        .unwrap_or(10.0 * ten)
}

/// The ends of an axis for these numbers: so round that dragging a number between them moves no end, but for large moves.
pub(super) fn round_domain(numbers: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let (lo, hi) = (numbers.into_iter().filter(|x| x.is_finite()))
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| {
            (lo.min(x), hi.max(x))
        });
    if lo > hi {
        return (0.0, 1.0);
    }
    let span = if hi - lo > 1e-9 * hi.abs() {
        hi - lo
    } else {
        (0.2 * hi.abs()).max(1.0)
    };
    let step = round_up(span);
    let (mut from, mut to) = ((lo / step).floor() * step, (hi / step).ceil() * step);
    if to - from < 0.5 * step {
        (from, to) = (from - step, to + step);
    }
    (from, to)
}

/// A step for arrow keys and dragging: about a hundredth of the axis, round.
pub(super) fn fine_step(domain: (f64, f64)) -> f64 {
    round_up((domain.1 - domain.0) / 100.0)
}

/// The same for one of these numbers: a whole one where all of them are, if that is not too coarse.
pub(super) fn step_of(numbers: &[f64], domain: (f64, f64)) -> f64 {
    let fine = fine_step(domain);
    let whole = numbers.iter().all(|x| x.fract() == 0.0) && domain.1 - domain.0 >= 10.0;
    if whole { fine.max(1.0) } else { fine }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_axis_of_the_exam_stays_while_a_number_is_dragged_about() {
        for highest in 82..=100 {
            assert_eq!(round_domain([70.0, 80.0, f64::from(highest)]).0 % 10.0, 0.0);
        }
        assert_eq!(round_domain([70.0, 80.0, 90.0]), (60.0, 100.0));
        assert_eq!(round_domain([70.0, 80.0, 85.0]), (60.0, 100.0));
        assert_eq!(round_domain([80.0, 80.0]), (60.0, 100.0));
    }

    proptest! {
        #[test]
        fn an_axis_holds_its_numbers(numbers in prop::collection::vec(-1e6..1e6f64, 1..9)) {
            let (lo, hi) = round_domain(numbers.iter().copied());
            prop_assert!(lo < hi);
            for x in numbers {
                prop_assert!(lo <= x + 1e-6 && x <= hi + 1e-6);
            }
        }
    }
}
