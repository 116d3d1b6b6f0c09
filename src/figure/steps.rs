//! The pipeline as a strip of stages: each with its name, its formula, the numbers put in, and the array that comes out.
//!
//! Before the answer only names and formulas stand there. The strip is as tall as its stages need: a page scrolls, a formula does not shrink
//! to nothing. Arrays with more columns than fit go on underneath.

use super::place::Label;
use super::said::{FigureMsg as M, listed, row_of, spans, vector};
use super::{Align, Drawing, FigureInput, Mark, Moment, Picture, Place, Scene, Table, weights};
use crate::text::document::Inline;
use crate::text::spoken::spoken_line;
use crate::text::{Document, Ink, Span, Style, layout};
use crate::words::Words;
use crate::worked_example::{Quantity, Step, steps};

/// Where the stages' words begin; the strip runs to the left of them.
const INDENT_PT: f32 = 24.0;
const RAIL_X: f32 = 7.0;
const FORMULA_PT: f32 = 16.0;
const WORKING_PT: f32 = 15.0;
/// What stands between the parts of a working.
const PARTS_APART: &str = r",\quad ";
const ROW_PT: f32 = 19.0;
const COLUMN_GAP_PT: f32 = 22.0;
const BETWEEN_STAGES_PT: f32 = 20.0;

/// The strip of any example.
pub(super) fn draw(input: &FigureInput) -> Option<Drawing> {
    let words = input.words;
    let stages = steps(input.computed, words);
    let after = input.moment == Moment::After;
    let mut strip = Strip {
        words,
        width: input.size[0].max(200.0),
        y: 0.0,
        marks: Vec::new(),
    };
    let mut dots = Vec::new();
    for stage in &stages {
        dots.push(strip.stage(stage, after));
        strip.y += BETWEEN_STAGES_PT;
    }
    strip.rail(&dots);
    let headline = match (after, weights::focus_word(input.example)) {
        (false, _) => spans(&M::StepsHidden, words),
        (true, Some(word)) => spans(&M::StepsHeadline { word }, words),
        (true, None) => spans(&M::StepsHeadlineValues, words),
    };
    let size = [strip.width, (strip.y - BETWEEN_STAGES_PT).max(0.0)];
    let table = if after {
        weights::table(input)
    } else {
        Table::default()
    };
    let sentence = if after {
        sentence(&stages, words)
    } else {
        headline.iter().map(|s| s.text.as_str()).collect()
    };
    Some(Drawing {
        headline,
        picture: Picture::Scene(Scene {
            size,
            marks: strip.marks,
            handles: Vec::new(),
        }),
        table,
        sentence,
    })
}

/// Every stage and its numbers, said.
fn sentence(stages: &[Step], words: &Words) -> String {
    let mut said = Vec::new();
    for stage in stages {
        for (row, numbers) in &stage.rows {
            // A lone row is what the stage is named after.
            let name = if stage.rows.len() == 1 {
                stage.name.clone()
            } else {
                format!("{}, {row}", stage.name)
            };
            let list = if matches!(stage.quantity, Quantity::Output(_)) {
                vector(numbers, words)
            } else {
                let items = stage.columns.iter().zip(numbers);
                let items: Vec<String> = items
                    .map(|(item, value)| {
                        words.say(&M::ItemIs {
                            item: item.clone(),
                            value: *value,
                        })
                    })
                    .collect();
                listed(&items, words)
            };
            said.push(words.say(&M::StepSaid { name, list }));
        }
    }
    said.join(" ")
}

/// The stages placed so far.
struct Strip<'a> {
    words: &'a Words,
    width: f32,
    /// Where the next thing begins.
    y: f32,
    marks: Vec<Mark>,
}

