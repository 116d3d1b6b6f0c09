//! What is said of a mistake, as messages.

use crate::attention::{Alteration as A, Stage};
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
        ArrayComesOut { array: ArrayMsg, how: HowMsg },
        ArrayIs { given: ArrayMsg, array: ArrayMsg },
        TurnedOver { array: ArrayMsg },
        TurnedOverAnd { array: ArrayMsg, how: HowMsg },
        WrongShape { array: ArrayMsg, rows: usize, columns: usize, given_rows: usize, given_columns: usize },
        FirstPart { row: usize, column: usize, right: f64, wrong: f64 },
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
    /// A whole array that can be asked for.
    pub enum ArrayMsg {
        Outputs,
        Scores,
        ScaledScores,
        CappedScores,
        BiasedScores,
        MaskedScores,
        Weights,
        HighestValues,
        LowestValues,
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
        PlainMeanOfHiddenToo { m: NumeralMsg },
        LargestCount,
        LargestScore,
        OneNumber,
        OneValue { label: String },
        CountsSum,
        CountsMean,
        Weight { label: String },
        Score { label: String },
        ScaledScore { label: String },
        CappedScore { label: String },
        BiasedScore { label: String },
        MaskedScore { label: String },
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
        DivideByRootKeys,
        DivideByRootModelWidth,
        ScaledTwice,
        NoCap,
        CapAfterMask,
        NoBias,
        NoTemperature,
        TimesTemperature,
        MaskInverted,
        NoMask,
        MaskZeroesScores,
        MaskAdded,
        MaskAfterSoftmax,
        WithoutItself,
        OtherAlignment,
        NoWindow,
        NoPositions,
        OtherPairs,
        OtherHeadOrder,
        OverQueries,
        OverEverything,
        Twice,
        NoExp,
        NoDivision,
        PlusOne,
        Sigmoid,
        ScaleAfterSoftmax,
        KeysAndValuesSwapped,
        QueriesAndKeysSwapped,
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

impl HowMsg {
    /// What is done otherwise in a changed pipeline: a new one has a name, or this does not compile.
    pub fn of(alteration: A) -> Self {
        match alteration {
            A::NoScale => Self::NoScale,
            A::DivideByWidth => Self::DivideByWidth,
            A::TimesRootWidth => Self::TimesRootWidth,
            A::DivideByRootKeys => Self::DivideByRootKeys,
            A::DivideByRootModelWidth => Self::DivideByRootModelWidth,
            A::ScaledTwice => Self::ScaledTwice,
            A::NoCap => Self::NoCap,
            A::CapAfterMask => Self::CapAfterMask,
            A::NoBias => Self::NoBias,
            A::NoTemperature => Self::NoTemperature,
            A::TimesTemperature => Self::TimesTemperature,
            A::MaskInverted => Self::MaskInverted,
            A::NoMask => Self::NoMask,
            A::MaskZeroesScores => Self::MaskZeroesScores,
            A::MaskAdded => Self::MaskAdded,
            A::MaskAfterSoftmax => Self::MaskAfterSoftmax,
            A::WithoutItself => Self::WithoutItself,
            A::OtherAlignment => Self::OtherAlignment,
            A::NoWindow => Self::NoWindow,
            A::NoPositions => Self::NoPositions,
            A::OtherPairs => Self::OtherPairs,
            A::OtherHeadOrder => Self::OtherHeadOrder,
            A::OverQueries => Self::OverQueries,
            A::OverEverything => Self::OverEverything,
            A::Twice => Self::Twice,
            A::NoExp => Self::NoExp,
            A::NoDivision => Self::NoDivision,
            A::PlusOne => Self::PlusOne,
            A::Sigmoid => Self::Sigmoid,
            A::ScaleAfterSoftmax => Self::ScaleAfterSoftmax,
            A::Uniform => Self::EqualWeights,
            A::Sum => Self::EveryWeightOne,
            A::HardMax => Self::LargestScoreAlone,
            A::KeysAndValuesSwapped => Self::KeysAndValuesSwapped,
            A::QueriesAndKeysSwapped => Self::QueriesAndKeysSwapped,
            A::NoTranspose => Self::NoTranspose,
        }
    }
}

impl WhatMsg {
    /// A number of an item at a stage.
    pub fn of_stage(stage: Stage, label: String) -> Self {
        match stage {
            Stage::Scores => Self::Score { label },
            Stage::Scaled => Self::ScaledScore { label },
            Stage::Capped => Self::CappedScore { label },
            Stage::Biased => Self::BiasedScore { label },
            Stage::Masked => Self::MaskedScore { label },
            Stage::Weights => Self::Weight { label },
        }
    }
}

impl ArrayMsg {
    /// A stage as a whole.
    pub fn of_stage(stage: Stage) -> Self {
        match stage {
            Stage::Scores => Self::Scores,
            Stage::Scaled => Self::ScaledScores,
            Stage::Capped => Self::CappedScores,
            Stage::Biased => Self::BiasedScores,
            Stage::Masked => Self::MaskedScores,
            Stage::Weights => Self::Weights,
        }
    }
}
