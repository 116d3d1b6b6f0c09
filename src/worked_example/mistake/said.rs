//! What is said of a mistake, as messages.

use crate::words::messages;
use crate::worked_example::NumeralMsg;

messages! {
    /// A wrong number explained.
    pub enum MistakeMsg {
        Is { number: f64, what: WhatMsg },
        IsInComponent { number: f64, what: WhatMsg, component: usize },
        ComesOut { number: f64, how: HowMsg },
        ComesOutInComponent { number: f64, how: HowMsg, component: usize },
        WouldBe { number: f64, what: WhatMsg, how: HowMsg },
    }
}

messages! {
    /// What operations are taken of.
    pub enum ThingMsg {
        Numbers,
        Values,
        WeightedValues,
    }
}

messages! {
    /// What a number is.
    pub enum WhatMsg {
        Sum { m: NumeralMsg, things: ThingMsg },
        PlainMean { m: NumeralMsg, things: ThingMsg },
        WeightedAverage { m: NumeralMsg, things: ThingMsg },
        Highest { m: NumeralMsg, things: ThingMsg },
        Lowest { m: NumeralMsg, things: ThingMsg },
        Median { m: NumeralMsg, things: ThingMsg },
        MostHeld { holders: String },
        LargestCount,
        LargestScore,
        OneNumber,
        OneValue { label: String },
        CountsSum,
        CountsMean,
        Weight { label: String },
        Score { label: String },
        ScaledScore { label: String },
        Value { label: String },
        Count { label: String },
        WeightedValue { label: String },
        Items,
        KeyWidth,
    }
}

messages! {
    /// What was done otherwise.
    pub enum HowMsg {
        EqualWeights,
        EveryWeightOne,
        LargestCountAlone,
        LargestScoreAlone,
        NoScale,
        DivideByWidth,
        TimesRootWidth,
        OverQueries,
        OverEverything,
        Twice,
        NoExp,
        NoDivision,
        ScaleAfterSoftmax,
        KeysAndValuesSwapped,
        NoTranspose,
        SoftmaxOfCounts,
        Undivided { total: f64 },
        DividedByItems { m: NumeralMsg, total: f64 },
        CountsAndValuesSwapped,
        CountsReversed,
        CountsMispaired,
        LeftOut { label: String },
    }
}
