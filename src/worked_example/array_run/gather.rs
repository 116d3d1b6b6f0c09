//! Arrays brought to one form: batches first, then heads, rows and columns, whatever the file's rank.
//!
//! | given | q, k, v (and past) | x, context | keep, bias |
//! |---|---|---|---|
//! | 2-D | one head (n, d); with `heads` the columns are split | one sequence (n, e) | for all heads (n, m), or (1, m) for all queries |
//! | 3-D | heads first (H, n, d) | batches (B, n, e) | a head each (H, n, m) |
//! | 4-D | (B, H, n, d) | – | (B, H, n, m) |

use ndarray::{Array1, Array2, Array3, Array4, ArrayD, ArrayView3, Axis, Ix1, Ix2, Ix3};

use super::fault::{self, RunFault};
use crate::attention::{Layer, Linear};
use crate::words::Words;
use crate::words::diagnostic::Diagnostic;
use crate::worked_example::{ArrayFile, ArrayName, NamedArray};

/// A file's arrays in one form.
pub(super) struct Gathered {
    asked: GatheredOf,
    /// (B or 1, G, p, d) and the same of the values.
    past: Option<(Array4<f64>, Array4<f64>)>,
    /// (B or 1, H or 1, n, m).
    keep: Option<Array4<bool>>,
    bias: Option<Array4<f64>>,
    batches: usize,
    axes: (bool, bool),
    /// x stood alone, without learned matrices.
    pub bare_x: bool,
}

enum GatheredOf {
    Heads {
        q: Array4<f64>,
        k: Array4<f64>,
        v: Array4<f64>,
    },
    Layer {
        layer: Box<Layer>,
        /// (B, n, e).
        x: Array3<f64>,
        context: Option<Array3<f64>>,
    },
}

/// One batch's arrays.
pub(super) struct BatchArrays {
    pub of: Asked,
    pub past: Option<(Array3<f64>, Array3<f64>)>,
    pub keep: Option<Array3<bool>>,
    pub bias: Option<Array3<f64>>,
}

pub(super) enum Asked {
    Heads {
        q: Array3<f64>,
        k: Array3<f64>,
        v: Array3<f64>,
    },
    Layer {
        layer: Box<Layer>,
        x: Array2<f64>,
        context: Option<Array2<f64>>,
    },
}

impl Gathered {
    /// # Errors
    /// Everything that keeps the arrays from being put together.
    pub fn new(words: &Words, file: &ArrayFile) -> Result<Self, Vec<Diagnostic>> {
        Self::put_together(file).map_err(|faults| {
            let told = |fault: &RunFault| fault::told(words, file, fault);
            faults.iter().map(told).collect()
        })
    }

    fn put_together(file: &ArrayFile) -> Result<Self, Vec<RunFault>> {
        let has = |name: &ArrayName| file.arrays.contains_key(name);
        let direct = [ArrayName::Q, ArrayName::K, ArrayName::V];
        let learned = [ArrayName::Wq, ArrayName::Wk, ArrayName::Wv];
        if has(&ArrayName::X) && direct.iter().any(has) {
            return Err(vec![RunFault::QAndX]);
        }
        let needed: &[ArrayName] = match (has(&ArrayName::X), learned.iter().any(has)) {
            (true, true) => &learned,
            (true, false) => &[],
            (false, true) => &[ArrayName::X],
            (false, false) => &direct,
        };
        let missing = needed.iter().filter(|name| !has(name));
        let missing: Vec<RunFault> = missing
            .map(|name| RunFault::Missing { name: name.name() })
            .collect();
        if !missing.is_empty() {
            return Err(missing);
        }
        let gathered = if has(&ArrayName::X) && learned.iter().any(has) {
            layer(file)
        } else if has(&ArrayName::X) {
            bare(file)
        } else {
            heads(file)
        };
        gathered.map_err(|fault| vec![fault])
    }

    /// How many batches there are.
    pub fn batches(&self) -> usize {
        self.batches
    }

    /// Whether the file's arrays have an axis of batches, and of heads.
    pub fn axes(&self) -> (bool, bool) {
        self.axes
    }

    /// Whether learned matrices are in it.
    pub fn is_layer(&self) -> bool {
        matches!(self.asked, GatheredOf::Layer { .. })
    }

    /// d.
    pub fn key_width(&self) -> usize {
        match &self.asked {
            GatheredOf::Heads { q, .. } => q.dim().3,
            GatheredOf::Layer { layer, .. } => layer.wq.weight.ncols() / layer.heads.max(1),
        }
    }

