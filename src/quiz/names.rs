//! The names of numbers: `Weight("Africa")` in `asks` and `claims`, `{=weight Africa}` in texts, read by one table.
//!
//! Both spellings lead to the same call: a name in snake case and its arguments. Items and components are 1-based for people, 0-based in [`Quantity`].

use unicode_normalization::UnicodeNormalization as _;

use super::tree::nearest;
use crate::words::messages;
use crate::worked_example::{Basis, Operation, Quantity, WorkedExample};

messages! {
    /// What is wrong with the name of a number.
    pub enum NameMsg {
        Unknown { name: String },
        UnknownDidYouMean { name: String, nearest: String },
        WhichItem { name: String },
        NoSuchItem { given: String, items: usize },
        NoSuchItemDidYouMean { given: String, nearest: String },
        NoSuchToken { given: String, tokens: String },
        SeveralSuchTokens { given: String, first: usize, second: usize },
        NoSuchComponent { given: String, width: usize },
        TooMuch { extra: String },
        NotReadable,
        NotOfThisExample { name: String },
    }
}

/// A quantity by name; `whole` where no component was named and the values are vectors, so that all of them are meant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Named {
    /// The quantity, of the first component where the whole is meant.
    pub quantity: Quantity,
    /// All components are meant.
    pub whole: bool,
}

/// What a name stands for before its arguments are read.
#[derive(Clone, Copy)]
enum Shape {
    Operation(Operation),
    /// A number of the whole example.
    Single(Quantity),
    /// A number of each component.
    Components(fn(usize) -> Quantity),
    /// A number of each item.
    Items(fn(usize) -> Quantity),
    /// A number of each item and component.
    ItemComponents(fn(usize, usize) -> Quantity),
}

/// Every name there is.
const NAMES: &[(&str, Shape)] = &[
    ("sum", Shape::Operation(Operation::Sum)),
    ("plain_mean", Shape::Operation(Operation::PlainMean)),
    (
        "weighted_average",
        Shape::Operation(Operation::WeightedAverage),
    ),
    ("highest", Shape::Operation(Operation::Highest)),
    ("lowest", Shape::Operation(Operation::Lowest)),
    ("output", Shape::Components(Quantity::Output)),
    ("value", Shape::ItemComponents(Quantity::Value)),
    ("count", Shape::Items(Quantity::Count)),
    ("weight", Shape::Items(Quantity::Weight)),
    ("score", Shape::Items(Quantity::Score)),
    ("scaled_score", Shape::Items(Quantity::ScaledScore)),
    ("capped_score", Shape::Items(Quantity::CappedScore)),
    ("biased_score", Shape::Items(Quantity::BiasedScore)),
    ("masked_score", Shape::Items(Quantity::MaskedScore)),
    (
        "weighted_value",
        Shape::ItemComponents(Quantity::WeightedValue),
    ),
    ("total", Shape::Single(Quantity::Total)),
    ("items", Shape::Single(Quantity::Items)),
    ("mean_of_all", Shape::Single(Quantity::MeanOfAll)),
    ("key_width", Shape::Single(Quantity::KeyWidth)),
];

/// The names of quantities, in snake case.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(name, _)| *name)
}

/// The operation behind a quantity, where there is one: its colour on every screen.
#[must_use]
pub fn operation_of(quantity: Quantity) -> Option<Operation> {
    match quantity {
        Quantity::Operation(operation, _, _) => Some(operation),
        Quantity::Output(_) | Quantity::MeanOfAll => Some(Operation::WeightedAverage),
        _ => None,
    }
}

/// Whether a quantity stands on the scale of the values, where a wedge can show it.
#[must_use]
pub fn on_value_scale(quantity: Quantity) -> bool {
    operation_of(quantity).is_some() || matches!(quantity, Quantity::Value(..))
}

/// `Weight("Africa")`, `Output(2)`, `Of(Sum, WeightedValues)` as it stands in a file.
pub fn quantity_in_file(written: &str, example: &WorkedExample) -> Result<Named, NameMsg> {
    let (name, arguments) = call(written).ok_or(NameMsg::NotReadable)?;
    if name == "Of" {
        let [operation, basis, rest @ ..] = arguments.as_slice() else {
            return Err(NameMsg::NotReadable);
        };
        let mut words = vec!["of".to_owned(), snake(basis)];
        words.extend_from_slice(rest);
        return quantity(&snake(operation), &words, example).map_err(as_in_files);
    }
    quantity(&snake(&name), &arguments, example).map_err(as_in_files)
}

