//! A document as lines of a terminal: wrapped to a number of columns, formulas in signs.

use unicode_linebreak::{BreakOpportunity, linebreaks};
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

use super::document::{Align, Block, Document, Inline, Table};
use super::formula::{Manner, written};
use super::messages::TextMsg;
use crate::words::Words;

/// Between the columns of a table.
const GAP: &str = "  ";

/// The document's lines, none wider than `columns` terminal cells (as far as a single grapheme allows), without spaces at their ends.
#[must_use]
pub fn lines(document: &Document, columns: usize, words: &Words) -> Vec<String> {
    let columns = columns.max(1);
    let mut out = Vec::new();
    blocks(&document.blocks, columns, words, &mut out);
    out
}

/// One text wrapped to `columns` cells; line ends in it are kept.
#[must_use]
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut out = Vec::new();
    let (mut line, mut from) = (String::new(), 0);
    for (to, opportunity) in linebreaks(text) {
        let piece = text.get(from..to).unwrap_or_default();
        from = to;
        if !line.is_empty() && cells(&line) + cells(piece.trim_end()) > columns {
            end_line(&mut line, &mut out);
        }
        if cells(piece.trim_end()) > columns {
            for grapheme in piece.graphemes(true) {
                if !line.is_empty()
                    && !grapheme.trim().is_empty()
                    && cells(&line) + cells(grapheme) > columns
                {
                    end_line(&mut line, &mut out);
                }
                line.push_str(grapheme);
            }
        } else {
            line.push_str(piece);
        }
        if opportunity == BreakOpportunity::Mandatory && to < text.len() {
            end_line(&mut line, &mut out);
        }
    }
    if !line.is_empty() || out.is_empty() {
        end_line(&mut line, &mut out);
    }
    out
}

/// How many cells a terminal gives a text.
#[must_use]
pub fn cells(text: &str) -> usize {
    text.width()
}

fn end_line(line: &mut String, out: &mut Vec<String>) {
    out.push(std::mem::take(line).trim_end().to_owned());
}

/// A piece of a line, formulas in signs.
fn text_of(content: &[Inline]) -> String {
    content
        .iter()
        .map(|inline| match inline {
            Inline::Span(span) => span.text.clone(),
            Inline::Formula(tex) => written(tex, &Manner::Linear),
            Inline::Break => "\n".to_owned(),
        })
        .collect()
}

fn blocks(blocks: &[Block], columns: usize, words: &Words, out: &mut Vec<String>) {
    for (i, one) in blocks.iter().enumerate() {
        if i > 0 {
            out.push(String::new());
        }
        block(one, columns, words, out);
    }
}

fn block(block: &Block, columns: usize, words: &Words, out: &mut Vec<String>) {
    match block {
        Block::Paragraph(content) | Block::Heading { content, .. } => {
            out.extend(wrap(&text_of(content), columns))
        }
        Block::Formula(tex) => hang(
            "  ",
            wrap(&written(tex, &Manner::Linear), inner(columns, 2)),
            out,
        ),
        Block::Quote(inside) => {
            let mut lines = Vec::new();
            blocks(inside, inner(columns, 2), words, &mut lines);
            out.extend(
                lines
                    .iter()
                    .map(|line| format!("│ {line}").trim_end().to_owned()),
            );
        }
        Block::Code { text, .. } => {
            let lines = text
                .lines()
                .flat_map(|line| wrap(line, inner(columns, 2)))
                .collect();
            hang("  ", lines, out);
        }
        Block::List { start, items } => {
            let mark_of = |i: usize| match start {
                Some(first) => format!("{}. ", first.saturating_add(i as u64)),
                None => "• ".to_owned(),
            };
            let indent = (0..items.len())
                .map(|i| cells(&mark_of(i)))
                .max()
                .unwrap_or(0);
            for (i, item) in items.iter().enumerate() {
                let mut lines = Vec::new();
                blocks(item, inner(columns, indent), words, &mut lines);
                hang(&format!("{:>indent$}", mark_of(i)), lines, out);
            }
        }
        Block::Table(table) => place_table(table, columns, words, out),
        Block::Line => out.push("─".repeat(columns.min(40))),
    }
}

