//! The wrong computations that the registry names: what each comes to in a case.

use super::Found;
use super::case::{Case, Weighing, divided_by_number};
use super::said::{HowMsg, WhatMsg};
use crate::attention::{Alteration, Trace, softmax};
use crate::worked_example::formula::{Tex, numeral};
use crate::worked_example::{Basis, Operation, Quantity};

pub(super) fn plain_mean(case: &Case<'_>) -> Option<Weighing> {
    let name = WhatMsg::PlainMean {
        m: numeral(case.c.visible_items()),
        things: case.things(),
    };
    let weighing = case.altered(Alteration::Uniform)?;
    Some(Weighing {
        name: Some(name),
        trace: None,
        summing: Some(divided_by_number),
        ..weighing
    })
}

pub(super) fn sum(case: &Case<'_>) -> Option<Weighing> {
    let name = WhatMsg::Sum {
        m: numeral(case.c.visible_items()),
        things: case.things(),
    };
    let weighing = case.altered(Alteration::Sum)?;
    let summing = |tex: Tex<'_>, column: &[f64]| tex.sum(column.iter().copied());
    Some(Weighing {
        name: Some(name),
        trace: None,
        summing: Some(summing),
        ..weighing
    })
}

pub(super) fn hard_max(case: &Case<'_>) -> Option<Weighing> {
    let how = if case.c.counts().is_some() {
        HowMsg::LargestCountAlone
    } else {
        HowMsg::LargestScoreAlone
    };
    let weighing = Weighing {
        how,
        ..case.altered(Alteration::HardMax)?
    };
    let alone = weighing.weights.contains(&1.0);
    let name = match (case.c.counts(), case.holders()) {
        (None, _) => WhatMsg::LargestScore,
        (Some(_), Some(holders)) => WhatMsg::MostHeld { holders },
        (Some(_), None) => WhatMsg::LargestCount,
    };
    Some(Weighing {
        name: alone.then_some(name),
        trace: None,
        ..weighing
    })
}

/// Where several numbers have the largest count, each of them. (Where one has, that is the hard max.)
pub(super) fn modes(case: &Case<'_>) -> Vec<Found> {
    let (Some(counts), Some(component)) = (case.c.counts(), case.component()) else {
        return Vec::new();
    };
    let largest = counts.iter().copied().fold(0.0, f64::max);
    let modes: Vec<f64> = case
        .column(component)
        .into_iter()
        .zip(counts)
        .filter(|(_, n)| **n == largest)
        .map(|(x, _)| x)
        .collect();
    if modes.len() < 2 || modes.len() == counts.len() {
        return Vec::new();
    }
    let name = || {
        case.holders()
            .map_or(WhatMsg::LargestCount, |holders| WhatMsg::MostHeld {
                holders,
            })
    };
    modes
        .into_iter()
        .map(|x| case.is(x, name(), Some(component), "v"))
        .collect()
}

pub(super) fn median(case: &Case<'_>) -> Vec<Found> {
    let Some(component) = case.component() else {
        return Vec::new();
    };
    let mut column = case.c.seen(case.column(component));
    column.sort_by(f64::total_cmp);
    let (Some(low), Some(high)) = (
        column.get(column.len().saturating_sub(1) / 2),
        column.get(column.len() / 2),
    ) else {
        return Vec::new();
    };
    let what = WhatMsg::Median {
        m: numeral(column.len()),
        things: case.things(),
    };
    let left = if column.len() % 2 == 1 {
        case.tex.list(column.iter().copied()) + r"\;\to\; \tilde v"
    } else {
        divided_by_number(case.tex, &[*low, *high])
    };
    // Of two numbers the median is the plain mean, which is told already.
    if column.len() < 3 {
        Vec::new()
    } else {
        vec![case.is((low + high) / 2.0, what, Some(component), &left)]
    }
}

pub(super) fn undivided(case: &Case<'_>) -> Option<Weighing> {
    let counts = case.c.counts()?;
    Some(case.weighing(
        counts.to_vec(),
        HowMsg::Undivided {
            total: counts.iter().sum(),
        },
    ))
}

pub(super) fn divided_by_items(case: &Case<'_>) -> Option<Weighing> {
    let counts = case.c.counts()?;
    let (m, total) = (counts.len(), counts.iter().sum());
    let how = HowMsg::DividedByItems {
        m: numeral(m),
        total,
    };
    let weights = counts.iter().map(|count| count / m as f64).collect();
    let weighing = case.weighing(weights, how);
    let origin = format!("w = {} / {m}", case.tex.tuple(counts.iter().copied()));
    Some(Weighing {
        origin: Some(origin),
        ..weighing
    })
}

/// A changed step of attention; weighted values have no such steps.
pub(super) fn altered(case: &Case<'_>, alteration: Alteration) -> Vec<Found> {
    if case.c.counts().is_some() || !applies(case.c.trace(), alteration) {
        return Vec::new();
    }
    let weighing = case.altered(alteration);
    case.weigh(weighing.map(|weighing| with_origin(case, weighing)))
}

