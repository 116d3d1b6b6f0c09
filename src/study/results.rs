//! The results of one run as Markdown: what "Save my results…" shows first and then writes.

use super::session::{Session, StudyMsg};
use crate::quiz::{Answer, Verdict};
use crate::text::spoken;
use crate::words::Words;

/// The whole file: title, count, one line a question with the answer given and, where it was missed, the right one and the mistake.
#[must_use]
pub fn results_markdown(session: &Session, words: &Words) -> String {
    let summary = session.summary();
    let mut lines = vec![
        format!(
            "# {}",
            words.say(&StudyMsg::ResultsTitle {
                quiz: session.quiz().title.clone()
            })
        ),
        String::new(),
        words.say(&StudyMsg::RightOf {
            right: summary.right,
            of: summary.marked,
        }),
    ];
    if summary.unanswered > 0 {
        lines.push(words.say(&StudyMsg::NotAnswered {
            n: summary.unanswered,
        }));
    }
    lines.push(String::new());
    for (number, id) in session.order().iter().enumerate() {
        let (Some(question), Some(attempt)) = (session.find(id), session.attempt(id)) else {
            continue;
        };
        let computed = session.computed(question);
        let asked = question.ask(computed.as_ref(), words);
        let prompt = spoken::spoken(&asked.prompt, words);
        let right = question
            .right_answer(computed.as_ref(), words)
            .unwrap_or_else(|| words.say(&StudyMsg::NoRightAnswer));
        let answer = answer_text(&attempt.answer, &asked, words);
        let line = match attempt.verdict {
            Verdict::Right => StudyMsg::LineRight {
                question: prompt,
                answer,
            },
            Verdict::Wrong => StudyMsg::LineWrong {
                question: prompt,
                answer,
                right,
            },
            Verdict::Open => StudyMsg::LineOpen {
                question: prompt,
                answer,
            },
            Verdict::Partly => StudyMsg::LinePartly {
                question: prompt,
                percent: (attempt.credit * 100.0).round(),
            },
        };
        lines.push(format!("{}. {}", number + 1, words.say(&line)));
        for mistake in &attempt.mistakes {
            lines.push(format!("   - {}", mistake.sentence));
        }
    }
    lines.push(String::new());
    lines.push(words.say(&StudyMsg::SavedWith {
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }));
    lines.join("\n") + "\n"
}

/// The answer in words.
fn answer_text(answer: &Answer, asked: &crate::quiz::Asked, words: &Words) -> String {
    use crate::quiz::Form;
    match (answer, &asked.form) {
        (Answer::Choice(id), Form::Choices(choices)) => choices
            .iter()
            .find(|c| c.id == *id)
            .map_or_else(|| id.clone(), |c| spoken::spoken(&c.text, words)),
        (Answer::Choice(id), _) => id.clone(),
        (Answer::Number(typed), _) => typed.trim().to_owned(),
        (Answer::Weights(weights), _) => weights
            .iter()
            .map(|w| words.number(*w))
            .collect::<Vec<_>>()
            .join(", "),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::quiz::{Origin, Quiz, read_quiz};
    use crate::words::diagnostic::Source;

    fn quiz(values: &str) -> Arc<Quiz> {
        let text = format!(
            r#"Quiz(format: 1, id: "q", title: "Q", examples: {{ "e": WeightedValues(values: [{values}], counts: [1, 3]) }},
            questions: [Question(id: "a", example: "e", prompt: r"Of {{=values}}?", asks: WeightedAverage, kind: Number())])"#
        );
        let source = Source {
            name: "q.ron".to_owned(),
            path: None,
            text,
        };
        let words = Words::english();
        let (quiz, told) = read_quiz(Arc::new(source), Origin::BuiltIn("q"), &words);
        Arc::new(quiz.unwrap_or_else(|| panic!("{told:?}")))
    }

    #[test]
    fn an_answer_stands_against_the_numbers_that_were_asked() {
        let words = Words::english();
        let mut session = Session::new(quiz("10, 20"));
        let question = Arc::clone(session.question().unwrap());
        let computed = session.computed(&question).unwrap();
        let answer = Answer::Number("17.5".to_owned());
        let marking = question.mark(&answer, Some(&computed), &words);
        session.keep(Some(computed.example()), &answer, &marking, 0);
        // The author changes the numbers of the file while it is open.
        let told = results_markdown(&session.with_quiz(quiz("40, 80")), &words);
        assert!(
            told.contains("✓ Of 10, 20?") && !told.contains("40"),
            "{told}"
        );
    }
}
