//! Other numbers of the same shape, so that a question can be asked again: what could be told apart still can, and luck stays luck.
//!
//! Candidates are drawn by a seeded generator and kept only if they pass [`alike`]; where none of many does, the example comes back as it was.
//! Road not taken: constructing numbers that pass: the conditions are plain to check and tedious to construct, and a check cannot be forgotten.

use std::collections::BTreeMap;

use ndarray::Array2;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::{
    AttentionExample, Basis, Computed, Operation, Quantity, WeightedValues, WorkedExample,
};
use crate::attention::{Alteration, attend_row};
use crate::words::number::{DecimalSign, show};

/// Candidates tried before giving up; fewer for large examples, so that nobody waits.
const TRIES: usize = 2000;
/// Cells computed before giving up.
const CELLS: usize = 1_000_000;
/// Where there are more focus words than this, only the one that asks is looked at.
const MOST_FOCUS_WORDS: usize = 16;

impl WorkedExample {
    /// The same example with other numbers: equally many items, operations that differed still shown different, operations that agreed
    /// (weights that balance at the plain mean by luck) still agreeing. The same seed gives the same numbers. Where no such numbers are found,
    /// the example as it is.
    #[must_use]
    pub fn renumbered(&self, seed: u64) -> Self {
        let mut chance = Chance(ChaCha8Rng::seed_from_u64(seed));
        let originals = of_focus_words(self);
        let cells: usize = originals.iter().map(|(_, c)| c.trace().scores.len()).sum();
        let tries = (CELLS / cells.max(1)).clamp(10, TRIES);
        let found = (0..tries).find_map(|attempt| {
            let candidate = match self {
                // First with as many people as before; where that finds nothing, with any number of them.
                Self::WeightedValues(weighted) => {
                    let other = other_weighted(weighted, &mut chance);
                    let total = |weighted: &WeightedValues| weighted.counts.iter().sum::<f64>();
                    if attempt < tries / 2 && (total(&other) - total(weighted)).abs() > 1e-9 {
                        return None;
                    }
                    Self::WeightedValues(other)
                }
                Self::Attention(attention) => {
                    Self::Attention(other_attention(attention, &mut chance))
                }
            };
            let alike_for = |(focus, old): &(usize, Computed)| {
                Computed::new(&focused(&candidate, *focus)).is_ok_and(|new| alike(old, &new))
            };
            (candidate != *self && originals.iter().all(alike_for)).then_some(candidate)
        });
        found.unwrap_or_else(|| self.clone())
    }
}

/// The example's numbers for each focus word that a question may choose.
fn of_focus_words(example: &WorkedExample) -> Vec<(usize, Computed)> {
    let focus_words = match example {
        WorkedExample::Attention(AttentionExample { q, .. })
            if (2..=MOST_FOCUS_WORDS).contains(&q.nrows()) =>
        {
            0..q.nrows()
        }
        WorkedExample::Attention(AttentionExample { focus, .. }) => *focus..*focus + 1,
        WorkedExample::WeightedValues(_) => 0..1,
    };
    let computed = |focus| Some((focus, Computed::new(&focused(example, focus)).ok()?));
    focus_words.filter_map(computed).collect()
}

fn focused(example: &WorkedExample, focus: usize) -> WorkedExample {
    match example {
        WorkedExample::Attention(attention) => WorkedExample::Attention(AttentionExample {
            focus,
            ..attention.clone()
        }),
        WorkedExample::WeightedValues(_) => example.clone(),
    }
}

/// Whether the same operations are told apart; and, for attention, the same weights (of a sentence short enough to look at each), and no weight that
/// counted has vanished.
fn alike(a: &Computed, b: &Computed) -> bool {
    let mut components = 0..a.value_width();
    let (old, new) = (a.weights(), b.weights());
    components
        .all(|component| told_apart_alike(&operations(a, component), &operations(b, component)))
        && (a.counts().is_some() || old.len() > MOST_FOCUS_WORDS || told_apart_alike(old, new))
        && (a.counts().is_some()
            || old
                .iter()
                .zip(new)
                .all(|(old, new)| *old < 0.02 || *new >= 0.02))
}

/// Whether each two numbers that were the same still are, and each two that were shown different still are.
fn told_apart_alike(old: &[f64], new: &[f64]) -> bool {
    let numbers: Vec<(f64, f64)> = old.iter().copied().zip(new.iter().copied()).collect();
    let kept = |(a, new_a): (f64, f64), (b, new_b): (f64, f64)| {
        same(a, b) == same(new_a, new_b) && (shown_alike(a, b) || !shown_alike(new_a, new_b))
    };
    old.len() == new.len()
        && numbers
            .iter()
            .enumerate()
            .all(|(i, a)| numbers.iter().skip(i + 1).all(|b| kept(*a, *b)))
}

fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

fn shown_alike(a: f64, b: f64) -> bool {
    let shown = |x: f64| show(x, DecimalSign::Point).text;
    shown(a) == shown(b)
}

/// Plain mean, weighted average, highest, lowest and hard max of a component.
fn operations(computed: &Computed, component: usize) -> Vec<f64> {
    let named = [
        Operation::PlainMean,
        Operation::WeightedAverage,
        Operation::Highest,
        Operation::Lowest,
    ];
    let named = named
        .into_iter()
        .map(|op| Quantity::Operation(op, Basis::Values, component));
    let Computed {
        inputs, spec, row, ..
    } = computed;
    let hard = attend_row(inputs, spec, Some(Alteration::HardMax), *row).ok();
    let hard = hard.and_then(|trace| trace.output.get((0, component)).copied());
    named
        .filter_map(|quantity| computed.number(quantity))
        .chain(hard)
        .collect()
}

