//! What must hold for every figure of every example.

mod hidden;
mod room;

use ndarray::{Array2, array};
use proptest::prelude::*;

use super::place::Area;
use super::*;
use crate::text::{Ink, Palette};
use crate::words::number::{read_typed, show};
use crate::worked_example::{
    AttentionExample, Basis, Computed, Operation, Quantity, WeightedValues, draw as draw_lots,
};

pub(super) fn weighted(values: &[f64], counts: &[f64]) -> WorkedExample {
    WorkedExample::WeightedValues(WeightedValues {
        unit: "points".into(),
        holders: "people".into(),
        values: values.to_vec(),
        counts: counts.to_vec(),
    })
}

pub(super) fn exam() -> WorkedExample {
    weighted(&[70.0, 80.0, 90.0], &[3.0, 5.0, 2.0])
}

fn jane() -> WorkedExample {
    WorkedExample::Attention(AttentionExample {
        tokens: ["Jane", "visits", "Africa", "in", "September"]
            .map(String::from)
            .to_vec(),
        q: array![[1.0, 0.5], [0.2, 1.1], [0.8, 1.2], [0.1, 0.4], [0.5, 0.9]],
        k: array![[0.2, 0.3], [1.0, 0.9], [0.9, 0.7], [0.1, 0.2], [-0.2, 0.3]],
        v: array![[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [0.5, 0.5], [2.0, 2.0]],
        keep: None,
        bias: None,
        spec: crate::attention::Spec::default(),
        focus: 2,
    })
}

/// What a figure is asked for in a test.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub moment: Moment,
    pub guess: Guess,
    pub released: Option<f64>,
    pub written_out: bool,
    pub drawn: u64,
    pub size: [f32; 2],
}

impl Asked {
    pub fn at(moment: Moment) -> Self {
        Self {
            moment,
            guess: Guess::default(),
            released: None,
            written_out: false,
            drawn: 0,
            size: [472.0, 300.0],
        }
    }

    pub fn released(at: f64) -> Self {
        Self {
            released: Some(at),
            ..Self::at(Moment::After)
        }
    }
}

pub(super) fn drawn(kind: FigureKind, example: &WorkedExample, asked: &Asked) -> Option<Drawing> {
    let words = Words::english();
    let computed = Computed::new(example).unwrap();
    let draws = (asked.drawn > 0).then(|| draw_lots(&computed, None, asked.drawn, 7));
    let Asked {
        moment,
        guess,
        released,
        written_out,
        size,
        ..
    } = asked.clone();
    draw(
        kind,
        &FigureInput {
            example,
            computed: &computed,
            moment,
            guess: &guess,
            released,
            written_out,
            draws: draws.as_ref(),
            motion: 1.0,
            words: &words,
            size,
        },
    )
}

pub(super) fn scene(drawing: &Drawing) -> Scene {
    match &drawing.picture {
        Picture::Scene(scene) => scene.clone(),
        Picture::Chart(chart) => Plotted::new(chart).scene(),
    }
}

/// The areas of all single lines of text, and those of laid-out texts.
pub(super) fn text_areas(scene: &Scene) -> Vec<(String, Area)> {
    (scene.marks.iter())
        .filter_map(|mark| match mark {
            Mark::Text {
                at,
                align,
                text,
                face,
                size,
                ..
            } => Some((text.clone(), Area::of_text(*at, *align, text, *face, *size))),
            Mark::Rich { at, laid, spoken } => Some((spoken.clone(), Area::new(*at, laid.size))),
            _ => None,
        })
        .collect()
}

/// Everything that can be read in a drawing.
pub(super) fn all_texts(drawing: &Drawing) -> Vec<String> {
    let mut texts: Vec<String> = drawing.headline.iter().map(|s| s.text.clone()).collect();
    texts.extend(
        text_areas(&scene(drawing))
            .into_iter()
            .map(|(text, _)| text),
    );
    texts.extend(
        scene(drawing)
            .handles
            .iter()
            .flat_map(|h| [h.name.clone(), h.said.clone()]),
    );
    texts.push(drawing.sentence.clone());
    texts.extend(drawing.table.columns.clone());
    for row in &drawing.table.rows {
        texts.extend([row.name.clone(), row.result.clone()]);
        texts.extend(row.cells.iter().map(|c| c.text.clone()));
    }
    texts
}

