//! Proofs of the named mistakes: numbers computed elsewhere are named, a thousand random examples leave none out, and the right answer draws none.

use ndarray::{Array2, Array3, array, s};
use proptest::prelude::*;
use serde::Deserialize;

use super::{Array, MISTAKES, diagnose, diagnose_arrays, diagnose_matrix, every_mistake, near};
use crate::attention::{
    Alignment, Alteration, HeadOrder, Heads, Inputs, Positions, Rotary, RotaryPairs, Spec, Stage,
    Window, attend, attend_altered, attend_heads_altered,
};
use crate::words::Words;
use crate::worked_example::tests::{computed, sentence, square};
use crate::worked_example::{AttentionExample, Computed, Quantity, WorkedExample};

type Rows = Vec<Vec<f64>>;

fn matrix<T: Clone>(rows: &[Vec<T>]) -> Array2<T> {
    Array2::from_shape_vec((rows.len(), rows[0].len()), rows.concat()).unwrap()
}

#[derive(Deserialize)]
struct Fingerprints {
    id: String,
    q: Rows,
    k: Rows,
    v: Rows,
    keep: Vec<bool>,
    mistakes: Vec<Fingerprint>,
}

#[derive(Deserialize)]
struct Fingerprint {
    name: String,
    weights: Rows,
    output: Rows,
}

/// What the mistakes of the data are called here, and whether they are made with the mask.
const NAMES: [(&str, &str, bool); 16] = [
    ("no_transpose", "no-transpose", false),
    ("no_scale", "no-scale", false),
    ("divide_by_d", "divided-by-d", false),
    ("multiply_by_sqrt_d", "times-root-d", false),
    ("sqrt_of_n_keys", "divided-by-root-m", false),
    ("softmax_over_queries", "over-queries", false),
    ("softmax_over_everything", "over-everything", false),
    ("scale_after_softmax", "scale-after", false),
    ("sum_normalise_no_exp", "no-exp", false),
    ("plain_mean", "plain-mean", false),
    ("plain_sum", "sum", false),
    ("hard_max", "hard-max", false),
    ("mask_inverted", "mask-inverted", true),
    ("mask_zeroes_scores", "mask-zeroes-scores", true),
    ("mask_after_softmax_no_renorm", "mask-after-softmax", true),
    ("mask_additive_1s_0s", "mask-added", true),
];

#[test]
fn mistakes_computed_elsewhere_are_named_from_their_whole_arrays_and_the_right_ones_never() {
    let all: Vec<Fingerprints> =
        ron::from_str(include_str!("../../../tests/data/mistake_fingerprints.ron")).unwrap();
    let words = Words::english();
    let mut named = 0;
    for example in &all {
        let whole = Inputs::new(matrix(&example.q), matrix(&example.k), matrix(&example.v));
        let seen = vec![example.keep.clone(); example.q.len()];
        let masked = Inputs {
            keep: Some(matrix(&seen)),
            ..whole.clone()
        };
        for Fingerprint {
            name,
            weights,
            output,
        } in &example.mistakes
        {
            let expected = NAMES.iter().find(|(theirs, ..)| theirs == name);
            let is_masked = expected.map_or(name == "correct_masked", |(.., masked)| *masked);
            let inputs = if is_masked { &masked } else { &whole };
            let right = attend(inputs, &Spec::default()).unwrap();
            let arrays = [
                (Array::Outputs, matrix(output), right.output),
                (Array::Stage(Stage::Weights), matrix(weights), right.weights),
            ];
            for (asked, given, right) in arrays {
                let what = format!("{} of {}: {asked:?}", name, example.id);
                let spec = Spec::default();
                let told =
                    diagnose_arrays(inputs, &spec, asked, given.view(), 1e-9, &words).unwrap();
                let is_right = given.iter().zip(&right).all(|(a, b)| near(*a, *b, 1e-12));
                let Some((_, id, _)) = expected.filter(|_| !is_right) else {
                    assert!(is_right && told.is_empty(), "{what}: {told:?}");
                    continue;
                };
                let its = told.iter().find(|mistake| mistake.id == *id);
                let its = its.unwrap_or_else(|| panic!("{what}: {told:?}"));
                assert_eq!((its.rank, its.cells), (1, right.len()), "{what}");
                let parts = its.parts.unwrap();
                let cell = [parts.row, parts.column];
                assert!(near(parts.right, right[cell], 1e-12), "{what}");
                assert!(near(parts.wrong, given[cell], 1e-9), "{what}");
                named += 1;
            }
        }
    }
    println!("{named} arrays of mistakes named");
    assert_eq!(named, 60);
}

