//! Softmax that keeps its head: the greatest score is taken off first, so that nothing overflows, and the limits at ±∞ are taken.

use ndarray::{ArrayD, ArrayViewD, Axis};

/// Weights proportional to e^score; they sum to 1. −∞ gets 0; where scores are +∞, these share all the weight (the limit).
/// `None` where nothing gets any weight: no scores, or all −∞.
#[must_use]
pub fn softmax(scores: &[f64]) -> Option<Vec<f64>> {
    let mut weights = scores.to_vec();
    softmax_in_place(&mut weights).map(|_| weights)
}

/// Makes weights of scores and returns ln Σ e^score, with one e^ a score. `None`, and the scores as they were, where nothing gets any weight.
pub(super) fn softmax_in_place(scores: &mut [f64]) -> Option<f64> {
    let greatest = greatest(scores);
    if greatest == f64::NEG_INFINITY {
        return None;
    }
    let mut total = 0.0;
    for score in scores.iter_mut() {
        *score = relative_power(*score, greatest);
        total += *score;
    }
    scores.iter_mut().for_each(|power| *power /= total);
    Some(if greatest.is_infinite() {
        greatest
    } else {
        greatest + total.ln()
    })
}

/// ln Σ e^score; −∞ where nothing has weight.
#[must_use]
pub fn log_sum_exp(scores: &[f64]) -> f64 {
    let greatest = greatest(scores);
    if greatest.is_infinite() {
        return greatest;
    }
    greatest
        + scores
            .iter()
            .map(|&score| relative_power(score, greatest))
            .sum::<f64>()
            .ln()
}

/// ln of the weights of [`softmax`], without passing through weights that are too small to write: −∞ for −∞, and the limit where scores are +∞.
/// `None` where nothing gets any weight: no scores, or all −∞.
#[must_use]
pub fn log_softmax(scores: &[f64]) -> Option<Vec<f64>> {
    let greatest = greatest(scores);
    if greatest == f64::NEG_INFINITY {
        return None;
    }
    let powers = scores.iter().map(|&score| relative_power(score, greatest));
    let log_total = powers.sum::<f64>().ln();
    let log_weight = |&score: &f64| {
        if score == greatest {
            -log_total
        } else {
            score - greatest - log_total
        }
    };
    Some(scores.iter().map(log_weight).collect())
}

/// [`softmax`] of every lane along an axis (below 0: counted from the end), in the shape of x. A lane of −∞ alone gives NaN, as 0/0 does.
///
/// # Errors
/// Where x has no such axis.
pub fn softmax_along(x: ArrayViewD<'_, f64>, axis: isize) -> Result<ArrayD<f64>, NoSuchAxis> {
    along(x, axis, softmax)
}

/// [`log_softmax`] of every lane along an axis, as [`softmax_along`].
///
/// # Errors
/// Where x has no such axis.
pub fn log_softmax_along(x: ArrayViewD<'_, f64>, axis: isize) -> Result<ArrayD<f64>, NoSuchAxis> {
    along(x, axis, log_softmax)
}

/// An array has no such axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no axis {axis} among {rank}")]
pub struct NoSuchAxis {
    /// The axis asked for; below 0 it is counted from the end.
    pub axis: isize,
    /// How many there are.
    pub rank: usize,
}

/// Where an axis stands that may be counted from the end.
pub(super) fn nth_axis(axis: isize, rank: usize) -> Result<usize, NoSuchAxis> {
    let from_end = || rank.checked_sub(axis.unsigned_abs());
    let nth = if axis < 0 {
        from_end()
    } else {
        Some(axis.unsigned_abs())
    };
    nth.filter(|nth| *nth < rank)
        .ok_or(NoSuchAxis { axis, rank })
}

fn along(
    x: ArrayViewD<'_, f64>,
    axis: isize,
    of_lane: fn(&[f64]) -> Option<Vec<f64>>,
) -> Result<ArrayD<f64>, NoSuchAxis> {
    let axis = Axis(nth_axis(axis, x.ndim())?);
    let mut x = x.to_owned();
    for mut lane in x.lanes_mut(axis) {
        match of_lane(&lane.to_vec()) {
            Some(numbers) => lane.iter_mut().zip(numbers).for_each(|(x, y)| *x = y),
            None => lane.fill(f64::NAN),
        }
    }
    Ok(x)
}

/// The greatest score; NaN where one is not a number, −∞ where there is none.
pub(super) fn greatest(scores: &[f64]) -> f64 {
    scores.iter().fold(f64::NEG_INFINITY, |a, &b| {
        if a.is_nan() || b.is_nan() {
            f64::NAN
        } else {
            a.max(b)
        }
    })
}

/// e^(score − greatest); with a greatest of +∞, 1 for it and 0 for all that is finite.
fn relative_power(score: f64, greatest: f64) -> f64 {
    if greatest == f64::INFINITY {
        f64::from(u8::from(score == greatest))
    } else {
        (score - greatest).exp()
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_logarithm_of_weights_reaches_where_weights_cannot() {
        let inf = f64::INFINITY;
        assert_eq!(log_softmax(&[0.0, -1e4]).unwrap(), [0.0, -1e4]);
        assert_eq!(log_softmax(&[1e308, -1e308]).unwrap(), [0.0, -inf]);
        let half = -std::f64::consts::LN_2;
        assert_eq!(log_softmax(&[inf, 0.0, inf]).unwrap(), [half, -inf, half]);
        assert_eq!(log_softmax(&[-inf, 3.0]).unwrap(), [-inf, 0.0]);
        assert_eq!(log_softmax(&[-inf]), None);
        assert!(
            log_softmax(&[0.0, f64::NAN])
                .unwrap()
                .iter()
                .all(|x| x.is_nan())
        );
    }

    #[test]
    fn an_axis_may_be_counted_from_the_end_and_must_be_there() {
        let x = array![[0.0, 0.0], [f64::NEG_INFINITY, 0.0]].into_dyn();
        let down = softmax_along(x.view(), -2).unwrap();
        assert_eq!(down, array![[1.0, 0.5], [0.0, 0.5]].into_dyn());
        let problem = softmax_along(x.view(), -3).unwrap_err();
        assert_eq!(problem.to_string(), "there is no axis -3 among 2");
        assert!(
            softmax_along(x.view(), isize::MIN).is_err() && softmax_along(x.view(), 2).is_err()
        );
        let nothing = array![f64::NEG_INFINITY].into_dyn();
        assert!(log_softmax_along(nothing.view(), 0).unwrap()[[0]].is_nan());
    }

    proptest! {
        #[test]
        fn log_weights_are_the_logarithms_of_weights(scores in prop::collection::vec(-30.0..30.0f64, 1..9)) {
            for (weight, log) in softmax(&scores).unwrap().iter().zip(log_softmax(&scores).unwrap()) {
                prop_assert!((weight.ln() - log).abs() < 1e-12);
            }
        }
    }
}
