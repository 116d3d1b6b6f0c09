//! Markdown with formulas, read into a [`Document`].
//!
//! CommonMark with tables and `$…$` / `$$…$$`. A dollar opens a formula only where no space follows it, and closes one only where no space
//! stands before it and no digit after it; so "it costs $5 and $6" stays as written, and `\$` is always a dollar. HTML is shown as the text
//! it is, an image as its alternative text: nothing that an author wrote disappears.

use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::document::{Align, Block, Document, Inline, Span, Table};

/// Reads Markdown. Every text is valid Markdown, so nothing can fail.
#[must_use]
pub fn parse(markdown: &str) -> Document {
    let mut reader = Reader::default();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_MATH) {
        reader.take(event);
    }
    reader.finish()
}

/// Takes off the indentation that all lines after the first have in common, as texts in an indented file carry it, and blank lines at
/// both ends.
#[must_use]
pub fn dedent(text: &str) -> String {
    let indent_of = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let common = text
        .lines()
        .skip(1)
        .filter(|l| !l.trim().is_empty())
        .map(indent_of)
        .min()
        .unwrap_or(0);
    let mut lines: Vec<&str> = text
        .lines()
        .enumerate()
        .map(|(i, line)| {
            let take = if i == 0 {
                indent_of(line)
            } else {
                common.min(indent_of(line))
            };
            line.get(take..).unwrap_or_default()
        })
        .collect();
    while lines.last().is_some_and(|l| l.trim().is_empty()) {
        lines.pop();
    }
    let blank = lines.iter().take_while(|l| l.trim().is_empty()).count();
    lines.get(blank..).unwrap_or_default().join("\n")
}

/// A container being read.
enum Open {
    List {
        start: Option<u64>,
        items: Vec<Vec<Block>>,
    },
    Item,
    Quote,
    /// Nested too deep: what is in it goes to the container around it.
    TooDeep,
}

/// So deep may lists and quotes be nested; deeper ones are flattened, so that no text can exhaust the stack.
const MOST_NESTED: usize = 24;

/// Collects events: blocks go to the innermost open container, inlines to the line being read.
#[derive(Default)]
struct Reader {
    /// The blocks of the document, and of each open item or quote.
    blocks: Vec<Vec<Block>>,
    open: Vec<Open>,
    line: Vec<Inline>,
    strong: usize,
    emphasis: usize,
    links: Vec<String>,
    heading: Option<u8>,
    code: Option<(String, String)>,
    table: Option<Table>,
    row: Vec<Vec<Inline>>,
}

