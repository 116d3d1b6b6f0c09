//! One choice of a question that is not yet answered: a card that can be picked.

use egui::{
    Align, CornerRadius, Layout, Margin, Response, Role, Sense, StrokeKind, Ui, UiBuilder,
    WidgetInfo, epaint::RectShape,
};

use super::button::{NUMBER_BOX, number_box_ui};
use crate::app::theme::{self, Ink, Type, radius};

const PADDING: i8 = 15;
const GAP: f32 = 12.0;

/// A choice to be shown.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Choice<'a> {
    number: &'a str,
    name: &'a str,
    picked: bool,
}

impl<'a> Choice<'a> {
    /// `number` is the key that picks it, `name` what a screen reader says.
    pub fn new(number: &'a str, name: &'a str) -> Self {
        Self {
            number,
            name,
            picked: false,
        }
    }

    /// Whether it is the learner's pick.
    pub fn picked(mut self, picked: bool) -> Self {
        self.picked = picked;
        self
    }

    /// Shows the choice with its name as the text. The response is clicked when it is picked by mouse, touch or key.
    pub fn text_ui(self, ui: &mut Ui) -> Response {
        let Self { name, .. } = self;
        self.show(ui, |ui, kind| {
            ui.label(egui::RichText::new(name).font(kind.font()));
        })
    }

    /// Shows the choice as wide as there is room; `add_contents` writes its text in the kind that it is handed.
    pub fn show(self, ui: &mut Ui, add_contents: impl FnOnce(&mut Ui, Type)) -> Response {
        let Self {
            number,
            name,
            picked,
        } = self;
        let ground = ui.painter().add(egui::Shape::Noop);
        let kind = if picked { Type::Strong } else { Type::Body };
        let response = ui
            .scope_builder(UiBuilder::new().sense(Sense::click()), |ui| {
                // A click on the words picks the choice; it does not begin a selection.
                ui.style_mut().interaction.selectable_labels = false;
                egui::Frame::new()
                    .inner_margin(Margin::same(PADDING))
                    .show(ui, |ui| {
                        ui.set_width(ui.available_width());
                        ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
                            ui.spacing_mut().item_spacing.x = GAP;
                            number_box_ui(ui, number);
                            ui.vertical(|ui| add_contents(ui, kind));
                        });
                    });
            })
            .response;
        response
            .widget_info(|| WidgetInfo::selected(Role::RadioButton, ui.is_enabled(), picked, name));

        let (fill, outline) = if picked {
            (Ink::Wash, theme::strong_line(ui, 1.5))
        } else if response.is_pointer_button_down_on() {
            (Ink::Wash, theme::hairline(ui, Ink::Quiet))
        } else if response.hovered() {
            (Ink::Card, theme::hairline(ui, Ink::Quiet))
        } else {
            (Ink::Card, theme::hairline(ui, Ink::Line))
        };
        let corners = CornerRadius::same(radius::CARD);
        let fill = theme::ink(ui, fill);
        ui.painter().set(
            ground,
            RectShape::new(response.rect, corners, fill, outline, StrokeKind::Inside),
        );
        theme::focus_ring(ui, &response, radius::CARD);
        response
    }
}

/// The room a choice's text has, of `width` points for the whole choice.
#[must_use]
pub fn text_width(width: f32) -> f32 {
    (width - 2.0 * f32::from(PADDING) - NUMBER_BOX - GAP).max(0.0)
}
