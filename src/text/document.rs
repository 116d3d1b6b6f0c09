//! What a text consists of, before it has a width: blocks of inlines.

use super::palette::Ink;

/// A text: blocks, one under the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Document {
    /// The blocks, top to bottom.
    pub blocks: Vec<Block>,
}

/// One block of a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Block {
    /// Words that flow.
    Paragraph(Vec<Inline>),
    /// A title; 1 is the largest.
    Heading {
        /// 1 to 6.
        level: u8,
        /// Its words.
        content: Vec<Inline>,
    },
    /// A formula on lines of its own: the TeX.
    Formula(String),
    /// A list.
    List {
        /// The first number of an ordered list; `None` for bullets.
        start: Option<u64>,
        /// Each item's blocks.
        items: Vec<Vec<Block>>,
    },
    /// Something quoted.
    Quote(Vec<Block>),
    /// Lines kept as they are.
    Code {
        /// The language named after the fence, or nothing.
        language: String,
        /// The lines.
        text: String,
    },
    /// A table.
    Table(Table),
    /// A line across.
    Line,
}

/// A table: one row of heads, and rows as long as it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Table {
    /// One for each column.
    pub align: Vec<Align>,
    /// The heads.
    pub head: Vec<Vec<Inline>>,
    /// The rows' cells.
    pub rows: Vec<Vec<Vec<Inline>>>,
}

/// Where a column's cells stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Align {
    /// At the left edge.
    #[default]
    Left,
    /// In the middle.
    Centre,
    /// At the right edge.
    Right,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Inline {
    /// Words.
    Span(Span),
    /// A formula among words: the TeX.
    Formula(String),
    /// The line ends here.
    Break,
}

/// Words in one manner.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The words.
    pub text: String,
    /// Set in semibold.
    pub strong: bool,
    /// Set in italic.
    pub emphasis: bool,
    /// Set on a wash, as code.
    pub code: bool,
    /// Its colour, where it is not the text's own.
    pub ink: Option<Ink>,
    /// Where a link leads.
    pub link: Option<String>,
}

impl Document {
    /// A document of one paragraph, made by the program:
    /// `Document::line([Span::plain("It balances at "), Span::plain("79").strong().ink(Ink::WeightedAverage)])`.
    #[must_use]
    pub fn line<I: Into<Inline>>(pieces: impl IntoIterator<Item = I>) -> Self {
        Self {
            blocks: vec![Block::Paragraph(
                pieces.into_iter().map(Into::into).collect(),
            )],
        }
    }

    /// A document of one paragraph of plain words.
    #[must_use]
    pub fn plain(text: impl Into<String>) -> Self {
        Self::line([Span::plain(text)])
    }

    /// The TeX of every formula in it, for those who check them.
    #[must_use]
    pub fn formulas(&self) -> Vec<&str> {
        let mut out = Vec::new();
        self.blocks
            .iter()
            .for_each(|block| block.formulas(&mut out));
        out
    }

    /// Whether there is nothing to show.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }
}

impl Block {
    fn formulas<'a>(&'a self, out: &mut Vec<&'a str>) {
        let mut of_line = |content: &'a [Inline]| {
            out.extend(content.iter().filter_map(|inline| match inline {
                Inline::Formula(tex) => Some(tex.as_str()),
                Inline::Span(_) | Inline::Break => None,
            }));
        };
        match self {
            Self::Paragraph(content) | Self::Heading { content, .. } => of_line(content),
            Self::Table(Table { head, rows, .. }) => {
                head.iter()
                    .chain(rows.iter().flatten())
                    .for_each(|cell| of_line(cell));
            }
            Self::Formula(tex) => out.push(tex),
            Self::List { items, .. } => {
                items.iter().flatten().for_each(|block| block.formulas(out))
            }
            Self::Quote(inside) => inside.iter().for_each(|block| block.formulas(out)),
            Self::Code { .. } | Self::Line => {}
        }
    }
}

impl Span {
    /// Words as they come.
    #[must_use]
    pub fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// The same in semibold.
    #[must_use]
    pub fn strong(self) -> Self {
        Self {
            strong: true,
            ..self
        }
    }

    /// The same in italic.
    #[must_use]
    pub fn emphasis(self) -> Self {
        Self {
            emphasis: true,
            ..self
        }
    }

    /// The same as code.
    #[must_use]
    pub fn code(self) -> Self {
        Self { code: true, ..self }
    }

    /// The same in a colour.
    #[must_use]
    pub fn ink(self, ink: Ink) -> Self {
        Self {
            ink: Some(ink),
            ..self
        }
    }
}

impl Inline {
    /// A formula among words.
    #[must_use]
    pub fn formula(tex: impl Into<String>) -> Self {
        Self::Formula(tex.into())
    }
}

impl From<Span> for Inline {
    fn from(span: Span) -> Self {
        Self::Span(span)
    }
}

#[cfg(test)]
mod tests {
    use crate::text::markdown::parse;

    #[test]
    fn every_formula_is_found() {
        let doc = parse("# $a$\n\n$b$\n\n$$c$$\n\n- > $d$\n\n| $e$ |\n|---|\n| $f$ |");
        assert_eq!(doc.formulas(), ["a", "b", "c", "d", "e", "f"]);
    }
}
