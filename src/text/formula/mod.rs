//! A formula's TeX as placed glyphs, rules and triangles, all relative to its baseline.
//!
//! The ratex crates read and place it, in em; here it becomes points, its stretched shapes become triangles, and its faces those that are
//! bundled. Only this folder names ratex: it is young, and may have to be replaced. A formula that does not read is an error with its
//! place, never a blank: the caller shows the source.

mod shapes;
mod signs;
mod walk;

use ratex_layout::{LayoutOptions, to_display_list, validate_layout};
use ratex_parser::{ParseNode, Parser};
use ratex_types::display_item::{DisplayItem, DisplayList};
use ratex_types::math_style::MathStyle;

use super::faces::{Face, KatexFace};

pub use walk::{Manner, written};

/// A formula, placed: x from its left edge, y down from its baseline, in points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FormulaBox {
    /// The letters and signs.
    pub glyphs: Vec<FormulaGlyph>,
    /// Fraction bars, roofs of roots, lines of tables.
    pub rules: Vec<FormulaRule>,
    /// Stretched braces, arrows and hats: the three corners of each triangle.
    pub triangles: Vec<[[f32; 2]; 3]>,
    /// From the left to the right edge.
    pub width: f32,
    /// From the baseline up to the top.
    pub ascent: f32,
    /// From the baseline down to the bottom (positive).
    pub descent: f32,
}

/// One letter or sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FormulaGlyph {
    /// Its face.
    pub face: Face,
    /// The character.
    pub character: char,
    /// Its origin.
    pub x: f32,
    /// Its own baseline, down from the formula's.
    pub y: f32,
    /// Its size.
    pub size_pt: f32,
}

/// A filled rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FormulaRule {
    /// Left.
    pub x: f32,
    /// Top, down from the baseline.
    pub y: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
}

/// Why a formula cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {why}")]
pub struct FormulaError {
    /// The column in the TeX, counted in characters from 1.
    pub column: usize,
    /// What is wrong there.
    pub why: String,
}

/// Macros that authors may use beside TeX's own.
const MACROS: &[(&str, &str)] = &[
    ("\\softmax", "\\operatorname{softmax}"),
    ("\\Attention", "\\operatorname{Attention}"),
    ("\\argmax", "\\operatorname*{arg\\,max}"),
    ("\\argmin", "\\operatorname*{arg\\,min}"),
    ("\\mean", "\\operatorname{mean}"),
    ("\\T", "^{\\top}"),
];

/// Formulas longer than this are refused: laying them out would hold up a frame.
const MOST_BYTES: usize = 20_000;
/// Lines drawn along a path (not filled ones) are so thick, in em.
const STROKE_EM: f64 = 0.04;
/// The dashes of a dashed rule, in em.
const DASH_EM: f64 = 0.15;

/// Sets a formula. `display` gives large operators and limits above and below, as on a line of its own.
pub fn layout(tex: &str, size_pt: f32, display: bool) -> Result<FormulaBox, FormulaError> {
    let nodes = read(tex)?;
    let style = if display {
        MathStyle::Display
    } else {
        MathStyle::Text
    };
    let tree = ratex_layout::layout(
        &nodes,
        &LayoutOptions {
            style,
            ..LayoutOptions::default()
        },
    );
    validate_layout(&tree).map_err(|why| FormulaError { column: 1, why })?;
    Ok(placed(&to_display_list(&tree), size_pt))
}

/// Reads TeX into ratex's tree.
fn read(tex: &str) -> Result<Vec<ParseNode>, FormulaError> {
    if tex.len() > MOST_BYTES {
        return Err(FormulaError {
            column: 1,
            why: format!("longer than {MOST_BYTES} bytes"),
        });
    }
    let mut parser = Parser::new(tex);
    for (name, meaning) in MACROS {
        parser.gullet.set_text_macro(name, meaning);
    }
    parser.parse().map_err(|error| {
        let at = error.loc.map_or(0, |loc| loc.start);
        FormulaError {
            column: tex.char_indices().take_while(|(i, _)| *i < at).count() + 1,
            why: error.message,
        }
    })
}

