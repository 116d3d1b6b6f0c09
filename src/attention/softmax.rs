//! Softmax that keeps its head: the greatest score is taken off first, so that nothing overflows, and the limits at ±∞ are taken.

/// Weights proportional to e^score; they sum to 1. −∞ gets 0; where scores are +∞, these share all the weight (the limit).
/// `None` where nothing gets any weight: no scores, or all −∞.
#[must_use]
pub fn softmax(scores: &[f64]) -> Option<Vec<f64>> {
    let greatest = greatest(scores);
    if greatest == f64::NEG_INFINITY {
        return None;
    }
    let powers: Vec<f64> = scores
        .iter()
        .map(|&score| relative_power(score, greatest))
        .collect();
    let total: f64 = powers.iter().sum();
    Some(powers.into_iter().map(|power| power / total).collect())
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

/// The greatest score; NaN where one is not a number, −∞ where there is none.
fn greatest(scores: &[f64]) -> f64 {
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
