//! A drawing as a standalone SVG: headline and picture in the palette's colours, text as text, and the sentence as its description.

use std::fmt::Write as _;

use super::axes::Plotted;
use super::{Align, Drawing, Mark, Picture, Place, Scene, dashes};
use crate::text::faces::{Face, KatexFace};
use crate::text::{Document, Ink, Laid, Palette, Style, layout};

const MARGIN_PT: f32 = 20.0;

/// The drawing as an SVG document.
#[must_use]
pub fn svg(drawing: &Drawing, palette: &Palette) -> String {
    let scene = match &drawing.picture {
        Picture::Scene(scene) => scene.clone(),
        Picture::Chart(chart) => Plotted::new(chart).scene(),
    };
    let headline = layout(
        &Document::line(drawing.headline.clone()),
        &Style::body().size(18.0).strong(),
        scene.size[0],
    );
    let top = if drawing.headline.is_empty() {
        0.0
    } else {
        headline.size[1] + 12.0
    };
    let [width, height] = [
        scene.size[0] + 2.0 * MARGIN_PT,
        scene.size[1] + top + 2.0 * MARGIN_PT,
    ];
    let mut out = Writer {
        out: String::new(),
        palette,
    };
    out.push(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n"
    ));
    let title: String = drawing
        .headline
        .iter()
        .map(|span| span.text.as_str())
        .collect();
    out.push(format_args!(
        "<title>{}</title>\n<desc>{}</desc>\n",
        escaped(&title),
        escaped(&drawing.sentence)
    ));
    let line = out.colour(Ink::BlockStrong);
    out.push(format_args!(
        "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
         <line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\" stroke=\"{line}\" stroke-width=\"1.5\"/></pattern></defs>\n"
    ));
    let card = out.colour(Ink::Card);
    out.push(format_args!(
        "<rect width=\"{width}\" height=\"{height}\" fill=\"{card}\"/>\n"
    ));
    out.laid([MARGIN_PT, MARGIN_PT], &headline);
    out.push(format_args!(
        "<g transform=\"translate({MARGIN_PT} {})\">\n",
        MARGIN_PT + top
    ));
    out.scene(&scene);
    out.push(format_args!("</g>\n</svg>\n"));
    out.out
}

/// Places as an attribute writes them.
fn joined(points: &[Place]) -> String {
    let points: Vec<String> = points
        .iter()
        .map(|[x, y]| format!("{x:.2},{y:.2}"))
        .collect();
    points.join(" ")
}

/// The document so far.
struct Writer<'a> {
    out: String,
    palette: &'a Palette,
}

