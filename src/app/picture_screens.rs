//! The screens that can be drawn without a window, by name, in the state that the name asks for.

use std::path::PathBuf;

use egui::{Context, Theme, Vec2};

use super::command::Command;
use super::outbox::{Change, Sent};
use super::picture::{self, Image};
use super::settings::DataFolder;
use super::theme::{self, Motion};
use super::{App, AppState};
use crate::quiz::Library;
use crate::words::{Words, messages};

messages! {
    /// What `picture --list` says of each screen, and what is wrong with a name.
    pub enum PictureMsg {
        Learn,
        Question,
        Answered,
        Summary,
        Problems,
        Settings,
        Open,
        Palette,
        Keys,
        NoSuchScreen { name: String },
        NoSuchQuestion { number: usize, of: usize },
        NoSuchPart { part: String },
        NotAnswered { answer: String },
        NoQuiz { path: String },
    }
}

/// What is drawn.
#[derive(Clone, Debug)]
pub struct PictureOptions {
    /// The screen and its state, such as `question:2:answered=1`.
    pub screen: String,
    /// Dark instead of light.
    pub dark: bool,
    /// Width and height, in points.
    pub size_points: [f32; 2],
    /// Pixels a point.
    pub scale: f32,
    /// A quiz file to draw instead of the built-in ones.
    pub quiz: Option<PathBuf>,
}

/// Why a screen cannot be drawn: one sentence for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PictureProblem(pub String);

/// The names that [`state_for`] knows, each with what it shows.
#[must_use]
pub fn list(words: &Words) -> Vec<(&'static str, String)> {
    [
        ("learn", PictureMsg::Learn),
        ("question:1", PictureMsg::Question),
        ("question:1:answered=2", PictureMsg::Answered),
        ("summary", PictureMsg::Summary),
        ("problems", PictureMsg::Problems),
        ("settings", PictureMsg::Settings),
        ("open", PictureMsg::Open),
        ("palette", PictureMsg::Palette),
        ("keys", PictureMsg::Keys),
    ]
    .map(|(name, message)| (name, words.say(&message)))
    .into()
}

/// The state that a name asks for: a screen, then parts after colons: a question's number, `answered=…` (a choice's number or a typed
/// number), `figure=…` (its number), `do=…` (a command's key, such as `do=E`).
pub fn state_for(name: &str, library: Option<Library>) -> Result<AppState, PictureProblem> {
    let mut state = AppState::new(DataFolder::none(), Vec::new());
    if let Some(library) = library {
        state.library = library;
    }
    let mut parts = name.split(':');
    let screen = parts.next().unwrap_or_default();
    match screen {
        "learn" => {}
        "question" => begin(&mut state, parts.next())?,
        "summary" => {
            begin(&mut state, None)?;
            answer_all(&mut state);
        }
        "problems" => send(&mut state, Command::Problems),
        "settings" => send(&mut state, Command::Settings),
        "open" => send(&mut state, Command::Open),
        "palette" => send(&mut state, Command::Palette),
        "keys" => send(&mut state, Command::Keys),
        _ => {
            return Err(problem(
                &state,
                &PictureMsg::NoSuchScreen {
                    name: name.to_owned(),
                },
            ));
        }
    }
    for part in parts {
        apply(&mut state, part)?;
    }
    state.toasts = super::widgets::Toasts::default();
    Ok(state)
}

/// Draws a screen.
pub fn draw_screen(options: &PictureOptions, words: &Words) -> Result<Image, PictureProblem> {
    let PictureOptions {
        screen,
        dark,
        size_points,
        scale,
        quiz,
    } = options;
    let library = match quiz {
        None => None,
        Some(path) => {
            let library = Library::opened(std::slice::from_ref(path), words).checked(words);
            if library.quizzes.is_empty() && library.diagnostics.is_empty() {
                return Err(PictureProblem(words.say(&PictureMsg::NoQuiz {
                    path: path.display().to_string(),
                })));
            }
            Some(library)
        }
    };
    let state = state_for(screen, library)?;
    let theme = if *dark { Theme::Dark } else { Theme::Light };
    let ctx = Context::default();
    theme::install(&ctx, Motion::Off);
    ctx.set_theme(theme);
    let mut app = App::new(&ctx, state);
    Ok(picture::draw_in(
        &ctx,
        Vec2::from(*size_points),
        *scale,
        12,
        |ui| app.show(ui),
    ))
}

fn begin(state: &mut AppState, number: Option<&str>) -> Result<(), PictureProblem> {
    state.settings.motion = false;
    send(state, Command::Begin);
    let of = state.run().map_or(0, |run| run.session.order().len());
    let number = match number {
        None => 1,
        Some(text) => text.parse::<usize>().unwrap_or(0),
    };
    if number == 0 || number > of {
        return Err(problem(state, &PictureMsg::NoSuchQuestion { number, of }));
    }
    state.receive(Sent::Change(Change::GoToPlace(number - 1)));
    Ok(())
}

/// One part of a name.
fn apply(state: &mut AppState, part: &str) -> Result<(), PictureProblem> {
    match part.split_once('=') {
        Some(("answered", answer)) => {
            give(state, answer);
            if !state
                .asking()
                .is_some_and(super::asking::Asking::is_answered)
            {
                return Err(problem(
                    state,
                    &PictureMsg::NotAnswered {
                        answer: answer.to_owned(),
                    },
                ));
            }
        }
        Some(("picked", number)) => send(state, Command::Pick(number.parse().unwrap_or(0))),
        Some(("figure", number)) => {
            let place = number.parse::<usize>().unwrap_or(1).saturating_sub(1);
            state.receive(Sent::Change(Change::ShowFigure(place)));
        }
        Some(("do", key)) => {
            let named = Command::ALL.into_iter().find(|command| {
                state.can(*command)
                    && command
                        .bindings()
                        .into_iter()
                        .any(|b| b.cap().eq_ignore_ascii_case(key))
            });
            match named {
                Some(command) => send(state, command),
                None => {
                    return Err(problem(
                        state,
                        &PictureMsg::NoSuchPart {
                            part: part.to_owned(),
                        },
                    ));
                }
            }
        }
        _ => {
            return Err(problem(
                state,
                &PictureMsg::NoSuchPart {
                    part: part.to_owned(),
                },
            ));
        }
    }
    Ok(())
}

/// Gives an answer: the number of a choice, or a number as typed; weights are answered as they stand.
fn give(state: &mut AppState, answer: &str) {
    match answer.parse::<u8>() {
        Ok(number) if state.can(Command::Pick(number)) => send(state, Command::Pick(number)),
        _ => state.receive(Sent::Change(Change::Typed(answer.to_owned()))),
    }
    send(state, Command::Submit);
}

/// A run in which the first choice is always taken: some of it is wrong.
fn answer_all(state: &mut AppState) {
    let questions = state.run().map_or(0, |run| run.session.order().len());
    for _ in 0..questions {
        give(state, "1");
        send(state, Command::Next);
    }
}

fn send(state: &mut AppState, command: Command) {
    state.receive(Sent::Command(command));
}

fn problem(state: &AppState, message: &PictureMsg) -> PictureProblem {
    PictureProblem(state.words.say(message))
}
