//! A document broken into lines: placed runs, formula glyphs, rules and triangles, in points, y down from the top.
//!
//! Decisions:
//! - *Whole points.* Line heights and baselines are whole points, so that lines stand evenly on a screen of one pixel a point.
//! - *Runs, not words.* Neighbouring words of one manner on a line are one run: it is shaped as a whole by whoever paints it, and its
//!   width here is that of the whole.
//! - *Nothing is cut off.* A word wider than its line is broken between graphemes, a formula is made smaller, a table shares its width out;
//!   only where that cannot help is [`Laid::overflow`] set.

mod lines;
mod table;

use super::document::{Block, Document, Inline, Span};
use super::faces::{self, Face};
use super::formula::{self, FormulaBox, FormulaError};
use super::palette::Ink;

/// The manner of a whole text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Reading text, or prompts.
    pub family: Family,
    /// Type size in points.
    pub size_pt: f32,
    /// Line height, in type sizes.
    pub line_height: f32,
    /// The colour of words that have none of their own.
    pub ink: Ink,
    /// All of it in semibold (a heading, a label).
    pub strong: bool,
}

/// The two families of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Family {
    /// Source Sans 3.
    #[default]
    Sans,
    /// Source Serif 4; its semibold is the Sans's.
    Serif,
}

/// A document with a place for everything, in points from its top left corner.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Laid {
    /// The width that is used, and the height.
    pub size: [f32; 2],
    /// Words.
    pub runs: Vec<Run>,
    /// Letters and signs of formulas.
    pub glyphs: Vec<Glyph>,
    /// Filled rectangles: grounds of code, lines of tables, fraction bars, underlines. To be painted first.
    pub rules: Vec<Rule>,
    /// Stretched shapes of formulas.
    pub triangles: Vec<Triangle>,
    /// Where links stand.
    pub links: Vec<Link>,
    /// Formulas that do not read; their source is shown among the words.
    pub problems: Vec<FormulaError>,
    /// Something is wider than the width given, and could not be helped.
    pub overflow: bool,
}

/// Words on one line in one manner.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The words, to be shaped as a whole.
    pub text: String,
    /// Their face.
    pub face: Face,
    /// Their size.
    pub size_pt: f32,
    /// The left edge.
    pub x: f32,
    /// The baseline.
    pub baseline_y: f32,
    /// The width when shaped.
    pub width: f32,
    /// The colour.
    pub ink: Ink,
}

/// A letter or sign of a formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glyph {
    /// The character.
    pub character: char,
    /// Its face.
    pub face: Face,
    /// Its size.
    pub size_pt: f32,
    /// The left edge.
    pub x: f32,
    /// Its baseline.
    pub baseline_y: f32,
    /// The colour.
    pub ink: Ink,
}

/// A filled rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Left.
    pub x: f32,
    /// Top.
    pub y: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
    /// The colour.
    pub ink: Ink,
}

/// A filled triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// The corners.
    pub corners: [[f32; 2]; 3],
    /// The colour.
    pub ink: Ink,
}

/// The place of a link's words on one line.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Where it leads.
    pub target: String,
    /// Left, top, right, bottom.
    pub rect: [f32; 4],
}

/// The formula's type size in the text's: with it the small letters of KaTeX's faces are as tall as those of Source.
const FORMULA_SCALE: f32 = 1.1;
/// The thickness of hairlines.
const HAIRLINE_PT: f32 = 1.0;
/// How far a displayed formula stands in, in type sizes.
const DISPLAY_INDENT: f32 = 1.5;
/// Between a list's mark and its words, in type sizes.
const MARK_GAP: f32 = 0.5;
/// A formula is made smaller down to this share before it counts as too wide.
const LEAST_FORMULA_SCALE: f32 = 0.5;
/// What lies at most beyond the width without counting as too wide, in points.
const SLACK_PT: f32 = 0.01;

impl Style {
    /// Reading text: Sans, 16 points.
    #[must_use]
    pub const fn body() -> Self {
        Self { family: Family::Sans, size_pt: 16.0, line_height: 1.45, ink: Ink::Text, strong: false }
    }

    /// Text that stands back: Sans, 14 points.
    #[must_use]
    pub const fn quiet() -> Self {
        Self { size_pt: 14.0, ink: Ink::Quiet, ..Self::body() }
    }

    /// Prompts: Serif, 21 points.
    #[must_use]
    pub const fn prompt() -> Self {
        Self { family: Family::Serif, size_pt: 21.0, line_height: 1.4, ..Self::body() }
    }

