//! The parser's hands: the token it looks at, the nodes it makes, and texts, whose quotes and escapes need a closer look.

use std::ops::Range;
use std::slice::SliceIndex;

use super::codes;
use super::faults::{Cure, Faults, ReadMsg};
use super::lexer::{Token, TokenKind};
use super::nodes::{NodeData, NodeKind};
use super::text::{self, Trouble};
use crate::words::diagnostic::Severity;

/// A parse under way.
pub(super) struct Parser<'a> {
    pub text: &'a str,
    pub tokens: Vec<Token>,
    /// The token that is looked at.
    pub at: usize,
    pub nodes: Vec<NodeData>,
    pub faults: Faults<'a>,
    /// The closers that are waited for, outermost first.
    pub open: Vec<TokenKind>,
    /// The end of the last token taken that is no trivia.
    pub last_end: usize,
    pub too_deep: bool,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str, tokens: Vec<Token>, faults: Faults<'a>) -> Self {
        let (nodes, open) = (Vec::with_capacity(tokens.len() / 2), Vec::new());
        let mut parser = Self {
            text,
            tokens,
            at: 0,
            nodes,
            faults,
            open,
            last_end: 0,
            too_deep: false,
        };
        parser.skip_trivia();
        parser
    }

    /// A text, with what is wrong with its quotes and its escapes.
    pub fn text_value(&mut self, kind: TokenKind, range: Range<usize>) {
        self.bump();
        self.leaf(NodeKind::Text(kind), range.clone());
        let token = self.slice(range.clone());
        let inner = text::inner(kind, token);
        let opening = range.start..range.start + token.find(['"', '\'']).unwrap_or(0) + 1;
        match kind {
            TokenKind::OpenText | TokenKind::OpenRawText => {
                let marks: String = token.chars().skip(1).take_while(|c| *c == '#').collect();
                let end = if kind == TokenKind::OpenText {
                    "\"".to_owned()
                } else {
                    format!("\"{marks}")
                };
                let cure = Cure::Fix(ReadMsg::CloseText, range.end..range.end, end);
                self.faults
                    .tell(codes::UNCLOSED_TEXT, opening, &ReadMsg::UnclosedText, cure);
            }
            TokenKind::CurlyText | TokenKind::HalfCurlyText => {
                let cure = Cure::Fix(ReadMsg::StraightQuotes, range.clone(), text::literal(inner));
                self.faults.tell(
                    codes::CURLY_QUOTES,
                    range.clone(),
                    &ReadMsg::CurlyQuotes,
                    cure,
                );
            }
            TokenKind::SingleText => {
                let cure = Cure::Fix(ReadMsg::DoubleQuotes, range.clone(), text::literal(inner));
                self.faults.tell(
                    codes::SINGLE_QUOTES,
                    range.clone(),
                    &ReadMsg::SingleQuotes,
                    cure,
                );
            }
            _ => {}
        }
        if let Some((place, trouble)) = text::trouble(inner).filter(|_| kind == TokenKind::Text) {
            let place = range.start + 1 + place.start..range.start + 1 + place.end;
            let cure = Cure::Fix(ReadMsg::UseRawText, range.clone(), text::as_raw(inner));
            let (severity, code, what) = match trouble {
                Trouble::Unknown(escape) => (
                    Severity::Error,
                    codes::UNKNOWN_ESCAPE,
                    ReadMsg::UnknownEscape { escape },
                ),
                Trouble::Swallowed(command) => (
                    Severity::Warning,
                    codes::SWALLOWED_LATEX,
                    ReadMsg::SwallowedLatex { command },
                ),
            };
            self.faults.tell_as(severity, code, place, &what, cure);
        }
        if matches!(kind, TokenKind::Text | TokenKind::RawText) {
            self.quote_in_text(range);
        }
    }

    /// `"he said "no" twice"`: a word right after a closing quote. Takes the rest of the line's texts as one.
    fn quote_in_text(&mut self, range: Range<usize>) {
        let words = [
            TokenKind::Ident,
            TokenKind::Number,
            TokenKind::Stray,
            TokenKind::Bytes,
            TokenKind::OpenText,
        ];
        let next = self.tokens.get(self.at);
        let touches = next
            .is_some_and(|t| t.start as usize == range.end && words.contains(&t.kind))
            && !self.slice(range.end..).starts_with(';');
        if !touches {
            return;
        }
        let mut end = None;
        let mut at = self.at;
        while let Some(token) = self.tokens.get(at) {
            let token_end = self
                .tokens
                .get(at + 1)
                .map_or(self.text.len(), |t| t.start as usize);
            if self.slice(token.start as usize..token_end).contains('\n') {
                break;
            }
            at += 1;
            if token.kind.is_text() || token.kind == TokenKind::Bytes {
                let mut after = self
                    .tokens
                    .iter()
                    .skip(at)
                    .map(|t| t.kind)
                    .skip_while(|k| *k == TokenKind::Space);
                let ends = after
                    .next()
                    .is_none_or(|k| k == TokenKind::Comma || k.is_closer());
                if ends {
                    end = Some((at, token_end));
                    break;
                }
            }
        }
        let Some((at, end)) = end else { return };
        self.at = at;
        self.last_end = end;
        self.skip_trivia();
        let whole = self.slice(range.start..end);
        let from = whole.find('"').map_or(0, |n| n + 1);
        let inner = whole.get(from..).unwrap_or_default().trim_end_matches('#');
        let fixed = text::raw(inner.strip_suffix('"').unwrap_or(inner));
        let cure = Cure::Fix(ReadMsg::UseRawText, range.start..end, fixed);
        let place = range.end.saturating_sub(1)..range.end;
        self.faults
            .tell(codes::QUOTE_IN_TEXT, place, &ReadMsg::QuoteInText, cure);
        if let Some(node) = self.nodes.last_mut() {
            node.kind = NodeKind::Bad;
            node.end = small(end);
        }
    }

    // --- tokens ---

    /// The kind of the token looked at; `at` never stands on trivia.
    pub fn peek(&self) -> Option<TokenKind> {
        self.tokens.get(self.at).map(|t| t.kind)
    }

    /// The place of the next token after that one which is no trivia.
    pub fn after(&self) -> Option<usize> {
        (self.at + 1..self.tokens.len())
            .find(|i| self.tokens.get(*i).is_some_and(|t| !t.kind.is_trivia()))
    }

    pub fn peek_after(&self) -> Option<TokenKind> {
        self.tokens.get(self.after()?).map(|t| t.kind)
    }

    pub fn token_range(&self, index: usize) -> Range<usize> {
        let start = |i: usize| {
            self.tokens
                .get(i)
                .map_or(self.text.len(), |t| t.start as usize)
        };
        start(index)..start(index + 1)
    }

    /// The bytes of the token looked at.
    pub fn range(&self) -> Range<usize> {
        self.token_range(self.at)
    }

    pub fn slice(&self, range: impl SliceIndex<str, Output = str>) -> &'a str {
        self.text.get(range).unwrap_or_default()
    }

    /// Takes the token looked at.
    pub fn bump(&mut self) {
        self.last_end = self.range().end;
        self.at += 1;
        self.skip_trivia();
    }

    pub fn skip_trivia(&mut self) {
        while let Some(kind) = self.peek().filter(|k| k.is_trivia()) {
            if kind == TokenKind::OpenComment {
                let start = self.range().start;
                let cure = Cure::Say(ReadMsg::CloseComment);
                self.faults.tell(
                    codes::UNCLOSED_COMMENT,
                    start..start + 2,
                    &ReadMsg::UnclosedComment,
                    cure,
                );
            }
            self.at += 1;
        }
    }

    // --- nodes ---

    pub fn leaf(&mut self, kind: NodeKind, range: Range<usize>) -> usize {
        let index = self.nodes.len();
        let (start, end) = (small(range.start), small(range.end));
        self.nodes.push(NodeData {
            kind,
            start,
            end,
            name: (0, 0),
            next: small(index + 1),
        });
        index
    }

    pub fn bad(&mut self, range: Range<usize>) {
        self.leaf(NodeKind::Bad, range);
    }

    pub fn set_name(&mut self, node: usize, name: Range<usize>) {
        if let Some(data) = self.nodes.get_mut(node) {
            data.name = (small(name.start), small(name.end));
        }
    }

    /// Ends a node with the last token taken and the last node made.
    pub fn finish(&mut self, node: usize) {
        let (end, next) = (small(self.last_end), small(self.nodes.len()));
        if let Some(data) = self.nodes.get_mut(node) {
            data.end = end.max(data.end);
            data.next = next;
        }
    }
}

/// An offset or index as the tree keeps it; the door lets in no text that needs more.
fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
