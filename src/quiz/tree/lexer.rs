//! A text as tokens that leave out nothing: laid end to end they are the text again, comments, spaces and mistakes included.
//!
//! The lexer never fails and tells nothing: a mistake is a kind of token (a text that is not closed, curly quotes, a stray
//! character), and the parser says it. Where the plain reading of a file does not hold together, it is lexed a second time
//! *carefully*: a text that runs over several lines and ends right before a letter was most likely never closed, so it ends with its line.

use std::cell::Cell;
use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Spaces, tabs, line ends.
    Space,
    /// `// …` up to the line's end.
    LineComment,
    /// `/* … */`, nested ones included.
    BlockComment,
    /// A block comment without its end.
    OpenComment,
    /// A name: of a field, a struct, a variant; also `true`, `None`, `inf`.
    Ident,
    /// Anything that begins as a number does.
    Number,
    /// `"…"`.
    Text,
    /// `r"…"`, `r#"…"#`.
    RawText,
    /// `"…` without its end.
    OpenText,
    /// `r#"…` without its end.
    OpenRawText,
    /// A text between curly quotes.
    CurlyText,
    /// A text opened by a straight quote and closed by a curly one.
    HalfCurlyText,
    /// A text between single straight quotes.
    SingleText,
    /// `'a'`.
    Char,
    /// `b"…"`, `b'a'`, `br"…"`: legal elsewhere, of no use in a quiz.
    Bytes,
    /// `(`
    LeftParen,
    /// `)`
    RightParen,
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `{`
    LeftBrace,
    /// `}`
    RightBrace,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `=`
    Equals,
    /// `#`
    Hash,
    /// `!`
    Bang,
    /// Characters that mean nothing here.
    Stray,
}

impl TokenKind {
    /// Whether it is a space or a comment.
    #[must_use]
    pub fn is_trivia(self) -> bool {
        matches!(
            self,
            Self::Space | Self::LineComment | Self::BlockComment | Self::OpenComment
        )
    }

    /// Whether it closes a bracket.
    #[must_use]
    pub fn is_closer(self) -> bool {
        matches!(
            self,
            Self::RightParen | Self::RightBracket | Self::RightBrace
        )
    }

    /// Whether it is a text, in whatever quotes.
    #[must_use]
    pub fn is_text(self) -> bool {
        matches!(
            self,
            Self::Text
                | Self::RawText
                | Self::OpenText
                | Self::OpenRawText
                | Self::CurlyText
                | Self::HalfCurlyText
                | Self::SingleText
        )
    }

    /// Whether a value can begin with it.
    #[must_use]
    pub fn starts_value(self) -> bool {
        self.is_text()
            || matches!(
                self,
                Self::Ident
                    | Self::Number
                    | Self::Char
                    | Self::Bytes
                    | Self::LeftParen
                    | Self::LeftBracket
                    | Self::LeftBrace
            )
    }
}

/// A token: its kind, and the byte where it begins; it ends where the next one begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its first byte.
    pub start: u32,
}

/// The tokens of a text of at most 4 GB.
pub(super) fn lex(text: &str, careful: bool) -> Vec<Token> {
    let lexer = Lexer {
        text,
        careful,
        patience: Cell::new(PATIENCE_BYTES),
    };
    let mut tokens: Vec<Token> = Vec::with_capacity(text.len() / 4);
    let mut at = 0;
    while at < text.len() {
        let (kind, end) = lexer.token(at);
        let joins =
            kind == TokenKind::Stray && tokens.last().is_some_and(|t| t.kind == TokenKind::Stray);
        if !joins {
            tokens.push(Token {
                kind,
                start: u32::try_from(at).unwrap_or(u32::MAX),
            });
        }
        at = end.max(at + 1);
    }
    tokens
}

/// Whether this text, lexed plainly, holds a text or comment that most likely was never closed.
pub(super) fn looks_unclosed(text: &str, tokens: &[Token]) -> bool {
    let ends = tokens
        .iter()
        .skip(1)
        .map(|t| t.start as usize)
        .chain([text.len()]);
    tokens
        .iter()
        .zip(ends)
        .any(|(token, end)| match token.kind {
            TokenKind::OpenText | TokenKind::OpenRawText | TokenKind::OpenComment => true,
            TokenKind::Text => {
                let spans_lines = text
                    .get(token.start as usize..end)
                    .is_some_and(|t| t.contains('\n'));
                spans_lines && !ends_well(text, end)
            }
            TokenKind::RawText => swallows_fields(text, token.start as usize..end),
            _ => false,
        })
}

