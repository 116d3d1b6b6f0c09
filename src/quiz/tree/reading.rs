//! One reading of a tree: what was told, what was papered over, what a second reading can know; and why serde's code stopped.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;

use serde::de::{self, DeserializeOwned, Unexpected};

use super::codes::{self, Code};
use super::de::De;
use super::faults::{Cure, Faults, ReadMsg, ReadThing};
use super::nodes::{Node, Tree};
use crate::words::diagnostic::Diagnostic;

/// A type's name as serde gives it, the address of its list of fields, and one of them.
pub(super) type FieldOf = (&'static str, usize, &'static str);

/// One reading of a tree.
pub(super) struct Reading<'a> {
    faults: RefCell<Faults<'a>>,
    /// How many errors were told, also those taken back.
    errors: Cell<usize>,
    /// How many values were papered over.
    papered: Cell<usize>,
    /// Fields found to be required.
    required: RefCell<HashSet<FieldOf>>,
    /// Values that their type refused: what was told, and how often they were papered over.
    refused: RefCell<HashMap<u32, (Diagnostic, u8)>>,
    /// How much was noted that a second reading can use.
    known: Cell<usize>,
    /// How many empty values may still be made up for what is missing; types that hold themselves would need no end of them.
    inventions: Cell<usize>,
}

/// Empty values made up in one reading at most.
const MOST_INVENTIONS: usize = 100_000;
/// How often a value that its type refuses is tried with another empty one.
const MOST_REFUSALS: u8 = 2;

/// Reads a value from a tree, telling into `faults`; `None` where something that cannot be done without is at fault.
pub(super) fn read<T: DeserializeOwned>(
    tree: &Tree,
    faults: Faults<'_>,
) -> (Option<T>, Vec<Diagnostic>) {
    let reading = Reading {
        faults: RefCell::new(faults),
        errors: Cell::new(0),
        papered: Cell::new(0),
        required: RefCell::default(),
        refused: RefCell::default(),
        known: Cell::new(0),
        inventions: Cell::new(MOST_INVENTIONS),
    };
    let mark = reading.faults.borrow().mark();
    let value = loop {
        let known = reading.known();
        reading.papered.set(0);
        let root = De::new(&reading, tree.root());
        match root.placed(T::deserialize(root)) {
            Ok(value) => break (reading.papered.get() == 0).then_some(value),
            Err(_) if reading.known() > known => reading.faults.borrow_mut().take_back(mark),
            Err(_) => break None,
        }
    };
    (value, reading.faults.into_inner().into_told())
}

impl<'a> Reading<'a> {
    pub fn tell(&self, code: Code, range: Range<usize>, what: &ReadMsg, cure: Cure) {
        self.errors.set(self.errors.get() + 1);
        self.faults.borrow_mut().tell(code, range, what, cure);
    }

    pub fn also(&self, range: Range<usize>, what: &ReadMsg) {
        self.faults.borrow_mut().also(range, what);
    }

    /// How much was noted that a second reading can use.
    fn known(&self) -> usize {
        self.known.get()
    }

    /// Notes that the field of a type must be there.
    pub fn require(&self, field: FieldOf) {
        if self.required.borrow_mut().insert(field) {
            self.known.set(self.known.get() + 1);
        }
    }

    pub fn is_required(&self, field: FieldOf) -> bool {
        self.required.borrow().contains(&field)
    }

    /// Tells what a type of its own refuses at a node, where it is not told yet, and notes to paper it over.
    pub fn refuse(&self, node: Node<'_>, is_told: bool, code: Code, what: &ReadMsg, cure: Cure) {
        if !is_told {
            self.tell(code, node.range(), what, cure);
        }
        let mut refused = self.refused.borrow_mut();
        let faults = self.faults.borrow();
        let Some(told) = faults.last() else { return };
        let (_, times) = refused
            .entry(node.index())
            .or_insert_with(|| (told.clone(), 0));
        if *times < MOST_REFUSALS {
            *times += 1;
            self.known.set(self.known.get() + 1);
        }
    }

    /// Whether a node was refused in an earlier reading, and how often: tells it again.
    pub fn retell(&self, node: Node<'_>) -> Option<u8> {
        let refused = self.refused.borrow();
        let (told, times) = refused.get(&node.index())?;
        self.errors.set(self.errors.get() + 1);
        self.faults.borrow_mut().repeat(told.clone());
        Some(*times)
    }

    /// Notes that what is read here is a guess.
    pub fn guess(&self) {
        self.papered.set(self.papered.get() + 1);
    }

    /// Counts an empty value made up; an error where there are too many.
    pub fn invent(&self) -> Result<(), Stop> {
        self.guess();
        let left = self.inventions.get().checked_sub(1).ok_or(Stop::Told)?;
        self.inventions.set(left);
        Ok(())
    }

    /// How many errors and papered values there were so far: whether a value read meanwhile is flawed.
    pub fn flaws(&self) -> usize {
        self.errors.get() + self.papered.get()
    }

    /// The state before an item whose faults stay its own.
    pub fn before_item(&self) -> BeforeItem {
        BeforeItem {
            told: self.faults.borrow().mark(),
            errors: self.errors.get(),
            papered: self.papered.get(),
            known: self.known(),
        }
    }

    /// After an item was read: whether it is to be kept, dropped, or read again. What knows itself to be flawed is kept all the same.
    pub fn after_item(&self, before: &BeforeItem, is_ok: bool, knows_flaws: bool) -> Verdict {
        let papered = self.papered.replace(before.papered) > before.papered;
        if !is_ok && self.known() > before.known {
            self.faults.borrow_mut().take_back(before.told);
            self.errors.set(before.errors);
            return Verdict::Again;
        }
        if is_ok && (knows_flaws || !papered && self.errors.get() == before.errors) {
            Verdict::Keep
        } else {
            Verdict::Drop
        }
    }
}

/// See [`Reading::before_item`].
pub(super) struct BeforeItem {
    told: (usize, usize),
    errors: usize,
    papered: usize,
    known: usize,
}

/// What becomes of an item that was read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Keep,
    Drop,
    Again,
}

/// Why serde's code stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// It is told.
    Told,
    /// A required field is not there.
    Missing(&'static str),
    /// The type refuses the value.
    Refused(Code, Box<ReadMsg>),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Stop {}

impl de::Error for Stop {
    fn custom<T: fmt::Display>(why: T) -> Self {
        Self::Refused(
            codes::REFUSED,
            Box::new(ReadMsg::Refused {
                why: why.to_string(),
            }),
        )
    }

    fn missing_field(field: &'static str) -> Self {
        Self::Missing(field)
    }

    fn invalid_length(found: usize, expected: &dyn de::Expected) -> Self {
        let digits: String = expected
            .to_string()
            .chars()
            .filter(char::is_ascii_digit)
            .collect();
        match digits.parse() {
            Ok(expected) => Self::Refused(
                codes::WRONG_LENGTH,
                Box::new(ReadMsg::WrongLength { expected, found }),
            ),
            Err(_) => Self::custom(expected),
        }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        let found = ReadThing::Other {
            what: found.to_string(),
        };
        let expected = ReadThing::Other {
            what: expected.to_string(),
        };
        Self::Refused(
            codes::WRONG_TYPE,
            Box::new(ReadMsg::WrongType { expected, found }),
        )
    }
}
