//! Type a number: read generously, right within half a unit of the last digit shown, and a wrong one is told which mistake gives it.
//!
//! A number the program shows in full ("79") is right to two decimals, not to half a whole unit: 79.28, which is a mistake with a name, must
//! not pass for 79. A number that is right as far as it goes ("26.3" for 26.33) does not count, and more places are asked for.

use std::ops::Range;

use super::{KindMsg, Place, QuestionKind, empty_explanation};
use crate::quiz::fault::QuizFault;
use crate::quiz::file::{Num, RawNum};
use crate::quiz::fill::{Filling, alike};
use crate::quiz::form::{Answer, Form, Marking, Verdict};
use crate::quiz::names;
use crate::quiz::reading::Reading;
use crate::quiz::template::Template;
use crate::text::{Document, markdown};
use crate::words::Words;
use crate::words::number::{DecimalSign, TypedProblem, read_typed, show};
use crate::worked_example::{Computed, NamedMistake, Quantity, WorkedExample, diagnose};

/// What stands in a file: `Number(right: 79, tolerance: 0.5, unit: "points")`.
#[derive(Debug, serde::Deserialize)]
#[serde(rename = "Number", deny_unknown_fields)]
pub struct File {
    #[serde(default)]
    right: Option<Num>,
    #[serde(default)]
    tolerance: Option<Num>,
    #[serde(default)]
    unit: Option<String>,
}

/// What is right, and how near one must come.
#[derive(Clone, Debug)]
pub struct Number {
    /// The author's right answer.
    pub right: Option<Written>,
    /// How far off is still right, where the author says so.
    pub tolerance: Option<(f64, Range<usize>)>,
    /// The unit, where it is not the example's.
    pub unit: Option<String>,
}

/// A number that an author wrote.
#[derive(Clone, Debug)]
pub struct Written {
    /// Its value.
    pub value: f64,
    /// The decimals of a literal; an expression means every digit.
    pub places: Option<usize>,
    /// Where it stands in the source.
    pub range: Range<usize>,
}

impl Number {
    pub(super) fn read(file: &File, place: &Place, reading: &mut Reading<'_>) -> Option<Self> {
        let before = reading.errors;
        let right = file.right.as_ref().and_then(|written| {
            let value = reading.number(written)?;
            let literal = reading
                .source
                .text
                .get(written.range.clone())
                .unwrap_or_default();
            let places = matches!(written.value, RawNum::Literal(_)).then(|| places_of(literal));
            Some(Written {
                value,
                places,
                range: written.range.clone(),
            })
        });
        let tolerance = file
            .tolerance
            .as_ref()
            .and_then(|t| Some((reading.number(t)?, t.range.clone())));
        if let Some((_, range)) = tolerance.as_ref().filter(|(t, _)| *t < 0.0) {
            reading.tell(QuizFault::ToleranceNegative, range.clone());
        }
        if file.right.is_none() && !place.is_asked {
            reading.tell(QuizFault::NothingRight, place.range.clone());
        }
        if let Some(example) = reading
            .example
            .filter(|_| place.asks.is_some_and(|asks| asks.whole))
        {
            let width = names::value_width(example);
            reading.tell(
                QuizFault::WholeVectorAsNumber { width },
                place.range.clone(),
            );
        }
        (reading.errors == before).then(|| Self {
            right,
            tolerance,
            unit: file.unit.clone(),
        })
    }

    /// What is right for this example: what is asked, else the author's own number.
    #[must_use]
    pub fn expected(&self, asks: Option<Quantity>, example: Option<&Computed>) -> Option<f64> {
        let asked = asks.and_then(|a| example?.number(a));
        asked.or_else(|| self.right.as_ref().map(|r| r.value))
    }

    /// How far from the expected number is still right.
    #[must_use]
    pub fn within(&self, expected: f64) -> f64 {
        self.tolerance.as_ref().map_or_else(
            || default_tolerance(expected),
            |(t, _)| t.max(default_tolerance_floor(expected)),
        )
    }

