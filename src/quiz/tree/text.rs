//! What a text says: escapes resolved as RON does, LaTeX that a plain text swallows found, and a text rewritten as a raw one.

use std::borrow::Cow;
use std::ops::Range;

use super::lexer::TokenKind;

/// Commands of TeX that begin like an escape of RON, so that a plain text makes a line end or a tab of them in silence.
/// Those that may as well be a line end and the start of a word (`\nu`, `\ni`, `\to`, `\rm`) count only between dollars.
const COMMANDS: &[&str] = &[
    "nabla",
    "ne",
    "neg",
    "neq",
    "newline",
    "nexists",
    "nleq",
    "ngeq",
    "nmid",
    "nonumber",
    "norm",
    "not",
    "notin",
    "nparallel",
    "nsubseteq",
    "nrightarrow",
    "text",
    "textbf",
    "textit",
    "textrm",
    "textsf",
    "texttt",
    "textstyle",
    "tau",
    "tan",
    "tanh",
    "tfrac",
    "tbinom",
    "theta",
    "therefore",
    "thinspace",
    "tilde",
    "times",
    "top",
    "triangle",
    "triangleq",
    "tag",
    "rho",
    "rangle",
    "rbrace",
    "rbrack",
    "rceil",
    "rfloor",
    "right",
    "rightarrow",
    "rightleftharpoons",
    "rvert",
    "rVert",
];

/// What is wrong with the escapes of a plain text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// An escape that RON does not know: `\f`.
    Unknown(String),
    /// A command of TeX of which RON makes a line end, a tab or a carriage return.
    Swallowed(String),
}

/// The content of a text token.
#[must_use]
pub(super) fn content(kind: TokenKind, token: &str) -> Cow<'_, str> {
    let inner = inner(kind, token);
    match kind {
        TokenKind::RawText | TokenKind::OpenRawText | TokenKind::CurlyText => Cow::Borrowed(inner),
        _ => unescape(inner),
    }
}

/// What stands between the quotes.
#[must_use]
pub(super) fn inner(kind: TokenKind, token: &str) -> &str {
    let is_quote = |c: char| !matches!(c, 'r' | '#');
    match kind {
        TokenKind::Text => token
            .strip_prefix('"')
            .and_then(|t| t.strip_suffix('"'))
            .unwrap_or_default(),
        TokenKind::OpenText => token.strip_prefix('"').unwrap_or_default(),
        TokenKind::RawText | TokenKind::OpenRawText => {
            let marks = token.find('"').unwrap_or(0);
            let body = token.get(marks + 1..).unwrap_or_default();
            let closed = kind == TokenKind::RawText;
            if closed {
                body.get(..body.len().saturating_sub(marks))
                    .unwrap_or_default()
            } else {
                body
            }
        }
        _ => {
            let mut chars = token.chars();
            chars.next();
            if chars.as_str().ends_with(is_quote) {
                chars.next_back();
            }
            chars.as_str()
        }
    }
}

/// Resolves the escapes; an unknown one stays as it is written.
#[must_use]
pub(super) fn unescape(inner: &str) -> Cow<'_, str> {
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut out = String::with_capacity(inner.len());
    for piece in pieces(inner) {
        match piece {
            Piece::Plain(text) | Piece::Unknown { text, .. } => out.push_str(text),
            Piece::Char { value, .. } => out.push(value),
            Piece::Continuation => {}
        }
    }
    Cow::Owned(out)
}

/// The character that a literal `'…'` writes, without its quotes.
#[must_use]
pub(super) fn character(inner: &str) -> Option<char> {
    let mut pieces = pieces(inner);
    let value = match pieces.next()? {
        Piece::Char { value, text } if value.is_ascii() || !text.starts_with("\\x") => value,
        Piece::Plain(text) => {
            let mut chars = text.chars();
            chars.next().filter(|_| chars.next().is_none())?
        }
        _ => return None,
    };
    pieces.next().is_none().then_some(value)
}

/// The first thing wrong with the escapes of a plain text, with its bytes within `inner`: an unknown escape rather than a swallowed command.
#[must_use]
pub(super) fn trouble(inner: &str) -> Option<(Range<usize>, Trouble)> {
    if !inner.contains('\\') {
        return None;
    }
    let mut swallowed = None;
    let mut between_dollars = false;
    let mut at = 0;
    for piece in pieces(inner) {
        let text = match piece {
            Piece::Plain(text) => {
                between_dollars ^= text.matches('$').count() % 2 == 1;
                text
            }
            Piece::Unknown { text, .. } => {
                let shown = format!("{text}{}", letters(inner.get(at + text.len()..)));
                return Some((at..at + shown.len(), Trouble::Unknown(shown)));
            }
            Piece::Char { text, .. } => {
                let word = letters(inner.get(at + 1..));
                let is_command = COMMANDS.contains(&word) || between_dollars && word.len() > 1;
                if swallowed.is_none() && matches!(text, "\\n" | "\\t" | "\\r") && is_command {
                    swallowed = Some((
                        at..at + 1 + word.len(),
                        Trouble::Swallowed(format!("\\{word}")),
                    ));
                }
                text
            }
            Piece::Continuation => {
                continuation(inner.get(at..).unwrap_or_default()).unwrap_or_default()
            }
        };
        at += text.len();
    }
    swallowed
}

