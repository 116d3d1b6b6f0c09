//! Inputs on which engines in use give wrong numbers, or none.

use attention_tutor::attention::{
    Alignment, Alteration, AttentionError, EmptyRow, Heads, Inputs, Normaliser, Notice, Positions,
    Precision, Rotary, RotaryPairs, Spec, Stage, Window, attend, attend_altered, attend_tiled,
};
use ndarray::{Array2, Axis, array};

use super::inputs::{assert_near, of_scores, unscaled, with_scale};

const INF: f64 = f64::INFINITY;

/// The first output, of both paths: the tiled one must come to the same wherever f32 can hold the inputs.
fn output_of(inputs: &Inputs, spec: &Spec) -> f64 {
    let exact = attend(inputs, spec).unwrap().output[[0, 0]];
    if let Some(tiled) = tiled(inputs, spec) {
        let near = (exact - tiled).abs() <= 1e-6 * (1.0 + exact.abs());
        assert!(
            near || (exact.is_nan() && tiled.is_nan()),
            "{tiled} tile by tile, not {exact}"
        );
    }
    exact
}

/// The first output of the tiled path; `None` where an input is beyond f32.
fn tiled(inputs: &Inputs, spec: &Spec) -> Option<f64> {
    let Inputs {
        q,
        k,
        v,
        keep,
        bias,
    } = inputs;
    let short = |array: &Array2<f64>| {
        let short = array.mapv(|x| x as f32).insert_axis(Axis(0));
        let is_beyond = |(long, short): (&f64, &f32)| long.is_finite() && !short.is_finite();
        (!array.iter().zip(&short).any(is_beyond)).then_some(short)
    };
    let (q, k, v) = (short(q)?, short(k)?, short(v)?);
    let bias = match bias {
        Some(bias) => Some(short(bias)?),
        None => None,
    };
    let heads = Heads {
        keep: keep.as_ref().map(|keep| keep.view().insert_axis(Axis(0))),
        bias: bias.as_ref().map(|bias| bias.view()),
        ..Heads::new(q.view(), k.view(), v.view())
    };
    let output = attend_tiled(&heads, spec, 1).unwrap().output;
    Some(f64::from(output[[0, 0, 0]]))
}

fn notices(inputs: &Inputs, spec: &Spec) -> Vec<Notice> {
    attend(inputs, spec).unwrap().notices
}

#[test]
fn extreme_scores_take_their_limits() {
    for (scores, output) in [
        (vec![1e4, 1e4 + 1.0, 0.0, -1e4], 1.731_058_578_630_005),
        (vec![-2e4; 4], 2.5),
        (vec![0.0, INF, 3.0, -INF], 2.0),
        (vec![INF, 0.0, INF, 0.0], 2.0),
        (vec![-INF, 0.0, 0.0, -INF], 2.5),
        (vec![1e308, -1e308, 1e308, 0.0], 2.0),
    ] {
        let found = output_of(&of_scores(&scores), &unscaled());
        assert!((found - output).abs() < 1e-12, "{scores:?}: {found}");
    }
    let beyond_f32 = Inputs {
        q: array![[2.0]],
        ..of_scores(&[3e38, 3e38, -3e38, 0.0])
    };
    assert_eq!(output_of(&beyond_f32, &unscaled()), 1.5);
}

#[test]
fn an_infinite_score_is_noticed() {
    assert_eq!(
        notices(&of_scores(&[0.0, 5.0, INF]), &unscaled()),
        [Notice::InfiniteScore { row: 0, key: 2 }]
    );
}

#[test]
fn a_scale_of_zero_is_the_plain_mean_and_says_so() {
    let flat = with_scale(0.0);
    let inputs = of_scores(&[5.0, 1.0, 3.0, 0.0]);
    assert!((output_of(&inputs, &flat) - 2.5).abs() < 1e-12);
    assert_eq!(notices(&inputs, &flat), [Notice::PlainMean]);
    let hidden = of_scores(&[0.0, -INF, 2.0]);
    assert_eq!(output_of(&hidden, &flat), 2.0, "−∞ stays where it is");
    let hot = Spec {
        temperature: INF,
        ..unscaled()
    };
    assert!((output_of(&inputs, &hot) - 2.5).abs() < 1e-12);
    assert_eq!(notices(&inputs, &hot), [Notice::PlainMean]);
}

#[test]
fn a_negative_scale_prefers_what_is_least_alike() {
    let found = output_of(&of_scores(&[0.0, 1.0, 2.0, 3.0]), &with_scale(-1.0));
    assert!((found - 1.507_347).abs() < 1e-6, "{found}");
}

