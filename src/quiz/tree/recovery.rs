//! How the parser gets past what has no business where it stands, and what it says of it.

use std::ops::Range;

use super::codes;
use super::cursor::Parser;
use super::faults::{Cure, ReadMsg};
use super::lexer::{TokenKind, lex};
use super::nodes::NodeKind;
use super::parser::{Bracket, MOST_NESTED};
use crate::words::diagnostic::Severity;

/// How many tokens are looked at to tell a wrong bracket from a missing one.
const MOST_LOOKED_AHEAD: usize = 4000;

fn closer_text(closer: TokenKind) -> &'static str {
    match closer {
        TokenKind::RightParen => ")",
        TokenKind::RightBracket => "]",
        _ => "}",
    }
}

/// What a closing bracket can be that does not close the bracket opened last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Misfit {
    /// Meant to close it, but of the wrong kind.
    Wrong,
    /// It closes one further out; those within were never closed.
    OthersMissing,
    /// It closes nothing.
    Stray,
}

impl Parser<'_> {
    /// `#![enable(implicit_some)]`, `#![type = "…"]`: allowed where it changes nothing for us.
    pub fn switch(&mut self) {
        let start = self.range().start;
        let mut depth = 0_usize;
        let mut written = Vec::new();
        while let Some(kind) = self.peek() {
            written.push(self.slice(self.range()));
            match kind {
                TokenKind::LeftBracket | TokenKind::LeftParen => depth += 1,
                TokenKind::RightBracket | TokenKind::RightParen => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.bump();
            if depth == 0 && kind.is_closer() {
                break;
            }
        }
        let range = start..self.last_end;
        let written = written.join(" ");
        let inner = written
            .strip_prefix("# ! [ ")
            .and_then(|t| t.strip_suffix(" ]"))
            .unwrap_or_default();
        let harmless = matches!(
            inner,
            "enable ( implicit_some )" | "enable ( implicit_some , )"
        ) || inner.starts_with("type = ")
            || inner.starts_with("schema = ");
        if !harmless {
            let cure = Cure::Fix(ReadMsg::RemoveSwitch, range.clone(), String::new());
            self.faults
                .tell(codes::SWITCH, range, &ReadMsg::UnknownSwitch, cure);
        }
    }

    /// A comma between two digits that was most likely meant as a decimal sign: in a list whose other commas are followed by a
    /// space, or where a field's name should come.
    pub fn tell_decimal_comma(&mut self, severity: Severity, comma: usize) {
        let is_digit = |c: char| c.is_ascii_digit();
        let before = self.slice(..comma);
        let start = before.trim_end_matches(is_digit).len();
        let after = self.text.get(comma + 1..).unwrap_or_default();
        let end = comma + 1 + (after.len() - after.trim_start_matches(is_digit).len());
        let written = self.slice(start..end).to_owned();
        let fixed = written.replace(',', ".");
        let cure = Cure::Fix(
            ReadMsg::DecimalPoint {
                text: fixed.clone(),
            },
            start..end,
            fixed,
        );
        self.faults.tell_as(
            severity,
            codes::DECIMAL_COMMA,
            start..end,
            &ReadMsg::DecimalComma { text: written },
            cure,
        );
    }

    pub fn unclosed(&mut self, opening: &Range<usize>, closer: TokenKind) {
        let end = self.slice(..self.last_end).trim_end_matches(',').len();
        self.unclosed_at(opening, closer, end);
    }

    /// Tells a bracket never closed, and where to close it.
    pub fn unclosed_at(&mut self, opening: &Range<usize>, closer: TokenKind, end: usize) {
        let closer = closer_text(closer);
        let bracket = self.slice(opening.clone()).to_owned();
        let what = ReadMsg::UnclosedBracket { bracket };
        let cure = Cure::Fix(
            ReadMsg::CloseBracket {
                closer: closer.to_owned(),
            },
            end..end,
            closer.to_owned(),
        );
        self.faults
            .tell(codes::UNCLOSED_BRACKET, opening.clone(), &what, cure);
    }

    /// Whether `Name[` or `Name{` comes next: names of what has fields begin with a capital, those of fields do not.
    pub fn has_wrong_bracket(&self) -> bool {
        let range = self.range();
        self.slice(range.clone()).starts_with(char::is_uppercase)
            && self.slice(range.end..).starts_with(['[', '{'])
    }

    /// Whether the item looked at can only belong to a bracket further out: a field within a list of a struct, a struct within
    /// the fields of another that stands in a list.
    pub fn belongs_outside(&self, bracket: Bracket, node: usize) -> bool {
        let outer = self.open.iter().rev().nth(1);
        match bracket {
            Bracket::List => {
                outer == Some(&TokenKind::RightParen)
                    && self.begins_line()
                    && self.peek() == Some(TokenKind::Ident)
                    && self.peek_after() == Some(TokenKind::Colon)
            }
            Bracket::Paren if outer == Some(&TokenKind::RightBrace) => {
                self.is_struct(node)
                    && self.begins_line()
                    && self.peek() == Some(TokenKind::Text)
                    && self.peek_after() == Some(TokenKind::Colon)
            }
            Bracket::Paren => {
                self.is_struct(node)
                    && outer == Some(&TokenKind::RightBracket)
                    && self.begins_line()
                    && self.peek() == Some(TokenKind::Ident)
                    && self.peek_after() == Some(TokenKind::LeftParen)
            }
            Bracket::Map => {
                let has_quoted_keys = self
                    .nodes
                    .get(node + 2)
                    .is_some_and(|key| matches!(key.kind, NodeKind::Text(_)));
                outer == Some(&TokenKind::RightParen)
                    && has_quoted_keys
                    && self.begins_line()
                    && self.peek() == Some(TokenKind::Ident)
                    && self.peek_after() == Some(TokenKind::Colon)
                    && !self.names_a_struct()
            }
        }
    }

    /// Whether `key: Name(` comes next: an entry whose key lacks its quotes.
    fn names_a_struct(&self) -> bool {
        let mut kinds = self
            .tokens
            .iter()
            .skip(self.at)
            .map(|t| t.kind)
            .filter(|k| !k.is_trivia())
            .skip(2);
        kinds.next() == Some(TokenKind::Ident) && kinds.next() == Some(TokenKind::LeftParen)
    }

    /// A list whose `[` is missing, which is told.
    pub fn list_without_opening(&mut self) {
        let start = self.range().start;
        self.tell_missing_opening("[", start);
        let node = self.leaf(NodeKind::List, start..start);
        self.open.push(TokenKind::RightBracket);
        self.items(
            Bracket::List,
            node,
            &(start..start),
            TokenKind::RightBracket,
        );
        self.open.pop();
        self.finish(node);
    }

    /// Tells an opening bracket that is missing at a place.
    pub fn tell_missing_opening(&mut self, bracket: &str, at: usize) {
        let bracket = bracket.to_owned();
        let what = ReadMsg::MissingOpening {
            bracket: bracket.clone(),
        };
        let cure = Cure::Fix(
            ReadMsg::OpenBracket {
                bracket: bracket.clone(),
            },
            at..at,
            bracket,
        );
        self.faults
            .tell(codes::MISSING_OPENING, at..at, &what, cure);
    }

    /// Whether the value looked at is a list that lost its `[`: its `]` comes before another field begins, and read so the brackets hold
    /// together for longer.
    pub fn lacks_list_opening(&self) -> bool {
        let is_field = self.open.last() == Some(&TokenKind::RightParen);
        if !is_field || self.peek() == Some(TokenKind::LeftBracket) {
            return false;
        }
        let mut depth = 0_usize;
        let mut before = None;
        let mut ends = false;
        // A list that begins beside its name ends on that line; one that begins below it may go on.
        let start = self.range().start;
        let end = match self.begins_line() {
            true => self.text.len(),
            false => start + self.slice(start..).find('\n').unwrap_or(self.text.len()),
        };
        let tokens = self.tokens.iter().skip(self.at).take(MOST_LOOKED_AHEAD);
        let near = tokens.take_while(|t| (t.start as usize) < end);
        for kind in near.map(|t| t.kind).filter(|k| !k.is_trivia()) {
            match kind {
                TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace => depth += 1,
                kind if kind.is_closer() && depth == 0 => {
                    ends = kind == TokenKind::RightBracket;
                    break;
                }
                kind if kind.is_closer() => depth -= 1,
                TokenKind::Colon if depth == 0 && before == Some(TokenKind::Ident) => break,
                _ => {}
            }
            before = Some(kind);
        }
        if !ends {
            return false;
        }
        let mut with = self.open.clone();
        with.push(TokenKind::RightBracket);
        self.holds_together(self.at, with) > self.holds_together(self.at, self.open.clone())
    }

    /// Whether the name looked at lost the `(` after it: fields follow, and read so the brackets hold together for longer.
    pub fn lacks_paren(&self) -> bool {
        let mut next = self
            .tokens
            .iter()
            .skip(self.at + 1)
            .map(|t| t.kind)
            .filter(|k| !k.is_trivia());
        let (first, second) = (next.next(), next.next());
        let has_fields = first == Some(TokenKind::Ident) && second == Some(TokenKind::Colon);
        let begins = self.slice(self.range()).starts_with(char::is_uppercase)
            && (has_fields || self.has_wrong_bracket());
        if !begins {
            return false;
        }
        let mut with = self.open.clone();
        with.push(TokenKind::RightParen);
        self.holds_together(self.at + 1, with) > self.holds_together(self.at + 1, self.open.clone())
    }

    /// Whether the value looked at is a text that lost its opening quote: more words follow a bare name on its line.
    pub fn lacks_opening_quote(&self) -> bool {
        let next = self.after();
        let Some(next) = next.filter(|_| self.peek() == Some(TokenKind::Ident)) else {
            return false;
        };
        let range = self.token_range(next);
        let is_beside = !self.slice(self.range().end..range.start).contains('\n');
        let is_value = self.slice(self.range()).starts_with(char::is_uppercase);
        let kind = self.tokens.get(next).map(|t| t.kind);
        let goes_on = match kind {
            Some(TokenKind::Ident) => !is_value,
            Some(TokenKind::OpenText | TokenKind::Text | TokenKind::Stray) => {
                range.start == self.range().end || !is_value
            }
            Some(TokenKind::LeftBrace | TokenKind::Number | TokenKind::RawText) => !is_value,
            _ => false,
        };
        is_beside && goes_on && self.closing_quote().is_some()
    }

    /// The quote that closes a text without an opening one, before any line that plainly belongs to the file.
    fn closing_quote(&self) -> Option<usize> {
        let from = self.range().start;
        let rest = self.slice(from..);
        let quote = rest.find('"')?;
        let swallows = rest
            .get(..quote)?
            .lines()
            .skip(1)
            .any(super::lexer::begins_field);
        (!swallows && super::lexer::ends_well(self.text, from + quote + 1)).then_some(from + quote)
    }

    /// Takes such a text whole, and reads what follows it anew: its closing quote was taken for an opening one.
    pub fn text_without_opening(&mut self) {
        let start = self.range().start;
        let Some(quote) = self.closing_quote() else {
            return self.bad(start..start);
        };
        let is_raw = self.slice(start..).starts_with('r');
        let at = start + usize::from(is_raw);
        let cure = Cure::Fix(ReadMsg::OpenText, at..at, "\"".to_owned());
        self.faults.tell(
            codes::UNCLOSED_TEXT,
            start..quote + 1,
            &ReadMsg::UnopenedText,
            cure,
        );
        self.bad(start..quote + 1);
        self.last_end = quote + 1;
        self.tokens.truncate(self.at);
        let anew = lex(self.slice(quote + 1..), true);
        let offset = u32::try_from(quote + 1).unwrap_or(u32::MAX);
        self.tokens.push(super::lexer::Token {
            kind: TokenKind::Space,
            start: u32::try_from(start).unwrap_or(u32::MAX),
        });
        self.tokens
            .extend(anew.into_iter().map(|t| super::lexer::Token {
                start: t.start.saturating_add(offset),
                ..t
            }));
        self.skip_trivia();
    }

    /// What a closing bracket that does not fit `self.open` most likely is: read so, the brackets after it hold together for longest.
    pub fn misfit(&self) -> Misfit {
        let mut without_last = self.open.clone();
        without_last.pop();
        let wrong = self.holds_together(self.at + 1, without_last);
        let stray = self.holds_together(self.at + 1, self.open.clone());
        let closes = self.open.iter().rposition(|c| Some(*c) == self.peek());
        let missing = closes.map(|outer| {
            let kept = self.open.iter().take(outer + 1).copied().collect();
            self.holds_together(self.at, kept)
        });
        match missing {
            Some(missing) if missing >= wrong.max(stray) => Misfit::OthersMissing,
            _ if wrong > stray => Misfit::Wrong,
            _ => Misfit::Stray,
        }
    }

    /// How many tokens from `at` on keep the brackets in order, where these closers are waited for.
    fn holds_together(&self, at: usize, mut open: Vec<TokenKind>) -> usize {
        let mut steps = 0;
        for token in self.tokens.iter().skip(at).take(MOST_LOOKED_AHEAD) {
            match token.kind {
                TokenKind::LeftParen => open.push(TokenKind::RightParen),
                TokenKind::LeftBracket => open.push(TokenKind::RightBracket),
                TokenKind::LeftBrace => open.push(TokenKind::RightBrace),
                kind if kind.is_closer() && open.pop() != Some(kind) => return steps,
                kind if !kind.is_trivia() && open.is_empty() && !kind.is_closer() => return steps,
                _ => {}
            }
            steps += 1;
        }
        // At the end of the file nothing may be open.
        steps + usize::from(open.is_empty())
    }

    pub fn wrong_closer(&mut self, opening: &Range<usize>, closer: TokenKind) {
        let range = self.range();
        let fits = closer_text(closer).to_owned();
        let what = ReadMsg::WrongClosing {
            bracket: self.slice(opening.clone()).to_owned(),
            text: self.slice(range.clone()).to_owned(),
        };
        let cure = Cure::Fix(
            ReadMsg::CloseBracket {
                closer: fits.clone(),
            },
            range.clone(),
            fits,
        );
        self.faults.tell(codes::WRONG_BRACKET, range, &what, cure);
        self.faults.also(opening.clone(), &ReadMsg::OpenedHere);
        self.bump();
    }

    /// `1/2`, `2 * sqrt(3)`, `5%` without quotes: taken whole, up to the comma or bracket that ends it, and told as one fault.
    pub fn unquoted_expression(&mut self, node: usize, start: usize) {
        let signs = ['/', '*', '^', '+', '-', '−', '·', '×', '%'];
        let is_sign = self.peek() == Some(TokenKind::Stray)
            && self.slice(self.range()).starts_with(signs)
            && !self.slice(self.last_end..self.range().start).contains('\n');
        if !is_sign || self.slice(self.range().start..).starts_with("//") {
            return;
        }
        let mut depth = 0_usize;
        while let Some(kind) = self.peek() {
            let ends = match kind {
                TokenKind::LeftParen => {
                    depth += 1;
                    false
                }
                TokenKind::RightParen if depth > 0 => {
                    depth -= 1;
                    false
                }
                TokenKind::Number | TokenKind::Ident | TokenKind::Stray => false,
                _ => true,
            };
            let gap = self.slice(self.last_end..self.range().start);
            if ends || gap.contains('\n') {
                break;
            }
            self.bump();
        }
        let range = start..self.last_end;
        let text = self.slice(range.clone()).to_owned();
        let share = text
            .strip_suffix('%')
            .and_then(|number| number.trim().parse::<f64>().ok());
        let (what, cure) = match share {
            Some(percent) => {
                // Through its decimal text, so that 7 % is 0.07 and not its neighbour.
                let share = format!("{:.10}", percent / 100.0);
                let share = share.trim_end_matches('0').trim_end_matches('.').to_owned();
                let remedy = ReadMsg::WriteShare {
                    share: share.clone(),
                };
                (
                    ReadMsg::Percent { text },
                    Cure::Fix(remedy, range.clone(), share),
                )
            }
            None => {
                let quoted = format!("\"{text}\"");
                (
                    ReadMsg::UnquotedExpression { text },
                    Cure::Fix(ReadMsg::QuoteExpression, range.clone(), quoted),
                )
            }
        };
        self.faults
            .tell(codes::BAD_NUMBER, range.clone(), &what, cure);
        self.nodes.truncate(node);
        self.bad(range);
    }

    /// Tells the token looked at, which has no business here, and goes past it.
    pub fn stray(&mut self) {
        let range = self.range();
        let shown = self.slice(range.clone()).chars().take(20).collect();
        let (code, what, remedy) = if self.peek().is_some_and(TokenKind::is_closer) {
            (
                codes::STRAY_CLOSER,
                ReadMsg::StrayCloser { text: shown },
                ReadMsg::RemoveCloser,
            )
        } else if self
            .slice(range.clone())
            .contains(['“', '”', '„', '‘', '’'])
        {
            (
                codes::CURLY_QUOTES,
                ReadMsg::CurlyQuotes,
                ReadMsg::StraightQuotes,
            )
        } else {
            (
                codes::STRAY,
                ReadMsg::Stray { text: shown },
                ReadMsg::RemoveStray,
            )
        };
        self.faults.tell(code, range, &what, Cure::Say(remedy));
        self.bump();
    }

    /// Goes past a bracket that nests too deep, and all within, without following it.
    pub fn skip_too_deep(&mut self, opening: Range<usize>) {
        if !self.too_deep {
            let what = ReadMsg::TooDeep { limit: MOST_NESTED };
            self.faults.tell(
                codes::TOO_DEEP,
                opening.clone(),
                &what,
                Cure::Say(ReadMsg::FlattenIt),
            );
        }
        self.too_deep = true;
        let mut depth = 0_usize;
        while let Some(kind) = self.peek() {
            match kind {
                TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace => depth += 1,
                kind if kind.is_closer() => depth -= 1,
                _ => {}
            }
            self.bump();
            if depth == 0 {
                break;
            }
        }
        self.bad(opening.start..self.last_end);
    }
}