/// Whether there is something to be done otherwise: most changed steps come to the right numbers where there is not.
pub(super) fn applies(right: &Trace, alteration: Alteration) -> bool {
    match alteration {
        // With nothing to invert, everything would be hidden.
        Alteration::MaskInverted => right.visible.iter().any(|seen| !seen),
        // Of one head.
        Alteration::DivideByRootModelWidth | Alteration::OtherHeadOrder => false,
        _ => true,
    }
}

pub(super) fn softmax_twice(case: &Case<'_>) -> Option<Weighing> {
    Some(with_origin(case, case.altered(Alteration::Twice)?))
}

/// The plain mean of all values, where some are hidden.
pub(super) fn plain_mean_hidden_too(case: &Case<'_>) -> Vec<Found> {
    let Some(component) = case.component() else {
        return Vec::new();
    };
    if case.c.visible_items() == case.c.items() {
        return Vec::new();
    }
    let column = case.column(component);
    let what = WhatMsg::PlainMeanOfHiddenToo {
        m: numeral(column.len()),
    };
    let mean = column.iter().sum::<f64>() / column.len() as f64;
    vec![case.is(
        mean,
        what,
        Some(component),
        &divided_by_number(case.tex, &column),
    )]
}

/// With what softmax sees and the weights that became of it.
fn with_origin(case: &Case<'_>, weighing: Weighing) -> Weighing {
    let tex = case.tex;
    let origin = weighing.trace.as_ref().map(|trace| {
        format!(
            r"{} \;\to\; w = {}",
            tex.tuple(trace.masked_scores(0)),
            tex.tuple(weighing.weights.iter().copied())
        )
    });
    Weighing { origin, ..weighing }
}

pub(super) fn softmax_of_counts(case: &Case<'_>) -> Option<Weighing> {
    let counts = case.c.counts()?;
    let weights = softmax(counts)?;
    let list = case.tex.tuple(counts.iter().copied());
    let origin = format!(
        r"\mathrm{{softmax}}{list} = {}",
        case.tex.tuple(weights.iter().copied())
    );
    Some(Weighing {
        origin: Some(origin),
        ..case.weighing(weights, HowMsg::SoftmaxOfCounts)
    })
}

pub(super) fn counts_values_swapped(case: &Case<'_>) -> Option<Weighing> {
    let counts = case.c.counts()?;
    let values = case.column(0);
    let total: f64 = values.iter().sum();
    let weights: Vec<f64> = values.iter().map(|x| x / total).collect();
    let column = ndarray::Array1::from(counts.to_vec()).insert_axis(ndarray::Axis(1));
    let weighing = case.weighing(weights, HowMsg::CountsAndValuesSwapped);
    let origin = format!(
        "w = {} / {}",
        case.tex.tuple(values),
        case.tex.number(total)
    );
    Some(Weighing {
        values: column,
        origin: Some(origin),
        ..weighing
    })
}

/// The counts in reverse order, and shifted by one, two, … (Asked for a weight, this gives another item's, which is told as that.)
pub(super) fn counts_mispaired(case: &Case<'_>) -> Vec<Found> {
    let Some(counts) = case.c.counts().filter(|_| case.component().is_some()) else {
        return Vec::new();
    };
    let total: f64 = counts.iter().sum();
    let mut orders = vec![(
        counts.iter().rev().copied().collect::<Vec<f64>>(),
        HowMsg::CountsReversed,
    )];
    for by in 1..counts.len() {
        let mut order = counts.to_vec();
        order.rotate_left(by);
        if orders.iter().all(|(known, _)| *known != order) {
            orders.push((order, HowMsg::CountsMispaired));
        }
    }
    let weighing = |(order, how): (Vec<f64>, HowMsg)| {
        let origin = format!(
            "w = {} / {}",
            case.tex.tuple(order.iter().copied()),
            case.tex.number(total)
        );
        let weights = order.into_iter().map(|count| count / total).collect();
        Weighing {
            origin: Some(origin),
            ..case.weighing(weights, how)
        }
    };
    orders
        .into_iter()
        .flat_map(|order| case.weigh(Some(weighing(order))))
        .collect()
}

pub(super) fn counts_summed(case: &Case<'_>, what: WhatMsg) -> Vec<Found> {
    let (Some(counts), Some(_)) = (case.c.counts(), case.component()) else {
        return Vec::new();
    };
    let total: f64 = counts.iter().sum();
    vec![if what == WhatMsg::CountsSum {
        case.is(total, what, None, &case.tex.sum(counts.iter().copied()))
    } else {
        case.is(
            total / counts.len() as f64,
            what,
            None,
            &divided_by_number(case.tex, counts),
        )
    }]
}

/// An operation of the values, where an operation is asked.
pub(super) fn operation(case: &Case<'_>, operation: Operation) -> Vec<Found> {
    let component = case.component();
    let other =
        component.and_then(|c| case.instead(Quantity::Operation(operation, Basis::Values, c)));
    other.into_iter().collect()
}

