//! `.npy`, one array of NumPy's: eight bytes of magic and version, a head written as a Python dictionary, then the numbers.
//!
//! The head is read by forty lines of our own. Not taken: `npyz`, whose reader of Python expressions descends as deep as a lying head wants, and
//! which multiplies the shape without a look at the file's length.

use std::io::Read;
use std::ops::Range;

use ndarray::{ArrayD, IxDyn, ShapeBuilder as _};

use super::Format;
use super::fault::ArrayFault;
use super::reading::{Found, Reading};
use super::stored::{Kind, Numbers, Stop, count_of, fill, read_numbers};
use super::{MOST_AXES, MOST_NUMBERS};

/// What every `.npy` begins with.
pub(super) const MAGIC: &[u8] = b"\x93NUMPY";

/// How long a head may be. NumPy's own limit is 10,000.
const MOST_HEAD: usize = 1 << 16;

pub(super) const FORMAT: Format = Format {
    name: "NumPy (.npy)",
    endings: &["npy"],
    is_plainly: |bytes| bytes.starts_with(MAGIC),
    read: |reading, bytes| {
        let mut rest = bytes;
        if let Some(Stored::Array(found)) = read_array(reading, &mut rest) {
            reading.array(None, found);
        }
        true
    },
};

/// What an `.npy` holds.
pub(super) enum Stored {
    /// Numbers.
    Array(Found),
    /// Texts, of an array of rank 0 or 1: words of conventions, tokens.
    Texts(Vec<String>),
}

/// Reads one array; what is wrong is told. All of `from` is taken, so that an archive looks at its checksum.
pub(super) fn read_array(reading: &mut Reading<'_>, from: &mut impl Read) -> Option<Stored> {
    let head = match Head::read(reading, from) {
        Ok(head) => head?,
        Err(error) => return failed(reading, &error, 0),
    };
    let Head {
        descr,
        is_fortran,
        shape,
        length,
    } = head;
    let at = length..length;
    if shape.len() > MOST_AXES {
        let limit = MOST_AXES;
        reading.tell(ArrayFault::TooDeep { limit }, at);
        return None;
    }
    let Some(count) = count_of(&shape) else {
        let limit = MOST_NUMBERS;
        reading.tell(ArrayFault::TooLarge { limit }, at);
        return None;
    };
    let (order, kind) = match descr.split_at_checked(1) {
        Some((order @ ("<" | ">" | "|" | "="), kind)) => (order, kind),
        _ => ("=", descr.as_str()),
    };
    if kind.starts_with('U') && shape.len() <= 1 {
        return texts(reading, from, kind, order == ">", count, at);
    }
    let Some(numbers) = kind_named(kind) else {
        reading.tell(
            match kind {
                "O" => ArrayFault::Pickled,
                _ => ArrayFault::NumberType { written: descr },
            },
            at,
        );
        return None;
    };
    if !reading.take_room(count, at.clone()) {
        return None;
    }
    let Numbers { numbers, inexact } = match read_numbers(from, numbers, order == ">", count) {
        Ok(numbers) => numbers,
        Err(Stop::Failed(error)) => return failed(reading, &error, length),
        Err(Stop::Short(there)) => {
            let needed = (count as u64).saturating_mul(numbers.width() as u64);
            reading.tell(ArrayFault::Truncated { needed, there }, at);
            return None;
        }
    };
    at_the_end(reading, from, length)?;
    if inexact {
        let name = member_name(reading);
        reading.tell(ArrayFault::NotExact { name }, at.clone());
    }
    let shape = IxDyn(&shape);
    let values = ArrayD::from_shape_vec(shape.set_f(is_fortran), numbers).ok()?;
    let truths = kind == "b1" || kind == "?";
    let values = values.as_standard_layout().into_owned();
    Some(Stored::Array(Found { values, truths, at }))
}

