//! JSON: one object, `{"q": [[1, 0]], "k": [[1, 0]], "v": [[2, 3]], "scale": 0.5}`; or a bare list, which is one array.
//!
//! Numbers that are not finite are the texts "NaN", "Infinity" and "-Infinity"; as bare words, as Python writes them, they are read too.

use super::Format;
use super::nested::{Dialect, Nested};
use super::text::decode;

pub(super) const FORMAT: Format = Format {
    name: "JSON",
    endings: &["json"],
    is_plainly: |_| false,
    read: |reading, bytes| {
        let source = decode(reading, bytes);
        if let Some(source) = &source {
            Nested::new(reading, &source.text, Dialect::Json).file();
        }
        source.is_some()
    },
};