/// Whether there is such a name at all: what can be said of `asks` where the example itself is at fault.
pub fn known_in_file(written: &str) -> Result<(), NameMsg> {
    let (name, arguments) = call(written).ok_or(NameMsg::NotReadable)?;
    let name = match arguments.first() {
        Some(operation) if name == "Of" => snake(operation),
        _ => snake(&name),
    };
    if name != "of" && is_known(&name) {
        return Ok(());
    }
    Err(as_in_files(unknown(&name, names())))
}

/// The name of a number with its arguments: an item (1-based or a token), a component, or `of weighted_values`.
pub fn quantity(
    name: &str,
    arguments: &[String],
    example: &WorkedExample,
) -> Result<Named, NameMsg> {
    let Some((_, shape)) = NAMES.iter().find(|(n, _)| *n == name) else {
        return Err(unknown(name, names()));
    };
    let width = value_width(example);
    let (quantity, whole) = match *shape {
        Shape::Single(quantity) => (quantity, none_left(arguments).map(|()| false)?),
        Shape::Components(of) => {
            let (component, whole) = component(arguments, width)?;
            (of(component), whole)
        }
        Shape::Operation(operation) => {
            let (basis, rest) = basis(arguments)?;
            let (component, whole) = component(rest, width)?;
            (Quantity::Operation(operation, basis, component), whole)
        }
        Shape::Items(of) => {
            let (item, rest) = item(name, arguments, false, example)?;
            (of(item), none_left(rest).map(|()| false)?)
        }
        Shape::ItemComponents(of) => {
            let (item, rest) = item(name, arguments, true, example)?;
            let (component, whole) = component(rest, width)?;
            (of(item, component), whole)
        }
    };
    let weighted_values = matches!(example, WorkedExample::WeightedValues(_));
    let fits = match quantity {
        Quantity::Count(_) | Quantity::Total => weighted_values,
        Quantity::MeanOfAll => weighted_values && example.whole_counts(),
        Quantity::KeyWidth
        | Quantity::CappedScore(_)
        | Quantity::BiasedScore(_)
        | Quantity::MaskedScore(_) => !weighted_values,
        _ => true,
    };
    if fits {
        Ok(Named { quantity, whole })
    } else {
        Err(NameMsg::NotOfThisExample {
            name: name.to_owned(),
        })
    }
}

/// How many components a value has.
#[must_use]
pub fn value_width(example: &WorkedExample) -> usize {
    match example {
        WorkedExample::WeightedValues(_) => 1,
        WorkedExample::Attention(attention) => attention.v.ncols(),
    }
}

/// How many items an example has.
#[must_use]
pub fn item_count(example: &WorkedExample) -> usize {
    match example {
        WorkedExample::WeightedValues(values) => values.values.len(),
        WorkedExample::Attention(attention) => attention.tokens.len(),
    }
}

/// The 0-based position of a token, however its accents are encoded; the message names the nearest one.
pub fn token(name: &str, tokens: &[String]) -> Result<usize, NameMsg> {
    let given = name.to_owned();
    let found = tokens.iter().position(|t| is_same(t, name));
    found.ok_or_else(|| match nearest(name, tokens.iter().map(String::as_str)) {
        Some(nearest) => NameMsg::NoSuchItemDidYouMean {
            given,
            nearest: nearest.to_owned(),
        },
        None => NameMsg::NoSuchToken {
            given,
            tokens: tokens.join(", "),
        },
    })
}

/// The position of a token that stands there once: of two, a name cannot say which.
fn only_token(name: &str, tokens: &[String]) -> Result<usize, NameMsg> {
    let first = token(name, tokens)?;
    let second = tokens.iter().skip(first + 1).position(|t| is_same(t, name));
    match second {
        None => Ok(first),
        Some(after) => Err(NameMsg::SeveralSuchTokens {
            given: name.to_owned(),
            first: first + 1,
            second: first + after + 2,
        }),
    }
}

/// Whether two names are the same letters, whether an accent is one character with its letter or two (NFC and NFD).
fn is_same(a: &str, b: &str) -> bool {
    a == b || !(a.is_ascii() && b.is_ascii()) && a.nfc().eq(b.nfc())
}

