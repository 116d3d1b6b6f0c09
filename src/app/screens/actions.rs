//! Rows of buttons for commands: each with its words and its keycap from the one [`Command`], broken into lines where there is no room.

use egui::{Response, Ui, Vec2};

use crate::app::command::{Command, KeyBinding};
use crate::app::outbox::{FocusWish, Outbox};
use crate::app::state::AppState;
use crate::app::theme::{CONTROL_HEIGHT, Type, space};
use crate::app::widgets::{filled_button_ui, keycap_ui, quiet_button_ui};

/// Between a button and its keycap, and between two buttons.
const GAP: f32 = 10.0;
const BUTTON_PADDING: f32 = 13.0;
const KEYCAP_PADDING: f32 = 5.0;
const KEYCAP_LEAST_WIDTH: f32 = 18.0;

/// A button for a command.
#[derive(Clone, Debug)]
pub struct Action {
    /// What it does.
    pub command: Command,
    label: String,
    filled: bool,
    stays: bool,
}

impl Action {
    /// A quiet button with the command's own name.
    pub fn new(state: &AppState, command: Command) -> Self {
        Self {
            command,
            label: command.label(&state.words),
            filled: false,
            stays: false,
        }
    }

    /// The one thing to do next.
    pub fn filled(self) -> Self {
        Self {
            filled: true,
            ..self
        }
    }

    /// With other words, where the place says what the name would repeat.
    pub fn label(self, label: String) -> Self {
        Self { label, ..self }
    }

    /// Stays where it is, disabled, while it cannot be done: nothing below it jumps.
    pub fn stays(self) -> Self {
        Self {
            stays: true,
            ..self
        }
    }

    fn width(&self, ui: &Ui) -> f32 {
        let kind = if self.filled {
            Type::ButtonStrong
        } else {
            Type::Button
        };
        let width_of = |text: &str, kind: Type| {
            let color = egui::Color32::PLACEHOLDER;
            ui.painter()
                .layout_no_wrap(text.to_owned(), kind.font(), color)
                .size()
                .x
        };
        let button = (width_of(&self.label, kind) + 2.0 * BUTTON_PADDING).ceil();
        let cap = self.command.cap().map(|cap| {
            let words = width_of(&cap, Type::Keycap) + 2.0 * KEYCAP_PADDING;
            GAP + words.ceil().max(KEYCAP_LEAST_WIDTH)
        });
        button + cap.unwrap_or(0.0)
    }

    fn ui(&self, ui: &mut Ui, enabled: bool, out: &mut Outbox) -> Response {
        let Self {
            command,
            label,
            filled,
            ..
        } = self;
        let button = |ui: &mut Ui| {
            if *filled {
                filled_button_ui(ui, label)
            } else {
                quiet_button_ui(ui, label)
            }
        };
        let response = ui.add_enabled_ui(enabled, button).inner;
        if *filled {
            out.enter_goes_on.push(response.id);
            out.focus_if(FocusWish::Main, &response);
        }
        // The second click of a double one was not meant for what has come in the button's place: it skips no explanation.
        let again = response.double_clicked() || response.triple_clicked();
        if response.clicked() && !(*filled && again) {
            out.command(*command);
        }
        if let Some(cap) = command.cap() {
            // A letter that goes into the text field at hand does nothing here: its cap says so.
            let typed = |binding: KeyBinding| binding.types_text();
            let goes_elsewhere =
                ui.ctx().text_edit_focused() && command.bindings().into_iter().all(typed);
            ui.scope(|ui| {
                if goes_elsewhere {
                    ui.set_opacity(0.4);
                }
                keycap_ui(ui, &cap);
            });
        }
        response
    }
}

/// Actions broken into lines for a width.
pub struct Lines(Vec<Vec<(Action, bool)>>);

impl Lines {
    /// The actions that can be done just now, in lines of `width` points.
    pub fn of(
        ui: &Ui,
        state: &AppState,
        actions: impl IntoIterator<Item = Action>,
        width: f32,
    ) -> Self {
        let mut lines: Vec<Vec<(Action, bool)>> = Vec::new();
        let mut used = f32::INFINITY;
        for action in actions {
            let can = state.can(action.command);
            if !can && !action.stays {
                continue;
            }
            let needs = action.width(ui);
            if used + GAP + needs > width {
                lines.push(Vec::new());
                used = needs;
            } else {
                used += GAP + needs;
            }
            if let Some(line) = lines.last_mut() {
                line.push((action, can));
            }
        }
        Self(lines)
    }

    /// How high they are.
    pub fn height(&self) -> f32 {
        let lines = self.0.len() as f32;
        (lines * (CONTROL_HEIGHT + space::SMALL) - space::SMALL).max(0.0)
    }

    /// Draws them.
    pub fn ui(&self, ui: &mut Ui, out: &mut Outbox) {
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing = Vec2::new(GAP, space::SMALL);
            for line in &self.0 {
                super::row_ui(ui, |ui| {
                    for (action, enabled) in line {
                        action.ui(ui, *enabled, out);
                    }
                });
            }
        });
    }
}

/// Actions in as many lines as they need.
pub fn actions_ui(
    ui: &mut Ui,
    state: &AppState,
    actions: impl IntoIterator<Item = Action>,
    out: &mut Outbox,
) {
    let lines = Lines::of(ui, state, actions, ui.available_width());
    lines.ui(ui, out);
}
