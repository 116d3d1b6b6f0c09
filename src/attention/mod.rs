//! The engine: attention over arrays, with every convention named; also the pipelines with one step changed.
//!
//! The pipeline is `scores = q·kᵀ`, `scaled = (scale · scores + bias) / temperature`, `weights = softmax(scaled)` row by row over the
//! *visible* keys, `output = weights · v`. Shapes: q (n, d), k (m, d), v (m, dᵥ); n queries, m keys.
//!
//! A *hidden* key (`keep` false, a bias of −∞, or after the query where attention is causal) is skipped, never multiplied by zero, so that a NaN
//! behind a mask cannot reach the output. A score of −∞ hides nothing: its key is visible with weight 0.
//!
//! Everything is f64 and the whole n×m trace is kept: this is the path for teaching, where people look at every number. Road not taken:
//! keeping every stage as an array; the stages between scores and weights are derived for the row that is looked at.

mod alteration;
mod arrays;
mod pipeline;
mod softmax;
mod spec;
pub mod tiled;

pub use alteration::Alteration;
pub use arrays::{Heads, Inputs};
pub use pipeline::{Trace, attend, attend_altered};
pub use softmax::{log_sum_exp, softmax};
pub use spec::{
    Alignment, AttentionError, EmptyRow, HeadOrder, Normaliser, Positions, Precision, Rotary,
    RotaryPairs, Shape, Sight, Spec, Window,
};

#[cfg(test)]
mod tests {
    use ndarray::{Array2, array, s};
    use proptest::prelude::*;
    use serde::Deserialize;

    use super::*;

    type Rows = Vec<Vec<f64>>;

    fn matrix<T: Clone>(rows: &[Vec<T>]) -> Array2<T> {
        let width = rows.first().map_or(0, Vec::len);
        Array2::from_shape_vec((rows.len(), width), rows.concat()).unwrap()
    }

    fn assert_near(a: &Array2<f64>, b: &Array2<f64>, within: f64, what: &str) {
        assert_eq!(a.dim(), b.dim(), "{what}");
        for (x, y) in a.iter().zip(b) {
            assert!(
                (x - y).abs() <= within || (x.is_nan() && y.is_nan()),
                "{what}: {a} is not {b}"
            );
        }
    }

    fn plain(scale: f64) -> Spec {
        Spec {
            scale: Some(scale),
            ..Spec::default()
        }
    }

    #[derive(Deserialize)]
    struct Published {
        id: String,
        scale: f64,
        q: Rows,
        k: Rows,
        v: Rows,
        keep: Option<Vec<Vec<bool>>>,
        weights: Option<Rows>,
        output: Option<Rows>,
        tol: f64,
    }

    #[test]
    fn published_examples_come_out_as_printed() {
        let all: Vec<Published> =
            ron::from_str(include_str!("../../tests/data/published_attention.ron")).unwrap();
        assert!(all.len() >= 6);
        for example in all {
            let Published {
                id,
                scale,
                q,
                k,
                v,
                keep,
                weights,
                output,
                tol,
            } = example;
            let keep = keep.map(|keep| matrix(&keep));
            let inputs = Inputs {
                keep,
                ..Inputs::new(matrix(&q), matrix(&k), matrix(&v))
            };
            let trace = attend(&inputs, &plain(scale)).unwrap();
            if let Some(weights) = weights {
                assert_near(&trace.weights, &matrix(&weights), tol, &id);
            }
            if let Some(output) = output {
                assert_near(&trace.output, &matrix(&output), tol, &id);
            }
        }
    }

    #[derive(Deserialize)]
    struct Altered {
        id: String,
        q: Rows,
        k: Rows,
        v: Rows,
        outputs: Vec<(String, Rows)>,
    }

    #[test]
    fn each_changed_step_gives_the_numbers_of_an_independent_computation() {
        let all: Vec<Altered> =
            ron::from_str(include_str!("../../tests/data/altered_attention.ron")).unwrap();
        for Altered {
            id,
            q,
            k,
            v,
            outputs,
        } in all
        {
            let inputs = Inputs::new(matrix(&q), matrix(&k), matrix(&v));
            for (name, output) in outputs {
                let trace = match Alteration::ALL
                    .iter()
                    .find(|alteration| format!("{alteration:?}") == name)
                {
                    Some(alteration) => attend_altered(&inputs, &Spec::default(), *alteration),
                    None => attend(&inputs, &Spec::default()),
                };
                assert_near(
                    &trace.unwrap().output,
                    &matrix(&output),
                    1e-9,
                    &format!("{id}: {name}"),
                );
            }
        }
    }