/// Whether there is a quantity of this name.
pub(super) fn is_known(name: &str) -> bool {
    NAMES.iter().any(|(n, _)| *n == name)
}

/// Every name as `asks` and `claims` write it.
pub(super) fn names_in_files() -> String {
    names().map(camel).collect::<Vec<_>>().join(", ")
}

/// "There is no …", with the nearest name there is.
pub fn unknown<'a>(name: &str, among: impl Iterator<Item = &'a str>) -> NameMsg {
    let name_owned = name.to_owned();
    match nearest(name, among) {
        Some(nearest) => NameMsg::UnknownDidYouMean {
            name: name_owned,
            nearest: nearest.to_owned(),
        },
        None => NameMsg::Unknown { name: name_owned },
    }
}

/// Takes an item off the arguments: a number from 1, or the words of a token (all of them, but for a component at the end).
fn item<'a>(
    name: &str,
    arguments: &'a [String],
    components: bool,
    example: &WorkedExample,
) -> Result<(usize, &'a [String]), NameMsg> {
    let Some((first, rest)) = arguments.split_first() else {
        return Err(NameMsg::WhichItem {
            name: name.to_owned(),
        });
    };
    let items = item_count(example);
    if let Ok(number) = first.parse::<usize>() {
        let item = number.checked_sub(1).filter(|i| *i < items);
        return item.map(|i| (i, rest)).ok_or_else(|| NameMsg::NoSuchItem {
            given: first.clone(),
            items,
        });
    }
    let words = match rest.last() {
        Some(last) if components && last.parse::<usize>().is_ok() => arguments.len() - 1,
        _ => arguments.len(),
    };
    let (words, rest) = arguments.split_at(words);
    let given = words.join(" ");
    match example {
        WorkedExample::Attention(attention) => {
            only_token(&given, &attention.tokens).map(|i| (i, rest))
        }
        WorkedExample::WeightedValues(_) => Err(NameMsg::NoSuchItem { given, items }),
    }
}

/// Takes `of weighted_values` or `of values` off the arguments.
fn basis(arguments: &[String]) -> Result<(Basis, &[String]), NameMsg> {
    let Some(("of", rest)) = arguments
        .split_first()
        .map(|(first, rest)| (first.as_str(), rest))
    else {
        return Ok((Basis::Values, arguments));
    };
    match rest
        .split_first()
        .map(|(basis, rest)| (basis.as_str(), rest))
    {
        Some(("weighted_values", rest)) => Ok((Basis::WeightedValues, rest)),
        Some(("values", rest)) => Ok((Basis::Values, rest)),
        Some((other, _)) => Err(unknown(other, ["values", "weighted_values"].into_iter())),
        None => Err(NameMsg::NotReadable),
    }
}

/// The component asked for, from 1; without one the first, and the whole of a vector is meant.
fn component(arguments: &[String], width: usize) -> Result<(usize, bool), NameMsg> {
    let Some((first, rest)) = arguments.split_first() else {
        return Ok((0, width > 1));
    };
    none_left(rest)?;
    let component = first
        .parse::<usize>()
        .ok()
        .and_then(|n| n.checked_sub(1))
        .filter(|c| *c < width);
    component
        .map(|c| (c, false))
        .ok_or_else(|| NameMsg::NoSuchComponent {
            given: first.clone(),
            width,
        })
}

fn none_left(arguments: &[String]) -> Result<(), NameMsg> {
    if arguments.is_empty() {
        Ok(())
    } else {
        Err(NameMsg::TooMuch {
            extra: arguments.join(" "),
        })
    }
}

/// `Name(argument, "argument", 2)` taken apart.
fn call(written: &str) -> Option<(String, Vec<String>)> {
    let written = written.trim();
    let Some((name, inside)) = written.split_once('(') else {
        return Some((written.to_owned(), Vec::new()));
    };
    let inside = inside.trim_end().strip_suffix(')')?;
    let mut arguments = Vec::new();
    let mut argument = String::new();
    let (mut quoted, mut was_quoted) = (false, false);
    let mut characters = inside.chars();
    while let Some(c) = characters.next() {
        match c {
            '"' => {
                quoted = !quoted;
                was_quoted = true;
            }
            '\\' if quoted => argument.extend(characters.next()),
            ',' if !quoted => {
                arguments.push(std::mem::take(&mut argument));
                was_quoted = false;
            }
            c if c.is_whitespace() && !quoted => {}
            c => argument.push(c),
        }
    }
    if was_quoted || !argument.is_empty() {
        arguments.push(argument);
    }
    Some((name.trim_end().to_owned(), arguments))
}

