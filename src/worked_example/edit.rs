//! What a learner can change in an example by taking hold of it; each change makes a new example.

/// One change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edit {
    /// Value i of weighted values becomes this.
    Value(usize, f64),
    /// Count i becomes this (not negative).
    Count(usize, f64),
    /// One person goes from one number to another.
    MovePerson {
        /// From this column.
        from: usize,
        /// To this column.
        to: usize,
    },
    /// The weight of item i becomes this (0 to 1): its score alone moves, the others shrink or grow in proportion.
    Weight(usize, f64),
    /// q[row, column] becomes this.
    Query(usize, usize, f64),
    /// k[row, column] becomes this.
    Key(usize, usize, f64),
    /// v[row, column] becomes this.
    ValueCell(usize, usize, f64),
    /// Another word asks.
    Focus(usize),
    /// All weights equal (equal counts; for attention a zero query).
    EqualWeights,
}
