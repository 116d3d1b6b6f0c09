//! Every number of an example that can be asked for or cited, by name.

use super::{Basis, Operation};

/// A number of an example. Items and components are 0-based here and 1-based in files and on screens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// An operation, of the values or of the weighted values, of component c.
    Operation(Operation, Basis, usize),
    /// The output of the focus word (the weighted average), component c.
    Output(usize),
    /// Value of item i, component c.
    Value(usize, usize),
    /// How many hold item i.
    Count(usize),
    /// How many hold any.
    Total,
    /// How many items there are (m).
    Items,
    /// The score q·k of item i (for weighted values ln count).
    Score(usize),
    /// The scaled score of item i.
    ScaledScore(usize),
    /// The attention weight of item i.
    Weight(usize),
    /// Weight times value of item i, component c.
    WeightedValue(usize, usize),
    /// The plain mean of the list with every person written out.
    MeanOfAll,
    /// d, the width of queries and keys.
    KeyWidth,
}
