//! The bundled faces, and how wide a text is in each of them.
//!
//! Everything here repeats what epaint 0.37 does, on purpose: graphemes go to the first face of a family's chain that has their first
//! character, each stretch of one face is shaped whole (kerning and ligatures as the font wants them, no feature switched), advances are
//! added up without rounding, and only ascent and descent are rounded, to 1/32 point.
//!
//! Widths are kept per em: they grow in proportion with the size, so one shaping serves every size, and a cache of the last words makes
//! breaking a paragraph a matter of additions. Road not taken: adding up single advances without shaping; it loses the kerning, and
//! labels in figures would be wrong by points.

use std::cell::RefCell;
use std::collections::HashMap;

use harfrust::{
    BufferFlags, Direction, Script, ShapeOptions, ShapePlan, ShaperData, UnicodeBuffer,
};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider as _};
use unicode_segmentation::UnicodeSegmentation as _;

/// A bundled face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Face {
    /// Source Sans 3: the interface and reading text.
    Sans,
    /// Source Sans 3 semibold.
    SansSemibold,
    /// Source Sans 3, the real italic.
    SansItalic,
    /// Source Serif 4: prompts.
    Serif,
    /// Source Serif 4, the real italic.
    SerifItalic,
    /// A face of formulas.
    Katex(KatexFace),
}

/// A face of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KatexFace {
    /// Symbols of the American Mathematical Society, and ℝ.
    Ams,
    /// 𝒜 to 𝒵.
    Caligraphic,
    /// Upright letters and most symbols.
    Main,
    /// The same in bold.
    MainBold,
    /// The same in bold italic.
    MainBoldItalic,
    /// The same in italic.
    MainItalic,
    /// Variables.
    Math,
    /// Variables in bold.
    MathBold,
    /// Delimiters and operators, a little larger than the text's.
    Size1,
    /// Larger.
    Size2,
    /// Larger still.
    Size3,
    /// The largest, and the pieces that the tallest are built of.
    Size4,
}

/// Vertical measures of a face at a size, in points, as epaint derives them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metrics {
    /// From the top of a row to its baseline.
    pub ascent: f32,
    /// From the baseline to the lowest part of letters (positive).
    pub descent: f32,
    /// The natural height of a row.
    pub row_height: f32,
}

/// What epaint makes of a thin space: this share of a space.
const THIN_SPACE: f32 = 0.5;
/// What epaint makes of a tab: this many spaces.
const TAB: f32 = 4.0;
/// Metrics are rounded to this share of a point.
const ROUNDING: f32 = 1.0 / 32.0;
/// So many shaped texts are remembered at most.
const CACHE_LIMIT: usize = 16_384;

impl Face {
    /// Every bundled face.
    pub const ALL: [Self; 17] = [
        Self::Sans,
        Self::SansSemibold,
        Self::SansItalic,
        Self::Serif,
        Self::SerifItalic,
        Self::Katex(KatexFace::Ams),
        Self::Katex(KatexFace::Caligraphic),
        Self::Katex(KatexFace::Main),
        Self::Katex(KatexFace::MainBold),
        Self::Katex(KatexFace::MainBoldItalic),
        Self::Katex(KatexFace::MainItalic),
        Self::Katex(KatexFace::Math),
        Self::Katex(KatexFace::MathBold),
        Self::Katex(KatexFace::Size1),
        Self::Katex(KatexFace::Size2),
        Self::Katex(KatexFace::Size3),
        Self::Katex(KatexFace::Size4),
    ];

