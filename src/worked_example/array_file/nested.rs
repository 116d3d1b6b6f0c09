//! The grammar that JSON and RON share: names and values, nested lists of numbers. Lists are gathered flat, with a counter a level and no
//! recursion, so that neither depth nor size of a file can hurt. After a fault reading goes on: the array at fault drops out, the others stay.

mod gathered;
mod lexer;

use std::ops::Range;

use super::fault::ArrayFault;
use super::name::ArrayName;
use super::reading::{Found, Reading};
use super::spec_fields::{FieldValue, SpecFields};
use super::{MOST_AXES, MOST_NUMBERS};
use gathered::Gathered;
use lexer::{Lexer, Token};

/// Which of the two it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Json,
    Ron,
}

/// A text being read.
pub(super) struct Nested<'r, 'a, 't> {
    reading: &'r mut Reading<'a>,
    lexer: Lexer<'t>,
    dialect: Dialect,
    /// What JSON has not, and what is said of it once.
    said_comment: bool,
    said_bare_word: bool,
}

impl<'r, 'a, 't> Nested<'r, 'a, 't> {
    pub fn new(reading: &'r mut Reading<'a>, text: &'t str, dialect: Dialect) -> Self {
        Self {
            reading,
            lexer: Lexer::new(text, dialect),
            dialect,
            said_comment: false,
            said_bare_word: false,
        }
    }

    /// The whole file: names and values, or one list.
    pub fn file(mut self) {
        let (mut token, mut range) = self.next();
        if let (Dialect::Ron, Token::Plain(_)) = (self.dialect, &token) {
            // The name of a struct.
            (token, range) = self.next();
        }
        match token {
            Token::Open('[') => {
                if let Some(found) = self.list(range.start) {
                    self.reading.array(None, found);
                }
            }
            Token::Open(bracket @ ('{' | '(')) if self.is_object(bracket) => {
                self.entries(bracket, range.start, true);
            }
            Token::End => return self.reading.tell(ArrayFault::NoArrays, range),
            _ => return self.reading.tell(ArrayFault::NotAnObject, range),
        }
        let (token, range) = self.next();
        if token != Token::End {
            self.reading.tell(ArrayFault::AfterTheEnd, range);
        }
    }

    fn is_object(&self, bracket: char) -> bool {
        bracket == '{' || self.dialect == Dialect::Ron && bracket == '('
    }

    /// Names and values up to the closing bracket, which is taken.
    fn entries(&mut self, bracket: char, opened: usize, top: bool) {
        let mut comma = None;
        let mut first = true;
        loop {
            let (token, range) = self.next();
            let name = match token {
                Token::Close(close) if close == closer(bracket) => {
                    if let Some(comma) = comma.filter(|_| self.dialect == Dialect::Json) {
                        self.reading.tell(ArrayFault::ExtraComma, comma);
                    }
                    return;
                }
                Token::End => {
                    let bracket = bracket.to_string();
                    let fault = ArrayFault::Unclosed { bracket };
                    return self.reading.tell(fault, opened..opened + 1);
                }
                Token::Comma if comma.is_none() && !first => {
                    comma = Some(range);
                    continue;
                }
                Token::Comma => {
                    self.reading.tell(ArrayFault::ExtraComma, range);
                    continue;
                }
                Token::Text(written) => self.decoded(written, &range),
                Token::Plain(name) => Some(name.to_owned()),
                _ => {
                    self.unexpected(token, range);
                    continue;
                }
            };
            if comma.take().is_none() && !first {
                self.reading.tell(ArrayFault::MissingComma, range.clone());
            }
            first = false;
            let name = name.unwrap_or_default();
            let (token, _) = self.peek();
            if token == Token::Colon {
                self.next();
            } else {
                let name = name.clone();
                self.reading
                    .tell(ArrayFault::MissingColon { name }, range.clone());
            }
            self.entry(&name, range, top);
        }
    }

    /// The value of a name.
    fn entry(&mut self, name: &str, range: Range<usize>, top: bool) {
        let (token, at) = self.peek();
        match token {
            Token::Comma | Token::Close(_) | Token::End => {
                let name = name.to_owned();
                self.reading.tell(ArrayFault::MissingValue { name }, range);
            }
            Token::Open(bracket) if name == "spec" && top && self.is_object(bracket) => {
                self.next();
                self.entries(bracket, at.start, false);
            }
            _ if name == "spec" && top => {
                self.reading.tell(ArrayFault::NestedSpec, range);
                self.skip_value();
            }
            _ if name == "tokens" && top => self.tokens(),
            _ if SpecFields::named(name).is_some() => {
                let value = self.scalar();
                self.reading.field(name, &value, at);
            }
            Token::Open('[') if top && self.reading.wants(name, range.clone()) => {
                self.next();
                if let Some(found) = self.list(at.start) {
                    self.reading.array(Some(name), found);
                }
            }
            Token::Open('[') if top => self.skip_value(),
            // `"bias": null` is none.
            Token::Plain("null" | "None") if ArrayName::named(name).is_some() => self.skip_value(),
            Token::Plain(written) | Token::Text(written)
                if top && ArrayName::named(name).is_some() =>
            {
                let written = short(written);
                self.reading.tell(ArrayFault::NotANumber { written }, at);
                self.skip_value();
            }
            Token::Open(_) if top && ArrayName::named(name).is_some() => {
                self.next();
                self.unexpected(token, at);
            }
            _ => {
                if top {
                    self.reading.unknown(name, range);
                } else {
                    // Told as no convention.
                    self.reading.field(name, &FieldValue::Nothing, range);
                }
                self.skip_value();
            }
        }
    }

