//! The whole window in a harness: started, pressed, looked into.

use std::time::{Duration, Instant};

use attention_tutor::app::settings::DataFolder;
use attention_tutor::app::{App, AppState};
use egui::{Key, Theme, Ui, Vec2, vec2};
use egui_kittest::Harness;

/// The window of the looks.
pub const REFERENCE: Vec2 = vec2(1280.0, 800.0);

/// The app is made on the first frame, when there is a context.
pub struct Window {
    state: Option<AppState>,
    app: Option<App>,
}

impl Window {
    fn app(&mut self) -> &mut App {
        self.app.as_mut().unwrap()
    }
}

fn show(ui: &mut Ui, window: &mut Window) {
    let Window { state, app } = window;
    app.get_or_insert_with(|| App::new(ui.ctx(), state.take().unwrap()))
        .show(ui);
}

/// A window of this size over a state.
pub fn window_of(state: AppState, size: Vec2) -> Harness<'static, Window> {
    let mut harness = super::harness_with_state(
        size,
        Theme::Light,
        show,
        Window {
            state: Some(state),
            app: None,
        },
    );
    harness.run();
    harness
}

/// The window as it starts, with nothing kept.
pub fn window() -> Harness<'static, Window> {
    window_of(AppState::new(DataFolder::none(), Vec::new()), REFERENCE)
}

/// Keys, one a frame.
pub fn press(harness: &mut Harness<'_, Window>, keys: &[Key]) {
    for key in keys {
        harness.key_press(*key);
        harness.run();
    }
}

/// What the window shows.
pub fn state<'a>(harness: &'a mut Harness<'_, Window>) -> &'a mut AppState {
    &mut harness.state_mut().app().state
}

/// The place in the run, from 1, and whether the question is answered.
pub fn place(harness: &mut Harness<'_, Window>) -> (usize, bool) {
    let state = state(harness);
    (
        state.run().unwrap().session.at() + 1,
        state.asking().is_some_and(|asking| asking.is_answered()),
    )
}

/// Frames until something is so; it must come within ten seconds.
pub fn until(harness: &mut Harness<'_, Window>, so: impl Fn(&AppState) -> bool) {
    let end = Instant::now() + Duration::from_secs(10);
    while !so(state(harness)) {
        assert!(Instant::now() < end, "it did not come");
        std::thread::sleep(Duration::from_millis(50));
        harness.run();
    }
    harness.run();
}
