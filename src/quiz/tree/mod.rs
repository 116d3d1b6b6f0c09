//! Our reader of RON: a lossless tree of the text, and plain `#[derive(Deserialize)]` types read from it with every fault told in one pass.
//!
//! [`parse`] makes the tree (for reading, highlighting, folding, minimal patches), [`read`] a value of a file type:
//!
//! ```text
//! #[derive(Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct Quiz { id: String, examples: Entries<Example>, questions: Items<Question> }
//!
//! let (quiz, told): (Option<Quiz>, Vec<Diagnostic>) = read(&source, &words);
//! ```
//!
//! A fault makes the nearest item of [`Items`], entry of [`Entries`] or [`Lenient`] value drop out; elsewhere the file reads as `None`
//! where a value had to be made up (wrong type, missing), and reads on where none had (an unknown or repeated field).
//!
//! The language is that of `ron` 0.12.3 with `implicit_some`, but for this. **Refused** here: equal keys of a map; `inf`, `NaN` and numbers too large where
//! numbers are read; more than 128 nested brackets (ron counts differently and stops at about half); bytes (`b"…"`, `b'a'`), ranges (`1..5`), switches other than `implicit_some`; a raw
//! identifier that differs only by letters of Unicode's XID classes which are no letters or digits to Rust. **Accepted** here: a newtype
//! variant around a struct without the inner parentheses; `( )` with a space for the unit; number suffixes that fit the type asked for
//! (`5u8` read as `f64` or `i64`); more nesting; a name with `-` or `.` inside where it is allowed. **Told** as warnings, and read as ron does: LaTeX that a plain text swallows, decimal commas.

mod access;
pub mod codes;
mod cursor;
mod de;
mod faults;
mod lexer;
mod mismatch;
mod nodes;
mod number;
mod parser;
mod placed;
mod reading;
mod recovery;
mod text;

#[cfg(test)]
mod oracle_tests;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde::de::DeserializeOwned;

use crate::words::Words;
use crate::words::diagnostic::{Diagnostic, Source};

pub(super) use faults::nearest;
pub use faults::{ReadMsg, ReadThing};
pub use lexer::{Token, TokenKind};
pub use nodes::{Node, NodeKind, Tree};
pub use parser::{MOST_BYTES, MOST_NESTED, parse};
pub use placed::{Entries, Items, Lenient, OrMinusInfinity, Spanned};

/// Reads a value of a file type from a text (without a byte-order mark, see [`strip_bom`]): the best that can be made of it, and all that is wrong with it,
/// in the order of the text.
#[must_use]
pub fn read<T: DeserializeOwned>(
    source: &Arc<Source>,
    words: &Words,
) -> (Option<T>, Vec<Diagnostic>) {
    let (tree, told) = parse(Arc::clone(source), words);
    read_tree(&tree, told, words)
}

/// Reads a value of a file type from a tree; `told` is what was wrong with its form.
#[must_use]
pub fn read_tree<T: DeserializeOwned>(
    tree: &Tree,
    mut told: Vec<Diagnostic>,
    words: &Words,
) -> (Option<T>, Vec<Diagnostic>) {
    let (value, more) = reading::read(tree, faults::Faults::new(words, tree.source()));
    told.extend(more);
    without_follow_ons(&mut told, tree);
    told.sort_by_key(|d| d.range.start);
    (value, told)
}

/// Takes out what only follows from something told: the fields missing from a bracket that was never closed, the value that the end of the file
/// cuts in two, and all that comes after the first word of some other text.
fn without_follow_ons(told: &mut Vec<Diagnostic>, tree: &Tree) {
    let text = &tree.source().text;
    let root = tree.root();
    let is_other_text = root.kind() == NodeKind::Name
        && told
            .iter()
            .any(|d| d.code == codes::WRONG_TYPE.id && d.range == root.range());
    let unclosed: Vec<usize> = told
        .iter()
        .filter(|d| d.code == codes::UNCLOSED_BRACKET.id)
        .map(|d| d.range.start)
        .collect();
    let end = text.trim_end().len();
    let is_cut = told.iter().any(|d| {
        let edit = d.remedy.as_ref().and_then(|r| r.edit.as_ref());
        d.code == codes::UNCLOSED_BRACKET.id && edit.is_some_and(|(at, _)| at.start == end)
    });
    let at_the_end = [
        codes::NAMELESS.id,
        codes::WRONG_TYPE.id,
        codes::MISSING_VALUE.id,
        codes::MISSING_COLON.id,
        codes::UNKNOWN_FIELD.id,
        codes::UNKNOWN_VARIANT.id,
    ];
    told.retain(|d| {
        let lacks_what_is_cut =
            d.code == codes::MISSING_FIELD.id && unclosed.contains(&d.range.end);
        let is_the_cut = is_cut && d.range.end == end && at_the_end.contains(&d.code);
        let is_the_rest = is_other_text && d.code == codes::AFTER_THE_END.id;
        !lacks_what_is_cut && !is_the_cut && !is_the_rest
    });
}

/// The text without a byte-order mark, and whether it had one.
#[must_use]
pub fn strip_bom(text: &str) -> (&str, bool) {
    text.strip_prefix('\u{FEFF}')
        .map_or((text, false), |rest| (rest, true))
}