#[test]
fn what_explains_an_array_equally_well_is_a_tie_and_shapes_are_told() {
    let words = Words::english();
    let c = computed(&square());
    let told = |given: &Array2<f64>| {
        diagnose_matrix(
            &c,
            Array::Stage(Stage::Weights),
            given.view(),
            0.005,
            &words,
        )
    };
    let right = &c.trace().weights;
    assert!(told(right).is_empty());
    let turned = told(&right.t().to_owned());
    assert_eq!(
        (turned[0].id, turned[0].is_turned_over),
        ("transposed", true)
    );

    let no_scale = attend_altered(&c.inputs, &c.spec, Alteration::NoScale).unwrap();
    let turned = told(&no_scale.weights.t().to_owned());
    assert_eq!((turned[0].id, turned[0].is_turned_over), ("no-scale", true));
    assert_eq!(
        turned[0].sentence,
        format!(
            "These attention weights are turned over, rows for columns, and they are what comes out with softmax of the scores as they are, \
             without scaling. It first shows in row 1, column 1: {}, where {} is right.",
            words.number(no_scale.weights[[0, 0]]),
            words.number(right[[0, 0]])
        )
    );
    let mut slipped = no_scale.weights.clone();
    slipped[[1, 1]] += 0.3;
    let slip = told(&slipped);
    assert_eq!(
        (slip[0].id, slip[0].cells),
        ("no-scale", 8),
        "one slip of the hand besides"
    );

    let odd = told(&Array2::zeros((2, 5)));
    assert_eq!(odd[0].id, "wrong-shape");
    assert_eq!(
        odd[0].sentence,
        "This array is 2 × 5; the attention weights are 3 × 3, a row for each query."
    );
    // With d = 2 and m = 4, d, √m and √d · √d are one number.
    let all_three = [
        ("divided-by-d", 1),
        ("divided-by-root-m", 1),
        ("scaled-twice", 1),
    ];
    let c = computed(&sentence());
    let twice = attend_altered(&c.inputs, &c.spec, Alteration::ScaledTwice).unwrap();
    let told = diagnose_matrix(&c, Array::Outputs, twice.output.view(), 1e-9, &words);
    let ties: Vec<(&str, usize)> = told.iter().map(|m| (m.id, m.rank)).collect();
    assert_eq!(ties, all_three);
    let scalar = diagnose(&c, Quantity::Output(0), twice.output[[2, 0]], 1e-9, &words);
    let ties: Vec<(&str, usize)> = scalar.iter().map(|m| (m.id, m.rank)).collect();
    assert_eq!(ties, all_three);
    let parts = scalar[0].parts.unwrap();
    assert_eq!((parts.row, parts.column), (2, 0));
    assert!(near(parts.wrong, twice.output[[2, 0]], 0.0));
}

#[test]
fn every_changed_step_of_one_head_is_in_the_registry_once() {
    for alteration in Alteration::ALL {
        let of_heads = [
            Alteration::DivideByRootModelWidth,
            Alteration::OtherHeadOrder,
        ];
        let lines = MISTAKES.iter().filter(|m| m.alteration == Some(alteration));
        let expected = usize::from(!of_heads.contains(&alteration));
        assert_eq!(lines.count(), expected, "{alteration:?}");
    }
}

