//! The manner of a whole text: family, size, line height, colour.

use std::hash::{Hash, Hasher};

use crate::text::document::Span;
use crate::text::faces::Face;
use crate::text::palette::Ink;

/// The manner of a whole text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Reading text, or prompts.
    pub family: Family,
    /// Type size in points.
    pub size_pt: f32,
    /// Line height, in type sizes.
    pub line_height: f32,
    /// The colour of words that have none of their own.
    pub ink: Ink,
    /// All of it in semibold (a heading, a label).
    pub strong: bool,
}

/// The two families of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Family {
    /// Source Sans 3.
    #[default]
    Sans,
    /// Source Serif 4; its semibold is the Sans's.
    Serif,
}

impl Hash for Style {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self {
            family,
            size_pt,
            line_height,
            ink,
            strong,
        } = self;
        (
            family,
            size_pt.to_bits(),
            line_height.to_bits(),
            ink,
            strong,
        )
            .hash(state);
    }
}

impl Style {
    /// Reading text: Sans, 16 points.
    #[must_use]
    pub const fn body() -> Self {
        Self {
            family: Family::Sans,
            size_pt: 16.0,
            line_height: 1.45,
            ink: Ink::Text,
            strong: false,
        }
    }

    /// Text that stands back: Sans, 14 points.
    #[must_use]
    pub const fn quiet() -> Self {
        Self {
            size_pt: 14.0,
            ink: Ink::Quiet,
            ..Self::body()
        }
    }

    /// Prompts: Serif, 21 points.
    #[must_use]
    pub const fn prompt() -> Self {
        Self {
            family: Family::Serif,
            size_pt: 21.0,
            line_height: 1.4,
            ..Self::body()
        }
    }

    /// The one title of a screen: Sans semibold, 28 points.
    #[must_use]
    pub const fn title() -> Self {
        Self {
            size_pt: 28.0,
            line_height: 1.2,
            strong: true,
            ..Self::body()
        }
    }

    /// The same in another colour.
    #[must_use]
    pub const fn ink(self, ink: Ink) -> Self {
        Self { ink, ..self }
    }

    /// The same in semibold.
    #[must_use]
    pub const fn strong(self) -> Self {
        Self {
            strong: true,
            ..self
        }
    }

    /// The same at another size.
    #[must_use]
    pub const fn size(self, size_pt: f32) -> Self {
        Self { size_pt, ..self }
    }

    /// The face of a span.
    #[must_use]
    pub fn face(&self, span: &Span) -> Face {
        match (self.family, self.strong || span.strong, span.emphasis) {
            (_, true, _) => Face::SansSemibold,
            (_, false, _) if span.code => Face::Sans,
            (Family::Sans, false, true) => Face::SansItalic,
            (Family::Sans, false, false) => Face::Sans,
            (Family::Serif, false, true) => Face::SerifItalic,
            (Family::Serif, false, false) => Face::Serif,
        }
    }

    /// The height of a line without tall formulas, in whole points.
    pub(super) fn line(&self) -> f32 {
        (self.size_pt * self.line_height).round().max(1.0)
    }
}
