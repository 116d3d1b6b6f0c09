//! What every reader fills: the arrays and conventions found, what was told, and how much room is left. Names, ranks and truths are looked at
//! here, once for all formats.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use ndarray::{ArrayD, Axis, IxDyn};

use super::fault::ArrayFault;
use super::name::ArrayName;
use super::spec_fields::{FieldValue, SpecFields};
use super::{ArrayFile, ArrayPlace, MOST_NUMBERS, NamedArray};
use crate::words::diagnostic::{Diagnostic, Severity, Source};
use crate::words::{Words, nearest};

/// How many findings are told; the others are counted.
const MOST_TOLD: usize = 64;

/// An array as it was found, before it is known whether it may stand under its name.
pub(super) struct Found {
    pub values: ArrayD<f64>,
    /// It was written as true and false.
    pub truths: bool,
    pub at: Range<usize>,
}

/// One file being read.
pub(super) struct Reading<'a> {
    words: &'a Words,
    file: &'a str,
    /// The one array that is asked for.
    only: Option<ArrayName>,
    /// The text, where the file is one; else places are bytes.
    pub source: Option<Arc<Source>>,
    /// The part of an archive that is being read.
    pub member: Option<String>,
    found: ArrayFile,
    /// The conventions that have stood in the file.
    fields: BTreeSet<&'static str>,
    /// Arrays by other names, kept where one array is asked for.
    others: Vec<(String, NamedArray)>,
    told: Vec<Diagnostic>,
    untold: usize,
    room: usize,
}

impl<'a> Reading<'a> {
    pub fn new(words: &'a Words, file: &'a str, only: Option<ArrayName>) -> Self {
        Self {
            words,
            file,
            only,
            source: None,
            member: None,
            found: ArrayFile::default(),
            fields: BTreeSet::new(),
            others: Vec::new(),
            told: Vec::new(),
            untold: 0,
            room: MOST_NUMBERS,
        }
    }

