//! Tokens to a tree, telling every mistake of form and going on: at commas, at closing brackets, and where a field or an item plainly begins.

use std::ops::Range;
use std::sync::Arc;

use super::codes;
use super::cursor::Parser;
use super::faults::{Cure, Faults, ReadMsg};
use super::lexer::{TokenKind, lex, looks_unclosed};
use super::nodes::{NodeData, NodeKind, Tree};
use super::number;
use super::recovery::Misfit;
use super::text;
use crate::words::Words;
use crate::words::diagnostic::{Diagnostic, Severity, Source};

/// How deep brackets may nest. Quizzes need about eight levels; the limit keeps a bad file from exhausting the stack.
pub const MOST_NESTED: usize = 128;
/// How large a file may be, in bytes.
pub const MOST_BYTES: usize = 32 << 20;

/// The tree of a text, and what is wrong with its form. Whatever the text, there is a tree.
#[must_use]
pub fn parse(source: Arc<Source>, words: &Words) -> (Tree, Vec<Diagnostic>) {
    let empty = Tree {
        source: Arc::clone(&source),
        tokens: Vec::new(),
        nodes: vec![bad_node()],
    };
    let mut faults = Faults::new(words, &source);
    if source.text.len() > MOST_BYTES {
        let megabytes = source.text.len().div_ceil(1 << 20);
        let what = ReadMsg::TooLarge {
            megabytes,
            limit: MOST_BYTES >> 20,
        };
        faults.tell(codes::TOO_LARGE, 0..0, &what, Cure::Say(ReadMsg::SplitFile));
        return (empty, faults.into_told());
    }
    let tokens = lex(&source.text, false);
    let unclosed = looks_unclosed(&source.text, &tokens);
    let mut parser = Parser::new(&source.text, tokens, faults);
    parser.file();
    if unclosed && parser.faults.last().is_some() {
        let faults = Faults::new(words, &source);
        parser = Parser::new(&source.text, lex(&source.text, true), faults);
        parser.file();
    }
    let Parser {
        tokens,
        nodes,
        faults,
        ..
    } = parser;
    let told = faults.into_told();
    (
        Tree {
            source,
            tokens,
            nodes,
        },
        told,
    )
}

fn bad_node() -> NodeData {
    NodeData {
        kind: NodeKind::Bad,
        start: 0,
        end: 0,
        name: (0, 0),
        next: 1,
    }
}

/// What a bracket holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bracket {
    Paren,
    List,
    Map,
}