/// `PlainMean` as `plain_mean`.
fn snake(camel: &str) -> String {
    let mut out = String::with_capacity(camel.len() + 4);
    for (i, c) in camel.chars().enumerate() {
        if c.is_uppercase() && i > 0 {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// `plain_mean` as `PlainMean`.
fn camel(snake: &str) -> String {
    snake.split('_').map(super::fill::capitalised).collect()
}

/// The names in a message as files write them.
fn as_in_files(message: NameMsg) -> NameMsg {
    match message {
        NameMsg::Unknown { name } => NameMsg::Unknown { name: camel(&name) },
        NameMsg::UnknownDidYouMean { name, nearest } => NameMsg::UnknownDidYouMean {
            name: camel(&name),
            nearest: camel(&nearest),
        },
        NameMsg::WhichItem { name } => NameMsg::WhichItem { name: camel(&name) },
        NameMsg::NotOfThisExample { name } => NameMsg::NotOfThisExample { name: camel(&name) },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quiz::testing::{exam, jane};

    #[test]
    fn names_in_files_lead_to_quantities() {
        for (written, quantity) in [
            ("Sum", Quantity::Operation(Operation::Sum, Basis::Values, 0)),
            (
                "Of(Sum, WeightedValues)",
                Quantity::Operation(Operation::Sum, Basis::WeightedValues, 0),
            ),
            (
                "Of( Highest , Values )",
                Quantity::Operation(Operation::Highest, Basis::Values, 0),
            ),
            ("Output(2)", Quantity::Output(1)),
            ("Weight(\"Africa\")", Quantity::Weight(2)),
            ("Weight(3)", Quantity::Weight(2)),
            ("Value(1, 2)", Quantity::Value(0, 1)),
            (
                "WeightedValue(\"visits\", 2)",
                Quantity::WeightedValue(1, 1),
            ),
            ("KeyWidth", Quantity::KeyWidth),
        ] {
            assert_eq!(
                quantity_in_file(written, &jane()).map(|n| n.quantity),
                Ok(quantity),
                "{written}"
            );
        }
        assert_eq!(
            quantity_in_file("MeanOfAll", &exam()).map(|n| n.quantity),
            Ok(Quantity::MeanOfAll)
        );
    }

    #[test]
    fn without_a_component_the_whole_vector_is_meant() {
        assert!(quantity_in_file("Output", &jane()).is_ok_and(|n| n.whole));
        assert!(quantity_in_file("Output(1)", &jane()).is_ok_and(|n| !n.whole));
        assert!(quantity_in_file("Output", &exam()).is_ok_and(|n| !n.whole));
    }

    #[test]
    fn a_wrong_name_is_told_with_the_nearest() {
        for (written, message) in [
            (
                "PlainMaen",
                NameMsg::UnknownDidYouMean {
                    name: "PlainMaen".into(),
                    nearest: "PlainMean".into(),
                },
            ),
            (
                "Weight(\"Afrika\")",
                NameMsg::NoSuchItemDidYouMean {
                    given: "Afrika".into(),
                    nearest: "Africa".into(),
                },
            ),
            (
                "Weight(9)",
                NameMsg::NoSuchItem {
                    given: "9".into(),
                    items: 5,
                },
            ),
            (
                "Weight(0)",
                NameMsg::NoSuchItem {
                    given: "0".into(),
                    items: 5,
                },
            ),
            (
                "Weight",
                NameMsg::WhichItem {
                    name: "Weight".into(),
                },
            ),
            (
                "Output(3)",
                NameMsg::NoSuchComponent {
                    given: "3".into(),
                    width: 2,
                },
            ),
            (
                "Count(1)",
                NameMsg::NotOfThisExample {
                    name: "Count".into(),
                },
            ),
            ("KeyWidth(1)", NameMsg::TooMuch { extra: "1".into() }),
            ("Sum(", NameMsg::NotReadable),
        ] {
            assert_eq!(
                quantity_in_file(written, &jane()),
                Err(message),
                "{written}"
            );
        }
    }
}