/// Whether nothing comes after the numbers.
fn at_the_end(reading: &mut Reading<'_>, from: &mut impl Read, at: usize) -> Option<()> {
    match fill(from, &mut [0]) {
        Ok(0) => Some(()),
        Ok(_) => {
            let name = member_name(reading);
            reading.tell(ArrayFault::TooLong { name }, at..at);
            None
        }
        Err(error) => failed(reading, &error, at),
    }
}

fn failed<T>(reading: &mut Reading<'_>, error: &std::io::Error, at: usize) -> Option<T> {
    let why = error.to_string();
    reading.tell(ArrayFault::Archive { why }, at..at);
    None
}

fn member_name(reading: &Reading<'_>) -> String {
    let file = reading.file().to_owned();
    reading.member.clone().unwrap_or(file)
}

/// NumPy's names of what we read.
fn kind_named(kind: &str) -> Option<Kind> {
    Some(match kind {
        "b1" | "?" => Kind::Bool,
        "i1" => Kind::Int(1),
        "i2" => Kind::Int(2),
        "i4" => Kind::Int(4),
        "i8" => Kind::Int(8),
        "u1" => Kind::Count(1),
        "u2" => Kind::Count(2),
        "u4" => Kind::Count(4),
        "u8" => Kind::Count(8),
        "f2" => Kind::F16,
        "f4" => Kind::F32,
        "f8" => Kind::F64,
        _ => return None,
    })
}

/// Texts of a fixed length, four bytes a letter, filled up with zeros.
fn texts(
    reading: &mut Reading<'_>,
    from: &mut impl Read,
    kind: &str,
    is_big_endian: bool,
    count: usize,
    at: Range<usize>,
) -> Option<Stored> {
    let letters = kind.get(1..).and_then(|n| n.parse::<usize>().ok());
    let total = letters.and_then(|letters| letters.checked_mul(count));
    let (Some(letters), Some(total)) = (letters, total) else {
        let written = kind.to_owned();
        reading.tell(ArrayFault::NumberType { written }, at);
        return None;
    };
    if !reading.take_room(total, at.clone()) {
        return None;
    }
    let read = read_numbers(from, Kind::Count(4), is_big_endian, total);
    let Ok(Numbers { numbers, .. }) = read else {
        let needed = (total as u64).saturating_mul(4);
        let there = if let Err(Stop::Short(there)) = read {
            there
        } else {
            0
        };
        reading.tell(ArrayFault::Truncated { needed, there }, at);
        return None;
    };
    at_the_end(reading, from, at.start)?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "each was four bytes without a sign"
    )]
    let text = |letters: &[f64]| {
        let letters = letters.iter().filter(|code| **code != 0.0);
        letters
            .filter_map(|code| char::from_u32(*code as u32))
            .collect()
    };
    Some(Stored::Texts(if letters == 0 {
        vec![String::new(); count.min(1 << 16)]
    } else {
        numbers.chunks(letters).map(text).collect()
    }))
}

/// The head of the file.
struct Head {
    /// `<f8`
    descr: String,
    is_fortran: bool,
    shape: Vec<usize>,
    /// Bytes before the numbers.
    length: usize,
}

