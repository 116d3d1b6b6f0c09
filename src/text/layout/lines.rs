//! Words and formulas into lines.
//!
//! The words of a paragraph are joined into one text in which a formula is a single letter; Unicode's line breaking cuts it into
//! segments; segments fill lines, and each line gathers neighbouring words of one manner into runs.

use std::ops::Range;

use unicode_linebreak::{BreakOpportunity, linebreaks};
use unicode_segmentation::UnicodeSegmentation as _;

use super::{HAIRLINE_PT, Laid, Link, Rule, Run, SLACK_PT, Style, problem_span, set_formula};
use crate::text::document::{Inline, Span};
use crate::text::faces::{self, Face};
use crate::text::formula::FormulaBox;
use crate::text::palette::Ink;

/// Kept free above and below a formula that is taller than its line, in points.
const FORMULA_GAP_PT: f32 = 2.0;

/// One line: what stands on it, from its own left edge.
pub(super) struct Line {
    items: Vec<(f32, Item)>,
    /// Its width without spaces at the end.
    pub(super) width: f32,
}

enum Item {
    Run {
        text: String,
        face: Face,
        width: f32,
        span: Span,
    },
    Formula(FormulaBox),
}

/// Where the baseline stands in a line without tall formulas, in whole points.
pub(super) fn baseline_in_line(style: &Style) -> f32 {
    let metrics = style.face(&Span::default()).metrics(style.size_pt);
    ((style.line() - metrics.ascent - metrics.descent) / 2.0 + metrics.ascent).round()
}

impl Line {
    /// Places the line with its top at `top`; its bottom.
    pub(super) fn put(&self, laid: &mut Laid, style: &Style, x: f32, top: f32) -> f32 {
        let (ascent, descent) = self.extent(style);
        let baseline = top + ascent;
        for (dx, item) in &self.items {
            match item {
                Item::Formula(set) => laid.put_formula(set, x + dx, baseline, style.ink),
                Item::Run {
                    text,
                    face,
                    width,
                    span,
                } => {
                    let run = Run {
                        text: text.clone(),
                        face: *face,
                        size_pt: style.size_pt,
                        x: x + dx,
                        baseline_y: baseline,
                        width: *width,
                        ink: span.ink.unwrap_or(style.ink),
                    };
                    decorate(laid, &run, span);
                    laid.put_run(run);
                }
            }
        }
        baseline + descent
    }

    /// From the top to the baseline and from there to the bottom, in whole points.
    fn extent(&self, style: &Style) -> (f32, f32) {
        let ascent = baseline_in_line(style);
        let descent = style.line() - ascent;
        self.items
            .iter()
            .fold((ascent, descent), |(up, down), (_, item)| match item {
                Item::Formula(set) => (
                    up.max((set.ascent + FORMULA_GAP_PT).ceil()),
                    down.max((set.descent + FORMULA_GAP_PT).ceil()),
                ),
                Item::Run { .. } => (up, down),
            })
    }
}

/// The ground of code and the underline of a link.
fn decorate(laid: &mut Laid, run: &Run, span: &Span) {
    let metrics = run.face.metrics(run.size_pt);
    let (top, bottom) = (
        run.baseline_y - metrics.ascent,
        run.baseline_y + metrics.descent,
    );
    if span.code {
        // The ground keeps within the words' width, so that it never reaches beyond the line.
        let (y, height) = (run.baseline_y - run.size_pt * 0.85, run.size_pt * 1.15);
        laid.put_rule(Rule {
            x: run.x,
            y,
            width: run.width,
            height,
            ink: Ink::Wash,
        });
    }
    if let Some(target) = &span.link {
        let y = run.baseline_y + (run.size_pt * 0.12).round().max(1.0);
        laid.put_rule(Rule {
            x: run.x,
            y,
            width: run.width,
            height: HAIRLINE_PT,
            ink: run.ink,
        });
        laid.links.push(Link {
            target: target.clone(),
            rect: [run.x, top, run.x + run.width, bottom],
        });
    }
}

/// What the joined text is made of.
enum Piece<'a> {
    Words(&'a Span, Face),
    Formula(FormulaBox),
}

/// A stretch of one piece that is never broken.
#[derive(Clone)]
struct Fragment {
    piece: usize,
    bytes: Range<usize>,
}

/// A stretch between two places where a line may end.
struct Segment {
    fragments: Vec<Fragment>,
    /// With the spaces at its end, and without them.
    width: f32,
    trimmed: f32,
}

