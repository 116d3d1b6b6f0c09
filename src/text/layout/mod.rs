//! A document broken into lines: placed runs, formula glyphs, rules and triangles, in points, y down from the top.
//!
//! Decisions:
//! - *Whole points.* Line heights and baselines are whole points, so that lines stand evenly on a screen of one pixel a point.
//! - *Runs, not words.* Neighbouring words of one manner on a line are one run: it is shaped as a whole by whoever paints it, and its
//!   width here is that of the whole.
//! - *Nothing is cut off.* A word wider than its line is broken between graphemes, a formula is made smaller, a table shares its width out;
//!   only where that cannot help is [`Laid::overflow`] set.

mod laid;
mod lines;
mod style;
mod table;

use super::document::{Block, Document, Inline, Span};
use super::faces;
use super::formula::{self, FormulaBox, FormulaError};
use super::palette::Ink;

pub use laid::{Glyph, Laid, Link, Rule, Run, Triangle};
pub use style::{Family, Style};

/// The formula's type size in the text's: with it the small letters of KaTeX's faces are as tall as those of Source.
const FORMULA_SCALE: f32 = 1.1;
/// The thickness of hairlines.
const HAIRLINE_PT: f32 = 1.0;
/// How far a displayed formula stands in, in type sizes.
const DISPLAY_INDENT: f32 = 1.5;
/// Between blocks, in line heights.
const BLOCK_GAP: f32 = 0.5;
/// Between a list's items, and above it, in line heights.
const LIST_GAP: f32 = 0.2;
/// Between a list's mark and its words, in type sizes.
const MARK_GAP: f32 = 0.5;
/// A formula is made smaller down to this share before it counts as too wide.
const LEAST_FORMULA_SCALE: f32 = 0.5;
/// What lies at most beyond the width without counting as too wide, in points.
const SLACK_PT: f32 = 0.01;

