//! Numbers as binary files store them: kind, width and byte order, read into f64 piece by piece, so that no memory is asked for that the file
//! does not fill.

use std::io::Read;

use super::MOST_NUMBERS;

/// How a number is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    /// Signed, of so many bytes: 1, 2, 4 or 8.
    Int(usize),
    /// Not signed.
    Count(usize),
    F16,
    Bf16,
    F32,
    F64,
}

impl Kind {
    /// Bytes a number.
    pub fn width(self) -> usize {
        match self {
            Self::Bool => 1,
            Self::Int(width) | Self::Count(width) => width,
            Self::F16 | Self::Bf16 => 2,
            Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// How many numbers an array of this shape has; `None` where they are more than a file may hold. Axes of length 0 do not excuse the others:
/// what walks over an array multiplies them.
pub(super) fn count_of(shape: &[usize]) -> Option<usize> {
    shape
        .iter()
        .try_fold(1usize, |count, axis| count.checked_mul((*axis).max(1)))
        .filter(|count| *count <= MOST_NUMBERS)
        .map(|count| if shape.contains(&0) { 0 } else { count })
}

/// What came out of reading numbers.
pub(super) struct Numbers {
    pub numbers: Vec<f64>,
    /// Some whole number has more digits than an f64 holds.
    pub inexact: bool,
}

/// Why numbers could not be read.
pub(super) enum Stop {
    /// The file ends after so many bytes of them.
    Short(u64),
    /// The archive says so.
    Failed(std::io::Error),
}

/// Reads `count` numbers.
pub(super) fn read_numbers(
    from: &mut impl Read,
    kind: Kind,
    is_big_endian: bool,
    count: usize,
) -> Result<Numbers, Stop> {
    let width = kind.width();
    let mut numbers = Vec::new();
    let mut inexact = false;
    // A whole number of numbers of every width.
    let mut piece = vec![0; 1 << 16];
    while numbers.len() < count {
        let wanted = (count - numbers.len()).min(piece.len() / width) * width;
        let Some(bytes) = piece.get_mut(..wanted) else {
            break;
        };
        let there = fill(from, bytes).map_err(Stop::Failed)?;
        if there < wanted {
            let before = (numbers.len() as u64).saturating_mul(width as u64);
            return Err(Stop::Short(before.saturating_add(there as u64)));
        }
        for bytes in bytes.chunks_exact(width) {
            // The number's bytes, least first, zeros above.
            let mut raw = [0; 8];
            for (at, byte) in bytes.iter().enumerate() {
                let at = if is_big_endian { width - 1 - at } else { at };
                if let Some(place) = raw.get_mut(at) {
                    *place = *byte;
                }
            }
            let (number, exact) = one(kind, u64::from_le_bytes(raw));
            inexact |= !exact;
            numbers.push(number);
        }
    }
    Ok(Numbers { numbers, inexact })
}

/// The number that these bits are, and whether an f64 holds it.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "the low bits are the number; f64's loss is told"
)]
fn one(kind: Kind, bits: u64) -> (f64, bool) {
    match kind {
        Kind::Bool => (f64::from(u8::from(bits != 0)), true),
        Kind::Int(width) => {
            let above = 64 - 8 * width.min(8) as u32;
            let whole = ((bits << above) as i64) >> above;
            (whole as f64, whole as f64 as i128 == i128::from(whole))
        }
        Kind::Count(_) => (bits as f64, bits as f64 as u128 == u128::from(bits)),
        Kind::F16 => (half::f16::from_bits(bits as u16).to_f64(), true),
        Kind::Bf16 => (half::bf16::from_bits(bits as u16).to_f64(), true),
        Kind::F32 => (f64::from(f32::from_bits(bits as u32)), true),
        Kind::F64 => (f64::from_bits(bits), true),
    }
}

/// Fills the bytes as far as the file goes; how far.
pub(super) fn fill(from: &mut impl Read, bytes: &mut [u8]) -> std::io::Result<usize> {
    let mut there = 0;
    while let Some(rest) = bytes.get_mut(there..).filter(|rest| !rest.is_empty()) {
        match from.read(rest) {
            Ok(0) => break,
            Ok(more) => there += more,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(there)
}