    /// Nested lists of numbers after their first bracket, up to the bracket that closes it. `None` where the array cannot be used.
    fn list(&mut self, start: usize) -> Option<Found> {
        let mut gathered = Gathered::new(start);
        // What came last: an item that a comma must follow, or a comma.
        let (mut after_item, mut comma) = (false, None);
        while gathered.is_open() {
            let (token, range) = self.next();
            let is_item = matches!(token, Token::Open(_) | Token::Plain(_) | Token::Text(_));
            if is_item && after_item {
                self.reading.tell(ArrayFault::MissingComma, range.clone());
            }
            match token {
                Token::Comma if after_item => {
                    after_item = false;
                    comma = Some(range);
                    continue;
                }
                Token::Comma => {
                    self.reading.tell(ArrayFault::ExtraComma, range);
                    continue;
                }
                Token::Open('[') if gathered.open(range.start) => {}
                Token::Open('[') => {
                    let limit = MOST_AXES;
                    self.reading.tell(ArrayFault::TooDeep { limit }, range);
                    self.lexer.skip_brackets();
                    (after_item, comma) = (true, None);
                    continue;
                }
                Token::Close(']') => {
                    if let Some(comma) = comma.take().filter(|_| self.dialect == Dialect::Json) {
                        self.reading.tell(ArrayFault::ExtraComma, comma);
                    }
                    if let Some((fault, from)) = gathered.close() {
                        self.reading.tell(fault, from..range.end);
                    }
                }
                Token::Plain(written) | Token::Text(written) => {
                    match self.number(token, written, &range) {
                        Some(Cell::Number(x)) => gathered.number(x),
                        Some(Cell::Truth(truth)) => gathered.truth(truth),
                        None => gathered.spoil(),
                    }
                    if gathered.numbers.len() > self.reading.room() {
                        let limit = MOST_NUMBERS;
                        self.reading.tell(ArrayFault::TooLarge { limit }, range);
                        gathered.forget();
                    }
                }
                Token::End | Token::Close(_) => {
                    let (at, bracket) = (gathered.innermost(), '['.to_string());
                    let fault = ArrayFault::Unclosed { bracket };
                    self.reading.tell(fault, at..at + 1);
                    self.lexer.back(range.start);
                    return None;
                }
                _ => {
                    self.unexpected(token, range);
                    gathered.spoil();
                }
            }
            comma = None;
            after_item = token != Token::Open('[');
        }
        let end = self.lexer.at();
        let found = gathered.into_found(end, self.reading);
        found.filter(|found| self.reading.take_room(found.values.len(), found.at.clone()))
    }

    /// What stands for a number.
    fn number(&mut self, token: Token<'_>, written: &str, range: &Range<usize>) -> Option<Cell> {
        let json = self.dialect == Dialect::Json;
        let special = match (token, written) {
            (Token::Plain(_), "true") => return Some(Cell::Truth(true)),
            (Token::Plain(_), "false") => return Some(Cell::Truth(false)),
            (Token::Text(_), "\"NaN\"") | (_, "NaN") => Some(f64::NAN),
            (Token::Text(_), "\"Infinity\"") | (_, "Infinity" | "inf" | "+inf") => {
                Some(f64::INFINITY)
            }
            (Token::Text(_), "\"-Infinity\"") | (_, "-Infinity" | "-inf") => {
                Some(f64::NEG_INFINITY)
            }
            _ => None,
        };
        if let Some(special) = special {
            if json && matches!(token, Token::Plain(_)) && !self.said_bare_word {
                self.said_bare_word = true;
                let written = written.to_owned();
                self.reading
                    .tell(ArrayFault::JsonBareWord { written }, range.clone());
            }
            return Some(Cell::Number(special));
        }
        let begins = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.');
        let is_number = matches!(token, Token::Plain(_)) && written.starts_with(begins);
        let digits = if json || !written.contains('_') {
            written.parse::<f64>()
        } else {
            written.replace('_', "").parse()
        };
        let fault = match digits {
            Ok(x) if is_number && x.is_finite() => return Some(Cell::Number(x)),
            Ok(_) if is_number => ArrayFault::OutOfRange {
                written: short(written),
            },
            _ => ArrayFault::NotANumber {
                written: short(written),
            },
        };
        self.reading.tell(fault, range.clone());
        None
    }