/// What is left beside an indentation.
fn inner(columns: usize, indent: usize) -> usize {
    columns.saturating_sub(indent).max(1)
}

/// Lines behind a mark: the first beside it, the others indented as far.
fn hang(mark: &str, lines: Vec<String>, out: &mut Vec<String>) {
    let indent = " ".repeat(cells(mark));
    for (i, line) in lines.into_iter().enumerate() {
        let lead = if i == 0 { mark } else { &indent };
        out.push(format!("{lead}{line}").trim_end().to_owned());
    }
}

/// A table in columns where it fits, else each row as a list of "head: cell".
fn place_table(table: &Table, columns: usize, words: &Words, out: &mut Vec<String>) {
    let Table { align, head, rows } = table;
    let text = |row: &Vec<Vec<Inline>>| {
        row.iter()
            .map(|cell| text_of(cell).replace('\n', " "))
            .collect::<Vec<_>>()
    };
    let all: Vec<Vec<String>> = std::iter::once(head).chain(rows).map(text).collect();
    let mut widths = vec![0; all.iter().map(Vec::len).max().unwrap_or(0)];
    for row in &all {
        for (cell, widest) in row.iter().zip(&mut widths) {
            *widest = cells(cell).max(*widest);
        }
    }
    let total = widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1);
    let Some((heads, body)) = all.split_first() else {
        return;
    };
    if total > columns {
        for row in body {
            for (head, cell) in heads.iter().zip(row) {
                let pair = TextMsg::Pair {
                    head: head.clone(),
                    cell: cell.clone(),
                };
                out.extend(wrap(&words.say(&pair), columns));
            }
        }
        return;
    }
    for (i, row) in all.iter().enumerate() {
        let padded = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(column, (cell, width))| {
                let free = width - cells(cell).min(*width);
                let left = match align.get(column).copied().unwrap_or_default() {
                    Align::Left => 0,
                    Align::Centre => free / 2,
                    Align::Right => free,
                };
                format!("{}{cell}{}", " ".repeat(left), " ".repeat(free - left))
            });
        out.push(padded.collect::<Vec<_>>().join(GAP).trim_end().to_owned());
        if i == 0 {
            out.push("─".repeat(total));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::markdown::parse;
    use proptest::prelude::*;

    fn shown(markdown: &str, columns: usize) -> String {
        lines(&parse(markdown), columns, &Words::english()).join("\n")
    }

    #[test]
    fn words_wrap_and_formulas_stand_in_signs() {
        assert_eq!(
            shown("the **plain** mean of $\\frac{1}{2}$", 12),
            "the plain\nmean of 1/2"
        );
        assert_eq!(shown("a\n\n$$x^2$$\n\n> b", 20), "a\n\n  x²\n\n│ b");
    }

    #[test]
    fn lists_hang_and_tables_stand_in_columns_or_one_pair_a_line() {
        assert_eq!(
            shown("9. one two three\n10. four", 11),
            " 9. one two\n    three\n10. four"
        );
        let table = "| offer | number |\n|---|--:|\n| sum | 240 |\n| plain mean | 80 |";
        let wide = "offer       number\n──────────────────\nsum            240\nplain mean      80";
        assert_eq!(shown(table, 40), wide);
        assert_eq!(
            shown(table, 12),
            "offer: sum\nnumber: 240\noffer: plain\nmean\nnumber: 80"
        );
    }

    #[test]
    fn wide_characters_count_twice() {
        assert_eq!(wrap("日本語日本語", 6), ["日本語", "日本語"]);
        assert_eq!(wrap("", 6), [""]);
        assert_eq!(wrap("a\nb", 6), ["a", "b"]);
    }

    proptest! {
        #[test]
        fn no_line_is_too_wide_and_no_letter_lost(text in "[a-z日 \n.,-]{0,120}", columns in 2_usize..40) {
            let wrapped = wrap(&text, columns);
            for line in &wrapped {
                prop_assert!(cells(line) <= columns, "{line:?}");
            }
            let letters = |s: &str| s.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(letters(&wrapped.concat()), letters(&text));
        }
    }
}
