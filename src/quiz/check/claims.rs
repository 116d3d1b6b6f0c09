//! What choices claim: a wrong one must not come to what is asked, no two may come out alike, and each shows its number.

use super::Case;
use crate::quiz::fault::QuizFault;
use crate::quiz::fill::components;
use crate::quiz::kinds::Kind;
use crate::words::number::{DecimalSign, show};
use crate::worked_example::{Computed, Quantity};

pub(super) fn check(case: &mut Case<'_>) {
    let (Kind::OneOf(one_of), Some(computed)) = (&case.question.kind, case.computed) else {
        return;
    };
    let asks = case.question.asks;
    for (number, choice) in one_of.choices.iter().enumerate() {
        let Some((claim, range)) = &choice.claims else {
            continue;
        };
        let is_asked = |claim| asks.is_some_and(|asks| look_alike(computed, claim, asks));
        let earlier = one_of.choices.iter().take(number).find_map(|other| {
            let (other_claim, place) = other.claims.as_ref()?;
            look_alike(computed, *claim, *other_claim).then_some((*other_claim, place.clone()))
        });
        let comes_to = computed.number(*claim).unwrap_or(f64::NAN);
        if !choice.is_right && is_asked(*claim) {
            case.tell(
                &QuizFault::WrongChoiceIsRight { engine: comes_to },
                range.clone(),
            );
        } else if let Some((_, first)) = earlier.filter(|(other, _)| !is_asked(*other)) {
            case.tell_with_first(
                QuizFault::ClaimsAlike { number: comes_to },
                range.clone(),
                first,
            );
        }
        let cited = std::iter::once(&choice.text)
            .chain(&choice.why)
            .any(|text| text.cites(*claim, asks));
        if !cited {
            case.tell(&QuizFault::ClaimUncited, range.clone());
        }
    }
}

/// Whether a learner would be shown the same number for both, rounded as they are.
fn look_alike(computed: &Computed, a: Quantity, b: Quantity) -> bool {
    let shown = |quantity| {
        let numbers = components(computed, quantity).into_iter();
        numbers
            .map(|x| show(x, DecimalSign::Point).text)
            .collect::<Vec<_>>()
    };
    let (a, b) = (shown(a), shown(b));
    !a.is_empty() && a == b
}
