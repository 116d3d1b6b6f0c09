//! A whole attention layer: x times the learned matrices, heads, and the output projection.

use ndarray::{Array1, Array2, Array3, ArrayView2, ArrayView3};

use super::{AttentionError, Heads, HeadsTrace, Positions, Spec, add_sinusoidal, attend_heads};

/// x · w + b.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// (e, f): the learned matrix.
    pub weight: Array2<f64>,
    /// (f): added to each row.
    pub bias: Option<Array1<f64>>,
}

impl Linear {
    /// A learned matrix with nothing added.
    #[must_use]
    pub fn new(weight: Array2<f64>) -> Self {
        Self { weight, bias: None }
    }
}

/// What a layer has learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// (e, H · d): makes queries.
    pub wq: Linear,
    /// (e, G · d): makes keys.
    pub wk: Linear,
    /// (e, G · dᵥ): makes values.
    pub wv: Linear,
    /// (H · dᵥ, e′): mixes the heads' outputs; without it they stand side by side.
    pub wo: Option<Linear>,
    /// H: query heads.
    pub heads: usize,
    /// G: key and value heads.
    pub kv_heads: usize,
}

/// What a layer is given.
#[derive(Clone, Copy, Debug)]
pub struct LayerInputs<'a> {
    /// (n, e): one token a row; the queries come from it.
    pub x: ArrayView2<'a, f64>,
    /// (m, e): where keys and values come from, if not from x (cross-attention).
    pub context: Option<ArrayView2<'a, f64>>,
    /// As in [`Heads`].
    pub past: Option<(ArrayView3<'a, f64>, ArrayView3<'a, f64>)>,
    /// As in [`Heads`].
    pub keep: Option<ArrayView3<'a, bool>>,
    /// As in [`Heads`].
    pub bias: Option<ArrayView3<'a, f64>>,
}

impl<'a> LayerInputs<'a> {
    /// Self-attention of x, nothing past, hidden or added.
    #[must_use]
    pub fn new(x: ArrayView2<'a, f64>) -> Self {
        Self {
            x,
            context: None,
            past: None,
            keep: None,
            bias: None,
        }
    }
}

/// What went through a layer.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerTrace {
    /// (n, e): x, sinusoidal positions added where the spec says so.
    pub x: Array2<f64>,
    /// (H, n, d): the projected queries, before rotary positions.
    pub q: Array3<f64>,
    /// (G, m, d): the projected keys, before rotary positions.
    pub k: Array3<f64>,
    /// (G, m, dᵥ): the projected values.
    pub v: Array3<f64>,
    /// What went through the heads.
    pub heads: HeadsTrace,
    /// (n, e′).
    pub output: Array2<f64>,
}

/// Attention of a layer: q = x·Wq, k and v = (context or x)·Wk and Wv, split into heads, attended, joined, times Wo.
///
/// # Errors
/// Where a learned matrix does not fit x or does not divide into heads; and as [`attend_heads`].
pub fn attend_layer(
    layer: &Layer,
    inputs: &LayerInputs<'_>,
    spec: &Spec,
) -> Result<LayerTrace, AttentionError> {
    let Layer {
        wq,
        wk,
        wv,
        wo,
        heads,
        kv_heads,
    } = layer;
    let numbers = spec.precision;
    let before = inputs.past.map_or(0, |(k, _)| k.dim().1);
    let placed = |x: ArrayView2<'_, f64>, first: usize| {
        let mut x = numbers.rounded(x).into_owned();
        if spec.positions == Positions::Sinusoidal {
            add_sinusoidal(x.view_mut(), first);
            x.mapv_inplace(|x| numbers.round(x));
        }
        x
    };
    let x = placed(inputs.x, before);
    let source = match inputs.context {
        Some(context) => &placed(context, before),
        None => &x,
    };
    let projected =
        |x: &Array2<f64>, linear: &Linear, heads: usize| split(&project(x, linear, spec)?, heads);
    let q = projected(&x, wq, *heads)?;
    let k = projected(source, wk, *kv_heads)?;
    let v = projected(source, wv, *kv_heads)?;
    let attended = Heads {
        past: inputs.past,
        keep: inputs.keep,
        bias: inputs.bias,
        ..Heads::new(q.view(), k.view(), v.view())
    };
    let inner = match spec.positions {
        Positions::Sinusoidal => Spec {
            positions: Positions::None,
            ..*spec
        },
        _ => *spec,
    };
    let attended = attend_heads(&attended, &inner)?;
    let joined = attended.joined();
    let output = match wo {
        Some(wo) => project(&joined, wo, spec)?,
        None => joined,
    };
    Ok(LayerTrace {
        x,
        q,
        k,
        v,
        heads: attended,
        output,
    })
}

fn project(x: &Array2<f64>, linear: &Linear, spec: &Spec) -> Result<Array2<f64>, AttentionError> {
    let Linear { weight, bias } = linear;
    if x.ncols() != weight.nrows() {
        return Err(AttentionError::Projection {
            x: x.dim(),
            w: weight.dim(),
        });
    }
    if let Some(bias) = bias.as_ref().filter(|bias| bias.len() != weight.ncols()) {
        return Err(AttentionError::Offset {
            given: bias.len(),
            width: weight.ncols(),
        });
    }
    let numbers = spec.precision;
    Ok(numbers.linear(x.view(), weight.view(), bias.as_ref()))
}

/// (rows, heads · width) to (heads, rows, width).
fn split(x: &Array2<f64>, heads: usize) -> Result<Array3<f64>, AttentionError> {
    let (rows, width) = x.dim();
    let misfit = AttentionError::SplitHeads { width, heads };
    if heads == 0 || !width.is_multiple_of(heads) {
        return Err(misfit);
    }
    let by_token = x.view().into_shape_with_order((rows, heads, width / heads));
    let by_token = by_token.map_err(|_| misfit)?;
    Ok(by_token
        .permuted_axes([1, 0, 2])
        .as_standard_layout()
        .into_owned())
}