    #[test]
    fn a_missing_transpose_is_possible_only_where_keys_are_square() {
        let inputs = Inputs::new(
            Array2::ones((2, 4)),
            Array2::ones((3, 4)),
            Array2::ones((3, 2)),
        );
        let problem =
            attend_altered(&inputs, &Spec::default(), Alteration::NoTranspose).unwrap_err();
        assert_eq!(
            problem,
            AttentionError::Widths {
                q: (2, 4),
                k: (3, 4)
            }
        );
        let swapped = attend_altered(&inputs, &Spec::default(), Alteration::KeysAndValuesSwapped);
        assert!(swapped.is_err());
    }

    /// One query of 1, these keys, values 1, 2, 3, …
    fn of_scores(scores: &[f64]) -> Inputs {
        let column =
            |numbers: Vec<f64>| Array2::from_shape_vec((numbers.len(), 1), numbers).unwrap();
        let values = (1..=scores.len()).map(|x| x as f64).collect();
        Inputs::new(array![[1.0]], column(scores.to_vec()), column(values))
    }

    fn output_of(inputs: &Inputs) -> f64 {
        attend(inputs, &plain(1.0)).unwrap().output[[0, 0]]
    }

    #[test]
    fn extreme_scores_take_their_limits() {
        let inf = f64::INFINITY;
        for (scores, output) in [
            (vec![1e4, 1e4 + 1.0, 0.0, -1e4], 1.731_058_578_630_005),
            (vec![-2e4; 4], 2.5),
            (vec![0.0, inf, 3.0, -inf], 2.0),
            (vec![inf, 0.0, inf, 0.0], 2.0),
            (vec![-inf, 0.0, 0.0, -inf], 2.5),
            (vec![1e308, -1e308, 1e308, 0.0], 2.0),
        ] {
            assert!(
                (output_of(&of_scores(&scores)) - output).abs() < 1e-12,
                "{scores:?}"
            );
        }
        let no_scale = attend(&of_scores(&[0.0, -inf, 2.0]), &plain(0.0)).unwrap();
        assert_near(
            &no_scale.output,
            &array![[2.0]],
            1e-12,
            "a scale of 0 leaves −∞ where it is",
        );
        let hot = Spec {
            temperature: inf,
            ..plain(1.0)
        };
        assert_near(
            &attend(&of_scores(&[5.0, 1.0, 3.0]), &hot).unwrap().output,
            &array![[2.0]],
            1e-12,
            "hot",
        );
    }

    #[test]
    fn what_is_hidden_never_reaches_the_output() {
        let mut inputs = of_scores(&[0.0, 0.0, 0.0, f64::NAN]);
        inputs.v[[3, 0]] = f64::NAN;
        inputs.keep = Some(array![[true, true, true, false]]);
        assert_eq!(output_of(&inputs), 2.0);
        inputs.keep = None;
        inputs.bias = Some(array![[0.0, 0.0, 0.0, f64::NEG_INFINITY]]);
        assert_eq!(output_of(&inputs), 2.0);
        inputs.bias = Some(array![[0.0, 0.0, 0.0, -1e300]]);
        assert!(output_of(&inputs).is_nan(), "a finite bias hides nothing");
    }

    #[test]
    fn an_empty_row_follows_its_policy() {
        for (policy, expected) in [
            (EmptyRow::Zeros, 0.0),
            (EmptyRow::Mean, 2.5),
            (EmptyRow::NaN, f64::NAN),
        ] {
            let spec = Spec {
                empty_row: policy,
                ..plain(1.0)
            };
            let hidden = Inputs {
                keep: Some(Array2::from_elem((1, 4), false)),
                ..of_scores(&[1.0, 2.0, 3.0, 4.0])
            };
            assert_near(
                &attend(&hidden, &spec).unwrap().output,
                &array![[expected]],
                0.0,
                "all hidden",
            );
            let hopeless = of_scores(&[f64::NEG_INFINITY; 4]);
            assert_near(
                &attend(&hopeless, &spec).unwrap().output,
                &array![[expected]],
                0.0,
                "all scores −∞",
            );
        }
    }