/// A paragraph's joined text.
struct Joined<'a> {
    text: String,
    pieces: Vec<(Range<usize>, Piece<'a>)>,
    size_pt: f32,
}

/// Breaks a paragraph into lines; problems with formulas and what cannot fit are told in `laid`.
pub(super) fn break_lines(
    content: &[Inline],
    style: &Style,
    width: f32,
    laid: &mut Laid,
) -> Vec<Line> {
    // A formula that does not read is replaced by its source before anything is measured.
    let mut sources = Vec::new();
    let formulas: Vec<Option<FormulaBox>> = content
        .iter()
        .map(|inline| {
            let Inline::Formula(tex) = inline else {
                return None;
            };
            match set_formula(tex, style, width, false) {
                Ok((set, fits)) => {
                    laid.overflow |= !fits;
                    Some(set)
                }
                Err(problem) => {
                    sources.push(problem_span(tex, &problem));
                    laid.problems.push(problem);
                    None
                }
            }
        })
        .collect();

    let (mut lines, mut sources) = (Vec::new(), sources.iter());
    let mut joined = Joined::new(style.size_pt);
    for (inline, set) in content.iter().zip(formulas) {
        match (inline, set) {
            (Inline::Break, _) => {
                joined.fill(width, laid, &mut lines);
                joined = Joined::new(style.size_pt);
            }
            (Inline::Span(span), _) => joined.words(span, style),
            (Inline::Formula(_), Some(set)) => joined.formula(set),
            (Inline::Formula(_), None) => {
                if let Some(Inline::Span(span)) = sources.next() {
                    joined.words(span, style);
                }
            }
        }
    }
    joined.fill(width, laid, &mut lines);
    lines
}

impl<'a> Joined<'a> {
    fn new(size_pt: f32) -> Self {
        Self {
            text: String::new(),
            pieces: Vec::new(),
            size_pt,
        }
    }

    fn words(&mut self, span: &'a Span, style: &Style) {
        if !span.text.is_empty() {
            let from = self.text.len();
            self.text.push_str(&span.text);
            self.pieces
                .push((from..self.text.len(), Piece::Words(span, style.face(span))));
        }
    }

    /// A formula breaks like a letter: "($q$)," stays together.
    fn formula(&mut self, set: FormulaBox) {
        let from = self.text.len();
        self.text.push('x');
        self.pieces
            .push((from..self.text.len(), Piece::Formula(set)));
    }

    /// Fills lines with the segments, as many as fit on each.
    fn fill(&self, width: f32, laid: &mut Laid, lines: &mut Vec<Line>) {
        let mut on_line: Vec<Segment> = Vec::new();
        let mut before = 0.0;
        for (segment, ends) in self.segments(width, laid) {
            if !on_line.is_empty() && before + segment.trimmed > width {
                self.end_line(&mut on_line, width, lines);
                before = on_line.iter().map(|s| s.width).sum();
            }
            before += segment.width;
            on_line.push(segment);
            if ends {
                while !on_line.is_empty() {
                    self.end_line(&mut on_line, width, lines);
                }
                before = 0.0;
            }
        }
        while !on_line.is_empty() {
            self.end_line(&mut on_line, width, lines);
        }
        if self.text.is_empty() {
            lines.push(Line {
                items: Vec::new(),
                width: 0.0,
            });
        }
    }

    /// Makes a line of the segments. Shaping across spaces may add a hair to the sum of the words: then the last segments stay behind.
    fn end_line(&self, segments: &mut Vec<Segment>, width: f32, lines: &mut Vec<Line>) {
        let mut count = segments.len();
        let mut line = self.line(segments);
        while count > 1 && line.width > width + SLACK_PT {
            count -= 1;
            line = self.line(segments.get(..count).unwrap_or_default());
        }
        segments.drain(..count);
        lines.push(line);
    }

