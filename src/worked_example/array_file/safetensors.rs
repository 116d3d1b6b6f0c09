//! `.safetensors`: the length of the head, the head as JSON (each array's type, shape and bytes), then the bytes. Conventions are the texts of
//! its `__metadata__`: `{"scale": "0.5", "causal": "top-left"}`.
//!
//! Each array is looked at by itself, so that one that lies does not take the others with it. Not taken: the `safetensors` crate, which
//! refuses the file whole.

use serde::Deserialize;
use serde_json::{Map, Value};

use ndarray::{ArrayD, IxDyn};

use super::Format;
use super::fault::ArrayFault;
use super::reading::{Found, Reading};
use super::spec_fields::FieldValue;
use super::stored::{Kind, Numbers, count_of, read_numbers};
use super::{MOST_AXES, MOST_NUMBERS};

/// The bytes that say how long the head is.
const LENGTH: usize = 8;

pub(super) const FORMAT: Format = Format {
    name: "safetensors",
    endings: &["safetensors"],
    is_plainly: |bytes| {
        let there = bytes.len().saturating_sub(LENGTH) as u64;
        bytes.get(LENGTH) == Some(&b'{') && head_length(bytes).is_some_and(|n| n <= there)
    },
    read,
};

/// What the head says of an array.
#[derive(Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: (u64, u64),
}

fn head_length(bytes: &[u8]) -> Option<u64> {
    bytes
        .first_chunk()
        .map(|length| u64::from_le_bytes(*length))
}

fn read(reading: &mut Reading<'_>, bytes: &[u8]) -> bool {
    let there = bytes.len() as u64;
    let Some(length) = head_length(bytes) else {
        let needed = LENGTH as u64;
        reading.tell(ArrayFault::Truncated { needed, there }, 0..0);
        return true;
    };
    let head_end = usize::try_from(length)
        .ok()
        .and_then(|n| n.checked_add(LENGTH));
    let parts = head_end.and_then(|end| Some((bytes.get(LENGTH..end)?, bytes.get(end..)?, end)));
    let Some((head, data, data_at)) = parts else {
        reading.tell(ArrayFault::HeadLength { length }, 0..0);
        return true;
    };
    let entries: Map<String, Value> = match serde_json::from_slice(head) {
        Ok(entries) => entries,
        Err(error) => {
            let at = LENGTH + error.column().saturating_sub(1);
            let why = error.to_string();
            reading.tell(ArrayFault::HeadUnreadable { why }, at..at);
            return true;
        }
    };
    let mut ranges = Vec::new();
    for (name, value) in entries {
        if name == "__metadata__" {
            metadata(reading, &value);
            continue;
        }
        match Entry::deserialize(&value) {
            Ok(entry) => {
                ranges.push((entry.data_offsets, name.clone()));
                if reading.wants(&name, LENGTH..LENGTH)
                    && let Some(found) = array(reading, &name, &entry, data, data_at)
                {
                    reading.array(Some(&name), found);
                }
            }
            Err(error) => {
                let why = format!("{name}: {error}");
                reading.tell(ArrayFault::HeadUnreadable { why }, LENGTH..LENGTH);
            }
        }
    }
    ranges.sort_unstable();
    let mut end = 0;
    for ((from, to), name) in ranges {
        if from < end && from < to {
            reading.tell(ArrayFault::Overlap { name }, LENGTH..LENGTH);
        }
        end = end.max(to);
    }
    if end < data.len() as u64 {
        let at = data_at.saturating_add(usize::try_from(end).unwrap_or(usize::MAX));
        let name = reading.file().to_owned();
        reading.tell(ArrayFault::TooLong { name }, at..at);
    }
    true
}

/// Conventions, as texts.
fn metadata(reading: &mut Reading<'_>, value: &Value) {
    for (name, value) in value.as_object().into_iter().flatten() {
        // What other programs say of their files ("format": "pt") is theirs.
        if super::SpecFields::named(name).is_some() {
            let value = match value {
                Value::String(text) => FieldValue::Text(text.clone()),
                _ => FieldValue::Other,
            };
            reading.field(name, &value, LENGTH..LENGTH);
        }
    }
}

/// One array, where its bytes are as many as its shape needs.
fn array(
    reading: &mut Reading<'_>,
    name: &str,
    entry: &Entry,
    data: &[u8],
    data_at: usize,
) -> Option<Found> {
    let Entry {
        dtype,
        shape,
        data_offsets: (from, to),
    } = entry;
    let (from, to, name) = (*from, *to, name.to_owned());
    let head = LENGTH..LENGTH;
    let Some(kind) = kind_named(dtype) else {
        let written = short_type(dtype);
        reading.tell(ArrayFault::NumberType { written }, head);
        return None;
    };
    if shape.len() > MOST_AXES {
        let limit = MOST_AXES;
        reading.tell(ArrayFault::TooDeep { limit }, head);
        return None;
    }
    let axes: Option<Vec<usize>> = shape.iter().map(|n| usize::try_from(*n).ok()).collect();
    let count = axes.as_deref().and_then(count_of);
    let (Some(axes), Some(count)) = (axes, count) else {
        let limit = MOST_NUMBERS;
        reading.tell(ArrayFault::TooLarge { limit }, head);
        return None;
    };
    let needed = (count as u64).saturating_mul(kind.width() as u64);
    if to.checked_sub(from) != Some(needed) {
        let fault = ArrayFault::Offsets {
            name,
            from,
            to,
            needed,
        };
        reading.tell(fault, head);
        return None;
    }
    let start = usize::try_from(from).ok();
    let bytes = start.and_then(|start| data.get(start..usize::try_from(to).ok()?));
    let (Some(start), Some(mut bytes)) = (start, bytes) else {
        let there = data.len() as u64;
        reading.tell(ArrayFault::OffsetsOutside { name, to, there }, head);
        return None;
    };
    let at = data_at.saturating_add(start);
    if !reading.take_room(count, at..at) {
        return None;
    }
    let Numbers { numbers, inexact } = read_numbers(&mut bytes, kind, false, count).ok()?;
    if inexact {
        reading.tell(ArrayFault::NotExact { name }, at..at);
    }
    let values = ArrayD::from_shape_vec(IxDyn(&axes), numbers).ok()?;
    let truths = kind == Kind::Bool;
    let at = at..at;
    Some(Found { values, truths, at })
}

/// The format's names of what we read.
fn kind_named(dtype: &str) -> Option<Kind> {
    Some(match dtype {
        "BOOL" => Kind::Bool,
        "I8" => Kind::Int(1),
        "I16" => Kind::Int(2),
        "I32" => Kind::Int(4),
        "I64" => Kind::Int(8),
        "U8" => Kind::Count(1),
        "U16" => Kind::Count(2),
        "U32" => Kind::Count(4),
        "U64" => Kind::Count(8),
        "F16" => Kind::F16,
        "BF16" => Kind::Bf16,
        "F32" => Kind::F32,
        "F64" => Kind::F64,
        _ => return None,
    })
}

fn short_type(dtype: &str) -> String {
    super::nested::short(dtype)
}
