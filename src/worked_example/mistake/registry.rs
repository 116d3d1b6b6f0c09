//! The registry: one line a mistake, the likeliest first; what each comes to stands in `wrong`.

use super::case::Case;
use super::said::WhatMsg;
use super::wrong::*;
use super::{Found, Mistake};
use crate::attention::Alteration as A;
use crate::worked_example::{Operation, Quantity as Q};

/// Every mistake there is, the likeliest first.
pub const MISTAKES: &[Mistake] = &[
    named("plain-mean", A::Uniform, |c| c.weigh(plain_mean(c))),
    mistake("weighted-average", |c| {
        operation(c, Operation::WeightedAverage)
    }),
    named("sum", A::Sum, |c| c.weigh(sum(c))),
    mistake("highest", |c| operation(c, Operation::Highest)),
    mistake("lowest", |c| operation(c, Operation::Lowest)),
    named("hard-max", A::HardMax, |c| c.weigh(hard_max(c))),
    mistake("mode", modes),
    mistake("median", median),
    mistake("undivided", |c| c.weigh(undivided(c))),
    mistake("divided-by-items", |c| c.weigh(divided_by_items(c))),
    altered("no-scale", A::NoScale),
    altered("divided-by-d", A::DivideByWidth),
    altered("times-root-d", A::TimesRootWidth),
    altered("divided-by-root-m", A::DivideByRootKeys),
    altered("scaled-twice", A::ScaledTwice),
    altered("no-mask", A::NoMask),
    altered("mask-inverted", A::MaskInverted),
    altered("mask-after-softmax", A::MaskAfterSoftmax),
    altered("mask-zeroes-scores", A::MaskZeroesScores),
    altered("mask-added", A::MaskAdded),
    altered("without-itself", A::WithoutItself),
    altered("other-alignment", A::OtherAlignment),
    altered("no-window", A::NoWindow),
    altered("no-cap", A::NoCap),
    altered("cap-after-mask", A::CapAfterMask),
    altered("no-bias", A::NoBias),
    altered("no-temperature", A::NoTemperature),
    altered("times-temperature", A::TimesTemperature),
    altered("no-positions", A::NoPositions),
    altered("other-pairs", A::OtherPairs),
    altered("over-queries", A::OverQueries),
    altered("over-everything", A::OverEverything),
    altered("no-exp", A::NoExp),
    altered("no-division", A::NoDivision),
    altered("plus-one", A::PlusOne),
    altered("sigmoid", A::Sigmoid),
    altered("scale-after", A::ScaleAfterSoftmax),
    altered("k-v-swapped", A::KeysAndValuesSwapped),
    altered("q-k-swapped", A::QueriesAndKeysSwapped),
    altered("no-transpose", A::NoTranspose),
    named("softmax-twice", A::Twice, |c| c.weigh(softmax_twice(c))),
    mistake("softmax-of-counts", |c| c.weigh(softmax_of_counts(c))),
    mistake("n-v-swapped", |c| c.weigh(counts_values_swapped(c))),
    mistake("counts-mispaired", counts_mispaired),
    mistake("counts-sum", |c| counts_summed(c, WhatMsg::CountsSum)),
    mistake("counts-mean", |c| counts_summed(c, WhatMsg::CountsMean)),
    mistake("plain-mean-hidden-too", plain_mean_hidden_too),
    mistake("score-instead", |c| of_item(c, Q::Score)),
    mistake("scaled-score-instead", |c| of_item(c, Q::ScaledScore)),
    mistake("capped-score-instead", |c| of_item(c, Q::CappedScore)),
    mistake("biased-score-instead", |c| of_item(c, Q::BiasedScore)),
    mistake("masked-score-instead", |c| of_item(c, Q::MaskedScore)),
    mistake("weight-instead", |c| of_item(c, Q::Weight)),
    mistake("count-instead", |c| of_item(c, Q::Count)),
    mistake("value-instead", |c| of_cells(c, Q::Value)),
    mistake("weighted-value-instead", |c| of_cells(c, Q::WeightedValue)),
    mistake("another-item", another_item),
    mistake("another-component", another_component),
    mistake("only-a-weight", only_a_weight),
    mistake("of-weighted-values", of_weighted_values),
    mistake("left-out", left_out),
    mistake("one-item", one_item),
    mistake("another-number", another_number),
];

/// A wrong computation of its own.
const fn mistake(id: &'static str, find: fn(&Case<'_>) -> Vec<Found>) -> Mistake {
    Mistake {
        id,
        alteration: None,
        find: Some(find),
    }
}

/// The pipeline with one step changed.
const fn altered(id: &'static str, alteration: A) -> Mistake {
    Mistake {
        id,
        alteration: Some(alteration),
        find: None,
    }
}

/// The same where there is more to say than what was changed.
const fn named(id: &'static str, alteration: A, find: fn(&Case<'_>) -> Vec<Found>) -> Mistake {
    Mistake {
        id,
        alteration: Some(alteration),
        find: Some(find),
    }
}
