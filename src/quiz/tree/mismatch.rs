//! What is said where a value is not of the type, or not under the name, that a file type asks for.

use std::ops::Range;

use super::codes;
use super::de::De;
use super::faults::{Cure, ReadMsg, ReadThing, nearest};
use super::nodes::{Node, NodeKind};
use super::number;

impl De<'_, '_> {
    /// Tells that something else was expected here.
    pub fn wrong_type(self, expected: ReadThing) {
        let node = self.node;
        if self.empty.is_some() || node.kind() == NodeKind::Bad {
            return;
        }
        if expected == ReadThing::List && self.is_variant && node.kind() == NodeKind::Tuple {
            return self.lacks_list();
        }
        let cure = match (&expected, node.kind()) {
            (ReadThing::List, NodeKind::Tuple) if node.name().is_none() => {
                let inner = node.source_text();
                let inner = inner.strip_prefix('(').unwrap_or(inner);
                let listed = format!("[{}]", inner.strip_suffix(')').unwrap_or(inner));
                Cure::Fix(ReadMsg::WriteList, node.range(), listed)
            }
            (ReadThing::List, NodeKind::Map) => Cure::Say(ReadMsg::WriteList),
            (ReadThing::List, _) => {
                let listed = format!("[{}]", node.source_text());
                Cure::Fix(ReadMsg::WriteList, node.range(), listed)
            }
            (ReadThing::OneOf { .. } | ReadThing::AName, NodeKind::Text(_)) => match node.text() {
                Some(name) if name.starts_with(char::is_alphabetic) => {
                    Cure::Fix(ReadMsg::Unquote, node.range(), name.into_owned())
                }
                _ => Cure::None,
            },
            (ReadThing::Text, NodeKind::Name | NodeKind::Number) => {
                let quoted = format!("\"{}\"", node.source_text());
                Cure::Fix(ReadMsg::DoubleQuotes, node.range(), quoted)
            }
            (ReadThing::Number | ReadThing::WholeNumber, NodeKind::Text(_)) => match node.text() {
                Some(text) if number::is_number(text.trim()) && !text.trim().is_empty() => {
                    Cure::Fix(ReadMsg::Unquote, node.range(), text.trim().to_owned())
                }
                _ => Cure::None,
            },
            _ => Cure::None,
        };
        let what = ReadMsg::WrongType {
            expected,
            found: found_at(node),
        };
        self.reading
            .tell(codes::WRONG_TYPE, node.range(), &what, cure);
    }

    /// Tells that what is here has no named fields.
    pub fn wrong_fields(self, owner: &str, fields: &'static [&'static str]) {
        let node = self.node;
        let name = owner.to_owned();
        let (what, cure) = match node.kind() {
            NodeKind::Name if node.name() == Some(owner) => (
                ReadMsg::NeedsContent { name: name.clone() },
                ReadMsg::AddContent { name },
            ),
            NodeKind::Tuple if node.name().is_none_or(|n| n == owner) => (
                ReadMsg::Unnamed { name },
                ReadMsg::NameEach {
                    names: fields.join(", "),
                },
            ),
            NodeKind::Bad => return,
            _ => (
                ReadMsg::WrongType {
                    expected: ReadThing::FieldsOf { name: name.clone() },
                    found: found_at(node),
                },
                ReadMsg::WriteFields { name },
            ),
        };
        if self.empty.is_none() {
            self.reading
                .tell(codes::WRONG_TYPE, node.head(), &what, Cure::Say(cure));
        }
    }

    /// Tells a variant whose items are not in a list: `OneOf(Right(…), Wrong(…))`.
    fn lacks_list(self) {
        let node = self.node;
        let name = node.name().unwrap_or_default().to_owned();
        let inside = node.name_range().map_or(node.range().start, |n| n.end) + 1;
        let end = node.range().end.saturating_sub(1).max(inside);
        let source = node.source_text();
        let from = inside - node.range().start;
        let listed = source
            .get(from..source.len().saturating_sub(1))
            .map(|inner| format!("[{inner}]"));
        let cure = match listed {
            Some(listed) => Cure::Fix(
                ReadMsg::PutInList { name: name.clone() },
                inside..end,
                listed,
            ),
            None => Cure::Say(ReadMsg::PutInList { name: name.clone() }),
        };
        let what = ReadMsg::ListInside { name };
        self.reading
            .tell(codes::WRONG_TYPE, node.head(), &what, cure);
    }

    /// Tells a name before the bracket that is not the type's.
    pub fn check_name(self, name: &'static str) {
        let (Some(written), Some(range)) = (self.node.name(), self.node.name_range()) else {
            return;
        };
        // A bare word is told as the wrong thing, not as the wrong name.
        let is_bare = self.node.kind() == NodeKind::Name;
        if self.empty.is_none() && !self.is_variant && !is_bare && written != name {
            let what = ReadMsg::WrongName {
                name: written.to_owned(),
                expected: name.to_owned(),
            };
            let cure = Cure::Fix(
                ReadMsg::DidYouMean {
                    name: name.to_owned(),
                },
                range.clone(),
                name.to_owned(),
            );
            self.reading.tell(codes::WRONG_NAME, range, &what, cure);
        }
    }

    /// Tells a name that is none of the allowed ones; gives the one that was most likely meant.
    pub fn unknown_variant(
        self,
        name: &str,
        range: Range<usize>,
        allowed: &'static [&'static str],
    ) -> Option<&'static str> {
        let what = ReadMsg::UnknownVariant {
            name: name.to_owned(),
        };
        let meant = nearest(name, allowed.iter().copied());
        let cure = match meant {
            Some(meant) => Cure::Fix(
                ReadMsg::DidYouMean {
                    name: meant.to_owned(),
                },
                range.clone(),
                meant.to_owned(),
            ),
            None => Cure::Say(ReadMsg::AllowedNames {
                names: allowed.join(", "),
            }),
        };
        self.reading
            .tell(codes::UNKNOWN_VARIANT, range, &what, cure);
        meant
    }
}

/// What a node is, in words.
pub(super) fn found_at(node: Node<'_>) -> ReadThing {
    match node.kind() {
        NodeKind::Number => ReadThing::Number,
        NodeKind::Text(_) => ReadThing::Text,
        NodeKind::Char => ReadThing::Character,
        NodeKind::Name if matches!(node.source_text(), "true" | "false") => ReadThing::TrueOrFalse,
        NodeKind::Name => ReadThing::Name {
            name: node.source_text().to_owned(),
        },
        NodeKind::List => ReadThing::List,
        NodeKind::Map | NodeKind::Entry => ReadThing::Map,
        NodeKind::Tuple | NodeKind::Struct | NodeKind::Field => match node.name() {
            Some(name) => ReadThing::Name {
                name: format!("{name}(…)"),
            },
            None if node.kind() == NodeKind::Struct => ReadThing::Fields,
            None if node.children().next().is_none() => ReadThing::Nothing,
            None => ReadThing::Values,
        },
        NodeKind::Bad => ReadThing::Unreadable,
    }
}
