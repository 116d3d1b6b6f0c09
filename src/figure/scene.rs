//! A scene: marks in the figure's own units (points at 100 % zoom, y downwards), and the handles one can take hold of.

use crate::text::{Face, Ink, Laid};
use crate::worked_example::Edit;

/// A position in scene units.
pub type Place = [f32; 2];

/// Where a text stands relative to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Its left end at the place.
    Left,
    /// Its middle at the place.
    Centre,
    /// Its right end at the place.
    Right,
}

/// One thing drawn.
#[allow(missing_docs, reason = "each variant says what its fields are")]
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A line.
    Line {
        from: Place,
        to: Place,
        ink: Ink,
        width: f32,
        dashed: bool,
    },
    /// A rectangle from its upper left corner; hatched means masked.
    Rect {
        min: Place,
        size: [f32; 2],
        radius: f32,
        fill: Option<Ink>,
        stroke: Option<(Ink, f32)>,
        hatched: bool,
    },
    /// A closed convex shape; dashed, its outline is that of `dashes`.
    Polygon {
        points: Vec<Place>,
        fill: Option<Ink>,
        stroke: Option<(Ink, f32)>,
        dashed: bool,
    },
    /// A circle.
    Circle {
        centre: Place,
        radius: f32,
        fill: Option<Ink>,
        stroke: Option<(Ink, f32)>,
    },
    /// One line of text; `at` is on the baseline.
    Text {
        at: Place,
        align: Align,
        text: String,
        face: Face,
        size: f32,
        ink: Ink,
    },
    /// Laid-out text with formulas; `at` is its upper left corner.
    Rich {
        at: Place,
        laid: Box<Laid>,
        spoken: String,
    },
}

/// A dashed outline as open lines, for every painter alike: dashes fitted to each side, and one bent around every corner, so that even a
/// small shape keeps its shape.
pub(crate) fn dashes(corners: &[Place]) -> Vec<Vec<Place>> {
    /// A dash and the gap after it, in points, before they are fitted; and the dash's share of the two.
    const PERIOD_PT: f32 = 6.5;
    const DASH_SHARE: f32 = 0.6;
    let Some(&last) = corners.last() else {
        return Vec::new();
    };
    let before = std::iter::once(&last).chain(corners);
    let sides: Vec<(Place, Place, f32)> = before
        .zip(corners)
        .map(|(a, b)| {
            (
                *a,
                *b,
                ((b[0] - a[0]).hypot(b[1] - a[1]) / PERIOD_PT)
                    .round()
                    .max(2.0),
            )
        })
        .collect();
    let along = |(a, b, _): (Place, Place, f32), t: f32| {
        [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]
    };
    let mut lines = Vec::new();
    for (i, side) in sides.iter().enumerate() {
        let half = |periods: f32| 0.5 * DASH_SHARE / periods;
        let mut k = 1.0;
        while k < side.2 {
            let (middle, half) = (k / side.2, half(side.2));
            lines.push(vec![
                along(*side, middle - half),
                along(*side, middle + half),
            ]);
            k += 1.0;
        }
        if let Some(next) = sides.get((i + 1) % sides.len()) {
            let (from, to) = (along(*side, 1.0 - half(side.2)), along(*next, half(next.2)));
            lines.push(vec![from, side.1, to]);
        }
    }
    lines
}

/// Which way a handle moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Left and right.
    X,
    /// Up and down (up is more).
    Y,
}

/// What a handle (or an editable cell) sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// A change of the example: the edit with its number replaced by the handle's new value (see [`Target::edit`]).
    Edit(Edit),
    /// The learner's own wedge.
    GuessWedge,
    /// The learner's own weight for item i.
    GuessWeight(usize),
    /// A person block in this column; the handle's value is the column (0-based) it is dropped on.
    Person {
        /// The column it is in.
        column: usize,
    },
}

impl Target {
    /// The edit that sets the value, where the target is the example. A person dropped where she was is no edit.
    #[must_use]
    pub fn edit(self, value: f64) -> Option<Edit> {
        match self {
            Self::Edit(edit) => Some(match edit {
                Edit::Value(i, _) => Edit::Value(i, value),
                Edit::Count(i, _) => Edit::Count(i, value),
                Edit::Weight(i, _) => Edit::Weight(i, value),
                Edit::Query(r, c, _) => Edit::Query(r, c, value),
                Edit::Key(r, c, _) => Edit::Key(r, c, value),
                Edit::ValueCell(r, c, _) => Edit::ValueCell(r, c, value),
                other => other,
            }),
            Self::Person { column } => {
                let to = value.round().max(0.0) as usize;
                (to != column).then_some(Edit::MovePerson { from: column, to })
            }
            Self::GuessWedge | Self::GuessWeight(_) => None,
        }
    }
}

/// Something to take hold of: dragged by the mouse, moved by arrow keys when focused, named for the screen reader.
#[derive(Clone, Debug, PartialEq)]
pub struct Handle {
    /// Stable within the figure ("person-0-2", "weight-1"): its identity from frame to frame.
    pub id: String,
    /// Its name for people ("weight of Africa").
    pub name: String,
    /// Its value in words ("0.35").
    pub said: String,
    /// Upper left corner and size of the area that can be grabbed.
    pub min: Place,
    /// Size of that area.
    pub size: [f32; 2],
    /// The value now.
    pub value: f64,
    /// Least and greatest value.
    pub range: (f64, f64),
    /// What one arrow key press changes.
    pub step: f64,
    /// Which way it moves.
    pub axis: Axis,
    /// Value per scene unit moved.
    pub per_unit: f64,
    /// Where it can be dropped, as place along the axis and value there, left to right; empty where every value between is allowed.
    pub stops: Vec<(f32, f64)>,
    /// Where its grip is shown on the screen: the middle of the edge that moves; `None` for what is taken hold of as a whole.
    pub grip: Option<Place>,
    /// What it sets.
    pub target: Target,
}

impl Handle {
    /// What is outlined while it is held or has the focus, as upper left corner and size: the area, but nothing over its grip, where
    /// its number stands.
    #[must_use]
    pub fn outline(&self) -> (Place, [f32; 2]) {
        let top = self.grip.map_or(self.min[1], |[_, y]| y);
        let bottom = self.min[1] + self.size[1];
        ([self.min[0], top], [self.size[0], bottom - top])
    }
}

/// Marks and handles in a box.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Width and height.
    pub size: [f32; 2],
    /// Painted in this order.
    pub marks: Vec<Mark>,
    /// What can be taken hold of.
    pub handles: Vec<Handle>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dashed_triangle_keeps_its_corners_and_has_gaps_on_every_side() {
        for scale in [0.5, 1.0, 1.4, 4.0] {
            let corners = [
                [0.0, 0.0],
                [9.0 * scale, 15.0 * scale],
                [-9.0 * scale, 15.0 * scale],
            ];
            let lines = dashes(&corners);
            for corner in corners {
                assert!(
                    lines
                        .iter()
                        .any(|line| line.len() == 3 && line[1] == corner),
                    "{corner:?}"
                );
            }
            let length = |line: &[Place]| -> f32 {
                (line.windows(2))
                    .map(|p| (p[1][0] - p[0][0]).hypot(p[1][1] - p[0][1]))
                    .sum()
            };
            let around = length(&[corners[0], corners[1], corners[2], corners[0]]);
            let drawn: f32 = lines.iter().map(|line| length(line)).sum();
            assert!(
                (0.55..0.65).contains(&(drawn / around)),
                "{drawn} of {around}"
            );
        }
        assert!(dashes(&[]).is_empty());
    }
}