impl Head {
    /// Reads it; `None` where it is at fault, which is told.
    fn read(reading: &mut Reading<'_>, from: &mut impl Read) -> std::io::Result<Option<Self>> {
        let mut start = [0; 10];
        let there = fill(from, &mut start)?;
        if there < start.len() || !start.starts_with(MAGIC) {
            let is_prefix =
                start.get(..there.min(MAGIC.len())) == MAGIC.get(..there.min(MAGIC.len()));
            let fault = if is_prefix && there < start.len() {
                let (needed, there) = (start.len() as u64, there as u64);
                ArrayFault::Truncated { needed, there }
            } else {
                ArrayFault::NotNumpy
            };
            reading.tell(fault, 0..0);
            return Ok(None);
        }
        let [.., major, minor, low, high] = start;
        let (before, text_length) = match major {
            1 => (10, usize::from(u16::from_le_bytes([low, high]))),
            2 | 3 => {
                let mut more = [0; 2];
                fill(from, &mut more)?;
                let [third, fourth] = more;
                let length = u32::from_le_bytes([low, high, third, fourth]);
                (12, usize::try_from(length).unwrap_or(usize::MAX))
            }
            _ => {
                let (major, minor) = (usize::from(major), usize::from(minor));
                reading.tell(ArrayFault::NumpyVersion { major, minor }, 6..8);
                return Ok(None);
            }
        };
        if text_length > MOST_HEAD {
            let length = text_length as u64;
            reading.tell(ArrayFault::HeadLength { length }, 8..8);
            return Ok(None);
        }
        let mut text = vec![0; text_length];
        let there = fill(from, &mut text)?;
        if there < text_length {
            let (needed, there) = (text_length as u64, there as u64);
            reading.tell(ArrayFault::Truncated { needed, there }, before..before);
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&text);
        let mut python = Python { rest: &text };
        let length = before + text_length;
        match python.dictionary() {
            Ok((descr, is_fortran, shape)) => Ok(Some(Self {
                descr,
                is_fortran,
                shape,
                length,
            })),
            Err(wanted) => {
                let at = length - python.rest.len().min(text_length);
                reading.tell(ArrayFault::NumpyHead { wanted }, at..at);
                Ok(None)
            }
        }
    }
}

/// The little of Python that heads are written in. Errors are what was wanted where the rest begins.
struct Python<'t> {
    rest: &'t str,
}

impl<'t> Python<'t> {
    /// `{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }`
    fn dictionary(&mut self) -> Result<(String, bool, Vec<usize>), &'static str> {
        let (mut descr, mut order, mut shape) = (None, None, None);
        self.sign("{").ok_or("{")?;
        while self.sign("}").is_none() {
            let name = self.text().ok_or("'descr'")?;
            self.sign(":").ok_or(":")?;
            match name {
                "descr" => descr = Some(self.descr().ok_or("'<f8'")?),
                "fortran_order" => {
                    let truth = (self.sign("True").map(|()| true))
                        .or_else(|| self.sign("False").map(|()| false));
                    order = Some(truth.ok_or("False")?);
                }
                "shape" => shape = Some(self.shape().ok_or("(2, 3)")?),
                _ => return Err("'shape'"),
            }
            if self.sign(",").is_none() && !self.rest.trim_start().starts_with('}') {
                return Err(",");
            }
        }
        match (descr, order, shape) {
            (Some(descr), Some(order), Some(shape)) => Ok((descr, order, shape)),
            (None, ..) => Err("'descr'"),
            (_, None, _) => Err("'fortran_order'"),
            (.., None) => Err("'shape'"),
        }
    }

    /// A type's name, or, where several types make a record, the beginning of their list as it stands.
    fn descr(&mut self) -> Option<String> {
        if let Some(text) = self.text() {
            return Some(text.to_owned());
        }
        let list = self.rest.trim_start().strip_prefix('[')?;
        let (list, rest) = list.split_once(']')?;
        self.rest = rest;
        Some(format!("[{list}]"))
    }

    fn shape(&mut self) -> Option<Vec<usize>> {
        self.sign("(")?;
        let mut shape = Vec::new();
        while self.sign(")").is_none() {
            self.rest = self.rest.trim_start();
            let length = self.rest.find(|c: char| !c.is_ascii_digit())?;
            let (digits, rest) = self.rest.split_at_checked(length)?;
            shape.push(digits.parse().ok()?);
            self.rest = rest;
            // Python 2 wrote long numbers so.
            self.sign("L");
            if self.sign(",").is_none() && !self.rest.trim_start().starts_with(')') {
                return None;
            }
        }
        Some(shape)
    }

    fn text(&mut self) -> Option<&'t str> {
        let rest = self.rest.trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let (text, rest) = rest.get(1..)?.split_once(quote)?;
        self.rest = rest;
        Some(text)
    }

    fn sign(&mut self, sign: &str) -> Option<()> {
        self.rest = self.rest.trim_start().strip_prefix(sign)?;
        Some(())
    }
}