    /// The one title of a screen: Sans semibold, 28 points.
    #[must_use]
    pub const fn title() -> Self {
        Self { size_pt: 28.0, line_height: 1.2, strong: true, ..Self::body() }
    }

    /// The same in another colour.
    #[must_use]
    pub const fn ink(self, ink: Ink) -> Self {
        Self { ink, ..self }
    }

    /// The same in semibold.
    #[must_use]
    pub const fn strong(self) -> Self {
        Self { strong: true, ..self }
    }

    /// The same at another size.
    #[must_use]
    pub const fn size(self, size_pt: f32) -> Self {
        Self { size_pt, ..self }
    }

    /// The face of a span.
    #[must_use]
    pub fn face(&self, span: &Span) -> Face {
        match (self.family, self.strong || span.strong, span.emphasis) {
            (_, true, _) => Face::SansSemibold,
            (_, false, _) if span.code => Face::Sans,
            (Family::Sans, false, true) => Face::SansItalic,
            (Family::Sans, false, false) => Face::Sans,
            (Family::Serif, false, true) => Face::SerifItalic,
            (Family::Serif, false, false) => Face::Serif,
        }
    }

    /// The height of a line without tall formulas, in whole points.
    fn line(&self) -> f32 {
        (self.size_pt * self.line_height).round().max(1.0)
    }
}

/// Lays a document out in a width in points.
#[must_use]
pub fn layout(document: &Document, style: &Style, width_pt: f32) -> Laid {
    let width = if width_pt.is_finite() { width_pt.max(1.0) } else { f32::MAX };
    let mut flow = Flow { laid: Laid::default(), y: 0.0 };
    flow.blocks(&document.blocks, style, 0.0, width);
    let Flow { mut laid, y } = flow;
    laid.size[1] = y;
    laid
}

/// Blocks one under the other.
struct Flow {
    laid: Laid,
    /// The bottom of what is placed.
    y: f32,
}

impl Flow {
    fn blocks(&mut self, blocks: &[Block], style: &Style, x: f32, width: f32) {
        for (i, block) in blocks.iter().enumerate() {
            if i > 0 {
                self.y += (style.line() * 0.5).round();
            }
            self.block(block, style, x, width);
        }
    }

    fn block(&mut self, block: &Block, style: &Style, x: f32, width: f32) {
        match block {
            Block::Paragraph(content) => self.paragraph(content, style, x, width),
            Block::Heading { level, content } => {
                let scale = match level {
                    1 => 1.5,
                    2 => 1.25,
                    3 => 1.1,
                    _ => 1.0,
                };
                let style = Style { family: Family::Sans, strong: true, size_pt: style.size_pt * scale, ..*style };
                self.paragraph(content, &style, x, width);
            }
            Block::Formula(tex) => {
                let indent = (style.size_pt * DISPLAY_INDENT).min(width * 0.1);
                match set_formula(tex, style, width - indent, true) {
                    Ok((set, fits)) => {
                        self.laid.overflow |= !fits;
                        let baseline = (self.y + set.ascent).ceil();
                        self.y = (baseline + set.descent).ceil();
                        self.laid.put_formula(&set, x + indent, baseline, style.ink);
                    }
                    Err(problem) => {
                        let content = [problem_span(tex, &problem)];
                        self.laid.problems.push(problem);
                        self.paragraph(&content, style, x, width);
                    }
                }
            }
            Block::List { start, items } => self.list(*start, items, style, x, width),
            Block::Quote(inside) => {
                let indent = style.size_pt.round().min(width * 0.2);
                let top = self.y;
                self.blocks(inside, &style.ink(Ink::Quiet), x + indent, width - indent);
                let bar = Rule { x, y: top, width: 3.0, height: self.y - top, ink: Ink::Line };
                self.laid.put_rule(bar);
            }
            Block::Code { text, .. } => {
                let pad = (style.size_pt * 0.5).round().min(width * 0.1);
                let size_pt = style.size_pt * 0.95;
                let top = self.y;
                let ground = self.laid.rules.len();
                self.y += pad;
                let style = Style { family: Family::Sans, size_pt, ..*style };
                for line in text.split('\n') {
                    let content = [Inline::Span(Span::plain(line.replace('\t', "    ")))];
                    self.paragraph(&content, &style, x + pad, width - 2.0 * pad);
                }
                self.y += pad;
                let wash = Rule { x, y: top, width: self.laid.size[0] + pad - x, height: self.y - top, ink: Ink::Wash };
                self.laid.rules.insert(ground, wash);
                self.laid.reach(wash.x + wash.width);
            }
            Block::Table(table) => table::place(self, table, style, x, width),
            Block::Line => {
                let y = self.y + (style.line() * 0.25).round();
                let across = if width < f32::MAX / 2.0 { width } else { style.size_pt * 20.0 };
                self.laid.put_rule(Rule { x, y, width: across, height: HAIRLINE_PT, ink: Ink::Line });
                self.y = y + HAIRLINE_PT;
            }
        }
    }

