//! What a screen sends while it is drawn: commands, values that were set, and where Enter means the one thing to do next.

use std::path::PathBuf;

use egui::{Id, Response};

use super::command::Command;
use super::settings::Settings;
use crate::figure::Target;

/// A value that the learner set, with where it belongs.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A handle was moved or a cell was typed into.
    Set {
        /// What it sets.
        target: Target,
        /// To what.
        value: f64,
        /// Whether the same drag goes on: it is one step to undo.
        continuing: bool,
    },
    /// The text of the number field.
    Typed(String),
    /// Begins or goes on with this quiz (its id).
    BeginQuiz(String),
    /// Begins this quiz from the start, whatever was answered.
    StartAgain(String),
    /// Goes to this question of this quiz (ids).
    GoTo {
        /// The quiz.
        quiz: String,
        /// The question.
        question: String,
    },
    /// Goes to a question of the run by its place.
    GoToPlace(usize),
    /// Shows this figure (its place among the question's).
    ShowFigure(usize),
    /// Another word asks (Attention examples).
    Focus(usize),
    /// The settings became these.
    Settings(Box<Settings>),
    /// The unreadable settings file may be replaced.
    ReplaceSettings,
    /// The path field's text.
    PathTyped(String),
    /// Opens this file or folder.
    OpenPath(PathBuf),
    /// Shows this folder's content.
    EnterFolder(PathBuf),
    /// Saves to the path that is typed.
    SaveHere,
    /// The palette's filter.
    Filter(String),
    /// The palette's selected line.
    Select(usize),
}

/// What a screen sends.
#[derive(Clone, Debug, PartialEq)]
pub enum Sent {
    /// Something done by name.
    Command(Command),
    /// Something set.
    Change(Change),
}

/// What wants the keyboard's focus when it is next drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FocusWish {
    /// The choice at this place.
    Choice(usize),
    /// The text field of the screen.
    Field,
    /// The filled button.
    Main,
}

/// Where screens put what they have to say.
#[derive(Debug, Default)]
pub struct Outbox {
    /// What was sent, in order.
    pub sent: Vec<Sent>,
    /// What should take the focus in this frame.
    pub focus: Option<FocusWish>,
    /// An arrow key has just moved the focus: a choice that it came to is picked.
    pub walks: bool,
    /// Widgets on which Enter means the screen's main command, not a click on the widget.
    pub enter_goes_on: Vec<Id>,
}

impl Outbox {
    /// Sends a command.
    pub fn command(&mut self, command: Command) {
        self.sent.push(Sent::Command(command));
    }

    /// Sends a value.
    pub fn change(&mut self, change: Change) {
        self.sent.push(Sent::Change(change));
    }

    /// Gives `response` the focus where that was wished for.
    pub fn focus_if(&mut self, wish: FocusWish, response: &Response) {
        if self.focus == Some(wish) {
            response.request_focus();
            response.scroll_to_me(None);
            self.focus = None;
        }
    }
}
