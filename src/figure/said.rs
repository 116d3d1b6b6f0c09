//! What figures say: their messages, lists in words, numbers in colour, and rows of numbers with equally many decimals.

use crate::text::{Ink, Span};
use crate::words::number::{self, show, show_places};
use crate::words::{Message, Words, messages};

messages! {
    /// What figures say.
    pub enum FigureMsg {
        // names
        BalanceName, WeightsName, StepsName, SamplerName,
        // lists and small numbers
        ListMore { before: String, last: String },
        ListLast { before: String, last: String },
        Two, Three, Four, Five, Six, Seven, Eight, Nine, Ten,
        // the beam
        WhereBalance,
        BalancesAt { at: String },
        TipsAt { tips: String, at: String },
        Holders { n: String, holders: String },
        OnePerson,
        PlaceTheWedge,
        YourGuess { at: f64 },
        YourAnswer { at: f64 },
        YourAnswerOff { at: f64 },
        WeightedAverageIs { at: f64 },
        PlainMeanOfThe { n: String, at: f64 },
        PlainMeanOfAll { n: String, at: f64 },
        PlainMeanIs { at: f64 },
        SumIs { at: f64 },
        SumOffRight { at: f64 },
        SumOffLeft { at: f64 },
        Highest, Lowest, HighestAndLowest,
        PersonHandle { value: f64 },
        ValueHandle { value: f64 },
        CountHandle { value: f64 },
        GuessHandle,
        NotSet,
        // the beam's table
        CountsRow, WeightsRow, EqualWeightsRow, SumRow, HighestRow, LowestRow,
        CountCell { column: String },
        ValueCell { column: String },
        WeightCell { column: String },
        Together { n: f64 },
        // the beam as a sentence
        BeamWith { list: String },
        CountAt { n: f64, value: f64 },
        GuessAt { at: f64 },
        NoGuess,
        BeamResult { average: f64, n: String, mean: f64, sum: f64, highest: f64, lowest: f64 },
        BeamWrittenOut { n: usize, each: String, mean: f64 },
        // weights
        AttentionWeight, Weight, WeightAndGuess, PredictWeights { word: String }, PredictShares,
        WeightsOf { word: String, most: String, weight: String },
        SharesOf { most: String, weight: String },
        WeightsEqual { each: String },
        Uniform { share: String },
        WeightOf { item: String },
        YourWeightOf { item: String },
        YourWeightsRow, YourWeightsAre { list: String },
        ItemIs { item: String, value: f64 },
        WeightsAre { list: String, uniform: f64, output: String },
        WeightsSumTo { list: String, sum: f64, output: String },
        Seen, Hidden, HiddenAre { list: String }, SeesNothing { word: String },
        QueryRow { component: String }, KeyRow { component: String }, ValueRow { component: String },
        QueryCell { component: usize, item: String }, KeyCell { component: usize, item: String }, ValueOf { component: usize, item: String },
        ScoresRow, ScaledScoresRow, CappedScoresRow, BiasRow, BiasedScoresRow, MaskedScoresRow, VisibleRow, AttentionWeightsRow, WeightedValuesRow { component: String }, ValuesRow, SharesRow,
        OutputIs { output: String },
        // steps
        StepsHeadline { word: String }, StepsHeadlineValues, StepsHidden, StepSaid { name: String, list: String },
        // the sampler
        DrawFirst, DrawAfterAnswer, DrawsHeadline { total: u64, mean: String },
        CountsTitle, MeanTitle,
        ChanceRow, DrawnRow, ExpectedRow, MeanRow, TargetRow, DistanceRow,
        DrawsSaid { total: u64, mean: f64, target: f64, distance: f64 },
        // a number typed into a cell
        TypeANumber, NotANumber { typed: String }, WhichNumber { decimal: f64, thousands: f64 }, NumberTooLarge, NotInRange { least: f64, most: f64 },
        // the terminal
        UniformMark { share: String },
    }
}