    /// Batches · heads · queries · keys.
    pub fn cells(&self) -> usize {
        let past = self.past.as_ref().map_or(0, |(k, _)| k.dim().2);
        let (heads, n, m) = match &self.asked {
            GatheredOf::Heads { q, k, .. } => (q.dim().1, q.dim().2, k.dim().2),
            GatheredOf::Layer { layer, x, context } => {
                let m = context.as_ref().unwrap_or(x).dim().1;
                (layer.heads, x.dim().1, m)
            }
        };
        [heads, n, m.saturating_add(past)]
            .into_iter()
            .fold(self.batches, usize::saturating_mul)
    }

    /// The arrays of one batch.
    pub fn batch(&self, batch: usize) -> BatchArrays {
        fn of<T: Clone>(array: &Array4<T>, batch: usize) -> Array3<T> {
            let last = array.len_of(Axis(0)).saturating_sub(1);
            array.index_axis(Axis(0), batch.min(last)).to_owned()
        }
        let sequence = |array: &Array3<f64>| {
            let last = array.len_of(Axis(0)).saturating_sub(1);
            array.index_axis(Axis(0), batch.min(last)).to_owned()
        };
        let asked = match &self.asked {
            GatheredOf::Heads { q, k, v } => Asked::Heads {
                q: of(q, batch),
                k: of(k, batch),
                v: of(v, batch),
            },
            GatheredOf::Layer { layer, x, context } => Asked::Layer {
                layer: layer.clone(),
                x: sequence(x),
                context: context.as_ref().map(sequence),
            },
        };
        let past = self.past.as_ref();
        BatchArrays {
            of: asked,
            past: past.map(|(k, v)| (of(k, batch), of(v, batch))),
            keep: self.keep.as_ref().map(|keep| of(keep, batch)),
            bias: self.bias.as_ref().map(|bias| of(bias, batch)),
        }
    }

    /// With past and masks, which every way of asking has.
    fn with_rest(
        file: &ArrayFile,
        asked: GatheredOf,
        batches: usize,
        axes: (bool, bool),
    ) -> Result<Self, RunFault> {
        let n = match &asked {
            GatheredOf::Heads { q, .. } => q.dim().2,
            GatheredOf::Layer { x, .. } => x.dim().1,
        };
        let kv_heads = match &asked {
            GatheredOf::Heads { k, .. } => k.dim().1,
            GatheredOf::Layer { layer, .. } => layer.kv_heads,
        };
        let past_of = |name: ArrayName| match file.arrays.get(&name) {
            Some(array) => split_heads(name, array, Some(kv_heads)).map(Some),
            None => Ok(None),
        };
        let past = match (past_of(ArrayName::PastK)?, past_of(ArrayName::PastV)?) {
            (Some(k), Some(v)) => Some((k, v)),
            (None, None) => None,
            (Some(_), None) => return Err(missing(ArrayName::PastV)),
            (None, Some(_)) => return Err(missing(ArrayName::PastK)),
        };
        let mask = |name: ArrayName| file.arrays.get(&name).map(|array| mask(array, n));
        let keep = mask(ArrayName::Keep).map(|keep| keep.mapv(|x| x != 0.0));
        let bias = mask(ArrayName::Bias);
        let batches_of = [
            (ArrayName::PastK, past.as_ref().map(|(k, _)| k.dim().0)),
            (ArrayName::PastV, past.as_ref().map(|(_, v)| v.dim().0)),
            (ArrayName::Keep, keep.as_ref().map(|keep| keep.dim().0)),
            (ArrayName::Bias, bias.as_ref().map(|bias| bias.dim().0)),
        ];
        for (name, given) in batches_of {
            check_batches(name, given.unwrap_or(1), batches)?;
        }
        Ok(Self {
            asked,
            past,
            keep,
            bias,
            batches,
            axes,
            bare_x: false,
        })
    }
}

/// q, k and v as they are.
fn heads(file: &ArrayFile) -> Result<Gathered, RunFault> {
    let of = |name: ArrayName| file.arrays.get(&name).ok_or_else(|| missing(name));
    let (given_q, given_k, given_v) = (of(ArrayName::Q)?, of(ArrayName::K)?, of(ArrayName::V)?);
    let rank = [given_q, given_k, given_v]
        .map(|array| array.values.ndim())
        .into_iter()
        .max()
        .unwrap_or(2);
    let (heads, kv_heads) = (file.spec.heads, file.spec.kv_heads.or(file.spec.heads));
    let q = split_heads(ArrayName::Q, given_q, heads)?;
    let k = split_heads(ArrayName::K, given_k, kv_heads)?;
    let v = split_heads(ArrayName::V, given_v, kv_heads)?;
    let sizes = [
        (ArrayName::Q, q.dim().0),
        (ArrayName::K, k.dim().0),
        (ArrayName::V, v.dim().0),
    ];
    let batches = most(sizes.map(|(_, batches)| batches));
    for (name, given) in sizes {
        check_batches(name, given, batches)?;
    }
    let axes = (rank > 3, rank > 2 || q.dim().1 > 1);
    Gathered::with_rest(file, GatheredOf::Heads { q, k, v }, batches, axes)
}

