//! The engine: attention over arrays, with every convention named; also the pipelines with one step changed.
//!
//! The pipeline is `scores = q·kᵀ`, `scaled = (scale · scores + bias) / temperature`, `weights = softmax(scaled)` row by row over the
//! *visible* keys, `output = weights · v`. Shapes: q (n, d), k (m, d), v (m, dᵥ); n queries, m keys.
//!
//! A *hidden* key (`keep` false, a bias of −∞, or after the query where attention is causal) is skipped, never multiplied by zero, so that a NaN
//! behind a mask cannot reach the output. A score of −∞ hides nothing: its key is visible with weight 0.
//!
//! Everything is f64 and the whole n×m trace is kept: this is the path for teaching, where people look at every number. Road not taken:
//! keeping every stage as an array; the stages between scores and weights are derived for the row that is looked at.

mod alteration;
mod pipeline;
mod softmax;
mod spec;

pub use alteration::Alteration;
pub use pipeline::{Trace, attend, attend_altered};
pub use softmax::{log_sum_exp, softmax};
pub use spec::{Alignment, AttentionError, EmptyRow, Inputs, Spec};

#[cfg(test)]
mod tests;
