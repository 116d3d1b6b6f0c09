//! A row of pills of which one is chosen: light, dark or as the system has it; average or attention.

use egui::{CornerRadius, Response, Role, Sense, StrokeKind, Ui, WidgetInfo};

use super::{around, line_of, paint_centred};
use crate::app::theme::{self, Ink, Type, space};

/// Shows one pill for each of `options`; a click puts its value into `chosen`. Whether it changed is returned.
pub fn segmented_ui<T: PartialEq + Copy>(
    ui: &mut Ui,
    chosen: &mut T,
    options: &[(T, &str)],
) -> bool {
    let mut changed = false;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::SMALL;
        for (value, label) in options {
            if pill_ui(ui, *chosen == *value, label).clicked() && *chosen != *value {
                *chosen = *value;
                changed = true;
            }
        }
    });
    changed
}

fn pill_ui(ui: &mut Ui, chosen: bool, label: &str) -> Response {
    let line = line_of(ui, label, Type::Button);
    let size = around(&line, 14.0, theme::CONTROL_HEIGHT, theme::CONTROL_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response
        .widget_info(|| WidgetInfo::selected(Role::RadioButton, ui.is_enabled(), chosen, label));
    let (fill, outline) = if chosen {
        (Ink::Wash, theme::strong_line(ui, 1.5))
    } else if response.hovered() {
        (Ink::Card, theme::hairline(ui, Ink::Quiet))
    } else {
        (Ink::Card, theme::hairline(ui, Ink::Line))
    };
    let round = (theme::CONTROL_HEIGHT / 2.0).ceil() as u8;
    let fill = theme::ink(ui, fill);
    ui.painter().rect(
        rect,
        CornerRadius::same(round),
        fill,
        outline,
        StrokeKind::Inside,
    );
    paint_centred(ui, rect, line, Type::Button, theme::ink(ui, Ink::Text));
    theme::focus_ring(ui, &response, round);
    response
}