/// A seeded source of whole numbers.
struct Chance(ChaCha8Rng);

impl Chance {
    /// From `low` to `high`, both included; `low` where there is nothing between. (A modulus of 2⁶⁴: the bias is below 10⁻¹⁵.)
    fn between(&mut self, low: i64, high: i64) -> i64 {
        let width = high
            .saturating_sub(low)
            .saturating_add(1)
            .max(1)
            .unsigned_abs();
        low.saturating_add_unsigned(self.0.next_u64() % width)
    }

    /// The numbers with each distinct one replaced by another distinct one of `low..=high` steps of `step`; 0 stays 0 where `keep_zero`.
    fn replaced(
        &mut self,
        numbers: &[f64],
        (low, high): (i64, i64),
        step: Step,
        keep_zero: bool,
    ) -> Vec<f64> {
        let mut new = BTreeMap::new();
        if keep_zero {
            new.insert(0f64.to_bits(), 0f64);
        }
        for number in numbers {
            // Adding 0 makes −0 the 0 that it is.
            let old = (number + 0.0).to_bits();
            if new.contains_key(&old) {
                continue;
            }
            let mut other = step.of(self.between(low, high));
            for _ in 0..50 {
                if !new.values().any(|known| *known == other) {
                    break;
                }
                other = step.of(self.between(low, high));
            }
            new.insert(old, other);
        }
        numbers
            .iter()
            .filter_map(|number| new.get(&(number + 0.0).to_bits()).copied())
            .collect()
    }
}

/// What numbers of an example are multiples of: tens, fives, ones, tenths, hundredths.
#[derive(Clone, Copy)]
struct Step {
    /// Whole numbers of this …
    times: f64,
    /// … divided by this: 3 tenths is 3 / 10, which is the 0.3 that people type.
    per: f64,
}

impl Step {
    fn widest<'a>(numbers: impl Iterator<Item = &'a f64> + Clone) -> Self {
        let steps = [(10.0, 1.0), (5.0, 1.0), (1.0, 1.0), (1.0, 10.0)]
            .map(|(times, per)| Self { times, per });
        let fits = |step: &Self| {
            numbers.clone().all(|x| {
                let steps = x * step.per / step.times;
                (steps - steps.round()).abs() < 1e-9
            })
        };
        steps.into_iter().find(fits).unwrap_or(Self {
            times: 1.0,
            per: 100.0,
        })
    }

    fn of(self, steps: i64) -> f64 {
        steps as f64 * self.times / self.per
    }

    fn count(self, x: f64) -> i64 {
        (x * self.per / self.times).round() as i64
    }
}

fn other_weighted(weighted: &WeightedValues, chance: &mut Chance) -> WeightedValues {
    let WeightedValues {
        unit,
        holders,
        values,
        counts,
    } = weighted;
    let step = Step::widest(values.iter());
    let (low, high) = span(values, step);
    let mut new_values = chance.replaced(values, (low, high), step, false);
    if values.is_sorted() {
        new_values.sort_by(f64::total_cmp);
    }
    let count_step = Step::widest(counts.iter().chain([&1.0]));
    let most = counts.iter().copied().fold(0.0, f64::max);
    let most = if count_step.per == 1.0 {
        most.max(5.0)
    } else {
        most
    };
    let new_counts = chance.replaced(counts, (1, count_step.count(most).max(1)), count_step, true);
    WeightedValues {
        unit: unit.clone(),
        holders: holders.clone(),
        values: new_values,
        counts: new_counts,
    }
}

/// The numbers' range in steps, and as many steps again as there are numbers; not below 0 where none was.
fn span(numbers: &[f64], step: Step) -> (i64, i64) {
    let steps: Vec<i64> = numbers.iter().map(|x| step.count(*x)).collect();
    let (low, high) = (
        steps.iter().min().copied().unwrap_or(0),
        steps.iter().max().copied().unwrap_or(0),
    );
    let more = i64::try_from(numbers.len()).unwrap_or(0).max(2);
    let wider = low.saturating_sub(more);
    (
        if low >= 0 {
            wider.max(i64::from(low > 0))
        } else {
            wider
        },
        high.saturating_add(more),
    )
}

/// Each number moved by up to three steps (one step where all are whole). A row of zeros stays so: it makes all weights equal.
fn other_attention(attention: &AttentionExample, chance: &mut Chance) -> AttentionExample {
    let mut moved = |array: &Array2<f64>| {
        let whole = array.iter().all(|x| x.fract() == 0.0);
        let step = if whole {
            Step {
                times: 1.0,
                per: 1.0,
            }
        } else {
            Step::widest(array.iter().chain([&0.1]))
        };
        let most = if whole { 1 } else { 3 };
        let mut new = array.clone();
        for mut row in new.rows_mut() {
            if row.iter().any(|x| *x != 0.0) {
                row.mapv_inplace(|x| {
                    step.of(step.count(x).saturating_add(chance.between(-most, most)))
                });
            }
        }
        new
    };
    let AttentionExample {
        tokens,
        q,
        k,
        v,
        keep,
        bias,
        spec,
        focus,
    } = attention;
    AttentionExample {
        tokens: tokens.clone(),
        q: moved(q),
        k: moved(k),
        v: moved(v),
        keep: keep.clone(),
        bias: bias.clone(),
        spec: *spec,
        focus: *focus,
    }
}
