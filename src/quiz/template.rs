//! A text with places that the engine fills: `{=weighted_average}`, read once when the quiz is read, filled whenever a screen needs it.
//!
//! The numbers go in before the Markdown is read, so a placeholder may stand anywhere: in a formula, in emphasis, in a table. It knows
//! its surroundings: in `$…$` numbers are written as TeX, in prose words are kept from being read as Markdown. `\{=` stands for itself.
//! Road not taken: filling the parsed document, which would need the Markdown of each question when a quiz is loaded (10,000 of them).

use std::ops::Range;

use super::fault::QuizFault;
use super::names::{self, NameMsg, Named};
use super::place::Literal;
use super::reading::Reading;
use crate::worked_example::{Quantity, WorkedExample};

/// A text as its author wrote it, with its placeholders.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    text: String,
    holes: Vec<Hole>,
    literal: Literal,
}

/// One placeholder.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hole {
    /// From `{=` to `}`, in bytes of the text.
    pub range: Range<usize>,
    /// What goes there.
    pub cited: Cited,
    /// As a word: "three".
    pub in_words: bool,
    /// Beginning with a capital.
    pub capital: bool,
    /// What it stands in.
    pub setting: Setting,
}

/// What a placeholder stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cited {
    /// A number, or a vector of them.
    Named(Named),
    /// What the question asks comes to.
    Answer,
    /// How many readings come to the number in dispute.
    Agreeing,
    /// A list of numbers.
    List(List),
    /// A computation written out.
    Terms(Terms),
    /// The tokens.
    Tokens,
    /// The focus word.
    Focus,
    /// The unit.
    Unit,
    /// Who holds the numbers.
    Holders,
}

/// Lists by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    Values,
    Counts,
    Weights,
    WeightedValues,
    Scores,
    ScaledScores,
    MaskedScores,
}

/// Computations by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Terms {
    Weighted,
    Sum,
    Count,
}

/// What surrounds a placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    Prose,
    Math,
    Code,
}

/// The names that are not quantities.
const OTHER: &[(&str, Cited)] = &[
    ("answer", Cited::Answer),
    ("agreeing", Cited::Agreeing),
    ("values", Cited::List(List::Values)),
    ("counts", Cited::List(List::Counts)),
    ("weights", Cited::List(List::Weights)),
    ("weighted_values", Cited::List(List::WeightedValues)),
    ("scores", Cited::List(List::Scores)),
    ("scaled_scores", Cited::List(List::ScaledScores)),
    ("masked_scores", Cited::List(List::MaskedScores)),
    ("tokens", Cited::Tokens),
    ("weighted_terms", Cited::Terms(Terms::Weighted)),
    ("sum_terms", Cited::Terms(Terms::Sum)),
    ("count_terms", Cited::Terms(Terms::Count)),
    ("focus", Cited::Focus),
    ("unit", Cited::Unit),
    ("holders", Cited::Holders),
];

impl Template {
    /// Reads a text that stands at `literal` in the source. What cannot be filled is told to `reading`, and gives nothing.
    pub(super) fn read(
        text: &str,
        literal: Range<usize>,
        reading: &mut Reading<'_>,
    ) -> Option<Self> {
        let text = crate::text::markdown::dedent(text);
        let literal = Literal::new(literal);
        let mut holes = Vec::new();
        let mut good = true;
        if text.contains("{=") {
            for (range, setting) in scan(&text) {
                let hole = text
                    .get(range.clone())
                    .and_then(|t| t.strip_suffix('}'))
                    .ok_or(QuizFault::PlaceholderUnclosed)
                    .and_then(|inside| read_hole(inside.get(2..).unwrap_or_default(), reading));
                match hole {
                    Ok((cited, in_words, capital)) => holes.push(Hole {
                        range,
                        cited,
                        in_words,
                        capital,
                        setting,
                    }),
                    Err(fault) => {
                        let place = literal.place(&reading.source.text, &text, range);
                        reading.tell(fault, place);
                        good = false;
                    }
                }
            }
        }
        good.then_some(Self {
            text,
            holes,
            literal,
        })
    }

    /// The text as written, indentation taken off.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its placeholders in order.
    pub(super) fn holes(&self) -> &[Hole] {
        &self.holes
    }

