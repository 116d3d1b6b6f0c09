//! Markdown and formulas as blocks and boxes, measured with the bundled faces, and as spoken text; all of it without a window.
//!
//! The way of a text: [`markdown::parse`] (or [`Document::line`] for lines made by the program) gives a [`Document`];
//! [`layout::layout`] breaks it into placed runs, glyphs, rules and triangles, a [`Laid`]; the window paints those, a figure's SVG writes
//! them, and neither measures again. [`spoken`] says the same document aloud, [`plain`] writes it to a terminal and back to Markdown.
//!
//! Decisions:
//! - *Measured here, painted there.* Widths and baselines follow epaint 0.37 (same shaper, same fallback, same rounding of metrics), so
//!   that figure labels, the lint for texts too long and the window agree; a test in `app/widgets/rich.rs` holds them together.
//!   Road not taken: asking egui for the width, which needs a context, a frame and a screen.
//! - *Colours are names.* A text says [`Ink::WeightedAverage`]; only [`Palette`] knows what that looks like, in light and in dark.
//! - *One baseline.* Words and formulas of a line stand on one baseline: a tall formula makes room for itself and moves no word.

pub mod document;
pub mod faces;
pub mod formula;
pub mod layout;
pub mod markdown;
mod markdown_out;
mod messages;
pub mod palette;
pub mod plain;
pub mod spoken;

pub use document::{Block, Document, Inline, Span};
pub use faces::Face;
pub use layout::{Family, Laid, Style, layout};
pub use markdown_out::to_markdown;
pub use messages::TextMsg;
pub use palette::{Ink, Palette};