/// The display list in points, its baseline at 0.
fn placed(list: &DisplayList, size_pt: f32) -> FormulaBox {
    let points = |em: f64| em as f32 * size_pt;
    let down = |em: f64| points(em - list.height);
    let mut out = FormulaBox {
        width: points(list.width),
        ascent: points(list.height),
        descent: points(list.depth),
        ..FormulaBox::default()
    };
    for item in &list.items {
        match item {
            DisplayItem::GlyphPath {
                x,
                y,
                scale,
                font,
                char_code,
                ..
            } => {
                let Some(character) = char::from_u32(*char_code) else {
                    continue;
                };
                out.glyphs.push(FormulaGlyph {
                    face: face_of(font),
                    character,
                    x: points(*x),
                    y: down(*y),
                    size_pt: points(*scale),
                });
            }
            DisplayItem::Line {
                x,
                y,
                width,
                thickness,
                dashed,
                ..
            } => {
                let rule = |from: f64, length: f64| FormulaRule {
                    x: points(*x + from),
                    y: down(y - thickness / 2.0),
                    width: points(length),
                    height: points(*thickness),
                };
                if *dashed {
                    let dashes = (width / (2.0 * DASH_EM)).ceil().clamp(0.0, 1000.0) as usize;
                    for i in 0..dashes {
                        let from = i as f64 * 2.0 * DASH_EM;
                        out.rules.push(rule(from, DASH_EM.min(width - from)));
                    }
                } else {
                    out.rules.push(rule(0.0, *width));
                }
            }
            DisplayItem::Rect {
                x,
                y,
                width,
                height,
                ..
            } => out.rules.push(FormulaRule {
                x: points(*x),
                y: down(*y),
                width: points(*width),
                height: points(*height),
            }),
            DisplayItem::Path {
                x,
                y,
                commands,
                fill,
                ..
            } => {
                for corners in shapes::triangles(commands, (!fill).then_some(STROKE_EM)) {
                    out.triangles
                        .push(corners.map(|[dx, dy]| [points(x + dx), down(y + dy)]));
                }
            }
        }
    }
    out
}