/// Whether a raw text over several lines ends badly and holds lines that plainly belong to the file, so that it was most likely never closed.
fn swallows_fields(text: &str, range: Range<usize>) -> bool {
    !ends_well(text, range.end)
        && text
            .get(range)
            .is_some_and(|inside| inside.lines().skip(1).any(begins_field))
}

/// Whether a line plainly belongs to the file and to no text: a closing bracket, a field, a struct.
pub(super) fn begins_field(line: &str) -> bool {
    let line = line.trim_start();
    let name = line.trim_start_matches(is_ident);
    let is_named = name.len() < line.len();
    line.starts_with([')', ']', '}'])
        || is_named && line.starts_with(char::is_uppercase) && name.starts_with('(')
        || is_named && line.starts_with(char::is_lowercase) && name.starts_with(": ")
}

/// Where the next field begins on a line that a text without its end has swallowed: at the comma of `…, name: `.
fn next_field(line: &str) -> Option<usize> {
    line.match_indices(", ")
        .map(|(comma, _)| comma)
        .find(|comma| {
            let after = line.get(comma + 2..).unwrap_or_default();
            let name = after.trim_start_matches(is_ident);
            name.len() < after.len()
                && after.starts_with(char::is_lowercase)
                && name.starts_with(": ")
        })
}

/// Whether what stands after a text's closing quote may stand there.
pub(super) fn ends_well(text: &str, end: usize) -> bool {
    let rest = text
        .get(end..)
        .unwrap_or_default()
        .trim_start_matches([' ', '\t', '\r']);
    rest.is_empty() || rest.starts_with([',', ';', ')', ']', '}', ':', '\n', '/'])
}

/// How many lines a text without its end may have.
const MOST_LINES: usize = 40;

/// Bytes that careful lexing may look ahead in vain in all; beyond, it looks no further than the line. Keeps bad files linear.
const PATIENCE_BYTES: usize = 4 << 20;

struct Lexer<'a> {
    text: &'a str,
    careful: bool,
    patience: Cell<usize>,
}

