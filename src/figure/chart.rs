//! A chart: bars over categories on an absolute scale, with reference lines; how it is painted is the painter's affair.

use super::Target;
use crate::text::Ink;

/// One bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// The category under it.
    pub label: String,
    /// Its name as something to take hold of ("weight of Africa").
    pub name: String,
    /// Its height.
    pub height: f64,
    /// The text over it ("0.35").
    pub said: String,
    /// Its colour.
    pub ink: Ink,
    /// A masked key.
    pub hatched: bool,
    /// The learner's own bar, drawn as an outline over or beside it.
    pub guess: Option<f64>,
    /// What dragging its top sets.
    pub target: Option<Target>,
}

/// A horizontal line across the chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// At this height.
    pub at: f64,
    /// Its label ("uniform 1/5").
    pub label: String,
    /// Its colour; drawn dashed.
    pub ink: Ink,
}

/// Bars on an absolute scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What the heights are ("attention weight").
    pub y_label: String,
    /// The scale, never stretched to the data (0 to 1 for weights).
    pub y_range: (f64, f64),
    /// Where the scale is marked, and with which words.
    pub y_ticks: Vec<(f64, String)>,
    /// Width and height it is drawn in, in points.
    pub size: [f32; 2],
    /// The bars, left to right.
    pub bars: Vec<Bar>,
    /// The lines across.
    pub references: Vec<Reference>,
}
