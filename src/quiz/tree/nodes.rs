//! The lossless tree: every node with its bytes, every comment kept, to read from, to highlight, to fold and to patch.
//!
//! Nodes lie in one array in the order of their first bytes, each knowing where its part of the array ends; so a tree of a
//! million nodes is two allocations, and walking it is walking an array. Texts are borrowed from the source.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::lexer::{Token, TokenKind};
use super::text;
use crate::words::diagnostic::Source;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A number literal.
    Number,
    /// A text, in whatever quotes (the kind of its token).
    Text(TokenKind),
    /// A character.
    Char,
    /// A bare name: a variant, `true`, `None`, `inf`.
    Name,
    /// `( … )` or `Name( … )` with values: a tuple, `()`, `Some(x)`.
    Tuple,
    /// `( … )` or `Name( … )` with named fields.
    Struct,
    /// `name: value` in a struct; its one child is the value.
    Field,
    /// `[ … ]`.
    List,
    /// `{ … }`; its children are entries.
    Map,
    /// `key: value` in a map; its two children.
    Entry,
    /// Something that could not be read; it has been told already.
    Bad,
}

/// A node as it lies in the array.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeData {
    pub kind: NodeKind,
    pub start: u32,
    pub end: u32,
    /// The name before the bracket, or of the field; empty where there is none.
    pub name: (u32, u32),
    /// The index after the last descendant.
    pub next: u32,
}

/// A text as a tree. There is always a root, if only a [`NodeKind::Bad`] one.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(super) source: Arc<Source>,
    pub(super) tokens: Vec<Token>,
    pub(super) nodes: Vec<NodeData>,
}

/// One node of a tree.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    tree: &'a Tree,
    index: u32,
}

impl Tree {
    /// The value that the file holds.
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        Node {
            tree: self,
            index: 0,
        }
    }

    /// The text it was made of.
    #[must_use]
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// All tokens in order, spaces and comments included: laid end to end they are the text.
    pub fn tokens(&self) -> impl Iterator<Item = (TokenKind, Range<usize>)> + '_ {
        self.tokens_from(0)
    }

    /// The comments within a range of bytes, in order.
    pub fn comments(&self, within: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
        let first = self
            .tokens
            .partition_point(|t| (t.start as usize) < within.start);
        self.tokens_from(first)
            .take_while(move |(_, range)| range.start < within.end)
            .filter(|(kind, _)| kind.is_trivia() && *kind != TokenKind::Space)
            .map(|(_, range)| range)
    }

    /// The nodes around a byte, from the root to the innermost.
    #[must_use]
    pub fn around(&self, byte: usize) -> Vec<Node<'_>> {
        let mut path = Vec::new();
        let mut next = Some(self.root()).filter(|root| holds(*root, byte));
        while let Some(node) = next {
            path.push(node);
            next = node.children().find(|child| holds(*child, byte));
        }
        path
    }

    fn tokens_from(&self, first: usize) -> impl Iterator<Item = (TokenKind, Range<usize>)> + '_ {
        let tokens = self.tokens.get(first..).unwrap_or_default();
        let ends = tokens
            .iter()
            .skip(1)
            .map(|t| t.start as usize)
            .chain([self.source.text.len()]);
        tokens
            .iter()
            .zip(ends)
            .map(|(token, end)| (token.kind, token.start as usize..end))
    }

    fn data(&self, index: u32) -> NodeData {
        const NOWHERE: NodeData = NodeData {
            kind: NodeKind::Bad,
            start: 0,
            end: 0,
            name: (0, 0),
            next: 0,
        };
        self.nodes.get(index as usize).copied().unwrap_or(NOWHERE)
    }

    fn slice(&self, range: Range<usize>) -> &str {
        self.source.text.get(range).unwrap_or_default()
    }
}

fn holds(node: Node<'_>, byte: usize) -> bool {
    let range = node.range();
    range.start <= byte && byte <= range.end
}

impl<'a> Node<'a> {
    /// Its place in the tree's array: a name for the node as long as the tree lives.
    #[must_use]
    pub fn index(self) -> u32 {
        self.index
    }

    /// What it is.
    #[must_use]
    pub fn kind(self) -> NodeKind {
        self.tree.data(self.index).kind
    }

    /// Its bytes, the name before its bracket included.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        let data = self.tree.data(self.index);
        data.start as usize..data.end as usize
    }

    /// Its source text.
    #[must_use]
    pub fn source_text(self) -> &'a str {
        self.tree.slice(self.range())
    }

    /// The bytes of the name before its bracket, of a field's name, or of a bare name.
    #[must_use]
    pub fn name_range(self) -> Option<Range<usize>> {
        let data = self.tree.data(self.index);
        (data.name.0 < data.name.1).then_some(data.name.0 as usize..data.name.1 as usize)
    }

    /// That name, without a leading `r#`.
    #[must_use]
    pub fn name(self) -> Option<&'a str> {
        let name = self.tree.slice(self.name_range()?);
        Some(name.strip_prefix("r#").unwrap_or(name))
    }

    /// What is blamed when the whole is at fault: its name, or its opening bracket, or itself where it is short.
    #[must_use]
    pub fn head(self) -> Range<usize> {
        let range = self.range();
        match self.kind() {
            NodeKind::Struct | NodeKind::Tuple => self
                .name_range()
                .unwrap_or(range.start..(range.start + 1).min(range.end)),
            _ => range,
        }
    }

    /// Its children in order.
    pub fn children(self) -> impl Iterator<Item = Node<'a>> + 'a {
        let tree = self.tree;
        let end = tree.data(self.index).next;
        let mut at = self.index + 1;
        std::iter::from_fn(move || {
            let node = (at < end).then_some(Node { tree, index: at })?;
            at = tree.data(at).next.max(at + 1);
            Some(node)
        })
    }

    /// The value of a field or of an entry.
    #[must_use]
    pub fn value(self) -> Option<Node<'a>> {
        self.children().last()
    }

    /// The content of a text, escapes resolved; `None` where it is no text.
    #[must_use]
    pub fn text(self) -> Option<Cow<'a, str>> {
        match self.kind() {
            NodeKind::Text(kind) => Some(text::content(kind, self.source_text())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;
    use crate::words::Words;

    #[test]
    fn the_tree_keeps_comments_and_finds_what_is_around_a_byte() {
        let text = "// head\nQuiz(id: \"a\", /* in */ questions: [1, 2])";
        let source = Arc::new(Source {
            name: String::new(),
            path: None,
            text: text.to_owned(),
        });
        let (tree, told) = parse(source, &Words::english());
        assert!(told.is_empty());
        let comments: Vec<&str> = tree
            .comments(0..text.len())
            .map(|range| &text[range])
            .collect();
        assert_eq!(comments, ["// head", "/* in */"]);
        let around: Vec<NodeKind> = tree
            .around(text.find('2').unwrap())
            .iter()
            .map(|n| n.kind())
            .collect();
        assert_eq!(
            around,
            [
                NodeKind::Struct,
                NodeKind::Field,
                NodeKind::List,
                NodeKind::Number
            ]
        );
        let fields: Vec<_> = tree.root().children().filter_map(|f| f.name()).collect();
        assert_eq!(
            (tree.root().name(), fields),
            (Some("Quiz"), vec!["id", "questions"])
        );
    }
}