impl Strip<'_> {
    /// Places a stage and gives back the height at which its name stands.
    fn stage(&mut self, stage: &Step, after: bool) -> f32 {
        let name = Label::new(stage.name.clone(), Ink::Text)
            .strong()
            .sized(15.0);
        let name_width = name.width();
        let room = self.width - INDENT_PT;
        let formula = formula(&stage.formula, Ink::Quiet, FORMULA_PT, room);
        let beside = INDENT_PT + name_width + 16.0 + formula.size[0] <= self.width;
        let line = if beside {
            formula.size[1].max(22.0)
        } else {
            22.0
        };
        let middle = self.y + line / 2.0;
        self.text(&name, [INDENT_PT, middle + 5.0], Align::Left);
        let formula_height = formula.size[1];
        let at = if beside {
            [
                self.width - formula.size[0],
                self.y + (line - formula_height) / 2.0,
            ]
        } else {
            [INDENT_PT, self.y + line]
        };
        self.rich(at, formula, &stage.formula);
        self.y += if beside { line } else { line + formula_height };
        if !after {
            return middle;
        }
        if !stage.substituted.is_empty() {
            let numbers = formula_of(&stage.substituted, room);
            let height = numbers.size[1];
            self.rich([INDENT_PT, self.y + 2.0], numbers, &stage.substituted);
            self.y += height + 4.0;
        }
        self.array(stage);
        middle
    }

    /// The array that comes out; columns that do not fit go on underneath.
    fn array(&mut self, stage: &Step) {
        let rows: Vec<(&str, Vec<String>)> = stage
            .rows
            .iter()
            .map(|(name, numbers)| (name.as_str(), row_of(numbers, self.words)))
            .collect();
        let measure = |text: &str| Label::new(text, Ink::Text).strong().width();
        // A lone row is what the stage is named after.
        let named = rows.len() > 1;
        let names = if named {
            rows.iter()
                .map(|(name, _)| measure(name))
                .fold(0.0, f32::max)
                .min(0.4 * self.width)
        } else {
            0.0
        };
        let columns = rows.iter().map(|(_, texts)| texts.len()).max().unwrap_or(0);
        let room = self.width - INDENT_PT - names;
        let width = |c: usize| {
            let numbers = rows
                .iter()
                .filter_map(|(_, texts)| texts.get(c))
                .map(|t| measure(t));
            let first = if c == 0 && !named { 0.0 } else { COLUMN_GAP_PT };
            (numbers
                .chain(stage.columns.get(c).map(|t| measure(t)))
                .fold(0.0, f32::max)
                + first)
                .min(room)
        };
        let mut from = 0;
        while from < columns {
            let (mut right, mut some) = (0.0, Vec::new());
            for c in from..columns {
                if !some.is_empty() && right + width(c) > room {
                    break;
                }
                right += width(c);
                some.push((c, INDENT_PT + names + right, width(c)));
            }
            from += some.len();
            // A lone number needs no head.
            if columns > 1 {
                self.y += ROW_PT;
                for (c, right, wide) in &some {
                    let Some(column) = stage.columns.get(*c) else {
                        continue;
                    };
                    self.text(
                        &Label::new(super::axes::shortened(column, *wide), Ink::Quiet),
                        [*right, self.y - 5.0],
                        Align::Right,
                    );
                }
            }
            for (r, (name, texts)) in rows.iter().enumerate() {
                self.y += ROW_PT;
                if named {
                    self.text(
                        &Label::new(super::axes::shortened(name, names), Ink::Quiet),
                        [INDENT_PT, self.y - 5.0],
                        Align::Left,
                    );
                }
                let result = r + 1 == rows.len()
                    && matches!(stage.quantity, Quantity::Weight(_) | Quantity::Output(_));
                let ink = if result {
                    Ink::WeightedAverage
                } else {
                    Ink::Text
                };
                for (c, right, _) in &some {
                    if let Some(text) = texts.get(*c) {
                        self.text(
                            &Label::new(text.clone(), ink).strong(),
                            [*right, self.y - 5.0],
                            Align::Right,
                        );
                    }
                }
            }
            self.y += 4.0;
        }
    }

    fn text(&mut self, label: &Label, at: Place, align: Align) {
        if label.text.is_empty() {
            return;
        }
        let Label {
            text,
            face,
            size,
            ink,
        } = label.clone();
        self.marks.push(Mark::Text {
            at,
            align,
            text,
            face,
            size,
            ink,
        });
    }

    fn rich(&mut self, at: Place, laid: crate::text::Laid, tex: &str) {
        let spoken = spoken_line(&[Inline::formula(tex)], self.words);
        self.marks.push(Mark::Rich {
            at,
            laid: Box::new(laid),
            spoken,
        });
    }

    /// The line that joins the stages, under their dots.
    fn rail(&mut self, dots: &[f32]) {
        for pair in dots.windows(2) {
            if let [from, to] = pair {
                self.marks.push(Mark::Line {
                    from: [RAIL_X, from + 8.0],
                    to: [RAIL_X, to - 8.0],
                    ink: Ink::Line,
                    width: 2.0,
                    dashed: false,
                });
            }
        }
        for y in dots {
            self.marks.push(Mark::Circle {
                centre: [RAIL_X, *y],
                radius: 4.5,
                fill: Some(Ink::Card),
                stroke: Some((Ink::BlockLine, 1.75)),
            });
        }
    }
}

