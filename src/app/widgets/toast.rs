//! Short messages at the top right that go away by themselves: there they lie over a page's head, where nothing can be pressed.
//!
//! While one is shown, each frame asks for a single repaint at the moment it goes; an idle window stays idle.

use std::time::Duration;

use egui::{
    Area, Context, CornerRadius, Id, Order, Role, Sense, Vec2, WidgetInfo, accesskit, pos2, vec2,
};

use super::super::theme::{self, Ink, radius, space};

/// How long a message can be read.
const SHOWN_SECONDS: f64 = 5.0;
/// More at once would hide the screen; the oldest go first.
const MOST: usize = 3;
/// Longer messages are broken into lines of this many points.
const WIDEST: f32 = 420.0;
const PADDING: Vec2 = vec2(16.0, 11.0);

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

        let screen = ctx.content_rect();
        let mut top = screen.top() + space::SMALL;
        let mut dismissed = None;
        for toast in &self.shown {
            let bottom = toast_ui(
                ctx,
                toast,
                screen.right() - space::LARGE,
                top,
                &mut dismissed,
            );
            top = bottom + space::SMALL;
        }
        self.shown.retain(|toast| Some(toast.number) != dismissed);
    }
}

/// One message with its top right corner there; gives back where it ends. Each is an area of its own, exactly as large as its words: one
/// for all would keep the size of those that have gone, and take the clicks meant for what lies below.
fn toast_ui(
    ctx: &Context,
    toast: &Toast,
    right: f32,
    top: f32,
    dismissed: &mut Option<u64>,
) -> f32 {
    let font = theme::Type::Body.font();
    let color = theme::ink(ctx, Ink::OnAccent);
    let words = ctx.fonts_mut(|fonts| fonts.layout(toast.message.clone(), font, color, WIDEST));
    let size = (words.size() + 2.0 * PADDING).ceil();
    Area::new(Id::unique(("toast", toast.number)))
        .order(Order::Foreground)
        .fixed_pos(pos2(right - size.x, top))
        .constrain(false)
        .show(ctx, |ui| {
            let (rect, response) = ui.allocate_exact_size(size, Sense::CLICK);
            let corners = CornerRadius::same(radius::CONTROL);
            ui.painter()
                .rect_filled(rect, corners, theme::ink(ui, Ink::Accent));
            ui.painter().galley(rect.min + PADDING, words, color);
            response.widget_info(|| WidgetInfo::labeled(Role::Status, true, &toast.message));
            ui.ctx()
                .accesskit_node_builder(response.id, |node| node.set_live(accesskit::Live::Polite));
            if response.clicked() {
                *dismissed = Some(toast.number);
            }
        });
    top + size.y
}
