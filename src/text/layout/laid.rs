//! What a laid-out text consists of: data that a window, an SVG writer or a test reads alike.

use crate::text::faces::Face;
use crate::text::formula::{FormulaBox, FormulaError};
use crate::text::palette::Ink;

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

impl Laid {
    pub(super) fn put_run(&mut self, run: Run) {
        self.reach(run.x + run.width);
        self.runs.push(run);
    }

    pub(super) fn put_rule(&mut self, rule: Rule) {
        self.reach(rule.x + rule.width);
        self.rules.push(rule);
    }

    pub(super) fn put_formula(&mut self, set: &FormulaBox, x: f32, baseline: f32, ink: Ink) {
        let FormulaBox {
            glyphs,
            rules,
            triangles,
            width,
            ..
        } = set;
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
        self.triangles
            .extend(triangles.iter().map(|corners| Triangle {
                corners: corners.map(|[dx, dy]| [x + dx, baseline + dy]),
                ink,
            }));
    }

    pub(super) fn reach(&mut self, right: f32) {
        self.size[0] = self.size[0].max(right);
    }
}