    /// The name under which the window knows this face, and which an SVG names as its font family.
    #[must_use]
    pub const fn family_name(self) -> &'static str {
        match self {
            Self::Sans => "Source Sans 3",
            Self::SansSemibold => "Source Sans 3 Semibold",
            Self::SansItalic => "Source Sans 3 Italic",
            Self::Serif => "Source Serif 4",
            Self::SerifItalic => "Source Serif 4 Italic",
            Self::Katex(face) => match face {
                KatexFace::Ams => "KaTeX_AMS",
                KatexFace::Caligraphic => "KaTeX_Caligraphic",
                KatexFace::Main => "KaTeX_Main",
                KatexFace::MainBold => "KaTeX_Main Bold",
                KatexFace::MainBoldItalic => "KaTeX_Main Bold Italic",
                KatexFace::MainItalic => "KaTeX_Main Italic",
                KatexFace::Math => "KaTeX_Math Italic",
                KatexFace::MathBold => "KaTeX_Math Bold Italic",
                KatexFace::Size1 => "KaTeX_Size1",
                KatexFace::Size2 => "KaTeX_Size2",
                KatexFace::Size3 => "KaTeX_Size3",
                KatexFace::Size4 => "KaTeX_Size4",
            },
        }
    }

    /// The font file (TrueType).
    #[must_use]
    pub const fn bytes(self) -> &'static [u8] {
        macro_rules! font {
            ($name:literal) => {
                include_bytes!(concat!("../../assets/fonts/", $name, ".ttf"))
            };
        }
        match self {
            Self::Sans => font!("SourceSans3-Regular"),
            Self::SansSemibold => font!("SourceSans3-Semibold"),
            Self::SansItalic => font!("SourceSans3-It"),
            Self::Serif => font!("SourceSerif4-Regular"),
            Self::SerifItalic => font!("SourceSerif4-It"),
            Self::Katex(face) => match face {
                KatexFace::Ams => font!("KaTeX_AMS-Regular"),
                KatexFace::Caligraphic => font!("KaTeX_Caligraphic-Regular"),
                KatexFace::Main => font!("KaTeX_Main-Regular"),
                KatexFace::MainBold => font!("KaTeX_Main-Bold"),
                KatexFace::MainBoldItalic => font!("KaTeX_Main-BoldItalic"),
                KatexFace::MainItalic => font!("KaTeX_Main-Italic"),
                KatexFace::Math => font!("KaTeX_Math-Italic"),
                KatexFace::MathBold => font!("KaTeX_Math-BoldItalic"),
                KatexFace::Size1 => font!("KaTeX_Size1-Regular"),
                KatexFace::Size2 => font!("KaTeX_Size2-Regular"),
                KatexFace::Size3 => font!("KaTeX_Size3-Regular"),
                KatexFace::Size4 => font!("KaTeX_Size4-Regular"),
            },
        }
    }

    /// The faces asked in turn for a character, this one first.
    #[must_use]
    pub const fn chain(self) -> &'static [Self] {
        const MAIN: Face = Face::Katex(KatexFace::Main);
        const AMS: Face = Face::Katex(KatexFace::Ams);
        match self {
            Self::Sans => &[Self::Sans, MAIN, AMS],
            Self::SansSemibold => &[Self::SansSemibold, Self::Sans, MAIN, AMS],
            Self::SansItalic => &[Self::SansItalic, Self::Sans, MAIN, AMS],
            Self::Serif => &[Self::Serif, Self::Sans, MAIN, AMS],
            Self::SerifItalic => &[Self::SerifItalic, Self::Serif, Self::Sans, MAIN, AMS],
            Self::Katex(KatexFace::Ams) => &[AMS, MAIN, Self::Sans],
            Self::Katex(KatexFace::Caligraphic) => {
                &[Self::Katex(KatexFace::Caligraphic), MAIN, Self::Sans]
            }
            Self::Katex(KatexFace::Main) => &[MAIN, AMS, Self::Sans],
            Self::Katex(KatexFace::MainBold) => {
                &[Self::Katex(KatexFace::MainBold), MAIN, Self::Sans]
            }
            Self::Katex(KatexFace::MainBoldItalic) => {
                &[Self::Katex(KatexFace::MainBoldItalic), MAIN, Self::Sans]
            }
            Self::Katex(KatexFace::MainItalic) => {
                &[Self::Katex(KatexFace::MainItalic), MAIN, Self::Sans]
            }
            Self::Katex(KatexFace::Math) => &[Self::Katex(KatexFace::Math), MAIN, Self::Sans],
            Self::Katex(KatexFace::MathBold) => {
                &[Self::Katex(KatexFace::MathBold), MAIN, Self::Sans]
            }
            Self::Katex(KatexFace::Size1) => &[Self::Katex(KatexFace::Size1), MAIN, Self::Sans],
            Self::Katex(KatexFace::Size2) => &[Self::Katex(KatexFace::Size2), MAIN, Self::Sans],
            Self::Katex(KatexFace::Size3) => &[Self::Katex(KatexFace::Size3), MAIN, Self::Sans],
            Self::Katex(KatexFace::Size4) => &[Self::Katex(KatexFace::Size4), MAIN, Self::Sans],
        }
    }

    /// The face's vertical measures at a size in points.
    #[must_use]
    pub fn metrics(self, size_pt: f32) -> Metrics {
        with_faces(|faces| {
            let Some(Loaded {
                per_em,
                ascent,
                descent,
                leading,
                ..
            }) = faces.get(self)
            else {
                return Metrics {
                    ascent: 0.8 * size_pt,
                    descent: 0.4 * size_pt,
                    row_height: 1.2 * size_pt,
                };
            };
            let points = |units: f32| (units * size_pt * *per_em / ROUNDING).round() * ROUNDING;
            let (ascent, descent) = (points(*ascent), -points(*descent));
            Metrics {
                ascent,
                descent,
                row_height: ascent + descent + points(*leading),
            }
        })
    }
}

