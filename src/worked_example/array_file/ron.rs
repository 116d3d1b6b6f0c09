//! RON: `(q: [[1, 0]], k: [[1, 0]], v: [[2, 3]], scale: 0.5)`, with or without a name before it; or a bare list, which is one array.
//! Numbers that are not finite are `NaN`, `inf` and `-inf`.

use super::Format;
use super::nested::{Dialect, Nested};
use super::text::decode;

pub(super) const FORMAT: Format = Format {
    name: "RON",
    endings: &["ron"],
    is_plainly: |_| false,
    read: |reading, bytes| {
        let source = decode(reading, bytes);
        if let Some(source) = &source {
            Nested::new(reading, &source.text, Dialect::Ron).file();
        }
        source.is_some()
    },
};
