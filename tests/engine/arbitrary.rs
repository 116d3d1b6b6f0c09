//! Whatever is given: numbers or an error, never a panic. `ATTENTION_TUTOR_FUZZ_SECONDS=600 cargo test --test engine -- --ignored` runs on.

use std::time::{Duration, Instant};

use attention_tutor::attention::{
    Alignment, Alteration, EmptyRow, HeadOrder, Heads, Layer, LayerInputs, Linear, Normaliser,
    Positions, Precision, Rotary, RotaryPairs, Spec, Stage, Window, attend_heads,
    attend_heads_altered, attend_layer, attend_tiled, weight_window,
};
use ndarray::{Array1, Array2, Array3};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Arrays of shapes that often fit and sometimes do not.
#[derive(Clone, Debug)]
struct Anything {
    arrays: Vec<Array3<f64>>,
    keep: Option<Array3<bool>>,
    bias: Option<Array3<f64>>,
    spec: Spec,
    alteration: Alteration,
    matrices: Vec<Array2<f64>>,
    added: Option<Array1<f64>>,
    heads: (usize, usize),
    has_past: bool,
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        10 => -3.0..3.0f64,
        1 => any::<f64>(),
        1 => prop::sample::select(&[0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308, -1e308, 1e-320, 3.4e38][..]),
    ]
}

fn maybe(number: impl Strategy<Value = f64>) -> impl Strategy<Value = Option<f64>> {
    prop::option::of(number)
}

fn array(heads: usize, rows: usize, width: usize) -> impl Strategy<Value = Array3<f64>> {
    // Now and then a size is another one.
    let size = |is: usize| prop_oneof![30 => Just(is), 1 => 0usize..5];
    (size(heads), size(rows), size(width)).prop_flat_map(|shape| {
        prop::collection::vec(number(), shape.0 * shape.1 * shape.2)
            .prop_map(move |data| Array3::from_shape_vec(shape, data).unwrap())
    })
}

fn any_spec() -> impl Strategy<Value = Spec> {
    let count = || prop::option::of(prop_oneof![8 => 0usize..4, 1 => any::<usize>()]);
    let positions = prop_oneof![
        3 => Just(Positions::None),
        1 => Just(Positions::Sinusoidal),
        1 => Just(Positions::Alibi),
        1 => number().prop_map(|base| Positions::Rotary(Rotary { pairs: RotaryPairs::Halves, base })),
        1 => Just(Positions::Rotary(Rotary { pairs: RotaryPairs::Interleaved, base: 1e4 })),
    ];
    let temperature = prop_oneof![3 => Just(1.0), 1 => number()];
    let causal = prop::option::of(prop::sample::select(
        &[Alignment::TopLeft, Alignment::BottomRight][..],
    ));
    let empty_row = prop::sample::select(&[EmptyRow::Zeros, EmptyRow::Mean, EmptyRow::NaN][..]);
    let precision = prop::sample::select(
        &[
            Precision::F64,
            Precision::F64,
            Precision::F32,
            Precision::F16,
            Precision::Bf16,
        ][..],
    );
    let order = prop::sample::select(&[HeadOrder::Interleaved, HeadOrder::Tiled][..]);
    (
        maybe(number()),
        temperature,
        maybe(number()),
        causal,
        (count(), count()),
        empty_row,
        prop::sample::select(&Normaliser::ALL[..]),
        positions,
        order,
        precision,
    )
        .prop_map(
            |(
                scale,
                temperature,
                softcap,
                causal,
                (left, right),
                empty_row,
                normaliser,
                positions,
                head_order,
                precision,
            )| Spec {
                scale,
                temperature,
                softcap,
                causal,
                window: Window { left, right },
                empty_row,
                normaliser,
                positions,
                head_order,
                precision,
            },
        )
}

