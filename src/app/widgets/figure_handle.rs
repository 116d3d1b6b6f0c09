//! The handles of a figure: dragged by the pointer, moved by keys and by a screen reader, each with its name and value.
//!
//! Arrow keys move by one step (with Shift by ten), Home and End go to the ends. A drag keeps the scale it began with: where the axis
//! changes under it, the value runs on smoothly.

use egui::{
    CursorIcon, EventFilter, Id, Key, Modifiers, Pos2, Rect, Response, Sense, Stroke, StrokeKind,
    Ui, Vec2, WidgetInfo, accesskit,
};

use crate::app::theme::{self, Ink};
use crate::figure::{Axis, Handle, Target};

/// What is remembered of a drag.
#[derive(Clone, Copy)]
struct Grab {
    pointer: Pos2,
    value: f64,
    per_unit: f64,
}

/// A person who is carried: the column she is in now, and where she was gripped.
#[derive(Clone, Copy)]
struct Carried {
    column: usize,
    grip: Vec2,
    size: Vec2,
}

/// Makes a handle work and shows that it is hovered or focused; gives back its new value where it was moved.
pub(super) fn handle_ui(ui: &mut Ui, handle: &Handle, all: &[Handle], origin: Pos2) -> Option<f64> {
    let rect = Rect::from_min_size(origin + Vec2::from(handle.min), Vec2::from(handle.size));
    let id = id_of(ui, &handle.id);
    let response = ui.interact(rect, id, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::slider(ui.is_enabled(), handle.value, &handle.name));
    tell(ui, &response, handle);
    let person = matches!(handle.target, Target::Person { .. });
    // A person who is carried away leaves no focus behind.
    if response.clicked() || (response.drag_started() && !person) {
        response.request_focus();
    }
    let cursor = match (response.dragged(), person, handle.axis) {
        (true, true, _) => CursorIcon::Grabbing,
        (false, true, _) => CursorIcon::Grab,
        (_, false, Axis::X) => CursorIcon::ResizeHorizontal,
        (_, false, Axis::Y) => CursorIcon::ResizeVertical,
    };
    let response = response.on_hover_and_drag_cursor(cursor);
    let held = response.hovered() || response.dragged();
    let (min, size) = handle.outline();
    let outline = Rect::from_min_size(origin + Vec2::from(min), Vec2::from(size));
    if response.has_focus() {
        theme::focus_ring_around(ui, outline, 3);
    } else if held {
        let stroke = Stroke::new(1.5, theme::ink(ui, Ink::Text));
        let outline = outline.expand(1.0);
        (ui.painter()).rect_stroke(outline, 3.0, stroke, StrokeKind::Outside);
    }
    grip_ui(ui, handle, origin, held || response.has_focus());
    if let Some(value) = keyed(ui, &response, handle) {
        if person && value != handle.value {
            // The focus goes with the person: she is the topmost of her new column.
            let there = all
                .iter()
                .filter(|h| matches!(h.target, Target::Person { column } if column as f64 == value))
                .count();
            ui.memory_mut(|m| {
                m.request_focus(id_of(ui, &format!("person-{}-{there}", value as usize)))
            });
        }
        return Some(value).filter(|v| *v != handle.value);
    }
    if person {
        // Gripped where she was pressed: the pointer has moved a little before a press counts as a drag.
        let pressed = ui.input(|i| i.pointer.press_origin());
        if let (true, Some(at), Target::Person { column }) =
            (response.drag_started(), pressed, handle.target)
        {
            let carried = Carried {
                column,
                grip: at - rect.min,
                size: rect.size(),
            };
            ui.data_mut(|data| data.insert_temp(carried_id(ui), carried));
        }
        return None;
    }
    dragged(ui, &response, handle)
}

/// The grip on the edge that moves. The learner's own bars show it always: there it says what to do; other bars when one turns to them.
fn grip_ui(ui: &Ui, handle: &Handle, origin: Pos2, held: bool) {
    const SIZE: Vec2 = Vec2::new(24.0, 7.0);
    let inviting = matches!(handle.target, Target::GuessWeight(_));
    let Some(middle) = handle.grip.filter(|_| held || inviting) else {
        return;
    };
    let size = SIZE.min(Vec2::new(handle.size[0] - 2.0, SIZE.y));
    let (fill, line) = if held {
        (Ink::Text, Ink::Card)
    } else {
        (Ink::Card, Ink::BlockLine)
    };
    ui.painter().rect(
        Rect::from_center_size(origin + Vec2::from(middle), size),
        SIZE.y / 2.0,
        theme::ink(ui, fill),
        Stroke::new(1.5, theme::ink(ui, line)),
        StrokeKind::Middle,
    );
}

/// The value that the pointer drags a handle to.
fn dragged(ui: &Ui, response: &Response, handle: &Handle) -> Option<f64> {
    let pointer = response.interact_pointer_pos()?;
    if response.drag_started() {
        let press = ui.input(|i| i.pointer.press_origin()).unwrap_or(pointer);
        let grab = Grab {
            pointer: press,
            value: handle.value,
            per_unit: handle.per_unit,
        };
        ui.data_mut(|data| data.insert_temp(response.id, grab));
    }
    if !response.dragged() {
        return None;
    }
    let grab: Grab = ui.data(|data| data.get_temp(response.id))?;
    let way = match handle.axis {
        Axis::X => pointer.x - grab.pointer.x,
        Axis::Y => grab.pointer.y - pointer.y,
    };
    Some(stepped(handle, grab.value + f64::from(way) * grab.per_unit))
        .filter(|v| *v != handle.value)
}