/// x asks itself, or the context.
fn bare(file: &ArrayFile) -> Result<Gathered, RunFault> {
    let (x, context) = sequences(file)?;
    let source = context.as_ref().unwrap_or(&x);
    let axes = (
        is_batched(file),
        file.spec.heads.is_some_and(|heads| heads > 1),
    );
    let in_heads = |name: ArrayName, x: &Array3<f64>, heads: Option<usize>| {
        let each: Result<Vec<Array3<f64>>, RunFault> = x
            .outer_iter()
            .map(|sequence| columns_in_heads(name, &sequence.to_owned(), heads.unwrap_or(1)))
            .collect();
        let each = each?;
        let views: Vec<ArrayView3<'_, f64>> = each.iter().map(|x| x.view()).collect();
        ndarray::stack(Axis(0), &views).map_err(|_| missing(name))
    };
    let kv_heads = file.spec.kv_heads.or(file.spec.heads);
    let name = if context.is_some() {
        ArrayName::Context
    } else {
        ArrayName::X
    };
    let q = in_heads(ArrayName::X, &x, file.spec.heads)?;
    let k = in_heads(name, source, kv_heads)?;
    let asked = GatheredOf::Heads { q, v: k.clone(), k };
    let gathered = Gathered::with_rest(file, asked, x.dim().0, axes)?;
    Ok(Gathered {
        bare_x: true,
        ..gathered
    })
}

/// x times learned matrices.
fn layer(file: &ArrayFile) -> Result<Gathered, RunFault> {
    let (x, context) = sequences(file)?;
    let (wq, heads_of_q) = linear(file, ArrayName::Wq, ArrayName::Bq)?;
    let (wk, heads_of_k) = linear(file, ArrayName::Wk, ArrayName::Bk)?;
    let (wv, _) = linear(file, ArrayName::Wv, ArrayName::Bv)?;
    let wo = match file.arrays.contains_key(&ArrayName::Wo) {
        true => Some(output_matrix(file)?),
        false => None,
    };
    let given = |field: Option<usize>, there: Option<usize>, name: ArrayName| match (field, there) {
        (Some(given), Some(there)) if given != there => Err(RunFault::HeadsGiven {
            name: name.name(),
            given,
            there,
        }),
        (field, there) => Ok(field.or(there)),
    };
    let heads = given(file.spec.heads, heads_of_q, ArrayName::Wq)?.unwrap_or(1);
    let kv_heads = given(file.spec.kv_heads, heads_of_k, ArrayName::Wk)?.unwrap_or(heads);
    let axes = (is_batched(file), heads > 1 || heads_of_q.is_some());
    let batches = x.dim().0;
    let layer = Box::new(Layer {
        wq,
        wk,
        wv,
        wo,
        heads,
        kv_heads,
    });
    Gathered::with_rest(file, GatheredOf::Layer { layer, x, context }, batches, axes)
}

fn is_batched(file: &ArrayFile) -> bool {
    let x = file.arrays.get(&ArrayName::X);
    x.is_some_and(|x| x.values.ndim() > 2)
}

/// x and context, batches first.
fn sequences(file: &ArrayFile) -> Result<(Array3<f64>, Option<Array3<f64>>), RunFault> {
    let of = |name: ArrayName| match file.arrays.get(&name) {
        None => Ok(None),
        Some(array) => {
            let mut values = array.values.clone();
            if values.ndim() == 2 {
                values.insert_axis_inplace(Axis(0));
            }
            let rank = values.ndim();
            let name = name.name();
            let sequences = values.into_dimensionality::<Ix3>();
            sequences
                .map(Some)
                .map_err(|_| RunFault::SequenceRank { name, rank })
        }
    };
    let x = of(ArrayName::X)?.ok_or_else(|| missing(ArrayName::X))?;
    let context = of(ArrayName::Context)?;
    if let Some(context) = &context {
        check_batches(ArrayName::Context, context.dim().0, x.dim().0)?;
    }
    Ok((x, context))
}

/// A learned matrix, (e, f) or heads first (H, e, f / H), and how many heads it is for where it says so.
fn linear(
    file: &ArrayFile,
    name: ArrayName,
    bias: ArrayName,
) -> Result<(Linear, Option<usize>), RunFault> {
    let given = file.arrays.get(&name).ok_or_else(|| missing(name))?;
    let (weight, heads) = match given.values.ndim() {
        3 => {
            let by_head = fixed::<Ix3>(name, &given.values)?;
            let (heads, rows, columns) = by_head.dim();
            let side_by_side = by_head
                .permuted_axes([1, 0, 2])
                .as_standard_layout()
                .into_owned();
            let weight = side_by_side.into_shape_with_order((rows, heads * columns));
            let weight = weight.map_err(|_| missing(name))?;
            (weight, Some(heads))
        }
        _ => (fixed::<Ix2>(name, &given.values)?, None),
    };
    let bias = added(file, bias)?;
    Ok((Linear { weight, bias }, heads))
}

