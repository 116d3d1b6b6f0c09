//! Figures use the room they are given, and what is in them can be read.

use proptest::prelude::*;

use super::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn no_picture_outgrows_the_height_it_is_given(example in an_example(), asked in asked(), height in 330.0..1100.0_f32, width in 280.0..900.0_f32) {
        for kind in [FigureKind::Balance, FigureKind::Weights, FigureKind::Sampler] {
            let asked = Asked { size: [width, height], ..asked.clone() };
            if let Some(drawing) = drawn(kind, &example, &asked) {
                let [_, high] = scene(&drawing).size;
                prop_assert!(high <= height + 0.01, "{kind:?}: {high} of {height}");
                assert_tidy(&drawing, &format!("{kind:?} in {width} × {height}"));
            }
        }
    }
}

#[test]
fn the_height_that_is_given_is_used_and_a_short_table_still_fits() {
    let high = |drawing: &Drawing| scene(drawing).size[1];
    let label = |drawing: &Drawing, said: &str| {
        let texts = text_areas(&scene(drawing));
        texts
            .iter()
            .find(|(text, _)| text == said)
            .unwrap()
            .1
            .size()[1]
    };
    let beam = |size| {
        drawn(
            FigureKind::Balance,
            &exam(),
            &Asked {
                size,
                ..Asked::released(80.0)
            },
        )
        .unwrap()
    };
    // The question screen at 1280 × 800, and at 1024 × 600.
    let (roomy, compact) = (beam([516.0, 557.0]), beam([386.0, 330.0]));
    let with_table = high(&roomy) + roomy.table.short().height_pt();
    assert!((500.0..=557.0).contains(&with_table), "{with_table}");
    assert!(high(&compact) <= 330.0);
    assert!(label(&roomy, "80") > 1.2 * label(&compact, "80"));
    let bars = |size| {
        drawn(
            FigureKind::Weights,
            &jane(),
            &Asked {
                size,
                ..Asked::at(Moment::After)
            },
        )
        .unwrap()
    };
    assert!(high(&bars([516.0, 485.0])) > 440.0);
    assert!(high(&bars([386.0, 310.0])) <= 310.0);
}

#[test]
fn a_line_is_seen_where_it_crosses_a_bar() {
    let drawing = drawn(FigureKind::Weights, &jane(), &Asked::at(Moment::After)).unwrap();
    let Picture::Chart(chart) = &drawing.picture else {
        panic!("a chart")
    };
    let plotted = Plotted::new(chart);
    let seams = plotted.over.iter().filter(|mark| {
        matches!(
            mark,
            Mark::Line {
                ink: Ink::Card,
                dashed: false,
                ..
            }
        )
    });
    let crossed = chart.bars.iter().filter(|bar| bar.height > 0.2).count();
    assert_eq!((seams.count(), crossed), (2, 2));
    assert!(matches!(
        plotted.over.last(),
        Some(Mark::Line {
            ink: Ink::PlainMean,
            dashed: true,
            ..
        })
    ));
}

#[test]
fn a_masked_key_is_hatched_though_it_has_no_weight() {
    let mut drawing = drawn(FigureKind::Weights, &jane(), &Asked::at(Moment::After)).unwrap();
    assert!(!svg(&drawing, &Palette::light()).contains("url(#hatch)"));
    if let Picture::Chart(chart) = &mut drawing.picture {
        chart.bars[1].hatched = true;
        chart.bars[1].height = 0.0;
    }
    assert!(svg(&drawing, &Palette::light()).contains("url(#hatch)"));
    let hatched =
        |mark: &Mark| matches!(mark, Mark::Rect { hatched: true, size, .. } if size[1] > 100.0);
    assert!(scene(&drawing).marks.iter().any(hatched));
}

#[test]
fn the_smallest_print_of_a_formula_can_be_read() {
    for example in [exam(), jane()] {
        let asked = Asked {
            size: [516.0, 485.0],
            ..Asked::at(Moment::After)
        };
        let drawing = drawn(FigureKind::Steps, &example, &asked).unwrap();
        for mark in scene(&drawing).marks {
            let Mark::Rich { laid, spoken, .. } = mark else {
                continue;
            };
            for glyph in &laid.glyphs {
                assert!(glyph.size_pt >= 9.0, "{} in {spoken}", glyph.size_pt);
            }
        }
    }
}

#[test]
fn the_steps_put_in_the_word_with_the_most_weight_and_say_it_as_a_word() {
    let drawing = drawn(FigureKind::Steps, &jane(), &Asked::at(Moment::After)).unwrap();
    let said = all_texts(&drawing);
    assert!(
        said.iter()
            .any(|text| text.starts_with("w sub visits equals")),
        "{said:?}"
    );
}

#[test]
fn before_the_answer_no_outline_of_what_is_held_goes_through_a_text() {
    /// How far the ring of the focus reaches.
    const RING_PT: f32 = 4.0;
    for size in [[516.0, 557.0], [386.0, 330.0]] {
        for wedge in [None, Some(60.0), Some(77.0), Some(100.0)] {
            for weights in [None, Some(vec![0.0, 0.97, 0.01, 0.01, 0.01])] {
                let asked = Asked {
                    guess: Guess { wedge, weights },
                    size,
                    ..Asked::at(Moment::Before)
                };
                for drawing in [
                    drawn(FigureKind::Balance, &exam(), &asked).unwrap(),
                    drawn(FigureKind::Weights, &jane(), &asked).unwrap(),
                ] {
                    let scene = scene(&drawing);
                    for handle in &scene.handles {
                        let (min, size) = handle.outline();
                        let ring = Area::new(min, size).grown(RING_PT);
                        for (text, area) in text_areas(&scene) {
                            assert!(!area.overlaps(ring), "{text:?} at {}", handle.name);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn written_out_a_crowd_is_said_over_its_bars() {
    let asked = Asked {
        written_out: true,
        size: [516.0, 557.0],
        ..Asked::at(Moment::After)
    };
    let crowd = weighted(&[70.0, 80.0, 90.0], &[15.0, 25.0, 10.0]);
    let texts = all_texts(&drawn(FigureKind::Balance, &crowd, &asked).unwrap());
    for said in [
        "15 × 1/50",
        "25 × 1/50",
        "10 × 1/50",
        "plain mean of all 50 = 79",
    ] {
        assert!(texts.iter().any(|text| text == said), "{said}: {texts:?}");
    }
}
