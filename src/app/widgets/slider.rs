//! A slider in our look: a thin rail, filled up to a hollow handle. Its number stands elsewhere, written by `words`.

use std::ops::RangeInclusive;

use egui::{Response, Slider, Stroke, Ui, lerp, pos2, remap_clamp};

use crate::app::theme::{self, Ink, radius};

const HEIGHT: f32 = 20.0;

/// Shows a slider, `width` points wide, whose accessible name is `name`. An infinite bound is taken as the nearest finite one.
pub fn slider_ui(ui: &mut Ui, value: &mut f64, range: RangeInclusive<f64>, width: f32, name: &str) -> Response {
    let finite = |bound: f64| bound.clamp(f64::MIN, f64::MAX);
    let range = finite(*range.start())..=finite(*range.end());
    let response = ui
        .scope(|ui| {
            let [rail, filled] = [Ink::Line, Ink::Accent].map(|ink| theme::ink(ui, ink));
            let style = ui.style_mut();
            style.spacing.slider_width = width;
            style.spacing.interact_size.y = HEIGHT;
            style.visuals.widgets.inactive.bg_fill = rail;
            style.visuals.selection.bg_fill = filled;
            ui.add(Slider::new(value, range.clone()).show_value(false))
        })
        .inner
        .accessible_name(name);
    // egui gives the resting handle the rail's colour; ours is laid over it, where egui has put it.
    let rect = response.rect;
    let handle = rect.height() / 2.5;
    let share = remap_clamp(*value, range, 0.0..=1.0) as f32;
    let at = pos2(lerp(rect.x_range().shrink(handle).min..=rect.x_range().shrink(handle).max, share), rect.center().y);
    ui.painter().circle_filled(at, handle + 0.5, theme::ink(ui, Ink::Accent));
    let ground = if response.hovered() || response.dragged() { Ink::Wash } else { Ink::Card };
    ui.painter().circle(at, handle - 1.5, theme::ink(ui, ground), Stroke::NONE);
    theme::focus_ring(ui, &response, radius::CONTROL);
    response
}
