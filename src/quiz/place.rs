//! Where a byte of a text that was read (escapes resolved, indentation taken off) stands in the file.

use std::ops::Range;

/// A text literal's place in the source, quotes included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    range: Range<usize>,
}

impl Literal {
    /// A literal at these bytes.
    #[must_use]
    pub fn new(range: Range<usize>) -> Self {
        Self { range }
    }

    /// The whole of it.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Where `range` of `text`, which was read from this literal and dedented, stands in `source`. Worked out on demand, since it is
    /// needed for faults only: each line of the text is the end of a line of the literal. Where escapes make them differ, the whole literal.
    #[must_use]
    pub fn place(&self, source: &str, text: &str, range: Range<usize>) -> Range<usize> {
        self.within(source, text, &range)
            .unwrap_or_else(|| self.range())
    }

    fn within(&self, source: &str, text: &str, range: &Range<usize>) -> Option<Range<usize>> {
        let literal = source.get(self.range.clone())?;
        let quote = literal.find('"')?;
        let raw = literal.starts_with('r');
        let inside = literal.get(quote + 1..literal.rfind('"')?)?;
        if !raw && inside.contains('\\') {
            return None;
        }
        let start = self.byte(inside, text, range.start)?;
        let end = self.byte(inside, text, range.end).unwrap_or(start);
        let shift = self.range.start + quote + 1;
        Some(start + shift..end.max(start) + shift)
    }

    /// The byte of `inside` at which byte `at` of `text` stands.
    fn byte(&self, inside: &str, text: &str, at: usize) -> Option<usize> {
        let line_number = text.get(..at)?.matches('\n').count();
        let line_start = text.get(..at)?.rfind('\n').map_or(0, |n| n + 1);
        let blank_above = inside
            .lines()
            .take_while(|line| line.trim().is_empty())
            .count();
        let mut start = 0;
        for (number, line) in inside.split('\n').enumerate() {
            if number == line_number + blank_above {
                let plain = line.strip_suffix('\r').unwrap_or(line);
                let line_text = text.get(line_start..)?.split('\n').next()?;
                let indent = plain.len().checked_sub(line_text.len())?;
                return Some(start + indent + (at - line_start));
            }
            start += line.len() + 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::markdown::dedent;

    #[test]
    fn a_byte_of_a_dedented_text_is_found_in_the_file() {
        for literal in [
            "r\"one\n      two {=x}\n        three\"",
            "r#\"\n   \n    a\n\n    b {=x} \"#",
            "\"{=x}\"",
        ] {
            let source = format!("text: {literal},");
            let range = 6..6 + literal.len();
            let inside = literal
                .trim_start_matches(['r', '#', '"'])
                .trim_end_matches(['#', '"']);
            let text = dedent(inside);
            let hole = text.find("{=x}").unwrap();
            let place = Literal::new(range).place(&source, &text, hole..hole + 4);
            assert_eq!(source.get(place), Some("{=x}"), "{literal}");
        }
    }

    #[test]
    fn a_text_with_escapes_is_told_as_a_whole() {
        let source = r#""a\tb {=x}""#;
        assert_eq!(
            Literal::new(0..source.len()).place(source, "a\tb {=x}", 4..8),
            0..source.len()
        );
    }
}
