//! Worked examples that others printed, and what each named mistake makes of two examples.

use attention_tutor::attention::{
    Alteration, Heads, Inputs, Spec, attend, attend_altered, attend_heads,
};
use ndarray::{Array2, Array3, Axis};
use serde::Deserialize;

use super::{difference, hold};

type Rows = Vec<Vec<f64>>;

/// What an f64 result may differ from another f64 computation of it: of numbers up to 1, or relative.
const EXACT: f64 = 1e-12;

#[derive(Deserialize)]
struct Example {
    id: String,
    heads: usize,
    scale: f64,
    /// Which rows are printed.
    rows: Vec<usize>,
    /// 0.6 of the last printed digit.
    tol: f64,
    q: Rows,
    k: Rows,
    v: Rows,
    keep: Option<Vec<Vec<bool>>>,
    wo: Option<Rows>,
    bo: Option<Vec<f64>>,
    weights: Option<Rows>,
    output: Option<Rows>,
    exact_weights: Vec<Rows>,
    exact_output: Rows,
}

#[test]
fn published_examples_come_out_as_printed() {
    let all: Vec<Example> = ron::from_str(include_str!("../data/published_examples.ron")).unwrap();
    hold(
        "Published examples",
        34,
        &all,
        |example| &example.id,
        |example| {
            let Example {
                heads,
                scale,
                rows,
                tol,
                exact_weights,
                exact_output,
                ..
            } = example;
            let [q, k, v] = [&example.q, &example.k, &example.v].map(|x| split(&matrix(x), *heads));
            let keep = example
                .keep
                .as_ref()
                .map(|keep| matrix(keep).insert_axis(Axis(0)));
            let given = Heads {
                keep: keep.as_ref().map(|keep| keep.view()),
                ..Heads::new(q.view(), k.view(), v.view())
            };
            let spec = Spec {
                scale: Some(*scale),
                ..Spec::default()
            };
            let trace = attend_heads(&given, &spec).map_err(|problem| problem.to_string())?;
            let mut output = trace.joined();
            if let Some(wo) = &example.wo {
                output = output.dot(&matrix(wo));
            }
            if let Some(bo) = &example.bo {
                output += &ndarray::Array1::from_vec(bo.clone());
            }
            let near = |what: &str, found: &Array2<f64>, expected: &Rows, within: f64| {
                difference(
                    what,
                    &found.clone().into_dyn(),
                    &matrix(expected).into_dyn(),
                    within,
                )
            };
            let printed = |all: &Array2<f64>| all.select(Axis(0), rows);
            let weights = &trace.heads[0].weights;
            if let Some(expected) = &example.weights {
                near("printed weights", &printed(weights), expected, *tol)?;
            }
            if let Some(expected) = &example.output {
                near("printed output", &printed(&output), expected, *tol)?;
            }
            if exact_weights.len() != *heads {
                return Err(format!("weights of {} heads", exact_weights.len()));
            }
            let mut worst = 0f64;
            for (head, expected) in trace.heads.iter().zip(exact_weights) {
                worst = worst.max(near("weights", &head.weights, expected, EXACT)?);
            }
            let greatest = output.iter().fold(1f64, |a, b| a.max(b.abs()));
            Ok(worst.max(near("output", &output, exact_output, EXACT * greatest)?))
        },
    );
}

/// (H, n, d) from (n, H · d).
fn split(x: &Array2<f64>, heads: usize) -> Array3<f64> {
    let (rows, width) = x.dim();
    let by_head = x.to_shape((rows, heads, width / heads)).unwrap();
    by_head
        .permuted_axes([1, 0, 2])
        .as_standard_layout()
        .into_owned()
}

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

#[test]
fn each_mistake_has_its_fingerprint() {
    let examples: Vec<Fingerprints> =
        ron::from_str(include_str!("../data/mistake_fingerprints.ron")).unwrap();
    let all: Vec<(String, &Fingerprints, &Fingerprint)> = examples
        .iter()
        .flat_map(|example| {
            let named = |mistake: &Fingerprint| format!("{}: {}", example.id, mistake.name);
            example
                .mistakes
                .iter()
                .map(move |mistake| (named(mistake), example, mistake))
        })
        .collect();
    hold(
        "Fingerprints of mistakes",
        35,
        &all,
        |(name, ..)| name,
        |(_, example, mistake)| {
            let (masked, alteration) = alteration(&mistake.name).ok_or("no such mistake")?;
            let mut inputs =
                Inputs::new(matrix(&example.q), matrix(&example.k), matrix(&example.v));
            if masked {
                let seen = vec![example.keep.clone(); example.q.len()];
                inputs.keep = Some(matrix(&seen));
            }
            let trace = match alteration {
                Some(alteration) => attend_altered(&inputs, &Spec::default(), alteration),
                None => attend(&inputs, &Spec::default()),
            }
            .map_err(|problem| problem.to_string())?;
            let near = |what: &str, found: &Array2<f64>, expected: &Rows| {
                let expected = matrix(expected).into_dyn();
                let greatest = expected.iter().fold(1f64, |a, b| a.max(b.abs()));
                difference(what, &found.clone().into_dyn(), &expected, EXACT * greatest)
            };
            let weights = near("weights", &trace.weights, &mistake.weights)?;
            Ok(weights.max(near("output", &trace.output, &mistake.output)?))
        },
    );
}

/// Whether a mistake is made with the mask, and the step that it changes.
fn alteration(name: &str) -> Option<(bool, Option<Alteration>)> {
    let whole = |alteration| (false, Some(alteration));
    let masked = |alteration| (true, Some(alteration));
    Some(match name {
        "correct" => (false, None),
        "correct_masked" => (true, None),
        "no_transpose" => whole(Alteration::NoTranspose),
        "no_scale" => whole(Alteration::NoScale),
        "divide_by_d" => whole(Alteration::DivideByWidth),
        "multiply_by_sqrt_d" => whole(Alteration::TimesRootWidth),
        "sqrt_of_n_keys" => whole(Alteration::DivideByRootKeys),
        "softmax_over_queries" => whole(Alteration::OverQueries),
        "softmax_over_everything" => whole(Alteration::OverEverything),
        "scale_after_softmax" => whole(Alteration::ScaleAfterSoftmax),
        "sum_normalise_no_exp" => whole(Alteration::NoExp),
        "plain_mean" => whole(Alteration::Uniform),
        "plain_sum" => whole(Alteration::Sum),
        "hard_max" => whole(Alteration::HardMax),
        "mask_inverted" => masked(Alteration::MaskInverted),
        "mask_zeroes_scores" => masked(Alteration::MaskZeroesScores),
        "mask_after_softmax_no_renorm" => masked(Alteration::MaskAfterSoftmax),
        "mask_additive_1s_0s" => masked(Alteration::MaskAdded),
        _ => return None,
    })
}
