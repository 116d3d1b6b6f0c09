//! A worked example as pictures in data: charts and scenes with handles, the table, the sentence, SVG.
//!
//! A figure is described once, here, and painted many times: by egui, as SVG and PNG, as a table, a sentence, terminal text. It has two
//! levels. A [`Chart`] says what is plotted (categories, bars, reference lines); egui_plot paints it on the screen and our own axes in SVG. A [`Scene`]
//! says where marks stand in the figure's own units. Each [`Handle`] that can be dragged is a focusable, named widget too.
//!
//! Road not taken: figures drawn directly by egui closures: they could not be tested, saved as SVG, read out or shown in a terminal
//! without being written again.
//!
//! A new figure is one file here and one line in the registry below.

mod axes;
mod balance;
mod chart;
mod csv;
mod drawing;
mod place;
mod said;
mod sampler;
mod scene;
mod steps;
mod svg;
mod table;
mod terminal;
#[cfg(test)]
mod tests;
mod weights;

pub use chart::{Bar, Chart, Reference};
pub use csv::{csv, markdown_table};
pub use drawing::{Drawing, FigureInput, FigureKind, Guess, Moment, Picture};
pub use said::FigureMsg;
pub use scene::{Align, Axis, Handle, Mark, Place, Scene, Target};
pub use svg::svg;
pub use table::{Cell, CellEdit, Row, Table};
pub use terminal::{POINTS_A_COLUMN, terminal, terminal_table};

pub(crate) use axes::{Plotted, shortened};
pub(crate) use scene::dashes;

use crate::words::Words;
use crate::worked_example::WorkedExample;

/// One figure: its name, the examples it can show, and how it is drawn.
struct Registered {
    kind: FigureKind,
    name: FigureMsg,
    applies: fn(&WorkedExample) -> bool,
    draw: fn(&FigureInput) -> Option<Drawing>,
}

/// The registry.
const FIGURES: [Registered; 4] = [
    Registered {
        kind: FigureKind::Balance,
        name: FigureMsg::BalanceName,
        applies: of_weighted_values,
        draw: balance::draw,
    },
    Registered {
        kind: FigureKind::Weights,
        name: FigureMsg::WeightsName,
        applies: |_| true,
        draw: weights::draw,
    },
    Registered {
        kind: FigureKind::Steps,
        name: FigureMsg::StepsName,
        applies: |_| true,
        draw: steps::draw,
    },
    Registered {
        kind: FigureKind::Sampler,
        name: FigureMsg::SamplerName,
        applies: |_| true,
        draw: sampler::draw,
    },
];

fn of_weighted_values(example: &WorkedExample) -> bool {
    matches!(example, WorkedExample::WeightedValues(_))
}

fn registered(kind: FigureKind) -> Option<&'static Registered> {
    FIGURES.iter().find(|figure| figure.kind == kind)
}

/// The figure of this example as data; `None` where it does not apply.
#[must_use]
pub fn draw(kind: FigureKind, input: &FigureInput) -> Option<Drawing> {
    registered(kind)
        .filter(|figure| (figure.applies)(input.example))
        .and_then(|figure| (figure.draw)(input))
}

/// Whether the figure can show this example.
#[must_use]
pub fn applies(kind: FigureKind, example: &WorkedExample) -> bool {
    registered(kind).is_some_and(|figure| (figure.applies)(example))
}

/// The figure's name for people.
#[must_use]
pub fn name(kind: FigureKind, words: &Words) -> String {
    registered(kind)
        .map(|figure| words.say(&figure.name))
        .unwrap_or_default()
}