    /// The file as people know it.
    pub fn file(&self) -> &'a str {
        self.file
    }

    /// Tells a fault at its place: bytes of the text or of the binary file.
    pub fn tell(&mut self, fault: ArrayFault, at: Range<usize>) {
        if self.told.len() == MOST_TOLD {
            self.untold += 1;
            return;
        }
        let (code, severity, remedy) = fault.row();
        let told = self
            .place(at)
            .diagnostic(self.words, code, severity, &fault);
        self.told.push(match remedy {
            None => told,
            Some(remedy) => told.with_remedy(self.words, &remedy),
        });
    }

    /// Takes room for so many numbers; false, and told, where the file would hold too many.
    pub fn take_room(&mut self, numbers: usize, at: Range<usize>) -> bool {
        match self.room.checked_sub(numbers) {
            Some(left) => {
                self.room = left;
                true
            }
            None => {
                let limit = MOST_NUMBERS;
                self.tell(ArrayFault::TooLarge { limit }, at);
                false
            }
        }
    }

    /// How many numbers the file may still hold.
    pub fn room(&self) -> usize {
        self.room
    }

    /// Whether an array of this name is wanted; else it is told as unknown and need not be read.
    pub fn wants(&mut self, name: &str, at: Range<usize>) -> bool {
        let known = ArrayName::named(name).is_some() || self.only.is_some();
        if !known {
            self.unknown(name, at);
        }
        known
    }

    /// Tells that nothing is known by this name.
    pub fn unknown(&mut self, name: &str, at: Range<usize>) {
        if self.told.len() == MOST_TOLD {
            // The nearest name need not be sought for what is only counted.
            self.untold += 1;
            return;
        }
        let arrays = ArrayName::ALL.iter().map(|(name, _)| *name);
        let known = arrays.chain(SpecFields::NAMES).chain(["tokens", "spec"]);
        let (nearest, name) = (nearest(name, known), name.to_owned());
        let fault = match nearest {
            None => ArrayFault::UnknownName { name },
            Some(nearest) => ArrayFault::UnknownNameDidYouMean { name, nearest },
        };
        self.tell(fault, at);
    }

    /// An array by its name in the file; without one, by the name that is asked for, else by the name of the file.
    pub fn array(&mut self, name: Option<&str>, found: Found) {
        let stem = Path::new(self.file).file_stem().unwrap_or_default();
        let array = match name {
            Some(name) => ArrayName::named(name),
            None => self
                .only
                .or_else(|| ArrayName::named(&stem.to_string_lossy())),
        };
        match (array, name) {
            (Some(array), _) if self.only.is_none_or(|only| only == array) => {
                let Some(fitting) = self.fitting(array, found) else {
                    return;
                };
                let place = fitting.place.clone();
                if self.found.arrays.insert(array, fitting).is_some() {
                    let name = array.name().to_owned();
                    self.tell_at(ArrayFault::NameTwice { name }, &place);
                }
            }
            (_, Some(name)) if self.only.is_some() => {
                let place = self.place(found.at);
                let values = found.values;
                self.others
                    .push((name.to_owned(), NamedArray { values, place }));
            }
            (_, Some(name)) => self.unknown(name, found.at),
            (_, None) => self.tell(ArrayFault::Nameless, found.at),
        }
    }

    /// The array with the rank and the kind of numbers that its name asks for.
    fn fitting(&mut self, array: ArrayName, found: Found) -> Option<NamedArray> {
        let name = array.name().to_owned();
        let rank = found.values.ndim();
        let values = match (array.is_list(), found.values.shape()) {
            // A list without anything in it has no rows, however deep it was meant.
            (false, [0]) => ArrayD::zeros(IxDyn(&[0, 0])),
            (false, [_, _] | [_, _, _] | [_, _, _, _]) | (true, [_]) => found.values,
            // A row or a column of a format that knows only tables.
            (true, [1, _]) => found.values.index_axis_move(Axis(0), 0),
            (true, [_, 1]) => found.values.index_axis_move(Axis(1), 0),
            (true, _) => {
                self.tell(ArrayFault::RankOfList { name, rank }, found.at);
                return None;
            }
            (false, _) => {
                self.tell(ArrayFault::Rank { name, rank }, found.at);
                return None;
            }
        };
        let is_keep = array == ArrayName::Keep;
        if found.truths && !is_keep {
            self.tell(ArrayFault::Truths { name }, found.at);
            return None;
        }
        let odd = values.iter().find(|x| **x != 0.0 && **x != 1.0).copied();
        if let Some(value) = odd.filter(|_| is_keep) {
            self.tell(ArrayFault::NotTruths { value }, found.at);
            return None;
        }
        let place = self.place(found.at);
        Some(NamedArray { values, place })
    }

    /// A convention.
    pub fn field(&mut self, name: &str, value: &FieldValue, at: Range<usize>) {
        if let Err(said) = self.found.spec.set(name, value) {
            self.tell(ArrayFault::Field { said }, at.clone());
        }
        if let Some(field) = SpecFields::named(name)
            && !self.fields.insert(field)
        {
            let name = field.to_owned();
            self.tell(ArrayFault::NameTwice { name }, at);
        }
    }

    /// The words.
    pub fn tokens(&mut self, tokens: Vec<String>) {
        self.found.tokens = Some(tokens);
    }

    /// What was read, and all that is to be told, in the order of a text.
    pub fn finish(mut self) -> (ArrayFile, Vec<Diagnostic>) {
        self.member = None;
        if let Some(only) = self.only
            && !self.found.arrays.contains_key(&only)
        {
            if let [(_, found)] = self.others.as_mut_slice() {
                let at = match &found.place {
                    ArrayPlace::Text { range, .. } => range.clone(),
                    ArrayPlace::Byte { member, byte, .. } => {
                        self.member.clone_from(member);
                        *byte..*byte
                    }
                };
                let values = std::mem::take(&mut found.values);
                let truths = false;
                if let Some(fitting) = self.fitting(only, Found { values, truths, at }) {
                    self.found.arrays.insert(only, fitting);
                }
            } else if !self.others.is_empty() {
                let there: Vec<&str> = self.others.iter().map(|(name, _)| name.as_str()).collect();
                let (name, there) = (only.name(), there.join(", "));
                self.tell(ArrayFault::NotTheArray { name, there }, 0..0);
            }
        }
        let is_good = self.told.iter().all(|d| d.severity < Severity::Error);
        if self.found.arrays.is_empty() && is_good {
            self.tell(ArrayFault::NoArrays, 0..0);
        }
        self.told.sort_by_key(|d| d.range.start);
        if self.untold > 0 {
            let (count, words) = (self.untold, self.words);
            let fault = ArrayFault::More { count };
            let (code, severity, remedy) = fault.row();
            let told = self.place(0..0).diagnostic(words, code, severity, &fault);
            self.told.push(match remedy {
                None => told,
                Some(remedy) => told.with_remedy(words, &remedy),
            });
        }
        (self.found, self.told)
    }

    fn tell_at(&mut self, fault: ArrayFault, place: &ArrayPlace) {
        let at = match place {
            ArrayPlace::Text { range, .. } => range.clone(),
            ArrayPlace::Byte { byte, .. } => *byte..*byte,
        };
        self.tell(fault, at);
    }

    fn place(&self, range: Range<usize>) -> ArrayPlace {
        match &self.source {
            Some(source) => ArrayPlace::Text {
                source: Arc::clone(source),
                range,
            },
            None => ArrayPlace::Byte {
                file: self.file.to_owned(),
                member: self.member.clone(),
                byte: range.start,
            },
        }
    }
}
