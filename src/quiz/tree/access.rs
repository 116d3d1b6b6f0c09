//! What serde's code walks through: the items of a list, the fields of a struct, the entries of a map, the content of a variant.
//!
//! Here unknown, repeated and missing fields are told, before serde's code sees any of them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use serde::de::value::{BorrowedStrDeserializer, U64Deserializer};
use serde::de::{self, DeserializeSeed, IntoDeserializer, Visitor};

use super::codes;
use super::de::De;
use super::faults::{Cure, ReadMsg, ReadThing, nearest};
use super::nodes::{Node, NodeKind};
use super::reading::{Stop, Verdict};

/// The items of a list or tuple.
pub(super) struct ListAccess<'r, 'a> {
    de: De<'r, 'a>,
    nodes: Vec<Node<'r>>,
    at: usize,
    mode: Mode,
    /// How many flaws there were before the value of a place was read.
    flaws: usize,
}

/// How items are handed over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// One after the other, so many in all.
    Plain(usize),
    /// Each by itself: a fault drops the item, and the next call goes on.
    Apart,
    /// Each by itself, and kept with its faults.
    Flawed,
    /// First byte, end, value, how many flaws it has.
    Spanned,
}

impl<'r, 'a> ListAccess<'r, 'a> {
    /// The first `count` children; so many empty values where this one is empty.
    pub fn new(de: De<'r, 'a>, count: usize) -> Self {
        let nodes = if de.empty.is_some() {
            Vec::new()
        } else {
            de.node.children().collect()
        };
        Self {
            de,
            nodes,
            at: 0,
            mode: Mode::Plain(count),
            flaws: 0,
        }
    }

    pub fn items(de: De<'r, 'a>, count: usize) -> Self {
        Self {
            mode: Mode::Flawed,
            ..Self::new(de, count)
        }
    }

    /// The node itself as the one item.
    pub fn lenient(de: De<'r, 'a>) -> Self {
        let nodes = if de.empty.is_some() {
            Vec::new()
        } else {
            vec![de.node]
        };
        Self {
            de,
            nodes,
            at: 0,
            mode: Mode::Apart,
            flaws: 0,
        }
    }

    pub fn spanned(de: De<'r, 'a>) -> Self {
        Self {
            de,
            nodes: Vec::new(),
            at: 0,
            mode: Mode::Spanned,
            flaws: 0,
        }
    }
}

impl<'r> de::SeqAccess<'r> for ListAccess<'r, '_> {
    type Error = Stop;

    /// How many there are in all, of items that are read apart; so that their reader can tell how many it lost.
    fn size_hint(&self) -> Option<usize> {
        Some(self.nodes.len())
    }

    fn next_element_seed<S: DeserializeSeed<'r>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Stop> {
        let reading = self.de.reading;
        let node = self.nodes.get(self.at).copied();
        let range = self.de.node.range();
        self.at += 1;
        match self.mode {
            Mode::Plain(count) if self.at > count => Ok(None),
            Mode::Plain(_) => {
                let de = node.map_or_else(|| self.de.within(), |node| De::new(reading, node));
                de.placed(seed.deserialize(de)).map(Some)
            }
            Mode::Spanned => match self.at {
                1 => seed.deserialize(offset(range.start)).map(Some),
                2 => {
                    self.flaws = reading.flaws();
                    seed.deserialize(offset(range.end)).map(Some)
                }
                3 => seed.deserialize(self.de).map(Some),
                _ => seed
                    .deserialize(offset(reading.flaws().saturating_sub(self.flaws)))
                    .map(Some),
            },
            Mode::Apart | Mode::Flawed => {
                let Some(node) = node else { return Ok(None) };
                let before = reading.before_item();
                let de = De::new(reading, node);
                let result = de.placed(seed.deserialize(de));
                match reading.after_item(&before, result.is_ok(), self.mode == Mode::Flawed) {
                    Verdict::Keep => result.map(Some),
                    Verdict::Drop => Err(Stop::Told),
                    Verdict::Again => {
                        self.at -= 1;
                        Err(Stop::Told)
                    }
                }
            }
        }
    }
}

