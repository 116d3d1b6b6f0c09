//! Two paths, one meaning: the tiled f32 path against the f64 trace, on every convention and on inputs that f32 cannot hold.

use attention_tutor::attention::{
    EmptyRow, HeadOrder, Heads, Normaliser, Positions, Rotary, RotaryPairs, Spec, Stage,
    attend_heads, attend_tiled,
};
use ndarray::{Array3, ArrayView3, Axis};
use proptest::prelude::*;

use super::inputs::any_spec;

/// What goes in, owned.
#[derive(Clone, Debug)]
struct Given {
    q: Array3<f32>,
    k: Array3<f32>,
    v: Array3<f32>,
    past: Option<(Array3<f32>, Array3<f32>)>,
    keep: Option<Array3<bool>>,
    bias: Option<Array3<f32>>,
    spec: Spec,
}

fn array(shape: (usize, usize, usize), size: f32) -> impl Strategy<Value = Array3<f32>> {
    let count = shape.0 * shape.1 * shape.2;
    // A few numbers again and again, so that sums cancel and scores tie.
    let number = prop_oneof![
        6 => -2.0..2.0f32,
        1 => Just(0.0f32),
        1 => prop_oneof![Just(1.0f32), Just(-1.0)],
    ];
    prop::collection::vec(number, count)
        .prop_map(move |data| Array3::from_shape_vec(shape, data).unwrap() * size)
}

fn bias(shape: (usize, usize, usize)) -> impl Strategy<Value = Array3<f32>> {
    let number = prop_oneof![
        8 => -3.0..3.0f32,
        2 => Just(f32::NEG_INFINITY),
        1 => Just(f32::MIN),
        1 => Just(-1e9f32),
    ];
    prop::collection::vec(number, shape.0 * shape.1 * shape.2)
        .prop_map(move |data| Array3::from_shape_vec(shape, data).unwrap())
}

fn any_positions() -> impl Strategy<Value = Positions> {
    let rotary = |pairs| Positions::Rotary(Rotary { pairs, base: 100.0 });
    prop_oneof![
        4 => Just(Positions::None),
        1 => Just(Positions::Alibi),
        1 => Just(rotary(RotaryPairs::Halves)),
        1 => Just(rotary(RotaryPairs::Interleaved)),
    ]
}

fn any_normaliser() -> impl Strategy<Value = Normaliser> {
    prop_oneof![8 => Just(Normaliser::Softmax), 1 => prop::sample::select(&Normaliser::ALL[..])]
}

fn any_size() -> impl Strategy<Value = f32> {
    prop_oneof![8 => Just(1.0f32), 1 => Just(0.01f32), 2 => Just(30.0f32), 1 => Just(1e4f32), 1 => Just(1e25f32)]
}

prop_compose! {
    fn any_given()(
        (groups, shared, n) in (1usize..3, 1usize..3, 1usize..80),
        (half_width, width) in (1usize..9, 1usize..12),
        (m, past) in (1usize..90, prop_oneof![2 => Just(0usize), 1 => 1usize..9]),
        (size_q, size_k, size_v) in (any_size(), any_size(), any_size()),
        (masked, biased, for_all) in any::<(bool, bool, bool)>(),
    )(
        q in array((groups * shared, n, 2 * half_width), size_q),
        k in array((groups, m, 2 * half_width), size_k),
        v in array((groups, m, width), size_v),
        past in (array((groups, past, 2 * half_width), size_k), array((groups, past, width), size_v)),
        seen in prop::collection::vec(prop::bool::weighted(0.7), if masked { (if for_all { 1 } else { groups * shared }) * n * (m + past) } else { 0 }),
        bias in bias((if for_all { 1 } else { groups * shared }, if biased { n } else { 0 }, m + past)),
        spec in any_spec(),
        (positions, normaliser, tiled) in (any_positions(), any_normaliser(), any::<bool>()),
        empty_row in prop_oneof![Just(EmptyRow::Zeros), Just(EmptyRow::Mean), Just(EmptyRow::NaN)],
    ) -> Given {
        let (heads, n, m) = (bias.len_of(Axis(0)), q.len_of(Axis(1)), bias.len_of(Axis(2)));
        Given {
            keep: (!seen.is_empty()).then(|| Array3::from_shape_vec((heads, n, m), seen).unwrap()),
            bias: (!bias.is_empty()).then_some(bias),
            past: (past.0.len_of(Axis(1)) > 0).then_some(past),
            spec: Spec {
                positions,
                normaliser,
                empty_row,
                head_order: if tiled { HeadOrder::Tiled } else { HeadOrder::Interleaved },
                ..spec
            },
            q, k, v,
        }
    }
}

