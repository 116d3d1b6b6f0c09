//! The pipeline as a strip of stages: each with its name, its formula, the numbers put in, and the array that comes out.
//!
//! Before the answer only names and formulas stand there. The strip is as tall as its stages need: a page scrolls, a formula does not shrink
//! to nothing. Arrays with more columns than fit go on underneath.

use super::place::{LABEL_PT, Label};
use super::said::{FigureMsg as M, listed, row_of, spans};
use super::{Align, Drawing, FigureInput, Mark, Moment, Picture, Place, Scene, Table, weights, weights_told};
use crate::text::document::Inline;
use crate::text::spoken::spoken_line;
use crate::text::{Document, Ink, Style, layout};
use crate::words::Words;
use crate::worked_example::{Step, steps};

/// Where the stages' words begin; the strip runs to the left of them.
const INDENT_PT: f32 = 24.0;
const RAIL_X: f32 = 7.0;
const ROW_PT: f32 = 19.0;
const BETWEEN_STAGES_PT: f32 = 20.0;

/// The strip of any example.
pub(super) fn draw(input: &FigureInput) -> Option<Drawing> {
    let words = input.words;
    let stages = steps(input.computed, words);
    let after = input.moment == Moment::After;
    let mut strip = Strip { words, width: input.size[0].max(200.0), y: 0.0, marks: Vec::new() };
    let mut dots = Vec::new();
    for stage in &stages {
        dots.push(strip.y + 11.0);
        strip.stage(stage, after);
        strip.y += BETWEEN_STAGES_PT;
    }
    strip.rail(&dots);
    let headline = match (after, weights::focus_word(input.example)) {
        (false, _) => spans(&M::StepsHidden, words),
        (true, Some(word)) => spans(&M::StepsHeadline { word }, words),
        (true, None) => spans(&M::StepsHeadlineValues, words),
    };
    let size = [strip.width, (strip.y - BETWEEN_STAGES_PT).max(0.0)];
    let table = if after { weights_told::table(input) } else { Table::default() };
    let sentence = if after { sentence(&stages, words) } else { headline.iter().map(|s| s.text.as_str()).collect() };
    Some(Drawing { headline, picture: Picture::Scene(Scene { size, marks: strip.marks, handles: Vec::new() }), table, sentence })
}

