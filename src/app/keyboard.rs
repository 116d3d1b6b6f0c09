//! Keys to commands: only fresh presses count, none fires into a text field, and a widget that has the focus keeps its own Enter.

use egui::{Context, Event, Id, Key, Ui};

use super::command::Command;
use super::state::{AppState, Overlay};

/// What must be remembered from one frame to the next.
#[derive(Debug, Default)]
pub struct Keyboard {
    /// Widgets of the last frame on which Enter means the main command.
    pub enter_goes_on: Vec<Id>,
    /// A text field had the focus at the end of the last frame. egui takes the focus away on Esc before anyone can ask.
    text_had_focus: bool,
    /// An arrow key was pressed in this frame, and in the one before: egui moves the focus one frame after the press.
    arrow: [bool; 2],
    /// The last thing used was the keyboard: then the focus is led along, and its ring is of use.
    pub in_use: bool,
}

impl Keyboard {
    /// The commands that were pressed in this frame; their presses are taken out of it.
    ///
    /// A held Enter or Space is taken out whole, so that it clicks nothing and skips no explanation.
    pub fn commands(&mut self, ui: &Ui, state: &AppState) -> Vec<Command> {
        let ctx = ui.ctx();
        let typing = ctx.text_edit_focused();
        let focused = ctx.memory(|memory| memory.focused());
        let enter_is_free = focused.is_none_or(|id| self.enter_goes_on.contains(&id));
        let mut commands = Vec::new();
        let arrow = ctx.input(|input| {
            [Key::ArrowDown, Key::ArrowUp]
                .into_iter()
                .any(|key| input.key_pressed(key))
        });
        self.arrow = [arrow, self.arrow[0]];
        ctx.input_mut(|input| {
            input.events.retain(|event| {
                let Event::Key {
                    key,
                    pressed: true,
                    repeat,
                    modifiers,
                    ..
                } = event
                else {
                    self.in_use &= !matches!(event, Event::PointerButton { .. });
                    return true;
                };
                self.in_use = true;
                if *repeat {
                    return typing || !matches!(key, Key::Enter | Key::Space);
                }
                if *key == Key::Escape && self.text_had_focus && state.overlay.is_none() {
                    return true;
                }
                if *key == Key::Enter && !enter_is_free {
                    return true;
                }
                let meant = Command::ALL.into_iter().find(|command| {
                    let over = matches!(command, Command::Back | Command::Palette | Command::Keys);
                    let reaches = match &state.overlay {
                        None => true,
                        Some(Overlay::Palette { .. } | Overlay::Keys) => over,
                    };
                    reaches
                        && command.bindings().into_iter().any(|b| {
                            b.matches(*key, *modifiers) && (!typing || b.is_safe_while_typing())
                        })
                        && state.can(*command)
                });
                commands.extend(meant);
                let is_for_widget = *key != Key::Enter || focused.is_none();
                meant.is_none() && is_for_widget
            });
        });
        commands
    }

    /// Whether an arrow key has just moved the focus.
    #[must_use]
    pub fn walks(&self) -> bool {
        self.arrow[1]
    }

    /// To be called after the frame was drawn.
    pub fn frame_drawn(&mut self, ctx: &Context, enter_goes_on: Vec<Id>) {
        self.enter_goes_on = enter_goes_on;
        self.text_had_focus = ctx.text_edit_focused();
    }
}