    fn line(&self, segments: &[Segment]) -> Line {
        let mut merged: Vec<Fragment> = Vec::new();
        for fragment in segments.iter().flat_map(|s| &s.fragments) {
            match merged.last_mut() {
                Some(last) if last.piece == fragment.piece => last.bytes.end = fragment.bytes.end,
                _ => merged.push(fragment.clone()),
            }
        }
        let mut line = Line {
            items: Vec::new(),
            width: 0.0,
        };
        let count = merged.len();
        for (i, Fragment { piece, bytes }) in merged.into_iter().enumerate() {
            match self.pieces.get(piece) {
                Some((_, Piece::Formula(set))) => {
                    let x = line.width;
                    line.width += set.width;
                    line.items.push((x, Item::Formula(set.clone())));
                }
                Some((_, Piece::Words(span, face))) => {
                    let text = self.text.get(bytes).unwrap_or_default();
                    let text = if i + 1 == count {
                        text.trim_end_matches(is_dropped)
                    } else {
                        text
                    };
                    if text.is_empty() {
                        continue;
                    }
                    let width = faces::width(text, *face, self.size_pt);
                    let item = Item::Run {
                        text: text.to_owned(),
                        face: *face,
                        width,
                        span: (*span).clone(),
                    };
                    line.items.push((line.width, item));
                    line.width += width;
                }
                None => {}
            }
        }
        line
    }

    /// The segments, and whether a line must end after each; those wider than a line are cut between graphemes.
    fn segments(&self, width: f32, laid: &mut Laid) -> Vec<(Segment, bool)> {
        let mut out = Vec::new();
        let (mut from, mut first_piece) = (0, 0);
        for (to, opportunity) in linebreaks(&self.text) {
            let must = opportunity == BreakOpportunity::Mandatory && to < self.text.len();
            while self
                .pieces
                .get(first_piece)
                .is_some_and(|(bytes, _)| bytes.end <= from)
            {
                first_piece += 1;
            }
            let mut fragments = Vec::new();
            for (piece, (bytes, _)) in self.pieces.iter().enumerate().skip(first_piece) {
                if bytes.start >= to {
                    break;
                }
                fragments.push(Fragment {
                    piece,
                    bytes: bytes.start.max(from)..bytes.end.min(to),
                });
            }
            let segment = self.segment(fragments);
            if segment.trimmed <= width {
                out.push((segment, must));
            } else {
                let mut cut = self.cut(&segment.fragments, width);
                laid.overflow |= cut.iter().any(|part| part.trimmed > width);
                let last = cut.pop();
                out.extend(cut.into_iter().map(|part| (part, false)));
                out.extend(last.map(|part| (part, must)));
            }
            from = to;
        }
        out
    }

    fn segment(&self, fragments: Vec<Fragment>) -> Segment {
        let (mut width, mut trimmed) = (0.0, 0.0);
        for fragment in &fragments {
            match self.pieces.get(fragment.piece) {
                Some((_, Piece::Formula(set))) => {
                    width += set.width;
                    trimmed = width;
                }
                Some((_, Piece::Words(_, face))) => {
                    let text = self.text.get(fragment.bytes.clone()).unwrap_or_default();
                    let words = text.trim_end_matches(is_dropped);
                    let of_words = faces::width(words, *face, self.size_pt);
                    if !words.is_empty() {
                        trimmed = width + of_words;
                    }
                    let spaces = text.get(words.len()..).unwrap_or_default();
                    width += of_words + faces::width(spaces, *face, self.size_pt);
                }
                None => {}
            }
        }
        Segment {
            fragments,
            width,
            trimmed,
        }
    }

    /// Cuts what is wider than a line into parts that are not, as far as single graphemes allow.
    fn cut(&self, fragments: &[Fragment], width: f32) -> Vec<Segment> {
        let mut parts = Vec::new();
        let mut part: Vec<Fragment> = Vec::new();
        let mut used = 0.0;
        for Fragment { piece, bytes } in fragments {
            let text = self.text.get(bytes.clone()).unwrap_or_default();
            for (at, grapheme) in text.grapheme_indices(true) {
                let own = match self.pieces.get(*piece) {
                    Some((_, Piece::Formula(set))) => set.width,
                    Some((_, Piece::Words(_, face))) => faces::width(grapheme, *face, self.size_pt),
                    None => 0.0,
                };
                let bytes = bytes.start + at..bytes.start + at + grapheme.len();
                // Kerning may widen what was added up, so a little is kept in hand.
                if !part.is_empty() && (used + own) * 1.02 > width {
                    parts.push(self.segment(std::mem::take(&mut part)));
                    used = 0.0;
                }
                used += own;
                match part.last_mut() {
                    Some(last) if last.piece == *piece => last.bytes.end = bytes.end,
                    _ => part.push(Fragment {
                        piece: *piece,
                        bytes,
                    }),
                }
            }
        }
        parts.push(self.segment(part));
        parts
    }
}

/// Spaces that vanish at the end of a line. A no-break space stays.
fn is_dropped(c: char) -> bool {
    c.is_whitespace() && c != '\u{A0}' && c != '\u{202F}'
}