impl<'a> Lexer<'a> {
    /// The text from a byte on.
    fn rest(&self, at: usize) -> &'a str {
        self.text.get(at..).unwrap_or_default()
    }

    /// The byte where the condition first fails, from `at` on.
    fn after_while(&self, at: usize, belongs: impl Fn(char) -> bool) -> usize {
        self.rest(at)
            .find(|c| !belongs(c))
            .map_or(self.text.len(), |n| at + n)
    }

    fn line_end(&self, at: usize) -> usize {
        self.rest(at).find('\n').map_or(self.text.len(), |n| at + n)
    }

    /// How far an end may be looked for.
    fn reach(&self, at: usize) -> &'a str {
        if self.careful && self.patience.get() == 0 {
            self.text.get(at..self.line_end(at)).unwrap_or_default()
        } else {
            self.rest(at)
        }
    }

    /// Notes that so many bytes were looked at in vain.
    fn tire(&self, bytes: usize) {
        self.patience.set(self.patience.get().saturating_sub(bytes));
    }

    /// The token at a byte: its kind and its end.
    fn token(&self, at: usize) -> (TokenKind, usize) {
        use TokenKind as K;
        let rest = self.rest(at);
        let mut chars = rest.chars();
        let Some(first) = chars.next() else {
            return (K::Stray, at + 1);
        };
        let second = chars.next();
        let next = at + first.len_utf8();
        match first {
            c if is_space(c) => (K::Space, self.after_while(at, is_space)),
            '(' => (K::LeftParen, next),
            ')' => (K::RightParen, next),
            '[' => (K::LeftBracket, next),
            ']' => (K::RightBracket, next),
            '{' => (K::LeftBrace, next),
            '}' => (K::RightBrace, next),
            ',' => (K::Comma, next),
            ':' => (K::Colon, next),
            '=' => (K::Equals, next),
            '#' => (K::Hash, next),
            '!' => (K::Bang, next),
            '/' if second == Some('/') => (K::LineComment, self.line_end(at)),
            '/' if second == Some('*') => self.block_comment(at),
            '"' => self.plain_text(at, at),
            '\'' => self.single_quoted(at),
            'b' if matches!(second, Some('"')) => match self.plain_text(at, at + 1) {
                (K::Text, end) => (K::Bytes, end),
                unclosed => unclosed,
            },
            'b' if matches!(second, Some('\'')) => (K::Bytes, self.single_quoted(at + 1).1),
            'b' if rest.starts_with("br\"") || rest.starts_with("br#") => {
                match self.raw_text(at, at + 2) {
                    (K::RawText, end) => (K::Bytes, end),
                    unclosed => unclosed,
                }
            }
            'r' if rest.starts_with("r\"")
                || rest.starts_with("r#\"")
                || rest.starts_with("r##") =>
            {
                self.raw_text(at, at + 1)
            }
            'r' if rest.starts_with("r#") && rest.chars().nth(2).is_some_and(is_raw_ident) => {
                (K::Ident, self.after_while(at + 2, is_raw_ident))
            }
            '0'..='9' => (K::Number, self.number(at)),
            '+' | '-' | '.' => match (second, chars.next()) {
                (Some('0'..='9'), _) | (Some('.'), Some('0'..='9')) => {
                    (K::Number, self.number(next))
                }
                (Some('i' | 'N'), _) if first != '.' => {
                    (K::Number, self.after_while(next, is_ident))
                }
                _ => (K::Stray, next),
            },
            c if is_ident_start(c) => (K::Ident, self.ident(at)),
            c if is_curly(c) => self.curly_text(at, next),
            _ => (K::Stray, next),
        }
    }

    /// A name; one with `-` or `.` inside is taken whole, so that `key-width` is told as one unknown name.
    fn ident(&self, at: usize) -> usize {
        let mut end = self.after_while(at, is_ident);
        while self.rest(end).starts_with(['-', '.'])
            && self.rest(end + 1).starts_with(is_ident_start)
        {
            end = self.after_while(end + 1, is_ident);
        }
        end
    }

    /// A number, from its first digit or point on.
    fn number(&self, at: usize) -> usize {
        let mut end = at;
        let hexadecimal = self.rest(at).starts_with("0x");
        let mut last = ' ';
        for c in self.rest(at).chars() {
            let exponent_sign = matches!(c, '+' | '-') && matches!(last, 'e' | 'E') && !hexadecimal;
            if !(c.is_ascii_alphanumeric() || c == '_' || c == '.' || exponent_sign) {
                break;
            }
            end += c.len_utf8();
            last = c;
        }
        end
    }

    fn block_comment(&self, at: usize) -> (TokenKind, usize) {
        let body = self.reach(at);
        let mut depth = 0_usize;
        let mut bytes = body.as_bytes();
        while let [a, rest @ ..] = bytes {
            match (a, rest.first()) {
                (b'/', Some(b'*')) => depth += 1,
                (b'*', Some(b'/')) => depth -= 1,
                _ => {
                    bytes = rest;
                    continue;
                }
            }
            bytes = rest.get(1..).unwrap_or_default();
            if depth == 0 {
                return (TokenKind::BlockComment, at + body.len() - bytes.len());
            }
        }
        self.tire(body.len());
        (
            TokenKind::OpenComment,
            if self.careful {
                self.line_end(at)
            } else {
                self.text.len()
            },
        )
    }

    /// A text whose opening quote stands at `quote`.
    fn plain_text(&self, at: usize, quote: usize) -> (TokenKind, usize) {
        let body = self.reach(quote + 1);
        let mut escaped = false;
        let close = body.bytes().position(|b| {
            let closes = b == b'"' && !escaped;
            escaped = b == b'\\' && !escaped;
            closes
        });
        let end = close.map(|n| quote + 1 + n + 1);
        match end {
            Some(end) => {
                let spans_lines = || self.text.get(quote..end).is_some_and(|t| t.contains('\n'));
                if !(self.careful && spans_lines() && !ends_well(self.text, end)) {
                    return (TokenKind::Text, end);
                }
                self.tire(end - quote);
            }
            None => self.tire(body.len()),
        }
        if self.careful {
            self.cut_text(at, quote + 1)
        } else {
            (TokenKind::OpenText, self.text.len())
        }
    }

    /// Where a text that was never closed most likely ends: at a closing curly quote, or else with its line, before the comma
    /// and the brackets that close what was opened before it.
    fn cut_text(&self, at: usize, from: usize) -> (TokenKind, usize) {
        let mut end = self.line_end(from);
        // A text of several lines reaches to the line that plainly is none of its own.
        let rest = self.reach(end);
        let mut lines = rest
            .split_inclusive('\n')
            .skip(1)
            .take(MOST_LINES)
            .peekable();
        let ends_here = self.text.get(from..end).is_some_and(|first| {
            next_field(first).is_some()
                || first.trim_end().ends_with([',', ')', ']', '}', '”', '“'])
        });
        if !ends_here
            && rest
                .split_inclusive('\n')
                .skip(1)
                .take(MOST_LINES)
                .any(begins_field)
        {
            end += rest.len().min(1);
            while let Some(line) = lines.next_if(|line| !begins_field(line)) {
                end += line.len();
            }
            end = self.text.get(..end).map_or(end, |t| t.trim_end().len());
        }
        let line = self.text.get(from..end).unwrap_or_default();
        if let Some(comma) = next_field(line) {
            return (TokenKind::OpenText, (from + comma).max(at + 1));
        }
        let is_tail = |c: char| matches!(c, ',' | ')' | ']' | '}') || c.is_whitespace();
        let without_tail = line.trim_end_matches(is_tail);
        if without_tail.ends_with(['”', '“']) {
            return (TokenKind::HalfCurlyText, from + without_tail.len());
        }
        let mut kept = line.trim_end();
        kept = kept.strip_suffix(',').unwrap_or(kept);
        let count = |text: &str, set: [char; 3]| text.matches(set).count();
        while kept.ends_with([')', ']', '}'])
            && count(kept, [')', ']', '}']) > count(kept, ['(', '[', '{'])
        {
            kept = kept.get(..kept.len() - 1).unwrap_or_default();
        }
        (TokenKind::OpenText, (from + kept.len()).max(at + 1))
    }

    /// A raw text whose marks `#` begin at `hashes`.
    fn raw_text(&self, at: usize, hashes: usize) -> (TokenKind, usize) {
        let open = self.after_while(hashes, |c| c == '#');
        if !self.rest(open).starts_with('"') {
            return (TokenKind::Stray, open.max(at + 1));
        }
        let end_mark = format!("\"{}", self.text.get(hashes..open).unwrap_or_default());
        let body = self.reach(open + 1);
        match body.find(&end_mark) {
            Some(n) => {
                let end = open + 1 + n + end_mark.len();
                if self.careful && swallows_fields(self.text, at..end) {
                    return (TokenKind::OpenRawText, self.cut_text(at, open + 1).1);
                }
                (TokenKind::RawText, end)
            }
            None => {
                self.tire(body.len());
                let end = if self.careful {
                    self.cut_text(at, open + 1).1
                } else {
                    self.text.len()
                };
                (TokenKind::OpenRawText, end)
            }
        }
    }

    /// A character, or a text in single quotes.
    fn single_quoted(&self, at: usize) -> (TokenKind, usize) {
        let body = self.rest(at + 1);
        let mut chars = body.char_indices();
        let Some((_, first)) = chars.next() else {
            return (TokenKind::Stray, at + 1);
        };
        if first != '\\' {
            if let Some((n, '\'')) = chars.next() {
                return (TokenKind::Char, at + 1 + n + 1);
            }
        } else {
            chars.next();
        }
        let from = chars.offset();
        let line = body.find('\n').unwrap_or(body.len());
        match body.get(from..line.max(from)).and_then(|t| t.find('\'')) {
            Some(n) if first == '\\' => (TokenKind::Char, at + 1 + from + n + 1),
            Some(n) => (TokenKind::SingleText, at + 1 + from + n + 1),
            None => match body.get(..line).and_then(|t| t.find('\'')) {
                Some(n) => (TokenKind::SingleText, at + 1 + n + 1),
                None => (TokenKind::Stray, at + 1),
            },
        }
    }

    /// A text in curly quotes, on one line; `from` is the byte after the opening one.
    fn curly_text(&self, at: usize, from: usize) -> (TokenKind, usize) {
        let line = self.text.get(from..self.line_end(from)).unwrap_or_default();
        let single = self.rest(at).starts_with(['‘', '’', '‚']);
        let closes = |c: char| {
            if single {
                matches!(c, '’' | '‘')
            } else {
                matches!(c, '”' | '“' | '"' | '»')
            }
        };
        let end = line
            .char_indices()
            .filter(|(_, c)| closes(*c))
            .find_map(|(n, c)| {
                let end = from + n + c.len_utf8();
                ends_well(self.text, end).then_some(end)
            });
        end.map_or((TokenKind::Stray, from), |end| (TokenKind::CurlyText, end))
    }
}

/// Quotes that a word processor makes of straight ones.
fn is_curly(c: char) -> bool {
    matches!(c, '“' | '”' | '„' | '‟' | '‘' | '’' | '‚' | '«' | '»')
}

/// The white space of RON.
fn is_space(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t'
            | '\n'
            | '\r'
            | '\x0B'
            | '\x0C'
            | '\u{85}'
            | '\u{200E}'
            | '\u{200F}'
            | '\u{2028}'
            | '\u{2029}'
    )
}

fn is_ident_start(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

fn is_ident(c: char) -> bool {
    c == '_' || c.is_alphanumeric() || matches!(c, '\u{300}'..='\u{36F}' | '·')
}

fn is_raw_ident(c: char) -> bool {
    is_ident(c) || matches!(c, '.' | '+' | '-')
}