#[test]
fn what_is_hidden_never_reaches_the_output() {
    for poison in [f64::NAN, INF, -INF] {
        let mut inputs = of_scores(&[0.0, 0.0, 0.0, poison]);
        inputs.v[[3, 0]] = poison;
        let keep = Some(array![[true, true, true, false]]);
        let bias = Some(array![[0.0, 0.0, 0.0, -INF]]);
        let narrow = Spec {
            window: Window {
                left: None,
                right: Some(2),
            },
            ..unscaled()
        };
        for (what, inputs, spec) in [
            (
                "keep",
                Inputs {
                    keep,
                    ..inputs.clone()
                },
                unscaled(),
            ),
            (
                "bias",
                Inputs {
                    bias,
                    ..inputs.clone()
                },
                unscaled(),
            ),
            ("window", inputs.clone(), narrow),
        ] {
            for normaliser in Normaliser::ALL {
                let found = output_of(&inputs, &Spec { normaliser, ..spec });
                assert!(
                    found.is_finite(),
                    "{poison} by {what}, {normaliser:?}: {found}"
                );
            }
            assert_eq!(output_of(&inputs, &spec), 2.0, "{poison} hidden by {what}");
        }
        let causal = Spec {
            causal: Some(Alignment::TopLeft),
            ..unscaled()
        };
        let first = output_of(&of_scores(&[0.0, poison]), &causal);
        assert_eq!(first, 1.0, "{poison} in the future");
    }
    let low = Inputs {
        bias: Some(array![[0.0, 0.0, 0.0, -1e300]]),
        ..of_scores(&[0.0, 0.0, 0.0, f64::NAN])
    };
    assert!(
        output_of(&low, &unscaled()).is_nan(),
        "a finite bias hides nothing"
    );
}

#[test]
fn an_empty_row_follows_its_policy_and_is_noticed() {
    for (policy, expected) in [
        (EmptyRow::Zeros, 0.0),
        (EmptyRow::Mean, 2.5),
        (EmptyRow::NaN, f64::NAN),
    ] {
        let spec = Spec {
            empty_row: policy,
            ..unscaled()
        };
        let scores = of_scores(&[1.0, 2.0, 3.0, 4.0]);
        let hidden = Inputs {
            keep: Some(Array2::from_elem((1, 4), false)),
            ..scores.clone()
        };
        let barred = Inputs {
            bias: Some(Array2::from_elem((1, 4), -INF)),
            ..scores
        };
        for inputs in [hidden, barred, of_scores(&[-INF; 4])] {
            let trace = attend(&inputs, &spec).unwrap();
            let found = output_of(&inputs, &spec);
            assert_near(&array![[found]], &array![[expected]], 0.0, "empty row");
            assert!(
                trace.notices.contains(&Notice::EmptyRows {
                    first: 0,
                    count: 1,
                    policy
                }),
                "{:?}",
                trace.notices
            );
        }
    }
}

#[test]
fn a_bias_as_low_as_f32_goes_is_a_bias_and_warned_of() {
    let lowest = f64::from(f32::MIN);
    let all = Inputs {
        bias: Some(Array2::from_elem((1, 4), lowest)),
        ..of_scores(&[1.0, 2.0, 3.0, 4.0])
    };
    assert_eq!(output_of(&all, &unscaled()), 2.5);
    assert_eq!(
        notices(&all, &unscaled()),
        [Notice::LowBiasIsNoMask {
            row: 0,
            everywhere: true
        }]
    );
    let one = Inputs {
        bias: Some(array![[0.0, 0.0, lowest, 0.0]]),
        ..of_scores(&[0.0; 4])
    };
    assert!((output_of(&one, &unscaled()) - 7.0 / 3.0).abs() < 1e-12);
    assert_eq!(
        notices(&one, &unscaled()),
        [Notice::LowBiasIsNoMask {
            row: 0,
            everywhere: false
        }]
    );
}

#[test]
fn a_mask_of_zeros_and_ones_that_is_added_is_warned_of() {
    let added = Inputs {
        bias: Some(array![[1.0, 1.0, 0.0]]),
        ..of_scores(&[0.0; 3])
    };
    assert_eq!(notices(&added, &unscaled()), [Notice::ZeroOneBias]);
    let none = Inputs {
        bias: Some(array![[0.0, 0.0, 0.0]]),
        ..of_scores(&[0.0; 3])
    };
    assert_eq!(notices(&none, &unscaled()), []);
}

