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
    let projected = layer.project(inputs, spec)?;
    let heads = attend_heads(&projected.heads(inputs), &projected.spec)?;
    let output = layer.output(heads.joined(), spec)?;
    let Projected { x, q, k, v, .. } = projected;
    Ok(LayerTrace {
        x,
        q,
        k,
        v,
        heads,
        output,
    })
}

/// What a layer makes of x, for either path to attend.
#[derive(Clone, Debug, PartialEq)]
pub struct Projected {
    /// (n, e): x, sinusoidal positions added where the spec says so.
    pub x: Array2<f64>,
    /// (H, n, d).
    pub q: Array3<f64>,
    /// (G, m, d).
    pub k: Array3<f64>,
    /// (G, m, dᵥ).
    pub v: Array3<f64>,
    /// The conventions of the heads: positions that are in x already are none of theirs.
    pub spec: Spec,
}

impl Projected {
    /// The heads' arrays, with what the layer was given beside x.
    #[must_use]
    pub fn heads<'a>(&'a self, inputs: &'a LayerInputs<'_>) -> Heads<'a, f64> {
        let LayerInputs {
            past, keep, bias, ..
        } = inputs;
        Heads {
            past: past.as_ref().map(|(k, v)| (k.view(), v.view())),
            keep: keep.as_ref().map(|keep| keep.view()),
            bias: bias.as_ref().map(|bias| bias.view()),
            ..Heads::new(self.q.view(), self.k.view(), self.v.view())
        }
    }
}

impl Layer {
    /// x·Wq, and (context or x)·Wk and Wv, split into heads.
    ///
    /// # Errors
    /// Where a learned matrix does not fit x or does not divide into heads.
    pub fn project(
        &self,
        inputs: &LayerInputs<'_>,
        spec: &Spec,
    ) -> Result<Projected, AttentionError> {
        let numbers = spec.precision;
        let before = inputs.past.map_or(0, |(k, _)| k.dim().1);
        let placed = |x: ArrayView2<'_, f64>| {
            let mut x = numbers.rounded(x).into_owned();
            if spec.positions == Positions::Sinusoidal {
                add_sinusoidal(x.view_mut(), before);
                x.mapv_inplace(|x| numbers.round(x));
            }
            x
        };
        let x = placed(inputs.x);
        let source = match inputs.context {
            Some(context) => &placed(context),
            None => &x,
        };
        let of = |x: &Array2<f64>, linear: &Linear, heads: usize| {
            split(&product(x, linear, spec)?, heads)
        };
        Ok(Projected {
            q: of(&x, &self.wq, self.heads)?,
            k: of(source, &self.wk, self.kv_heads)?,
            v: of(source, &self.wv, self.kv_heads)?,
            x,
            spec: match spec.positions {
                Positions::Sinusoidal => Spec {
                    positions: Positions::None,
                    ..*spec
                },
                _ => *spec,
            },
        })
    }

    /// The heads' outputs side by side (n, H · dᵥ), times Wo where there is one.
    ///
    /// # Errors
    /// Where Wo does not fit them.
    pub fn output(&self, joined: Array2<f64>, spec: &Spec) -> Result<Array2<f64>, AttentionError> {
        match &self.wo {
            Some(wo) => product(&joined, wo, spec),
            None => Ok(joined),
        }
    }
}

/// x·w + b.
fn product(x: &Array2<f64>, linear: &Linear, spec: &Spec) -> Result<Array2<f64>, AttentionError> {
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
