//! How the parser gets past what has no business where it stands, and what it says of it.

use std::ops::Range;

use super::codes;
use super::cursor::Parser;
use super::faults::{Cure, ReadMsg};
use super::lexer::TokenKind;
use super::parser::MOST_NESTED;
use crate::words::diagnostic::Severity;

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
        let closer = match closer {
            TokenKind::RightParen => ")",
            TokenKind::RightBracket => "]",
            _ => "}",
        };
        let bracket = self.slice(opening.clone()).to_owned();
        let what = ReadMsg::UnclosedBracket { bracket };
        let end = self.slice(..self.last_end).trim_end_matches(',').len();
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