#[test]
fn mistakes_of_several_heads_give_what_plain_arithmetic_gives() {
    let q = Array3::from_shape_fn((4, 2, 3), |(h, i, c)| {
        ((h * 7 + i * 3 + c * 5) % 11) as f64 / 4.0 - 1.0
    });
    let k = Array3::from_shape_fn((2, 3, 3), |(h, j, c)| {
        ((h * 5 + j * 4 + c * 7) % 13) as f64 / 5.0 - 1.0
    });
    let v = Array3::from_shape_fn((2, 3, 2), |(h, j, c)| ((h * 3 + j * 8 + c * 2) % 9) as f64);
    let heads = Heads::new(q.view(), k.view(), v.view());
    let plain = |scale: f64, order: [usize; 4]| {
        Array3::from_shape_fn((4, 2, 2), |(h, i, c)| {
            let g = order[h];
            let power = |j: usize| {
                let score: f64 = (0..3).map(|d| q[[h, i, d]] * k[[g, j, d]]).sum();
                (score * scale).exp()
            };
            let total: f64 = (0..3).map(power).sum();
            (0..3).map(|j| power(j) / total * v[[g, j, c]]).sum::<f64>()
        })
    };
    let root = |x: f64| 1.0 / x.sqrt();
    let interleaved = Spec::default();
    let tiled = Spec {
        head_order: HeadOrder::Tiled,
        ..interleaved
    };
    for (spec, alteration, expected) in [
        (
            interleaved,
            Alteration::OtherHeadOrder,
            plain(root(3.0), [0, 1, 0, 1]),
        ),
        (
            tiled,
            Alteration::OtherHeadOrder,
            plain(root(3.0), [0, 0, 1, 1]),
        ),
        (
            interleaved,
            Alteration::DivideByRootModelWidth,
            plain(root(12.0), [0, 0, 1, 1]),
        ),
    ] {
        let run = attend_heads_altered(&heads, &spec, alteration).unwrap();
        for (h, head) in run.heads.iter().enumerate() {
            let expected = expected.slice(s![h, .., ..]);
            assert!(
                head.output
                    .iter()
                    .zip(expected)
                    .all(|(a, b)| (a - b).abs() < 1e-12),
                "{alteration:?}: {} is not {expected}",
                head.output
            );
        }
    }
}

fn masked() -> WorkedExample {
    with_spec(Spec::default(), |a| {
        a.keep = Some(array![
            [true, true, true, false],
            [true, false, true, true],
            [true, true, false, true],
            [true, true, true, true]
        ]);
    })
}

fn with_spec(spec: Spec, change: impl FnOnce(&mut AttentionExample)) -> WorkedExample {
    let WorkedExample::Attention(mut attention) = sentence() else {
        unreachable!()
    };
    attention.spec = spec;
    change(&mut attention);
    WorkedExample::Attention(attention)
}

/// Examples that between them have every convention a mistake can be made about.
pub(super) fn of_all_conventions() -> Vec<WorkedExample> {
    let usual = Spec::default();
    let causal = Spec {
        causal: Some(Alignment::TopLeft),
        ..usual
    };
    let lone = |a: &mut AttentionExample| {
        a.q = a.q.slice(s![2..3, ..]).to_owned();
        a.focus = 3;
    };
    let wide = |a: &mut AttentionExample| {
        a.q = array![
            [1.0, 0.5, 0.3, -1.0],
            [0.5, 1.0, 0.1, 0.4],
            [2.0, -1.0, 0.7, 0.2],
            [0.1, 0.3, 1.0, 1.0]
        ];
        a.k = array![
            [1.0, 0.0, 0.2, 0.9],
            [0.3, 1.2, 0.8, 0.1],
            [2.0, 1.0, -0.4, 0.6],
            [-0.5, 0.8, 1.0, 0.3]
        ];
    };
    vec![
        masked(),
        with_spec(causal, |_| {}),
        with_spec(
            Spec {
                causal: Some(Alignment::BottomRight),
                ..usual
            },
            lone,
        ),
        with_spec(
            Spec {
                window: Window {
                    left: Some(1),
                    right: None,
                },
                ..causal
            },
            |_| {},
        ),
        with_spec(
            Spec {
                softcap: Some(1.5),
                temperature: 0.7,
                ..causal
            },
            |a| {
                a.bias = Some(Array2::from_shape_fn((4, 4), |(i, j)| {
                    (i as f64 - j as f64) * 0.3
                }))
            },
        ),
        with_spec(
            Spec {
                positions: Positions::Rotary(Rotary {
                    pairs: RotaryPairs::Halves,
                    base: 100.0,
                }),
                ..usual
            },
            wide,
        ),
        with_spec(
            Spec {
                positions: Positions::Alibi,
                ..usual
            },
            |_| {},
        ),
    ]
}

fn numbers(rows: usize, columns: usize) -> impl Strategy<Value = Array2<f64>> {
    prop::collection::vec(-30i32..30, rows * columns).prop_map(move |cells| {
        let cells = cells.into_iter().map(|x| f64::from(x) / 10.0).collect();
        Array2::from_shape_vec((rows, columns), cells).unwrap()
    })
}

#[derive(Clone, Copy, Debug)]
struct Shapes {
    queries: usize,
    keys: usize,
    width: usize,
    values: usize,
}

