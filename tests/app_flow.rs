//! The window as a learner uses it, by role and label and by keys alone: nothing here knows a pixel.

mod common;

use std::fs;
use std::time::Duration;

use attention_tutor::app::AppState;
use attention_tutor::app::settings::{DataFolder, ThemeChoice};
use attention_tutor::app::state::Screen;
use attention_tutor::quiz::{Answer, Verdict};
use egui::accesskit::{Live, Role};
use egui::{Event, Key, Modifiers, Theme, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use common::window::{REFERENCE, Window, place, press, state, until, window, window_of};

#[test]
fn the_argument_is_gone_through_by_keys_alone() {
    let mut harness = window();
    harness.get_by_role_and_label(Role::Button, "Begin");
    press(&mut harness, &[Key::Enter]);
    assert_eq!(place(&mut harness), (1, false));
    press(&mut harness, &[Key::Num2, Key::Enter]);
    assert_eq!(place(&mut harness), (1, true));
    assert!(
        harness
            .query_by_label_contains("readings give 79")
            .is_some(),
        "screen A has its statement"
    );
    press(&mut harness, &[Key::Enter]);
    assert_eq!(place(&mut harness), (2, false));
    press(&mut harness, &[Key::Enter, Key::Enter]);
    assert_eq!(place(&mut harness), (2, false), "Enter picks nothing");
    assert!(state(&mut harness).asking().unwrap().picked.is_none());
    press(&mut harness, &[Key::ArrowDown]);
    let second = state(&mut harness)
        .asking()
        .unwrap()
        .choice_at(2)
        .map(str::to_owned);
    assert_eq!(
        state(&mut harness).asking().unwrap().picked,
        second,
        "arrows walk and pick, as with radio buttons"
    );
    press(&mut harness, &[Key::Num2, Key::Enter]);
    assert!(
        harness
            .query_by_label_contains("their plain mean, ✗ Yours")
            .is_some()
    );
    assert!(
        harness
            .query_by_label_contains("their weighted average, by people, ✓ Right")
            .is_some()
    );
    let given = state(&mut harness).asking().unwrap().given.clone().unwrap();
    assert_eq!(given.verdict, Verdict::Wrong);
    assert!(matches!(given.answer, Answer::Choice(_)));
    let verdict = harness.get_by_label("Not right.");
    assert_eq!(
        verdict.accesskit_node().live(),
        Live::Polite,
        "a screen reader says the verdict at once"
    );
}

#[test]
fn every_question_can_be_answered_and_the_summary_leads_to_again_those() {
    let mut harness = window();
    press(&mut harness, &[Key::Enter]);
    let questions = state(&mut harness).run().unwrap().session.order().len();
    assert!(questions >= 12);
    for number in 1..=questions {
        assert_eq!(place(&mut harness), (number, false));
        let types = matches!(
            state(&mut harness).asking().unwrap().asked().form,
            attention_tutor::quiz::Form::Number { .. }
        );
        if types {
            // The keyboard is in use: the field has the focus already, and digits go into it.
            harness.event(Event::Text("1".to_owned()));
            harness.run();
            press(&mut harness, &[Key::Enter]);
        } else {
            press(&mut harness, &[Key::Num1, Key::Enter]);
        }
        assert_eq!(place(&mut harness), (number, true), "question {number}");
        press(&mut harness, &[Key::Enter]);
    }
    assert!(matches!(state(&mut harness).screen, Screen::Summary));
    let missed = state(&mut harness)
        .run()
        .unwrap()
        .session
        .summary()
        .missed
        .len();
    assert!(missed > 0);
    press(&mut harness, &[Key::A]);
    assert_eq!(
        state(&mut harness).run().unwrap().session.order().len(),
        missed
    );
    assert_eq!(place(&mut harness), (1, false));
}

#[test]
fn a_held_enter_skips_no_explanation() {
    let mut harness = window();
    press(&mut harness, &[Key::Enter, Key::Num2]);
    let down = |repeat| Event::Key {
        key: Key::Enter,
        physical_key: None,
        pressed: true,
        repeat,
        modifiers: Modifiers::NONE,
    };
    harness.event(down(false));
    harness.run();
    for _ in 0..20 {
        harness.event(down(true));
        harness.step();
    }
    assert_eq!(
        place(&mut harness),
        (1, true),
        "the explanation stays while Enter is held"
    );
}

#[test]
fn letters_and_digits_go_into_a_text_field_and_nowhere_else() {
    let mut harness = window();
    press(&mut harness, &[Key::Enter, Key::PageDown, Key::PageDown]);
    assert_eq!(place(&mut harness), (3, false));
    for (key, text) in [(Key::H, "h"), (Key::N, "n"), (Key::Num1, "1")] {
        harness.key_press(key);
        harness.event(Event::Text(text.to_owned()));
        harness.run();
    }
    let asking = state(&mut harness).asking().unwrap();
    assert_eq!(asking.typed, "hn1");
    assert_eq!(asking.hints_open, 0);
    press(&mut harness, &[Key::Enter]);
    assert_eq!(
        place(&mut harness),
        (3, false),
        "what is no number does not count"
    );
    assert!(state(&mut harness).asking().unwrap().not_counted.is_some());
}

#[test]
fn changed_numbers_change_every_text_at_once_and_the_marks_stay() {
    let mut harness = window();
    press(
        &mut harness,
        &[Key::Enter, Key::PageDown, Key::Num2, Key::Enter],
    );
    press(&mut harness, &[Key::E]);
    let asking = state(&mut harness).asking().unwrap();
    assert!(asking.live.as_ref().unwrap().is_changed());
    assert_eq!(
        asking.would_be_right(),
        Some(true),
        "with equal weights the plain mean is right too"
    );
    assert!(
        harness
            .query_by_label_contains("their plain mean, ✗ Yours")
            .is_some(),
        "the mark stays"
    );
    assert!(
        harness
            .query_by_label_contains("With these, your answer would be right")
            .is_some()
    );
    assert!(
        harness
            .query_all_by_label_contains("balances at 80")
            .next()
            .is_some(),
        "the picture follows"
    );
    assert!(
        harness
            .query_by_label_contains("The mean of all nine is 80")
            .is_some(),
        "the prompt follows"
    );
    // Undo and redo, then Reset, and Reset undone.
    let ctrl = Modifiers {
        ctrl: true,
        command: true,
        ..Modifiers::NONE
    };
    harness.key_press_modifiers(ctrl, Key::Z);
    harness.run();
    assert!(
        !state(&mut harness)
            .asking()
            .unwrap()
            .live
            .as_ref()
            .unwrap()
            .is_changed()
    );
    harness.key_press_modifiers(
        Modifiers {
            shift: true,
            ..ctrl
        },
        Key::Z,
    );
    harness.run();
    assert!(
        state(&mut harness)
            .asking()
            .unwrap()
            .live
            .as_ref()
            .unwrap()
            .is_changed()
    );
    press(&mut harness, &[Key::R]);
    assert!(
        !state(&mut harness)
            .asking()
            .unwrap()
            .live
            .as_ref()
            .unwrap()
            .is_changed()
    );
    assert!(
        harness
            .query_by_label_contains("You changed the numbers")
            .is_none()
    );
}

#[test]
fn enter_on_another_button_does_what_that_button_says() {
    let mut harness = window();
    press(
        &mut harness,
        &[Key::Enter, Key::PageDown, Key::Num2, Key::Enter],
    );
    harness
        .get_by_role_and_label(Role::Button, "Copy as a reply")
        .focus();
    harness.run();
    press(&mut harness, &[Key::Enter]);
    assert_eq!(
        place(&mut harness),
        (2, true),
        "the question is still there"
    );
    assert!(
        harness
            .query_all_by_label_contains("on the clipboard")
            .next()
            .is_some()
    );
}

#[test]
fn the_palette_and_the_keys_open_over_any_screen_and_esc_closes_them() {
    let ctrl = Modifiers {
        ctrl: true,
        command: true,
        ..Modifiers::NONE
    };
    let mut harness = window();
    harness.key_press_modifiers(ctrl, Key::K);
    harness.run();
    harness.event(Event::Text("write nobody argue".to_owned()));
    harness.run();
    press(&mut harness, &[Key::Enter]);
    assert!(
        state(&mut harness)
            .asking()
            .is_some_and(|asking| asking.question.id == "write-the-offer")
    );
    press(&mut harness, &[Key::F1]);
    assert!(harness.query_by_label("All keys").is_some());
    press(&mut harness, &[Key::Num1]);
    assert!(
        state(&mut harness).asking().unwrap().picked.is_none(),
        "no key reaches what lies below"
    );
    press(&mut harness, &[Key::Escape]);
    assert!(state(&mut harness).overlay.is_none());
    press(&mut harness, &[Key::Escape]);
    assert!(matches!(state(&mut harness).screen, Screen::Learn));
}

#[test]
fn a_window_at_rest_asks_for_no_frame_on_any_screen() {
    let mut harness = window();
    let rest = |harness: &mut Harness<'_, Window>, screen: &str| {
        harness.run();
        let delay = harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay;
        assert_eq!(delay, Duration::MAX, "{screen} asks for another frame");
    };
    rest(&mut harness, "learn");
    press(&mut harness, &[Key::Enter]);
    rest(&mut harness, "a question");
    press(&mut harness, &[Key::PageDown, Key::Num2, Key::Enter]);
    rest(&mut harness, "an explanation");
    press(&mut harness, &[Key::PageDown]);
    rest(&mut harness, "a text field");
    let ctrl = Modifiers {
        ctrl: true,
        command: true,
        ..Modifiers::NONE
    };
    for (key, screen) in [
        (Key::Comma, "settings"),
        (Key::O, "open"),
        (Key::K, "palette"),
    ] {
        harness.key_press_modifiers(ctrl, key);
        rest(&mut harness, screen);
    }
}

