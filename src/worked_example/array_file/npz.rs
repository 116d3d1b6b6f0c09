//! `.npz`, NumPy's archive: a zip of `.npy` files, each named as its array. Conventions are arrays of rank 0 by their names (numbers, or
//! words as texts), and `tokens` a list of texts. What `np.savez(file, q=…, k=…, v=…, scale=0.5, causal="top-left")` writes.

use std::io::{Cursor, Read as _};

use zip::ZipArchive;

use super::Format;
use super::fault::ArrayFault;
use super::name::ArrayName;
use super::npy::{Stored, read_array};
use super::reading::{Found, Reading};
use super::spec_fields::{FieldValue, SpecFields};

pub(super) const FORMAT: Format = Format {
    name: "NumPy archive (.npz)",
    endings: &["npz"],
    is_plainly: |bytes| bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06"),
    read,
};

/// How many bytes a member may have: the numbers a file may hold, the widest, and a head.
const MOST_BYTES: u64 = (super::MOST_NUMBERS as u64) * 8 + (1 << 17);

fn read(reading: &mut Reading<'_>, bytes: &[u8]) -> bool {
    let mut archive = match ZipArchive::new(Cursor::new(bytes)) {
        Ok(archive) => archive,
        Err(error) => {
            let why = error.to_string();
            reading.tell(ArrayFault::Archive { why }, 0..0);
            return true;
        }
    };
    for index in 0..archive.len() {
        let member = match archive.by_index(index) {
            Ok(member) => member,
            Err(error) => {
                let why = error.to_string();
                reading.tell(ArrayFault::Archive { why }, 0..0);
                continue;
            }
        };
        let Ok(file) = member.name().map(std::borrow::Cow::into_owned) else {
            continue;
        };
        reading.member = Some(file.clone());
        match file.strip_suffix(".npy") {
            Some(name) if is_known(name) || reading.wants(name, 0..0) => {
                if let Some(stored) = read_array(reading, &mut member.take(MOST_BYTES)) {
                    take(reading, name, stored);
                }
            }
            Some(_) => {}
            None => reading.unknown(&file, 0..0),
        }
    }
    reading.member = None;
    true
}

fn is_known(name: &str) -> bool {
    ArrayName::named(name).is_some() || SpecFields::named(name).is_some() || name == "tokens"
}

/// An array, a convention, or the tokens.
fn take(reading: &mut Reading<'_>, name: &str, stored: Stored) {
    let is_field = SpecFields::named(name).is_some();
    match stored {
        Stored::Array(found) if is_field => {
            let at = found.at.clone();
            reading.field(name, &field(&found), at);
        }
        Stored::Texts(texts) if is_field => {
            let value = match texts.as_slice() {
                [text] => FieldValue::Text(text.clone()),
                _ => FieldValue::Other,
            };
            reading.field(name, &value, 0..0);
        }
        Stored::Texts(texts) if name == "tokens" => reading.tokens(texts),
        Stored::Array(_) if name == "tokens" => reading.tell(ArrayFault::TokensNotTexts, 0..0),
        Stored::Array(found) => reading.array(Some(name), found),
        Stored::Texts(_) => {
            let written = "U".to_owned();
            reading.tell(ArrayFault::NumberType { written }, 0..0);
        }
    }
}

/// The one number of an array.
fn field(found: &Found) -> FieldValue {
    let mut numbers = found.values.iter();
    match (numbers.next(), numbers.next()) {
        (Some(x), None) if found.truths => FieldValue::Truth(*x != 0.0),
        (Some(x), None) => FieldValue::Number(*x),
        _ => FieldValue::Other,
    }
}
