//! ONNX's Attention (opsets 23 to 25), all 93 cases with every output they state: Y, present keys and values, exposed scores.
//!
//! An f64 run on the stored inputs must come within 1e-6 where ONNX computes in f32, 2e-3 in f16, 1e-2 in bf16 (absolute). So must Y by tiles, which
//! are f32 themselves.

use attention_tutor::attention::tiled::{InstructionSet, attend_tiled_with};
use attention_tutor::attention::{
    Alignment, AttentionError, Heads, Spec, Stage, Trace, Window, attend_heads,
};
use ndarray::{Array, Array2, Array3, Array4, ArrayD, Axis, Dimension, RemoveAxis, s, stack};

use super::onnx::{Case, Kind, Tensor, cases};
use super::operators::{as_given, by_heads};
use super::{difference, hold, tell};

#[test]
fn attention_is_onnxs() {
    hold_kinds("Attention", |case| {
        compute(
            case,
            |x| x,
            |heads, spec| {
                let trace = attend_heads(heads, spec)?;
                let of = |of: &dyn Fn(&Trace) -> Array2<f64>| {
                    let heads: Vec<_> = trace.heads.iter().map(of).collect();
                    together(&heads)
                };
                let exposed = match case.count("qk_matmul_output_mode") {
                    0 => Stage::Scaled,
                    1 => Stage::Capped,
                    2 => Stage::Masked,
                    _ => Stage::Weights,
                };
                let output = of(&|head| head.output.clone());
                let exposed = of(&|head| head.stage(exposed));
                Ok(vec![output, trace.k, trace.v, exposed])
            },
        )
    });
}

#[test]
fn attention_by_tiles_is_onnxs_with_every_instruction_set() {
    for set in InstructionSet::available() {
        hold_kinds(&format!("Attention by tiles ({set:?})"), |case| {
            compute(
                case,
                |x| x as f32,
                |heads, spec| {
                    let output = attend_tiled_with(heads, spec, 1, set)?.output;
                    Ok(vec![output.mapv(f64::from)])
                },
            )
        });
    }
}

fn hold_kinds(what: &str, compute: impl Fn(&Case) -> Result<Vec<ArrayD<f64>>, AttentionError>) {
    let cases = cases(include_str!("../data/onnx/Attention.ron"));
    let exposed = cases.iter().filter(|case| case.output(3).is_some());
    assert_eq!(exposed.count(), 18, "cases with exposed scores");
    for (kind, numbers, count) in [
        (Kind::F32, "f32", 82),
        (Kind::F16, "f16", 6),
        (Kind::Bf16, "bf16", 5),
    ] {
        let is_kind = |case: &&Case| case.output(0).is_some_and(|y| y.kind == kind);
        let cases: Vec<&Case> = cases.iter().filter(is_kind).collect();
        hold(
            &format!("{what}, {numbers}"),
            count,
            &cases,
            |case| &case.name,
            |case| {
                let found = compute(case).map_err(|problem| problem.to_string())?;
                compare(case, &found)
            },
        );
    }
    tell(&format!("{what} {0}/{0}", cases.len()));
    assert_eq!(cases.len(), 93);
}

/// The greatest difference from the outputs that a case states, of those that were computed.
fn compare(case: &Case, found: &[ArrayD<f64>]) -> Result<f64, String> {
    const OUTPUTS: [&str; 4] = ["Y", "present key", "present value", "exposed scores"];
    let mut worst = 0f64;
    for (position, (what, found)) in OUTPUTS.iter().zip(found).enumerate() {
        let Some(Tensor { kind, numbers }) = case.output(position) else {
            continue;
        };
        // Past and present are copied, not computed.
        let is_copy = matches!(position, 1 | 2);
        let within = if is_copy { 0.0 } else { kind.tolerance() };
        worst = worst.max(difference(what, found, numbers, within)?);
    }
    Ok(worst)
}

/// ONNX's operator by way of `attend`, which computes one batch's outputs, (heads, rows, columns) each.
fn compute<T: Clone>(
    case: &Case,
    number: fn(f64) -> T,
    attend: impl Fn(&Heads<'_, T>, &Spec) -> Result<Vec<Array3<f64>>, AttentionError>,
) -> Result<Vec<ArrayD<f64>>, AttentionError> {
    let q = by_heads(case.numbers(0), case.count("q_num_heads")).mapv(number);
    let [k, v] = [1, 2]
        .map(|position| by_heads(case.numbers(position), case.count("kv_num_heads")).mapv(number));
    let past = [4, 5].map(|position| {
        let past = case.input(position)?;
        Some(by_heads(&past.numbers, 0).mapv(number))
    });
    let (batches, heads, n, _) = q.dim();
    let m = k.len_of(Axis(2)) + past[0].as_ref().map_or(0, |past| past.len_of(Axis(2)));
    let mask = case
        .input(3)
        .map(|mask| cells(mask, [batches, heads, n, m]));
    let (keep, bias) = match mask {
        Some((Kind::Bool, cells)) => (Some(cells.mapv(|cell| cell != 0.0)), None),
        Some((_, cells)) => (None, Some(cells.mapv(number))),
        None => (None, None),
    };
    let mut outputs: Vec<Vec<Array3<f64>>> = Vec::new();
    for batch in 0..batches {
        // A cache may be longer than what it holds: its rest is no keys at all.
        let filled = case.input(6).map(|counts| counts.numbers[[batch]] as usize);
        let (new, m) = (filled.unwrap_or(k.len_of(Axis(2))), filled.unwrap_or(m));
        let past = past.each_ref().map(|past| {
            let past = past.as_ref()?;
            Some(past.slice(s![batch, .., .., ..]))
        });
        let given = Heads {
            past: past[0].zip(past[1]),
            keep: keep.as_ref().map(|keep| keep.slice(s![batch, .., .., ..m])),
            bias: bias.as_ref().map(|bias| bias.slice(s![batch, .., .., ..m])),
            ..Heads::new(
                q.slice(s![batch, .., .., ..]),
                k.slice(s![batch, .., ..new, ..]),
                v.slice(s![batch, .., ..new, ..]),
            )
        };
        outputs.push(attend(&given, &spec(case))?);
    }
    let of_batches = |position: usize| {
        let batches: Vec<_> = outputs
            .iter()
            .map(|batch| batch[position].clone())
            .collect();
        // In a cache, each batch has its own count of keys, and ONNX exposes none of them.
        let is_even = batches.iter().all(|batch| batch.dim() == batches[0].dim());
        if is_even {
            together(&batches)
        } else {
            Array4::zeros((0, 0, 0, 0))
        }
    };
    Ok((0..outputs[0].len())
        .map(|position| match position {
            0 => as_given(of_batches(0), case.numbers(0)),
            _ => of_batches(position).into_dyn(),
        })
        .collect())
}

/// One array of several that are alike.
fn together<D: Dimension>(parts: &[Array<f64, D>]) -> Array<f64, D::Larger>
where
    D::Larger: RemoveAxis,
{
    let views: Vec<_> = parts.iter().map(|part| part.view()).collect();
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
