//! The registry: one line a mistake, the likeliest first; what each comes to stands in `wrong`.

use super::case::Case;
use super::said::WhatMsg;
use super::wrong::*;
use super::{Found, Mistake};
use crate::attention::Alteration as A;
use crate::worked_example::{Operation, Quantity as Q};

/// Every mistake there is, the likeliest first.
pub const MISTAKES: &[Mistake] = &[
    mistake("plain-mean", |c| c.weigh(plain_mean(c))),
    mistake("weighted-average", |c| {
        operation(c, Operation::WeightedAverage)
    }),
    mistake("sum", |c| c.weigh(sum(c))),
    mistake("highest", |c| operation(c, Operation::Highest)),
    mistake("lowest", |c| operation(c, Operation::Lowest)),
    mistake("hard-max", |c| c.weigh(hard_max(c))),
    mistake("mode", modes),
    mistake("median", median),
    mistake("undivided", |c| c.weigh(undivided(c))),
    mistake("divided-by-items", |c| c.weigh(divided_by_items(c))),
    mistake("no-scale", |c| altered(c, A::NoScale)),
    mistake("divided-by-d", |c| altered(c, A::DivideByWidth)),
    mistake("times-root-d", |c| altered(c, A::TimesRootWidth)),
    mistake("over-queries", |c| altered(c, A::OverQueries)),
    mistake("over-everything", |c| altered(c, A::OverEverything)),
    mistake("no-exp", |c| altered(c, A::NoExp)),
    mistake("no-division", |c| altered(c, A::NoDivision)),
    mistake("scale-after", |c| altered(c, A::ScaleAfterSoftmax)),
    mistake("k-v-swapped", |c| altered(c, A::KeysAndValuesSwapped)),
    mistake("no-transpose", |c| altered(c, A::NoTranspose)),
    mistake("softmax-twice", |c| c.weigh(softmax_twice(c))),
    mistake("softmax-of-counts", |c| c.weigh(softmax_of_counts(c))),
    mistake("n-v-swapped", |c| c.weigh(counts_values_swapped(c))),
    mistake("counts-mispaired", counts_mispaired),
    mistake("counts-sum", |c| counts_summed(c, WhatMsg::CountsSum)),
    mistake("counts-mean", |c| counts_summed(c, WhatMsg::CountsMean)),
    mistake("score-instead", |c| of_item(c, Q::Score)),
    mistake("scaled-score-instead", |c| of_item(c, Q::ScaledScore)),
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

const fn mistake(id: &'static str, find: fn(&Case<'_>) -> Vec<Found>) -> Mistake {
    Mistake { id, find }
}
