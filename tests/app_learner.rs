//! What a learner who tries everything would see go wrong: she is stuck, sent astray, told nothing, or told what is not so.

mod common;

use std::fs;

use attention_tutor::app::AppState;
use attention_tutor::app::outbox::{Change, Sent};
use attention_tutor::app::settings::DataFolder;
use attention_tutor::app::state::Screen;
use attention_tutor::quiz::{Form, Verdict};
use egui::accesskit::{Live, Role};
use egui::{Event, Key, Modifiers, Rect, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use common::window::{REFERENCE, Window, place, press, state, until, window, window_of};

const CTRL: Modifiers = Modifiers {
    alt: false,
    ctrl: true,
    shift: false,
    mac_cmd: false,
    command: true,
};

/// Answers the question at hand by keys, with its first choice, with 1, or with the bars as they stand.
fn answer(harness: &mut Harness<'_, Window>) {
    let form = state(harness).asking().unwrap().asked().form.clone();
    match form {
        Form::Choices(_) => press(harness, &[Key::Num1]),
        Form::Number { .. } => {
            harness.event(Event::Text("1".to_owned()));
            harness.run();
        }
        Form::Weights { .. } => {}
    }
    press(harness, &[Key::Enter]);
    assert!(place(harness).1, "{:?}", place(harness));
}

/// Everything that a screen reader is told by itself.
fn announced(harness: &Harness<'_, Window>) -> Vec<String> {
    harness
        .get_all(egui_kittest::kittest::By::new().predicate(|node| node.live() == Live::Polite))
        .map(|node| node.accesskit_node().label().unwrap_or_default())
        .collect()
}

#[test]
fn the_verdict_of_every_question_is_announced_and_the_way_on_is_in_sight_in_a_small_window() {
    let size = vec2(800.0, 560.0);
    let mut harness = window_of(AppState::new(DataFolder::none(), Vec::new()), size);
    press(&mut harness, &[Key::Enter]);
    let questions = state(&mut harness).run().unwrap().session.order().len();
    for number in 1..=questions {
        answer(&mut harness);
        let told = announced(&harness);
        let verdict = state(&mut harness)
            .asking()
            .unwrap()
            .given
            .clone()
            .unwrap()
            .verdict;
        let says = match verdict {
            Verdict::Right => "Right",
            Verdict::Wrong => "Not right",
            Verdict::Partly => "Partly right",
            Verdict::Open => "Every reading",
        };
        let is_told = told.iter().any(|told| told.contains(says));
        assert!(
            is_told,
            "question {number} ({verdict:?}) announces {told:?}"
        );
        let name = if number == questions {
            "To the summary"
        } else {
            "Next"
        };
        let next = harness.get_by_role_and_label(Role::Button, name);
        let window = Rect::from_min_size(egui::Pos2::ZERO, size);
        assert!(
            window.contains_rect(next.rect()),
            "question {number}: {:?}",
            next.rect()
        );
        press(&mut harness, &[Key::Enter]);
    }
    assert_eq!(state(&mut harness).screen, Screen::Summary);
    let again = harness
        .get_by_role_and_label(Role::Button, "Again those")
        .rect();
    assert!(
        again.max.y < 560.0,
        "what was missed pushes nothing out of sight: {again:?}"
    );
}

#[test]
fn a_prediction_is_set_and_given_by_keys_without_leaving_its_bar() {
    let mut harness = window();
    press(&mut harness, &[Key::Enter]);
    press(&mut harness, &[Key::PageDown; 9]);
    let bars: Vec<_> = harness.get_all_by_role(Role::Slider).collect();
    assert_eq!(bars.len(), 5, "a bar a word");
    bars[1].focus();
    drop(bars);
    harness.run();
    press(&mut harness, &[Key::ArrowUp; 4]);
    let guess = |harness: &mut Harness<'_, Window>| {
        let asking = state(harness).asking().unwrap();
        asking.live.as_ref().unwrap().guess.weights.clone().unwrap()[1]
    };
    let set = guess(&mut harness);
    assert!(set > 0.2, "{set}");
    press(&mut harness, &[Key::Enter]);
    assert_eq!(place(&mut harness), (10, true));
    assert_eq!(guess(&mut harness), set);
}

