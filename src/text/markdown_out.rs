//! A document as Markdown again, for the clipboard: what is read back is the same document, without its colours.

use super::document::{Align, Block, Document, Inline, Span, Table};

/// The document as Markdown.
#[must_use]
pub fn to_markdown(document: &Document) -> String {
    blocks(&document.blocks).join("\n")
}

/// The lines of blocks, an empty one between them.
fn blocks(blocks: &[Block]) -> Vec<String> {
    let mut out = Vec::new();
    for (i, one) in blocks.iter().enumerate() {
        if i > 0 {
            out.push(String::new());
        }
        out.extend(block(one));
    }
    out
}

fn block(block: &Block) -> Vec<String> {
    match block {
        Block::Paragraph(content) => line(content).split('\n').map(guard_start).collect(),
        Block::Heading { level, content } => {
            vec![format!(
                "{} {}",
                "#".repeat(usize::from(*level)),
                line(content).replace("\\\n", " ")
            )]
        }
        Block::Formula(tex) => vec!["$$".to_owned(), tex.clone(), "$$".to_owned()],
        Block::Quote(inside) => blocks(inside)
            .into_iter()
            .map(|line| format!("> {line}").trim_end().to_owned())
            .collect(),
        Block::Code { language, text } => {
            let fence = fence(text, 3);
            let lines = text.split('\n').map(str::to_owned);
            std::iter::once(format!("{fence}{language}"))
                .chain(lines)
                .chain([fence])
                .collect()
        }
        Block::List { start, items } => {
            let mark = |i: usize| match start {
                Some(first) => format!("{}. ", first.saturating_add(i as u64)),
                None => "- ".to_owned(),
            };
            let item = |(i, inside): (usize, &Vec<Block>)| {
                let (mark, indent) = (mark(i), " ".repeat(mark(i).len()));
                let lines = blocks(inside)
                    .into_iter()
                    .enumerate()
                    .map(move |(n, line)| {
                        let lead = if n == 0 { &mark } else { &indent };
                        format!("{lead}{line}").trim_end().to_owned()
                    });
                lines.collect::<Vec<_>>()
            };
            items.iter().enumerate().flat_map(item).collect()
        }
        Block::Table(table) => table_lines(table),
        Block::Line => vec!["---".to_owned()],
    }
}

fn table_lines(table: &Table) -> Vec<String> {
    let Table { align, head, rows } = table;
    let row = |cells: &Vec<Vec<Inline>>| {
        let cells: Vec<String> = cells
            .iter()
            .map(|cell| line(cell).replace("\\\n", " "))
            .collect();
        format!("| {} |", cells.join(" | "))
    };
    let rule = align.iter().map(|align| match align {
        Align::Left => "---",
        Align::Centre => ":-:",
        Align::Right => "--:",
    });
    let rule = format!("| {} |", rule.collect::<Vec<_>>().join(" | "));
    [row(head), rule]
        .into_iter()
        .chain(rows.iter().map(row))
        .collect()
}

/// A line of inlines; a hard break is a backslash at a line's end, and neighbours with one target are one link.
fn line(content: &[Inline]) -> String {
    let mut out = String::new();
    let mut link: Option<&String> = None;
    for inline in content {
        let target = match inline {
            Inline::Span(span) => span.link.as_ref(),
            Inline::Formula(_) | Inline::Break => None,
        };
        if target != link {
            close_link(link, &mut out);
            out.push_str(target.map_or("", |_| "["));
            link = target;
        }
        match inline {
            Inline::Span(span) => out.push_str(&words(span)),
            Inline::Formula(tex) => out.push_str(&format!("${tex}$")),
            Inline::Break => out.push_str("\\\n"),
        }
    }
    close_link(link, &mut out);
    out
}

fn close_link(link: Option<&String>, out: &mut String) {
    if let Some(target) = link {
        out.push_str(&format!("](<{target}>)"));
    }
}

/// Words with the marks of their manner, which may not stand beside a space.
fn words(span: &Span) -> String {
    let Span {
        text,
        strong,
        emphasis,
        code,
        ink: _,
        link: _,
    } = span;
    if text.trim().is_empty() {
        return text.clone();
    }
    let inner = text.trim();
    let (before, after) = text.split_once(inner).unwrap_or_default();
    let marks = match (strong, emphasis) {
        (true, true) => "***",
        (true, false) => "**",
        (false, true) => "*",
        (false, false) => "",
    };
    let inner = if *code {
        let fence = fence(text, 1);
        let pad = if text.starts_with('`') || text.ends_with('`') {
            " "
        } else {
            ""
        };
        format!("{fence}{pad}{text}{pad}{fence}")
    } else {
        escaped(inner)
    };
    let (before, after) = if *code { ("", "") } else { (before, after) };
    format!("{before}{marks}{inner}{marks}{after}")
}

/// A row of backticks longer than any in the text.
fn fence(text: &str, least: usize) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let length = if longest >= least || least > 1 {
        least.max(longest + 1)
    } else {
        least
    };
    "`".repeat(length)
}

/// Text in which nothing is taken for a mark. An underscore within a word is none, and stays.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let in_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let special = match c {
            '_' => !(in_word(before) && in_word(rest.peek().copied())),
            _ => "\\`*[]<$|&".contains(c),
        };
        if special {
            out.push('\\');
        }
        out.push(if c == '\n' { ' ' } else { c });
        before = Some(c);
    }
    out
}

/// A line that does not begin as a heading, a list, a quote or a rule does.
fn guard_start(line: &str) -> String {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let after = line.chars().nth(digits);
    // "0.3" begins no list: only a space after the sign makes one.
    let spaced = line.chars().nth(digits + 1).is_none_or(char::is_whitespace);
    if line.starts_with(['#', '>', '+', '-', '=', '~']) {
        format!("\\{line}")
    } else if digits > 0 && spaced && matches!(after, Some('.' | ')')) {
        let (number, rest) = line.split_at_checked(digits).unwrap_or((line, ""));
        format!("{number}\\{rest}")
    } else {
        line.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::markdown::parse;
    use proptest::prelude::*;

    #[test]
    fn what_is_written_is_read_back_the_same() {
        for text in [
            "The *plain* mean, **79**, ***both***, `a_b` and ``a ` b``; $\\frac{1}{2}$.",
            "# One\n\n### Three *words*",
            "a\\\nb\n\nc",
            "1. one\n2. two\n   - nested\n   - more\n\n     with a paragraph",
            "| offer | number |\n|:-:|--:|\n| sum | **240** |\n| `x` | $y$ |",
            "> quoted\n>\n> twice\n\n---\n\n```ron\nQuiz(id: \"a\")\n```",
            "So\n\n$$\na = b\n$$\n\nholds.",
            "see [the *paper*](https://example.org/a_b) \\$5 and \\[this\\] a_b \\_c\\_",
            "\\# no heading\n\n1986\\. a year\n\n\\- no list",
        ] {
            let doc = parse(text);
            assert_eq!(
                parse(&to_markdown(&doc)),
                doc,
                "{text}\n→\n{}",
                to_markdown(&doc)
            );
        }
    }

    proptest! {
        #[test]
        fn plain_words_survive_whatever_they_hold(text in "[a-z0-9*_`$<>!|\\[\\]()#>&;~=+.\\\\-]{1,12}( [a-z0-9*_`$<>!|\\[\\]()#>&;~=+.\\\\-]{1,12}){0,4}") {
            let doc = Document::plain(text);
            prop_assert_eq!(parse(&to_markdown(&doc)), doc);
        }
    }
}
