//! Laid-out text on the screen: what [`crate::text`] placed, painted where it was placed.
//!
//! Every run and glyph is a galley of its own, put so that *its* baseline is the one the layout asked for, on whole pixels; the part of a
//! pixel that its left edge stands off is given to egui as leading space, so that letters keep their quarter-pixel places.
//! A layout is kept as long as it is shown. Road not taken: one galley for a whole paragraph, which cannot hold a formula's box.

use std::sync::Arc;

use egui::cache::{ComputerMut, FrameCache};
use egui::text::LayoutJob;
use egui::{
    Color32, FontData, FontDefinitions, FontFamily, FontId, Mesh, Painter, Pos2, Rect, Response,
    Role, Sense, Ui, WidgetInfo, pos2, vec2,
};

use crate::text::layout::{Glyph, Run};
use crate::text::spoken::spoken;
use crate::text::{Document, Face, Ink, Laid, Style, layout};
use crate::words::{Words, messages};

messages! {
    /// What is said about a link.
    pub enum LinkMsg {
        ClickCopies { address: String },
    }
}

/// Every bundled face as a family of its own, with its fallbacks; egui's own fonts come after them.
/// The interface's usual family begins with Source Sans.
#[must_use]
pub fn font_definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let usual = fonts
        .families
        .get(&FontFamily::Proportional)
        .cloned()
        .unwrap_or_default();
    let family_of = |face: Face| {
        let own = face.chain().iter().map(|f| f.family_name().to_owned());
        own.chain(usual.iter().cloned()).collect::<Vec<_>>()
    };
    for face in Face::ALL {
        let name = face.family_name();
        fonts.font_data.insert(
            name.to_owned(),
            Arc::new(FontData::from_static(face.bytes())),
        );
        fonts
            .families
            .insert(FontFamily::Name(name.into()), family_of(face));
    }
    fonts
        .families
        .insert(FontFamily::Proportional, family_of(Face::Sans));
    if let Some(monospace) = fonts.families.get_mut(&FontFamily::Monospace) {
        monospace.extend(
            Face::Sans
                .chain()
                .iter()
                .map(|f| f.family_name().to_owned()),
        );
    }
    fonts
}

/// A face at a size, for egui.
#[must_use]
pub fn font_id(face: Face, size_pt: f32) -> FontId {
    FontId::new(size_pt, FontFamily::Name(face.family_name().into()))
}

/// Shows a document in the width there is, as one label that is read aloud with its formulas in words.
///
/// A click on a link copies its address: a quiz file can make this program open nothing, neither a page nor anything else.
pub fn rich_ui(
    ui: &mut Ui,
    document: &Document,
    style: &Style,
    ink: impl Fn(Ink) -> Color32,
    words: &Words,
) -> Response {
    let laid = laid(ui, document, style, ui.available_width());
    let [width, height] = laid.size;
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    if ui.is_rect_visible(rect) {
        paint_laid(ui.painter(), &laid, rect.min, ink);
    }
    response
        .widget_info(|| WidgetInfo::labeled(Role::Label, ui.is_enabled(), spoken(document, words)));
    for (i, link) in laid.links.iter().enumerate() {
        let [left, top, right, bottom] = link.rect;
        let at = Rect::from_min_max(rect.min + vec2(left, top), rect.min + vec2(right, bottom));
        let place = ui.interact(at, response.id.with(i), Sense::click());
        place.widget_info(|| WidgetInfo::labeled(Role::Link, ui.is_enabled(), &link.target));
        if place
            .on_hover_cursor(egui::CursorIcon::PointingHand)
            .on_hover_text(words.say(&LinkMsg::ClickCopies {
                address: link.target.clone(),
            }))
            .clicked()
        {
            ui.ctx().copy_text(link.target.clone());
        }
    }
    response
}

/// The layout of a document, kept while it is shown.
#[must_use]
pub fn laid(ui: &Ui, document: &Document, style: &Style, width_pt: f32) -> Arc<Laid> {
    ui.memory_mut(|memory| {
        let cache = memory.caches.cache::<FrameCache<Arc<Laid>, Layouter>>();
        Arc::clone(cache.get((document, style, width_pt.to_bits())))
    })
}