impl Writer<'_> {
    fn push(&mut self, what: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.out.write_fmt(what);
    }

    fn colour(&self, ink: Ink) -> String {
        let [r, g, b] = self.palette.rgb(ink);
        format!("#{r:02x}{g:02x}{b:02x}")
    }

    /// Fill and stroke as attributes.
    fn paint(&self, fill: Option<Ink>, stroke: Option<(Ink, f32)>) -> String {
        let fill = fill.map_or_else(|| "none".to_owned(), |ink| self.colour(ink));
        match stroke {
            Some((ink, width)) => {
                format!(
                    "fill=\"{fill}\" stroke=\"{}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"",
                    self.colour(ink)
                )
            }
            None => format!("fill=\"{fill}\""),
        }
    }

    fn scene(&mut self, scene: &Scene) {
        for mark in &scene.marks {
            self.one(mark);
        }
    }

    fn one(&mut self, mark: &Mark) {
        match mark {
            Mark::Line {
                from: [x1, y1],
                to: [x2, y2],
                ink,
                width,
                dashed,
            } => {
                let colour = self.colour(*ink);
                let dash = if *dashed {
                    " stroke-dasharray=\"4 3\""
                } else {
                    ""
                };
                self.push(format_args!(
                    "<line x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\"{dash}/>\n"
                ));
            }
            Mark::Rect {
                min: [x, y],
                size: [w, h],
                radius,
                fill,
                stroke,
                hatched,
            } => {
                let paint = self.paint(*fill, *stroke);
                let place = format!(
                    "x=\"{x:.2}\" y=\"{y:.2}\" width=\"{w:.2}\" height=\"{h:.2}\" rx=\"{radius}\""
                );
                self.push(format_args!("<rect {place} {paint}/>\n"));
                if *hatched {
                    self.push(format_args!("<rect {place} fill=\"url(#hatch)\"/>\n"));
                }
            }
            Mark::Polygon {
                points,
                fill,
                stroke,
                dashed,
            } => {
                let paint = self.paint(*fill, stroke.filter(|_| !dashed));
                self.push(format_args!(
                    "<polygon points=\"{}\" {paint}/>\n",
                    joined(points)
                ));
                for line in dashes(points).iter().filter(|_| *dashed) {
                    let paint = self.paint(None, *stroke);
                    self.push(format_args!(
                        "<polyline points=\"{}\" {paint}/>\n",
                        joined(line)
                    ));
                }
            }
            Mark::Circle {
                centre: [x, y],
                radius,
                fill,
                stroke,
            } => {
                let paint = self.paint(*fill, *stroke);
                self.push(format_args!(
                    "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius}\" {paint}/>\n"
                ));
            }
            Mark::Text {
                at,
                align,
                text,
                face,
                size,
                ink,
            } => self.text(*at, *align, text, *face, *size, *ink),
            Mark::Rich { at, laid, .. } => self.laid(*at, laid),
        }
    }

    fn text(&mut self, [x, y]: Place, align: Align, text: &str, face: Face, size: f32, ink: Ink) {
        let anchor = match align {
            Align::Left => "",
            Align::Centre => " text-anchor=\"middle\"",
            Align::Right => " text-anchor=\"end\"",
        };
        let (font, colour) = (font(face), self.colour(ink));
        self.push(format_args!(
            "<text x=\"{x:.2}\" y=\"{y:.2}\" {font} font-size=\"{size}\" fill=\"{colour}\"{anchor}>{}</text>\n",
            escaped(text)
        ));
    }

    fn laid(&mut self, [x, y]: Place, laid: &Laid) {
        for rule in &laid.rules {
            let colour = self.colour(rule.ink);
            self.push(format_args!(
                "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{:.2}\" fill=\"{colour}\"/>\n",
                x + rule.x,
                y + rule.y,
                rule.width,
                rule.height
            ));
        }
        for triangle in &laid.triangles {
            let points: Vec<String> = triangle
                .corners
                .iter()
                .map(|[cx, cy]| format!("{:.2},{:.2}", x + cx, y + cy))
                .collect();
            let colour = self.colour(triangle.ink);
            self.push(format_args!(
                "<polygon points=\"{}\" fill=\"{colour}\"/>\n",
                points.join(" ")
            ));
        }
        for run in &laid.runs {
            self.text(
                [x + run.x, y + run.baseline_y],
                Align::Left,
                &run.text,
                run.face,
                run.size_pt,
                run.ink,
            );
        }
        for glyph in &laid.glyphs {
            let text = glyph.character.to_string();
            self.text(
                [x + glyph.x, y + glyph.baseline_y],
                Align::Left,
                &text,
                glyph.face,
                glyph.size_pt,
                glyph.ink,
            );
        }
    }
}

/// The face as font attributes.
fn font(face: Face) -> String {
    let (weight, italic) = match face {
        Face::SansSemibold => (600, false),
        Face::SansItalic
        | Face::SerifItalic
        | Face::Katex(KatexFace::Math | KatexFace::MainItalic) => (400, true),
        Face::Katex(KatexFace::MainBold) => (700, false),
        Face::Katex(KatexFace::MathBold | KatexFace::MainBoldItalic) => (700, true),
        Face::Sans | Face::Serif | Face::Katex(_) => (400, false),
    };
    let family = face.family_name();
    let family = [" Semibold", " Bold Italic", " Italic", " Bold"]
        .iter()
        .fold(family, |name, end| name.strip_suffix(end).unwrap_or(name));
    let fallback = match face {
        Face::Sans | Face::SansSemibold | Face::SansItalic => "sans-serif",
        Face::Serif | Face::SerifItalic | Face::Katex(_) => "serif",
    };
    let style = if italic { " font-style=\"italic\"" } else { "" };
    let weight = if weight == 400 {
        String::new()
    } else {
        format!(" font-weight=\"{weight}\"")
    };
    format!("font-family=\"'{family}', {fallback}\"{weight}{style}")
}

/// Text as XML text or attribute; characters that XML cannot hold fall away.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if (c.is_control() && !matches!(c, '\t' | '\n' | '\r'))
                || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => out.push(c),
        }
    }
    out
}
