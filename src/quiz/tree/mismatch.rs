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
        let cure = match (&expected, node.kind()) {
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

    /// Tells a name before the bracket that is not the type's.
    pub fn check_name(self, name: &'static str) {
        let (Some(written), Some(range)) = (self.node.name(), self.node.name_range()) else {
            return;
        };
        if self.empty.is_none() && !self.is_variant && written != name {
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