    /// Where bytes of the text stand in the source.
    #[must_use]
    pub fn place(&self, source: &str, range: Range<usize>) -> Range<usize> {
        self.literal.place(source, &self.text, range)
    }

    /// Where the whole text stands in the source, quotes included.
    #[must_use]
    pub fn literal(&self) -> Range<usize> {
        self.literal.range()
    }

    /// Whether it cites this quantity, by name or as "the answer".
    pub(super) fn cites(&self, wanted: Quantity, asks: Option<Quantity>) -> bool {
        self.holes.iter().any(|hole| match hole.cited {
            Cited::Named(named) => named.quantity == wanted,
            Cited::Answer => asks == Some(wanted),
            _ => false,
        })
    }

    /// Numbers written out by the author, which do not follow when the example's numbers change: bytes of the text.
    ///
    /// Not meant: numbers of lists ("1. first"), digits within names ("GPT-2", "x1"), and 0, 1, 2 in formulas (1/√d, ²).
    #[must_use]
    pub fn fixed_numbers(&self) -> Vec<Range<usize>> {
        let settings = settings(&self.text);
        let setting_at = |byte: usize| {
            settings
                .iter()
                .rfind(|(at, _)| *at <= byte)
                .map_or(Setting::Prose, |(_, s)| *s)
        };
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(offset) = self
            .text
            .get(at..)
            .and_then(|rest| rest.find(|c: char| c.is_ascii_digit()))
        {
            let start = at + offset;
            let rest = self.text.get(start..).unwrap_or_default();
            let digits = rest
                .find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')
                .unwrap_or(rest.len());
            let number = rest
                .get(..digits)
                .unwrap_or_default()
                .trim_end_matches(['.', ',']);
            let end = start + number.len();
            at = start + digits.max(1);
            let before = self.text.get(..start).unwrap_or_default();
            let in_hole = self.holes.iter().any(|hole| hole.range.contains(&start));
            let in_name = before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
                || before
                    .strip_suffix('-')
                    .is_some_and(|b| b.ends_with(char::is_alphabetic));
            let line_start = before
                .rsplit('\n')
                .next()
                .unwrap_or_default()
                .trim()
                .is_empty();
            let in_list = line_start
                && self
                    .text
                    .get(end..)
                    .is_some_and(|r| r.starts_with(". ") || r.starts_with(") "));
            let structural =
                setting_at(start) == Setting::Math && matches!(number, "0" | "1" | "2");
            if !(in_hole || in_name || in_list || structural) {
                found.push(start..end);
            }
        }
        found
    }
}

/// Reads what stands between `{=` and `}`.
fn read_hole(inside: &str, reading: &Reading<'_>) -> Result<(Cited, bool, bool), QuizFault> {
    let mut words: Vec<String> = inside.split_whitespace().map(str::to_owned).collect();
    let in_words = matches!(words.as_slice(), [.., a, b] if a == "in" && b == "words");
    if in_words {
        words.truncate(words.len() - 2);
    }
    let Some((name, arguments)) = words.split_first() else {
        return Err(QuizFault::Placeholder {
            said: NameMsg::NotReadable,
        });
    };
    let capital = name.starts_with(char::is_uppercase);
    let name = name.to_lowercase();
    if !is_known(&name) {
        return Err(QuizFault::Placeholder {
            said: names::unknown(&name, all_names()),
        });
    }
    let Some(example) = reading.example else {
        // Where the example is at fault the question is left out, and this is never filled.
        return if reading.example_at_fault {
            Ok((Cited::Answer, in_words, capital))
        } else {
            Err(QuizFault::PlaceholderWithoutExample { name })
        };
    };
    let cited = match OTHER.iter().find(|(n, _)| *n == name) {
        Some((_, cited)) => {
            if let Some(extra) = arguments.first() {
                return Err(QuizFault::Placeholder {
                    said: NameMsg::TooMuch {
                        extra: extra.clone(),
                    },
                });
            }
            fits(&name, *cited, example)?
        }
        None => names::quantity(&name, arguments, example)
            .map(Cited::Named)
            .map_err(|said| QuizFault::Placeholder { said })?,
    };
    Ok((cited, in_words, capital))
}

/// Whether there is a placeholder of this name.
pub(super) fn is_known(name: &str) -> bool {
    all_names().any(|known| known == name)
}

