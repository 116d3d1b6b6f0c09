//! A `serde::Deserializer` over the tree that tells every fault in one pass, so that file types stay plain derived types.
//!
//! serde's derived code stops at the first error of a struct. So a fault is told and then *papered over*: a value of the wrong
//! type is handed on as an empty one of the right type, and reading goes on with its neighbours. What was read so is marked
//! and thrown away at the nearest [`Items`](super::Items), [`Entries`](super::Entries) or [`Lenient`](super::Lenient), or at the root.
//! What only serde knows (a missing field, a value that a type of its own refuses) ends the reading of that item; it is noted and
//! the item is read once more, papered over there too. Each reading notes something new, so it ends; a good file is read once.
//!
//! Roads not taken: wrapping each field in `Field<T>`, which every author of a file type would pay for; checking against a schema
//! first, which would say everything twice.

use std::borrow::Cow;

use serde::de::{self, Visitor};
use serde::forward_to_deserialize_any;

use super::access::{FieldAccess, ListAccess, MapAccess, VariantAccess};
use super::codes;
use super::faults::{Cure, ReadMsg, ReadThing};
use super::mismatch::found_at;
use super::nodes::{Node, NodeKind};
use super::number;
use super::placed::{ENTRIES, ITEMS, LENIENT, OR_MINUS_INFINITY, SPANNED};
use super::reading::{Reading, Stop};
use super::text;

/// How deep empty values are made up within each other: types that hold themselves need an end.
const MOST_MADE_UP: u8 = 32;

/// The deserializer of one node.
#[derive(Clone, Copy)]
pub(super) struct De<'r, 'a> {
    pub reading: &'r Reading<'a>,
    pub node: Node<'r>,
    /// Papers over: whatever is asked for is handed on empty; the number says which kind of empty where any is asked for.
    pub empty: Option<u8>,
    /// How deep within made up values.
    depth: u8,
    /// Whether the name before the bracket is a variant's, so that a struct must not take it for its own.
    pub is_variant: bool,
}

impl<'r, 'a> De<'r, 'a> {
    pub fn new(reading: &'r Reading<'a>, node: Node<'r>) -> Self {
        Self {
            reading,
            node,
            empty: reading.retell(node),
            depth: 0,
            is_variant: false,
        }
    }

    /// An empty value in this one's place.
    pub fn emptied(self) -> Self {
        Self {
            empty: Some(self.empty.unwrap_or(0)),
            ..self
        }
    }

    /// An empty value within an empty one.
    pub fn within(self) -> Self {
        Self {
            depth: self.depth.saturating_add(1),
            ..self.emptied()
        }
    }

    /// The content of a variant, whose name is dealt with.
    pub fn named_by_variant(self) -> Self {
        Self {
            is_variant: true,
            ..self
        }
    }

    /// How deep within made up values this one is.
    pub fn depth_within(self) -> usize {
        usize::from(self.depth)
    }

    /// Notes that what is read here is a guess.
    pub fn guessed(self) {
        self.reading.guess();
    }

    /// Counts an empty value; an error where too many are made up within each other.
    fn invent(self) -> Result<(), Stop> {
        if self.depth > MOST_MADE_UP {
            Err(Stop::Told)
        } else {
            self.reading.invent()
        }
    }

    /// What serde's code gave back, told at this node where it is not told yet.
    pub fn placed<T>(self, result: Result<T, Stop>) -> Result<T, Stop> {
        result.map_err(|stop| {
            let Stop::Refused(code, mut what) = stop else {
                return stop;
            };
            // serde knows a bare name only as "unit"; the node knows better.
            if let ReadMsg::WrongType { found, .. } = &mut *what {
                *found = found_at(self.node);
            }
            self.reading
                .refuse(self.node, self.empty.is_some(), code, &what, self.quoted());
            Stop::Told
        })
    }

    /// The remedy for `sqrt(2)` and the like, where a number is wanted: an expression stands in quotes.
    fn quoted(self) -> Cure {
        let node = self.node;
        let is_call = node.kind() == NodeKind::Tuple
            && node
                .name()
                .is_some_and(|n| n.starts_with(char::is_lowercase));
        if is_call {
            let quoted = format!("\"{}\"", node.source_text());
            Cure::Fix(ReadMsg::QuoteExpression, node.range(), quoted)
        } else {
            Cure::None
        }
    }

    /// The value found, or an empty one where there is none or it is of the wrong type, which is told.
    fn or_empty<T: Default>(self, value: Option<T>, expected: ReadThing) -> Result<T, Stop> {
        match value {
            Some(value) if self.empty.is_none() => Ok(value),
            _ => {
                self.wrong_type(expected);
                self.invent()?;
                Ok(T::default())
            }
        }
    }