/// Paints a laid-out text with its upper left corner at `at`.
pub fn paint_laid(painter: &Painter, laid: &Laid, at: Pos2, ink: impl Fn(Ink) -> Color32) {
    let Laid {
        runs,
        glyphs,
        rules,
        triangles,
        ..
    } = laid;
    let pixels = painter.pixels_per_point();
    for rule in rules {
        let rect = Rect::from_min_size(at + vec2(rule.x, rule.y), vec2(rule.width, rule.height));
        painter.rect_filled(on_pixels(rect, pixels), 0.0, ink(rule.ink));
    }
    for Run {
        text,
        face,
        size_pt,
        x,
        baseline_y,
        ink: of,
        ..
    } in runs
    {
        paint_text(
            painter,
            text,
            font_id(*face, *size_pt),
            at + vec2(*x, *baseline_y),
            ink(*of),
        );
    }
    for Glyph {
        character,
        face,
        size_pt,
        x,
        baseline_y,
        ink: of,
    } in glyphs
    {
        let mut utf8 = [0; 4];
        let text = character.encode_utf8(&mut utf8);
        paint_text(
            painter,
            text,
            font_id(*face, *size_pt),
            at + vec2(*x, *baseline_y),
            ink(*of),
        );
    }
    if !triangles.is_empty() {
        let mut mesh = Mesh::default();
        for triangle in triangles {
            let first = mesh.vertices.len() as u32;
            for [x, y] in triangle.corners {
                mesh.colored_vertex(at + vec2(x, y), ink(triangle.ink));
            }
            mesh.add_triangle(first, first + 1, first + 2);
        }
        painter.add(mesh);
    }
}

/// Paints one line of text with the left end of its baseline at `at`.
pub fn paint_text(painter: &Painter, text: &str, font: FontId, at: Pos2, colour: Color32) {
    let pixels = painter.pixels_per_point();
    // Whole pixels by the galley's place, quarters of one by leading space: egui rounds the first and keeps the second.
    let quarters = (at.x * pixels * 4.0).round();
    let whole = (quarters / 4.0).floor();
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, colour);
    if let Some(section) = job.sections.first_mut() {
        section.leading_space = (quarters / 4.0 - whole) / pixels;
        // At the bottom, which is usual, the row's own rounding would move the baseline.
        section.format.valign = egui::Align::TOP;
    }
    let galley = painter.layout_job(job);
    let Some(ascent) = galley
        .rows
        .first()
        .and_then(|row| row.glyphs.first())
        .map(|glyph| glyph.font_ascent)
    else {
        return;
    };
    let round = |points: f32| (points * pixels).round() / pixels;
    painter.galley(
        pos2(whole / pixels, round(at.y) - round(ascent)),
        galley,
        colour,
    );
}

/// A rectangle whose thin side is at least a pixel, and on whole pixels.
fn on_pixels(rect: Rect, pixels: f32) -> Rect {
    let side = |from: f32, to: f32| {
        let first = (from * pixels).round();
        let last = first.max((to * pixels).round());
        let length = ((to - from) * pixels).round().max(1.0);
        // Thin ones keep their thickness, wide ones their ends.
        let last = if length < 4.0 { first + length } else { last };
        (first / pixels, last / pixels)
    };
    let ((left, right), (top, bottom)) = (
        side(rect.left(), rect.right()),
        side(rect.top(), rect.bottom()),
    );
    Rect::from_min_max(pos2(left, top), pos2(right, bottom))
}

/// Lays out what is not kept yet.
#[derive(Default)]
struct Layouter;

impl ComputerMut<(&Document, &Style, u32), Arc<Laid>> for Layouter {
    fn compute(&mut self, (document, style, width_bits): (&Document, &Style, u32)) -> Arc<Laid> {
        Arc::new(layout(document, style, f32::from_bits(width_bits)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::faces;
    use crate::text::layout::Family;
    use crate::text::markdown::parse;

    const SENTENCES: &[&str] = &[
        "Two readings give 79, and they are the same calculation: a weighted average.",
        "A quiz asked how self-attention computes a word’s context from the words around it",
        "AVATAR Te To Wo “Yes,” first fluffy office — 0.3·70 + 0.5·80 + 0.2·90 = 79",
        "√ Σ → ✓ △ ½ ᵀ ≤ ∞ ⊤ ∎ a\tb 1\u{2009}234 naïve e\u{301}",
    ];

    /// Runs `measure` in a pass of a context with the bundled faces.
    fn in_pass(
        pixels_per_point: f32,
        mut measure: impl FnMut(&mut Ui),
    ) -> Vec<egui::epaint::ClippedShape> {
        let ctx = egui::Context::default();
        ctx.set_fonts(font_definitions());
        ctx.set_pixels_per_point(pixels_per_point);
        let input = || egui::RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(800.0, 600.0))),
            ..Default::default()
        };
        ctx.run_ui(input(), |_| {}).textures_delta.clear();
        let mut output = ctx.run_ui(input(), |ui| {
            assert_eq!(ui.pixels_per_point(), pixels_per_point);
            measure(ui);
        });
        output.textures_delta.clear();
        std::mem::take(&mut output.shapes)
    }