/// Every number in a text, as it is written.
fn numbers_in(text: &str) -> Vec<String> {
    let mut numbers: Vec<String> = Vec::new();
    let mut now = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_ascii_digit() || (c == '.' && !now.is_empty()) || (c == '−' && now.is_empty()) {
            now.push(c);
        } else if !now.is_empty() {
            numbers.push(std::mem::take(&mut now).trim_end_matches('.').to_owned());
        }
    }
    numbers
}

pub(super) fn corners(mark: &Mark) -> Vec<Place> {
    match mark {
        Mark::Line { from, to, .. } => vec![*from, *to],
        Mark::Rect { min, size, .. } => vec![*min, [min[0] + size[0], min[1] + size[1]]],
        Mark::Polygon { points, .. } => points.clone(),
        Mark::Circle {
            centre: [x, y],
            radius,
            ..
        } => vec![[x - radius, y - radius], [x + radius, y + radius]],
        Mark::Text { .. } | Mark::Rich { .. } => Vec::new(),
    }
}

fn assert_tidy(drawing: &Drawing, what: &str) {
    let scene = scene(drawing);
    let texts = text_areas(&scene);
    for (i, (text, area)) in texts.iter().enumerate() {
        // A formula may be wider than its line by less than can be seen: its size is found by trying.
        assert!(
            area.grown(-0.25).within(scene.size),
            "{what}: {text:?} leaves the box {:?}: {area:?}",
            scene.size
        );
        for (other, theirs) in &texts[i + 1..] {
            // Laid-out lines may touch; single labels may not even do that.
            assert!(
                !area.grown(-0.5).overlaps(theirs.grown(-0.5)),
                "{what}: {text:?} and {other:?} overlap"
            );
        }
    }
    for mark in &scene.marks {
        if let Mark::Line {
            from,
            to,
            ink: Ink::WeightedAverage | Ink::PlainMean,
            ..
        } = mark
        {
            let line = Area {
                min: *from,
                max: [to[0] + 0.5, to[1]],
            };
            let crossed = texts
                .iter()
                .find(|(_, area)| from[0] == to[0] && area.overlaps(line));
            assert!(
                crossed.is_none(),
                "{what}: a leader goes through {crossed:?}"
            );
        }
        for [x, y] in corners(mark) {
            let inside = (-1.0..=scene.size[0] + 1.0).contains(&x)
                && (-1.0..=scene.size[1] + 1.0).contains(&y);
            assert!(
                inside,
                "{what}: a mark leaves the box {:?} at {x}, {y}: {mark:?}",
                scene.size
            );
        }
    }
    assert!(
        !all_texts(drawing).iter().any(|t| t.contains("[FigureMsg")),
        "{what}: a message without words"
    );
}

fn a_weighted_example() -> impl Strategy<Value = WorkedExample> {
    let number = prop_oneof![
        (-50..150_i32).prop_map(f64::from),
        (-500..500_i32).prop_map(|n| f64::from(n) / 7.0)
    ];
    let count = prop_oneof![
        (0..14_u32).prop_map(f64::from),
        (0..40_u32).prop_map(|n| f64::from(n) / 9.0),
        Just(60.0)
    ];
    prop::collection::vec((number, count), 1..8).prop_map(|items| {
        let (values, mut counts): (Vec<f64>, Vec<f64>) = items.into_iter().unzip();
        if counts.iter().all(|c| *c == 0.0) {
            counts[0] = 1.0;
        }
        weighted(&values, &counts)
    })
}

fn an_attention_example() -> impl Strategy<Value = WorkedExample> {
    (
        1..7_usize,
        1..4_usize,
        1..4_usize,
        any::<u64>(),
        prop::collection::vec("[a-zA-Z]{1,14}", 7),
    )
        .prop_map(|(m, d, dv, seed, tokens)| {
            let mut state = seed | 1;
            let mut number = || {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                ((state >> 40) % 61) as f64 / 10.0 - 3.0
            };
            let mut of = |rows, columns| Array2::from_shape_simple_fn((rows, columns), &mut number);
            let (q, k, v) = (of(m, d), of(m, d), of(m, dv));
            WorkedExample::Attention(AttentionExample {
                tokens: tokens.into_iter().take(m).collect(),
                q,
                k,
                v,
                keep: None,
                bias: None,
                spec: crate::attention::Spec::default(),
                focus: seed as usize % m,
            })
        })
}