impl Reader {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some((_, code)) => code.push_str(&text),
                None => self.words(&text, false),
            },
            Event::Code(text) => self.words(&text, true),
            Event::InlineMath(tex) => self.line.push(Inline::Formula(tex.trim().to_owned())),
            Event::DisplayMath(tex) => self.display(tex.trim()),
            Event::Html(text) => {
                self.words(text.trim_end_matches('\n'), false);
                if text.ends_with('\n') {
                    self.line.push(Inline::Break);
                }
            }
            Event::InlineHtml(text) | Event::FootnoteReference(text) => self.words(&text, false),
            Event::SoftBreak => self.words(" ", false),
            Event::HardBreak => self.line.push(Inline::Break),
            Event::Rule => self.push(Block::Line),
            Event::TaskListMarker(done) => self.words(if done { "[x] " } else { "[ ] " }, false),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.flush();
                self.heading = Some(level_number(level));
            }
            Tag::BlockQuote(_) => self.enter(Open::Quote),
            Tag::List(start) => {
                self.flush();
                let items = Vec::new();
                self.open.push(if self.open.len() < MOST_NESTED {
                    Open::List { start, items }
                } else {
                    Open::TooDeep
                });
            }
            Tag::Item => self.enter(Open::Item),
            Tag::CodeBlock(kind) => {
                self.flush();
                let language = match kind {
                    CodeBlockKind::Fenced(language) => language.into_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((language, String::new()));
            }
            Tag::Table(columns) => {
                self.flush();
                let align = columns
                    .into_iter()
                    .map(|a| match a {
                        Alignment::None | Alignment::Left => Align::Left,
                        Alignment::Center => Align::Centre,
                        Alignment::Right => Align::Right,
                    })
                    .collect();
                self.table = Some(Table {
                    align,
                    ..Table::default()
                });
            }
            Tag::Emphasis => self.emphasis += 1,
            Tag::Strong => self.strong += 1,
            Tag::Link { dest_url, .. } => self.links.push(dest_url.into_string()),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::HtmlBlock => self.flush(),
            TagEnd::BlockQuote(_) => {
                if let Some(inside) = self.leave() {
                    self.push(Block::Quote(inside));
                }
            }
            TagEnd::Item => {
                if let Some(inside) = self.leave()
                    && let Some(Open::List { items, .. }) = self.open.last_mut()
                {
                    items.push(inside);
                }
            }
            TagEnd::List(_) => {
                if let Some(Open::List { start, items }) = self.open.pop() {
                    self.push(Block::List { start, items });
                }
            }
            TagEnd::CodeBlock => {
                if let Some((language, text)) = self.code.take() {
                    self.push(Block::Code {
                        language,
                        text: text.trim_end_matches('\n').to_owned(),
                    });
                }
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.line);
                self.row.push(cell);
            }
            TagEnd::TableHead => {
                let row = std::mem::take(&mut self.row);
                if let Some(table) = &mut self.table {
                    table.head = row;
                }
            }
            TagEnd::TableRow => {
                let row = std::mem::take(&mut self.row);
                if let Some(table) = &mut self.table {
                    table.rows.push(row);
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    self.push(Block::Table(table));
                }
            }
            TagEnd::Emphasis => self.emphasis = self.emphasis.saturating_sub(1),
            TagEnd::Strong => self.strong = self.strong.saturating_sub(1),
            TagEnd::Link => {
                self.links.pop();
            }
            _ => {}
        }
    }

    fn finish(mut self) -> Document {
        self.flush();
        Document {
            blocks: self.blocks.pop().unwrap_or_default(),
        }
    }

    /// Words in the present manner; they join those before them where the manner is the same.
    fn words(&mut self, text: &str, code: bool) {
        let span = Span {
            text: text.to_owned(),
            strong: self.strong > 0,
            emphasis: self.emphasis > 0,
            code,
            ink: None,
            link: self.links.last().cloned(),
        };
        match self.line.last_mut() {
            Some(Inline::Span(last))
                if !code
                    && (Span {
                        text: last.text.clone(),
                        ..span.clone()
                    }) == *last =>
            {
                last.text.push_str(text);
            }
            _ if text.is_empty() => {}
            _ => self.line.push(Inline::Span(span)),
        }
    }

    /// A displayed formula ends the paragraph it stands in; in a heading or a table it stays among the words.
    fn display(&mut self, tex: &str) {
        if self.heading.is_some() || self.table.is_some() {
            self.line.push(Inline::Formula(tex.to_owned()));
        } else {
            self.flush();
            self.push(Block::Formula(tex.to_owned()));
        }
    }

    /// Ends the line being read and makes a block of it.
    fn flush(&mut self) {
        let mut content = std::mem::take(&mut self.line);
        trim(&mut content);
        let heading = self.heading.take();
        if content.is_empty() {
            return;
        }
        self.push(match heading {
            Some(level) => Block::Heading { level, content },
            None => Block::Paragraph(content),
        });
    }

    fn push(&mut self, block: Block) {
        if self.blocks.is_empty() {
            self.blocks.push(Vec::new());
        }
        if let Some(inside) = self.blocks.last_mut() {
            inside.push(block);
        }
    }

    fn enter(&mut self, container: Open) {
        self.flush();
        if self.open.len() >= MOST_NESTED || matches!(self.open.last(), Some(Open::TooDeep)) {
            self.open.push(Open::TooDeep);
            return;
        }
        if self.blocks.is_empty() {
            self.blocks.push(Vec::new());
        }
        self.open.push(container);
        self.blocks.push(Vec::new());
    }

    /// The blocks of the container that ends; nothing where they went to the one around it.
    fn leave(&mut self) -> Option<Vec<Block>> {
        self.flush();
        match self.open.pop() {
            Some(Open::TooDeep) => None,
            _ => self.blocks.pop(),
        }
    }
}

