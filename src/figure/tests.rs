//! What must hold for every figure of every example.

use super::*;
use crate::worked_example::{AttentionExample, Computed, WeightedValues, WorkedExample};
use ndarray::array;

pub(super) fn exam() -> WorkedExample {
    WorkedExample::WeightedValues(WeightedValues {
        unit: "points".into(),
        holders: "people".into(),
        values: vec![70.0, 80.0, 90.0],
        counts: vec![3.0, 5.0, 2.0],
    })
}

pub(super) fn jane() -> WorkedExample {
    WorkedExample::Attention(AttentionExample {
        tokens: ["Jane", "visits", "Africa", "in", "September"].map(String::from).to_vec(),
        q: array![[1.0, 0.5], [0.2, 1.1], [0.8, 1.2], [0.1, 0.4], [0.5, 0.9]],
        k: array![[0.2, 0.3], [1.0, 0.9], [0.9, 0.7], [0.1, 0.2], [-0.2, 0.3]],
        v: array![[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [0.5, 0.5], [2.0, 2.0]],
        scale: None,
        focus: 2,
    })
}
