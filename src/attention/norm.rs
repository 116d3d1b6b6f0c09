//! Layer normalisation and its root-mean-square kind, over the last axes of an array: what stands around attention in a transformer block.
//!
//! As ONNX defines LayerNormalization (opset 17) and RMSNormalization (opset 23), in f64; the variance as the mean of squared deviations, so that a
//! great mean does not swallow it.

use ndarray::{ArrayD, ArrayViewD, Axis};

use super::softmax::{NoSuchAxis, nth_axis};

/// (x − mean) / √(variance + ε) · scale + bias. Mean and variance are taken over `axis` and all axes after it (below 0: counted from the end);
/// scale and bias are broadcast to the shape of x. (Ba, Kiros and Hinton 2016.)
///
/// # Errors
/// Where x has no such axis, scale or bias cannot be broadcast, or ε is below 0. With ε = 0, numbers that are all alike give NaN, as 0/0 does.
pub fn layer_norm(
    x: ArrayViewD<'_, f64>,
    axis: isize,
    epsilon: f64,
    scale: ArrayViewD<'_, f64>,
    bias: Option<ArrayViewD<'_, f64>>,
) -> Result<LayerNorm, NormError> {
    let axis = checked(&x, axis, epsilon)?;
    let mean = mean(x.to_owned(), axis);
    let deviation = &x - &mean;
    let inverse_std = inverse_root(&deviation, axis, epsilon);
    let mut output = deviation * &inverse_std * broadcast(&scale, &x)?;
    if let Some(bias) = bias {
        output += &broadcast(&bias, &x)?;
    }
    Ok(LayerNorm {
        output,
        mean,
        inverse_std,
    })
}

/// What came out of [`layer_norm`].
#[derive(Clone, Debug, PartialEq)]
pub struct LayerNorm {
    /// The shape of x.
    pub output: ArrayD<f64>,
    /// The shape of x, with 1 for each axis that was averaged over.
    pub mean: ArrayD<f64>,
    /// 1 / √(variance + ε), in the same shape.
    pub inverse_std: ArrayD<f64>,
}

/// x / √(mean of x² + ε) · scale, without taking off the mean; axes and shapes as in [`layer_norm`]. (Zhang and Sennrich 2019.)
///
/// # Errors
/// As [`layer_norm`].
pub fn rms_norm(
    x: ArrayViewD<'_, f64>,
    axis: isize,
    epsilon: f64,
    scale: ArrayViewD<'_, f64>,
) -> Result<ArrayD<f64>, NormError> {
    let axis = checked(&x, axis, epsilon)?;
    let x = x.to_owned();
    let inverse_rms = inverse_root(&x, axis, epsilon);
    let scale = broadcast(&scale, &x.view())?.to_owned();
    Ok(x * &inverse_rms * scale)
}

/// Why an array cannot be normalised.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NormError {
    /// The axis from which on.
    #[error(transparent)]
    Axis(#[from] NoSuchAxis),
    /// Scale and bias have a number for each, or are repeated along axes of 1.
    #[error("a scale or bias {given:?} cannot be broadcast to {x:?}")]
    Broadcast {
        /// Its shape.
        given: Vec<usize>,
        /// Shape of x.
        x: Vec<usize>,
    },
    /// What is added under the root.
    #[error("the epsilon {0} must be 0 or greater")]
    Epsilon(f64),
}

fn checked(x: &ArrayViewD<'_, f64>, axis: isize, epsilon: f64) -> Result<usize, NormError> {
    if epsilon.is_nan() || epsilon < 0.0 {
        return Err(NormError::Epsilon(epsilon));
    }
    Ok(nth_axis(axis, x.ndim())?)
}

/// The mean over `axis` and all after it, which stay as axes of 1.
fn mean(x: ArrayD<f64>, axis: usize) -> ArrayD<f64> {
    let count: usize = x.shape().iter().skip(axis).product();
    let total = (axis..x.ndim()).fold(x, |x, axis| x.sum_axis(Axis(axis)).insert_axis(Axis(axis)));
    total / count as f64
}

/// 1 / √(mean of x² + ε).
fn inverse_root(x: &ArrayD<f64>, axis: usize, epsilon: f64) -> ArrayD<f64> {
    mean(x.mapv(|x| x * x), axis).mapv(|square| 1.0 / (square + epsilon).sqrt())
}