/// Takes spaces and breaks off both ends of a line.
fn trim(content: &mut Vec<Inline>) {
    while let Some(last) = content.last_mut() {
        match last {
            Inline::Break => {}
            Inline::Span(span) if !span.code => {
                span.text.truncate(span.text.trim_end_matches(' ').len());
                if !span.text.is_empty() {
                    break;
                }
            }
            _ => break,
        }
        content.pop();
    }
    while let Some(first) = content.first_mut() {
        match first {
            Inline::Break => {}
            Inline::Span(span) if !span.code => {
                span.text = span.text.trim_start_matches(' ').to_owned();
                if !span.text.is_empty() {
                    break;
                }
            }
            _ => break,
        }
        content.remove(0);
    }
}

fn level_number(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paragraph(pieces: Vec<Inline>) -> Document {
        Document {
            blocks: vec![Block::Paragraph(pieces)],
        }
    }

    #[test]
    fn words_take_their_manner_and_formulas_stand_among_them() {
        assert_eq!(
            parse("the *plain* mean, **79**, of `v` is $\\sum v_i$."),
            paragraph(vec![
                Span::plain("the ").into(),
                Span::plain("plain").emphasis().into(),
                Span::plain(" mean, ").into(),
                Span::plain("79").strong().into(),
                Span::plain(", of ").into(),
                Span::plain("v").code().into(),
                Span::plain(" is ").into(),
                Inline::formula("\\sum v_i"),
                Span::plain(".").into(),
            ])
        );
    }

    #[test]
    fn dollars_of_money_stay_dollars() {
        for text in ["it costs $5 and $6", "$ 5 $", "5$ or 6$", "a $5", r"\$x\$"] {
            let shown = text.replace('\\', "");
            assert_eq!(
                parse(text),
                paragraph(vec![Span::plain(shown).into()]),
                "{text}"
            );
        }
        assert_eq!(parse("$5$"), paragraph(vec![Inline::formula("5")]));
    }

    #[test]
    fn a_displayed_formula_is_a_block_of_its_own() {
        assert_eq!(
            parse("So\n$$a = b$$\nholds.").blocks,
            [
                Block::Paragraph(vec![Span::plain("So").into()]),
                Block::Formula("a = b".into()),
                Block::Paragraph(vec![Span::plain("holds.").into()]),
            ]
        );
    }

    #[test]
    fn lists_nest_and_tables_align() {
        let word = |text: &str| Block::Paragraph(vec![Span::plain(text).into()]);
        assert_eq!(
            parse("3. a\n   - b\n4. c").blocks,
            [Block::List {
                start: Some(3),
                items: vec![
                    vec![
                        word("a"),
                        Block::List {
                            start: None,
                            items: vec![vec![word("b")]]
                        }
                    ],
                    vec![word("c")]
                ],
            }]
        );
        let cell = |text: &str| vec![Inline::from(Span::plain(text))];
        assert_eq!(
            parse("| n | p |\n|:-:|--:|\n| 3 | 70 |").blocks,
            [Block::Table(Table {
                align: vec![Align::Centre, Align::Right],
                head: vec![cell("n"), cell("p")],
                rows: vec![vec![cell("3"), cell("70")]],
            })]
        );
    }

    #[test]
    fn html_and_images_are_shown_as_text() {
        let doc = format!(
            "{:?}",
            parse("a <b>bold</b> ![a beam](x.png)\n\n<div>\nkept\n</div>")
        );
        for kept in ["<b>", "bold", "</b>", "a beam", "<div>", "kept", "</div>"] {
            assert!(doc.contains(kept), "{kept} of {doc}");
        }
    }

    #[test]
    fn nesting_without_end_is_flattened_and_nothing_lost() {
        for mark in ["> ", "- ", "1. "] {
            let doc = parse(&format!("{}deep", mark.repeat(5_000)));
            let text = format!("{doc:?}");
            assert!(text.contains("deep") && text.len() < 5_000, "{mark}");
        }
    }

    #[test]
    fn the_indentation_of_the_file_is_taken_off() {
        assert_eq!(
            dedent("one\n      two\n        - three\n"),
            "one\ntwo\n  - three"
        );
        assert_eq!(dedent("\n    a\n\n    b\n  "), "a\n\nb");
        assert_eq!(dedent("single"), "single");
    }
}