/// The bundled face for ratex's font name. Faces that are not bundled (script, fraktur, typewriter) are shown by their nearest kin.
fn face_of(font: &str) -> Face {
    Face::Katex(match font {
        "AMS-Regular" => KatexFace::Ams,
        "Caligraphic-Regular" | "Script-Regular" => KatexFace::Caligraphic,
        "Main-Bold" | "Fraktur-Bold" => KatexFace::MainBold,
        "Main-BoldItalic" => KatexFace::MainBoldItalic,
        "Main-Italic" => KatexFace::MainItalic,
        "Math-Italic" => KatexFace::Math,
        "Math-BoldItalic" => KatexFace::MathBold,
        "Size1-Regular" => KatexFace::Size1,
        "Size2-Regular" => KatexFace::Size2,
        "Size3-Regular" => KatexFace::Size3,
        "Size4-Regular" => KatexFace::Size4,
        "SansSerif-Bold" => return Face::SansSemibold,
        "SansSerif-Italic" => return Face::SansItalic,
        "SansSerif-Regular" | "CJK-Regular" | "CJK-Fallback" | "Emoji-Fallback" => {
            return Face::Sans;
        }
        _ => KatexFace::Main,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::faces;
    use proptest::prelude::*;

    #[test]
    fn the_formulas_of_the_subject_are_set_with_glyphs_that_exist() {
        for tex in [
            r"A = \sum_i p_i \cdot v_i",
            r"\softmax\left(\frac{q \cdot k}{\sqrt{d}}\right) V",
            r"\Attention(Q, K, V) = \softmax\!\left(\frac{QK^\top}{\sqrt{d_k}}\right)V",
            r"w_i = \frac{e^{s_i/T}}{\sum_{j=1}^{m} e^{s_j/T}}, \quad T \to \infty",
            r"\begin{pmatrix} 1 & 0.5 \\ 0 & 1 \end{pmatrix}",
            r"\begin{cases} 1 & i = j \\ 0 & \text{otherwise} \end{cases}",
            r"\underbrace{q_1 + q_2}_{2} \overbrace{a}^{b} \vec{v} \widehat{abc} \tilde{x} \bar{x}",
            r"\argmax_i s_i \in \mathbb{R}^{n \times d},\ \mathcal{N}(0, 1)",
            r"\boldsymbol{W} \mathbf{x} \alpha\beta\theta \ne \approx \le \ldots \infty",
            r"0.3 \cdot 70 + 0.5 \cdot 80 + 0.2 \cdot 90 = 79",
        ] {
            let set = layout(tex, 16.0, true).unwrap_or_else(|e| panic!("{tex}: {e}"));
            assert!(set.width > 10.0 && set.ascent > 5.0, "{tex}");
            for FormulaGlyph {
                face, character, ..
            } in &set.glyphs
            {
                assert!(
                    faces::missing(&character.to_string(), *face).is_empty(),
                    "{tex}: {character:?} of {face:?}"
                );
            }
        }
    }

    #[test]
    fn a_fraction_has_a_bar_and_stands_over_and_under_the_baseline() {
        let set = layout(r"\frac{a}{b}", 20.0, true).unwrap();
        assert_eq!((set.glyphs.len(), set.rules.len()), (2, 1));
        let (above, below) = (set.glyphs[0].y, set.glyphs[1].y);
        assert!(above < 0.0 && below > 0.0);
        assert!(above < set.rules[0].y && set.rules[0].y < below);
    }

    #[test]
    fn stretched_shapes_become_triangles_within_the_box() {
        let set = layout(r"\underbrace{a+b+c+d}", 16.0, true).unwrap();
        assert!(set.triangles.len() > 10);
        for [x, y] in set.triangles.iter().flatten() {
            assert!((-1.0..=set.width + 1.0).contains(x), "{x} of {}", set.width);
            assert!((-set.ascent - 1.0..=set.descent + 1.0).contains(y), "{y}");
        }
    }

    #[test]
    fn an_error_has_its_column() {
        assert_eq!(
            layout(r"a + \fraac{1}{2}", 16.0, false).unwrap_err().column,
            5
        );
        assert!(layout(r"\frac{1}{", 16.0, false).is_err());
        assert_eq!(
            layout(&"{".repeat(30_000), 16.0, false).unwrap_err().column,
            1
        );
    }

    #[test]
    fn on_one_line_functions_and_signs_stand_where_they_belong() {
        for (tex, line) in [
            (
                r"w_i = \frac{\exp s'_i}{\sum_j \exp s'_j}",
                "wᵢ = (exp sᵢ′)/(Σⱼ exp sⱼ′)",
            ),
            (r"\exp 1.5 + \exp(-2)", "exp 1.5 + exp(−2)"),
            (r"c \cdot \tanh \frac{x}{c}", "c·tanh x/c"),
            (r"z_i \in \{s_i,\; -\infty\}", "zᵢ ∈ {sᵢ, −∞}"),
            (
                r"w_i = 1 \Leftarrow z_i = \max_j z_j",
                "wᵢ = 1 ⇐ zᵢ = maxⱼ zⱼ",
            ),
            (r"3 - 5 = -2", "3 − 5 = −2"),
        ] {
            assert_eq!(written(tex, &Manner::Linear), line, "{tex}");
        }
    }

    #[test]
    fn everything_grows_in_proportion_with_size() {
        let (one, two) = (
            layout(r"\sqrt{x}", 10.0, false).unwrap(),
            layout(r"\sqrt{x}", 20.0, false).unwrap(),
        );
        assert!(
            (two.width - 2.0 * one.width).abs() < 1e-3
                && (two.ascent - 2.0 * one.ascent).abs() < 1e-3
        );
    }

    proptest! {
        #[test]
        fn no_text_brings_it_down(tex in r"(\\[a-zA-Z]{1,8}|[{}^_&$%#~a-z0-9+=(), ]){0,24}") {
            let _ = layout(&tex, 16.0, true);
            let _ = written(&tex, &Manner::Linear);
        }
    }
}
