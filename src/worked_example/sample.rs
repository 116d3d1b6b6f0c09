//! Drawing by lot with the weights as chances: the mean of what was drawn runs toward the weighted average.
//!
//! The generator is ChaCha with 8 rounds, seeded by `seed_from_u64`, 64 bits a draw: the same on every machine. Draw number t takes the t-th 64 bits of the stream, so
//! that drawing 10 and then 90 gives what drawing 100 gives.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::Computed;

/// What was drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Draws {
    /// (m): how often each item was drawn.
    pub counts: Vec<u64>,
    /// How many draws.
    pub total: u64,
    /// (dᵥ): the mean of the values drawn; empty before the first draw.
    pub mean: Vec<f64>,
    /// After so many draws, the mean of component 0: the first ten draws, then about 40 points for each factor of ten, and the last draw.
    pub path: Vec<(u64, f64)>,
}

/// At most so many draws in one call: a second of work, and no frozen window.
const MOST: u64 = 1_000_000;

/// Draws `more` items (at most a million a call), after those drawn so far with the same seed and the same example.
#[must_use]
pub fn draw(computed: &Computed, so_far: Option<&Draws>, more: u64, seed: u64) -> Draws {
    let items = computed.items();
    let values = computed.values();
    let mut draws = so_far
        .filter(|draws| draws.counts.len() == items)
        .cloned()
        .unwrap_or_else(|| Draws {
            counts: vec![0; items],
            total: 0,
            mean: Vec::new(),
            path: Vec::new(),
        });
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    chance.set_word_pos(u128::from(draws.total) * 2);
    // The last point of a call stands only until the next one: the path must not depend on how the draws were split.
    if draws.path.last().is_some_and(|(at, _)| !is_on_path(*at)) {
        draws.path.pop();
    }
    let first = values.column(0);
    let mut sum: f64 = draws
        .counts
        .iter()
        .zip(first)
        .map(|(count, x)| *count as f64 * x)
        .sum();
    for _ in 0..more.min(MOST) {
        let item = pick(computed.weights(), unit(chance.next_u64()));
        if let (Some(count), Some(x)) = (draws.counts.get_mut(item), first.get(item)) {
            *count += 1;
            draws.total += 1;
            sum += x;
        }
        if is_on_path(draws.total) {
            draws.path.push((draws.total, sum / draws.total as f64));
        }
    }
    if draws.total > 0 {
        let total = draws.total as f64;
        draws.mean = values
            .columns()
            .into_iter()
            .map(|column| {
                draws
                    .counts
                    .iter()
                    .zip(column)
                    .map(|(count, x)| *count as f64 * x)
                    .sum::<f64>()
                    / total
            })
            .collect();
        if draws.path.last().is_none_or(|(at, _)| *at != draws.total) {
            draws.path.push((draws.total, sum / total));
        }
    }
    draws
}

/// 53 random bits as a number from 0 to below 1.
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// The item on whose stretch of the unit line the number falls; never one of weight 0.
fn pick(weights: &[f64], number: f64) -> usize {
    let mut below = 0.0;
    let mut last = 0;
    for (item, weight) in weights
        .iter()
        .enumerate()
        .filter(|(_, weight)| **weight > 0.0)
    {
        below += weight;
        last = item;
        if number < below {
            break;
        }
    }
    last
}

/// 1 to 10, then about 40 for each factor of ten.
fn is_on_path(at: u64) -> bool {
    let step = |t: u64| (40.0 * (t as f64).log10()).floor();
    at <= 10 || step(at) > step(at - 1)
}
