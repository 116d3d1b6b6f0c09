//! Buttons, and the keycaps that stand beside them.

use egui::{
    Color32, CornerRadius, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
    pos2,
};

use super::{around, line_of, paint_centred};
use crate::app::icons::{Icon, paint_icon};
use crate::app::theme::{self, Ink, Type, radius, space};

const PADDING: f32 = 13.0;
const KEYCAP_HEIGHT: f32 = 20.0;
const KEYCAP_PADDING: f32 = 5.0;
/// The width and height of a number box, in points.
pub(super) const NUMBER_BOX: f32 = 22.0;

/// The one thing to do next: at most one on a screen.
pub fn filled_button_ui(ui: &mut Ui, label: &str) -> Response {
    button_ui(ui, label, Type::ButtonStrong, |ui, response| {
        let share = if response.is_pointer_button_down_on() {
            0.28
        } else if response.hovered() {
            0.16
        } else {
            0.0
        };
        let (fill, words) = if ui.is_enabled() {
            (
                theme::between(ui, Ink::Accent, Ink::Quiet, share),
                Ink::OnAccent,
            )
        } else {
            (theme::ink(ui, Ink::Line), Ink::Quiet)
        };
        Face {
            fill,
            outline: Stroke::NONE,
            words: theme::ink(ui, words),
        }
    })
}

/// Anything else that can be done.
pub fn quiet_button_ui(ui: &mut Ui, label: &str) -> Response {
    button_ui(ui, label, Type::Button, |ui, response| {
        let (fill, outline) = if response.is_pointer_button_down_on() {
            (theme::ink(ui, Ink::Wash), Ink::Quiet)
        } else if response.hovered() {
            (theme::between(ui, Ink::Card, Ink::Wash, 0.5), Ink::Quiet)
        } else {
            (theme::ink(ui, Ink::Card), Ink::Line)
        };
        Face {
            fill,
            outline: theme::hairline(ui, outline),
            words: theme::ink(ui, Ink::Text),
        }
    })
}

/// A button without a frame, for what is seldom wanted: *Hint*, or a way back in the page's head.
pub fn link_button_ui(ui: &mut Ui, label: &str) -> Response {
    let line = line_of(ui, label, Type::Button);
    let size = around(&line, 0.0, theme::CONTROL_HEIGHT, 0.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), label));
    let color = if response.hovered() {
        Ink::Text
    } else {
        Ink::Quiet
    };
    paint_centred(ui, rect, line, Type::Button, theme::ink(ui, color));
    // The ring stands around the words, not around the room for the pointer.
    let words = rect.expand2(egui::vec2(3.0, -5.0));
    theme::focus_ring(ui, &response.clone().with_new_rect(words), radius::KEYCAP);
    response
}

/// A square button with an icon. `name` is what a screen reader says and what the pointer finds.
pub fn icon_button_ui(ui: &mut Ui, icon: Icon, name: &str) -> Response {
    const ICON: f32 = 20.0;
    let (rect, response) =
        ui.allocate_exact_size(Vec2::splat(theme::CONTROL_HEIGHT), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), name));
    let color = if response.hovered() {
        Ink::Text
    } else {
        Ink::Quiet
    };
    if response.hovered() {
        let corners = CornerRadius::same(radius::CONTROL);
        ui.painter()
            .rect_filled(rect, corners, theme::ink(ui, Ink::Wash));
    }
    let place = Rect::from_center_size(rect.center(), Vec2::splat(ICON));
    paint_icon(ui, place, icon, theme::ink(ui, color));
    theme::focus_ring(ui, &response, radius::CONTROL);
    response.on_hover_text(name)
}

/// A button or anything else with the key that does it beside it, centred on one line.
pub fn keyed_ui<R>(ui: &mut Ui, key: &str, control_ui: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::SMALL + 2.0;
        let shown = control_ui(ui);
        keycap_ui(ui, key);
        shown
    })
    .inner
}

/// The key that does something, drawn as its cap. Screen readers hear shortcuts elsewhere, so it has no name.
pub fn keycap_ui(ui: &mut Ui, key: &str) -> Response {
    let line = line_of(ui, key, Type::Keycap);
    let size = around(&line, KEYCAP_PADDING, KEYCAP_HEIGHT, KEYCAP_HEIGHT - 2.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter();
    let cap = Rect::from_min_max(rect.min, pos2(rect.right(), rect.bottom() - 1.0));
    let corners = CornerRadius::same(radius::KEYCAP);
    // The cap's side shows as a second point of line below it.
    painter.rect_filled(rect, corners, theme::ink(ui, Ink::Line));
    painter.rect(
        cap,
        corners,
        theme::ink(ui, Ink::Card),
        theme::hairline(ui, Ink::Line),
        StrokeKind::Inside,
    );
    paint_centred(ui, cap, line, Type::Keycap, theme::ink(ui, Ink::Quiet));
    response
}

/// The number of a choice in its box: the key that picks it.
pub fn number_box_ui(ui: &mut Ui, number: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(NUMBER_BOX), Sense::hover());
    ui.painter().rect(
        rect,
        CornerRadius::same(radius::KEYCAP),
        theme::ink(ui, Ink::Card),
        theme::hairline(ui, Ink::Line),
        StrokeKind::Inside,
    );
    let line = line_of(ui, number, Type::Keycap);
    paint_centred(ui, rect, line, Type::Keycap, theme::ink(ui, Ink::Quiet));
    response
}

struct Face {
    fill: Color32,
    outline: Stroke,
    words: Color32,
}

fn button_ui(
    ui: &mut Ui,
    label: &str,
    kind: Type,
    face: impl FnOnce(&Ui, &Response) -> Face,
) -> Response {
    let line = line_of(ui, label, kind);
    let size = around(&line, PADDING, theme::CONTROL_HEIGHT, theme::CONTROL_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), label));
    let Face {
        fill,
        outline,
        words,
    } = face(ui, &response);
    ui.painter().rect(
        rect,
        CornerRadius::same(radius::CONTROL),
        fill,
        outline,
        StrokeKind::Inside,
    );
    paint_centred(ui, rect, line, kind, words);
    theme::focus_ring(ui, &response, radius::CONTROL);
    response
}
