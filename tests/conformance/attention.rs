//! ONNX's Attention (opsets 23 to 25), all 93 cases with every output they state: Y, present keys and values, exposed scores.
//!
//! An f64 run on the stored inputs must come within 1e-6 where ONNX computes in f32, 2e-3 in f16, 1e-2 in bf16 (absolute).

use attention_tutor::attention::{
    Alignment, Heads, HeadsTrace, Spec, Stage, Trace, Window, attend_heads,
};
use ndarray::{Array2, Array3, Array4, ArrayD, Axis, concatenate, s, stack};

use super::onnx::{Case, Kind, Tensor, cases};
use super::operators::{as_given, by_heads};
use super::{difference, hold, tell};

#[test]
fn attention_is_onnxs() {
    let cases = cases(include_str!("../data/onnx/Attention.ron"));
    let exposed = cases.iter().filter(|case| case.output(3).is_some());
    assert_eq!(exposed.count(), 18, "cases with exposed scores");
    for (kind, name, count) in [
        (Kind::F32, "Attention, f32", 82),
        (Kind::F16, "Attention, f16", 6),
        (Kind::Bf16, "Attention, bf16", 5),
    ] {
        let is_kind = |case: &&Case| case.output(0).is_some_and(|y| y.kind == kind);
        let cases: Vec<&Case> = cases.iter().filter(is_kind).collect();
        hold(name, count, &cases, |case| &case.name, |case| check(case));
    }
    tell(&format!("Attention {0}/{0}", cases.len()));
    assert_eq!(cases.len(), 93);
}

/// The greatest difference of the outputs that a case states.
fn check(case: &Case) -> Result<f64, String> {
    const OUTPUTS: [&str; 4] = ["Y", "present key", "present value", "exposed scores"];
    let mut worst = 0f64;
    for (position, (what, found)) in OUTPUTS.iter().zip(attention(case)?).enumerate() {
        let Some(Tensor { kind, numbers }) = case.output(position) else {
            continue;
        };
        // Past and present are copied, not computed.
        let is_copy = matches!(position, 1 | 2);
        let within = if is_copy { 0.0 } else { kind.tolerance() };
        let found = found.ok_or("nothing came out")?;
        worst = worst.max(difference(what, &found, numbers, within)?);
    }
    Ok(worst)
}

/// Y, present key, present value, and the stage that the case exposes.
fn attention(case: &Case) -> Result<[Option<ArrayD<f64>>; 4], String> {
    let q = by_heads(case.numbers(0), case.count("q_num_heads"));
    let [k, v] =
        [1, 2].map(|position| by_heads(case.numbers(position), case.count("kv_num_heads")));
    let past = [4, 5].map(|position| case.input(position).map(|past| by_heads(&past.numbers, 0)));
    let [present_k, present_v] = [(&past[0], &k), (&past[1], &v)].map(|(past, new)| match past {
        Some(past) => concatenate![Axis(2), *past, *new],
        None => new.clone(),
    });
    let (batches, heads, n, _) = q.dim();
    let mask = case
        .input(3)
        .map(|mask| cells(mask, [batches, heads, n, present_k.len_of(Axis(2))]));
    let [keep, bias] = [true, false].map(|is_keep| {
        mask.as_ref()
            .filter(|(kind, _)| (*kind == Kind::Bool) == is_keep)
    });
    let keep = keep.map(|(_, cells)| cells.mapv(|cell| cell != 0.0));
    let stage = match case.count("qk_matmul_output_mode") {
        0 => Stage::Scaled,
        1 => Stage::Capped,
        2 => Stage::Masked,
        _ => Stage::Weights,
    };
    let (mut outputs, mut exposed) = (Vec::new(), Vec::new());
    for batch in 0..batches {
        // A cache may be longer than what it holds: its rest is no keys at all.
        let filled = case
            .input(6)
            .map(|lengths| lengths.numbers[[batch]] as usize);
        let new = filled.unwrap_or(k.len_of(Axis(2)));
        let seen = filled.unwrap_or(present_k.len_of(Axis(2)));
        let past = past
            .each_ref()
            .map(|past| past.as_ref().map(|past| past.slice(s![batch, .., .., ..])));
        let given = Heads {
            past: past[0].zip(past[1]),
            keep: keep
                .as_ref()
                .map(|keep| keep.slice(s![batch, .., .., ..seen])),
            bias: bias.map(|(_, bias)| bias.slice(s![batch, .., .., ..seen])),
            ..Heads::new(
                q.slice(s![batch, .., .., ..]),
                k.slice(s![batch, .., ..new, ..]),
                v.slice(s![batch, .., ..new, ..]),
            )
        };
        let trace = attend_heads(&given, &spec(case)).map_err(|problem| problem.to_string())?;
        outputs.push(stacked(&trace, |head| head.output.clone()));
        exposed.push(stacked(&trace, |head| head.stage(stage)));
    }
    let together = |batches: &[Array3<f64>]| {
        let views: Vec<_> = batches.iter().map(|batch| batch.view()).collect();
        stack(Axis(0), &views).ok()
    };
    let y = together(&outputs).map(|y| as_given(y, case.numbers(0)));
    let exposed = together(&exposed).map(Array4::into_dyn);
    Ok([
        y,
        Some(present_k.into_dyn()),
        Some(present_v.into_dyn()),
        exposed,
    ])
}

/// One array of all heads.
fn stacked(trace: &HeadsTrace, of: impl Fn(&Trace) -> Array2<f64>) -> Array3<f64> {
    let heads: Vec<_> = trace.heads.iter().map(of).collect();
    let views: Vec<_> = heads.iter().map(|head| head.view()).collect();
    stack(Axis(0), &views).unwrap()
}

fn spec(case: &Case) -> Spec {
    let side = |name: &str| usize::try_from(case.attribute(name, -1.0) as isize).ok();
    // With past keys a query stands after them; in a cache the last query stands at the last place that is filled.
    let alignment = match case.input(6) {
        Some(_) => Alignment::BottomRight,
        None => Alignment::TopLeft,
    };
    Spec {
        scale: case.given("scale"),
        softcap: case.given("softcap").filter(|cap| *cap != 0.0),
        causal: (case.count("is_causal") == 1).then_some(alignment),
        window: Window {
            left: side("left_window_size"),
            right: side("right_window_size"),
        },
        ..Spec::default()
    }
}

/// A mask of rank 1 to 4 as (B, H, n, m). One that is shorter than the keys hides the rest.
fn cells(mask: &Tensor, shape: [usize; 4]) -> (Kind, Array4<f64>) {
    let Tensor { kind, numbers } = mask;
    let [batches, heads, n, _] = shape;
    let width = numbers.len_of(Axis(numbers.ndim() - 1));
    let hidden = if *kind == Kind::Bool {
        0.0
    } else {
        f64::NEG_INFINITY
    };
    let mut all = Array4::from_elem(shape, hidden);
    let given = numbers.broadcast((batches, heads, n, width)).unwrap();
    all.slice_mut(s![.., .., .., ..width]).assign(&given);
    (*kind, all)
}
