//! A table: the same numbers as the picture, to be read and, cell by cell, edited; the twin of every figure.

use super::{FigureInput, Moment, Target};
use crate::text::Ink;

/// One cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// What stands in it.
    pub text: String,
    /// Its colour.
    pub ink: Ink,
    /// Emphasised.
    pub strong: bool,
    /// Whether it can be edited: its value now, least, greatest, the step of one arrow key, what it sets, and its name for the screen reader.
    pub edit: Option<CellEdit>,
}

/// How a cell is edited.
#[derive(Clone, Debug, PartialEq)]
pub struct CellEdit {
    /// Its name ("points of column 1").
    pub name: String,
    /// The number in it.
    pub value: f64,
    /// Least and greatest.
    pub range: (f64, f64),
    /// One arrow key press.
    pub step: f64,
    /// What it sets.
    pub target: Target,
}

/// One row with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The row's name ("▲ weights by people").
    pub name: String,
    /// The colour of the name.
    pub ink: Ink,
    /// The cells under the columns.
    pub cells: Vec<Cell>,
    /// What the row comes to ("21 + 40 + 18 = 79"); may be empty.
    pub result: String,
}

/// Columns and rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The columns' names ("70", "80", "90" or the tokens).
    pub columns: Vec<String>,
    /// How each column's name is edited, where it is a number of the example (one a column); may be empty.
    pub heads: Vec<Option<CellEdit>>,
    /// The rows.
    pub rows: Vec<Row>,
}

impl Table {
    /// How many columns there are under the names of the rows: heads or cells, whichever are more.
    #[must_use]
    pub fn width(&self) -> usize {
        let cells = self.rows.iter().map(|row| row.cells.len());
        cells.fold(self.columns.len(), usize::max)
    }

    /// The rows that have something under each column: what stands under a picture, which says the rest itself.
    #[must_use]
    pub fn short(&self) -> Self {
        let mut short = self.clone();
        (short.rows).retain(|row| row.cells.iter().any(|cell| !cell.text.is_empty()));
        short
    }

    /// The height that is given to a picture whose short table stands under it after the answer: all of it where the picture needs at
    /// least so much and the two do not fit.
    pub(super) fn room_over(&self, input: &FigureInput, least_pt: f32) -> f32 {
        let [_, height] = input.size;
        let left = height - self.short().height_pt();
        if input.moment == Moment::Before || left < least_pt {
            height
        } else {
            left
        }
    }

    /// How high the table is, with the space over it.
    #[must_use]
    pub fn height_pt(&self) -> f32 {
        /// A row, and the row of the columns' names with the space over the table.
        const ROW_PT: f32 = 31.0;
        const HEAD_PT: f32 = 57.0;
        HEAD_PT + ROW_PT * self.rows.len() as f32
    }
}