fn broadcast<'a>(
    given: &'a ArrayViewD<'_, f64>,
    x: &ArrayViewD<'_, f64>,
) -> Result<ArrayViewD<'a, f64>, NormError> {
    given
        .broadcast(x.raw_dim())
        .ok_or_else(|| NormError::Broadcast {
            given: given.shape().to_vec(),
            x: x.shape().to_vec(),
        })
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, arr0, array};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_row_by_hand() {
        let x = array![[1.0, 2.0, 3.0, 6.0]].into_dyn();
        let (scale, bias) = (array![1.0, 1.0, 1.0, 2.0].into_dyn(), arr0(10.0).into_dyn());
        let LayerNorm {
            output,
            mean,
            inverse_std,
        } = layer_norm(x.view(), -1, 0.5, scale.view(), Some(bias.view())).unwrap();
        assert_eq!(mean, array![[3.0]].into_dyn());
        assert_eq!(inverse_std, array![[0.5]].into_dyn());
        assert_eq!(output, array![[9.0, 9.5, 10.0, 13.0]].into_dyn());
        let rms = rms_norm(x.view(), 0, 3.5, scale.view()).unwrap();
        assert_eq!(rms, array![[0.25, 0.5, 0.75, 3.0]].into_dyn());
    }

    #[test]
    fn what_does_not_fit_is_named_and_empty_arrays_do_no_harm() {
        let x = Array2::<f64>::ones((2, 3)).into_dyn();
        let two = array![1.0, 1.0].into_dyn();
        let said = |problem: NormError| problem.to_string();
        assert_eq!(
            said(rms_norm(x.view(), -1, 1e-5, two.view()).unwrap_err()),
            "a scale or bias [2] cannot be broadcast to [2, 3]"
        );
        let one = arr0(1.0).into_dyn();
        assert_eq!(
            said(layer_norm(x.view(), 2, 1e-5, one.view(), None).unwrap_err()),
            "there is no axis 2 among 2"
        );
        assert_eq!(
            said(layer_norm(x.view(), 0, -1.0, one.view(), None).unwrap_err()),
            "the epsilon -1 must be 0 or greater"
        );
        assert!(
            rms_norm(one.view(), -1, 0.0, one.view()).is_err(),
            "no axes"
        );
        for shape in [(0, 3), (3, 0)] {
            let empty = Array2::<f64>::zeros(shape).into_dyn();
            let normal = layer_norm(empty.view(), 1, 1e-5, one.view(), None).unwrap();
            assert_eq!(normal.output.shape(), empty.shape());
        }
    }

    proptest! {
        #[test]
        fn what_comes_out_has_mean_0_and_variance_1_wherever_it_was(
            x in prop::collection::vec(-3.0..3.0f64, 24), shift in -1e6..1e6f64, axis in 0isize..3,
        ) {
            let x = ndarray::Array3::from_shape_vec((2, 3, 4), x).unwrap().into_dyn() + shift;
            let one = arr0(1.0).into_dyn();
            let LayerNorm { output, .. } = layer_norm(x.view(), axis, 0.0, one.view(), None).unwrap();
            let size: usize = x.shape()[axis.unsigned_abs()..].iter().product();
            let numbers: Vec<f64> = output.iter().copied().collect();
            for group in numbers.chunks(size) {
                let mean = group.iter().sum::<f64>() / size as f64;
                let variance = group.iter().map(|y| y * y).sum::<f64>() / size as f64;
                prop_assert!(mean.abs() < 1e-6 && (variance - 1.0).abs() < 1e-6, "{mean} {variance}");
            }
        }

        #[test]
        fn the_root_mean_square_becomes_1_and_a_factor_does_not_matter(
            x in prop::collection::vec(0.1..3.0f64, 12), factor in 0.1..1e3f64,
        ) {
            let x = Array2::from_shape_vec((3, 4), x).unwrap().into_dyn();
            let one = arr0(1.0).into_dyn();
            let of = |x: &ArrayD<f64>| rms_norm(x.view(), -1, 0.0, one.view()).unwrap();
            let (output, scaled) = (of(&x), of(&(&x * factor)));
            for (y, again) in output.iter().zip(&scaled) {
                prop_assert!((y - again).abs() < 1e-12);
            }
            let squares = output.mapv(|y| y * y).mean_axis(Axis(1)).unwrap();
            prop_assert!(squares.iter().all(|square| (square - 1.0).abs() < 1e-12));
        }
    }
}
