//! The beam tips as its numbers say, and its wedges stand where they belong.

use super::super::tests::{Asked, all_texts, corners, drawn, exam, scene, weighted};
use super::super::{Drawing, FigureKind, Handle, Mark, Moment, Place, Target};
use crate::text::Ink;
use crate::worked_example::Edit;

/// How far the right end of the beam is below its left one.
fn slope(at: f64) -> f32 {
    let drawing = drawn(FigureKind::Balance, &exam(), &Asked::released(at)).unwrap();
    let marks = scene(&drawing).marks;
    let beam = marks
        .iter()
        .map(corners)
        .find(|p| p.len() > 4 && p.iter().any(|q| q[0] < 20.0) && p.iter().any(|q| q[0] > 450.0))
        .unwrap();
    let end = |x: fn(f32, f32) -> f32, from: f32| beam.iter().map(|p| p[0]).fold(from, x);
    let (left, right) = (end(f32::min, f32::MAX), end(f32::max, f32::MIN));
    let mean_y = |x: f32| {
        let near: Vec<f32> = beam
            .iter()
            .filter(|p| (p[0] - x).abs() < 4.0)
            .map(|p| p[1])
            .collect();
        near.iter().sum::<f32>() / near.len() as f32
    };
    mean_y(right) - mean_y(left)
}

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
            } if points.len() == 3 && *f == fill && *s == line => points.first().copied(),
            _ => None,
        })
        .collect()
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
    assert!(slope(79.0).abs() < 0.01);
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