impl Given {
    fn short(&self) -> Heads<'_, f32> {
        Heads {
            past: self.past.as_ref().map(|(k, v)| (k.view(), v.view())),
            keep: self.keep.as_ref().map(|array| array.view()),
            bias: self.bias.as_ref().map(|array| array.view()),
            ..Heads::new(self.q.view(), self.k.view(), self.v.view())
        }
    }

    /// Holds the tiled path to the trace: |Δ| ≤ 1e-6 · (1 + greatest |scaled score|) · greatest |v|.
    fn hold(&self) -> Result<(), TestCaseError> {
        let long = |array: &Array3<f32>| array.mapv(f64::from);
        let (q, k, v) = (long(&self.q), long(&self.k), long(&self.v));
        let past = self.past.as_ref().map(|(k, v)| (long(k), long(v)));
        let bias = self.bias.as_ref().map(long);
        let heads = Heads {
            past: past.as_ref().map(|(k, v)| (k.view(), v.view())),
            keep: self.keep.as_ref().map(|array| array.view()),
            bias: bias.as_ref().map(|array| array.view()),
            ..Heads::new(q.view(), k.view(), v.view())
        };
        let trace = attend_heads(&heads, &self.spec).unwrap();
        let tiled = attend_tiled(&self.short(), &self.spec, 1).unwrap();
        let greatest_v = greatest(v.view()).max(past.map_or(0.0, |(_, v)| greatest(v.view())));
        let scaled: Vec<Array3<f64>> = trace
            .heads
            .iter()
            .map(|head| head.stage(Stage::Scaled).insert_axis(Axis(0)))
            .collect();
        let greatest_score = scaled
            .iter()
            .map(|scaled| greatest(scaled.view()))
            .fold(0.0, f64::max);
        let within = 1e-6 * (1.0 + greatest_score) * greatest_v;
        // What the weights sum to, where they need not sum to 1.
        for (head, (trace, tiled)) in trace
            .heads
            .iter()
            .zip(tiled.output.outer_iter())
            .enumerate()
        {
            for ((at, exact), &short) in trace.output.indexed_iter().zip(tiled.iter()) {
                // The result itself is no better than an f32.
                let within = within.max(exact.abs() * f64::from(f32::EPSILON));
                let same = (exact.is_nan() && short.is_nan())
                    || (exact - f64::from(short)).abs() <= within
                    || *exact as f32 == short;
                prop_assert!(
                    same,
                    "head {head} {at:?}: {short} is not {exact} within {within:e}"
                );
            }
        }
        Ok(())
    }
}

fn greatest(array: ArrayView3<'_, f64>) -> f64 {
    let finite = array.iter().filter(|x| x.is_finite());
    finite.fold(0.0, |a, b| a.max(b.abs()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 150 } else { 2_000 }))]

    #[test]
    fn the_tiled_path_means_what_the_trace_means(given in any_given()) {
        given.hold()?;
    }

    #[test]
    fn what_is_hidden_does_no_harm_there_either(given in any_given(), poison in prop_oneof![Just(f32::NAN), Just(f32::INFINITY), Just(f32::NEG_INFINITY)], at in any::<prop::sample::Index>(), in_values in any::<bool>()) {
        let mut given = Given { spec: Spec { positions: Positions::None, empty_row: EmptyRow::Zeros, ..given.spec }, ..given };
        let past = given.past.as_ref().map_or(0, |(k, _)| k.len_of(Axis(1)));
        let key = at.index(given.k.len_of(Axis(1)));
        let (heads, n, m) = (given.q.len_of(Axis(0)), given.q.len_of(Axis(1)), past + given.k.len_of(Axis(1)));
        let shape = |array: &Array3<bool>| array.dim().0;
        let mut keep = given.keep.clone().filter(|keep| shape(keep) == heads).unwrap_or_else(|| Array3::from_elem((heads, n, m), true));
        keep.index_axis_mut(Axis(2), past + key).fill(false);
        given.keep = Some(keep);
        let poisoned = if in_values { &mut given.v } else { &mut given.k };
        poisoned.index_axis_mut(Axis(1), key).fill(poison);
        given.hold()?;
    }

    #[test]
    fn threads_change_no_number(given in any_given()) {
        let [one, two, all] = [1, 2, 0].map(|threads| attend_tiled(&given.short(), &given.spec, threads).unwrap());
        let same = |a: &Array3<f32>, b: &Array3<f32>| a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
        prop_assert!(same(&one.output, &two.output) && same(&one.output, &all.output));
    }
}

