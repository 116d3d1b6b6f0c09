//! A tolerance must not let a known mistake pass for right: which one it is, and how wide it may be.

use super::Case;
use crate::quiz::fault::QuizFault;
use crate::quiz::fill::alike;
use crate::quiz::kinds::Kind;
use crate::words::number::{DecimalSign, show};
use crate::worked_example::{NamedMistake, every_mistake};

pub(super) fn check(case: &mut Case<'_>) {
    let (Kind::Number(number), Some(computed), Some(asks)) =
        (&case.question.kind, case.computed, case.question.asks)
    else {
        return;
    };
    let Some(expected) = computed.number(asks) else {
        return;
    };
    let looks_right = |mistake: &NamedMistake| {
        show(mistake.number, DecimalSign::Point).text == show(expected, DecimalSign::Point).text
    };
    let apart = |mistake: &NamedMistake| (mistake.number - expected).abs();
    let mistakes = every_mistake(computed, asks, case.words);
    let nearest = mistakes
        .iter()
        .filter(|m| m.number.is_finite() && !alike(m.number, expected))
        .min_by(|a, b| apart(a).total_cmp(&apart(b)));
    // What would be shown as the same number passes too, however it is typed.
    let Some(nearest) =
        nearest.filter(|mistake| apart(mistake) <= number.within(expected) || looks_right(mistake))
    else {
        return;
    };
    let range = number
        .tolerance
        .as_ref()
        .map(|(_, range)| range.clone())
        .or_else(|| number.right.as_ref().map(|right| right.range.clone()))
        .unwrap_or_else(|| case.head());
    let fault = QuizFault::ToleranceSwallows {
        mistake: nearest.sentence.clone(),
        safe: just_below(apart(nearest)),
    };
    case.tell(&fault, range);
}

/// The largest number of two digits below this one.
fn just_below(x: f64) -> f64 {
    let unit = 10f64.powf((x * (1.0 - 1e-9)).log10().floor() - 1.0);
    let steps = (x / unit - 1e-9).ceil() - 1.0;
    // Through its decimal text, so that 28 · 0.01 is 0.28 and not its neighbour.
    format!("{:.1e}", steps * unit).parse().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::just_below;

    #[test]
    fn the_widest_safe_tolerance_lies_below_the_mistake() {
        for (apart, safe) in [
            (1.0, 0.99),
            (0.28, 0.27),
            (0.2857, 0.28),
            (11.0, 10.0),
            (0.0101, 0.01),
        ] {
            assert_eq!(just_below(apart), safe, "{apart}");
        }
    }
}
