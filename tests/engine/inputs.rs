//! Inputs for the engine's tests.

use attention_tutor::attention::{Alignment, Inputs, Spec, Window};
use ndarray::{Array2, array};
use proptest::prelude::*;

/// One query of 1, these keys, values 1, 2, 3, …: the scores are the keys.
pub fn of_scores(scores: &[f64]) -> Inputs {
    let column = |numbers: Vec<f64>| Array2::from_shape_vec((numbers.len(), 1), numbers).unwrap();
    let values = (1..=scores.len()).map(|x| x as f64).collect();
    Inputs::new(array![[1.0]], column(scores.to_vec()), column(values))
}

/// The scale is 1, so that scores are scaled scores.
pub fn unscaled() -> Spec {
    with_scale(1.0)
}

pub fn with_scale(scale: f64) -> Spec {
    Spec {
        scale: Some(scale),
        ..Spec::default()
    }
}

pub fn numbers(rows: usize, columns: usize) -> impl Strategy<Value = Array2<f64>> {
    prop::collection::vec(-4.0..4.0f64, rows * columns)
        .prop_map(move |data| Array2::from_shape_vec((rows, columns), data).unwrap())
}

prop_compose! {
    /// Arrays of all small shapes, some keys hidden, some cells biased.
    pub fn any_inputs()(n in 1usize..6, d in 1usize..5, m in 1usize..7, width in 1usize..4)
        (
            q in numbers(n, d),
            k in numbers(m, d),
            v in numbers(m, width),
            bias in numbers(n, m),
            seen in prop::collection::vec(any::<bool>(), n * m),
            (masked, biased) in any::<(bool, bool)>(),
        ) -> Inputs {
        let keep = Array2::from_shape_vec((q.nrows(), k.nrows()), seen).unwrap();
        Inputs {
            keep: masked.then_some(keep),
            bias: biased.then_some(bias),
            ..Inputs::new(q, k, v)
        }
    }
}

prop_compose! {
    /// Every convention but positions, normaliser and precision.
    pub fn any_spec()(
        scale in prop::option::of(-2.0..2.0f64),
        temperature in 0.2..4.0f64,
        softcap in prop::option::of(0.5..20.0f64),
        causal in prop::option::of(prop_oneof![Just(Alignment::TopLeft), Just(Alignment::BottomRight)]),
        left in prop::option::of(0usize..4),
        right in prop::option::of(0usize..4),
    ) -> Spec {
        Spec { scale, temperature, softcap, causal, window: Window { left, right }, ..Spec::default() }
    }
}

/// A spec without anything that depends on where keys and queries stand.
pub fn placeless(spec: Spec) -> Spec {
    Spec {
        causal: None,
        window: Window::default(),
        ..spec
    }
}

pub fn assert_near(a: &Array2<f64>, b: &Array2<f64>, within: f64, what: &str) {
    assert_eq!(a.dim(), b.dim(), "{what}");
    for (x, y) in a.iter().zip(b) {
        let same = x == y || (x - y).abs() <= within || (x.is_nan() && y.is_nan());
        assert!(same, "{what}: {a} is not {b}");
    }
}