#[test]
fn arrows_in_a_figure_never_change_what_is_picked() {
    let mut harness = window();
    press(&mut harness, &[Key::Enter, Key::PageDown, Key::Num3]);
    let picked =
        |harness: &mut Harness<'_, Window>| state(harness).asking().unwrap().picked.clone();
    let before = picked(&mut harness);
    assert!(before.is_some());
    harness.get_by_role(Role::Slider).focus();
    harness.run();
    press(
        &mut harness,
        &[Key::ArrowDown, Key::ArrowUp, Key::ArrowRight, Key::ArrowUp],
    );
    assert_eq!(picked(&mut harness), before);
    let asking = state(&mut harness).asking().unwrap();
    assert!(
        asking.live.as_ref().unwrap().guess.wedge.is_some(),
        "they moved the wedge"
    );
}

#[test]
fn one_goes_on_where_one_stopped_or_from_the_start() {
    let mut harness = window();
    press(
        &mut harness,
        &[Key::Enter, Key::Num2, Key::Enter, Key::Enter, Key::Escape],
    );
    assert_eq!(state(&mut harness).screen, Screen::Learn);
    harness.get_by_label_contains("question 2 of 14");
    press(&mut harness, &[Key::Enter]);
    assert_eq!(place(&mut harness), (2, false));
    press(&mut harness, &[Key::Escape]);
    harness
        .get_by_role_and_label(Role::Button, "From the start")
        .click();
    harness.run();
    assert_eq!(place(&mut harness), (1, false));
}

#[test]
fn enter_in_an_empty_field_leaves_the_cursor_where_the_number_belongs() {
    let mut harness = window();
    press(
        &mut harness,
        &[Key::Enter, Key::PageDown, Key::Num3, Key::Enter, Key::Enter],
    );
    // Nothing yet, and then something that is no number.
    press(&mut harness, &[Key::Enter]);
    harness.event(Event::Text("?".to_owned()));
    harness.run();
    press(&mut harness, &[Key::Enter, Key::Backspace]);
    assert_eq!(place(&mut harness), (3, false));
    harness.event(Event::Text("1".to_owned()));
    harness.run();
    press(&mut harness, &[Key::Enter]);
    assert_eq!(place(&mut harness), (3, true));
}

#[test]
fn what_was_missed_is_asked_again_by_enter_and_the_palette_still_reaches_every_question() {
    let mut harness = window();
    press(
        &mut harness,
        &[Key::Enter, Key::PageDown, Key::Num3, Key::Enter, Key::Enter],
    );
    harness.event(Event::Text("1".to_owned()));
    harness.run();
    press(&mut harness, &[Key::Enter]);
    assert_eq!(place(&mut harness), (3, true));
    press(&mut harness, &[Key::PageDown; 11]);
    answer(&mut harness);
    press(&mut harness, &[Key::Enter]);
    assert_eq!(state(&mut harness).screen, Screen::Summary);
    // Two plain means were not both "80": each question has the number that its own answer came of.
    let missed = state(&mut harness).run().unwrap().session.summary().missed;
    for mistake in missed.iter().filter_map(|missed| missed.mistakes.first()) {
        harness.get_by_label(&mistake.sentence);
    }
    press(&mut harness, &[Key::Enter]);
    assert_eq!(
        state(&mut harness).run().unwrap().session.order().len(),
        missed.len()
    );
    harness.key_press_modifiers(CTRL, Key::K);
    harness.run();
    harness.event(Event::Text("ten people sat".to_owned()));
    harness.run();
    press(&mut harness, &[Key::Enter]);
    let asked = state(&mut harness).asking().unwrap().question.id.clone();
    assert_eq!(
        asked, "the-beam",
        "it was answered right, so the run through what was missed lacks it"
    );
}

