//! The figures on the screen: taken hold of by pointer, keys and screen reader, and their tables typed into.

mod common;

use attention_tutor::app::live::Live;
use attention_tutor::app::widgets::figure::{FigureView, figure_ui};
use attention_tutor::app::widgets::figure_table::table_ui;
use attention_tutor::figure::{
    self, Drawing, FigureInput, FigureKind, Guess, Moment, Picture, Target,
};
use attention_tutor::text::Palette;
use attention_tutor::words::Words;
use attention_tutor::worked_example::{AttentionExample, Computed, WeightedValues, WorkedExample};
use egui::{Event, Key, Modifiers, Theme, Ui, Vec2, accesskit, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use ndarray::array;

const SIZE: Vec2 = vec2(560.0, 760.0);

/// A figure with its table, and what was done with it.
struct Desk {
    kind: FigureKind,
    example: WorkedExample,
    moment: Moment,
    guess: Guess,
    released: Option<f64>,
    /// Every change, in order.
    log: Vec<(Target, f64)>,
}

impl Desk {
    fn exam(moment: Moment) -> Self {
        let example = WorkedExample::WeightedValues(WeightedValues {
            unit: "points".into(),
            holders: "people".into(),
            values: vec![70.0, 80.0, 90.0],
            counts: vec![3.0, 5.0, 2.0],
        });
        Self {
            kind: FigureKind::Balance,
            example,
            moment,
            guess: Guess::default(),
            released: None,
            log: Vec::new(),
        }
    }

    fn jane(kind: FigureKind, moment: Moment) -> Self {
        let example = WorkedExample::Attention(AttentionExample {
            tokens: ["Jane", "visits", "Africa", "in", "September"]
                .map(String::from)
                .to_vec(),
            q: array![[1.0, 0.5], [0.2, 1.1], [0.8, 1.2], [0.1, 0.4], [0.5, 0.9]],
            k: array![[0.2, 0.3], [1.0, 0.9], [0.9, 0.7], [0.1, 0.2], [-0.2, 0.3]],
            v: array![[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [0.5, 0.5], [2.0, 2.0]],
            keep: None,
            bias: None,
            spec: attention_tutor::attention::Spec::default(),
            focus: 2,
        });
        Self {
            kind,
            example,
            ..Self::exam(moment)
        }
    }

    fn drawing(&self) -> Drawing {
        let words = Words::english();
        let computed = Computed::new(&self.example).unwrap();
        let input = FigureInput {
            example: &self.example,
            computed: &computed,
            moment: self.moment,
            guess: &self.guess,
            released: self.released,
            written_out: false,
            draws: None,
            motion: 1.0,
            words: &words,
            size: [512.0, 280.0],
        };
        figure::draw(self.kind, &input).unwrap()
    }

    fn ui(&mut self, ui: &mut Ui) {
        let drawing = self.drawing();
        let mut changes = figure_ui(ui, &drawing, FigureView::Live);
        changes.extend(table_ui(ui, &drawing.table, &Words::english()));
        for (target, value) in &changes {
            match target {
                Target::GuessWedge => self.guess.wedge = Some(*value),
                other => {
                    if let Some(edit) = other.edit(*value) {
                        self.example = self.example.edited(&edit).unwrap();
                    }
                }
            }
        }
        self.log.extend(changes);
    }

    fn counts(&self) -> Vec<f64> {
        let WorkedExample::WeightedValues(example) = &self.example else {
            panic!("people")
        };
        example.counts.clone()
    }

    fn harness(self) -> Harness<'static, Self> {
        common::harness_with_state(SIZE, Theme::Light, |ui, desk: &mut Self| desk.ui(ui), self)
    }
}

#[test]
fn the_guess_is_dragged_and_follows_the_pointer() {
    let mut harness = Desk::exam(Moment::Before).harness();
    let from = harness.get_by_label("your wedge").rect().center();
    harness.drag_at(from);
    harness.step();
    let mut last = f64::MIN;
    for moved in [40.0, 90.0, 200.0] {
        harness.hover_at(from + vec2(moved, 0.0));
        harness.step();
        harness.step();
        let at = harness.state().guess.wedge.unwrap();
        assert!(at > last, "{at} after {last}");
        last = at;
        let wedge = harness.get_by_label("your wedge").rect().center();
        assert!(
            (wedge.x - (from.x + moved)).abs() < 4.0,
            "the wedge is under the pointer"
        );
    }
    harness.drop_at(from + vec2(200.0, 0.0));
    harness.run();
    assert_eq!(harness.state().guess.wedge, Some(last));
}

#[test]
fn the_guess_is_moved_by_keys_and_by_a_screen_reader() {
    let mut harness = Desk::exam(Moment::Before).harness();
    harness.get_by_label("your wedge").focus();
    harness.run();
    harness.key_press(Key::ArrowRight);
    harness.run();
    let one = harness.state().guess.wedge.unwrap() - 60.0;
    harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowRight);
    harness.run();
    assert!((harness.state().guess.wedge.unwrap() - 60.0 - 11.0 * one).abs() < 1e-9);
    harness.key_press(Key::End);
    harness.run();
    assert_eq!(harness.state().guess.wedge, Some(100.0));
    let wedge = harness.get_by_label("your wedge");
    let node = wedge.accesskit_node();
    assert_eq!(node.value().as_deref(), Some("100"));
    let data = Some(accesskit::ActionData::NumericValue(79.0));
    let (target_node, target_tree) = node.locate();
    let request = accesskit::ActionRequest {
        action: accesskit::Action::SetValue,
        target_node,
        target_tree,
        data,
    };
    harness.event(Event::AccessKitActionRequest(request));
    harness.run();
    assert!((harness.state().guess.wedge.unwrap() - 79.0).abs() <= one);
}