fn offset(byte: usize) -> U64Deserializer<Stop> {
    u64::try_from(byte).unwrap_or(u64::MAX).into_deserializer()
}

/// The fields of a struct, by the names that serde's code knows.
pub(super) struct FieldAccess<'r, 'a> {
    fields: std::vec::IntoIter<(&'r str, De<'r, 'a>)>,
    value: Option<De<'r, 'a>>,
}

impl<'r, 'a> FieldAccess<'r, 'a> {
    /// The allowed fields that are there, and those that are required and are not; what is wrong with the names is told.
    pub fn new(
        de: De<'r, 'a>,
        owner: &str,
        allowed: &'static [&'static str],
        is_required: impl Fn(&'static str) -> bool,
    ) -> Self {
        if de.empty.is_some() {
            let fields: Vec<_> = allowed.iter().map(|name| (*name, de.within())).collect();
            return Self {
                fields: fields.into_iter(),
                value: None,
            };
        }
        let mut names = Names {
            de,
            places: vec![None; allowed.len()],
            fields: Vec::new(),
            allowed,
        };
        let mut unknown = Vec::new();
        for field in de.node.children().filter(|n| n.kind() == NodeKind::Field) {
            match allowed.iter().position(|name| Some(*name) == field.name()) {
                Some(index) => names.take(field, index),
                None => unknown.push(field),
            }
        }
        for field in unknown {
            names.take_unknown(field, owner);
        }
        let missing = allowed
            .iter()
            .zip(&names.places)
            .filter(|(name, place)| place.is_none() && is_required(name));
        for (name, _) in missing {
            let field = (*name).to_owned();
            let what = ReadMsg::MissingField {
                name: field.clone(),
                owner: owner.to_owned(),
            };
            let cure = Cure::Say(ReadMsg::AddField { name: field });
            de.reading
                .tell(codes::MISSING_FIELD, de.node.head(), &what, cure);
            names.fields.push((name, de.within()));
        }
        Self {
            fields: names.fields.into_iter(),
            value: None,
        }
    }

    /// All fields by the names they carry.
    pub fn free(de: De<'r, 'a>) -> Self {
        let named = |field: Node<'r>| Some((field.name()?, De::new(de.reading, field.value()?)));
        let fields: Vec<_> = de.node.children().filter_map(named).collect();
        Self {
            fields: fields.into_iter(),
            value: None,
        }
    }
}

/// The names of one struct while they are sorted out.
struct Names<'r, 'a> {
    de: De<'r, 'a>,
    allowed: &'static [&'static str],
    /// Where each allowed field is written.
    places: Vec<Option<Range<usize>>>,
    fields: Vec<(&'r str, De<'r, 'a>)>,
}

impl<'r> Names<'r, '_> {
    fn take(&mut self, field: Node<'r>, index: usize) {
        let (Some(name), Some(place)) = (self.allowed.get(index), self.places.get_mut(index))
        else {
            return;
        };
        let range = field.name_range().unwrap_or_else(|| field.range());
        if let Some(first) = place {
            let what = ReadMsg::DuplicateField {
                name: (*name).to_owned(),
            };
            self.de.reading.tell(
                codes::DUPLICATE_FIELD,
                range,
                &what,
                Cure::Say(ReadMsg::RemoveOne),
            );
            self.de.reading.also(first.clone(), &ReadMsg::FirstHere);
            return;
        }
        *place = Some(range);
        if let Some(value) = field.value() {
            self.fields.push((name, De::new(self.de.reading, value)));
        }
    }