/// A small whole number in words ("three"); larger ones in digits.
pub(super) fn in_words(n: usize, words: &Words) -> String {
    use FigureMsg as M;
    match n {
        2 => words.say(&M::Two),
        3 => words.say(&M::Three),
        4 => words.say(&M::Four),
        5 => words.say(&M::Five),
        6 => words.say(&M::Six),
        7 => words.say(&M::Seven),
        8 => words.say(&M::Eight),
        9 => words.say(&M::Nine),
        10 => words.say(&M::Ten),
        n => words.number(n as f64),
    }
}

/// "3 at 70, 5 at 80 and 2 at 90".
pub(super) fn listed(items: &[String], words: &Words) -> String {
    let Some((last, rest)) = items.split_last() else {
        return String::new();
    };
    let before = (rest.iter().cloned())
        .reduce(|before, last| words.say(&FigureMsg::ListMore { before, last }));
    match before {
        None => last.clone(),
        Some(before) => words.say(&FigureMsg::ListLast {
            before,
            last: last.clone(),
        }),
    }
}

/// "(0.6, 0.4)" for a vector, "79" for a number.
pub(super) fn vector(components: &[f64], words: &Words) -> String {
    match components {
        [only] => words.number(*only),
        many => format!("({})", row_of(many, words).join(", ")),
    }
}

/// The numbers of one row, with equally many decimals where two are enough for all; each is rounded as it is everywhere else.
pub(crate) fn row_of(numbers: &[f64], words: &Words) -> Vec<String> {
    let shown: Vec<_> = numbers.iter().map(|x| show(*x, words.decimal)).collect();
    let places = shown.iter().map(|s| s.places).max().unwrap_or(0);
    let plain = places <= 2 && !shown.iter().any(|s| s.text.contains('e'));
    let text = |(x, s): (&f64, number::Shown)| {
        if plain && x.is_finite() {
            show_places(*x, places, words.decimal)
        } else {
            s.text
        }
    };
    numbers.iter().zip(shown).map(text).collect()
}

/// Whether the learner's number is the computed one: to half a digit where that is rounded when it is shown, else exactly.
pub(super) fn alike(given: f64, computed: f64, words: &Words) -> bool {
    let shown = show(computed, words.decimal);
    let within = if shown.exact {
        1e-9 * computed.abs().max(1.0)
    } else {
        shown.half_unit() * (1.0 + 1e-9)
    };
    (given - computed).abs() <= within
}

/// Opens a coloured stretch; private characters, so that no language's text can hold them.
const OPEN: char = '\u{e000}';
const CLOSE: char = '\u{e0ff}';

/// The text marked to be set strong in this colour when the message around it becomes spans.
pub(super) fn inked(text: &str, ink: Ink) -> String {
    let place = Ink::ALL
        .iter()
        .position(|i| *i == ink)
        .and_then(|i| u32::try_from(i).ok())
        .unwrap_or(0);
    let open = char::from_u32(u32::from(OPEN) + place).unwrap_or(OPEN);
    format!("{open}{text}{CLOSE}")
}

/// A message with [`inked`] arguments as spans.
pub(super) fn spans(message: &impl Message, words: &Words) -> Vec<Span> {
    let mut out: Vec<Span> = Vec::new();
    let mut now = Span::plain("");
    for c in words.say(message).chars() {
        let ink = (OPEN..CLOSE).contains(&c).then(|| {
            Ink::ALL
                .get((u32::from(c) - u32::from(OPEN)) as usize)
                .copied()
        });
        let next = match (c, ink) {
            (CLOSE, _) => Some(Span::plain("")),
            (_, Some(ink)) => Some(Span::plain("").strong().ink(ink.unwrap_or(Ink::Text))),
            _ => None,
        };
        match next {
            Some(next) => out.push(std::mem::replace(&mut now, next)),
            None => now.text.push(c),
        }
    }
    out.push(now);
    out.retain(|span| !span.text.is_empty());
    out
}

/// "₁" for component 0 where there are several; nothing for a lone one.
pub(super) fn subscript(component: usize, of: usize) -> String {
    if of < 2 {
        return String::new();
    }
    (component + 1)
        .to_string()
        .chars()
        .filter_map(|c| char::from_u32(0x2080 + c.to_digit(10)?))
        .collect()
}

/// A whole number in digits.
pub(super) fn whole(n: u64) -> String {
    number::whole(i64::try_from(n).unwrap_or(i64::MAX))
}
