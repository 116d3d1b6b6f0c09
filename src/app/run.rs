//! The window itself: how it is opened, and what is said where it cannot be.

use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use egui::{IconData, Theme, ViewportBuilder};

use super::icons::{Icon, paint_icon};
use super::settings::DataFolder;
use super::theme::{self, Ink, Motion};
use super::{App, AppMsg, AppState, picture};
use crate::words::Words;

/// How the window is to be opened.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Quiz files and folders to open.
    pub paths: Vec<PathBuf>,
    /// The data folder, where it is not the platform's.
    pub data: Option<PathBuf>,
}

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
#[error("{told}")]
pub struct StartProblem {
    /// One paragraph for the learner: what is missing, and how to get it.
    pub told: String,
}

const TITLE: &str = "Attention Tutor";
const APP_ID: &str = "attention-tutor";

/// Opens the window and stays until it is closed.
///
/// # Errors
/// Where there is no display or no OpenGL: one paragraph for the learner. Nothing panics.
pub fn run(options: RunOptions) -> Result<(), StartProblem> {
    let RunOptions { paths, data } = options;
    let data = DataFolder::find(data);
    let persistence_path = data.folder.as_ref().map(|folder| folder.join("window.ron"));
    let state = AppState::new(data, paths);
    let native = eframe::NativeOptions {
        viewport: ViewportBuilder::default()
            .with_title(TITLE)
            .with_app_id(APP_ID)
            .with_icon(icon())
            .with_inner_size([1280.0, 800.0])
            .with_min_inner_size([800.0, 560.0]),
        renderer: eframe::Renderer::Glow,
        persist_window: true,
        persistence_path,
        ..eframe::NativeOptions::default()
    };
    let is_open = Arc::new(AtomicBool::new(false));
    let opens = Arc::clone(&is_open);
    let open = move || {
        let create: eframe::AppCreator<'_> = Box::new(move |creation| {
            opens.store(true, Ordering::Relaxed);
            let ctx = &creation.egui_ctx;
            // Where the system says nothing, paper is white.
            ctx.options_mut(|options| options.fallback_theme = Theme::Light);
            theme::install(
                ctx,
                if state.settings.motion {
                    Motion::On
                } else {
                    Motion::Off
                },
            );
            Ok(Box::new(App::new(ctx, state)))
        });
        eframe::run_native(APP_ID, native, create)
    };
    without_panic(&is_open, open)?.map_err(|error| {
        let why = without_source_place(&error.to_string());
        let message = match error {
            eframe::Error::WinitEventLoop(_) => AppMsg::NoDisplay { why },
            eframe::Error::Glutin(_)
            | eframe::Error::NoGlutinConfigs(..)
            | eframe::Error::OpenGL(_) => AppMsg::NoGraphics { why },
            _ => AppMsg::WindowFailed { why },
        };
        StartProblem {
            told: Words::english().say(&message),
        }
    })
}

/// Opens the window; a panic of the window libraries on the way (they do so where a library of the system is missing) is a problem like any
/// other. One after the window stands is a fault of ours, and goes on as such.
fn without_panic<T>(
    is_open: &Arc<AtomicBool>,
    open: impl FnOnce() -> T,
) -> Result<T, StartProblem> {
    let was_open = Arc::clone(is_open);
    let usual_hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if was_open.load(Ordering::Relaxed) {
            usual_hook(info);
        }
    }));
    let opened = panic::catch_unwind(AssertUnwindSafe(open));
    // The hook in place is silent where there is no window; from here on all is told again.
    if !is_open.load(Ordering::Relaxed) {
        drop(panic::take_hook());
    }
    opened.map_err(|payload| {
        if is_open.load(Ordering::Relaxed) {
            panic::resume_unwind(payload);
        }
        let said = payload.downcast_ref::<String>().cloned();
        let said = said.or_else(|| payload.downcast_ref::<&str>().map(|&said| said.to_owned()));
        let why = said.unwrap_or_default().trim_end_matches('.').to_owned();
        StartProblem {
            told: Words::english().say(&AppMsg::WindowFailed { why }),
        }
    })
}

/// What went wrong, without the place in a library's source where that was noticed: it tells a learner nothing.
fn without_source_place(error: &str) -> String {
    let after_place = error
        .rsplit_once(".rs:")
        .and_then(|(_, rest)| rest.split_once(": "));
    let why = after_place.map_or(error, |(_, why)| why);
    why.trim_end_matches('.').to_owned()
}

/// The program's icon: the pair of scales, drawn by our own renderer.
fn icon() -> IconData {
    const SIDE_PT: f32 = 128.0;
    let image = picture::draw(egui::Vec2::splat(SIDE_PT), 1.0, Theme::Dark, 8, |ui| {
        let rect = ui.ctx().content_rect();
        paint_icon(
            ui,
            rect.shrink(SIDE_PT / 8.0),
            Icon::Balance,
            theme::ink(ui, Ink::Text),
        );
    });
    let side = |n: usize| u32::try_from(n).unwrap_or_default();
    IconData {
        width: side(image.width),
        height: side(image.height),
        rgba: image.rgba,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_problem_names_no_source_file() {
        let error = "winit EventLoopError: os error at /registry/winit/mod.rs:765: neither DISPLAY nor WAYLAND_DISPLAY is set.";
        assert_eq!(
            without_source_place(error),
            "neither DISPLAY nor WAYLAND_DISPLAY is set"
        );
        assert_eq!(without_source_place("no configs"), "no configs");
    }

    #[test]
    fn a_panic_before_the_window_stands_is_a_start_problem() {
        let is_open = Arc::new(AtomicBool::new(false));
        let problem = without_panic::<()>(&is_open, || panic!("a library is missing"));
        assert!(problem.unwrap_err().told.contains("a library is missing"));
        assert_eq!(without_panic(&is_open, || 7).unwrap(), 7);
    }

    #[test]
    fn the_icon_is_drawn() {
        let IconData {
            rgba,
            width,
            height,
        } = icon();
        assert_eq!(rgba.len(), (width * height * 4) as usize);
        assert!(
            rgba.chunks(4).any(|pixel| pixel != &rgba[..4]),
            "it is more than one colour"
        );
    }
}