    /// Tells an unknown name; where it is nearly that of a field not there, it is read as that one.
    fn take_unknown(&mut self, field: Node<'r>, owner: &str) {
        let written = field.name().unwrap_or_default();
        let range = field.name_range().unwrap_or_else(|| field.range());
        let absent = self
            .allowed
            .iter()
            .zip(&self.places)
            .filter(|(_, place)| place.is_none());
        let meant = nearest(written, absent.map(|(name, _)| *name));
        let cure = match meant.or_else(|| nearest(written, self.allowed.iter().copied())) {
            Some(name) => Cure::Fix(
                ReadMsg::DidYouMean {
                    name: name.to_owned(),
                },
                range.clone(),
                name.to_owned(),
            ),
            None if self.allowed.is_empty() => Cure::Say(ReadMsg::NoNamesAllowed),
            None => Cure::Say(ReadMsg::AllowedNames {
                names: self.allowed.join(", "),
            }),
        };
        let what = ReadMsg::UnknownField {
            name: written.to_owned(),
            owner: owner.to_owned(),
        };
        self.de
            .reading
            .tell(codes::UNKNOWN_FIELD, range, &what, cure);
        if let Some(index) =
            meant.and_then(|meant| self.allowed.iter().position(|name| *name == meant))
        {
            self.take(field, index);
        }
    }
}

impl<'r> de::MapAccess<'r> for FieldAccess<'r, '_> {
    type Error = Stop;

    fn next_key_seed<S: DeserializeSeed<'r>>(&mut self, seed: S) -> Result<Option<S::Value>, Stop> {
        let Some((name, value)) = self.fields.next() else {
            return Ok(None);
        };
        self.value = Some(value);
        seed.deserialize(BorrowedStrDeserializer::new(name))
            .map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'r>>(&mut self, seed: S) -> Result<S::Value, Stop> {
        let value = self.value.take().ok_or(Stop::Told)?;
        value.placed(seed.deserialize(value))
    }
}

/// The entries of a map; of two equal keys the first.
pub(super) struct MapAccess<'r, 'a> {
    de: De<'r, 'a>,
    entries: Vec<Node<'r>>,
    at: usize,
    /// Whether a fault drops the entry, and the next call goes on.
    apart: bool,
}

impl<'r, 'a> MapAccess<'r, 'a> {
    pub fn new(de: De<'r, 'a>, apart: bool) -> Self {
        let mut entries = Vec::new();
        if de.empty.is_none() {
            let mut places: HashMap<(bool, Cow<'r, str>), Range<usize>> = HashMap::new();
            for entry in de.node.children() {
                let Some(key) = entry.children().next() else {
                    continue;
                };
                let text = key.text();
                let identity = (
                    text.is_some(),
                    text.unwrap_or(Cow::Borrowed(key.source_text())),
                );
                match places.entry(identity) {
                    Entry::Vacant(place) => {
                        place.insert(key.range());
                        entries.push(entry);
                    }
                    Entry::Occupied(first) => {
                        let what = ReadMsg::DuplicateKey {
                            key: first.key().1.to_string(),
                        };
                        let cure = Cure::Say(ReadMsg::RemoveOne);
                        de.reading
                            .tell(codes::DUPLICATE_KEY, key.range(), &what, cure);
                        de.reading.also(first.get().clone(), &ReadMsg::FirstHere);
                    }
                }
            }
        }
        Self {
            de,
            entries,
            at: 0,
            apart,
        }
    }

    /// Reads a key or a value, by itself where that is asked for; an entry at fault is gone past unless it is to be read again.
    fn read<S: DeserializeSeed<'r>>(
        &mut self,
        seed: S,
        node: Node<'r>,
        is_key: bool,
    ) -> Result<S::Value, Stop> {
        let reading = self.de.reading;
        let before = reading.before_item();
        let de = De::new(reading, node);
        let result = de.placed(seed.deserialize(de));
        let verdict = if self.apart {
            reading.after_item(&before, result.is_ok(), false)
        } else {
            Verdict::Keep
        };
        let goes_on = match verdict {
            Verdict::Keep => !is_key,
            Verdict::Drop => true,
            Verdict::Again => false,
        };
        self.at += usize::from(goes_on);
        if verdict == Verdict::Keep {
            result
        } else {
            Err(Stop::Told)
        }
    }
}

