//! The desktop: one state, screens that read it, commands that change it, and thin glue to eframe.
//!
//! The way of a frame: what background jobs told is taken in ([`jobs`]), keys become commands ([`keyboard`]), the screens are drawn from
//! [`AppState`] and put what the learner did into the [`outbox`], `handling` does it, and what needs the window, the disk or a
//! thread comes out as [`state::Effect`]s. Nothing repaints by itself: a window at rest draws no frame.
//!
//! [`App::show`] needs no eframe, so that tests and the `picture` command draw exactly what the window draws.

pub mod asking;
pub mod command;
mod figures;
mod following;
mod handling;
pub mod icons;
pub mod jobs;
pub mod keyboard;
pub mod live;
mod messages;
pub mod outbox;
pub mod paths;
pub mod picture;
pub mod picture_screens;
pub mod reply;
mod run;
pub mod screens;
pub mod settings;
pub mod state;
pub mod store;
pub mod theme;
pub mod widgets;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use egui::{ColorImage, Context, Theme, ThemePreference, Ui};

use crate::quiz::Library;
use crate::quiz::watch::{self, Watcher};

use jobs::{Jobs, Told};
use keyboard::Keyboard;
use outbox::{Change, Outbox, Sent};
use settings::ThemeChoice;
use state::Effect;
use theme::Motion;

pub use messages::AppMsg;
pub use picture_screens::{PictureOptions, PictureProblem, draw_screen};
pub use run::{RunOptions, StartProblem, run};
pub use state::AppState;

/// The state with what serves it.
pub struct App {
    /// What is shown.
    pub state: AppState,
    jobs: Jobs,
    keyboard: Keyboard,
    /// Watches the opened files; ends when it is replaced.
    watcher: Option<(Vec<PathBuf>, Watcher)>,
    applied: Option<Applied>,
}

/// The settings that the context was last given.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Applied {
    theme: ThemeChoice,
    text_size: f32,
    motion: bool,
}

impl App {
    /// An app in this state. Files that were named are read in the background.
    #[must_use]
    pub fn new(ctx: &Context, state: AppState) -> Self {
        let mut app = Self {
            state,
            jobs: Jobs::new(ctx.clone()),
            keyboard: Keyboard::default(),
            watcher: None,
            applied: None,
        };
        let has_files = !app.state.paths.is_empty()
            || app.state.data.own_quizzes().is_some_and(|own| own.exists());
        if has_files {
            app.load();
        }
        app
    }

    /// Takes in what the jobs told. Also called while the window is hidden.
    pub fn logic(&mut self) {
        for told in self.jobs.told() {
            self.state.hear(told);
        }
        self.do_effects(None);
    }

    /// One frame of the whole window.
    pub fn show(&mut self, ui: &mut Ui) {
        self.logic();
        let ctx = ui.ctx().clone();
        self.apply_settings(&ctx);
        self.state.now_seconds = ctx.input(|input| input.time);
        self.state.dark = ctx.theme() == Theme::Dark;
        for dropped in ctx.input(|input| input.raw.dropped_files.clone()) {
            self.state
                .receive(Sent::Change(Change::OpenPath(dropped.path().to_owned())));
        }
        for command in self.keyboard.commands(ui, &self.state) {
            self.state.receive(Sent::Command(command));
        }
        // The focus is led along only for those who use the keyboard: its ring means nothing to the others.
        let focus = self.state.focus.take().filter(|_| self.keyboard.in_use);
        let mut out = Outbox {
            focus,
            walks: self.keyboard.walks(),
            ..Outbox::default()
        };
        screens::window_ui(ui, &self.state, &mut out);
        self.state.toasts.ui(&ctx);
        let Outbox {
            sent,
            focus,
            enter_goes_on,
            walks: _,
        } = out;
        self.keyboard.frame_drawn(&ctx, enter_goes_on);
        if !sent.is_empty() || focus.is_some() {
            ctx.request_repaint();
        }
        for sent in sent {
            self.state.receive(sent);
        }
        self.do_effects(Some(&ctx));
    }

