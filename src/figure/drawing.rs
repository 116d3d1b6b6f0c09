//! One figure of one example, described once: headline, picture, table and sentence from the same numbers.

use super::{Chart, Scene, Table};
use crate::text::Span;
use crate::words::Words;
use crate::worked_example::{Computed, Draws, WorkedExample};

/// The figures there are; the registry holds one drawing function for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Deserialize)]
pub enum FigureKind {
    /// The beam with blocks and wedges.
    Balance,
    /// Bars of the attention weights.
    Weights,
    /// The pipeline as a strip of stages.
    Steps,
    /// Words drawn with these chances.
    Sampler,
}

impl FigureKind {
    /// Every figure, in the order of the design.
    pub const ALL: [Self; 4] = [Self::Balance, Self::Weights, Self::Steps, Self::Sampler];
}

/// Before the answer nothing that gives it away is drawn; after it, everything is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The learner has not answered.
    Before,
    /// She has.
    After,
}

/// What the learner set in the figure before answering.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Guess {
    /// Where she thinks the beam balances.
    pub wedge: Option<f64>,
    /// The weights she expects, one an item.
    pub weights: Option<Vec<f64>>,
}

/// All that a figure is drawn from.
pub struct FigureInput<'a> {
    /// The example as it is now.
    pub example: &'a WorkedExample,
    /// Its numbers.
    pub computed: &'a Computed,
    /// Before or after the answer.
    pub moment: Moment,
    /// What the learner set.
    pub guess: &'a Guess,
    /// After an answer: the number at which the wedge was put and the beam let go (her answer's).
    pub released: Option<f64>,
    /// Every person written out in one list.
    pub written_out: bool,
    /// What was drawn by lot so far.
    pub draws: Option<&'a Draws>,
    /// 0 = level as placed, 1 = fully tipped: how far the motion has come.
    pub motion: f32,
    /// The words of the interface.
    pub words: &'a Words,
    /// Width and height there is, in points.
    pub size: [f32; 2],
}

/// What is painted.
#[derive(Clone, Debug, PartialEq)]
pub enum Picture {
    /// A plot.
    Chart(Chart),
    /// Marks.
    Scene(Scene),
}

/// A figure, described.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// One line over it ("It tips at 80 and balances at 79."); empty before the answer where it would give the answer away.
    pub headline: Vec<Span>,
    /// The picture.
    pub picture: Picture,
    /// The same numbers as a table; no rows before the answer where they would give it away.
    pub table: Table,
    /// The same as a spoken sentence.
    pub sentence: String,
}