/// A formula laid out, its fractions as on a line of their own: among words their exponents would be too small to read.
fn formula(tex: &str, ink: Ink, size: f32, room: f32) -> crate::text::Laid {
    layout(
        &Document::line([Inline::formula(displayed(tex))]),
        &Style::body().size(size).ink(ink),
        room,
    )
}

fn displayed(tex: &str) -> String {
    format!(r"\displaystyle {tex}")
}

/// A working; too long for one line, it is set a little smaller, or broken between its parts, or else before its signs.
fn formula_of(tex: &str, room: f32) -> crate::text::Laid {
    let whole = [WORKING_PT, WORKING_PT - 1.0, WORKING_PT - 2.0]
        .map(|size| formula(tex, Ink::Text, size, f32::MAX));
    if let Some(fits) = whole.into_iter().find(|laid| laid.size[0] <= room) {
        return fits;
    }
    let parts: Vec<&str> = tex.split(PARTS_APART).collect();
    let last = parts.len() - 1;
    let part = |(i, part): (usize, &&str)| format!("{part}{}", if i < last { "," } else { "" });
    let by_parts: Vec<(&str, String)> = (parts.iter().enumerate())
        .map(|of| ("   ", part(of)))
        .collect();
    let by_signs: Vec<(&str, String)> = (parts.iter().enumerate())
        .flat_map(|of| {
            let pieces = before_signs(&part(of)).into_iter().enumerate();
            pieces.map(|(n, piece)| (if n == 0 { "   " } else { " " }, piece))
        })
        .collect();
    let set = |pieces: &[(&str, String)], display: bool, size: f32| {
        let pieces = pieces.iter().enumerate().flat_map(|(i, (gap, piece))| {
            let gap = (i > 0).then(|| Inline::Span(Span::plain(*gap)));
            let tex = if display {
                displayed(piece)
            } else {
                piece.clone()
            };
            gap.into_iter().chain([Inline::formula(tex)])
        });
        let style = Style::body().size(size);
        layout(&Document::line(pieces.collect::<Vec<_>>()), &style, room)
    };
    for (pieces, display) in [(&by_parts, true), (&by_signs, true), (&by_signs, false)] {
        let broken = set(pieces, display, WORKING_PT);
        if broken.size[0] <= room {
            return broken;
        }
    }
    // What still stands out cannot be broken, a fraction or one long number: it is set as small as that needs.
    let broken = set(&by_signs, false, WORKING_PT);
    set(
        &by_signs,
        false,
        0.98 * WORKING_PT * room / broken.size[0].max(room),
    )
}

/// The formula cut before every `=`, `≈` and `+` that stands outside braces and brackets.
fn before_signs(tex: &str) -> Vec<String> {
    if tex.contains("\\left") {
        return vec![tex.to_owned()];
    }
    let mut pieces = vec![String::new()];
    let mut depth = 0_usize;
    let mut rest = tex;
    while let Some(c) = rest.chars().next() {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let begun = pieces.last().is_some_and(|p| !p.trim().is_empty());
        if depth == 0 && begun && (matches!(c, '=' | '+') || rest.starts_with("\\approx")) {
            pieces.push("{}".to_owned());
        }
        if let Some(last) = pieces.last_mut() {
            last.push(c);
        }
        rest = rest.get(c.len_utf8()..).unwrap_or("");
    }
    pieces
}
