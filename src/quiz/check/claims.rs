//! What choices claim: a wrong one must not come to what is asked, no two may come out alike, and each shows its number.

use super::Case;
use crate::quiz::fault::QuizFault;
use crate::quiz::fill::come_out_alike;
use crate::quiz::kinds::Kind;

pub(super) fn check(case: &mut Case<'_>) {
    let (Kind::OneOf(one_of), Some(computed)) = (&case.question.kind, case.computed) else {
        return;
    };
    let asks = case.question.asks;
    for (number, choice) in one_of.choices.iter().enumerate() {
        let Some((claim, range)) = &choice.claims else {
            continue;
        };
        let is_asked = |claim| asks.is_some_and(|asks| come_out_alike(computed, claim, asks));
        let earlier = one_of.choices.iter().take(number).find_map(|other| {
            let (other_claim, place) = other.claims.as_ref()?;
            come_out_alike(computed, *claim, *other_claim).then_some((*other_claim, place.clone()))
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
