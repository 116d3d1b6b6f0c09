//! The author's right answer against the engine's: two entries that must agree, or nobody may publish them.

use super::{Case, ProofMsg};
use crate::quiz::fault::QuizFault;
use crate::quiz::fill::come_out_alike;
use crate::quiz::kinds::Kind;
use crate::quiz::kinds::number::agrees;
use crate::quiz::model::Question;
use crate::worked_example::{Computed, NamedMistake, diagnose};

pub(super) fn check(case: &mut Case<'_>) {
    if let Some(fault) = unanswerable(case.question, case.computed) {
        case.tell(&fault, case.head());
        return;
    }
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

/// What nobody can answer: a number that the example has not got (the plain mean where all is hidden), one that cannot be typed (−∞), or weights that
/// are no shares of 1.
fn unanswerable(question: &Question, computed: Option<&Computed>) -> Option<QuizFault> {
    let computed = computed?;
    if let Kind::Predict(_) = &question.kind {
        let sum: f64 = computed.weights().iter().sum();
        return ((sum - 1.0).abs() > 1e-6).then_some(QuizFault::PredictNoShares { sum });
    }
    let number = computed.number(question.asks?);
    let typed = matches!(question.kind, Kind::Number(_));
    let answerable = number.is_some_and(|number| !typed || number.is_finite());
    (!answerable).then_some(QuizFault::AskedIsNoNumber)
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
