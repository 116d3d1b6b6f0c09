//! One language: the words for every message, read from `assets/words/<language>.ron`, and the sign between whole and part.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::message::{Arg, Message};
use super::number::{self, DecimalSign};

/// The file of one language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LanguageFile {
    /// The language's tag ("en").
    language: String,
    /// Key (`Enum.Variant`) to text.
    messages: BTreeMap<String, Text>,
}

/// The words of one message.
#[derive(Clone, Debug, PartialEq, Deserialize)]
enum Text {
    /// The same words for every number: `Say("{number} of {of}")`.
    Say(String),
    /// Words that depend on a count: `Plural(by: "n", one: "one person", other: "{n} people")`.
    Plural {
        /// The argument that decides.
        by: String,
        /// Said where it is 1.
        one: String,
        /// Said otherwise.
        other: String,
    },
}

/// The words of the interface in one language, and how its numbers are written.
#[derive(Clone, Debug)]
pub struct Words {
    language: String,
    messages: BTreeMap<String, Text>,
    /// The sign between the whole and the part of a number.
    pub decimal: DecimalSign,
}

/// Why a language file cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{file}: {why}")]
pub struct WordsProblem {
    /// The file.
    pub file: String,
    /// What is wrong with it.
    pub why: String,
}

/// The languages compiled into the program: tag and file.
const LANGUAGES: &[(&str, &str)] = &[("en", include_str!("../../assets/words/en.ron"))];

impl Words {
    /// English. Its file is compiled in; a test holds it against the code, so an empty table here means a broken build.
    #[must_use]
    pub fn english() -> Self {
        Self::of_language("en").unwrap_or_else(|problem| {
            log::error!("{problem}");
            Self {
                language: "en".to_owned(),
                messages: BTreeMap::new(),
                decimal: DecimalSign::Point,
            }
        })
    }

    /// The compiled-in language with this tag; an error where there is none or its file does not read.
    pub fn of_language(tag: &str) -> Result<Self, WordsProblem> {
        let text = LANGUAGES
            .iter()
            .find(|(t, _)| *t == tag)
            .map(|(_, text)| *text);
        let Some(text) = text else {
            return Err(WordsProblem {
                file: format!("{tag}.ron"),
                why: "no such language is compiled in".to_owned(),
            });
        };
        let file: LanguageFile = ron::from_str(text).map_err(|e| WordsProblem {
            file: format!("assets/words/{tag}.ron"),
            why: e.to_string(),
        })?;
        Ok(Self {
            language: file.language,
            messages: file.messages,
            decimal: DecimalSign::Point,
        })
    }

    /// The tags of the languages compiled in.
    pub fn languages() -> impl Iterator<Item = &'static str> {
        LANGUAGES.iter().map(|(tag, _)| *tag)
    }

    /// This language's tag.
    #[must_use]
    pub fn language(&self) -> &str {
        &self.language
    }

    /// The message in this language's words. A message without words is said by its key, so that nothing is dropped silently.
    pub fn say(&self, message: &impl Message) -> String {
        let args = message.args(self);
        match self.messages.get(message.key()) {
            None => format!("[{}]", message.key()),
            Some(Text::Say(text)) => self.fill(text, &args),
            Some(Text::Plural { by, one, other }) => {
                let is_one = args.iter().any(|(name, arg)| {
                    name == by
                        && (matches!(arg, Arg::Count(1))
                            || matches!(arg, Arg::Number(n) if *n == 1.0))
                });
                self.fill(if is_one { one } else { other }, &args)
            }
        }
    }

    /// A computed number as people read it.
    #[must_use]
    pub fn number(&self, value: f64) -> String {
        number::show(value, self.decimal).text
    }

    /// What something comes to: `= 79`, or `≈ 76.67` where digits were cut.
    #[must_use]
    pub fn equals(&self, value: f64) -> String {
        let shown = number::show(value, self.decimal);
        let sign = if shown.exact { '=' } else { '≈' };
        format!("{sign} {}", shown.text)
    }

    /// Puts the arguments where the text names them in braces.
    fn fill(&self, text: &str, args: &[(&'static str, Arg)]) -> String {
        let mut out = String::with_capacity(text.len() + 16);
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            let (before, from) = rest.split_at(open);
            out.push_str(before);
            let Some(close) = from.find('}') else {
                rest = from;
                break;
            };
            let name = &from[1..close];
            match args.iter().find(|(n, _)| *n == name) {
                Some((_, Arg::Count(n))) => out.push_str(&number::whole(*n)),
                Some((_, Arg::Number(x))) => out.push_str(&self.number(*x)),
                Some((_, Arg::Text(t) | Arg::Said(t))) => out.push_str(t),
                None => out.push_str(&from[..=close]),
            }
            rest = &from[close + 1..];
        }
        out.push_str(rest);
        out
    }

    /// Every key of the file with the argument names its texts use, for the test of completeness.
    pub fn keys_and_args(&self) -> Vec<(String, Vec<String>)> {
        self.messages
            .iter()
            .map(|(key, text)| {
                let texts: Vec<&str> = match text {
                    Text::Say(t) => vec![t],
                    Text::Plural { one, other, .. } => vec![one, other],
                };
                let mut names: Vec<String> = texts.iter().flat_map(|t| braces(t)).collect();
                if let Text::Plural { by, .. } = text {
                    names.push(by.clone());
                }
                names.sort();
                names.dedup();
                (key.clone(), names)
            })
            .collect()
    }
}

/// The names in braces.
fn braces(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let from = &rest[open + 1..];
        let Some(close) = from.find('}') else { break };
        names.push(from[..close].to_owned());
        rest = &from[close + 1..];
    }
    names
}
