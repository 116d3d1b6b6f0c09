//! The colours by what they mean, and what each looks like in the light and the dark theme.
//!
//! The values stand in `assets/themes/*.ron`; a test measures the contrast of every pair that a person must tell apart.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A colour by its meaning. The colours of the five operations mean nothing else anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
pub enum Ink {
    /// The window's ground.
    Paper,
    /// The ground of cards and other surfaces.
    Card,
    /// The ground of what is selected, and of code.
    Wash,
    /// Hairlines.
    Line,
    /// Words to be read.
    Text,
    /// Words that stand back.
    Quiet,
    /// The ground of the one thing to do next.
    Accent,
    /// Words on [`Ink::Accent`].
    OnAccent,
    /// A right answer's edge, tick and word.
    Right,
    /// A wrong answer's edge, cross and word.
    Wrong,
    /// The operation *sum*.
    Sum,
    /// The operation *plain mean*.
    PlainMean,
    /// The operation *weighted average*.
    WeightedAverage,
    /// The operation *highest*.
    Highest,
    /// The operation *lowest*.
    Lowest,
    /// People on the beam, bars: neutral on purpose.
    Block,
    /// The same under the pointer, or held.
    BlockStrong,
    /// The outline of blocks, the beam, axes.
    BlockLine,
}

impl Ink {
    /// Every ink.
    pub const ALL: [Self; 18] = [
        Self::Paper,
        Self::Card,
        Self::Wash,
        Self::Line,
        Self::Text,
        Self::Quiet,
        Self::Accent,
        Self::OnAccent,
        Self::Right,
        Self::Wrong,
        Self::Sum,
        Self::PlainMean,
        Self::WeightedAverage,
        Self::Highest,
        Self::Lowest,
        Self::Block,
        Self::BlockStrong,
        Self::BlockLine,
    ];
}

/// What each [`Ink`] looks like in one theme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Palette {
    colours: BTreeMap<Ink, [u8; 3]>,
}

/// Why a theme file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PaletteProblem {
    /// The file is no map of inks to strings.
    #[error("the theme does not read: {0}")]
    Unreadable(String),
    /// A colour is not written as six hexadecimal digits.
    #[error("{ink:?} is {written:?}, which is not six hexadecimal digits")]
    NotAColour {
        /// The ink.
        ink: Ink,
        /// What stands in the file.
        written: String,
    },
    /// An ink has no colour.
    #[error("{0:?} has no colour")]
    Missing(Ink),
}

impl Palette {
    /// The light theme.
    #[must_use]
    pub fn light() -> Self {
        Self::bundled(include_str!("../../assets/themes/light.ron"))
    }

    /// The dark theme.
    #[must_use]
    pub fn dark() -> Self {
        Self::bundled(include_str!("../../assets/themes/dark.ron"))
    }

    /// Reads a theme: a RON map of every [`Ink`] to six hexadecimal digits.
    pub fn read(file: &str) -> Result<Self, PaletteProblem> {
        let written: BTreeMap<Ink, String> =
            ron::from_str(file).map_err(|e| PaletteProblem::Unreadable(e.to_string()))?;
        let mut colours = BTreeMap::new();
        for (ink, hex) in written {
            let Some(rgb) = rgb_of_hex(&hex) else {
                return Err(PaletteProblem::NotAColour { ink, written: hex });
            };
            colours.insert(ink, rgb);
        }
        match Ink::ALL.into_iter().find(|ink| !colours.contains_key(ink)) {
            Some(missing) => Err(PaletteProblem::Missing(missing)),
            None => Ok(Self { colours }),
        }
    }

    /// The colour as sRGB.
    #[must_use]
    pub fn rgb(&self, ink: Ink) -> [u8; 3] {
        self.colours.get(&ink).copied().unwrap_or_default()
    }

    /// A compiled-in theme; the tests read it, so an empty one means a broken build and is logged.
    fn bundled(file: &str) -> Self {
        Self::read(file).unwrap_or_else(|problem| {
            log::error!("{problem}");
            Self {
                colours: BTreeMap::new(),
            }
        })
    }
}

/// How much two colours differ in lightness, from 1 (not at all) to 21 (black on white), as WCAG 2 defines it.
#[must_use]
pub fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Relative luminance, 0 to 1.
fn luminance(rgb: [u8; 3]) -> f64 {
    let [r, g, b] = rgb.map(|channel| {
        let c = f64::from(channel) / 255.0;
        if c <= 0.04045 {
            c / 12.92
        } else {
            ((c + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// Six hexadecimal digits as a colour.
fn rgb_of_hex(hex: &str) -> Option<[u8; 3]> {
    if hex.len() != 6 {
        return None;
    }
    let [_, r, g, b] = u32::from_str_radix(hex, 16).ok()?.to_be_bytes();
    Some([r, g, b])
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUNDS: [Ink; 3] = [Ink::Paper, Ink::Card, Ink::Wash];

    #[test]
    fn words_can_be_read_on_every_ground_in_both_themes() {
        let demands = [(Ink::Text, 7.0)].into_iter().chain(
            [
                Ink::Quiet,
                Ink::Right,
                Ink::Wrong,
                Ink::Sum,
                Ink::PlainMean,
                Ink::WeightedAverage,
                Ink::Highest,
                Ink::Lowest,
            ]
            .map(|ink| (ink, 4.5)),
        );
        let mut failures = Vec::new();
        for (ink, least) in demands {
            for (theme, palette) in [("light", Palette::light()), ("dark", Palette::dark())] {
                for ground in GROUNDS {
                    let reached = contrast(palette.rgb(ink), palette.rgb(ground));
                    if reached < least {
                        failures.push(format!(
                            "{theme}: {ink:?} on {ground:?} is {reached:.2}, not {least}"
                        ));
                    }
                }
            }
        }
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    }

    #[test]
    fn buttons_can_be_read_and_outlines_be_seen() {
        for palette in [Palette::light(), Palette::dark()] {
            assert!(contrast(palette.rgb(Ink::OnAccent), palette.rgb(Ink::Accent)) >= 7.0);
            for ground in GROUNDS {
                assert!(
                    contrast(palette.rgb(Ink::BlockLine), palette.rgb(ground)) >= 3.0,
                    "{ground:?}"
                );
            }
        }
    }

    #[test]
    fn a_theme_with_a_fault_is_told_what_it_is() {
        assert!(matches!(
            Palette::read("{ Papper: \"FFFFFF\" }"),
            Err(PaletteProblem::Unreadable(_))
        ));
        assert!(matches!(
            Palette::read("{ Paper: \"FFFF\" }"),
            Err(PaletteProblem::NotAColour {
                ink: Ink::Paper,
                ..
            })
        ));
        assert_eq!(
            Palette::read("{ Paper: \"FFFFFF\" }"),
            Err(PaletteProblem::Missing(Ink::Card))
        );
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        assert!((contrast([0; 3], [255; 3]) - 21.0).abs() < 1e-9);
        assert!((contrast([119; 3], [255; 3]) - 4.48).abs() < 0.01);
    }
}