    #[test]
    fn causal_attention_says_how_queries_and_keys_are_lined_up() {
        let zeros = |n: usize, m: usize| {
            let values = Array2::from_shape_fn((m, 1), |(j, _)| j as f64 + 1.0);
            Inputs::new(Array2::zeros((n, 1)), Array2::zeros((m, 1)), values)
        };
        let causal = |inputs: &Inputs, alignment| {
            let spec = Spec {
                causal: Some(alignment),
                ..Spec::default()
            };
            attend(inputs, &spec).unwrap().output.column(0).to_vec()
        };
        assert_eq!(causal(&zeros(2, 4), Alignment::TopLeft), [1.0, 1.5]);
        assert_eq!(causal(&zeros(2, 4), Alignment::BottomRight), [2.0, 2.5]);
        assert_eq!(
            causal(&zeros(4, 2), Alignment::TopLeft),
            [1.0, 1.5, 1.5, 1.5]
        );
        assert_eq!(
            causal(&zeros(4, 2), Alignment::BottomRight),
            [0.0, 0.0, 1.0, 1.5]
        );
    }

    #[test]
    fn arrays_that_do_not_fit_are_named_and_empty_ones_do_no_harm() {
        let of = |n, d, m, rows, width| {
            Inputs::new(
                Array2::ones((n, d)),
                Array2::ones((m, d)),
                Array2::ones((rows, width)),
            )
        };
        let mut wide = of(1, 2, 3, 3, 1);
        wide.k = Array2::ones((3, 5));
        assert_eq!(
            attend(&wide, &Spec::default()),
            Err(AttentionError::Widths {
                q: (1, 2),
                k: (3, 5)
            })
        );
        assert_eq!(
            attend(&of(1, 2, 3, 4, 1), &Spec::default()),
            Err(AttentionError::Rows {
                k: (3, 2),
                v: (4, 1)
            })
        );
        let masked = Inputs {
            keep: Some(Array2::from_elem((3, 1), true)),
            ..of(1, 2, 3, 3, 1)
        };
        assert_eq!(
            attend(&masked, &Spec::default()),
            Err(AttentionError::Mask {
                given: (3, 1),
                scores: (1, 3)
            })
        );
        assert_eq!(
            attend(&of(1, 0, 3, 3, 1), &Spec::default()),
            Err(AttentionError::NoWidth { q: (1, 0) })
        );
        assert_eq!(
            attend(&of(1, 2, 3, 3, 1), &plain(f64::NAN))
                .unwrap_err()
                .to_string(),
            "the scale NaN is not a finite number"
        );
        let cold = Spec {
            temperature: 0.0,
            ..Spec::default()
        };
        assert_eq!(
            attend(&of(1, 2, 3, 3, 1), &cold),
            Err(AttentionError::Temperature(0.0))
        );

        assert_near(
            &attend(&of(1, 0, 3, 3, 1), &plain(1.0)).unwrap().output,
            &array![[1.0]],
            1e-12,
            "no width, scale given",
        );
        assert_eq!(
            attend(&of(0, 2, 3, 3, 1), &Spec::default())
                .unwrap()
                .output
                .dim(),
            (0, 1)
        );
        assert_near(
            &attend(&of(1, 2, 0, 0, 2), &Spec::default()).unwrap().output,
            &Array2::zeros((1, 2)),
            0.0,
            "no keys",
        );
        assert_eq!(
            attend(&of(1, 2, 3, 3, 0), &Spec::default())
                .unwrap()
                .output
                .dim(),
            (1, 0)
        );
        for alteration in Alteration::ALL {
            for inputs in [of(0, 2, 3, 3, 2), of(1, 2, 0, 0, 2), of(2, 2, 2, 2, 0)] {
                let _no_panic = attend_altered(&inputs, &Spec::default(), alteration);
            }
        }
    }

