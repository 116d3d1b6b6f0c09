//! A table: the same numbers as the picture, to be read and, cell by cell, edited; the twin of every figure.

use super::Target;
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
