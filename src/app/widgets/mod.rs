//! The window's own controls, small and few. Each is named, focusable, worked by keys, and shows where the focus is.
//!
//! They are painted by hand rather than bent out of egui's own, since the look asks for what those do not do: words centred by
//! their capitals, hairlines on whole pixels, edges that follow a rounded corner.

pub mod button;
pub mod card;
pub mod choice;
pub mod figure;
mod figure_handle;
pub mod figure_table;
pub mod progress;
pub mod rail;
pub mod rich;
pub mod segmented;
pub mod slider;
pub mod toast;

use std::sync::Arc;

use egui::{Color32, Galley, Pos2, Rect, Ui, Vec2};

use super::theme::Type;

pub use button::{
    filled_button_ui, icon_button_ui, keycap_ui, keyed_ui, link_button_ui, number_box_ui,
    quiet_button_ui,
};
pub use card::Card;
pub use choice::Choice;
pub use progress::{Step, progress_dots_ui, progress_ring_ui};
pub use rail::RailItem;
pub use segmented::segmented_ui;
pub use slider::slider_ui;
pub use toast::Toasts;

/// One line of text, laid out to be painted in any colour.
fn line_of(ui: &Ui, text: &str, kind: Type) -> Arc<Galley> {
    ui.painter()
        .layout_no_wrap(text.to_owned(), kind.font(), Color32::PLACEHOLDER)
}

/// Paints one line with the middle of its capitals in the middle of `rect`.
///
/// A line's box holds room for descenders, so that words centred by their box look too high or too low in a small frame.
fn paint_centred(ui: &Ui, rect: Rect, line: Arc<Galley>, kind: Type, color: Color32) {
    let at = Pos2::new(
        rect.center().x - line.size().x / 2.0,
        top_for(rect.center().y, &line, kind),
    );
    ui.painter().galley(at, line, color);
}

/// Where a line's box must begin for its capitals to have their middle at `middle`.
fn top_for(middle: f32, line: &Galley, kind: Type) -> f32 {
    /// Of both Source faces, as a share of the size.
    const CAP_HEIGHT: f32 = 0.66;
    let baseline = line
        .rows
        .first()
        .and_then(|row| Some(row.pos.y + row.glyphs.first()?.pos.y));
    match baseline {
        Some(baseline) => middle + kind.font().size * CAP_HEIGHT / 2.0 - baseline,
        None => middle - line.size().y / 2.0,
    }
}

/// A line's width and a height, snapped up to whole points so that what stands beside it is crisp.
fn around(line: &Galley, padding: f32, height: f32, least_width: f32) -> Vec2 {
    Vec2::new(
        (line.size().x + 2.0 * padding).ceil().max(least_width),
        height,
    )
}
