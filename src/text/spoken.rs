//! A document as it is read aloud: for the accessibility tree, formulas in words.

use super::document::{Block, Document, Inline, Table};
use super::formula::{Manner, written};
use super::messages::TextMsg;
use crate::words::Words;

/// The whole document as one text to be heard.
#[must_use]
pub fn spoken(document: &Document, words: &Words) -> String {
    blocks(&document.blocks, words)
}

/// A piece of a line to be heard.
#[must_use]
pub fn spoken_line(content: &[Inline], words: &Words) -> String {
    let mut out = String::new();
    for inline in content {
        match inline {
            Inline::Span(span) => out.push_str(&span.text),
            Inline::Formula(tex) => {
                if out.ends_with(char::is_alphanumeric) {
                    out.push(' ');
                }
                out.push_str(&written(tex, &Manner::Spoken(words)));
            }
            Inline::Break => out.push(' '),
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Blocks one after the other, each ended as a sentence is where another follows.
fn blocks(blocks: &[Block], words: &Words) -> String {
    let mut out = String::new();
    for said in blocks
        .iter()
        .map(|b| block(b, words))
        .filter(|said| !said.is_empty())
    {
        if !out.is_empty() {
            if !out.ends_with(['.', '?', '!', ':', ';', ',']) {
                out.push('.');
            }
            out.push(' ');
        }
        out.push_str(&said);
    }
    out
}

fn block(block: &Block, words: &Words) -> String {
    match block {
        Block::Paragraph(content) | Block::Heading { content, .. } => spoken_line(content, words),
        Block::Formula(tex) => written(tex, &Manner::Spoken(words)),
        Block::Quote(inside) => blocks(inside, words),
        Block::Code { text, .. } => text.clone(),
        Block::List { start, items } => {
            let first = start.and_then(|n| usize::try_from(n).ok());
            let items = items.iter().enumerate().map(|(i, item)| {
                let text = blocks(item, words);
                match first {
                    Some(first) => words.say(&TextMsg::Item {
                        number: first.saturating_add(i),
                        text,
                    }),
                    None => text,
                }
            });
            items.collect::<Vec<_>>().join("; ")
        }
        Block::Table(table) => rows(table, words).join(" "),
        Block::Line => String::new(),
    }
}

/// Each row with its heads: "offer: sum, number: 240."
fn rows(table: &Table, words: &Words) -> Vec<String> {
    let heads: Vec<String> = table
        .head
        .iter()
        .map(|head| spoken_line(head, words))
        .collect();
    let row = |row: &Vec<Vec<Inline>>| {
        let cells: Vec<String> = row
            .iter()
            .zip(&heads)
            .map(|(cell, head)| {
                let cell = spoken_line(cell, words);
                if head.is_empty() {
                    cell
                } else {
                    words.say(&TextMsg::Pair {
                        head: head.clone(),
                        cell,
                    })
                }
            })
            .collect();
        words.say(&TextMsg::TableRow {
            cells: cells.join(", "),
        })
    };
    table.rows.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::markdown::parse;

    #[test]
    fn a_text_is_heard_whole_with_its_formulas_in_words() {
        let words = Words::english();
        for (text, said) in [
            (
                "The *plain* mean is $\\frac{1}{m}$, not **79**.",
                "The plain mean is 1 over m, not 79.",
            ),
            ("# Title\n\nText\n\n$$a = b$$", "Title. Text. a equals b"),
            ("1. one\n2. two", "1. one; 2. two"),
            (
                "| offer | number |\n|---|---|\n| sum | 240 |",
                "offer: sum, number: 240.",
            ),
            ("> quoted\n\n`k`", "quoted. k"),
        ] {
            assert_eq!(spoken(&parse(text), &words), said);
        }
    }
}