    fn paragraph(&mut self, content: &[Inline], style: &Style, x: f32, width: f32) {
        let lines = lines::break_lines(content, style, width, &mut self.laid);
        for line in &lines {
            self.y = line.put(&mut self.laid, style, x, self.y);
        }
    }

    /// Items with their marks hanging to the left of the words.
    fn list(&mut self, start: Option<u64>, items: &[Vec<Block>], style: &Style, x: f32, width: f32) {
        let mark_of = |i: usize| match start {
            Some(first) => format!("{}.", first.saturating_add(i as u64)),
            None => "•".to_owned(),
        };
        let face = style.face(&Span::default());
        let widest = (0..items.len()).map(|i| faces::width(&mark_of(i), face, style.size_pt)).fold(0.0, f32::max);
        let indent = (widest + style.size_pt * MARK_GAP).ceil().min(width * 0.5);
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.y += (style.line() * 0.2).round();
            }
            let mark = mark_of(i);
            let mark_width = faces::width(&mark, face, style.size_pt);
            let (first_run, top) = (self.laid.runs.len(), self.y);
            self.blocks(item, style, x + indent, width - indent);
            let baseline_y = match self.laid.runs.get(first_run) {
                Some(run) => run.baseline_y,
                None => top + lines::baseline_in_line(style),
            };
            self.y = self.y.max(top + style.line());
            // Numbers end together, where their words begin.
            let mark_x = x + (widest - mark_width).max(0.0);
            self.laid.overflow |= mark_x + mark_width > x + width + SLACK_PT;
            self.laid.put_run(Run {
                text: mark,
                face,
                size_pt: style.size_pt,
                x: mark_x,
                baseline_y,
                width: mark_width,
                ink: style.ink,
            });
        }
    }
}

impl Laid {
    fn put_run(&mut self, run: Run) {
        self.reach(run.x + run.width);
        self.runs.push(run);
    }

    fn put_rule(&mut self, rule: Rule) {
        self.reach(rule.x + rule.width);
        self.rules.push(rule);
    }

    fn put_formula(&mut self, set: &FormulaBox, x: f32, baseline: f32, ink: Ink) {
        let FormulaBox { glyphs, rules, triangles, width, .. } = set;
        self.reach(x + width);
        self.glyphs.extend(glyphs.iter().map(|g| Glyph {
            character: g.character,
            face: g.face,
            size_pt: g.size_pt,
            x: x + g.x,
            baseline_y: baseline + g.y,
            ink,
        }));
        self.rules.extend(rules.iter().map(|r| Rule {
            x: x + r.x,
            y: baseline + r.y,
            width: r.width,
            height: r.height,
            ink,
        }));
        self.triangles.extend(
            triangles
                .iter()
                .map(|corners| Triangle { corners: corners.map(|[dx, dy]| [x + dx, baseline + dy]), ink }),
        );
    }

    fn reach(&mut self, right: f32) {
        self.size[0] = self.size[0].max(right);
    }
}

/// Sets a formula for a text, made smaller where it is wider than the width; whether it fits now.
fn set_formula(tex: &str, style: &Style, width: f32, display: bool) -> Result<(FormulaBox, bool), FormulaError> {
    let size = style.size_pt * FORMULA_SCALE;
    let set = formula::layout(tex, size, display)?;
    if set.width <= width {
        return Ok((set, true));
    }
    let scale = (width / set.width * 0.999).max(LEAST_FORMULA_SCALE);
    let set = formula::layout(tex, size * scale, display)?;
    let fits = set.width <= width;
    Ok((set, fits))
}

/// What is shown in place of a formula that does not read: its source, and what is wrong.
fn problem_span(tex: &str, problem: &FormulaError) -> Inline {
    Span::plain(format!("{tex} ✗ {}", problem.why)).code().ink(Ink::Wrong).into()
}

#[cfg(test)]
mod tests;
