//! From bytes to text: UTF-8 with or without its mark, or UTF-16 with one (as Windows programs save).

use std::sync::Arc;

use super::fault::ArrayFault;
use super::reading::Reading;
use crate::words::diagnostic::Source;

/// The text of a file, from here on the source of its places. `None` where it is no text, which is told.
pub(super) fn decode(reading: &mut Reading<'_>, bytes: &[u8]) -> Option<Arc<Source>> {
    let text = match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => utf8(reading, rest, 3)?,
        [0xFF, 0xFE, rest @ ..] => utf16(reading, rest, u16::from_le_bytes)?,
        [0xFE, 0xFF, rest @ ..] => utf16(reading, rest, u16::from_be_bytes)?,
        _ => utf8(reading, bytes, 0)?,
    };
    if text.contains('\0') {
        let byte = text.find('\0').unwrap_or_default();
        reading.tell(ArrayFault::Binary, byte..byte + 1);
        return None;
    }
    let source = Arc::new(Source {
        name: reading.file().to_owned(),
        path: None,
        text,
    });
    reading.source = Some(Arc::clone(&source));
    Some(source)
}

/// UTF-8 from the byte `before` of the file on.
fn utf8(reading: &mut Reading<'_>, bytes: &[u8], before: usize) -> Option<String> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text.to_owned()),
        Err(error) => {
            let byte = error.valid_up_to() + before;
            reading.tell(ArrayFault::NotUtf8 { byte }, byte..byte + 1);
            None
        }
    }
}

/// UTF-16 after its mark.
fn utf16(reading: &mut Reading<'_>, bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let text: Result<String, _> =
        char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).collect();
    if let (Ok(text), []) = (text, rest) {
        reading.tell(ArrayFault::Utf16, 0..0);
        return Some(text);
    }
    reading.tell(ArrayFault::Utf16Broken, 0..0);
    None
}