#[test]
fn the_cap_comes_before_the_mask_and_holds_at_any_score() {
    let capped = |cap| Spec {
        softcap: Some(cap),
        ..unscaled()
    };
    let far = attend(&of_scores(&[1e4, -1e4]), &capped(50.0)).unwrap();
    assert_eq!(far.row(Stage::Capped, 0), [50.0, -50.0]);
    let found = output_of(&of_scores(&[1e4, -1e4]), &capped(50.0));
    assert!((found - 1.0).abs() < 1e-12, "far apart: {found}");
    let last_hidden = Inputs {
        keep: Some(array![[true, true, true, false]]),
        ..of_scores(&[7.0, 7.0, 7.0, 1e9])
    };
    assert_eq!(output_of(&last_hidden, &capped(0.5)), 2.0);
    let barred = Inputs {
        bias: Some(array![[0.0, 0.0, 0.0, -INF]]),
        ..of_scores(&[7.0, 7.0, 7.0, 1e9])
    };
    assert_eq!(output_of(&barred, &capped(0.5)), 2.0);
    let wrong = attend_altered(&last_hidden, &capped(0.5), Alteration::CapAfterMask).unwrap();
    assert!(
        wrong.weights[[0, 3]] > 0.1,
        "a cap after the mask lets the hidden key in"
    );
}

#[test]
fn causal_attention_says_how_queries_and_keys_are_lined_up() {
    let zeros = |n: usize, m: usize| {
        let values = Array2::from_shape_fn((m, 1), |(j, _)| j as f64 + 1.0);
        Inputs::new(Array2::zeros((n, 1)), Array2::zeros((m, 1)), values)
    };
    for (n, m, alignment, expected) in [
        (2, 4, Alignment::TopLeft, vec![1.0, 1.5]),
        (2, 4, Alignment::BottomRight, vec![2.0, 2.5]),
        (4, 2, Alignment::TopLeft, vec![1.0, 1.5, 1.5, 1.5]),
        (4, 2, Alignment::BottomRight, vec![0.0, 0.0, 1.0, 1.5]),
    ] {
        let spec = Spec {
            causal: Some(alignment),
            ..Spec::default()
        };
        let trace = attend(&zeros(n, m), &spec).unwrap();
        assert_eq!(
            trace.output.column(0).to_vec(),
            expected,
            "{n}×{m} {alignment:?}"
        );
        let told = Notice::Aligned {
            alignment,
            queries: n,
            keys: m,
        };
        assert!(trace.notices.contains(&told));
    }
}

#[test]
fn a_window_has_two_sides() {
    let inputs = Inputs::new(
        Array2::zeros((5, 2)),
        Array2::zeros((5, 2)),
        array![[0.0], [1.0], [2.0], [3.0], [4.0]],
    );
    let seen = |left, right, causal| {
        let spec = Spec {
            window: Window { left, right },
            causal,
            ..Spec::default()
        };
        attend(&inputs, &spec).unwrap().output.column(0).to_vec()
    };
    assert_eq!(seen(Some(1), Some(2), None), [1.0, 1.5, 2.5, 3.0, 3.5]);
    assert_eq!(seen(Some(1), None, None), [2.0, 2.0, 2.5, 3.0, 3.5]);
    assert_eq!(seen(None, Some(0), None), [0.0, 0.5, 1.0, 1.5, 2.0]);
    let causal = Some(Alignment::TopLeft);
    assert_eq!(seen(Some(1), Some(3), causal), [0.0, 0.5, 1.5, 2.5, 3.5]);
}

#[test]
fn low_precision_fails_where_it_fails() {
    let of = |q: f64, keys: &[f64], precision| {
        let inputs = Inputs {
            q: array![[q]],
            ..of_scores(keys)
        };
        let spec = Spec {
            precision,
            ..unscaled()
        };
        attend(&inputs, &spec).unwrap()
    };
    let overflow = |precision| of(300.0, &[300.0, 0.0], precision).output[[0, 0]];
    assert_eq!(overflow(Precision::F64), 1.0);
    assert_eq!(overflow(Precision::F32), 1.0);
    assert_eq!(overflow(Precision::Bf16), 1.0);
    assert!(overflow(Precision::F16).is_nan(), "90,000 is ∞ in f16");
    let many = of(1.0, &[0.0; 512], Precision::Bf16);
    assert_eq!(
        many.weights[[0, 0]],
        1.0 / 256.0,
        "a bf16 sum sticks at 256"
    );
    assert!(many.notices.contains(&Notice::Simulated(Precision::Bf16)));
    for scores in [[0.1, 0.7, -0.4], [3.0, 2.0, 1.0]] {
        let exact = of(1.0, &scores, Precision::F64).output;
        for (precision, within) in [
            (Precision::F32, 1e-6),
            (Precision::F16, 1e-2),
            (Precision::Bf16, 1e-1),
        ] {
            let rough = of(1.0, &scores, precision).output;
            assert_near(&rough, &exact, within, "rounded at each stage");
            assert_ne!(rough, exact, "{precision:?} is not exact");
        }
    }
}

