//! The author's right answer against the engine's: two entries that must agree, or nobody may publish them.

use super::{Case, ProofMsg};
use crate::quiz::fault::QuizFault;
use crate::quiz::fill::come_out_alike;
use crate::quiz::kinds::Kind;
use crate::quiz::kinds::number::agrees;

pub(super) fn check(case: &mut Case<'_>) {
    let question = case.question;
    let asked = question.asks.zip(case.computed).and_then(|(asks, c)| Some((asks, c, c.number(asks)?)));
    match (&question.kind, asked) {
        (Kind::Readings(_) | Kind::Predict(_), _) => case.prove(&ProofMsg::AllComputed),
        (Kind::Number(number), Some((_, _, engine))) => match &number.right {
            None => case.prove(&ProofMsg::NumberComputed { number: engine }),
            Some(right) if agrees(right, engine) => case.prove(&ProofMsg::NumberProved { number: engine }),
            Some(right) => {
                let written = case.quiz.source.text.get(right.range.clone()).unwrap_or_default().to_owned();
                case.tell(&QuizFault::RightDisproved { written, engine }, right.range.clone());
            }
        },
        (Kind::OneOf(one_of), Some((asks, computed, engine))) => {
            match one_of.right().and_then(|choice| choice.claims.as_ref()) {
                None => case.tell(&QuizFault::NothingProved, case.head()),
                Some((claim, _)) if come_out_alike(computed, *claim, asks) => {
                    case.prove(&ProofMsg::ClaimProved { number: engine });
                }
                Some((claim, range)) => {
                    let claimed = computed.number(*claim).unwrap_or(f64::NAN);
                    case.tell(&QuizFault::RightChoiceDisproved { claimed, engine }, range.clone());
                }
            }
        }
        (_, None) => case.tell(&QuizFault::NothingProved, case.head()),
    }
}
