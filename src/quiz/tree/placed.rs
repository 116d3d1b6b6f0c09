//! Wrappers for file types: a value with its place, and lists and maps that drop what is at fault and keep the rest.
//!
//! They speak to our deserializer by the names of newtype structs, as other readers' `Spanned` types do; read by another
//! deserializer they hold the plain value, its place empty. Road not taken: a thread-local sink, which would tie them to no deserializer at all
//! and to the order of calls instead.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, Range};

use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};

pub(super) const SPANNED: &str = "$attention_tutor::Spanned";
pub(super) const ITEMS: &str = "$attention_tutor::Items";
pub(super) const ENTRIES: &str = "$attention_tutor::Entries";
pub(super) const LENIENT: &str = "$attention_tutor::Lenient";
pub(super) const OR_MINUS_INFINITY: &str = "$attention_tutor::OrMinusInfinity";

/// A value and the bytes of the file that wrote it.
#[derive(Clone, Debug, Default)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Its bytes; empty where it was not read from a file.
    pub range: Range<usize>,
    /// Whether something in it is at fault, which is told, and papered over.
    pub is_flawed: bool,
}

/// A list whose items at fault are told and dropped; the rest know their places.
#[derive(Clone, Debug, PartialEq)]
pub struct Items<T> {
    /// What could be read, in the order of the file.
    pub items: Vec<Spanned<T>>,
    /// What is at fault but could be papered over, in the order of the file: to tell what else is wrong with it, not to use it.
    pub flawed: Vec<Spanned<T>>,
    /// How many were told and dropped, with those in `flawed`.
    pub dropped: usize,
}

/// A map with texts as keys, in the order of the file; entries at fault are told and dropped, of two equal keys the second.
#[derive(Clone, Debug, PartialEq)]
pub struct Entries<T> {
    /// What could be read, in the order of the file.
    pub entries: Vec<(Spanned<String>, Spanned<T>)>,
    /// How many were told and dropped for what they hold.
    pub dropped: usize,
}

/// A value whose faults stay its own: told, and `None` in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Lenient<T>(pub Option<Spanned<T>>);

impl<T> Spanned<T> {
    /// A value that no file wrote.
    pub fn unplaced(value: T) -> Self {
        Self {
            value,
            range: 0..0,
            is_flawed: false,
        }
    }

    /// Another value at the same place.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Spanned<U> {
        Spanned {
            value: change(self.value),
            range: self.range,
            is_flawed: self.is_flawed,
        }
    }
}

impl<T> Lenient<T> {
    /// The value, where it could be read.
    #[must_use]
    pub fn value(self) -> Option<T> {
        self.0.map(|read| read.value)
    }
}

impl<T> Entries<T> {
    /// The value under a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Spanned<T>> {
        self.entries
            .iter()
            .find(|(k, _)| k.value == key)
            .map(|(_, value)| value)
    }
}

/// Equal where the values are: a place is where something stands, not what it is.
impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T> Deref for Spanned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> Deref for Items<T> {
    type Target = [Spanned<T>];

    fn deref(&self) -> &Self::Target {
        &self.items
    }
}

impl<T> Deref for Entries<T> {
    type Target = [(Spanned<String>, Spanned<T>)];

    fn deref(&self) -> &Self::Target {
        &self.entries
    }
}

impl<T> Default for Items<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            flawed: Vec::new(),
            dropped: 0,
        }
    }
}

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            dropped: 0,
        }
    }
}

impl<T> Default for Lenient<T> {
    fn default() -> Self {
        Self(None)
    }
}

/// A value, or the bare word `-inf`, which elsewhere is told as a number that cannot be.
#[derive(Clone, Debug, PartialEq)]
pub enum OrMinusInfinity<T> {
    /// `-inf`
    MinusInfinity,
    /// Something else.
    Value(T),
}

/// Visits for a wrapper.
struct Wrapping<W>(PhantomData<W>);

/// Makes a wrapper readable: under its name, by what our deserializer offers; from any other, as the plain value.
macro_rules! readable {
    ($wrapper:ident, $name:ident, plain($plain:ty): $from_plain:expr, $visit:ident($access:ident: $trait:path): $read:expr) => {
        impl<'de, T: Deserialize<'de>> Deserialize<'de> for $wrapper<T> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_newtype_struct($name, Wrapping::<Self>(PhantomData))
            }
        }

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Wrapping<$wrapper<T>> {
            type Value = $wrapper<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(
                self,
                deserializer: D,
            ) -> Result<Self::Value, D::Error> {
                <$plain>::deserialize(deserializer).map($from_plain)
            }

            fn $visit<A: $trait>(self, mut $access: A) -> Result<Self::Value, A::Error> {
                $read
            }
        }
    };
}

readable!(Spanned, SPANNED, plain(T): Spanned::unplaced, visit_seq(access: SeqAccess<'de>): {
    let lacks = || de::Error::custom("a place has two ends, a value and a count");
    let start: u64 = access.next_element()?.ok_or_else(lacks)?;
    let end: u64 = access.next_element()?.ok_or_else(lacks)?;
    let value = access.next_element()?.ok_or_else(lacks)?;
    let byte = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let flaws: u64 = access.next_element()?.ok_or_else(lacks)?;
    Ok(Spanned { value, range: byte(start)..byte(end), is_flawed: flaws > 0 })
});

readable!(
    Items, ITEMS,
    plain(Vec<T>): |items| Items { items: items.into_iter().map(Spanned::unplaced).collect(), flawed: Vec::new(), dropped: 0 },
    visit_seq(access: SeqAccess<'de>): {
        let (flawed, items): (Vec<_>, Vec<_>) = apart(&mut access).partition(|item| item.is_flawed);
        Ok(Items { dropped: access.size_hint().unwrap_or(0).saturating_sub(items.len()), flawed, items })
    }
);

readable!(Lenient, LENIENT, plain(T): |value| Lenient(Some(Spanned::unplaced(value))), visit_seq(access: SeqAccess<'de>): {
    Ok(Lenient(apart(&mut access).next()))
});

readable!(
    Entries, ENTRIES,
    plain(Vec<(String, T)>): |entries| {
        let unplaced = |(key, value)| (Spanned::unplaced(key), Spanned::unplaced(value));
        Entries { entries: entries.into_iter().map(unplaced).collect(), dropped: 0 }
    },
    visit_map(access: de::MapAccess<'de>): {
        let mut entries = Vec::new();
        loop {
            match access.next_key() {
                Ok(None) => break,
                Ok(Some(key)) => entries.extend(access.next_value().ok().map(|value| (key, value))),
                Err(_) => {}
            }
        }
        Ok(Entries { dropped: access.size_hint().unwrap_or(0).saturating_sub(entries.len()), entries })
    }
);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OrMinusInfinity<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(OR_MINUS_INFINITY, Wrapping::<Self>(PhantomData))
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Wrapping<OrMinusInfinity<T>> {
    type Value = OrMinusInfinity<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value or -inf")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(OrMinusInfinity::MinusInfinity)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Self::Value, D::Error> {
        T::deserialize(deserializer).map(OrMinusInfinity::Value)
    }
}

/// What can be read of a list that our deserializer hands over item by item: after an error it goes on with the next.
fn apart<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(
    access: &mut A,
) -> impl Iterator<Item = Spanned<T>> {
    std::iter::from_fn(move || {
        loop {
            if let Ok(item) = access.next_element() {
                return item;
            }
        }
    })
}
