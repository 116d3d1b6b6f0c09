//! From the scores that softmax sees to weights: every normaliser, and the wrong ways of doing it that mistakes make.

use super::{Normaliser, Precision, sparsemax};

/// How a row's scores become weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weighing {
    /// As the spec says.
    Right(Normaliser),
    /// Softmax of its own weights.
    Twice,
    /// Divided by their sum, without e^.
    Share,
    /// 1 each.
    Ones,
    /// Column by column over the queries.
    OverQueries,
    /// All cells together.
    OverEverything,
}

/// The weights of one row's visible keys from their scores; `None` where the row gives no key any weight and its policy must say what comes out.
pub(super) fn row_weights(how: Weighing, scores: &[f64], numbers: Precision) -> Option<Vec<f64>> {
    if scores.is_empty() {
        return None;
    }
    let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let each = |weight: &dyn Fn(f64) -> f64| {
        let rounded = |score: &f64| numbers.round(weight(*score));
        Some(scores.iter().map(rounded).collect())
    };
    match how {
        Weighing::Right(Normaliser::Softmax) | Weighing::OverQueries | Weighing::OverEverything => {
            numbers.softmax(scores)
        }
        Weighing::Right(Normaliser::HardMax) => {
            let is_greatest = |score: f64| f64::from(u8::from(score == greatest));
            let ties: f64 = scores.iter().copied().map(is_greatest).sum();
            if greatest == f64::NEG_INFINITY {
                return None;
            }
            each(&|score| is_greatest(score) / ties)
        }
        Weighing::Right(Normaliser::Uniform) => {
            let count = scores.len() as f64;
            each(&|_| 1.0 / count)
        }
        Weighing::Right(Normaliser::Sparsemax) => {
            let weights = sparsemax(scores)?;
            Some(weights.into_iter().map(|w| numbers.round(w)).collect())
        }
        Weighing::Right(Normaliser::Sigmoid) => each(&|score| 1.0 / (1.0 + (-score).exp())),
        Weighing::Right(Normaliser::SoftmaxPlusOne) => Some(softmax_plus_one(scores, numbers)),
        Weighing::Right(Normaliser::Unnormalised) => each(&f64::exp),
        Weighing::Twice => numbers.softmax(&numbers.softmax(scores)?),
        Weighing::Share => {
            let total = numbers.sum(scores.iter().copied());
            each(&|score| score / total)
        }
        Weighing::Ones => each(&|_| 1.0),
    }
}

/// e^s / (1 + Σ e^s): softmax beside one more key of score 0 whose value is 0.
fn softmax_plus_one(scores: &[f64], numbers: Precision) -> Vec<f64> {
    let mut with_zero = scores.to_vec();
    with_zero.push(0.0);
    let mut weights = numbers.softmax(&with_zero).unwrap_or_default();
    weights.truncate(scores.len());
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(normaliser: Normaliser, scores: &[f64]) -> Option<Vec<f64>> {
        row_weights(Weighing::Right(normaliser), scores, Precision::F64)
    }

    #[test]
    fn every_normaliser_has_its_numbers() {
        let ln2 = std::f64::consts::LN_2;
        for (normaliser, expected) in [
            (Normaliser::Softmax, [1.0 / 3.0, 2.0 / 3.0]),
            (Normaliser::HardMax, [0.0, 1.0]),
            (Normaliser::Uniform, [0.5, 0.5]),
            (Normaliser::Sparsemax, [0.5 - ln2 / 2.0, 0.5 + ln2 / 2.0]),
            (Normaliser::Sigmoid, [0.5, 2.0 / 3.0]),
            (Normaliser::SoftmaxPlusOne, [0.25, 0.5]),
            (Normaliser::Unnormalised, [1.0, 2.0]),
        ] {
            let found = weights(normaliser, &[0.0, ln2]).unwrap_or_default();
            let near = found
                .iter()
                .zip(expected)
                .all(|(a, b)| (a - b).abs() < 1e-15);
            assert!(near && found.len() == 2, "{normaliser:?}: {found:?}");
        }
    }

    #[test]
    fn extreme_scores_do_no_harm() {
        let inf = f64::INFINITY;
        for normaliser in Normaliser::ALL {
            assert_eq!(weights(normaliser, &[]), None, "{normaliser:?}");
            for scores in [vec![-inf; 3], vec![-2e4; 3], vec![1e300, -1e300, 0.0]] {
                let Some(found) = weights(normaliser, &scores) else {
                    assert!(scores[0] == -inf, "{normaliser:?} of {scores:?}");
                    continue;
                };
                assert!(
                    found.iter().all(|w| *w >= 0.0),
                    "{normaliser:?} of {scores:?}: {found:?}"
                );
            }
        }
    }
}
