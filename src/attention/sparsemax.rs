//! Sparsemax: weights that sum to 1 and lie as near to the scores as such weights can, so that low scores get exactly 0.
//! (Martins and Astudillo 2016, algorithm 1.)

use super::softmax::greatest;

/// The point of the simplex that is nearest to the scores: max(score − τ, 0), with the one τ that makes them sum to 1.
///
/// The limits are softmax's: −∞ gets 0; where scores are +∞, these share all the weight; NaN makes all weights NaN.
/// `None` where nothing gets any weight: no scores, or all −∞.
#[must_use]
pub fn sparsemax(scores: &[f64]) -> Option<Vec<f64>> {
    let greatest = greatest(scores);
    if greatest == f64::NEG_INFINITY {
        return None;
    }
    // With the greatest taken off, the greatest is 0 and nothing overflows; what is +∞ beside +∞ is 0 too.
    let below: Vec<f64> = scores
        .iter()
        .map(|&score| {
            if score == greatest {
                0.0
            } else {
                score - greatest
            }
        })
        .collect();
    let threshold = threshold(&below);
    Some(
        below
            .iter()
            .map(|score| clipped(score - threshold))
            .collect(),
    )
}

/// x, and 0 below 0; NaN stays.
fn clipped(x: f64) -> f64 {
    if x < 0.0 { 0.0 } else { x }
}

/// τ for scores of which the greatest is 0 (−1 ≤ τ < 0): the mean of the k greatest, less 1/k, where k is the greatest count that keeps all of them
/// above τ. NaN where a score is.
fn threshold(below: &[f64]) -> f64 {
    // At −1 and below a score cannot have weight: the greatest alone has it all before.
    let mut near: Vec<f64> = below
        .iter()
        .copied()
        .filter(|score| *score > -1.0)
        .collect();
    near.sort_unstable_by(|a, b| b.total_cmp(a));
    let (mut total, mut threshold) = (0.0, f64::NAN);
    for (count, score) in (1_u32..).zip(near) {
        total += score;
        let candidate = (total - 1.0) / f64::from(count);
        if score <= candidate {
            break;
        }
        threshold = candidate;
    }
    threshold
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn assert_near(found: &[f64], expected: &[f64]) {
        let near = found
            .iter()
            .zip(expected)
            .all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(
            found.len() == expected.len() && near,
            "{found:?} is not {expected:?}"
        );
    }

    #[test]
    fn low_scores_get_exactly_nothing() {
        assert_near(&sparsemax(&[0.0, 0.5]).unwrap(), &[0.25, 0.75]);
        assert_near(&sparsemax(&[0.5, 0.2, -2.0]).unwrap(), &[0.65, 0.35, 0.0]);
        assert_eq!(sparsemax(&[3.0, 1.0, 2.0]).unwrap(), [1.0, 0.0, 0.0]);
        assert_near(&sparsemax(&[7.0; 4]).unwrap(), &[0.25; 4]);
    }

    #[test]
    fn extreme_scores_take_their_limits() {
        let inf = f64::INFINITY;
        assert_eq!(sparsemax(&[]), None);
        assert_eq!(sparsemax(&[-inf; 3]), None);
        assert_eq!(
            sparsemax(&[0.0, inf, -inf, inf]).unwrap(),
            [0.0, 0.5, 0.0, 0.5]
        );
        assert_eq!(sparsemax(&[-inf, -2e4]).unwrap(), [0.0, 1.0]);
        assert_eq!(sparsemax(&[1e308, -1e308, 1e308]).unwrap(), [0.5, 0.0, 0.5]);
        assert!(
            sparsemax(&[0.0, f64::NAN, 5.0])
                .unwrap()
                .iter()
                .all(|w| w.is_nan())
        );
    }

    fn any_scores() -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec(-2.0..2.0f64, 1..9)
    }

    proptest! {
        #[test]
        fn weights_are_the_scores_less_one_threshold_and_sum_to_1(scores in any_scores()) {
            let weights = sparsemax(&scores).unwrap();
            prop_assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let weighty = scores.iter().zip(&weights).filter(|(_, w)| **w > 0.0);
            let thresholds: Vec<f64> = weighty.map(|(score, w)| score - w).collect();
            for (score, weight) in scores.iter().zip(&weights) {
                prop_assert!(thresholds.iter().all(|t| (clipped(score - t) - weight).abs() < 1e-12));
            }
        }

        #[test]
        fn a_constant_changes_nothing_and_weights_are_their_own_weights(scores in any_scores(), shift in -1e3..1e3f64) {
            let weights = sparsemax(&scores).unwrap();
            let shifted: Vec<f64> = scores.iter().map(|score| score + shift).collect();
            assert_near(&sparsemax(&shifted).unwrap(), &weights);
            assert_near(&sparsemax(&weights).unwrap(), &weights);
        }

        #[test]
        fn no_other_weights_are_nearer(scores in any_scores(), other in prop::collection::vec(0.001..1.0f64, 9)) {
            let total: f64 = other.iter().take(scores.len()).sum();
            let distance = |weights: &mut dyn Iterator<Item = f64>| -> f64 {
                scores.iter().zip(weights).map(|(score, w)| (score - w).powi(2)).sum()
            };
            let best = distance(&mut sparsemax(&scores).unwrap().into_iter());
            prop_assert!(best <= distance(&mut other.iter().map(|w| w / total)) + 1e-12);
        }
    }
}