/// wo, (H · dᵥ, e′) or heads first (H, dᵥ, e′).
fn output_matrix(file: &ArrayFile) -> Result<Linear, RunFault> {
    let name = ArrayName::Wo;
    let given = file.arrays.get(&name).ok_or_else(|| missing(name))?;
    let weight = match given.values.ndim() {
        3 => {
            let by_head = fixed::<Ix3>(name, &given.values)?;
            let (heads, rows, columns) = by_head.dim();
            let stacked = by_head.as_standard_layout().into_owned();
            let stacked = stacked.into_shape_with_order((heads * rows, columns));
            stacked.map_err(|_| missing(name))?
        }
        _ => fixed::<Ix2>(name, &given.values)?,
    };
    let bias = added(file, ArrayName::Bo)?;
    Ok(Linear { weight, bias })
}

fn added(file: &ArrayFile, name: ArrayName) -> Result<Option<Array1<f64>>, RunFault> {
    let given = file.arrays.get(&name);
    given
        .map(|given| fixed::<Ix1>(name, &given.values))
        .transpose()
}

/// The array in a fixed rank.
fn fixed<D: ndarray::Dimension>(
    name: ArrayName,
    values: &ArrayD<f64>,
) -> Result<ndarray::Array<f64, D>, RunFault> {
    let (name, rank) = (name.name(), values.ndim());
    let fixed = values.clone().into_dimensionality::<D>();
    fixed.map_err(|_| RunFault::MatrixRank { name, rank })
}

/// (batches, heads, rows, width) of 2-D, 3-D or 4-D. `heads` is what the file says; two axes are split by it, more must agree with it.
fn split_heads(
    name: ArrayName,
    array: &NamedArray,
    heads: Option<usize>,
) -> Result<Array4<f64>, RunFault> {
    let mut values = array.values.clone();
    if values.ndim() == 2 {
        let rows = fixed::<Ix2>(name, &values)?;
        values = columns_in_heads(name, &rows, heads.unwrap_or(1))?.into_dyn();
    } else if let Some(given) = heads {
        let there = values.shape().iter().rev().nth(2).copied().unwrap_or(1);
        if given != there {
            let name = name.name();
            return Err(RunFault::HeadsGiven { name, given, there });
        }
    }
    if values.ndim() == 3 {
        values.insert_axis_inplace(Axis(0));
    }
    fixed(name, &values)
}

/// (rows, heads · width) to (heads, rows, width).
fn columns_in_heads(
    name: ArrayName,
    x: &Array2<f64>,
    heads: usize,
) -> Result<Array3<f64>, RunFault> {
    let (rows, width) = x.dim();
    let misfit = RunFault::Split {
        name: name.name(),
        width,
        heads,
    };
    if heads == 0 || !width.is_multiple_of(heads) {
        return Err(misfit);
    }
    let x = x.as_standard_layout().into_owned();
    let split = x.into_shape_with_order((rows, heads, width / heads));
    let split = split.map_err(|_| misfit)?;
    Ok(split
        .permuted_axes([1, 0, 2])
        .as_standard_layout()
        .into_owned())
}

/// (batches, heads, n, m) of a mask; one row is for all queries.
fn mask(array: &NamedArray, n: usize) -> Array4<f64> {
    let mut values = array.values.clone();
    while values.ndim() < 4 {
        values.insert_axis_inplace(Axis(0));
    }
    let of_one_row = values.shape().get(2) == Some(&1) && n != 1;
    if of_one_row {
        let mut shape = values.shape().to_vec();
        if let Some(rows) = shape.get_mut(2) {
            *rows = n;
        }
        if let Some(wide) = values.broadcast(shape) {
            values = wide.to_owned();
        }
    }
    // Files hold at most four axes, so that there are four now.
    super::rank_four(values).unwrap_or_else(|| Array4::zeros((1, 1, n, 0)))
}

fn check_batches(name: ArrayName, given: usize, batches: usize) -> Result<(), RunFault> {
    if given == 1 || given == batches {
        return Ok(());
    }
    Err(RunFault::Batches {
        name: name.name(),
        given,
        batches,
    })
}

fn most(counts: [usize; 3]) -> usize {
    counts.into_iter().find(|count| *count != 1).unwrap_or(1)
}

fn missing(name: ArrayName) -> RunFault {
    RunFault::Missing { name: name.name() }
}
