//! A slider in our look: a thin rail, filled up to a hollow handle. Its number stands elsewhere, written by `words`.

use std::ops::RangeInclusive;

use egui::{Response, Slider, Stroke, Ui, lerp, pos2, remap_clamp};

use crate::app::theme::{self, Ink};

const HEIGHT: f32 = 20.0;

/// Shows a slider, `width` points wide, whose accessible name is `name`. An infinite bound is taken as the nearest finite one.
pub fn slider_ui(
    ui: &mut Ui,
    value: &mut f64,
    range: RangeInclusive<f64>,
    width: f32,
    name: &str,
) -> Response {
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
    let radius = response.rect.height() / 2.5;
    let run = response.rect.x_range().shrink(radius);
    let share = remap_clamp(*value, range, 0.0..=1.0) as f32;
    let at = pos2(lerp(run.min..=run.max, share), response.rect.center().y);
    let held = response.hovered() || response.dragged();
    let ground = theme::ink(ui, if held { Ink::Wash } else { Ink::Card });
    // A circle's stroke lies outside its radius; half a point more than egui's handle, so that nothing of it shows.
    let outline = Stroke::new(2.0, theme::ink(ui, Ink::Accent));
    ui.painter().circle(at, radius - 1.5, ground, outline);
    theme::focus_ring(ui, &response, theme::radius::CONTROL);
    response
}