#[test]
fn arrays_that_do_not_fit_are_named() {
    let of = |n, d, m, rows, width| {
        Inputs::new(
            Array2::ones((n, d)),
            Array2::ones((m, d)),
            Array2::ones((rows, width)),
        )
    };
    let fault = |inputs: &Inputs, spec: &Spec| attend(inputs, spec).unwrap_err();
    let mut wide = of(1, 2, 3, 3, 1);
    wide.k = Array2::ones((3, 5));
    let said = fault(&wide, &Spec::default()).to_string();
    assert_eq!(said, "queries (1, 2) and keys (3, 5) must be equally wide");
    assert_eq!(
        fault(&of(1, 2, 3, 4, 1), &Spec::default()),
        AttentionError::Rows {
            k: (3, 2),
            v: (4, 1)
        }
    );
    let masked = Inputs {
        keep: Some(Array2::from_elem((3, 1), true)),
        ..of(1, 2, 3, 3, 1)
    };
    assert_eq!(
        fault(&masked, &Spec::default()),
        AttentionError::Mask {
            given: (3, 1),
            scores: (1, 3)
        }
    );
    assert_eq!(
        fault(&of(1, 0, 3, 3, 1), &Spec::default()),
        AttentionError::NoWidth { q: (1, 0) }
    );
    let square = of(1, 2, 3, 3, 1);
    let rotary = |base| {
        Positions::Rotary(Rotary {
            pairs: RotaryPairs::Halves,
            base,
        })
    };
    for (spec, said) in [
        (with_scale(f64::NAN), "the scale NaN is not a finite number"),
        (
            Spec {
                temperature: 0.0,
                ..unscaled()
            },
            "the temperature 0 must be greater than 0",
        ),
        (
            Spec {
                temperature: f64::NAN,
                ..unscaled()
            },
            "the temperature NaN must be greater than 0",
        ),
        (
            Spec {
                softcap: Some(-1.0),
                ..unscaled()
            },
            "the softcap -1 must be a number greater than 0",
        ),
        (
            Spec {
                positions: rotary(0.0),
                ..unscaled()
            },
            "the base 0 of the rotation must be a number greater than 0",
        ),
        (
            Spec {
                positions: Positions::Sinusoidal,
                ..unscaled()
            },
            "sinusoidal positions are added to x, before the projections: q and k alone cannot take them",
        ),
    ] {
        assert_eq!(fault(&square, &spec).to_string(), said);
    }
    let odd = Spec {
        positions: rotary(1e4),
        ..unscaled()
    };
    assert_eq!(
        fault(&of(1, 3, 3, 3, 1), &odd),
        AttentionError::OddWidth { q: (1, 3) }
    );
}

#[test]
fn a_changed_step_whose_shapes_do_not_fit_is_an_error() {
    let of = |n, d, m, width| {
        Inputs::new(
            Array2::ones((n, d)),
            Array2::ones((m, d)),
            Array2::ones((m, width)),
        )
    };
    let refused =
        |inputs: &Inputs, alteration| attend_altered(inputs, &Spec::default(), alteration).is_err();
    assert!(refused(&of(2, 4, 3, 2), Alteration::NoTranspose));
    assert!(!refused(&of(2, 3, 3, 2), Alteration::NoTranspose));
    assert!(refused(&of(2, 4, 3, 2), Alteration::KeysAndValuesSwapped));
    assert!(!refused(&of(2, 4, 3, 4), Alteration::KeysAndValuesSwapped));
    assert!(refused(&of(2, 4, 3, 2), Alteration::QueriesAndKeysSwapped));
    assert!(!refused(&of(3, 4, 3, 2), Alteration::QueriesAndKeysSwapped));
}

#[test]
fn empty_arrays_do_no_harm() {
    let of = |n, d, m, width| {
        Inputs::new(
            Array2::ones((n, d)),
            Array2::ones((m, d)),
            Array2::ones((m, width)),
        )
    };
    let output = |inputs: &Inputs, spec: &Spec| attend(inputs, spec).unwrap().output;
    assert_near(
        &output(&of(1, 0, 3, 1), &unscaled()),
        &array![[1.0]],
        1e-12,
        "d = 0",
    );
    assert_eq!(output(&of(0, 2, 3, 1), &unscaled()).dim(), (0, 1));
    assert_eq!(output(&of(1, 2, 3, 0), &unscaled()).dim(), (1, 0));
    for empty_row in [EmptyRow::Zeros, EmptyRow::Mean] {
        let spec = Spec {
            empty_row,
            ..unscaled()
        };
        let none = output(&of(1, 2, 0, 2), &spec);
        assert_near(&none, &Array2::zeros((1, 2)), 0.0, "no keys");
    }
    for alteration in Alteration::ALL {
        for inputs in [
            of(0, 2, 3, 2),
            of(1, 2, 0, 2),
            of(2, 2, 2, 0),
            of(0, 0, 0, 0),
        ] {
            for normaliser in Normaliser::ALL {
                let spec = Spec {
                    normaliser,
                    ..Spec::default()
                };
                let _no_panic = attend_altered(&inputs, &spec, alteration);
            }
        }
    }
}