    fn unit(&self, filling: &Filling<'_>) -> String {
        if let Some(unit) = &self.unit {
            return unit.clone();
        }
        let Some(WorkedExample::WeightedValues(values)) = filling.example.map(Computed::example)
        else {
            return String::new();
        };
        match filling.asks {
            Some(Quantity::Count(_) | Quantity::Total) => values.holders.clone(),
            Some(asks)
                if !names::on_value_scale(asks) && !matches!(asks, Quantity::WeightedValue(..)) =>
            {
                String::new()
            }
            _ => values.unit.clone(),
        }
    }

    fn with_unit(&self, number: String, filling: &Filling<'_>) -> String {
        match self.unit(filling) {
            unit if unit.is_empty() => number,
            unit => filling.words.say(&KindMsg::NumberWithUnit { number, unit }),
        }
    }

    /// What was typed as a number, the unit behind it taken off.
    fn typed(&self, typed: &str, filling: &Filling<'_>) -> Result<f64, KindMsg> {
        let unit = self.unit(filling).to_lowercase();
        let lower = typed.trim().to_lowercase();
        let bare = if unit.is_empty() {
            None
        } else {
            lower.strip_suffix(unit.as_str())
        };
        let percent = unit == "%";
        let problem = match read_typed(bare.unwrap_or(typed)) {
            Ok(value) if percent && bare.is_none() && typed.contains('%') => {
                return Ok(value * 100.0);
            }
            Ok(value) => return Ok(value),
            Err(problem) => problem,
        };
        Err(match problem {
            TypedProblem::Empty => KindMsg::TypeSomething,
            TypedProblem::NotFinite => KindMsg::TooLarge,
            TypedProblem::NotANumber => KindMsg::TypeANumber,
            TypedProblem::Ambiguous {
                as_decimal,
                as_thousands,
            } => {
                let written = |x: f64| typeable(x, filling.words);
                KindMsg::DecimalOrThousands {
                    decimal: written(as_decimal),
                    thousands: written(as_thousands),
                }
            }
        })
    }
}

impl QuestionKind for Number {
    fn form(&self, filling: &Filling<'_>) -> Form {
        Form::Number {
            unit: self.unit(filling),
        }
    }

    fn mark(&self, answer: &Answer, filling: &Filling<'_>) -> Marking {
        let not_counted = |why: &KindMsg| Marking::NotCounted(filling.words.say(why));
        let Answer::Number(typed) = answer else {
            return not_counted(&KindMsg::TypeANumber);
        };
        let given = match self.typed(typed, filling) {
            Ok(given) => given,
            Err(why) => return not_counted(&why),
        };
        let Some(expected) = self.expected(filling.asks, filling.example) else {
            return not_counted(&KindMsg::NeedsNumbers);
        };
        let is_right = (given - expected).abs() <= self.within(expected);
        let places = places_of(typed);
        let mistakes = match (filling.asks, filling.example) {
            (Some(asks), Some(example)) if !is_right => {
                let named = |within| diagnose(example, asks, given, within, filling.words);
                let exactly = named(typed_within(places));
                match &self.tolerance {
                    // Who may round on the way to the right answer may have done so on the way to a wrong one.
                    Some((tolerance, _)) if exactly.is_empty() => {
                        nearest(named(*tolerance), given)
                    }
                    _ => exactly,
                }
            }
            _ => Vec::new(),
        };
        let rounded = 10f64.powi(-i32::try_from(places).unwrap_or(0)) * 0.5;
        let right_as_far_as_it_goes = (given - expected).abs() <= rounded * (1.0 + 1e-9);
        if !is_right
            && mistakes.is_empty()
            && right_as_far_as_it_goes
            && !show(expected, DecimalSign::Point).exact
        {
            let places = show(expected, DecimalSign::Point).places;
            return not_counted(&KindMsg::GiveMorePlaces {
                given: typed.trim().to_owned(),
                places,
            });
        }
        let mut explanation = empty_explanation();
        explanation.reply = if is_right {
            Document::default()
        } else {
            reply(given, &mistakes, filling.words)
        };
        explanation.right = self.right_answer(filling);
        explanation.released = filling
            .asks
            .filter(|a| names::operation_of(*a).is_some())
            .map(|_| given);
        Marking::Marked {
            verdict: if is_right {
                Verdict::Right
            } else {
                Verdict::Wrong
            },
            credit: if is_right { 1.0 } else { 0.0 },
            mistakes,
            explanation: Box::new(explanation),
        }
    }

