//! The beam tips as its numbers say, and its wedges stand where they belong.

use super::super::tests::{Asked, all_texts, corners, drawn, exam, scene, text_areas, weighted};
use super::super::{Drawing, FigureKind, Handle, Mark, Moment, Place, Target};
use crate::text::Ink;
use crate::words::Words;
use crate::worked_example::Edit;

/// The place of a number on the beam's axis, from where two known numbers stand.
fn place_of(drawing: &Drawing, number: f64, [a, b]: [f64; 2]) -> f32 {
    let middle = |value: f64| {
        let handle = scene(drawing)
            .handles
            .into_iter()
            .find(|h| matches!(h.target, Target::Edit(Edit::Value(_, v)) if v == value));
        let handle = handle.unwrap();
        handle.min[0] + handle.size[0] / 2.0
    };
    middle(a) + ((number - a) / (b - a)) as f32 * (middle(b) - middle(a))
}

/// The tips of wedges with this fill and stroke.
fn tips(drawing: &Drawing, fill: Ink, line: Ink) -> Vec<Place> {
    (scene(drawing).marks.iter())
        .filter_map(|mark| match mark {
            Mark::Polygon {
                points,
                fill: Some(f),
                stroke: Some((s, _)),
                ..
            } if points.len() == 3 && *f == fill && *s == line => points.first().copied(),
            _ => None,
        })
        .collect()
}

/// The left and right end of the beam's upper edge: of all outlines the widest.
fn beam(drawing: &Drawing) -> [Place; 2] {
    let outlines = scene(drawing).marks.iter().map(corners).collect::<Vec<_>>();
    let end = |points: &[Place], right: bool| {
        let way = if right { 1.0 } else { -1.0 };
        points
            .iter()
            .copied()
            .max_by(|a, b| (way * a[0]).total_cmp(&(way * b[0])))
            .unwrap_or_default()
    };
    let ends = outlines
        .iter()
        .filter(|p| p.len() > 4)
        .map(|p| [end(p, false), end(p, true)]);
    ends.max_by(|a, b| (a[1][0] - a[0][0]).total_cmp(&(b[1][0] - b[0][0])))
        .unwrap()
}

/// How far the right end of the beam is below its left one.
fn slope(at: f64) -> f32 {
    let [left, right] = beam(&drawn(FigureKind::Balance, &exam(), &Asked::released(at)).unwrap());
    right[1] - left[1]
}

#[test]
fn no_label_stands_in_the_way_of_the_beam() {
    for at in [-40.0, 62.0, 70.0, 78.0, 79.0, 80.0, 88.0, 97.0, 240.0] {
        for width in [280.0, 380.0, 560.0] {
            let drawing = drawn(
                FigureKind::Balance,
                &exam(),
                &Asked {
                    size: [width, 300.0],
                    ..Asked::released(at)
                },
            )
            .unwrap();
            let [left, right] = beam(&drawing);
            let number = Words::english().number(at);
            let told = |(text, _): &(String, _)| {
                text.contains("your answer")
                    || text.contains('→') && !text.contains("sum")
                    || text.contains('←')
                    || *text == number
            };
            assert!(
                text_areas(&scene(&drawing)).iter().any(told),
                "{at} is not told, {width} wide"
            );
            for (text, area) in text_areas(&scene(&drawing)) {
                let crossed = (0..=20_u8)
                    .map(|i| area.min[0] + f32::from(i) / 20.0 * (area.max[0] - area.min[0]))
                    .any(|x| {
                        let y =
                            left[1] + (x - left[0]) / (right[0] - left[0]) * (right[1] - left[1]);
                        (area.min[1]..area.max[1]).contains(&y)
                    });
                assert!(!crossed, "{text:?} at {at}, {width} wide");
            }
        }
    }
}

#[test]
fn the_wedges_stand_at_their_numbers() {
    let drawing = drawn(FigureKind::Balance, &exam(), &Asked::released(80.0)).unwrap();
    for (fill, line, number) in [
        (Ink::WeightedAverage, Ink::WeightedAverage, 79.0),
        (Ink::Card, Ink::PlainMean, 80.0),
        (Ink::Card, Ink::Text, 80.0),
    ] {
        let [tip] = tips(&drawing, fill, line)[..] else {
            panic!("one wedge of {line:?}")
        };
        assert!(
            (tip[0] - place_of(&drawing, number, [70.0, 90.0])).abs() < 0.1,
            "{line:?} at {number}"
        );
    }
    let said: String = drawing.headline.iter().map(|s| s.text.as_str()).collect();
    assert_eq!(said, "It tips at 80 and balances at 79.");
}

#[test]
fn with_equal_weights_the_two_wedges_meet() {
    let drawing = drawn(
        FigureKind::Balance,
        &weighted(&[61.0, 80.0, 97.0], &[4.0, 4.0, 4.0]),
        &Asked::at(Moment::After),
    )
    .unwrap();
    let (average, mean) = (
        tips(&drawing, Ink::WeightedAverage, Ink::WeightedAverage)[0],
        tips(&drawing, Ink::Card, Ink::PlainMean)[0],
    );
    assert!((average[0] - mean[0]).abs() < 0.01);
}

#[test]
fn written_out_the_plain_mean_of_all_stands_under_the_weighted_average() {
    let drawing = drawn(
        FigureKind::Balance,
        &exam(),
        &Asked {
            written_out: true,
            ..Asked::at(Moment::After)
        },
    )
    .unwrap();
    let texts = all_texts(&drawing);
    assert_eq!(texts.iter().filter(|t| *t == "1/10").count(), 10);
    assert!(texts.iter().any(|t| t == "plain mean of all ten = 79"));
    let hollow = tips(&drawing, Ink::Card, Ink::PlainMean);
    let average = tips(&drawing, Ink::WeightedAverage, Ink::WeightedAverage)[0];
    assert_eq!(hollow.len(), 2);
    assert!((hollow[0][0] - average[0]).abs() < 0.01);
}

#[test]
fn the_beam_tips_to_the_heavier_side_and_is_level_only_at_the_weighted_average() {
    assert!(
        slope(79.0).abs() < 1.0,
        "level but for the roundness of its ends"
    );
    assert!(
        slope(80.0) < -4.0 && slope(90.0) < slope(80.0),
        "more weight lies left of 80"
    );
    assert!(slope(70.0) > 4.0);
    assert!(
        slope(240.0) < slope(80.0),
        "off the scale it falls to the left"
    );
}

#[test]
fn a_person_can_be_dropped_on_every_number_even_where_nobody_is() {
    let drawing = drawn(
        FigureKind::Balance,
        &weighted(&[70.0, 90.0, 80.0], &[3.0, 0.0, 2.0]),
        &Asked::at(Moment::After),
    )
    .unwrap();
    let people: Vec<Handle> = scene(&drawing)
        .handles
        .into_iter()
        .filter(|h| matches!(h.target, Target::Person { .. }))
        .collect();
    assert_eq!(people.len(), 5);
    let columns: Vec<f64> = people[0].stops.iter().map(|(_, column)| *column).collect();
    assert_eq!(columns, [0.0, 2.0, 1.0], "left to right on the beam");
    assert!(people[0].stops.is_sorted_by(|a, b| a.0 < b.0));
    assert!(
        all_texts(&drawing)
            .iter()
            .any(|t| t == "plain mean of the three numbers 80"),
        "nobody's number still counts"
    );
}