    /// One value that is no list: the value of a convention.
    fn scalar(&mut self) -> FieldValue {
        let (token, range) = self.peek();
        match token {
            Token::Text(written) => {
                self.next();
                self.decoded(written, &range)
                    .map_or(FieldValue::Other, FieldValue::Text)
            }
            Token::Plain("null" | "None") => {
                self.next();
                FieldValue::Nothing
            }
            Token::Plain("Some") if self.dialect == Dialect::Ron => {
                self.next();
                if self.peek().0 != Token::Open('(') {
                    return FieldValue::Other;
                }
                self.next();
                let value = if self.peek().0 == Token::Plain("Some") {
                    FieldValue::Other
                } else {
                    self.scalar()
                };
                // What does not close here belongs to no value, whatever it is.
                self.lexer.skip_brackets();
                value
            }
            Token::Plain(written) => {
                self.next();
                let is_word = written.starts_with(char::is_alphabetic)
                    && !matches!(written, "NaN" | "Infinity" | "inf" | "true" | "false");
                if is_word && self.dialect == Dialect::Ron {
                    // As the variant of an enum is written.
                    return FieldValue::Text(written.to_owned());
                }
                if is_word {
                    self.unexpected(token, range);
                    return FieldValue::Nothing;
                }
                match self.number(token, written, &range) {
                    Some(Cell::Number(x)) => FieldValue::Number(x),
                    Some(Cell::Truth(truth)) => FieldValue::Truth(truth),
                    None => FieldValue::Nothing,
                }
            }
            _ => {
                self.skip_value();
                FieldValue::Other
            }
        }
    }

    /// A list of texts.
    fn tokens(&mut self) {
        let (token, range) = self.peek();
        if token != Token::Open('[') {
            self.reading.tell(ArrayFault::TokensNotTexts, range);
            return self.skip_value();
        }
        self.next();
        let mut tokens = Some(Vec::new());
        loop {
            let (token, range) = self.next();
            match token {
                Token::Close(']') => break,
                Token::Comma => {}
                Token::Text(written) => match (self.decoded(written, &range), &mut tokens) {
                    (Some(text), Some(tokens)) => tokens.push(text),
                    _ => tokens = None,
                },
                Token::End | Token::Close(_) => {
                    let bracket = '['.to_string();
                    self.reading
                        .tell(ArrayFault::Unclosed { bracket }, range.clone());
                    return self.lexer.back(range.start);
                }
                Token::Open(_) => {
                    self.reading.tell(ArrayFault::TokensNotTexts, range);
                    self.lexer.skip_brackets();
                    tokens = None;
                }
                _ => {
                    self.reading.tell(ArrayFault::TokensNotTexts, range);
                    tokens = None;
                }
            }
        }
        if let Some(tokens) = tokens {
            self.reading.tokens(tokens);
        }
    }

    /// The text between quotes.
    fn decoded(&mut self, written: &str, range: &Range<usize>) -> Option<String> {
        let text = match self.dialect {
            Dialect::Json => serde_json::from_str(written).ok(),
            Dialect::Ron => ::ron::from_str(written).ok(),
        };
        if text.is_none() {
            self.reading.tell(ArrayFault::BadText, range.clone());
        }
        text
    }

    /// Passes over a value, whatever it is.
    fn skip_value(&mut self) {
        let (token, range) = self.next();
        match token {
            Token::Open(_) => self.lexer.skip_brackets(),
            Token::Plain(_) if self.dialect == Dialect::Ron => {
                if matches!(self.peek().0, Token::Open('(')) {
                    self.next();
                    self.lexer.skip_brackets();
                }
            }
            Token::Close(_) | Token::Comma | Token::End => self.lexer.back(range.start),
            _ => {}
        }
    }

    fn unexpected(&mut self, token: Token<'_>, range: Range<usize>) {
        let fault = match token {
            Token::Unclosed => ArrayFault::UnclosedText,
            _ => ArrayFault::Unexpected {
                written: short(self.lexer.written(&range)),
            },
        };
        self.reading.tell(fault, range);
        if let Token::Open(_) = token {
            self.lexer.skip_brackets();
        }
    }

    fn peek(&mut self) -> (Token<'t>, Range<usize>) {
        let found = self.next();
        self.lexer.back(found.1.start);
        found
    }

    /// The next token; comments are passed over.
    fn next(&mut self) -> (Token<'t>, Range<usize>) {
        loop {
            let (token, range) = self.lexer.next();
            if token != Token::Comment {
                return (token, range);
            }
            if self.dialect == Dialect::Json && !self.said_comment {
                self.said_comment = true;
                self.reading.tell(ArrayFault::JsonComment, range);
            }
        }
    }
}

/// What stands in a list.
enum Cell {
    Number(f64),
    Truth(bool),
}

fn closer(bracket: char) -> char {
    match bracket {
        '(' => ')',
        '{' => '}',
        _ => ']',
    }
}

/// The beginning of what was written, short enough for a sentence.
pub(super) fn short(written: &str) -> String {
    let mut chars = written.chars();
    let mut out: String = chars.by_ref().take(24).collect();
    if chars.next().is_some() {
        out.push('…');
    }
    out
}