/// Lays a document out in a width in points.
#[must_use]
pub fn layout(document: &Document, style: &Style, width_pt: f32) -> Laid {
    let width = if width_pt.is_finite() {
        width_pt.max(1.0)
    } else {
        f32::MAX
    };
    let mut flow = Flow {
        laid: Laid::default(),
        y: 0.0,
    };
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
        let mut above: Option<&Block> = None;
        for block in blocks {
            // A list belongs to the words before it.
            let gap = match (above, block) {
                (None, _) => 0.0,
                (Some(Block::Paragraph(_)), Block::List { .. }) => LIST_GAP,
                _ => BLOCK_GAP,
            };
            self.y += (style.line() * gap).round();
            self.block(block, style, x, width);
            above = Some(block);
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
                let style = Style {
                    family: Family::Sans,
                    strong: true,
                    size_pt: style.size_pt * scale,
                    ..*style
                };
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
                let bar = Rule {
                    x,
                    y: top,
                    width: 3.0,
                    height: self.y - top,
                    ink: Ink::Line,
                };
                self.laid.put_rule(bar);
            }
            Block::Code { text, .. } => {
                let pad = (style.size_pt * 0.5).round().min(width * 0.1);
                let size_pt = style.size_pt * 0.95;
                let top = self.y;
                let (ground, first_run) = (self.laid.rules.len(), self.laid.runs.len());
                self.y += pad;
                let style = Style {
                    family: Family::Sans,
                    size_pt,
                    ..*style
                };
                for line in text.split('\n') {
                    let content = [Inline::Span(Span::plain(line.replace('\t', "    ")))];
                    self.paragraph(&content, &style, x + pad, width - 2.0 * pad);
                }
                self.y += pad;
                let lines = self.laid.runs.get(first_run..).unwrap_or_default();
                let right = lines
                    .iter()
                    .map(|run| run.x + run.width)
                    .fold(x + pad, f32::max)
                    + pad;
                let wash = Rule {
                    x,
                    y: top,
                    width: right - x,
                    height: self.y - top,
                    ink: Ink::Wash,
                };
                self.laid.rules.insert(ground, wash);
                self.laid.reach(right);
            }
            Block::Table(table) => table::place(self, table, style, x, width),
            Block::Line => {
                let y = self.y + (style.line() * 0.25).round();
                let across = if width < f32::MAX / 2.0 {
                    width
                } else {
                    style.size_pt * 20.0
                };
                self.laid.put_rule(Rule {
                    x,
                    y,
                    width: across,
                    height: HAIRLINE_PT,
                    ink: Ink::Line,
                });
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
    fn list(
        &mut self,
        start: Option<u64>,
        items: &[Vec<Block>],
        style: &Style,
        x: f32,
        width: f32,
    ) {
        let mark_of = |i: usize| match start {
            Some(first) => format!("{}.", first.saturating_add(i as u64)),
            None => "•".to_owned(),
        };
        let face = style.face(&Span::default());
        let widest = (0..items.len())
            .map(|i| faces::width(&mark_of(i), face, style.size_pt))
            .fold(0.0, f32::max);
        let indent = (widest + style.size_pt * MARK_GAP).ceil().min(width * 0.5);
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.y += (style.line() * LIST_GAP).round();
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

/// Sets a formula for a text, made smaller where it is wider than the width; whether it fits now.
fn set_formula(
    tex: &str,
    style: &Style,
    width: f32,
    display: bool,
) -> Result<(FormulaBox, bool), FormulaError> {
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
    Span::plain(format!("{tex} ✗ {}", problem.why))
        .code()
        .ink(Ink::Wrong)
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::faces::Face;
    use crate::text::markdown::parse;
    use proptest::prelude::*;

    const PARAGRAPH: &str = "A quiz asked how self-attention computes a word's context from the words around it, and offered four \
        operations. Someone chose *average*, was marked wrong, and objected: the weights sum to one, so it *is* an average: \
        $A = \\sum_i p_i v_i$. Here is **every** reading of the four offers, computed.";

    fn words_of(laid: &Laid) -> String {
        laid.runs
            .iter()
            .map(|run| run.text.as_str())
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn baselines(laid: &Laid) -> Vec<f32> {
        let mut all: Vec<f32> = laid.runs.iter().map(|run| run.baseline_y).collect();
        all.dedup();
        all
    }

    #[test]
    fn a_paragraph_fills_lines_of_even_height_within_its_width() {
        let laid = layout(
            &parse("one two three four five six seven eight nine ten eleven twelve"),
            &Style::body(),
            120.0,
        );
        let baselines = baselines(&laid);
        assert!(baselines.len() > 2);
        for pair in baselines.windows(2) {
            assert_eq!(pair[1] - pair[0], Style::body().line());
        }
        assert!(laid.size[0] <= 120.0 && !laid.overflow);
        assert_eq!(
            words_of(&laid),
            "one two three four five six seven eight nine ten eleven twelve"
        );
    }

    #[test]
    fn a_tall_formula_raises_its_line_and_never_the_words() {
        let plain = layout(&parse("before and after"), &Style::body(), 500.0);
        let tall = layout(
            &parse(r"before $\frac{\frac{a}{b}}{\frac{c}{d}}$ after"),
            &Style::body(),
            500.0,
        );
        assert!(tall.size[1] > plain.size[1]);
        let lines = baselines(&tall);
        assert_eq!(lines.len(), 1, "all words on one baseline");
        assert!(
            tall.glyphs.iter().any(|g| g.baseline_y < lines[0])
                && tall.glyphs.iter().any(|g| g.baseline_y > lines[0])
        );
        assert!(
            tall.glyphs
                .iter()
                .all(|g| g.baseline_y > 0.0 && g.baseline_y < tall.size[1])
        );
    }

    #[test]
    fn manners_become_faces_and_colours() {
        let doc = Document::line([
            Span::plain("It balances at "),
            Span::plain("79").strong().ink(Ink::WeightedAverage),
            Span::plain("."),
        ]);
        let laid = layout(&doc, &Style::body(), 500.0);
        let told: Vec<_> = laid
            .runs
            .iter()
            .map(|r| (r.text.as_str(), r.face, r.ink))
            .collect();
        assert_eq!(
            told,
            [
                ("It balances at ", Face::Sans, Ink::Text),
                ("79", Face::SansSemibold, Ink::WeightedAverage),
                (".", Face::Sans, Ink::Text)
            ]
        );
        let ends = laid
            .runs
            .windows(2)
            .all(|pair| (pair[0].x + pair[0].width - pair[1].x).abs() < 1e-3);
        assert!(ends, "runs follow each other without a gap");
    }

    #[test]
    fn marks_hang_and_numbers_end_together() {
        let items: String = (9..=10)
            .map(|n| format!("{n}. many words that go on and on to the next line\n"))
            .collect();
        let laid = layout(&parse(&items), &Style::body(), 150.0);
        let (marks, words): (Vec<_>, Vec<_>) =
            laid.runs.iter().partition(|r| r.text.ends_with('.'));
        assert_eq!(marks.len(), 2);
        assert!((marks[0].x + marks[0].width - marks[1].x - marks[1].width).abs() < 1e-3);
        assert!(words.iter().all(|r| r.x == words[0].x) && words.len() > 2);
        assert_eq!(marks[0].baseline_y, words[0].baseline_y);
    }

    #[test]
    fn columns_stand_where_their_alignment_says() {
        let laid = layout(
            &parse("| offer | number |\n|---|--:|\n| sum | 240 |\n| plain mean | 80 |"),
            &Style::body(),
            600.0,
        );
        let run = |text: &str| laid.runs.iter().find(|r| r.text == text).unwrap();
        assert_eq!(run("sum").x, run("plain mean").x);
        let right = |text: &str| run(text).x + run(text).width;
        assert!(
            (right("240") - right("80")).abs() < 1e-3
                && (right("240") - right("number")).abs() < 0.1
        );
        assert_eq!(run("offer").face, Face::SansSemibold);
        assert_eq!(laid.rules.iter().filter(|r| r.ink == Ink::Line).count(), 2);
    }

    #[test]
    fn a_table_too_wide_wraps_its_cells_and_stays_within() {
        let cell = "a long reading of the offer that goes on ".repeat(4);
        let laid = layout(
            &parse(&format!("| a | b |\n|---|---|\n| {cell} | 79 |")),
            &Style::body(),
            300.0,
        );
        assert!(laid.size[0] <= 300.1 && !laid.overflow, "{:?}", laid.size);
        assert!(laid.runs.iter().any(|r| r.text == "79"));
    }

    #[test]
    fn what_cannot_be_broken_is_made_to_fit_or_told() {
        let long = layout(&parse(&"x".repeat(200)), &Style::body(), 100.0);
        assert!(!long.overflow && long.size[0] <= 100.0 && baselines(&long).len() > 5);
        let sum = (1..=12)
            .map(|i| format!("x_{{{i}}}"))
            .collect::<Vec<_>>()
            .join(" + ");
        let formula = layout(&parse(&format!("so ${sum}$")), &Style::body(), 300.0);
        assert!(!formula.overflow && formula.size[0] <= 300.0);
        assert!(layout(&parse(&format!("${sum}$")), &Style::body(), 40.0).overflow);
    }

    #[test]
    fn a_formula_that_does_not_read_is_shown_as_it_was_written() {
        for text in [
            r"see $\fraac{1}{2}$ there",
            "see\n\n$$\\fraac{1}{2}$$\n\nthere",
        ] {
            let laid = layout(&parse(text), &Style::body(), 900.0);
            assert!(
                words_of(&laid).contains(r"\fraac{1}{2}"),
                "{}",
                words_of(&laid)
            );
            assert_eq!(laid.problems.len(), 1);
            assert!(laid.runs.iter().any(|r| r.ink == Ink::Wrong));
        }
    }

    #[test]
    fn the_ground_of_code_keeps_within_the_width() {
        let code = format!(
            "many words that fill the whole width of the line\n\n```\n{}\n```",
            "q @ k.T ".repeat(30)
        );
        let laid = layout(&parse(&code), &Style::body(), 200.0);
        let ground = laid.rules.iter().find(|r| r.ink == Ink::Wash).unwrap();
        assert!(ground.x + ground.width <= 200.0 && ground.y + ground.height == laid.size[1]);
    }

    #[test]
    fn a_comma_after_a_formula_stays_with_it() {
        for width in 60..200 {
            let laid = layout(
                &parse("with many words and ($q$), then"),
                &Style::body(),
                width as f32,
            );
            let comma = laid.runs.iter().find(|r| r.text.starts_with("),")).unwrap();
            assert_eq!(comma.baseline_y, laid.glyphs[0].baseline_y, "at {width}");
        }
    }

    #[test]
    fn links_are_underlined_and_keep_their_target() {
        let laid = layout(
            &parse("see [the paper](https://example.org/a)"),
            &Style::body(),
            400.0,
        );
        assert_eq!(laid.links.len(), 1);
        assert_eq!(laid.links[0].target, "https://example.org/a");
        assert_eq!(laid.rules.len(), 1);
    }

    #[test]
    fn a_paragraph_takes_well_under_a_millisecond() {
        let doc = parse(PARAGRAPH);
        let _ = layout(&doc, &Style::body(), 500.0);
        let start = std::time::Instant::now();
        for i in 0..50 {
            let _ = layout(&doc, &Style::body(), 400.0 + i as f32);
        }
        let each = start.elapsed() / 50;
        println!("{each:?}");
        assert!(each.as_micros() < 5_000, "{each:?} (unoptimised)");
    }

    proptest! {
        #[test]
        fn no_text_is_lost_or_leaves_its_width(
            text in "([a-zA-Z0-9]{1,30}|[ \n*_`#>|.,;:()-]{1,3}|\\$[a-z^_+]{1,5}\\$|é|日本|\\$\\$x\\$\\$){0,40}",
            width in 20.0_f32..600.0,
            serif in any::<bool>(),
        ) {
            let doc = parse(&text);
            let style = if serif { Style::prompt() } else { Style::body() };
            let laid = layout(&doc, &style, width);
            if !laid.overflow {
                for run in &laid.runs {
                    prop_assert!(run.x + run.width <= width + 0.1, "{run:?} beyond {width}");
                    prop_assert!((faces::width(&run.text, run.face, run.size_pt) - run.width).abs() < 1e-3);
                }
            }
            for run in &laid.runs {
                prop_assert!(run.x >= 0.0 && run.baseline_y >= 0.0 && run.baseline_y <= laid.size[1]);
            }
            // The same letters at every width, and no fewer than the words that were read.
            let letters = |laid: &Laid| {
                let mut all: Vec<char> = laid.runs.iter().flat_map(|r| r.text.chars()).filter(|c| c.is_alphanumeric()).collect();
                all.sort_unstable();
                (all, laid.glyphs.len())
            };
            prop_assert_eq!(letters(&laid), letters(&layout(&doc, &style, f32::INFINITY)));
        }

        #[test]
        fn any_text_at_all_can_be_shown_said_and_copied(text in "\\PC{0,80}", width in 0.0_f32..500.0) {
            let doc = parse(&text);
            let words = crate::words::Words::english();
            let laid = layout(&doc, &Style::body(), width);
            prop_assert!(laid.size.iter().all(|s| s.is_finite()));
            let _ = crate::text::spoken::spoken(&doc, &words);
            let _ = crate::text::plain::lines(&doc, width as usize, &words);
            let _ = parse(&crate::text::to_markdown(&doc));
        }

        #[test]
        fn plain_words_are_all_there(words in proptest::collection::vec("[a-z]{1,12}", 1..60), width in 30.0_f32..400.0) {
            let laid = layout(&Document::plain(words.join(" ")), &Style::quiet(), width);
            let shown: String = laid.runs.iter().flat_map(|r| r.text.chars()).filter(|c| *c != ' ').collect();
            prop_assert_eq!(shown, words.concat());
        }
    }
}