fn anything() -> impl Strategy<Value = Anything> {
    (
        0usize..4,
        0usize..3,
        0usize..5,
        0usize..6,
        0usize..5,
        0usize..4,
        0usize..3,
    )
        .prop_flat_map(|(groups, shared, n, m, d, dv, past)| {
            let heads = groups * shared;
            let arrays = (
                array(heads, n, d),
                array(groups, m, d),
                array(groups, m, dv),
                array(groups, past, d),
                array(groups, past, dv),
            );
            let masks = (
                prop::option::of(array(heads, n, m + past)),
                prop::option::of(array(1, n, m + past)),
            );
            let matrices = (
                array(1, d, heads * 2),
                array(1, d, groups * 2),
                array(1, d, groups),
                array(1, heads, 3),
            );
            let rest = (
                any_spec(),
                prop::sample::select(&Alteration::ALL[..]),
                prop::option::of(prop::collection::vec(number(), 0..5)),
                any::<bool>(),
            );
            (arrays, masks, matrices, rest).prop_map(
                move |(arrays, (keep, bias), matrices, (spec, alteration, added, has_past))| {
                    let flat = |array: Array3<f64>| {
                        let (_, rows, columns) = array.dim();
                        Array2::from_shape_fn((rows, columns), |(i, j)| {
                            array.get((0, i, j)).copied().unwrap_or(0.0)
                        })
                    };
                    Anything {
                        arrays: vec![arrays.0, arrays.1, arrays.2, arrays.3, arrays.4],
                        keep: keep.map(|keep| keep.mapv(|x| x > 0.0)),
                        bias,
                        spec,
                        alteration,
                        matrices: vec![
                            flat(matrices.0),
                            flat(matrices.1),
                            flat(matrices.2),
                            flat(matrices.3),
                        ],
                        added: added.map(Array1::from_vec),
                        heads: (heads, groups),
                        has_past,
                    }
                },
            )
        })
}

/// Runs everything that takes such arrays.
fn run(given: &Anything) {
    let Anything {
        arrays,
        keep,
        bias,
        spec,
        alteration,
        matrices,
        added,
        heads,
        has_past,
    } = given;
    let [q, k, v, past_k, past_v] = &arrays[..] else {
        unreachable!()
    };
    let past = has_past.then(|| (past_k.view(), past_v.view()));
    let of = Heads {
        past,
        keep: keep.as_ref().map(|keep| keep.view()),
        bias: bias.as_ref().map(|bias| bias.view()),
        ..Heads::new(q.view(), k.view(), v.view())
    };
    if let Ok(trace) = attend_heads(&of, spec) {
        let _ = trace.joined();
        for head in &trace.heads {
            for row in 0..=head.weights.nrows() {
                let _ = (
                    head.entropy(row),
                    head.weighted_values(row),
                    head.row(Stage::Masked, row),
                );
            }
            for stage in Stage::ALL {
                let _ = head.stage(stage);
            }
        }
    }
    let _ = attend_heads_altered(&of, spec, *alteration);
    let short: Vec<Array3<f32>> = arrays
        .iter()
        .map(|array| array.mapv(|x| x as f32))
        .collect();
    let short_bias = bias.as_ref().map(|bias| bias.mapv(|x| x as f32));
    let of = Heads {
        past: has_past.then(|| (short[3].view(), short[4].view())),
        keep: keep.as_ref().map(|keep| keep.view()),
        bias: short_bias.as_ref().map(|bias| bias.view()),
        ..Heads::new(short[0].view(), short[1].view(), short[2].view())
    };
    if let Ok(tiled) = attend_tiled(&of, spec, 1) {
        let _ = weight_window(&of, spec, tiled.log_sum_exp.view(), 0, (0..3, 1..9), 1);
    }
    let linear = |at: usize| Linear {
        weight: matrices[at].clone(),
        bias: added.clone(),
    };
    let layer = Layer {
        wq: linear(0),
        wk: linear(1),
        wv: linear(2),
        wo: has_past.then(|| linear(3)),
        heads: heads.0,
        kv_heads: heads.1,
    };
    if q.dim().0 > 0 {
        let x = q.index_axis(ndarray::Axis(0), 0);
        let inputs = LayerInputs {
            context: (k.dim().0 > 0).then(|| k.index_axis(ndarray::Axis(0), 0)),
            ..LayerInputs::new(x)
        };
        let _ = attend_layer(&layer, &inputs, spec);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn numbers_or_an_error_and_never_a_panic(given in anything()) {
        run(&given);
    }
}

#[test]
#[ignore = "runs as long as it is told"]
fn fuzz_the_engine() {
    let seconds = std::env::var("ATTENTION_TUTOR_FUZZ_SECONDS").map_or(10, |s| s.parse().unwrap());
    let (end, mut count) = (Instant::now() + Duration::from_secs(seconds), 0u64);
    let start = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    let mut seed = [7u8; 32];
    seed[..16].copy_from_slice(&start.as_nanos().to_le_bytes());
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        TestRng::from_seed(RngAlgorithm::ChaCha, &seed),
    );
    let strategy = anything();
    while Instant::now() < end {
        let given = strategy.new_tree(&mut runner).unwrap().current();
        let fine = std::panic::catch_unwind(|| run(&given)).is_ok();
        assert!(fine, "{given:?}");
        count += 1;
    }
    println!("{count} examples");
}