#[test]
fn a_person_is_carried_over_to_another_number_and_the_wedge_runs_along() {
    let mut harness = Desk::exam(Moment::After).harness();
    let from = harness
        .get_all_by_label_contains("one of those at 70")
        .next()
        .unwrap()
        .rect()
        .center();
    let to = harness
        .get_all_by_label_contains("one of those at 90")
        .next()
        .unwrap()
        .rect()
        .center();
    harness.drag_at(from);
    harness.step();
    for share in [0.3, 0.6, 0.8, 1.0] {
        harness.hover_at(from + share * (to - from));
        harness.step();
        harness.step();
    }
    assert_eq!(
        harness.state().counts(),
        [2.0, 5.0, 3.0],
        "before she is let go"
    );
    harness.drop_at(to);
    harness.run();
    assert_eq!(harness.state().counts(), [2.0, 5.0, 3.0]);
    harness.hover_at(from);
    harness.run();
    assert_eq!(
        harness.state().counts(),
        [2.0, 5.0, 3.0],
        "she stays where she was let go"
    );
}

#[test]
fn a_person_moved_by_keys_keeps_the_focus() {
    let mut harness = Desk::exam(Moment::After).harness();
    harness
        .get_all_by_label_contains("one of those at 70")
        .next()
        .unwrap()
        .focus();
    harness.run();
    for counts in [[2.0, 6.0, 2.0], [2.0, 5.0, 3.0]] {
        harness.key_press(Key::ArrowRight);
        harness.run();
        assert_eq!(harness.state().counts(), counts);
    }
}

#[test]
fn a_number_is_dragged_past_another_and_stays_in_hand() {
    let mut harness = Desk::exam(Moment::After).harness();
    let place = |harness: &Harness<Desk>, number: &str| {
        let name = format!("the number {number} on the beam");
        harness.get_by_label(&name).rect().center()
    };
    let (from, to) = (place(&harness, "70"), place(&harness, "90"));
    harness.drag_at(from);
    harness.step();
    for share in [0.2, 0.48, 0.5, 0.52, 0.75] {
        harness.hover_at(from + share * (to - from));
        harness.step();
        harness.step();
    }
    harness.drop_at(from + 0.75 * (to - from));
    harness.run();
    let WorkedExample::WeightedValues(example) = &harness.state().example else {
        panic!("people")
    };
    assert_eq!(example.values, [85.0, 80.0, 90.0]);
}

#[test]
fn a_bar_is_dragged_to_its_weight() {
    let mut harness = Desk::jane(FigureKind::Weights, Moment::After).harness();
    let bar = harness
        .get_all_by_label("weight of visits")
        .next()
        .unwrap()
        .rect();
    let from = bar.center_top() + vec2(0.0, 9.0);
    harness.drag_at(from);
    harness.step();
    harness.hover_at(from - vec2(0.0, 60.0));
    harness.step();
    harness.step();
    harness.drop_at(from - vec2(0.0, 60.0));
    harness.run();
    let computed = Computed::new(&harness.state().example).unwrap();
    let weight = computed.weights()[1];
    assert!(
        weight > 0.5 && (computed.weights().iter().sum::<f64>() - 1.0).abs() < 1e-9,
        "{weight}"
    );
}

#[test]
fn a_cell_is_typed_into_generously_and_a_bad_number_is_refused_and_kept() {
    let mut harness = Desk::exam(Moment::After).harness();
    harness.get_by_label("how many have 80").click();
    harness.run();
    harness.get_by_label("how many have 80").type_text("five");
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(harness.state().counts(), [3.0, 5.0, 2.0]);
    assert!(harness.query_by_label_contains("is not a number").is_some());
    let kept = harness.get_by_label("how many have 80").value();
    assert!(
        kept.as_deref().is_some_and(|text| text.contains("five")),
        "{kept:?}"
    );
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.get_by_label("how many have 80").type_text(" 7,0 ");
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(harness.state().counts(), [3.0, 7.0, 2.0]);
    assert!(harness.query_by_label_contains("is not a number").is_none());
}

