//! The calculation told step by step, with this example's numbers.

use super::{Computed, Quantity};
use crate::words::Words;

/// One stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What is done ("Score").
    pub name: String,
    /// In general, as TeX.
    pub formula: String,
    /// With this example's numbers (the focus word's), as TeX.
    pub substituted: String,
    /// The names of the columns of `rows`: the items, or the components.
    pub columns: Vec<String>,
    /// What comes out: a name and its numbers, one a column.
    pub rows: Vec<(String, Vec<f64>)>,
    /// What kind of number comes out (of item or component 0).
    pub quantity: Quantity,
}

/// The stages that the example has, in order.
#[must_use]
pub fn steps(_computed: &Computed, _words: &Words) -> Vec<Step> {
    Vec::new()
}
