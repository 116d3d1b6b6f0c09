//! ONNX's operators around attention: Softmax, LogSoftmax, LayerNormalization, RMSNormalization, RotaryEmbedding, all in f32 there. An
//! f64 run on the stored inputs must come within 1e-6 (absolute) of each output, where ONNX itself allows a thousandth of it.

use attention_tutor::attention::{
    LayerNorm, RotaryPairs, Turns, layer_norm, log_softmax_along, rms_norm, softmax_along,
};
use ndarray::{Array4, ArrayD, ArrayViewD, Axis, Ix2, Ix4};

use super::onnx::{Case, cases};
use super::{difference, hold};

fn hold_operator(
    operator: &str,
    count: usize,
    text: &str,
    compute: impl Fn(&Case) -> Result<Vec<ArrayD<f64>>, String>,
) {
    hold(
        operator,
        count,
        &cases(text),
        |case| &case.name,
        |case| {
            let mut worst = 0f64;
            for (position, found) in compute(case)?.iter().enumerate() {
                let expected = case.output(position).ok_or("an output too many")?;
                let within = expected.kind.tolerance();
                let what = format!("output {position}");
                worst = worst.max(difference(what, found, &expected.numbers, within)?);
            }
            Ok(worst)
        },
    );
}

fn said(problem: impl ToString) -> String {
    problem.to_string()
}

#[test]
fn softmax_and_its_logarithm_are_onnxs() {
    let axis = |case: &Case| case.attribute("axis", -1.0) as isize;
    hold_operator(
        "Softmax",
        7,
        include_str!("../data/onnx/Softmax.ron"),
        |case| {
            Ok(vec![
                softmax_along(case.numbers(0).view(), axis(case)).map_err(said)?,
            ])
        },
    );
    hold_operator(
        "LogSoftmax",
        7,
        include_str!("../data/onnx/LogSoftmax.ron"),
        |case| {
            Ok(vec![
                log_softmax_along(case.numbers(0).view(), axis(case)).map_err(said)?,
            ])
        },
    );
}

#[test]
fn layer_and_root_mean_square_normalisation_are_onnxs() {
    let axis = |case: &Case| case.attribute("axis", -1.0) as isize;
    let epsilon = |case: &Case| case.attribute("epsilon", 1e-5);
    let layer = include_str!("../data/onnx/LayerNormalization.ron");
    hold_operator("LayerNormalization", 19, layer, |case| {
        let bias = case.input(2).map(|bias| bias.numbers.view());
        let (x, scale) = (case.numbers(0).view(), case.numbers(1).view());
        let LayerNorm {
            output,
            mean,
            inverse_std,
        } = layer_norm(x, axis(case), epsilon(case), scale, bias).map_err(said)?;
        Ok(vec![output, mean, inverse_std])
    });
    let rms = include_str!("../data/onnx/RMSNormalization.ron");
    hold_operator("RMSNormalization", 19, rms, |case| {
        let (x, scale) = (case.numbers(0).view(), case.numbers(1).view());
        Ok(vec![
            rms_norm(x, axis(case), epsilon(case), scale).map_err(said)?,
        ])
    });
}

#[test]
fn rotary_positions_are_onnxs() {
    let text = include_str!("../data/onnx/RotaryEmbedding.ron");
    hold_operator("RotaryEmbedding", 8, text, |case| {
        let pairs = match case.count("interleaved") {
            0 => RotaryPairs::Halves,
            _ => RotaryPairs::Interleaved,
        };
        let mut x = by_heads(case.numbers(0), case.count("num_heads"));
        for (batch, mut heads) in x.outer_iter_mut().enumerate() {
            let turns = turns(case, batch)?;
            for head in heads.outer_iter_mut() {
                turns.turn(head, pairs).map_err(said)?;
            }
        }
        Ok(vec![as_given(x, case.numbers(0))])
    });
}

/// The caches' rows for the tokens of one batch: those that `position_ids` names, or, without it, a cache for each batch.
fn turns(case: &Case, batch: usize) -> Result<Turns, String> {
    let caches = [1, 2].map(|position| case.numbers(position).view());
    let rows = |cache: ArrayViewD<'_, f64>| cache.into_dimensionality::<Ix2>().unwrap().to_owned();
    if let Some(ids) = case.input(3) {
        let ids = ids.numbers.index_axis(Axis(0), batch);
        let places: Vec<usize> = ids.iter().map(|id| *id as usize).collect();
        let [cos, sin] = caches.map(rows);
        let all = Turns::of_caches(cos.view(), sin.view()).map_err(said)?;
        return all.at(&places).map_err(said);
    }
    let [cos, sin] = caches.map(|cache| rows(cache.index_axis(Axis(0), batch)));
    Turns::of_caches(cos.view(), sin.view()).map_err(said)
}

/// (B, H, n, d) from (B, H, n, d) or (B, n, H · d).
pub fn by_heads(x: &ArrayD<f64>, heads: usize) -> Array4<f64> {
    if x.ndim() == 4 {
        return x.clone().into_dimensionality::<Ix4>().unwrap();
    }
    let [batches, rows, width] = x.shape() else {
        panic!("{:?}", x.shape());
    };
    let split = x.to_shape((*batches, *rows, heads, width / heads)).unwrap();
    split
        .permuted_axes([0, 2, 1, 3])
        .as_standard_layout()
        .into_owned()
}

/// Back into the rank of what was given.
pub fn as_given(x: Array4<f64>, given: &ArrayD<f64>) -> ArrayD<f64> {
    if given.ndim() == 4 {
        return x.into_dyn();
    }
    let (batches, heads, rows, width) = x.dim();
    let joined = x.permuted_axes([0, 2, 1, 3]);
    joined
        .to_shape((batches, rows, heads * width))
        .unwrap()
        .into_owned()
        .into_dyn()
}