#[test]
fn escape_leaves_a_cell_as_it_was_and_arrows_step_it() {
    let mut harness = Desk::exam(Moment::After).harness();
    harness.get_by_label("how many have 80").click();
    harness.run();
    harness.get_by_label("how many have 80").type_text("9");
    harness.run();
    harness.key_press(Key::Escape);
    harness.run();
    assert_eq!(harness.state().counts(), [3.0, 5.0, 2.0]);
    harness.key_press(Key::ArrowUp);
    harness.run();
    assert_eq!(
        harness.state().counts(),
        [3.0, 6.0, 2.0],
        "the cell has the focus again"
    );
}

#[test]
fn the_picture_is_told_to_the_screen_reader() {
    let harness = Desk::exam(Moment::After).harness();
    assert!(
        harness
            .query_by_label_contains("The weighted average is 79")
            .is_some()
    );
}

#[test]
fn whatever_can_be_taken_hold_of_shows_it_under_the_pointer_and_with_the_focus() {
    let held = [
        (Desk::exam(Moment::Before), "your wedge"),
        (Desk::exam(Moment::After), "the number 80 on the beam"),
        (
            Desk::jane(FigureKind::Weights, Moment::Before),
            "your weight of visits",
        ),
        (
            Desk::jane(FigureKind::Weights, Moment::After),
            "weight of visits",
        ),
    ];
    for (desk, name) in held {
        let mut harness = desk.harness();
        harness.run();
        let rest = harness.render().expect("a picture");
        let handle = harness.get_all_by_label(name).next().expect(name);
        let at = handle.rect().center();
        harness.hover_at(at);
        harness.run();
        let hovered = harness.render().expect("a picture");
        harness.hover_at(egui::pos2(1.0, SIZE.y - 1.0));
        harness.get_all_by_label(name).next().expect(name).focus();
        harness.run();
        let focused = harness.render().expect("a picture");
        assert!(
            rest != hovered && rest != focused && hovered != focused,
            "{name}"
        );
        if let Ok(folder) = std::env::var("FIGURE_PICTURES") {
            for (state, picture) in [("rest", rest), ("hovered", hovered), ("focused", focused)] {
                let path = format!("{folder}/{}-{state}.png", name.replace(' ', "-"));
                picture.save(path).expect("saved");
            }
        }
    }
}

#[test]
fn the_bars_of_a_guess_stay_shares_of_one_whichever_is_dragged() {
    let words = Words::english();
    let mut live = Live::new(&Desk::jane(FigureKind::Weights, Moment::Before).example).unwrap();
    for (item, value) in [(1, 0.6), (2, 0.0), (4, 1.0), (0, 0.3), (3, -2.0)] {
        live.set(Target::GuessWeight(item), value, false, &words)
            .unwrap();
        let weights = live.guess.weights.clone().unwrap();
        assert!(
            (weights.iter().sum::<f64>() - 1.0).abs() < 1e-9,
            "{weights:?}"
        );
        assert!(
            (weights[item] - value.clamp(0.0, 1.0)).abs() < 1e-9,
            "{weights:?}"
        );
    }
    live.set(Target::GuessWeight(1), 0.5, false, &words)
        .unwrap();
    let before = live.guess.weights.clone().unwrap();
    live.set(Target::GuessWeight(1), 0.8, false, &words)
        .unwrap();
    let after = live.guess.weights.unwrap();
    for i in [0, 2, 3, 4] {
        assert!(
            (after[i] - before[i] * 0.2 / 0.5).abs() < 1e-9,
            "in proportion"
        );
    }
}

#[test]
fn a_masked_key_is_hatched_on_the_screen_too() {
    let picture = |masked: bool| {
        let mut drawing = Desk::jane(FigureKind::Weights, Moment::After).drawing();
        if let Picture::Chart(chart) = &mut drawing.picture {
            chart.bars[1].height = 0.0;
            chart.bars[1].hatched = masked;
        }
        let show = move |ui: &mut Ui| _ = figure_ui(ui, &drawing, FigureView::Still);
        let mut harness = common::harness(SIZE, Theme::Light, show);
        harness.run();
        harness.render().expect("a picture")
    };
    assert!(picture(true) != picture(false));
}

#[test]
fn every_svg_is_well_formed() {
    for moment in [Moment::Before, Moment::After] {
        let mut drawings = vec![
            Desk {
                released: Some(80.0),
                ..Desk::exam(moment)
            }
            .drawing(),
        ];
        drawings.extend(
            [FigureKind::Weights, FigureKind::Steps, FigureKind::Sampler]
                .map(|kind| Desk::jane(kind, moment).drawing()),
        );
        for drawing in drawings {
            let svg = figure::svg(&drawing, &Palette::dark());
            let options = Default::default();
            let read = egui_extras::image::load_svg_bytes(svg.as_bytes(), &options);
            assert!(read.is_ok(), "{:?} in {svg}", read.err());
        }
    }
}