/// The width of one line of text in points.
#[must_use]
pub fn width(text: &str, face: Face, size_pt: f32) -> f32 {
    width_em(text, face) * size_pt
}

/// The characters that neither the face nor its fallbacks have, each once, in order.
#[must_use]
pub fn missing(text: &str, face: Face) -> Vec<char> {
    with_faces(|faces| {
        let mut missing = Vec::new();
        for c in text.chars().filter(|c| !c.is_control()) {
            if !missing.contains(&c) && !face.chain().iter().any(|f| faces.has(*f, c)) {
                missing.push(c);
            }
        }
        missing
    })
}

/// The width of one line of text, in em.
pub(super) fn width_em(text: &str, face: Face) -> f32 {
    if text.is_empty() {
        return 0.0;
    }
    with_faces(|faces| {
        if let Some(known) = faces.known.get(&face).and_then(|of_face| of_face.get(text)) {
            return *known;
        }
        let width = faces.shape(text, face);
        if faces.known.values().map(HashMap::len).sum::<usize>() >= CACHE_LIMIT {
            faces.known.clear();
        }
        faces
            .known
            .entry(face)
            .or_default()
            .insert(text.to_owned(), width);
        width
    })
}

/// One face, read.
struct Loaded {
    font: FontRef<'static>,
    shaper: ShaperData,
    /// One font unit in em.
    per_em: f32,
    ascent: f32,
    descent: f32,
    leading: f32,
    /// How this face is shaped, by script and direction: making a plan costs more than shaping a word.
    plans: Vec<(Script, Direction, ShapePlan)>,
}

/// The faces read so far, and the widths known so far. One a thread: shaping caches are not shared.
#[derive(Default)]
struct Faces {
    loaded: HashMap<Face, Option<Loaded>>,
    known: HashMap<Face, HashMap<String, f32>>,
    buffer: Option<UnicodeBuffer>,
}

fn with_faces<R>(use_them: impl FnOnce(&mut Faces) -> R) -> R {
    thread_local! {
        static FACES: RefCell<Faces> = RefCell::default();
    }
    FACES.with_borrow_mut(use_them)
}

impl Faces {
    fn get(&mut self, face: Face) -> Option<&mut Loaded> {
        self.loaded
            .entry(face)
            .or_insert_with(|| Loaded::read(face))
            .as_mut()
    }

    /// Whether the face itself can show the character (or need not: it is invisible).
    fn has(&mut self, face: Face, c: char) -> bool {
        let shown_as = if is_special_space(c) { ' ' } else { c };
        is_invisible(c)
            || self.get(face).is_some_and(|f| {
                f.font
                    .charmap()
                    .map(shown_as)
                    .is_some_and(|glyph| glyph.to_u32() != 0)
            })
    }

    /// The first face of the chain that has the character, else the first of all, which shows its "not defined" box.
    fn face_for(&mut self, c: char, face: Face) -> Face {
        face.chain()
            .iter()
            .copied()
            .find(|f| self.has(*f, c))
            .unwrap_or(face)
    }

    /// The width in em, shaped.
    fn shape(&mut self, text: &str, face: Face) -> f32 {
        let mut runs: Vec<(Face, String)> = Vec::new();
        for grapheme in text.graphemes(true) {
            let Some(first) = grapheme.chars().next() else {
                continue;
            };
            let of = self.face_for(first, face);
            match runs.last_mut() {
                Some((last, run)) if *last == of => run.push_str(grapheme),
                _ => runs.push((of, grapheme.to_owned())),
            }
        }
        let count = runs.len();
        let mut width = 0.0;
        for (i, (of, run)) in runs.iter().enumerate() {
            let mut flags = BufferFlags::empty();
            flags.set(BufferFlags::BEGINNING_OF_TEXT, i == 0);
            flags.set(BufferFlags::END_OF_TEXT, i + 1 == count);
            width += self.shape_run(run, *of, flags);
        }
        width
    }