    /// Gives the context what the settings say, and takes over what its own zoom keys did.
    fn apply_settings(&mut self, ctx: &Context) {
        let settings = &mut self.state.settings;
        let zoom = ctx.zoom_factor();
        if let Some(applied) = &mut self.applied
            && (zoom - applied.text_size).abs() > 1e-3
        {
            applied.text_size = zoom;
            settings.text_size = zoom;
            self.state.effects.push(Effect::WriteSettings);
        }
        let wanted = Applied {
            theme: settings.theme,
            text_size: settings.text_size,
            motion: settings.motion,
        };
        if self.applied == Some(wanted) {
            return;
        }
        ctx.set_zoom_factor(wanted.text_size);
        if self.applied.map(|applied| applied.theme) != Some(wanted.theme) {
            match wanted.theme {
                // At the start the context already has what the system (or a test) gave it.
                ThemeChoice::System if self.applied.is_none() => {}
                ThemeChoice::System => ctx.set_theme(ThemePreference::System),
                ThemeChoice::Light => ctx.set_theme(ThemePreference::Light),
                ThemeChoice::Dark => ctx.set_theme(ThemePreference::Dark),
            }
        }
        if self
            .applied
            .is_some_and(|applied| applied.motion != wanted.motion)
        {
            theme::set_motion(
                ctx,
                if wanted.motion {
                    Motion::On
                } else {
                    Motion::Off
                },
            );
        }
        self.applied = Some(wanted);
    }

    /// Does what the state asked for. What needs the window waits for a frame.
    fn do_effects(&mut self, ctx: Option<&Context>) {
        let effects = std::mem::take(&mut self.state.effects);
        for effect in effects {
            match (effect, ctx) {
                (Effect::Load, _) => self.load(),
                (Effect::Write { path, bytes }, _) => self.write(path, bytes),
                (Effect::WriteSettings, _) => {
                    if let Err(error) = self.state.data.write_settings(&self.state.settings) {
                        self.state.tell(&AppMsg::SettingsNotWritten {
                            why: error.to_string(),
                        });
                    }
                }
                (Effect::CopyText(text), Some(ctx)) => ctx.copy_text(text),
                (Effect::CopyPicture(image), Some(ctx)) => {
                    let size = [image.width, image.height];
                    ctx.copy_image(ColorImage::from_rgba_unmultiplied(size, &image.rgba));
                }
                (waits, None) => self.state.effects.push(waits),
            }
        }
    }

    /// Reads all files in the background, and watches them from now on.
    fn load(&mut self) {
        self.state.loading = true;
        let (paths, own) = (self.state.paths.clone(), self.state.data.own_quizzes());
        let watched: Vec<PathBuf> = paths.iter().cloned().chain(own.clone()).collect();
        if self
            .watcher
            .as_ref()
            .is_none_or(|(known, _)| *known != watched)
        {
            let watcher = watch::spawn(watched.clone(), self.jobs.on_files_changed());
            self.watcher = Some((watched, watcher));
        }
        let words = Arc::clone(&self.state.words);
        self.jobs.spawn("reading quizzes", move || {
            let library = Library::load(&paths, own.as_deref(), &words).checked(&words);
            Told::Loaded {
                library: Box::new(library),
                paths,
            }
        });
    }

    fn write(&self, path: PathBuf, bytes: Vec<u8>) {
        self.jobs.spawn("saving", move || {
            match store::write_atomically(&path, &bytes) {
                Ok(()) => Told::Saved(path),
                Err(error) => Told::NotSaved {
                    path,
                    why: error.to_string(),
                },
            }
        });
    }
}

impl eframe::App for App {
    fn logic(&mut self, _ctx: &Context, _frame: &mut eframe::Frame) {
        Self::logic(self);
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
        // `benches/window.rs` counts these: idle means none.
        log::trace!("frame drawn");
    }

    /// The window's place is written soon after it changed, not only at the end: a session that is logged out ends by a signal.
    fn auto_save_interval(&self) -> Duration {
        Duration::from_secs(1)
    }

    /// Scroll positions and open menus are no learner's data: only the window's place is remembered.
    fn persist_egui_memory(&self) -> bool {
        false
    }
}
