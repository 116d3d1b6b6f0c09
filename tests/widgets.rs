//! The window's own controls: how they look, in both themes and at two resolutions, and that they are worked by keys and named.

mod common;

use attention_tutor::app::icons::{Icon, icon_ui};
use attention_tutor::app::theme::{self, Ink, Type, space};
use attention_tutor::app::widgets::{
    Card, Choice, RailItem, Step, Toasts, filled_button_ui, icon_button_ui, keycap_ui, keyed_ui,
    link_button_ui, number_box_ui, progress_dots_ui, progress_ring_ui, quiet_button_ui,
    segmented_ui, slider_ui,
};
use egui::{Key, Margin, RichText, Theme, Ui, Vec2, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

const GALLERY: Vec2 = vec2(940.0, 660.0);

#[test]
fn the_gallery_in_light() {
    common::harness(GALLERY, Theme::Light, gallery_ui).snapshot("widgets-light");
}

#[test]
fn the_gallery_in_dark() {
    common::harness(GALLERY, Theme::Dark, gallery_ui).snapshot("widgets-dark");
}

#[test]
fn buttons_and_icons_at_two_pixels_a_point() {
    let size = vec2(470.0, 190.0);
    common::harness_at(2.0, size, Theme::Light, |ui| {
        egui::Frame::new()
            .inner_margin(Margin::same(12))
            .show(ui, |ui| {
                buttons_ui(ui);
                icons_ui(ui);
            });
    })
    .snapshot("widgets-light-2x");
}

#[test]
fn the_focus_is_seen_on_every_control() {
    let mut harness = common::harness(vec2(520.0, 120.0), Theme::Light, |ui| {
        ui.add_space(space::MEDIUM);
        ui.horizontal(|ui| {
            ui.add_space(space::MEDIUM);
            _ = filled_button_ui(ui, "Next");
            _ = quiet_button_ui(ui, "Copy as a reply");
            _ = link_button_ui(ui, "Hint");
            _ = RailItem::new(Icon::Learn, "Learn").ui(ui, "Learn");
            ui.vertical(|ui| {
                ui.set_width(140.0);
                _ = Choice::new("1", "their sum").text_ui(ui);
                slider_ui(ui, &mut 1.0, 0.0..=2.0, 120.0, "temperature");
            });
        });
    });
    harness.run();
    let mut seen = vec![harness.render().expect("a picture")];
    for _ in 0..6 {
        harness.key_press(Key::Tab);
        harness.run();
        let picture = harness.render().expect("a picture");
        assert!(
            !seen.contains(&picture),
            "stop {} looks like an earlier one",
            seen.len()
        );
        seen.push(picture);
    }
}

#[test]
fn a_choice_is_a_radio_button_that_space_picks() {
    let mut harness = common::harness_with_state(
        vec2(400.0, 200.0),
        Theme::Light,
        |ui, picked: &mut Option<usize>| {
            for (at, (number, name)) in [("1", "their sum"), ("2", "their plain mean")]
                .into_iter()
                .enumerate()
            {
                let choice = Choice::new(number, name).picked(*picked == Some(at));
                if choice.text_ui(ui).clicked() {
                    *picked = Some(at);
                }
            }
        },
        None,
    );
    harness.get_by_label("their plain mean").focus();
    harness.run();
    harness.key_press(Key::Space);
    harness.run();
    assert_eq!(harness.state(), &Some(1));
    let node = harness.get_by_role_and_label(egui::Role::RadioButton, "their plain mean");
    assert_eq!(
        node.accesskit_node().toggled(),
        Some(egui::accesskit::Toggled::True)
    );
}

#[test]
fn the_words_of_a_choice_can_be_clicked() {
    let mut harness = common::harness_with_state(
        vec2(400.0, 80.0),
        Theme::Light,
        |ui, clicks: &mut usize| {
            if Choice::new("1", "their sum").text_ui(ui).clicked() {
                *clicks += 1;
            }
        },
        0,
    );
    harness
        .get_by_role_and_label(egui::Role::RadioButton, "their sum")
        .click();
    harness.run();
    assert_eq!(harness.state(), &1);
}

#[test]
fn a_toast_goes_by_itself_and_leaves_the_window_idle() {
    let mut toasts = Toasts::default();
    toasts.push("Copied as a reply.");
    let mut harness = common::harness_with_state(
        vec2(400.0, 200.0),
        Theme::Light,
        |ui, toasts: &mut Toasts| toasts.ui(ui),
        toasts,
    );
    assert!(
        harness
            .query_by_role_and_label(egui::Role::Status, "Copied as a reply.")
            .is_some()
    );
    harness.run_steps(40);
    assert!(harness.state().is_empty());
    assert!(harness.query_by_label("Copied as a reply.").is_none());
}

/// Everything, as a designer would lay it out on one sheet.
fn gallery_ui(ui: &mut Ui) {
    ui.painter()
        .rect_filled(ui.ctx().content_rect(), 0.0, theme::ink(ui, Ink::Paper));
    egui::Frame::new()
        .inner_margin(Margin::same(8))
        .show(ui, |ui| {
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = space::LARGE;
                ui.vertical(|ui| {
                    ui.spacing_mut().item_spacing.y = 4.0;
                    for (at, (icon, word)) in rooms().into_iter().enumerate() {
                        let badge = (at == 1).then_some("4");
                        RailItem::new(icon, word)
                            .selected(at == 0)
                            .badge(badge)
                            .ui(ui, word);
                    }
                });
                ui.vertical(|ui| {
                    ui.spacing_mut().item_spacing = Vec2::splat(space::SMALL);
                    ui.set_width(420.0);
                    left_ui(ui);
                });
                ui.vertical(|ui| {
                    ui.spacing_mut().item_spacing = Vec2::splat(space::SMALL);
                    ui.set_width(340.0);
                    right_ui(ui);
                });
            });
        });
    let mut toasts = Toasts::default();
    toasts.push("Copied as a reply.");
    toasts.ui(ui);
}

