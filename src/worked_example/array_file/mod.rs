//! Files of arrays from outside: q, k, v (or x and the learned matrices) and the conventions, read from RON, JSON, CSV, `.npy`, `.npz` and
//! `.safetensors`, and results written back.
//!
//! One file a format, one line in [`Format::ALL`]. Every reader fills the same [`reading::Reading`], which checks names, ranks and sizes and
//! collects what is to be told, so that each format only says what stands where. JSON and RON are one grammar here (`nested`).
//!
//! Not taken: `serde_json` and `ron` for the lists, `npyz` and `safetensors` for the heads. They stop at the first fault, do not say at which
//! byte, and ask for memory (or descend) before a size is checked. They are the oracles of the tests instead.

mod csv;
mod fault;
mod json;
mod name;
mod nested;
mod npy;
mod npz;
mod reading;
mod ron;
mod safetensors;
mod spec_fields;
mod stored;
mod text;
mod write;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use ndarray::ArrayD;

pub use fault::{ArrayFault, ArrayRemedy, CODES as ARRAY_CODES};
pub use name::ArrayName;
pub use spec_fields::{
    FieldMsg, FieldValue, PositionsWord, SpecFields, UnknownWord, Word, read_word,
};
pub use write::{WriteFormat, WriteProblem, write_arrays, write_json_list};

use crate::words::diagnostic::{Diagnostic, Severity, Source};
use crate::words::{Message, Words};
use reading::Reading;

/// How many numbers one file may hold: 2²⁷, a gigabyte once read.
pub const MOST_NUMBERS: usize = 1 << 27;

/// The most axes an array may have: batch, heads, rows, columns.
pub const MOST_AXES: usize = 4;

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ArrayFile {
    /// The arrays by name.
    pub arrays: BTreeMap<ArrayName, NamedArray>,
    /// The conventions that are given; those left out are as in [`crate::attention::Spec::default`].
    pub spec: SpecFields,
    /// The words, where they are given: one a key.
    pub tokens: Option<Vec<String>>,
}

impl ArrayFile {
    /// Both files together; where both have something, `over` wins.
    #[must_use]
    pub fn join(mut self, over: Self) -> Self {
        self.arrays.extend(over.arrays);
        Self {
            arrays: self.arrays,
            spec: self.spec.merge(over.spec),
            tokens: over.tokens.or(self.tokens),
        }
    }
}

/// One array and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedArray {
    /// Rank 1 for what is added to a projection, else 2 (one head), 3 (heads first) or 4 (batch, heads, …). For [`ArrayName::Keep`], 0 and 1.
    pub values: ArrayD<f64>,
    /// Where it begins.
    pub place: ArrayPlace,
}

impl NamedArray {
    /// The array as a mask: true = visible.
    #[must_use]
    pub fn truths(&self) -> ArrayD<bool> {
        self.values.mapv(|x| x != 0.0)
    }

    /// A finding about this array, told at its place.
    #[must_use]
    pub fn diagnostic(
        &self,
        words: &Words,
        code: &'static str,
        severity: Severity,
        message: &impl Message,
    ) -> Diagnostic {
        self.place.diagnostic(words, code, severity, message)
    }
}

/// A place in a file of arrays.
#[derive(Clone, Debug, PartialEq)]
pub enum ArrayPlace {
    /// Bytes of a text.
    Text {
        /// The text.
        source: Arc<Source>,
        /// The bytes.
        range: Range<usize>,
    },
    /// A byte of a binary file.
    Byte {
        /// The file, as people know it.
        file: String,
        /// The part of an archive that the byte is counted in.
        member: Option<String>,
        /// Counted from 0.
        byte: usize,
    },
}