    fn right_answer(&self, filling: &Filling<'_>) -> Option<String> {
        let expected = self.expected(filling.asks, filling.example)?;
        Some(self.with_unit(filling.number(expected), filling))
    }

    fn texts(&self) -> Vec<&Template> {
        Vec::new()
    }

    fn follows_numbers(&self, asks: Option<Quantity>) -> bool {
        asks.is_some()
    }

    fn matters(&self, out: &mut String) {
        let Self {
            right,
            tolerance,
            unit: _,
        } = self;
        out.push_str(&format!(
            "{:?} {:?}\n",
            right.as_ref().map(|r| r.value),
            tolerance.as_ref().map(|(t, _)| t)
        ));
    }
}

/// Half a unit of the last digit the program shows, and of the second decimal where it shows all digits.
#[must_use]
pub fn default_tolerance(expected: f64) -> f64 {
    let shown = show(expected, DecimalSign::Point);
    let half = if shown.exact {
        shown.half_unit().min(0.005)
    } else {
        shown.half_unit()
    };
    half.max(default_tolerance_floor(expected))
}

/// The mistakes whose number is nearest to what was given, ties included.
fn nearest(mut mistakes: Vec<NamedMistake>, given: f64) -> Vec<NamedMistake> {
    let away = |mistake: &NamedMistake| (mistake.number - given).abs();
    let least = mistakes.iter().map(away).fold(f64::INFINITY, f64::min);
    mistakes.retain(|mistake| away(mistake) <= least * (1.0 + 1e-9));
    mistakes
}

/// What is shown must be right when typed back, whatever the tolerance; and so must a number that differs in the 9th digit.
fn default_tolerance_floor(expected: f64) -> f64 {
    let shown = show(expected, DecimalSign::Point);
    let typed_back = read_typed(&shown.text).map_or(0.0, |back| (back - expected).abs());
    typed_back.max(1e-9 * expected.abs()) * (1.0 + 1e-9)
}

/// How near a typed number must come to a mistake to be named by it: as near as its last digit says, at most a hundredth for whole numbers.
fn typed_within(places: usize) -> f64 {
    if places == 0 {
        0.005
    } else {
        0.5 * 10f64.powi(-i32::try_from(places).unwrap_or(0)) * (1.0 + 1e-9)
    }
}

/// The decimals of a number as written: "79.50" has two, "7.9e1" none.
fn places_of(written: &str) -> usize {
    let written = written.trim().trim_matches('"').to_lowercase();
    let (mantissa, exponent) = written.split_once('e').unwrap_or((&written, "0"));
    let part = mantissa
        .rsplit_once(['.', ','])
        .map_or("", |(_, part)| part);
    let places = part.chars().filter(char::is_ascii_digit).count();
    let exponent: i64 = exponent.parse().unwrap_or(0);
    usize::try_from(i64::try_from(places).unwrap_or(0) - exponent).unwrap_or(0)
}

/// A number as it can be typed without being asked again.
fn typeable(x: f64, words: &Words) -> String {
    let text = x.to_string();
    match words.decimal {
        DecimalSign::Point => text,
        DecimalSign::Comma => text.replace('.', ","),
    }
}

/// What a wrong number is told: every mistake that gives it, with its computation.
fn reply(given: f64, mistakes: &[NamedMistake], words: &Words) -> Document {
    let mut blocks = Vec::new();
    for mistake in mistakes {
        blocks.extend(Document::plain(mistake.sentence.clone()).blocks);
        blocks.extend(markdown::parse(&mistake.computation).blocks);
    }
    if mistakes.is_empty() {
        blocks.extend(Document::plain(words.say(&KindMsg::NoNamedMistake { given })).blocks);
    }
    Document { blocks }
}

/// Whether the author's number is what the engine computes, to the digits the author wrote.
#[must_use]
pub fn agrees(written: &Written, engine: f64) -> bool {
    match written.places {
        None => alike(written.value, engine),
        Some(places) => {
            let half = 0.5 * 10f64.powi(-i32::try_from(places).unwrap_or(0));
            alike(written.value, engine) || (written.value - engine).abs() <= half * (1.0 + 1e-9)
        }
    }
}