    /// A whole number of the type asked for.
    fn whole<N: TryFrom<i128> + Default>(self) -> Result<N, Stop> {
        let literal = self.node.source_text();
        if self.empty.is_some() || self.node.kind() != NodeKind::Number {
            return self.or_empty(None, ReadThing::WholeNumber);
        }
        let value = number::integer(literal);
        if let Some(value) = value.and_then(|v| N::try_from(v).ok()) {
            return Ok(value);
        }
        let text = literal.to_owned();
        let is_whole = value.is_some() || literal.bytes().all(|b| b.is_ascii_digit());
        let (code, what) = if is_whole {
            (codes::OUT_OF_RANGE, ReadMsg::OutOfRange { text })
        } else {
            (codes::WRONG_TYPE, ReadMsg::NotWhole { text })
        };
        self.reading.tell(
            code,
            self.node.range(),
            &what,
            Cure::Say(ReadMsg::WriteWhole),
        );
        self.emptied().or_empty(None, ReadThing::WholeNumber)
    }

    /// A number; one that is infinite or none is told.
    fn real(self) -> Result<f64, Stop> {
        let literal = self.node.source_text();
        let value = match self.node.kind() {
            NodeKind::Number => {
                number::float(literal).or_else(|| number::integer(literal).map(|n| n as f64))
            }
            NodeKind::Name if matches!(literal.get(..3), Some("inf" | "NaN")) => {
                number::float(literal)
            }
            _ => None,
        };
        match value {
            Some(value) if self.empty.is_none() && !value.is_finite() => {
                let what = ReadMsg::NotFinite {
                    text: literal.to_owned(),
                };
                self.reading.tell(
                    codes::NOT_FINITE,
                    self.node.range(),
                    &what,
                    Cure::Say(ReadMsg::WriteFinite),
                );
                self.emptied().or_empty(None, ReadThing::Number)
            }
            value => self.or_empty(value, ReadThing::Number),
        }
    }

    /// Whether this is a bare name of these letters.
    fn is_name(self, name: &str) -> bool {
        self.empty.is_none()
            && self.node.kind() == NodeKind::Name
            && self.node.source_text() == name
    }

    /// Whether no name stands before the bracket, but for a variant's.
    fn has_no_name(self) -> bool {
        self.is_variant || self.node.name().is_none()
    }

    /// The one value within parentheses.
    pub fn only_child(self) -> Option<De<'r, 'a>> {
        let mut children = self.node.children();
        let child = children
            .next()
            .filter(|_| self.node.kind() == NodeKind::Tuple && children.next().is_none())?;
        Some(De::new(self.reading, child))
    }

    /// Reads the named fields of this node into `visitor`; `owner` is the struct or variant that has them.
    pub fn fields<V: Visitor<'r>>(
        self,
        owner: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        let node = self.node;
        let is_empty_bracket = node.kind() == NodeKind::Tuple && node.children().next().is_none();
        let mut this = self;
        // People know a choice as `Right(…)`, whatever its fields are called in here.
        let shown = node.name().filter(|_| self.is_variant).unwrap_or(owner);
        if self.empty.is_none() && node.kind() != NodeKind::Struct && !is_empty_bracket {
            self.wrong_fields(shown, fields);
            this = self.emptied();
        }
        if this.empty.is_some() {
            this.invent()?;
        }
        let of = |field: &'static str| (owner, fields.as_ptr().addr(), field);
        let is_required = |field: &'static str| self.reading.is_required(of(field));
        match visitor.visit_map(FieldAccess::new(this, shown, fields, is_required)) {
            Err(Stop::Missing(field)) => {
                self.reading.require(of(field));
                Err(Stop::Told)
            }
            result => this.placed(result),
        }
    }

    /// Reads the values within parentheses.
    pub fn values<V: Visitor<'r>>(self, count: usize, visitor: V) -> Result<V::Value, Stop> {
        let node = self.node;
        let found = node.children().count();
        let mut this = self;
        if self.empty.is_none() {
            if node.kind() != NodeKind::Tuple {
                self.wrong_type(ReadThing::Tuple { count });
                this = self.emptied();
            } else if found != count {
                let what = ReadMsg::WrongLength {
                    expected: count,
                    found,
                };
                self.reading
                    .tell(codes::WRONG_LENGTH, node.head(), &what, Cure::None);
                this = self.emptied();
            }
        }
        if this.empty.is_some() {
            this.invent()?;
        }
        this.placed(visitor.visit_seq(ListAccess::new(this, count)))
    }
}