impl Parser<'_> {
    /// The whole file.
    fn file(&mut self) {
        while self.peek() == Some(TokenKind::Hash) {
            self.switch();
        }
        while self.peek().is_some_and(|k| !k.starts_value()) {
            self.stray();
        }
        if self.peek().is_none() {
            self.nodes.push(bad_node());
            if self.faults.last().is_none() {
                self.faults.tell(
                    codes::EMPTY,
                    0..0,
                    &ReadMsg::Empty,
                    Cure::Say(ReadMsg::BeginWithExample),
                );
            }
            return;
        }
        self.value();
        if let Some(kind) = self.peek() {
            if kind.is_closer() && self.peek_after().is_none() {
                self.stray();
            } else {
                let cure = Cure::Say(ReadMsg::RemoveRest);
                self.faults.tell(
                    codes::AFTER_THE_END,
                    self.range(),
                    &ReadMsg::AfterTheEnd,
                    cure,
                );
            }
        }
    }

    /// A value; the token looked at begins one.
    fn value(&mut self) {
        let Some(kind) = self.peek() else {
            return self.bad(self.last_end..self.last_end);
        };
        let range = self.range();
        match kind {
            TokenKind::Ident => {
                let name = range.clone();
                if self.lacks_paren() {
                    self.bump();
                    self.tell_missing_opening("(", name.end);
                    let node = self.leaf(NodeKind::Tuple, name.clone());
                    self.set_name(node, name.clone());
                    self.open.push(TokenKind::RightParen);
                    self.items(
                        Bracket::Paren,
                        node,
                        &(name.end..name.end),
                        TokenKind::RightParen,
                    );
                    self.open.pop();
                    self.finish(node);
                } else if self.peek_after() == Some(TokenKind::LeftParen)
                    || self.has_wrong_bracket()
                {
                    self.bump();
                    let node = self.nodes.len();
                    self.bracket(Bracket::Paren, name.clone());
                    self.unquoted_expression(node, name.start);
                } else {
                    self.bump();
                    let node = self.leaf(NodeKind::Name, range);
                    self.set_name(node, name);
                }
            }
            TokenKind::LeftParen => self.bracket(Bracket::Paren, range.start..range.start),
            TokenKind::LeftBracket => self.bracket(Bracket::List, range.start..range.start),
            TokenKind::LeftBrace => self.bracket(Bracket::Map, range.start..range.start),
            TokenKind::Number => {
                self.bump();
                if number::is_number(self.slice(range.clone())) {
                    let node = self.leaf(NodeKind::Number, range.clone());
                    self.unquoted_expression(node, range.start);
                } else {
                    let what = ReadMsg::BadNumber {
                        text: self.slice(range.clone()).to_owned(),
                    };
                    self.faults.tell(
                        codes::BAD_NUMBER,
                        range.clone(),
                        &what,
                        Cure::Say(ReadMsg::WriteNumber),
                    );
                    self.bad(range);
                }
            }
            TokenKind::Char => {
                self.bump();
                let inner = text::inner(TokenKind::SingleText, self.slice(range.clone()));
                if text::character(inner).is_none() {
                    let what = ReadMsg::UnknownEscape {
                        escape: inner.to_owned(),
                    };
                    self.faults
                        .tell(codes::UNKNOWN_ESCAPE, range.clone(), &what, Cure::None);
                }
                self.leaf(NodeKind::Char, range);
            }
            TokenKind::Bytes => {
                self.bump();
                let cure = Cure::Say(ReadMsg::WriteText);
                self.faults
                    .tell(codes::BYTES, range.clone(), &ReadMsg::BytesLiteral, cure);
                self.bad(range);
            }
            kind if kind.is_text() => self.text_value(kind, range),
            _ => self.bad(range.start..range.start),
        }
    }

    /// A bracket and what it holds; the token looked at opens it.
    fn bracket(&mut self, bracket: Bracket, name: Range<usize>) {
        let opening = self.range();
        let kind = match bracket {
            Bracket::Paren => NodeKind::Tuple,
            Bracket::List => NodeKind::List,
            Bracket::Map => NodeKind::Map,
        };
        // What is written closes it, even where it is the wrong one.
        let closer = match self.peek() {
            Some(TokenKind::LeftBracket) => TokenKind::RightBracket,
            Some(TokenKind::LeftBrace) => TokenKind::RightBrace,
            _ => TokenKind::RightParen,
        };
        if bracket == Bracket::Paren && closer != TokenKind::RightParen {
            let what = ReadMsg::WrongOpening {
                name: self.slice(name.clone()).to_owned(),
            };
            let cure = Cure::Say(ReadMsg::AddContent {
                name: self.slice(name.clone()).to_owned(),
            });
            self.faults
                .tell(codes::WRONG_BRACKET, opening.clone(), &what, cure);
        }
        if self.open.len() >= MOST_NESTED {
            return self.skip_too_deep(opening);
        }
        self.bump();
        let node = self.leaf(kind, name.start..opening.end);
        self.set_name(node, name);
        self.open.push(closer);
        self.items(bracket, node, &opening, closer);
        self.open.pop();
        self.finish(node);
    }

    /// The items of a bracket up to its closer.
    pub fn items(
        &mut self,
        bracket: Bracket,
        node: usize,
        opening: &Range<usize>,
        closer: TokenKind,
    ) {
        let mut commas = Commas::default();
        loop {
            match self.peek() {
                Some(kind) if kind == closer => {
                    self.bump();
                    break;
                }
                None => {
                    if !self.too_deep {
                        self.unclosed(opening, closer);
                    }
                    break;
                }
                Some(kind) if kind.is_closer() => match self.misfit() {
                    Misfit::Wrong => {
                        self.wrong_closer(opening, closer);
                        break;
                    }
                    Misfit::OthersMissing => {
                        self.unclosed(opening, closer);
                        break;
                    }
                    Misfit::Stray => {
                        self.stray();
                        continue;
                    }
                },
                // A comma at the beginning of a line has lost the bracket before it.
                Some(TokenKind::Comma) if self.begins_line() && self.open.len() > 1 => {
                    let at = self.range().start;
                    self.unclosed_at(opening, closer, at);
                    break;
                }
                Some(TokenKind::Comma) => {
                    let range = self.range();
                    let cure = Cure::Fix(ReadMsg::RemoveComma, range.clone(), String::new());
                    self.faults
                        .tell(codes::EXTRA_COMMA, range, &ReadMsg::ExtraComma, cure);
                    self.bump();
                    continue;
                }
                Some(kind) if !kind.starts_value() => {
                    self.stray();
                    continue;
                }
                Some(_) => {}
            }
            if self.belongs_outside(bracket, node) {
                self.unclosed(opening, closer);
                break;
            }
            self.item(bracket, node, &commas);
            self.after_item(bracket, node, &mut commas, closer);
        }
        if commas.loose && bracket != Bracket::Map && !self.is_struct(node) {
            for comma in commas.tight {
                self.tell_decimal_comma(Severity::Warning, comma);
            }
        }
    }

    fn item(&mut self, bracket: Bracket, node: usize, commas: &Commas) {
        match bracket {
            Bracket::List => self.value(),
            Bracket::Map => self.entry(),
            Bracket::Paren if self.begins_field() => {
                if !self.is_struct(node) {
                    self.become_struct(node);
                }
                self.field();
            }
            Bracket::Paren if self.is_struct(node) => {
                let range = self.range();
                let decimal = commas.last_tight.filter(|c| c + 1 == range.start);
                self.value();
                match decimal {
                    Some(comma) => self.tell_decimal_comma(Severity::Error, comma),
                    None => {
                        let range = range.start..self.last_end;
                        let cure = Cure::Say(ReadMsg::NameIt);
                        self.faults
                            .tell(codes::NAMELESS, range, &ReadMsg::Nameless, cure);
                    }
                }
            }
            Bracket::Paren => self.value(),
        }
    }

    /// Makes a struct of a bracket at its first field; a value before that has no name.
    fn become_struct(&mut self, node: usize) {
        let before = self
            .nodes
            .get(node + 1)
            .map(|first| first.start as usize..first.end as usize);
        if let Some(data) = self.nodes.get_mut(node) {
            data.kind = NodeKind::Struct;
        }
        if let Some(range) = before {
            self.faults.tell(
                codes::NAMELESS,
                range,
                &ReadMsg::Nameless,
                Cure::Say(ReadMsg::NameIt),
            );
        }
    }

    pub fn is_struct(&self, node: usize) -> bool {
        self.nodes
            .get(node)
            .is_some_and(|n| n.kind == NodeKind::Struct)
    }

    /// After an item: its comma, or what stands in its place.
    fn after_item(
        &mut self,
        bracket: Bracket,
        node: usize,
        commas: &mut Commas,
        closer: TokenKind,
    ) {
        let end = self.last_end;
        commas.last_tight = None;
        match self.peek() {
            Some(TokenKind::Comma) => {
                let comma = self.range();
                self.bump();
                let after = self.text.get(comma.end..).unwrap_or_default();
                let digit_before = self
                    .slice(..comma.start)
                    .ends_with(|c: char| c.is_ascii_digit());
                if comma.start == end
                    && digit_before
                    && after.starts_with(|c: char| c.is_ascii_digit())
                {
                    commas.last_tight = Some(comma.start);
                    commas.tight.push(comma.start);
                } else if after.starts_with(' ') {
                    commas.loose = true;
                }
            }
            Some(TokenKind::Colon | TokenKind::Equals) if bracket != Bracket::Map => {
                let range = self.range();
                self.bump();
                let cure = Cure::Say(ReadMsg::UseMap);
                self.faults
                    .tell(codes::COLON_IN_LIST, range, &ReadMsg::ColonInList, cure);
                if self.peek().is_some_and(TokenKind::starts_value) {
                    self.value();
                }
                if self.peek() == Some(TokenKind::Comma) {
                    self.bump();
                }
            }
            Some(kind) if kind == closer || kind.is_closer() => {}
            // An item that was never closed has taken the comma for its own.
            Some(_) if self.slice(..end).ends_with(',') => {}
            // Whatever is missing here, it is not a comma of this bracket.
            Some(_) if self.belongs_outside(bracket, node) => {}
            // The bracket that was never closed and the comma behind it are one slip.
            Some(kind) if kind.starts_value() && self.faults.ends_with_edit_at(end) => {
                self.faults.extend_edit(",");
            }
            Some(_) if self.slice(self.range()) == ";" => {
                let range = self.range();
                self.bump();
                let cure = Cure::Fix(ReadMsg::AddComma, range.clone(), ",".to_owned());
                self.faults
                    .tell(codes::MISSING_COMMA, range, &ReadMsg::Semicolon, cure);
            }
            Some(kind) if kind.starts_value() => {
                let cure = Cure::Fix(ReadMsg::AddComma, end..end, ",".to_owned());
                self.faults
                    .tell(codes::MISSING_COMMA, end..end, &ReadMsg::MissingComma, cure);
            }
            Some(_) => {
                self.stray();
                if self.peek() == Some(TokenKind::Comma) {
                    self.bump();
                }
            }
            None => {}
        }
    }

    pub fn begins_line(&self) -> bool {
        let before = self.slice(..self.range().start);
        before.trim_end_matches([' ', '\t']).ends_with('\n')
    }

    /// Whether `name:` (or `"name":`, or `name =`) comes next.
    fn begins_field(&self) -> bool {
        let after = self.peek_after();
        match self.peek() {
            Some(TokenKind::Ident) => {
                matches!(after, Some(TokenKind::Colon | TokenKind::Equals))
                    || self.lacks_colon(after)
            }
            Some(TokenKind::Text) => after == Some(TokenKind::Colon),
            _ => false,
        }
    }

    /// `id "operation"`: a name and a value on one line with nothing between.
    fn lacks_colon(&self, after: Option<TokenKind>) -> bool {
        let is_value = after.is_some_and(|k| {
            k.is_text()
                || matches!(
                    k,
                    TokenKind::Number | TokenKind::LeftBracket | TokenKind::LeftBrace
                )
        });
        let gap = self.range().end..self.after().map_or(0, |i| self.token_range(i).start);
        let is_variant = after == Some(TokenKind::Ident)
            && self.slice(self.range()).starts_with(char::is_lowercase)
            && self.slice(gap.end..).starts_with(char::is_uppercase);
        (is_value || is_variant) && !gap.is_empty() && !self.slice(gap).contains('\n')
    }

    fn field(&mut self) {
        let quoted = self.peek().is_some_and(TokenKind::is_text);
        let written = self.range();
        let node = self.leaf(NodeKind::Field, written.clone());
        let name = if quoted {
            written.start + 1..written.end.saturating_sub(1)
        } else {
            written.clone()
        };
        self.bump();
        let shown = self.slice(name.clone()).to_owned();
        if quoted {
            let cure = Cure::Fix(ReadMsg::Unquote, written.clone(), shown.clone());
            self.faults.tell(
                codes::QUOTED_NAME,
                written,
                &ReadMsg::QuotedName {
                    name: shown.clone(),
                },
                cure,
            );
        }
        self.set_name(node, name);
        self.colon(&shown);
        let missing = !self.peek().is_some_and(TokenKind::starts_value)
            || self.begins_line() && self.begins_field();
        if missing {
            let place = self.last_end..self.last_end;
            let cure = Cure::Say(ReadMsg::WriteValue);
            self.faults.tell(
                codes::MISSING_VALUE,
                place.clone(),
                &ReadMsg::MissingValue { name: shown },
                cure,
            );
            self.bad(place);
        } else if self.lacks_list_opening() {
            self.list_without_opening();
        } else if self.lacks_opening_quote() {
            self.text_without_opening();
        } else {
            self.value();
        }
        self.finish(node);
    }

    fn entry(&mut self) {
        let start = self.range().start;
        let node = self.leaf(NodeKind::Entry, start..start);
        self.value();
        let key = self.slice(start..self.last_end).to_owned();
        let has_more = |kind: TokenKind| {
            kind.starts_value() || matches!(kind, TokenKind::Colon | TokenKind::Equals)
        };
        if self.peek().is_some_and(has_more) {
            self.colon(&key);
        }
        if self.peek().is_some_and(TokenKind::starts_value) {
            self.value();
        } else {
            let place = self.last_end..self.last_end;
            let cure = Cure::Say(ReadMsg::WriteValue);
            self.faults.tell(
                codes::MISSING_VALUE,
                place.clone(),
                &ReadMsg::MissingValue { name: key },
                cure,
            );
            self.bad(place);
        }
        self.finish(node);
    }

    /// The colon between a name and its value, or what stands in its place.
    fn colon(&mut self, name: &str) {
        match self.peek() {
            Some(TokenKind::Colon) => self.bump(),
            Some(TokenKind::Equals) => {
                let range = self.range();
                self.bump();
                let cure = Cure::Fix(ReadMsg::AddColon, range.clone(), ":".to_owned());
                self.faults
                    .tell(codes::MISSING_COLON, range, &ReadMsg::EqualsForColon, cure);
            }
            _ => {
                let end = self.last_end;
                let cure = Cure::Fix(ReadMsg::AddColon, end..end, ":".to_owned());
                let what = ReadMsg::MissingColon {
                    name: name.to_owned(),
                };
                self.faults
                    .tell(codes::MISSING_COLON, end..end, &what, cure);
            }
        }
    }
}

/// The commas of one bracket.
#[derive(Default)]
struct Commas {
    /// Those directly between two digits.
    tight: Vec<usize>,
    /// Whether one is followed by a space.
    loose: bool,
    /// The comma just taken, if it stands directly between two digits.
    last_tight: Option<usize>,
}
