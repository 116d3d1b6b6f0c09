//! A worked example as pictures in data: charts and scenes with handles, the table, the sentence, SVG.
//!
//! A figure is described once, here, and painted many times: by egui, as SVG and PNG, as a table, a sentence, terminal text. It has two
//! levels. A [`Chart`] says what is plotted (categories, bars, reference lines); egui_plot paints it on the screen and our own axes in SVG. A [`Scene`]
//! says where marks stand in the figure's own units. Each [`Handle`] that can be dragged is a focusable, named widget too.
//!
//! Road not taken: figures drawn directly by egui closures: they could not be tested, saved as SVG, read out or shown in a terminal
//! without being written again.

mod chart;
mod drawing;
mod scene;
mod table;

pub use chart::{Bar, Chart, Reference};
pub use drawing::{Drawing, FigureInput, FigureKind, Guess, Moment, Picture};
pub use scene::{Align, Axis, Handle, Mark, Place, Scene, Target};
pub use table::{Cell, CellEdit, Row, Table};