/// The item that is asked about, and the component where there is one.
fn asked_item(case: &Case<'_>) -> Option<usize> {
    match case.asked {
        Quantity::Value(i, _) | Quantity::WeightedValue(i, _) | Quantity::Count(i) => Some(i),
        other => other.stage().map(|(_, item)| item),
    }
}

/// Another number of the item that is asked about.
pub(super) fn of_item(case: &Case<'_>, other: fn(usize) -> Quantity) -> Vec<Found> {
    let found = asked_item(case).and_then(|item| case.instead(other(item)));
    found.into_iter().collect()
}

/// The same where there is one for each component.
pub(super) fn of_cells(case: &Case<'_>, other: fn(usize, usize) -> Quantity) -> Vec<Found> {
    let Some(item) = asked_item(case) else {
        return Vec::new();
    };
    (0..case.c.value_width())
        .filter_map(|c| case.instead(other(item, c)))
        .collect()
}

/// The same number of another item.
pub(super) fn another_item(case: &Case<'_>) -> Vec<Found> {
    let same_of = |i: usize| match case.asked {
        Quantity::Value(_, c) => Some(Quantity::Value(i, c)),
        Quantity::WeightedValue(_, c) => Some(Quantity::WeightedValue(i, c)),
        Quantity::Count(_) => Some(Quantity::Count(i)),
        other => (other.stage()).map(|(stage, _)| Quantity::at_stage(stage, i)),
    };
    (0..case.c.items())
        .filter_map(same_of)
        .filter_map(|other| case.instead(other))
        .collect()
}

/// The same operation of another component.
pub(super) fn another_component(case: &Case<'_>) -> Vec<Found> {
    let (operation, basis, component) = match case.asked {
        Quantity::Output(c) => (Operation::WeightedAverage, Basis::Values, c),
        Quantity::Operation(operation, basis, c) => (operation, basis, c),
        _ => return Vec::new(),
    };
    let others = (0..case.c.value_width()).filter(|c| *c != component);
    others
        .filter_map(|c| case.instead(Quantity::Operation(operation, basis, c)))
        .collect()
}

pub(super) fn only_a_weight(case: &Case<'_>) -> Vec<Found> {
    if case.component().is_none() {
        return Vec::new();
    }
    (0..case.c.items())
        .filter_map(|i| case.instead(Quantity::Weight(i)))
        .collect()
}

/// Operations of the weighted values, where an operation is asked. (Their sum is the weighted average.)
pub(super) fn of_weighted_values(case: &Case<'_>) -> Vec<Found> {
    let Some(component) = case.component() else {
        return Vec::new();
    };
    let operations = Operation::ALL
        .into_iter()
        .filter(|operation| *operation != Operation::Sum);
    operations
        .filter_map(|op| case.instead(Quantity::Operation(op, Basis::WeightedValues, component)))
        .collect()
}

/// The weighted average without one item, the other weights made to sum to 1. (Of two, what is left is one value alone; of very many, nobody can
/// tell which was left out.)
pub(super) fn left_out(case: &Case<'_>) -> Vec<Found> {
    if case.component().is_none() || !(3..=32).contains(&case.c.visible_items()) {
        return Vec::new();
    }
    let without = |item: usize| {
        let mut weights = case.c.weights().to_vec();
        *weights.get_mut(item)? = 0.0;
        let rest: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= rest);
        (rest > 0.0).then(|| {
            case.weighing(
                weights,
                HowMsg::LeftOut {
                    label: case.label(item),
                },
            )
        })
    };
    let seen = case.c.seen(0..case.c.items()).into_iter();
    seen.flat_map(|item| case.weigh(without(item))).collect()
}

/// One value alone, where it is not already told as highest, lowest, median or hard max.
pub(super) fn one_item(case: &Case<'_>) -> Vec<Found> {
    let Some(component) = case.component() else {
        return Vec::new();
    };
    let mut told = vec![
        operation(case, Operation::Highest),
        operation(case, Operation::Lowest),
        median(case),
        modes(case),
    ];
    told.push(case.weigh(hard_max(case)));
    let told: Vec<f64> = told
        .into_iter()
        .flatten()
        .map(|found| found.number)
        .collect();
    let column = case
        .column(component)
        .into_iter()
        .enumerate()
        .filter(|(_, x)| !told.contains(x));
    column
        .map(|(i, x)| {
            let weighted = case.c.counts().is_some();
            let what = if weighted {
                WhatMsg::OneNumber
            } else {
                WhatMsg::OneValue {
                    label: case.label(i),
                }
            };
            case.is(x, what, Some(component), &format!("v_{{{}}}", i + 1))
        })
        .collect()
}

/// Whole numbers of the example for one another.
pub(super) fn another_number(case: &Case<'_>) -> Vec<Found> {
    if !matches!(
        case.asked,
        Quantity::Total | Quantity::Items | Quantity::KeyWidth
    ) {
        return Vec::new();
    }
    let others = [Quantity::Items, Quantity::Total, Quantity::KeyWidth];
    others
        .into_iter()
        .filter_map(|other| case.instead(other))
        .collect()
}
