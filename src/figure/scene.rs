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
    /// A closed convex shape.
    Polygon {
        points: Vec<Place>,
        fill: Option<Ink>,
        stroke: Option<(Ink, f32)>,
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
    /// What it sets.
    pub target: Target,
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