/// Makes the methods that read a number.
macro_rules! numbers {
    ($($method:ident $visit:ident $read:ident;)*) => {
        $(fn $method<V: Visitor<'r>>(self, visitor: V) -> Result<V::Value, Stop> {
            let value = self.$read()?;
            #[allow(clippy::cast_possible_truncation, reason = "f32 is asked for")]
            self.placed(visitor.$visit(value as _))
        })*
    };
}

/// Makes the methods that read a whole number.
macro_rules! whole_numbers {
    ($($method:ident $visit:ident;)*) => {
        $(fn $method<V: Visitor<'r>>(self, visitor: V) -> Result<V::Value, Stop> {
            let value = self.whole()?;
            self.placed(visitor.$visit(value))
        })*
    };
}

impl<'r> de::Deserializer<'r> for De<'r, '_> {
    type Error = Stop;

    numbers! {
        deserialize_f32 visit_f32 real;
        deserialize_f64 visit_f64 real;
    }

    whole_numbers! {
        deserialize_i8 visit_i8;
        deserialize_i16 visit_i16;
        deserialize_i32 visit_i32;
        deserialize_i64 visit_i64;
        deserialize_i128 visit_i128;
        deserialize_u8 visit_u8;
        deserialize_u16 visit_u16;
        deserialize_u32 visit_u32;
        deserialize_u64 visit_u64;
        deserialize_u128 visit_u128;
    }

