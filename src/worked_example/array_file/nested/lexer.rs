//! A text of JSON or RON as brackets, signs, words and quoted texts.

use std::ops::Range;

use super::Dialect;

/// One piece of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'t> {
    Open(char),
    Close(char),
    Comma,
    Colon,
    /// A number or a word.
    Plain(&'t str),
    /// A text with its quotes.
    Text(&'t str),
    /// A text that never ends.
    Unclosed,
    /// A comment, or a switch of RON's (`#![enable(…)]`).
    Comment,
    /// Anything else.
    Stray,
    End,
}

/// Where in the text we are.
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    dialect: Dialect,
    /// How many texts never ended.
    unclosed: usize,
}

/// After so many texts that never end the rest is given up: each was sought to the end of the file.
const MOST_UNCLOSED: usize = 8;

impl<'t> Lexer<'t> {
    pub fn new(text: &'t str, dialect: Dialect) -> Self {
        Self {
            text,
            at: 0,
            dialect,
            unclosed: 0,
        }
    }

    /// The byte that comes next.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Goes back to where a token began.
    pub fn back(&mut self, to: usize) {
        self.at = to.min(self.at);
    }

    /// The text there.
    pub fn written(&self, range: &Range<usize>) -> &'t str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// Passes over everything up to the bracket that closes the one just taken.
    pub fn skip_brackets(&mut self) {
        let mut depth = 1usize;
        while depth > 0 {
            match self.next().0 {
                Token::Open(_) => depth += 1,
                Token::Close(_) => depth -= 1,
                Token::End => return,
                _ => {}
            }
        }
    }

    /// The next token.
    pub fn next(&mut self) -> (Token<'t>, Range<usize>) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let trimmed = rest.trim_start();
        let start = self.at + rest.len() - trimmed.len();
        let (token, mut length) = self.token(trimmed);
        if token == Token::Unclosed {
            self.unclosed += 1;
            if self.unclosed > MOST_UNCLOSED {
                length = trimmed.len();
            }
        }
        self.at = start + length;
        (token, start..self.at)
    }

    /// The token at the beginning of `rest`, and its length in bytes.
    fn token(&self, rest: &'t str) -> (Token<'t>, usize) {
        let Some(sign) = rest.chars().next() else {
            return (Token::End, 0);
        };
        match sign {
            '(' | '[' | '{' => (Token::Open(sign), 1),
            ')' | ']' | '}' => (Token::Close(sign), 1),
            ',' => (Token::Comma, 1),
            ':' => (Token::Colon, 1),
            '"' => text(rest, quoted(rest)),
            'r' if self.dialect == Dialect::Ron && is_raw(rest) => text(rest, raw(rest)),
            '/' if rest.starts_with("//") => {
                (Token::Comment, rest.find('\n').unwrap_or(rest.len()))
            }
            '/' if rest.starts_with("/*") => (
                Token::Comment,
                rest.find("*/").map_or(rest.len(), |at| at + 2),
            ),
            '#' if self.dialect == Dialect::Ron && rest.starts_with("#!") => (
                Token::Comment,
                rest.find(']').map_or(rest.len(), |at| at + 1),
            ),
            _ if is_plain(sign) => {
                let length = rest.find(|c| !is_plain(c)).unwrap_or(rest.len());
                (Token::Plain(rest.get(..length).unwrap_or_default()), length)
            }
            _ => (Token::Stray, sign.len_utf8()),
        }
    }
}

/// A quoted text of this length; where it never ends, the rest of its line is lost.
fn text(rest: &str, length: Option<usize>) -> (Token<'_>, usize) {
    match length.and_then(|length| Some((rest.get(..length)?, length))) {
        Some((text, length)) => (Token::Text(text), length),
        None => (Token::Unclosed, rest.find('\n').unwrap_or(rest.len())),
    }
}

/// The length of a quoted text.
fn quoted(rest: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, sign) in rest.char_indices().skip(1) {
        match sign {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Whether `r"…"` or `r#"…"#` begins here.
fn is_raw(rest: &str) -> bool {
    let after = rest.trim_start_matches('r');
    after.len() + 1 == rest.len() && after.trim_start_matches('#').starts_with('"')
}

/// The length of a raw text.
fn raw(rest: &str) -> Option<usize> {
    let opening = rest.find('"')?;
    let hashes = "#".repeat(opening - 1);
    let closing = format!("\"{hashes}");
    let body = rest.get(opening + 1..)?;
    Some(opening + 1 + body.find(&closing)? + closing.len())
}

fn is_plain(sign: char) -> bool {
    sign.is_alphanumeric() || matches!(sign, '_' | '-' | '+' | '.')
}