    fn shape_run(&mut self, run: &str, face: Face, flags: BufferFlags) -> f32 {
        let mut buffer = self.buffer.take().unwrap_or_default();
        buffer.set_flags(flags);
        buffer.push_str(run);
        buffer.guess_segment_properties();
        let Some(loaded) = self.get(face) else {
            return 0.0;
        };
        let (script, direction) = (buffer.script(), buffer.direction());
        let Loaded {
            font,
            shaper,
            per_em,
            plans,
            ..
        } = loaded;
        let shaper = shaper.shaper(font).build();
        let known = plans
            .iter()
            .position(|(s, d, _)| *s == script && *d == direction);
        let at = known.unwrap_or_else(|| {
            plans.push((
                script,
                direction,
                ShapePlan::new(&shaper, direction, Some(script), None, &[]),
            ));
            plans.len() - 1
        });
        let plan = plans.get(at).map(|(_, _, plan)| plan);
        let shaped = shaper.shape(buffer, ShapeOptions::new().plan(plan));

        let space = font.charmap().map(' ').and_then(|glyph| {
            font.glyph_metrics(Size::unscaled(), LocationRef::default())
                .advance_width(glyph)
        });
        let mut units = 0.0;
        for (info, position) in shaped.glyph_infos().iter().zip(shaped.glyph_positions()) {
            let c = run
                .get(info.cluster as usize..)
                .and_then(|rest| rest.chars().next());
            units += match c {
                Some('\t') => TAB * space.unwrap_or_default(),
                Some('\u{2009}' | '\u{202F}') => THIN_SPACE * space.unwrap_or_default(),
                _ => position.x_advance as f32,
            };
        }
        let width = units * *per_em;
        self.buffer = Some(shaped.clear());
        width
    }
}

impl Loaded {
    /// Reads a face. The files are compiled in, so a failure means a broken build and is logged.
    fn read(face: Face) -> Option<Self> {
        let font = FontRef::new(face.bytes())
            .inspect_err(|e| log::error!("{face:?}: {e}"))
            .ok()?;
        let metrics = font.metrics(Size::unscaled(), LocationRef::default());
        Some(Self {
            shaper: ShaperData::new(&font),
            per_em: 1.0 / f32::from(metrics.units_per_em.max(1)),
            ascent: metrics.ascent,
            descent: metrics.descent,
            leading: metrics.leading,
            plans: Vec::new(),
            font,
        })
    }
}

/// Spaces that borrow the space's glyph and have a width of their own.
fn is_special_space(c: char) -> bool {
    matches!(c, '\t' | '\u{2009}' | '\u{202F}')
}

/// Characters without a glyph and without width.
fn is_invisible(c: char) -> bool {
    matches!(c, '\r' | '\u{FEFF}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_reads_and_has_letters_or_signs() {
        for face in Face::ALL {
            let read = Loaded::read(face);
            assert!(
                read.is_some_and(|f| f.ascent > 0.0 && f.descent < 0.0),
                "{face:?}"
            );
        }
    }

    #[test]
    fn digits_are_tabular_so_that_columns_of_numbers_stand_still() {
        for face in [Face::Sans, Face::SansSemibold, Face::Serif] {
            let one = width("1", face, 16.0);
            for digit in '0'..='9' {
                assert!(
                    (width(&digit.to_string(), face, 16.0) - one).abs() < 1e-4,
                    "{face:?} {digit}"
                );
            }
        }
    }

    #[test]
    fn kerning_counts() {
        let apart = width("A", Face::Sans, 100.0) + width("V", Face::Sans, 100.0);
        assert!(width("AV", Face::Sans, 100.0) < apart - 1.0);
    }

    #[test]
    fn the_signs_of_the_program_have_glyphs_and_the_rest_is_told() {
        for face in [
            Face::Sans,
            Face::SansSemibold,
            Face::SansItalic,
            Face::Serif,
            Face::SerifItalic,
        ] {
            assert_eq!(
                missing("√ Σ → ✓ ✗ △ ▲ ½ ᵀ − × ≤ ∞ … “a” ·", face),
                Vec::<char>::new(),
                "{face:?}"
            );
        }
        assert_eq!(missing("日本 日 a", Face::Sans), ['日', '本']);
    }

    #[test]
    fn width_grows_in_proportion_with_size() {
        let text = "Two readings give 79";
        assert!(
            (width(text, Face::Serif, 42.0) - 2.0 * width(text, Face::Serif, 21.0)).abs() < 1e-3
        );
    }
}
