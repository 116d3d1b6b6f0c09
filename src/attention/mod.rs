//! The engine: attention over arrays, with every convention named; also the pipelines with one step changed.
//!
//! One head: q (n, d), k (m, d), v (m, dᵥ); n queries, m keys. Stage by stage, each a file or a line of `pipeline`:
//!
//! | stage | is | by default |
//! |---|---|---|
//! | scores | q·kᵀ | |
//! | scaled | scale · score | scale = 1/√d |
//! | capped | c · tanh(scaled / c) | no cap |
//! | biased | capped + bias − slope · distance | nothing added |
//! | masked | biased / temperature; −∞ where hidden | temperature 1, nothing hidden |
//! | weights | a normaliser of the visible keys, row by row | softmax |
//! | output | weights · v | |
//!
//! A *hidden* key (`keep` false, a bias of −∞, outside the causal rule or the window) is skipped, never multiplied by zero, so that a NaN behind a
//! mask cannot reach the output. A score of −∞ hides nothing: its key is visible with weight 0. Masks come after the cap, which would make −∞ finite.
//!
//! Two paths, one meaning. [`attend`], [`attend_heads`] and [`attend_layer`] are for people who look at every number: f64, the whole trace kept
//! (scores, weights, log-sum-exp; the other stages are derived for the cell that is looked at). [`attend_tiled`] is for size: f32, no n×m array. It
//! is held to the first by a test: |Δ| ≤ 10⁻⁶ · (1 + greatest |scaled score|) · greatest |v|.

mod alteration;
mod arithmetic;
mod arrays;
mod heads;
mod layer;
mod norm;
mod notice;
mod pipeline;
mod position;
mod softmax;
mod sparsemax;
mod spec;
pub mod tiled;
mod trace;
mod weights;

pub use alteration::Alteration;
pub use arrays::{Heads, Inputs};
pub use heads::{
    HeadsTrace, attend, attend_altered, attend_heads, attend_heads_altered, attend_row,
};
pub use layer::{Layer, LayerInputs, LayerTrace, Linear, Projected, attend_layer};
pub use norm::{LayerNorm, NormError, layer_norm, rms_norm};
pub use notice::Notice;
pub use position::{TurnError, Turns, add_sinusoidal, alibi_slopes, rotate, sinusoidal};
pub use softmax::{
    NoSuchAxis, log_softmax, log_softmax_along, log_sum_exp, softmax, softmax_along,
};
pub use sparsemax::sparsemax;
pub use spec::{
    Alignment, AttentionError, EmptyRow, HeadOrder, Normaliser, Positions, Precision, Rotary,
    RotaryPairs, Shape, Sight, Spec, Window,
};
pub use tiled::{Tiled, attend_tiled, weight_window};
pub use trace::{Stage, Trace};