fn an_example() -> impl Strategy<Value = WorkedExample> {
    prop_oneof![a_weighted_example(), an_attention_example()]
}

fn asked() -> impl Strategy<Value = Asked> {
    (
        any::<bool>(),
        prop::option::of(-80.0..200.0_f64),
        any::<bool>(),
        0..1500_u64,
        280.0..560.0_f32,
        220.0..420.0_f32,
    )
        .prop_map(|(after, number, written_out, drawn, width, height)| Asked {
            moment: if after { Moment::After } else { Moment::Before },
            guess: Guess {
                wedge: number,
                weights: None,
            },
            released: number.filter(|_| after),
            written_out: after && written_out,
            drawn,
            size: [width, height],
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn labels_never_overlap_and_nothing_leaves_its_box(example in an_example(), asked in asked()) {
        for kind in FigureKind::ALL {
            if let Some(drawing) = drawn(kind, &example, &asked) {
                assert_tidy(&drawing, &format!("{kind:?}"));
            }
        }
    }

    #[test]
    fn every_number_in_a_table_is_the_one_that_its_cell_sets(example in an_example(), asked in asked()) {
        for drawing in FigureKind::ALL.into_iter().filter_map(|kind| drawn(kind, &example, &asked)) {
            for cell in drawing.table.rows.iter().flat_map(|r| &r.cells) {
                if let Some(edit) = &cell.edit {
                    let shown = show(edit.value, Words::english().decimal);
                    let read = read_typed(&cell.text).unwrap();
                    prop_assert!((read - edit.value).abs() <= shown.half_unit() * 1.001 + 1e-9, "{} for {}", cell.text, edit.value);
                }
            }
        }
    }
}

#[test]
fn every_figure_is_registered_and_drawn_where_it_applies() {
    let words = Words::english();
    for kind in FigureKind::ALL {
        assert!(!name(kind, &words).is_empty());
        for example in [exam(), jane()] {
            for moment in [Moment::Before, Moment::After] {
                assert_eq!(
                    drawn(kind, &example, &Asked::at(moment)).is_some(),
                    applies(kind, &example),
                    "{kind:?}"
                );
            }
        }
    }
    assert!(!applies(FigureKind::Balance, &jane()));
}

#[test]
fn nothing_computed_is_shown_before_the_answer() {
    let words = Words::english();
    // Numbers of which no computed one is also a given one.
    for example in [weighted(&[71.5, 83.25, 97.0], &[5.0, 7.0, 4.0]), jane()] {
        let computed = Computed::new(&example).unwrap();
        let mut secret: Vec<f64> = [
            Operation::WeightedAverage,
            Operation::PlainMean,
            Operation::Sum,
        ]
        .into_iter()
        .filter_map(|o| computed.number(Quantity::Operation(o, Basis::Values, 0)))
        .chain(computed.weights().iter().copied())
        .collect();
        if matches!(example, WorkedExample::Attention(_)) {
            secret.extend(
                computed
                    .scores()
                    .iter()
                    .copied()
                    .chain(computed.scaled_scores()),
            );
            secret.extend((0..2).filter_map(|c| computed.number(Quantity::Output(c))));
        }
        let after: Vec<String> = FigureKind::ALL
            .into_iter()
            .filter_map(|k| drawn(k, &example, &Asked::at(Moment::After)))
            .flat_map(|d| all_texts(&d))
            .collect();
        let given: Vec<String> = match &example {
            WorkedExample::WeightedValues(_) => vec!["16".into()],
            WorkedExample::Attention(a) => {
                a.q.iter()
                    .chain(&a.k)
                    .chain(&a.v)
                    .map(|x| words.number(*x))
                    .chain(["1".into(), "5".into(), "0.2".into()])
                    .collect()
            }
        };
        let secret: Vec<String> = secret
            .into_iter()
            .map(|x| words.number(x))
            .filter(|x| !given.contains(x))
            .collect();
        let tells = |texts: &[String]| {
            texts
                .iter()
                .flat_map(|t| numbers_in(t))
                .filter(|n| secret.contains(n))
                .collect::<Vec<_>>()
        };
        assert!(
            !tells(&after).is_empty(),
            "the test must know what it looks for"
        );
        for kind in FigureKind::ALL {
            let Some(drawing) = drawn(
                kind,
                &example,
                &Asked {
                    drawn: 100,
                    ..Asked::at(Moment::Before)
                },
            ) else {
                continue;
            };
            assert_eq!(
                tells(&all_texts(&drawing)),
                Vec::<String>::new(),
                "{kind:?}"
            );
        }
    }
}

#[test]
fn the_uniform_line_is_labelled_clear_of_every_bar() {
    for heights in [vec![0.2; 5], vec![0.14, 0.36, 0.28, 0.12, 0.1]] {
        let guess = Guess {
            weights: Some(heights),
            wedge: None,
        };
        let drawing = drawn(
            FigureKind::Weights,
            &jane(),
            &Asked {
                guess,
                ..Asked::at(Moment::Before)
            },
        )
        .unwrap();
        let Picture::Chart(chart) = &drawing.picture else {
            panic!("a chart")
        };
        let plotted = Plotted::new(chart);
        let texts = text_areas(&Scene {
            size: chart.size,
            marks: plotted.labels,
            handles: Vec::new(),
        });
        let (_, label) = texts.iter().find(|(t, _)| t == "uniform 1/5").unwrap();
        assert!(label.min[0] >= plotted.plot.max[0]);
    }
}

#[test]
fn tables_are_written_for_programs_and_for_replies() {
    let drawing = drawn(FigureKind::Balance, &exam(), &Asked::at(Moment::After)).unwrap();
    let csv = csv(&drawing.table);
    assert!(
        csv.starts_with(",70,80,90,=\r\npeople,3,5,2,together 10\r\n"),
        "{csv}"
    );
    assert!(
        csv.lines().all(|line| line.matches(',').count() == 4),
        "{csv}"
    );
    let markdown = markdown_table(&drawing.table);
    assert!(
        markdown.contains("| ▲ weights by count | 0.3 | 0.5 | 0.2 | 21 + 40 + 18 = 79 |"),
        "{markdown}"
    );
}

#[test]
fn a_drawing_fits_a_terminal() {
    let words = Words::english();
    for columns in [40, 60, 80, 100] {
        let asked = Asked {
            size: [columns as f32 * POINTS_A_COLUMN, 240.0],
            drawn: 50,
            ..Asked::released(80.0)
        };
        for example in [exam(), jane()] {
            for drawing in FigureKind::ALL
                .into_iter()
                .filter_map(|k| drawn(k, &example, &asked))
            {
                let text =
                    terminal(&drawing, columns, &words) + &terminal_table(&drawing.table, columns);
                for line in text.lines() {
                    assert!(
                        unicode_width::UnicodeWidthStr::width(line) <= columns,
                        "{columns}: {line:?}"
                    );
                }
            }
        }
    }
    let weights = drawn(FigureKind::Weights, &jane(), &Asked::at(Moment::After)).unwrap();
    let text = terminal(&weights, 72, &words);
    assert!(
        text.contains('█') && text.contains("┊ uniform 1/5") && text.contains("0.36"),
        "{text}"
    );
}

#[test]
fn an_svg_holds_text_as_text_and_escapes_it() {
    let WorkedExample::Attention(mut example) = jane() else {
        panic!()
    };
    example.tokens[0] = "<a & \"b\">".into();
    let drawing = drawn(
        FigureKind::Weights,
        &WorkedExample::Attention(example),
        &Asked::at(Moment::After),
    )
    .unwrap();
    let svg = svg(&drawing, &Palette::light());
    assert!(svg.contains("&lt;a &amp;") && !svg.contains("<a &"));
    assert!(svg.contains(">uniform 1/5</text>"));
}