/// The value moved to by keys or by a screen reader.
pub(super) fn keyed(ui: &Ui, response: &Response, handle: &Handle) -> Option<f64> {
    use accesskit::{Action, ActionData};
    let asked = ui.input(|i| {
        let set = i.accesskit_action_requests(response.id, Action::SetValue);
        set.filter_map(|r| match r.data {
            Some(ActionData::NumericValue(value)) => Some(value),
            _ => None,
        })
        .last()
    });
    if let Some(value) = asked {
        return Some(stepped(handle, value));
    }
    let mut steps = ui.input(|i| {
        i.num_accesskit_action_requests(response.id, Action::Increment) as f64
            - i.num_accesskit_action_requests(response.id, Action::Decrement) as f64
    });
    if response.has_focus() {
        let filter = EventFilter {
            horizontal_arrows: true,
            vertical_arrows: true,
            ..EventFilter::default()
        };
        ui.memory_mut(|m| m.set_focus_lock_filter(response.id, filter));
        let (arrows, end) = ui.input_mut(|i| {
            let many = if i.modifiers.shift { 10.0 } else { 1.0 };
            let held = if i.modifiers.shift {
                Modifiers::SHIFT
            } else {
                Modifiers::NONE
            };
            let mut presses = |key| i.count_and_consume_key(held, key) as f64;
            let up = presses(Key::ArrowRight) + presses(Key::ArrowUp);
            let down = presses(Key::ArrowLeft) + presses(Key::ArrowDown);
            let end = if presses(Key::Home) > 0.0 {
                Some(false)
            } else {
                (presses(Key::End) > 0.0).then_some(true)
            };
            (many * (up - down), end)
        });
        if let Some(last) = end {
            return Some(end_of(handle, last));
        }
        steps += arrows;
    }
    if steps == 0.0 {
        return None;
    }
    Some(if handle.stops.is_empty() {
        stepped(handle, handle.value + steps * handle.step)
    } else {
        next_stop(handle, steps)
    })
}

/// The least or greatest value, or the first or last place.
fn end_of(handle: &Handle, last: bool) -> f64 {
    let stop = if last {
        handle.stops.last()
    } else {
        handle.stops.first()
    };
    stop.map_or(
        if last { handle.range.1 } else { handle.range.0 },
        |(_, value)| *value,
    )
}

/// The place so many to the right.
fn next_stop(handle: &Handle, steps: f64) -> f64 {
    let now = handle
        .stops
        .iter()
        .position(|(_, value)| *value == handle.value)
        .unwrap_or(0) as f64;
    let last = handle.stops.len().saturating_sub(1) as f64;
    handle
        .stops
        .get((now + steps).clamp(0.0, last) as usize)
        .map_or(handle.value, |(_, value)| *value)
}

/// A whole number of steps, within the range.
fn stepped(handle: &Handle, value: f64) -> f64 {
    let step = handle.step;
    // Dividing by the inverse of a small step leaves 0.3 where multiplying leaves 0.30000000000000004.
    let whole = if step >= 1.0 {
        (value / step).round() * step
    } else {
        (value / step).round() / (1.0 / step).round()
    };
    whole.max(handle.range.0).min(handle.range.1)
}

/// The value in words and its bounds, for the screen reader.
pub(super) fn tell(ui: &Ui, response: &Response, handle: &Handle) {
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_value(handle.said.clone());
        node.set_min_numeric_value(handle.range.0);
        node.set_max_numeric_value(handle.range.1);
        node.set_numeric_value_step(handle.step);
        node.add_action(accesskit::Action::SetValue);
        node.add_action(accesskit::Action::Increment);
        node.add_action(accesskit::Action::Decrement);
    });
}

/// The person who is carried follows the pointer, and is handed to each column she comes nearest to.
pub(super) fn carried_ui(ui: &Ui, handles: &[Handle], origin: Pos2) -> Option<(Target, f64)> {
    let id = carried_id(ui);
    let Carried { column, grip, size } = ui.data(|data| data.get_temp(id))?;
    let pointer = ui.input(|i| {
        if i.pointer.primary_down() {
            i.pointer.latest_pos()
        } else {
            None
        }
    });
    let Some(pointer) = pointer else {
        ui.data_mut(|data| data.remove::<Carried>(id));
        return None;
    };
    ui.set_cursor_icon(CursorIcon::Grabbing);
    let ghost = Rect::from_min_size(pointer - grip, size);
    ui.painter().rect(
        ghost,
        3.0,
        theme::ink(ui, Ink::BlockStrong),
        Stroke::new(1.5, theme::ink(ui, Ink::Text)),
        StrokeKind::Outside,
    );
    let stops = &handles
        .iter()
        .find(|h| matches!(h.target, Target::Person { .. }))?
        .stops;
    let x = ghost.center().x - origin.x;
    let (_, nearest) = stops
        .iter()
        .min_by(|a, b| (a.0 - x).abs().total_cmp(&(b.0 - x).abs()))?;
    let to = *nearest as usize;
    if to == column {
        return None;
    }
    ui.data_mut(|data| {
        data.insert_temp(
            id,
            Carried {
                column: to,
                grip,
                size,
            },
        )
    });
    Some((Target::Person { column }, *nearest))
}

fn id_of(ui: &Ui, handle: &str) -> Id {
    ui.scope_id().with(("figure", handle))
}

fn carried_id(ui: &Ui) -> Id {
    ui.scope_id().with("figure-carried")
}