impl ArrayPlace {
    /// A finding at this place. There is no text to show of a binary file, so its message names the byte.
    #[must_use]
    pub fn diagnostic(
        &self,
        words: &Words,
        code: &'static str,
        severity: Severity,
        message: &impl Message,
    ) -> Diagnostic {
        match self {
            Self::Text { source, range } => Diagnostic::new(
                words,
                code,
                severity,
                Some(Arc::clone(source)),
                range.clone(),
                message,
            ),
            Self::Byte { file, member, byte } => {
                let (file, said) = (file.clone(), words.say(message));
                let byte = *byte;
                let placed = match member.clone() {
                    None => fault::ArrayPlaceMsg::Byte { file, byte, said },
                    Some(member) => fault::ArrayPlaceMsg::Member {
                        file,
                        member,
                        byte,
                        said,
                    },
                };
                Diagnostic::new(words, code, severity, None, 0..0, &placed)
            }
        }
    }
}

/// Reads what a file holds: the best that can be made of it, and all that is wrong with it. `name` is the file as people know it; the
/// ending says the format, unless the content plainly is another. A file of one array without a name (`.npy`, a bare CSV or list) is named
/// by its own name: `q.npy` holds q.
#[must_use]
pub fn read_arrays(
    words: &Words,
    name: &str,
    bytes: &[u8],
) -> (Option<ArrayFile>, Vec<Diagnostic>) {
    let mut reading = Reading::new(words, name, None);
    let read = read(&mut reading, bytes);
    let (file, told) = reading.finish();
    (read.then_some(file), told)
}

/// Reads one array out of a file (`--q FILE`): the one of that name, or, where there is only one, that one whatever it is called. Conventions
/// and tokens of the file come along.
#[must_use]
pub fn read_one(
    words: &Words,
    array: ArrayName,
    name: &str,
    bytes: &[u8],
) -> (Option<ArrayFile>, Vec<Diagnostic>) {
    let mut reading = Reading::new(words, name, Some(array));
    let read = read(&mut reading, bytes);
    let (file, told) = reading.finish();
    (read.then_some(file), told)
}

/// Whether there was anything to read.
fn read(reading: &mut Reading<'_>, bytes: &[u8]) -> bool {
    let ending = Path::new(reading.file())
        .extension()
        .map(|e| e.to_string_lossy().to_lowercase());
    let told = ending
        .as_deref()
        .and_then(|e| Format::ALL.iter().find(|f| f.endings.contains(&e)));
    let found = Format::ALL.iter().find(|f| (f.is_plainly)(bytes));
    let Some(format) = found.or(told).or_else(|| Format::by_first_sign(bytes)) else {
        reading.tell(
            ArrayFault::UnknownFormat {
                formats: Format::names(),
            },
            0..0,
        );
        return false;
    };
    if let Some(told) = told.filter(|told| told.name != format.name) {
        let (ending, found) = (told.name, format.name);
        reading.tell(ArrayFault::OtherFormat { ending, found }, 0..0);
    }
    (format.read)(reading, bytes)
}

/// One file format.
struct Format {
    name: &'static str,
    endings: &'static [&'static str],
    /// Whether the first bytes leave no doubt.
    is_plainly: fn(&[u8]) -> bool,
    /// Fills the reading; false where nothing could be made of the file.
    read: fn(&mut Reading<'_>, &[u8]) -> bool,
}

impl Format {
    /// Every format. The binary ones are known by their first bytes, the texts by the ending.
    const ALL: [Self; 6] = [
        npy::FORMAT,
        npz::FORMAT,
        safetensors::FORMAT,
        json::FORMAT,
        ron::FORMAT,
        csv::FORMAT,
    ];

    /// A text whose ending says nothing, by its first sign.
    fn by_first_sign(bytes: &[u8]) -> Option<&'static Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let name = match text.chars().next()? {
            '{' | '[' => json::FORMAT.name,
            '(' | '/' => ron::FORMAT.name,
            sign if !sign.is_control() => csv::FORMAT.name,
            _ => return None,
        };
        Self::ALL.iter().find(|f| f.name == name)
    }

    fn names() -> String {
        Self::ALL.map(|f| f.name).join(", ")
    }
}