#[test]
fn text_grows_with_ctrl_plus_and_the_way_on_stays_in_the_window() {
    let mut harness = window_of(
        AppState::new(DataFolder::none(), Vec::new()),
        vec2(1024.0, 600.0),
    );
    press(
        &mut harness,
        &[Key::Enter, Key::PageDown, Key::Num2, Key::Enter],
    );
    let next = harness.get_by_role_and_label(Role::Button, "Next").rect();
    assert!(next.max.y <= 600.0, "{next:?}");
    let ctrl = Modifiers {
        ctrl: true,
        command: true,
        ..Modifiers::NONE
    };
    for _ in 0..3 {
        harness.key_press_modifiers(ctrl, Key::Plus);
        harness.run();
    }
    assert!(
        state(&mut harness).settings.text_size > 1.2,
        "what the keys did is a setting"
    );
    harness.get_by_role_and_label(Role::Button, "Next");
}

#[test]
fn a_file_that_changes_on_disk_is_read_again_and_the_place_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("mine.ron");
    let quiz = |prompt: &str| {
        format!(
            r#"Quiz(format: 1, id: "mine", title: "Mine", promise: "Two questions.", language: "en", questions: [
                Question(id: "first", prompt: "One?", kind: OneOf([Wrong(id: "no", text: "no", why: "No."), Right(id: "yes", text: "yes", why: "Yes.")])),
                Question(id: "second", prompt: "{prompt}", kind: OneOf([Wrong(id: "no", text: "no", why: "No."), Right(id: "yes", text: "yes", why: "Yes.")])),
            ])"#
        )
    };
    fs::write(&file, quiz("Two?")).unwrap();
    let mut harness = window_of(
        AppState::new(DataFolder::none(), vec![file.clone()]),
        REFERENCE,
    );
    until(&mut harness, |state| {
        state
            .library
            .quizzes
            .first()
            .is_some_and(|quiz| quiz.id == "mine")
    });
    press(
        &mut harness,
        &[Key::Enter, Key::Num2, Key::Enter, Key::Enter],
    );
    assert!(harness.query_by_label("Two?").is_some());
    // Polling compares times and sizes: a longer text is seen even within one tick of a coarse clock.
    fs::write(&file, quiz("Two, said otherwise?")).unwrap();
    until(&mut harness, |state| {
        state
            .asking()
            .is_some_and(|asking| format!("{:?}", asking.asked().prompt).contains("otherwise"))
    });
    assert!(harness.query_by_label("Two, said otherwise?").is_some());
    assert_eq!(place(&mut harness), (2, false));
    assert!(
        state(&mut harness)
            .run()
            .unwrap()
            .session
            .attempt("first")
            .is_some(),
        "the answer is kept"
    );
    fs::write(&file, "Quiz(format: 1, id: \"mine\", questons: [").unwrap();
    until(&mut harness, |state| !state.library.diagnostics.is_empty());
    assert!(
        harness.query_by_label("Two, said otherwise?").is_some(),
        "a broken file takes nothing away"
    );
}

#[test]
fn settings_are_kept_and_a_chosen_theme_is_shown() {
    let dir = tempfile::tempdir().unwrap();
    let data = || DataFolder::find(Some(dir.path().to_owned()));
    let mut harness = window_of(AppState::new(data(), Vec::new()), REFERENCE);
    harness.get_by_role_and_label(Role::Tab, "Settings").click();
    harness.run();
    harness.get_by_label("Dark").click();
    harness.run();
    assert_eq!(harness.ctx.theme(), Theme::Dark);
    assert_eq!(data().read_settings().theme, ThemeChoice::Dark);
}