/// Every name of a placeholder.
fn all_names() -> impl Iterator<Item = &'static str> {
    names::names().chain(OTHER.iter().map(|(n, _)| *n))
}

/// Refuses what this kind of example has not got.
fn fits(name: &str, cited: Cited, example: &WorkedExample) -> Result<Cited, QuizFault> {
    let of_values = matches!(
        cited,
        Cited::List(List::Counts) | Cited::Terms(Terms::Count) | Cited::Unit | Cited::Holders
    );
    let of_attention = matches!(cited, Cited::Tokens | Cited::Focus);
    let refused = match example {
        WorkedExample::WeightedValues(_) => of_attention,
        WorkedExample::Attention(_) => of_values,
    };
    if refused {
        Err(QuizFault::Placeholder {
            said: NameMsg::NotOfThisExample {
                name: name.to_owned(),
            },
        })
    } else {
        Ok(cited)
    }
}

/// Every placeholder of a text and what it stands in; one that is not closed reaches to the end of its line.
fn scan(text: &str) -> Vec<(Range<usize>, Setting)> {
    let settings = settings(text);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text
        .get(at..)
        .and_then(|rest| rest.find("{="))
        .map(|offset| at + offset)
    {
        let rest = text.get(start..).unwrap_or_default();
        let line = rest.find('\n').unwrap_or(rest.len());
        let length = rest.find('}').map_or(line, |end| (end + 1).min(line));
        at = start + length.max(2);
        if !text
            .get(..start)
            .is_some_and(|before| before.ends_with('\\'))
        {
            let setting = settings
                .iter()
                .rfind(|(from, _)| *from <= start)
                .map_or(Setting::Prose, |(_, s)| *s);
            found.push((start..start + length, setting));
        }
    }
    found
}

/// Where a text changes between prose, formula and code: from which byte on which of them it is.
pub(super) fn settings(text: &str) -> Vec<(usize, Setting)> {
    let mut changes = vec![(0, Setting::Prose)];
    let mut at = 0;
    while let Some((offset, mark)) = text.get(at..).and_then(|rest| {
        rest.char_indices()
            .find(|(_, c)| matches!(c, '`' | '$' | '\\'))
    }) {
        let start = at + offset;
        let rest = text.get(start..).unwrap_or_default();
        if mark == '\\' {
            at = start + 1 + rest.chars().nth(1).map_or(0, char::len_utf8);
            continue;
        }
        let run = rest.len() - rest.trim_start_matches(mark).len();
        let fence = rest.get(..run).unwrap_or_default();
        let body = rest.get(run..).unwrap_or_default();
        let inside = match mark {
            '`' => closing_run(body, fence),
            _ if run <= 2 => closing_dollar(body, fence),
            _ => None,
        };
        match inside {
            Some(length) => {
                changes.push((
                    start + run,
                    if mark == '`' {
                        Setting::Code
                    } else {
                        Setting::Math
                    },
                ));
                at = start + run + length + run;
                changes.push((at, Setting::Prose));
            }
            None => at = start + run,
        }
    }
    changes
}

/// The length of code before a run of exactly as many backticks.
fn closing_run(body: &str, fence: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let found = at + body.get(at..)?.find('`')?;
        let run = body.get(found..)?.len() - body.get(found..)?.trim_start_matches('`').len();
        if run == fence.len() {
            return Some(found);
        }
        at = found + run;
    }
}

/// The length of a formula before its closing dollars: no space after the opening ones, none before the closing one, no blank line within.
fn closing_dollar(body: &str, fence: &str) -> Option<usize> {
    let single = fence.len() == 1;
    if single && body.starts_with(char::is_whitespace) {
        return None;
    }
    let paragraph = body.get(..body.find("\n\n").unwrap_or(body.len()))?;
    let mut at = 0;
    loop {
        let found = at + paragraph.get(at..)?.find(fence)?;
        let before = paragraph.get(..found)?;
        let after = paragraph.get(found + fence.len()..)?;
        let escaped = before.ends_with('\\');
        let open = single
            && (before.ends_with(char::is_whitespace)
                || after.starts_with(|c: char| c.is_ascii_digit()));
        if !escaped && !open && !before.is_empty() {
            return Some(found);
        }
        at = found + fence.len();
    }
}