impl<'r> de::MapAccess<'r> for MapAccess<'r, '_> {
    type Error = Stop;

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }

    fn next_key_seed<S: DeserializeSeed<'r>>(&mut self, seed: S) -> Result<Option<S::Value>, Stop> {
        let key = self
            .entries
            .get(self.at)
            .and_then(|entry| entry.children().next());
        key.map(|key| self.read(seed, key, true)).transpose()
    }

    fn next_value_seed<S: DeserializeSeed<'r>>(&mut self, seed: S) -> Result<S::Value, Stop> {
        let value = self
            .entries
            .get(self.at)
            .and_then(|entry| entry.value())
            .ok_or(Stop::Told)?;
        self.read(seed, value, false)
    }
}

/// A variant and its content.
pub(super) struct VariantAccess<'r, 'a> {
    de: De<'r, 'a>,
    variant: &'static str,
}

impl<'r, 'a> VariantAccess<'r, 'a> {
    /// The variant that is written, or the one most likely meant, or any where nothing can be made of it.
    pub fn new(de: De<'r, 'a>, variants: &'static [&'static str]) -> Result<Self, Stop> {
        let any = variants
            .get(de.depth_within() % variants.len().max(1))
            .copied()
            .ok_or(Stop::Told)?;
        let node = de.node;
        let is_named = matches!(
            node.kind(),
            NodeKind::Name | NodeKind::Tuple | NodeKind::Struct
        );
        let written = node
            .name()
            .zip(node.name_range())
            .filter(|_| is_named && de.empty.is_none());
        let Some((written, range)) = written else {
            de.wrong_type(ReadThing::OneOf {
                names: variants.join(", "),
            });
            return Ok(Self {
                de: de.within(),
                variant: any,
            });
        };
        if let Some(variant) = variants.iter().find(|v| **v == written) {
            return Ok(Self {
                de: de.named_by_variant(),
                variant,
            });
        }
        let meant = de.unknown_variant(written, range, variants);
        de.guessed();
        Ok(match meant {
            Some(variant) => Self {
                de: de.named_by_variant(),
                variant,
            },
            None => Self {
                de: de.within(),
                variant: any,
            },
        })
    }

    /// The deserializer of the content; empty, and told, where there is none.
    fn content(&self) -> De<'r, 'a> {
        let node = self.de.node;
        if self.de.empty.is_some() || node.kind() != NodeKind::Name {
            return self.de;
        }
        let name = self.variant.to_owned();
        let cure = Cure::Say(ReadMsg::AddContent { name: name.clone() });
        self.de.reading.tell(
            codes::WRONG_TYPE,
            node.range(),
            &ReadMsg::NeedsContent { name },
            cure,
        );
        self.de.within()
    }
}

impl<'r, 'a> de::EnumAccess<'r> for VariantAccess<'r, 'a> {
    type Error = Stop;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'r>>(self, seed: S) -> Result<(S::Value, Self), Stop> {
        Ok((
            seed.deserialize(BorrowedStrDeserializer::<Stop>::new(self.variant))?,
            self,
        ))
    }
}

impl<'r> de::VariantAccess<'r> for VariantAccess<'r, '_> {
    type Error = Stop;

    fn unit_variant(self) -> Result<(), Stop> {
        let node = self.de.node;
        if self.de.empty.is_some() {
            self.de.guessed();
        } else if node.kind() != NodeKind::Name {
            let range =
                node.name_range()
                    .map_or(node.range().start, |name| name.end)..node.range().end;
            let cure = Cure::Fix(ReadMsg::RemoveContent, range.clone(), String::new());
            let what = ReadMsg::NoContent {
                name: self.variant.to_owned(),
            };
            self.de.reading.tell(codes::NO_CONTENT, range, &what, cure);
        }
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'r>>(self, seed: S) -> Result<S::Value, Stop> {
        let content = self.content();
        let inner = content
            .only_child()
            .filter(|_| content.empty.is_none())
            .unwrap_or(content);
        inner.placed(seed.deserialize(inner))
    }

    fn tuple_variant<V: Visitor<'r>>(self, count: usize, visitor: V) -> Result<V::Value, Stop> {
        self.content().values(count, visitor)
    }

    fn struct_variant<V: Visitor<'r>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        self.content().fields(self.variant, fields, visitor)
    }
}