    #[test]
    fn widths_without_a_window_are_those_of_egui() {
        for pixels in [1.0, 1.5, 2.0] {
            let _ = in_pass(pixels, |ui| {
                for face in Face::ALL.into_iter().take(5) {
                    for (text, size) in SENTENCES
                        .iter()
                        .flat_map(|s| [13.0, 16.0, 21.0].map(|size| (*s, size)))
                    {
                        let font = font_id(face, size);
                        let theirs = ui
                            .painter()
                            .layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER)
                            .size()
                            .x;
                        let ours = faces::width(text, face, size);
                        assert!(
                            (ours - theirs).abs() < 0.1,
                            "{face:?} {size} at {pixels}: {ours} for {theirs}: {text}"
                        );
                    }
                }
            });
        }
    }

    #[test]
    fn vertical_measures_are_those_of_egui() {
        let _ = in_pass(1.0, |ui| {
            for face in Face::ALL {
                let galley = ui.painter().layout_no_wrap(
                    "1".to_owned(),
                    font_id(face, 16.0),
                    Color32::PLACEHOLDER,
                );
                let glyph = galley.rows[0].glyphs[0];
                let ours = face.metrics(16.0);
                assert_eq!(
                    (ours.ascent, ours.row_height),
                    (glyph.font_ascent, glyph.font_height),
                    "{face:?}"
                );
            }
        });
    }

    /// The left end (its whole pixel) and the baseline of every galley painted, in points.
    fn painted(shapes: &[egui::epaint::ClippedShape]) -> Vec<(String, Pos2)> {
        shapes
            .iter()
            .filter_map(|clipped| match &clipped.shape {
                egui::Shape::Text(text) => {
                    let glyph = text.galley.rows[0].glyphs[0];
                    let place = text.pos + vec2(glyph.pos.x, glyph.pos.y);
                    Some((text.galley.text().to_owned(), place))
                }
                _ => None,
            })
            .collect()
    }

    #[test]
    fn everything_is_painted_on_the_baseline_it_was_given() {
        for pixels in [1.0, 1.5, 2.0] {
            let document = parse("The mean $\\frac{\\sum_i v_i}{m}$ is *not* **79**.");
            let laid = layout(
                &document,
                &Style {
                    family: Family::Serif,
                    ..Style::body()
                },
                400.0,
            );
            let at = pos2(10.3, 20.6);
            let output = in_pass(pixels, |ui| {
                paint_laid(ui.painter(), &laid, at, |_| Color32::PLACEHOLDER)
            });
            let painted = painted(&output);
            let asked = laid
                .runs
                .iter()
                .map(|r| (r.text.clone(), r.x, r.baseline_y))
                .chain(
                    laid.glyphs
                        .iter()
                        .map(|g| (g.character.to_string(), g.x, g.baseline_y)),
                );
            for (text, x, y) in asked.filter(|(text, ..)| text.is_ascii()) {
                let place = at + vec2(x, y);
                let found = painted.iter().any(|(t, p)| {
                    *t == text
                        && (p.x - place.x).abs() < 1.0 / pixels
                        && (p.y - place.y).abs() <= 0.51 / pixels
                });
                assert!(found, "{text} at {place} is not among {painted:?}");
            }
            assert!(painted.len() > 6);
        }
    }

    #[test]
    fn a_text_is_one_label_that_is_read_aloud() {
        let ui_of = |ui: &mut Ui| {
            let document = parse("It is $\\sqrt{d}$, see [there](https://example.org).");
            let _ = rich_ui(
                ui,
                &document,
                &Style::body(),
                |_| Color32::PLACEHOLDER,
                &Words::english(),
            );
        };
        let mut harness = egui_kittest::Harness::builder()
            .with_context_setup(|ctx: &egui::Context| ctx.set_fonts(font_definitions()))
            .build_ui(ui_of);
        harness.run();
        use egui_kittest::kittest::Queryable as _;
        let _ = harness.get_by_label("It is the square root of d, see there.");
        let _ = harness.get_by_role_and_label(Role::Link, "https://example.org");
    }
}