/// Some with m = d ≠ n, some with d = dᵥ, some with neither.
fn shapes() -> impl Strategy<Value = Shapes> {
    (2usize..5, 1usize..4, 1usize..4, 0..4).prop_map(|(keys, width, values, how)| match how {
        0 => Shapes {
            queries: 1,
            keys,
            width: keys,
            values,
        },
        1 => Shapes {
            queries: keys,
            keys,
            width,
            values: width,
        },
        2 => Shapes {
            queries: keys,
            keys,
            width: keys,
            values,
        },
        _ => Shapes {
            queries: keys,
            keys,
            width,
            values,
        },
    })
}

prop_compose! {
    fn any_conventions()(
        temperature in prop_oneof![3 => Just(1.0), 1 => Just(0.5)],
        softcap in prop_oneof![2 => Just(None), 1 => Just(Some(2.0))],
        causal in prop_oneof![2 => Just(None), 1 => Just(Some(Alignment::TopLeft)), 1 => Just(Some(Alignment::BottomRight))],
        left in prop_oneof![4 => Just(None), 1 => Just(Some(1))],
    ) -> Spec {
        let window = Window { left, right: None };
        Spec { temperature, softcap, causal, window, ..Spec::default() }
    }
}

fn any_of(shapes: Shapes) -> impl Strategy<Value = WorkedExample> {
    let Shapes {
        queries,
        keys,
        width,
        values,
    } = shapes;
    let seen = prop::collection::vec(prop::bool::weighted(0.7), queries * keys);
    let arrays = (
        numbers(queries, width),
        numbers(keys, width),
        numbers(keys, values),
    );
    let masks = (
        prop::option::of(seen),
        prop::option::of(numbers(queries, keys)),
    );
    (arrays, masks, any_conventions(), 0..keys).prop_map(
        move |((q, k, v), (seen, bias), spec, focus)| {
            let keep = seen.map(|seen| Array2::from_shape_vec((queries, keys), seen).unwrap());
            // A lone query stands where the alignment puts it.
            let focus = match (queries, spec.causal) {
                (1, Some(Alignment::BottomRight)) => keys - 1,
                (1, _) => 0,
                _ => focus,
            };
            let tokens = (0..keys).map(|i| format!("t{i}")).collect();
            WorkedExample::Attention(AttentionExample {
                tokens,
                q,
                k,
                v,
                keep,
                bias,
                spec,
                focus,
            })
        },
    )
}

/// What a changed pipeline, run as a whole, comes to; `None` where it cannot be run.
fn changed(c: &Computed, alteration: Alteration, asked: Quantity) -> Option<f64> {
    let trace = attend_altered(&c.inputs, &c.spec, alteration).ok()?;
    match (asked, asked.stage()) {
        (Quantity::Output(component), _) => trace.output.get((c.row, component)).copied(),
        (_, Some((stage, item))) => trace.cell(stage, c.row, item),
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn each_mistake_that_changes_the_number_is_named_and_the_right_answer_never(
        example in shapes().prop_flat_map(any_of), item in 0usize..5, choice in any::<prop::sample::Index>(),
    ) {
        let words = Words::english();
        let c = Computed::new(&example).unwrap();
        let item = item % c.items();
        let of_item = [Quantity::Weight(item), Quantity::MaskedScore(item)][choice.index(2)];
        for asked in [Quantity::Output(item % c.value_width()), of_item] {
            let right = c.number(asked).unwrap();
            prop_assert!(diagnose(&c, asked, right, 0.0, &words).is_empty());
            let every = every_mistake(&c, asked, &words);
            prop_assert!(every.iter().all(|mistake| !near(mistake.number, right, 0.0)));
            for mistake in MISTAKES {
                let Some(alteration) = mistake.alteration else { continue };
                let hides = c.trace().visible.iter().any(|seen| !seen);
                if alteration == Alteration::MaskInverted && !hides { continue }
                let Some(number) = changed(&c, alteration, asked) else { continue };
                if !number.is_finite() || near(number, right, 1e-6) { continue }
                prop_assert!(
                    every.iter().any(|named| named.id == mistake.id && near(named.number, number, 1e-12)),
                    "{} of {asked:?}: {number} (right: {right})", mistake.id
                );
            }
            // One of them through the door that quizzes use.
            let finite: Vec<_> = every.iter().filter(|mistake| mistake.number.is_finite()).collect();
            if !finite.is_empty() {
                let one = choice.get(&finite);
                let told = diagnose(&c, asked, one.number, 0.0, &words);
                prop_assert!(told.iter().any(|named| named.sentence == one.sentence && named.rank == 1));
            }
        }
    }
}
