//! The author's right answer against the engine's: two entries that must agree, or nobody may publish them.

use super::{Case, ProofMsg};
use crate::quiz::fault::QuizFault;
use crate::quiz::fill::come_out_alike;
use crate::quiz::kinds::Kind;
use crate::quiz::kinds::number::agrees;
use crate::quiz::model::Question;
use crate::worked_example::{Computed, NamedMistake, diagnose};

pub(super) fn check(case: &mut Case<'_>) {
    if let Some(proof) = proof(case.question, case.computed) {
        case.prove(&proof);
        return;
    }
    let question = case.question;
    let asked = question
        .asks
        .zip(case.computed)
        .and_then(|(asks, computed)| Some((computed, computed.number(asks)?)));
    // Without `asks` there is nothing to prove: a question about words is no fault.
    let Some((computed, engine)) = asked else {
        return;
    };
    match &question.kind {
        Kind::Number(number) => {
            let (Some(right), Some(asks)) = (&number.right, question.asks) else {
                return;
            };
            let written = case
                .quiz
                .source
                .text
                .get(right.range.clone())
                .unwrap_or_default()
                .to_owned();
            let mistakes = diagnose(
                computed,
                asks,
                right.value,
                1e-9 * right.value.abs(),
                case.words,
            );
            let fault = match mistakes.into_iter().next() {
                Some(NamedMistake {
                    sentence: mistake, ..
                }) => QuizFault::RightDisprovedNamed {
                    written,
                    engine,
                    mistake,
                },
                None => QuizFault::RightDisproved { written, engine },
            };
            case.tell(&fault, right.range.clone());
        }
        Kind::OneOf(one_of) => match one_of.right().and_then(|choice| choice.claims.as_ref()) {
            None => case.tell(&QuizFault::NothingProved, case.head()),
            Some((claim, range)) => {
                let claimed = computed.number(*claim).unwrap_or(f64::NAN);
                case.tell(
                    &QuizFault::RightChoiceDisproved { claimed, engine },
                    range.clone(),
                );
            }
        },
        Kind::Readings(_) | Kind::Predict(_) => {}
    }
}

/// What the engine proves of a question's right answer.
pub(super) fn proof(question: &Question, computed: Option<&Computed>) -> Option<ProofMsg> {
    let computed = computed?;
    let number = question.asks.and_then(|asks| computed.number(asks));
    match &question.kind {
        Kind::Readings(_) | Kind::Predict(_) => Some(ProofMsg::AllComputed),
        Kind::Number(of) => match &of.right {
            None => number.map(|number| ProofMsg::NumberComputed { number }),
            Some(right) => number
                .filter(|n| agrees(right, *n))
                .map(|number| ProofMsg::NumberProved { number }),
        },
        Kind::OneOf(of) => {
            let (claim, _) = of.right()?.claims.as_ref()?;
            number
                .filter(|_| {
                    question
                        .asks
                        .is_some_and(|asks| come_out_alike(computed, *claim, asks))
                })
                .map(|number| ProofMsg::ClaimProved { number })
        }
    }
}