/// Every stage and its numbers, said.
fn sentence(stages: &[Step], words: &Words) -> String {
    let said = stages.iter().flat_map(|stage| {
        stage.rows.iter().map(|(row, numbers)| {
            let name = if row.is_empty() || *row == stage.name { stage.name.clone() } else { format!("{}, {row}", stage.name) };
            let named = (stage.columns.iter().zip(numbers))
                .map(|(item, value)| words.say(&M::ItemIs { item: item.clone(), value: *value }))
                .collect::<Vec<_>>();
            words.say(&M::StepSaid { name, list: listed(&named, words) })
        })
    });
    said.collect::<Vec<_>>().join(" ")
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
    fn stage(&mut self, stage: &Step, after: bool) {
        let name = Label::new(stage.name.clone(), Ink::Text).strong().sized(15.0);
        let name_width = name.width();
        let room = self.width - INDENT_PT;
        let formula = formula(&stage.formula, Ink::Quiet, 15.0, room);
        let beside = INDENT_PT + name_width + 16.0 + formula.size[0] <= self.width;
        let line = if beside { formula.size[1].max(22.0) } else { 22.0 };
        self.text(&name, [INDENT_PT, self.y + line / 2.0 + 5.0], Align::Left);
        let formula_height = formula.size[1];
        let at = if beside { [self.width - formula.size[0], self.y + (line - formula_height) / 2.0] } else { [INDENT_PT, self.y + line] };
        self.rich(at, formula, &stage.formula);
        self.y += if beside { line } else { line + formula_height };
        if !after {
            return;
        }
        if !stage.substituted.is_empty() {
            let numbers = formula_of(&stage.substituted, room);
            let height = numbers.size[1];
            self.rich([INDENT_PT, self.y + 2.0], numbers, &stage.substituted);
            self.y += height + 4.0;
        }
        self.array(stage);
    }

    /// The array that comes out, in as many pieces side by side as fit.
    fn array(&mut self, stage: &Step) {
        let rows: Vec<(&str, Vec<String>)> = stage.rows.iter().map(|(name, numbers)| (name.as_str(), row_of(numbers, self.words))).collect();
        if rows.is_empty() {
            return;
        }
        let measure = |text: &str| Label::new(text, Ink::Text).strong().width();
        let names = rows.iter().map(|(name, _)| measure(name)).fold(0.0, f32::max);
        let names = if names > 0.0 { (names + 16.0).min(0.4 * self.width) } else { 0.0 };
        let columns = rows.iter().map(|(_, texts)| texts.len()).max().unwrap_or(0);
        let widest = (0..columns)
            .flat_map(|c| rows.iter().filter_map(move |(_, texts)| texts.get(c)).map(String::as_str).chain(stage.columns.get(c).map(String::as_str)))
            .map(measure)
            .fold(0.0, f32::max)
            + 18.0;
        let room = self.width - INDENT_PT - names;
        let a_line = ((room / widest).floor().max(1.0)) as usize;
        let wide = widest.min(room / a_line as f32);
        for from in (0..columns).step_by(a_line) {
            let some: Vec<usize> = (from..columns.min(from + a_line)).collect();
            let right = |k: usize| INDENT_PT + names + (k as f32 + 1.0) * wide - 6.0;
            if !stage.columns.is_empty() {
                self.y += ROW_PT;
                for (k, c) in some.iter().enumerate() {
                    let Some(column) = stage.columns.get(*c) else { continue };
                    let label = Label::new(super::axes::shortened(column, wide - 8.0), Ink::Quiet);
                    self.text(&label, [right(k), self.y - 5.0], Align::Right);
                }
            }
            for (name, texts) in &rows {
                self.y += ROW_PT;
                let label = Label::new(super::axes::shortened(name, names - 6.0), Ink::Quiet);
                self.text(&label, [INDENT_PT, self.y - 5.0], Align::Left);
                for (k, c) in some.iter().enumerate() {
                    if let Some(text) = texts.get(*c) {
                        self.text(&Label::new(text.clone(), Ink::Text).strong(), [right(k), self.y - 5.0], Align::Right);
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
        let Label { text, face, size, ink } = label.clone();
        self.marks.push(Mark::Text { at, align, text, face, size, ink });
    }

    fn rich(&mut self, at: Place, laid: crate::text::Laid, tex: &str) {
        let spoken = spoken_line(&[Inline::formula(tex)], self.words);
        self.marks.push(Mark::Rich { at, laid: Box::new(laid), spoken });
    }

    /// The line that joins the stages, under their dots.
    fn rail(&mut self, dots: &[f32]) {
        for pair in dots.windows(2) {
            if let [from, to] = pair {
                self.marks.push(Mark::Line { from: [RAIL_X, from + 8.0], to: [RAIL_X, to - 8.0], ink: Ink::Line, width: 2.0, dashed: false });
            }
        }
        for y in dots {
            self.marks.push(Mark::Circle { centre: [RAIL_X, *y], radius: 4.5, fill: Some(Ink::Card), stroke: Some((Ink::BlockLine, 1.75)) });
        }
    }
}

/// A formula laid out.
fn formula(tex: &str, ink: Ink, size: f32, room: f32) -> crate::text::Laid {
    layout(&Document::line([Inline::formula(tex)]), &Style::body().size(size).ink(ink), room)
}

/// A working: broken at its equals signs where it is too long for one line.
fn formula_of(tex: &str, room: f32) -> crate::text::Laid {
    let whole = formula(tex, Ink::Text, LABEL_PT + 1.0, f32::MAX);
    if whole.size[0] <= room {
        return whole;
    }
    let pieces = top_level_pieces(tex).into_iter().map(Inline::formula);
    layout(&Document::line(pieces), &Style::body().size(LABEL_PT + 1.0), room)
}

/// The formula cut before every `=` and `+` that stands outside braces and brackets.
fn top_level_pieces(tex: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut depth = 0_usize;
    for c in tex.chars() {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let last_is_empty = pieces.last().is_none_or(|p| p.trim().is_empty());
        if depth == 0 && matches!(c, '=' | '+') && !last_is_empty && !tex.contains("\\left") {
            pieces.push("{}".to_owned());
        }
        if let Some(last) = pieces.last_mut() {
            last.push(c);
        }
    }
    pieces
}