#[test]
fn a_quiz_of_which_nothing_could_be_read_is_told_and_leads_to_no_blank_window() {
    let dir = tempfile::tempdir().unwrap();
    let question = |right: u8| {
        format!(
            r#"Question(id: "n", example: "e", prompt: "How much?", asks: WeightedAverage, kind: Number(right: {right}))"#
        )
    };
    let quiz = |id: &str, questions: &str| {
        format!(
            r#"Quiz(format: 1, id: "{id}", title: "{id}", promise: "One.", language: "en",
                examples: {{ "e": WeightedValues(values: [70, 80, 90], counts: [3, 5, 2]) }}, questions: [{questions}])"#
        )
    };
    fs::write(dir.path().join("a.ron"), quiz("hollow", "Question(id: 1)")).unwrap();
    fs::write(dir.path().join("b.ron"), quiz("disproved", &question(80))).unwrap();
    fs::write(dir.path().join("c.ron"), quiz("good", &question(79))).unwrap();
    let state_now = AppState::new(DataFolder::none(), vec![dir.path().to_owned()]);
    let mut harness = window_of(state_now, REFERENCE);
    until(&mut harness, |state| {
        !state.loading && state.find_quiz("good").is_some()
    });
    assert!(
        harness.query_by_label("hollow").is_none(),
        "a card that leads nowhere"
    );
    let hollow = Sent::Change(Change::BeginQuiz("hollow".to_owned()));
    state(&mut harness).receive(hollow);
    assert_eq!(state(&mut harness).screen, Screen::Learn);
    harness.get_by_role_and_label(Role::Button, "Show").click();
    harness.run();
    // The reader's findings and the engine's proofs stand on one screen.
    for file in ["a.ron", "b.ron"] {
        assert!(
            harness.query_all_by_label_contains(file).next().is_some(),
            "{file} is not told"
        );
    }
    assert!(
        harness.query_by_label_contains("comes to 79").is_some(),
        "a right answer that the engine disproves"
    );
    assert!(
        harness
            .query_all_by_label_contains("c.ron")
            .next()
            .is_none()
    );
}

#[test]
fn a_message_is_one_thing_and_lies_over_no_button() {
    let mut harness = window();
    press(
        &mut harness,
        &[Key::Enter, Key::PageDown, Key::Num2, Key::Enter, Key::Y],
    );
    let toast = harness.get_by_label("The explanation is on the clipboard, as Markdown.");
    assert_eq!(toast.accesskit_node().role(), Role::Status);
    let toast = toast.rect();
    for button in harness.get_all_by_role(Role::Button) {
        assert!(
            !toast.intersects(button.rect()),
            "over {:?}",
            button.accesskit_node().label()
        );
    }
}

#[test]
fn a_slip_in_a_folders_name_makes_no_folder() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("no such folder");
    let mut harness = window();
    press(
        &mut harness,
        &[Key::Enter, Key::PageDown, Key::Num2, Key::Enter],
    );
    harness.key_press_modifiers(CTRL, Key::S);
    harness.run();
    let path = missing.join("beam.png").display().to_string();
    state(&mut harness).receive(Sent::Change(Change::PathTyped(path)));
    press(&mut harness, &[Key::Enter]);
    harness.get_by_label_contains("There is no folder");
    assert!(matches!(state(&mut harness).screen, Screen::Save(_)));
    assert!(!missing.exists());
}

#[test]
fn a_double_click_goes_one_step_and_no_further() {
    // In a small window *Next* stands at one place, whichever answered question is shown.
    let state_now = AppState::new(DataFolder::none(), Vec::new());
    let mut harness = window_of(state_now, vec2(800.0, 560.0));
    press(&mut harness, &[Key::Enter, Key::PageDown]);
    answer(&mut harness);
    press(&mut harness, &[Key::Enter]);
    answer(&mut harness);
    press(&mut harness, &[Key::PageUp]);
    let next = harness.get_by_role_and_label(Role::Button, "Next");
    let at = next.rect().center();
    harness.hover_at(at);
    harness.run();
    // A frame of the harness is a quarter of a second: a double click is quicker.
    let mut now = harness.ctx.input(|input| input.time);
    for pressed in [true, false, true, false] {
        harness.input_mut().events.push(Event::PointerButton {
            pos: at,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        });
        for _ in 0..3 {
            now += 0.02;
            harness.input_mut().time = Some(now);
            harness.step();
        }
    }
    harness.input_mut().time = None;
    harness.run();
    assert_eq!(place(&mut harness), (3, true));
}
