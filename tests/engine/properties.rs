//! What holds of attention whatever the numbers are.

use attention_tutor::attention::{
    Alteration, HeadOrder, Heads, Inputs, Layer, LayerInputs, Linear, Normaliser, Spec, Stage,
    attend, attend_altered, attend_heads, attend_layer,
};
use ndarray::{Array2, Array3, Axis, concatenate, s, stack};
use proptest::prelude::*;

use super::inputs::{any_inputs, any_spec, assert_near, numbers, placeless};

fn output(inputs: &Inputs, spec: &Spec) -> Array2<f64> {
    attend(inputs, spec).unwrap().output
}

/// Rows in another order.
fn picked<T: Clone>(array: &Array2<T>, rows: &[usize]) -> Array2<T> {
    array.select(Axis(0), rows)
}

fn backwards(count: usize) -> Vec<usize> {
    (0..count).rev().collect()
}

proptest! {
    #[test]
    fn weights_sum_to_one_and_the_output_stays_among_the_visible_values(inputs in any_inputs(), spec in any_spec(), sparse in any::<bool>()) {
        let normaliser = if sparse { Normaliser::Sparsemax } else { Normaliser::Softmax };
        let trace = attend(&inputs, &Spec { normaliser, ..spec }).unwrap();
        for i in 0..inputs.q.nrows() {
            let seen: Vec<usize> = (0..inputs.k.nrows()).filter(|j| trace.visible[[i, *j]]).collect();
            let total: f64 = trace.weights.row(i).sum();
            let expected = f64::from(u8::from(!seen.is_empty()));
            prop_assert!((total - expected).abs() < 1e-12, "row {} sums to {}", i, total);
            prop_assert!(trace.weights.row(i).iter().all(|w| *w >= 0.0));
            for c in 0..inputs.v.ncols() {
                let column = seen.iter().map(|j| inputs.v[[*j, c]]);
                let (low, high) = (column.clone().fold(f64::INFINITY, f64::min), column.fold(f64::NEG_INFINITY, f64::max));
                let y = trace.output[[i, c]];
                prop_assert!(seen.is_empty() || (low - 1e-12 <= y && y <= high + 1e-12));
                prop_assert!((trace.weighted_values(i).column(c).sum() - y).abs() < 1e-12);
            }
            for j in seen.into_iter().filter(|_| !sparse) {
                let again = (trace.masked_scores(i)[j] - trace.log_sum_exp[i]).exp();
                prop_assert!((again - trace.weights[[i, j]]).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn every_stage_follows_from_the_one_before(inputs in any_inputs(), spec in any_spec()) {
        let trace = attend(&inputs, &spec).unwrap();
        let factor = spec.factor(inputs.q.dim()).unwrap();
        let [scores, scaled, capped, biased, masked, weights] = Stage::ALL.map(|stage| trace.stage(stage));
        assert_near(&scores, &inputs.q.dot(&inputs.k.t()), 1e-12, "scores");
        assert_near(&scaled, &(&scores * factor), 1e-12, "scaled");
        assert_near(&capped, &spec.softcap.map_or(scaled.clone(), |cap| scaled.mapv(|x| cap * (x / cap).tanh())), 1e-12, "capped");
        let bias = inputs.bias.clone().unwrap_or_else(|| Array2::zeros(scores.dim()));
        assert_near(&biased, &(&capped + &bias), 1e-12, "biased");
        for ((cell, masked), &seen) in masked.indexed_iter().zip(&trace.visible) {
            let expected = if seen { biased[cell] / spec.temperature } else { f64::NEG_INFINITY };
            prop_assert!(*masked == expected || (masked - expected).abs() < 1e-12);
        }
        prop_assert_eq!(weights, trace.weights);
    }

    #[test]
    fn adding_a_constant_to_a_row_of_scores_changes_nothing(inputs in any_inputs(), spec in any_spec(), shift in -50.0..50.0f64) {
        let bias = inputs.bias.clone().unwrap_or_else(|| Array2::zeros((inputs.q.nrows(), inputs.k.nrows())));
        let shifted = Inputs { bias: Some(bias + shift), ..inputs.clone() };
        assert_near(&output(&inputs, &spec), &output(&shifted, &spec), 1e-10, "shifted");
    }

    #[test]
    fn the_order_of_keys_does_not_matter(inputs in any_inputs(), spec in any_spec()) {
        let order = backwards(inputs.k.nrows());
        let turned = Inputs {
            q: inputs.q.clone(),
            k: picked(&inputs.k, &order),
            v: picked(&inputs.v, &order),
            keep: inputs.keep.as_ref().map(|keep| keep.select(Axis(1), &order)),
            bias: inputs.bias.as_ref().map(|bias| bias.select(Axis(1), &order)),
        };
        let spec = placeless(spec);
        assert_near(&output(&inputs, &spec), &output(&turned, &spec), 1e-12, "reversed");
    }

    #[test]
    fn queries_in_another_order_give_rows_in_that_order(inputs in any_inputs(), spec in any_spec()) {
        let order = backwards(inputs.q.nrows());
        let turned = Inputs {
            q: picked(&inputs.q, &order),
            keep: inputs.keep.as_ref().map(|keep| picked(keep, &order)),
            bias: inputs.bias.as_ref().map(|bias| picked(bias, &order)),
            ..inputs.clone()
        };
        let spec = placeless(spec);
        assert_near(&picked(&output(&inputs, &spec), &order), &output(&turned, &spec), 1e-12, "reversed");
    }

    #[test]
    fn a_query_or_a_scale_of_zero_gives_the_plain_mean_of_what_is_visible(inputs in any_inputs(), spec in any_spec()) {
        let inputs = Inputs { bias: None, ..inputs };
        let mean = attend_altered(&inputs, &spec, Alteration::Uniform).unwrap().output;
        let asks_nothing = Inputs { q: Array2::zeros(inputs.q.dim()), ..inputs.clone() };
        assert_near(&output(&asks_nothing, &spec), &mean, 1e-12, "zero query");
        assert_near(&output(&inputs, &Spec { scale: Some(0.0), ..spec }), &mean, 1e-12, "zero scale");
        let trace = attend(&inputs, &spec).unwrap();
        for (row, visible) in mean.rows().into_iter().zip(trace.visible.rows()) {
            let seen: Vec<usize> = visible.iter().enumerate().filter(|(_, seen)| **seen).map(|(j, _)| j).collect();
            if let Some(expected) = picked(&inputs.v, &seen).mean_axis(Axis(0)) {
                prop_assert!(row.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12));
            }
        }
    }

    #[test]
    fn a_growing_scale_comes_to_the_hard_max_and_ties_share(inputs in any_inputs(), spec in any_spec(), tied in any::<bool>()) {
        let mut inputs = Inputs { bias: None, ..inputs };
        // Whole numbers, so that scores are equal or clearly apart; the last key may be the first one's twin.
        inputs.q.mapv_inplace(f64::round);
        inputs.k.mapv_inplace(f64::round);
        if tied {
            let first = inputs.k.row(0).to_owned();
            let last = inputs.k.nrows() - 1;
            inputs.k.row_mut(last).assign(&first);
        }
        let steep = Spec { scale: Some(1e4), softcap: None, ..spec };
        let hard = Spec { normaliser: Normaliser::HardMax, ..steep };
        assert_near(&output(&inputs, &steep), &output(&inputs, &hard), 1e-9, "steep");
    }

    #[test]
    fn hiding_a_key_is_deleting_it(inputs in any_inputs(), spec in any_spec(), hidden in 0usize..7) {
        let m = inputs.k.nrows();
        let hidden = hidden % m;
        let mut keep = inputs.keep.clone().unwrap_or_else(|| Array2::from_elem((inputs.q.nrows(), m), true));
        keep.column_mut(hidden).fill(false);
        let masked = Inputs { keep: Some(keep.clone()), ..inputs.clone() };
        let left: Vec<usize> = (0..m).filter(|j| *j != hidden).collect();
        let deleted = Inputs {
            q: inputs.q.clone(),
            k: picked(&inputs.k, &left),
            v: picked(&inputs.v, &left),
            keep: Some(keep.select(Axis(1), &left)),
            bias: inputs.bias.as_ref().map(|bias| bias.select(Axis(1), &left)),
        };
        let spec = placeless(spec);
        for normaliser in Normaliser::ALL {
            let spec = Spec { normaliser, ..spec };
            assert_near(&output(&masked, &spec), &output(&deleted, &spec), 1e-9, "deleted");
        }
    }

    #[test]
    fn grouped_heads_are_repeated_heads(groups in prop::collection::vec((numbers(4, 3), numbers(4, 2)), 1..4), shared in 1usize..4, queries in numbers(12, 3), spec in any_spec(), tiled in any::<bool>()) {
        let (keys, values): (Vec<_>, Vec<_>) = groups.iter().map(|(k, v)| (k.view(), v.view())).unzip();
        let (k, v) = (stack(Axis(0), &keys).unwrap(), stack(Axis(0), &values).unwrap());
        let count = keys.len() * shared;
        let rows = |h: usize| queries.slice(s![h..h + 3, ..]);
        let queries: Vec<_> = (0..count).map(rows).collect();
        let q = stack(Axis(0), &queries).unwrap();
        let head_order = if tiled { HeadOrder::Tiled } else { HeadOrder::Interleaved };
        let order: Vec<usize> = (0..count).map(|h| if tiled { h % keys.len() } else { h / shared }).collect();
        let (repeated_k, repeated_v) = (k.select(Axis(0), &order), v.select(Axis(0), &order));
        let spec = Spec { head_order, ..spec };
        let grouped = attend_heads(&Heads::new(q.view(), k.view(), v.view()), &spec).unwrap();
        let repeated = attend_heads(&Heads::new(q.view(), repeated_k.view(), repeated_v.view()), &spec).unwrap();
        prop_assert_eq!(grouped.heads, repeated.heads);
    }

    #[test]
    fn what_came_before_counts_like_what_comes_now(inputs in any_inputs(), spec in any_spec(), past in 0usize..6) {
        // All at once, or the first keys from a cache and the last queries alone: the same rows come out.
        let (n, m) = (inputs.q.nrows(), inputs.k.nrows());
        let past = past % m;
        let first = |array: &Array2<f64>| array.slice(s![..past, ..]).insert_axis(Axis(0)).to_owned();
        let rest = |array: &Array2<f64>| array.slice(s![past.., ..]).insert_axis(Axis(0)).to_owned();
        let (past_k, past_v, k, v) = (first(&inputs.k), first(&inputs.v), rest(&inputs.k), rest(&inputs.v));
        let alone = Inputs { q: inputs.q.clone(), keep: None, bias: None, ..inputs.clone() };
        let q = inputs.q.view().insert_axis(Axis(0));
        let cached = Heads { past: Some((past_k.view(), past_v.view())), ..Heads::new(q, k.view(), v.view()) };
        let cached = attend_heads(&cached, &spec).unwrap();
        prop_assert_eq!(&cached.k.index_axis(Axis(0), 0), &inputs.k.view());
        // Queries standing after the past, in one go: pad the front with as many queries that nobody looks at.
        let padded = concatenate(Axis(0), &[Array2::zeros((past, inputs.q.ncols())).view(), inputs.q.view()]).unwrap();
        let whole = attend(&Inputs { q: padded, ..alone }, &spec).unwrap();
        let bottom_right = spec.causal == Some(attention_tutor::attention::Alignment::BottomRight);
        if !bottom_right {
            assert_near(&whole.output.slice(s![past..past + n, ..]).to_owned(), &cached.heads[0].output, 1e-12, "cached");
        }
    }

    #[test]
    fn duplicate_keys_share_what_one_would_get(inputs in any_inputs(), spec in any_spec()) {
        let inputs = Inputs { keep: None, bias: None, ..inputs };
        let twice = |array: &Array2<f64>| concatenate(Axis(0), &[array.view(), array.view()]).unwrap();
        let doubled = Inputs { k: twice(&inputs.k), v: twice(&inputs.v), ..inputs.clone() };
        let spec = placeless(spec);
        assert_near(&output(&inputs, &spec), &output(&doubled, &spec), 1e-12, "doubled");
    }

    #[test]
    fn a_layer_is_its_projections_its_heads_and_its_output_projection(x in numbers(5, 4), context in numbers(3, 4), wq in numbers(4, 8), wk in numbers(4, 4), wv in numbers(4, 6), wo in numbers(12, 3), spec in any_spec(), crossed in any::<bool>()) {
        let layer = Layer { wq: Linear::new(wq.clone()), wk: Linear::new(wk.clone()), wv: Linear::new(wv.clone()), wo: Some(Linear::new(wo.clone())), heads: 4, kv_heads: 2 };
        let context = crossed.then_some(&context);
        let given = LayerInputs { context: context.map(|c| c.view()), ..LayerInputs::new(x.view()) };
        let trace = attend_layer(&layer, &given, &spec).unwrap();
        let source = context.unwrap_or(&x);
        let (q, k, v) = (x.dot(&wq), source.dot(&wk), source.dot(&wv));
        let mut joined = Array2::zeros((5, 12));
        for head in 0..4 {
            let (h, g) = (2 * head, head / 2);
            let one = Inputs::new(q.slice(s![.., h..h + 2]).to_owned(), k.slice(s![.., 2 * g..2 * g + 2]).to_owned(), v.slice(s![.., 3 * g..3 * g + 3]).to_owned());
            joined.slice_mut(s![.., 3 * head..3 * head + 3]).assign(&output(&one, &spec));
        }
        assert_near(&trace.output, &joined.dot(&wo), 1e-9, "layer");
    }
}

#[test]
fn heads_that_cannot_be_shared_and_a_past_that_does_not_fit_are_errors() {
    let of = |heads: usize, rows: usize, width: usize| Array3::<f64>::zeros((heads, rows, width));
    let said = |q: &Array3<f64>, k: &Array3<f64>, v: &Array3<f64>| {
        attend_heads(&Heads::new(q.view(), k.view(), v.view()), &Spec::default())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        said(&of(3, 1, 2), &of(2, 4, 2), &of(2, 4, 2)),
        "3 query heads cannot be shared among 2 key and 2 value heads"
    );
    assert_eq!(
        said(&of(2, 1, 2), &of(0, 4, 2), &of(0, 4, 2)),
        "2 query heads cannot be shared among 0 key and 0 value heads"
    );
    let (q, k) = (of(2, 1, 2), of(2, 4, 2));
    let (past_k, past_v) = (of(2, 3, 5), of(2, 3, 2));
    let heads = Heads {
        past: Some((past_k.view(), past_v.view())),
        ..Heads::new(q.view(), k.view(), k.view())
    };
    assert_eq!(
        attend_heads(&heads, &Spec::default())
            .unwrap_err()
            .to_string(),
        "past (2, 3, 5) and new (2, 4, 2) (heads, rows, width) must agree but in rows"
    );
}

#[test]
fn entropy_counts_the_words_that_are_looked_at() {
    let equal = attend(&super::inputs::of_scores(&[0.0; 8]), &Spec::default()).unwrap();
    assert!((equal.effective_words(0).unwrap() - 8.0).abs() < 1e-12);
    let one = attend(
        &super::inputs::of_scores(&[0.0, f64::INFINITY]),
        &Spec::default(),
    )
    .unwrap();
    assert_eq!(
        (one.entropy(0), one.effective_words(0)),
        (Some(0.0), Some(1.0))
    );
    assert_eq!(one.entropy(1), None);
}
