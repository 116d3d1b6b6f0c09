//! Short messages at the bottom right that go away by themselves.
//!
//! While one is shown, each frame asks for a single repaint at the moment it goes; an idle window stays idle.

use std::time::Duration;

use egui::{
    Align2, Area, Context, CornerRadius, Frame, Id, Label, Margin, Order, Role, Sense, WidgetInfo,
    accesskit, vec2,
};

use super::super::theme::{self, Ink, radius, space};

/// How long a message can be read.
const SHOWN_SECONDS: f64 = 5.0;
/// More at once would hide the screen; the oldest go first.
const MOST: usize = 3;

/// The messages on the screen.
#[derive(Clone, Debug, Default)]
pub struct Toasts {
    shown: Vec<Toast>,
    /// Tells messages apart for egui and for screen readers.
    next: u64,
}

#[derive(Clone, Debug)]
struct Toast {
    number: u64,
    message: String,
    /// `None` until it is first shown.
    until_seconds: Option<f64>,
}

impl Toasts {
    /// Shows `message` from the next frame on. One that is already shown starts its time anew.
    pub fn push(&mut self, message: impl Into<String>) {
        let message = message.into();
        self.shown.retain(|toast| toast.message != message);
        if self.shown.len() >= MOST {
            self.shown.remove(0);
        }
        self.shown.push(Toast {
            number: self.next,
            message,
            until_seconds: None,
        });
        self.next += 1;
    }

    /// Whether nothing is shown.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    /// Draws the messages over everything else, and takes away those whose time is over. A click takes one away at once.
    pub fn ui(&mut self, ctx: &Context) {
        let now = ctx.input(|input| input.time);
        for toast in &mut self.shown {
            toast.until_seconds.get_or_insert(now + SHOWN_SECONDS);
        }
        let until = |toast: &Toast| toast.until_seconds.unwrap_or(now);
        self.shown.retain(|toast| until(toast) > now);
        let Some(next) = self.shown.iter().map(until).reduce(f64::min) else {
            return;
        };
        ctx.request_repaint_after(Duration::from_secs_f64((next - now).max(0.0)));

        let mut dismissed = None;
        Area::new(Id::unique("toasts"))
            .order(Order::Foreground)
            .anchor(Align2::RIGHT_BOTTOM, vec2(-space::LARGE, -space::LARGE))
            .show(ctx, |ui| {
                for toast in &self.shown {
                    if toast_ui(ui, toast).clicked() {
                        dismissed = Some(toast.number);
                    }
                }
            });
        self.shown.retain(|toast| Some(toast.number) != dismissed);
    }
}

fn toast_ui(ui: &mut egui::Ui, toast: &Toast) -> egui::Response {
    let framed = Frame::new()
        .fill(theme::ink(ui, Ink::Accent))
        .corner_radius(CornerRadius::same(radius::CONTROL))
        .inner_margin(Margin::symmetric(16, 11))
        .show(ui, |ui| {
            ui.set_max_width(420.0);
            let text = egui::RichText::new(&toast.message).color(theme::ink(ui, Ink::OnAccent));
            ui.add(Label::new(text).selectable(false).sense(Sense::hover()))
        });
    let id = ui.make_persistent_id(("toast", toast.number));
    let response = ui.interact(framed.response.rect, id, Sense::CLICK);
    response.widget_info(|| WidgetInfo::labeled(Role::Status, true, &toast.message));
    ui.ctx()
        .accesskit_node_builder(id, |node| node.set_live(accesskit::Live::Polite));
    response
}