    fn numbers(rows: usize, columns: usize) -> impl Strategy<Value = Array2<f64>> {
        prop::collection::vec(-4.0..4.0f64, rows * columns)
            .prop_map(move |data| Array2::from_shape_vec((rows, columns), data).unwrap())
    }

    prop_compose! {
        fn any_inputs()(n in 1usize..5, d in 1usize..4, m in 1usize..6, width in 1usize..4)
            (q in numbers(n, d), k in numbers(m, d), v in numbers(m, width), seen in prop::collection::vec(any::<bool>(), n * m)) -> Inputs {
            let keep = Array2::from_shape_vec((q.nrows(), k.nrows()), seen).unwrap();
            Inputs { keep: Some(keep), ..Inputs::new(q, k, v) }
        }
    }

    proptest! {
        #[test]
        fn weights_sum_to_one_and_the_output_stays_among_the_visible_values(inputs in any_inputs()) {
            let trace = attend(&inputs, &Spec::default()).unwrap();
            for i in 0..inputs.q.nrows() {
                let seen: Vec<usize> = (0..inputs.k.nrows()).filter(|j| trace.visible[[i, *j]]).collect();
                let total: f64 = trace.weights.row(i).sum();
                let expected = f64::from(u8::from(!seen.is_empty()));
                prop_assert!((total - expected).abs() < 1e-12);
                for c in 0..inputs.v.ncols() {
                    let column = seen.iter().map(|j| inputs.v[[*j, c]]);
                    let (low, high) = (column.clone().fold(f64::INFINITY, f64::min), column.fold(f64::NEG_INFINITY, f64::max));
                    let y = trace.output[[i, c]];
                    prop_assert!(seen.is_empty() || (low - 1e-12 <= y && y <= high + 1e-12));
                    prop_assert!((trace.weighted_values(i).column(c).sum() - y).abs() < 1e-12);
                }
                for j in seen {
                    let again = (trace.scaled_scores(i)[j] - trace.log_sum_exp[i]).exp();
                    prop_assert!((again - trace.weights[[i, j]]).abs() < 1e-12);
                }
            }
        }

        #[test]
        fn adding_a_constant_to_a_row_of_scores_changes_nothing(inputs in any_inputs(), shift in -50.0..50.0f64) {
            let shifted = Inputs { bias: Some(Array2::from_elem((inputs.q.nrows(), inputs.k.nrows()), shift)), ..inputs.clone() };
            let (a, b) = (attend(&inputs, &Spec::default()).unwrap(), attend(&shifted, &Spec::default()).unwrap());
            assert_near(&a.output, &b.output, 1e-10, "shifted");
        }

        #[test]
        fn the_order_of_keys_does_not_matter(inputs in any_inputs()) {
            let turned = |array: &Array2<f64>| array.slice(s![..;-1, ..]).to_owned();
            let keep = inputs.keep.as_ref().map(|keep| keep.slice(s![.., ..;-1]).to_owned());
            let reversed = Inputs { q: inputs.q.clone(), k: turned(&inputs.k), v: turned(&inputs.v), keep, bias: None };
            let (a, b) = (attend(&inputs, &Spec::default()).unwrap(), attend(&reversed, &Spec::default()).unwrap());
            assert_near(&a.output, &b.output, 1e-12, "reversed");
        }

        #[test]
        fn cold_attention_comes_to_the_hard_max_and_hot_attention_to_the_plain_mean(inputs in any_inputs()) {
            let inputs = Inputs { keep: None, ..inputs };
            let at = |temperature| attend(&inputs, &Spec { temperature, ..Spec::default() }).unwrap().output;
            let altered = |alteration| attend_altered(&inputs, &Spec::default(), alteration).unwrap().output;
            assert_near(&at(1e9), &altered(Alteration::Uniform), 1e-6, "hot");
            let scores = attend(&inputs, &Spec::default()).unwrap().scores;
            let clear = scores.rows().into_iter().all(|row| {
                let mut row = row.to_vec();
                row.sort_by(f64::total_cmp);
                row.len() < 2 || row[row.len() - 1] - row[row.len() - 2] > 1e-3
            });
            prop_assume!(clear);
            assert_near(&at(1e-6), &altered(Alteration::HardMax), 1e-6, "cold");
        }
    }
}