/// The plain text rewritten as a raw one, its TeX commands restored, real line ends and quotes put as they are.
#[must_use]
pub(super) fn as_raw(inner: &str) -> String {
    let mut out = String::with_capacity(inner.len() + 4);
    let mut at = 0;
    for piece in pieces(inner) {
        let text = match piece {
            Piece::Plain(text) | Piece::Unknown { text, .. } => {
                out.push_str(text);
                text
            }
            Piece::Char { text, value } => {
                let before_letter = !letters(inner.get(at + text.len()..)).is_empty();
                if matches!(text, "\\n" | "\\t" | "\\r") && before_letter {
                    out.push_str(text);
                } else {
                    out.push(value);
                }
                text
            }
            Piece::Continuation => {
                continuation(inner.get(at..).unwrap_or_default()).unwrap_or_default()
            }
        };
        at += text.len();
    }
    raw(&out)
}

/// A raw text literal with as many `#` as its content needs.
#[must_use]
pub(super) fn raw(content: &str) -> String {
    let mut marks = String::new();
    while content.contains(&format!("\"{marks}")) {
        marks.push('#');
    }
    format!("r{marks}\"{content}\"{marks}")
}

/// The shortest literal for a content: plain where nothing needs an escape, else raw.
#[must_use]
pub(super) fn literal(content: &str) -> String {
    if content.contains(['"', '\\']) {
        raw(content)
    } else {
        format!("\"{content}\"")
    }
}

/// A stretch of a plain text.
enum Piece<'a> {
    Plain(&'a str),
    Char {
        text: &'a str,
        value: char,
    },
    Unknown {
        text: &'a str,
    },
    /// A backslash, a line end and the white space after it: nothing.
    Continuation,
}

/// The stretches of a plain text in order.
fn pieces(inner: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = inner;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let plain = rest.find('\\').unwrap_or(rest.len());
        if plain > 0 {
            let (text, after) = rest.split_at_checked(plain)?;
            rest = after;
            return Some(Piece::Plain(text));
        }
        if let Some(skipped) = continuation(rest) {
            rest = rest.get(skipped.len()..)?;
            return Some(Piece::Continuation);
        }
        let (length, value) = escape(rest);
        let (text, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        rest = after;
        Some(value.map_or(Piece::Unknown { text }, |value| Piece::Char { text, value }))
    })
}

/// A backslash at a line's end with the white space that it swallows.
fn continuation(rest: &str) -> Option<&str> {
    let after = rest
        .strip_prefix("\\\r\n")
        .or_else(|| rest.strip_prefix("\\\n"))?;
    let next = after.trim_start_matches([' ', '\t', '\n', '\r']);
    rest.get(..rest.len() - next.len())
}

/// The length of the escape that `rest` begins with, and its character if it is one.
fn escape(rest: &str) -> (usize, Option<char>) {
    let Some(letter) = rest.chars().nth(1) else {
        return (rest.len(), None);
    };
    let simple = |c| (2, Some(c));
    match letter {
        '\'' | '"' | '\\' => simple(letter),
        'n' => simple('\n'),
        'r' => simple('\r'),
        't' => simple('\t'),
        '0' => simple('\0'),
        'x' => byte_escapes(rest).map_or((2, None), |(length, c)| (length, Some(c))),
        'u' => unicode_escape(rest).map_or((2, None), |(length, c)| (length, Some(c))),
        other => (1 + other.len_utf8(), None),
    }
}

/// `\x41`, or the two to four of them that write one character in UTF-8.
fn byte_escapes(rest: &str) -> Option<(usize, char)> {
    let mut bytes = Vec::with_capacity(4);
    let mut after = rest;
    while bytes.len() < 4 {
        let digits = after.strip_prefix("\\x")?;
        let pair = digits
            .get(..2)
            .filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
        bytes.push(u8::from_str_radix(pair, 16).ok()?);
        after = digits.get(2..)?;
        if let Some(c) = std::str::from_utf8(&bytes)
            .ok()
            .and_then(|s| s.chars().next())
        {
            return Some((rest.len() - after.len(), c));
        }
    }
    None
}

/// `\u{1F600}`.
fn unicode_escape(rest: &str) -> Option<(usize, char)> {
    let digits = rest.strip_prefix("\\u{")?;
    let close = digits.find('}').filter(|n| (1..=6).contains(n))?;
    let digits = digits
        .get(..close)
        .filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
    Some((
        3 + close + 1,
        char::from_u32(u32::from_str_radix(digits, 16).ok()?)?,
    ))
}

/// The letters that a text begins with.
fn letters(text: Option<&str>) -> &str {
    let text = text.unwrap_or_default();
    let end = text
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}