fn rooms() -> [(Icon, &'static str); 5] {
    [
        (Icon::Learn, "Learn"),
        (Icon::Review, "Review"),
        (Icon::Lab, "Lab"),
        (Icon::Progress, "Progress"),
        (Icon::Settings, "Settings"),
    ]
}

fn left_ui(ui: &mut Ui) {
    ui.add_space(space::SMALL);
    words_ui(ui, "Understand self-attention", Type::Title, Ink::Text);
    words_ui(
        ui,
        "Which operation on the three numbers gives that too?",
        Type::Prompt,
        Ink::Text,
    );
    for (number, name) in [("1", "their sum"), ("2", "their plain mean")] {
        Choice::new(number, name).picked(number == "2").text_ui(ui);
    }
    for (number, text, edge, color, verdict) in [
        (
            "2",
            "their plain mean",
            Ink::Wrong,
            Ink::PlainMean,
            "✗ Yours",
        ),
        (
            "3",
            "their weighted average",
            Ink::Right,
            Ink::WeightedAverage,
            "✓ Right",
        ),
    ] {
        Card::new()
            .margin(Margin::symmetric(15, 12))
            .edge(edge)
            .show(ui, |ui| {
                ui.set_width(ui.available_width());
                ui.horizontal(|ui| {
                    number_box_ui(ui, number);
                    words_ui(ui, text, Type::Body, Ink::Text);
                    words_ui(ui, verdict, Type::Strong, edge);
                    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                        words_ui(ui, "= 80", Type::Strong, color);
                    });
                });
                words_ui(
                    ui,
                    "80 would be right if equally many people had each number.",
                    Type::Body,
                    Ink::Text,
                );
            });
    }
    buttons_ui(ui);
}

fn buttons_ui(ui: &mut Ui) {
    ui.horizontal(|ui| {
        keyed_ui(ui, "Enter", |ui| filled_button_ui(ui, "Next"));
        keyed_ui(ui, "N", |ui| {
            quiet_button_ui(ui, "Same question, other numbers")
        });
    });
    ui.horizontal(|ui| {
        keyed_ui(ui, "H", |ui| link_button_ui(ui, "Hint"));
        ui.add_enabled_ui(false, |ui| filled_button_ui(ui, "Answer"));
        ui.add_enabled_ui(false, |ui| quiet_button_ui(ui, "Reset"));
        keycap_ui(ui, "Ctrl+K");
        icon_button_ui(ui, Icon::Copy, "Copy as a reply");
    });
}

fn right_ui(ui: &mut Ui) {
    ui.add_space(space::MEDIUM);
    let mut steps = vec![Step::Right, Step::Wrong, Step::Right, Step::Current];
    steps.resize(12, Step::Ahead);
    progress_dots_ui(ui, &steps, "Question 4 of 12");
    ui.add_space(space::SMALL);
    Card::new().show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = space::MEDIUM;
            for share in [0.0, 0.05, 0.4, 0.9, 1.0] {
                progress_ring_ui(ui, share, 30.0, "known in part");
            }
        });
        ui.add_space(space::SMALL);
        words_ui(ui, "Query, key, value", Type::Strong, Ink::Text);
        words_ui(
            ui,
            "A dictionary that answers softly.",
            Type::Small,
            Ink::Quiet,
        );
        words_ui(
            ui,
            "plain mean of the three numbers 80",
            Type::FigureStrong,
            Ink::PlainMean,
        );
    });
    segmented_ui(
        ui,
        &mut 0,
        &[(0, "Light"), (1, "Dark"), (2, "As the system has it")],
    );
    Card::new().margin(Margin::same(16)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        icons_ui(ui);
    });
    // egui's own, as the theme makes them.
    ui.horizontal(|ui| {
        let mut on = true;
        ui.checkbox(&mut on, "Let things move");
        _ = ui.button("A plain egui button");
    });
    ui.horizontal(|ui| {
        let label = ui.label("Your answer");
        ui.add(egui::TextEdit::singleline(&mut "79".to_owned()).desired_width(120.0))
            .labelled_by(label.id);
    });
    ui.label("temperature");
    slider_ui(ui, &mut 1.0, 0.1..=4.0, 200.0, "temperature");
    egui::ScrollArea::vertical()
        .max_height(60.0)
        .show(ui, |ui| {
            for _ in 0..9 {
                words_ui(ui, "It scrolls.", Type::Small, Ink::Quiet);
            }
        });
}

fn icons_ui(ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = Vec2::splat(12.0);
        for icon in Icon::ALL {
            icon_ui(ui, icon, 20.0, theme::ink(ui, Ink::Text));
        }
        for icon in Icon::ALL.into_iter().take(8) {
            icon_ui(ui, icon, 16.0, theme::ink(ui, Ink::Quiet));
        }
    });
}

fn words_ui(ui: &mut Ui, text: &str, kind: Type, ink: Ink) {
    ui.label(
        RichText::new(text)
            .font(kind.font())
            .color(theme::ink(ui, ink)),
    );
}