    fn deserialize_any<V: Visitor<'r>>(self, visitor: V) -> Result<V::Value, Stop> {
        let node = self.node;
        match self.empty {
            Some(0 | 1) => {
                self.invent()?;
                return self.placed(visitor.visit_u64(0));
            }
            Some(_) => {
                self.invent()?;
                return self.placed(visitor.visit_borrowed_str(""));
            }
            None => {}
        }
        match node.kind() {
            NodeKind::Number => match number::integer(node.source_text()) {
                Some(n) if u64::try_from(n).is_ok() => self.deserialize_u64(visitor),
                Some(n) if i64::try_from(n).is_ok() => self.deserialize_i64(visitor),
                _ => self.deserialize_f64(visitor),
            },
            NodeKind::Text(_) => self.deserialize_str(visitor),
            NodeKind::Char => self.deserialize_char(visitor),
            NodeKind::Name => match node.source_text() {
                "true" | "false" => self.deserialize_bool(visitor),
                "None" => self.deserialize_option(visitor),
                name if matches!(name.get(..3), Some("inf" | "NaN"))
                    && number::float(name).is_some() =>
                {
                    self.deserialize_f64(visitor)
                }
                _ => self.placed(visitor.visit_unit()),
            },
            NodeKind::Tuple if node.name() == Some("Some") => self.deserialize_option(visitor),
            NodeKind::Tuple => match node.children().count() {
                0 if node.name().is_none() => self.placed(visitor.visit_unit()),
                count => self.values(count, visitor),
            },
            NodeKind::Struct => self.placed(visitor.visit_map(FieldAccess::free(self))),
            NodeKind::List => self.deserialize_seq(visitor),
            NodeKind::Map => self.deserialize_map(visitor),
            NodeKind::Field | NodeKind::Entry | NodeKind::Bad => {
                self.invent()?;
                self.placed(visitor.visit_u64(0))
            }
        }
    }

    fn deserialize_bool<V: Visitor<'r>>(self, visitor: V) -> Result<V::Value, Stop> {
        let value = if self.is_name("true") {
            Some(true)
        } else {
            self.is_name("false").then_some(false)
        };
        let value = self.or_empty(value, ReadThing::TrueOrFalse)?;
        self.placed(visitor.visit_bool(value))
    }

    fn deserialize_char<V: Visitor<'r>>(self, visitor: V) -> Result<V::Value, Stop> {
        let inner = self
            .node
            .source_text()
            .strip_prefix('\'')
            .and_then(|t| t.strip_suffix('\''));
        let value = inner
            .filter(|_| self.node.kind() == NodeKind::Char)
            .and_then(text::character);
        let value = self.or_empty(value, ReadThing::Character)?;
        self.placed(visitor.visit_char(value))
    }

    fn deserialize_str<V: Visitor<'r>>(self, visitor: V) -> Result<V::Value, Stop> {
        let text = self.or_empty(self.node.text(), ReadThing::Text)?;
        self.placed(match text {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        })
    }

    fn deserialize_string<V: Visitor<'r>>(self, visitor: V) -> Result<V::Value, Stop> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'r>>(self, visitor: V) -> Result<V::Value, Stop> {
        if self.empty.is_some() {
            self.invent()?;
            return visitor.visit_none();
        }
        if self.is_name("None") {
            return self.placed(visitor.visit_none());
        }
        match self
            .only_child()
            .filter(|_| self.node.name() == Some("Some"))
        {
            Some(child) => visitor.visit_some(child),
            None => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'r>>(self, visitor: V) -> Result<V::Value, Stop> {
        let is_tuple = self.node.kind() == NodeKind::Tuple && self.has_no_name();
        let is_unit = is_tuple && self.node.children().next().is_none();
        self.or_empty(is_unit.then_some(()), ReadThing::Nothing)?;
        self.placed(visitor.visit_unit())
    }

    fn deserialize_unit_struct<V: Visitor<'r>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Stop> {
        self.check_name(name);
        if self.empty.is_none() && self.node.kind() == NodeKind::Name {
            return self.placed(visitor.visit_unit());
        }
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'r>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Stop> {
        match name {
            SPANNED => return visitor.visit_seq(ListAccess::spanned(self)),
            ITEMS => return self.placed(visitor.visit_seq(self.items())),
            LENIENT => return self.placed(visitor.visit_seq(ListAccess::lenient(self))),
            ENTRIES => return self.placed(visitor.visit_map(self.entries())),
            OR_MINUS_INFINITY if self.empty.is_none() && self.node.source_text() == "-inf" => {
                return self.placed(visitor.visit_unit());
            }
            OR_MINUS_INFINITY => return visitor.visit_newtype_struct(self),
            _ => {}
        }
        self.check_name(name);
        match self.only_child() {
            Some(child) if self.empty.is_none() => self.placed(visitor.visit_newtype_struct(child)),
            _ => {
                self.wrong_type(ReadThing::Tuple { count: 1 });
                self.placed(visitor.visit_newtype_struct(self.within()))
            }
        }
    }

    fn deserialize_seq<V: Visitor<'r>>(self, visitor: V) -> Result<V::Value, Stop> {
        let is_list = self.node.kind() == NodeKind::List;
        match self.or_empty(is_list.then_some(()), ReadThing::List) {
            Ok(()) if is_list && self.empty.is_none() => {
                let count = self.node.children().count();
                self.placed(visitor.visit_seq(ListAccess::new(self, count)))
            }
            Ok(()) => self.placed(visitor.visit_seq(ListAccess::new(self.emptied(), 0))),
            Err(stop) => Err(stop),
        }
    }

    fn deserialize_tuple<V: Visitor<'r>>(self, count: usize, visitor: V) -> Result<V::Value, Stop> {
        if self.has_no_name() || self.empty.is_some() {
            return self.values(count, visitor);
        }
        self.wrong_type(ReadThing::Tuple { count });
        self.emptied().values(count, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'r>>(
        self,
        name: &'static str,
        count: usize,
        visitor: V,
    ) -> Result<V::Value, Stop> {
        self.check_name(name);
        self.values(count, visitor)
    }

    fn deserialize_map<V: Visitor<'r>>(self, visitor: V) -> Result<V::Value, Stop> {
        self.placed(visitor.visit_map(self.map()?))
    }

    fn deserialize_struct<V: Visitor<'r>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        self.check_name(name);
        self.fields(name, fields, visitor)
    }

    fn deserialize_enum<V: Visitor<'r>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        self.placed(visitor.visit_enum(VariantAccess::new(self, variants)?))
    }

    fn deserialize_identifier<V: Visitor<'r>>(self, visitor: V) -> Result<V::Value, Stop> {
        let name = self.or_empty(self.node.name(), ReadThing::AName)?;
        self.placed(visitor.visit_borrowed_str(name))
    }

    fn deserialize_ignored_any<V: Visitor<'r>>(self, visitor: V) -> Result<V::Value, Stop> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! { <V: Visitor<'r>> bytes byte_buf }
}

impl<'r, 'a> De<'r, 'a> {
    /// The items of a list, each of whose faults stay its own; none where there is no list, which is told and keeps nothing else from being read.
    fn items(self) -> ListAccess<'r, 'a> {
        let is_list = self.node.kind() == NodeKind::List;
        if !is_list {
            self.wrong_type(ReadThing::List);
        }
        let count = if is_list && self.empty.is_none() {
            self.node.children().count()
        } else {
            0
        };
        ListAccess::items(if count > 0 { self } else { self.emptied() }, count)
    }

    /// As [`Self::items`], of a map.
    fn entries(self) -> MapAccess<'r, 'a> {
        let is_map = self.node.kind() == NodeKind::Map;
        if !is_map {
            self.wrong_type(ReadThing::Map);
        }
        MapAccess::new(if is_map { self } else { self.emptied() }, true)
    }

    fn map(self) -> Result<MapAccess<'r, 'a>, Stop> {
        let is_map = self.node.kind() == NodeKind::Map;
        self.or_empty(is_map.then_some(()), ReadThing::Map)?;
        let this = if is_map { self } else { self.emptied() };
        Ok(MapAccess::new(this, false))
    }
}
