//! An entry of the rail at the left: an icon above its word.

use egui::{CornerRadius, Rect, Response, Role, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};

use super::{line_of, paint_centred, top_for};
use crate::app::icons::{Icon, paint_icon};
use crate::app::theme::{self, Ink, Type, radius};

/// The width and height of an entry, in points.
pub const SIZE: Vec2 = vec2(76.0, 60.0);
const ICON: f32 = 20.0;
const ICON_MIDDLE: f32 = 20.0;
const WORD_MIDDLE: f32 = 43.0;

/// An entry to be shown.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct RailItem<'a> {
    icon: Icon,
    word: &'a str,
    badge: Option<&'a str>,
    selected: bool,
}

impl<'a> RailItem<'a> {
    /// An entry that is not selected and counts nothing.
    pub fn new(icon: Icon, word: &'a str) -> Self {
        Self {
            icon,
            word,
            badge: None,
            selected: false,
        }
    }

    /// Whether its room is on the screen.
    pub fn selected(mut self, selected: bool) -> Self {
        self.selected = selected;
        self
    }

    /// A count beside the word: what is due.
    pub fn badge(mut self, badge: impl Into<Option<&'a str>>) -> Self {
        self.badge = badge.into();
        self
    }

    /// Shows the entry. `name` is what a screen reader says, with the count in words.
    pub fn ui(self, ui: &mut Ui, name: &str) -> Response {
        let Self {
            icon,
            word,
            badge,
            selected,
        } = self;
        let (rect, response) = ui.allocate_exact_size(SIZE, Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Tab, ui.is_enabled(), name));
        ui.accesskit_node_builder(response.id, |node| node.set_selected(selected));
        let corners = CornerRadius::same(radius::CONTROL);
        if selected {
            ui.painter()
                .rect_filled(rect, corners, theme::ink(ui, Ink::Wash));
        } else if response.hovered() {
            let fill = theme::between(ui, Ink::Paper, Ink::Wash, 0.5);
            ui.painter().rect_filled(rect, corners, fill);
        }
        let (kind, color) = if selected {
            (Type::SmallStrong, Ink::Text)
        } else {
            (Type::Small, Ink::Quiet)
        };
        let color = theme::ink(ui, color);
        let icon_at = pos2(rect.center().x, rect.top() + ICON_MIDDLE);
        paint_icon(
            ui,
            Rect::from_center_size(icon_at, Vec2::splat(ICON)),
            icon,
            color,
        );

        let line = line_of(ui, word, kind);
        let middle = rect.top() + WORD_MIDDLE;
        match badge {
            None => paint_centred(
                ui,
                Rect::from_center_size(pos2(rect.center().x, middle), Vec2::ZERO),
                line,
                kind,
                color,
            ),
            Some(count) => {
                let count = line_of(ui, count, Type::Keycap);
                let pill = vec2((count.size().x + 10.0).ceil().max(15.0), 14.0);
                let left = rect.center().x - (line.size().x + 3.0 + pill.x) / 2.0;
                let pill_left = left + line.size().x + 3.0;
                ui.painter()
                    .galley(pos2(left, top_for(middle, &line, kind)), line, color);
                let place = Rect::from_min_size(pos2(pill_left, middle - pill.y / 2.0), pill);
                ui.painter()
                    .rect_filled(place, CornerRadius::same(7), theme::ink(ui, Ink::Quiet));
                paint_centred(ui, place, count, Type::Keycap, theme::ink(ui, Ink::Paper));
            }
        }
        theme::focus_ring(ui, &response, radius::CONTROL);
        response
    }
}
