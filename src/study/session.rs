//! One run through a quiz: which questions, which answers, and what they come to.

use std::sync::Arc;
use std::time::SystemTime;

use crate::quiz::{Answer, Marking, Question, Quiz, Verdict, Version};
use crate::words::messages;
use crate::worked_example::{Computed, NamedMistake, WorkedExample};

messages! {
    /// What is said about results.
    pub enum StudyMsg {
        ResultsTitle { quiz: String },
        RightOf { right: usize, of: usize },
        NotAnswered { n: usize },
        LineRight { question: String, answer: String },
        LineWrong { question: String, answer: String, right: String },
        LineOpen { question: String, answer: String },
        LinePartly { question: String, percent: f64 },
        NoRightAnswer,
        SavedWith { version: String },
    }
}

/// One marked answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// The question's id.
    pub question: String,
    /// What the question was when it was answered.
    pub version: Version,
    /// The numbers it was asked with: the question's own, or others.
    pub example: Option<WorkedExample>,
    /// The answer as given.
    pub answer: Answer,
    /// How it stands.
    pub verdict: Verdict,
    /// 0 to 1.
    pub credit: f64,
    /// The mistakes it was named by.
    pub mistakes: Vec<NamedMistake>,
    /// How many hints were open.
    pub hints: usize,
    /// When.
    pub at: SystemTime,
}

/// A run through some questions of one quiz.
#[derive(Clone, Debug)]
pub struct Session {
    quiz: Arc<Quiz>,
    /// The ids of the questions of this run, in order.
    order: Vec<String>,
    at: usize,
    attempts: Vec<Attempt>,
}

/// A question that was missed.
#[derive(Clone, Debug, PartialEq)]
pub struct Missed {
    /// The question's id.
    pub question: String,
    /// The mistakes that were named; may be empty.
    pub mistakes: Vec<NamedMistake>,
}

/// What a run comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Questions answered right.
    pub right: usize,
    /// Questions that can be right or wrong and were answered.
    pub marked: usize,
    /// Questions of this run not answered.
    pub unanswered: usize,
    /// What was missed, in order.
    pub missed: Vec<Missed>,
}

impl Session {
    /// A run through all questions.
    #[must_use]
    pub fn new(quiz: Arc<Quiz>) -> Self {
        let order = quiz.questions.iter().map(|q| q.id.clone()).collect();
        Self {
            quiz,
            order,
            at: 0,
            attempts: Vec::new(),
        }
    }

    /// The quiz.
    #[must_use]
    pub fn quiz(&self) -> &Arc<Quiz> {
        &self.quiz
    }

    /// The question to be answered now; `None` after the last.
    #[must_use]
    pub fn question(&self) -> Option<&Arc<Question>> {
        self.find(self.order.get(self.at)?)
    }

    /// Where the run is, from 0.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    /// The ids of this run's questions.
    #[must_use]
    pub fn order(&self) -> &[String] {
        &self.order
    }

    /// The attempt at the question with this id; the last one where there are several.
    #[must_use]
    pub fn attempt(&self, question: &str) -> Option<&Attempt> {
        self.attempts.iter().rfind(|a| a.question == question)
    }

    /// Keeps a marked answer to the question at hand. What cannot be marked is not an attempt, and a second answer to the same
    /// question of a run is none either: the first one stands.
    pub fn keep(
        &mut self,
        example: Option<&WorkedExample>,
        answer: &Answer,
        marking: &Marking,
        hints: usize,
    ) {
        let Some(question) = self.question().cloned() else {
            return;
        };
        let Marking::Marked {
            verdict,
            credit,
            mistakes,
            ..
        } = marking
        else {
            return;
        };
        if self.attempt(&question.id).is_some() {
            return;
        }
        self.attempts.push(Attempt {
            question: question.id.clone(),
            version: question.version,
            example: example.cloned(),
            answer: answer.clone(),
            verdict: *verdict,
            credit: *credit,
            mistakes: mistakes.clone(),
            hints,
            at: SystemTime::now(),
        });
    }

    /// Goes to a question of the run by its place; past the last one is the summary.
    pub fn go_to(&mut self, at: usize) {
        self.at = at.min(self.order.len());
    }

    /// The next question, answered or not.
    pub fn next(&mut self) {
        self.go_to(self.at + 1);
    }

    /// The same run over a newer reading of the quiz: answers and the place are kept; questions that are gone leave the run, new ones
    /// join at its end.
    #[must_use]
    pub fn with_quiz(&self, quiz: Arc<Quiz>) -> Self {
        let here = self.order.get(self.at).cloned();
        let whole = self.order.len() == self.quiz.questions.len();
        let mut order: Vec<String> = self
            .order
            .iter()
            .filter(|id| quiz.questions.iter().any(|q| q.id == **id))
            .cloned()
            .collect();
        if whole {
            let new: Vec<String> = quiz
                .questions
                .iter()
                .map(|q| q.id.clone())
                .filter(|id| !order.contains(id))
                .collect();
            order.extend(new);
        }
        let at = here
            .and_then(|id| order.iter().position(|o| *o == id))
            .unwrap_or_else(|| self.at.min(order.len()));
        Self {
            quiz,
            order,
            at,
            attempts: self.attempts.clone(),
        }
    }

    /// What the run comes to.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let mut summary = Summary {
            right: 0,
            marked: 0,
            unanswered: 0,
            missed: Vec::new(),
        };
        for id in &self.order {
            match self.attempt(id) {
                None => summary.unanswered += 1,
                Some(attempt) => match attempt.verdict {
                    Verdict::Open => {}
                    Verdict::Right => {
                        summary.right += 1;
                        summary.marked += 1;
                    }
                    Verdict::Wrong | Verdict::Partly => {
                        summary.marked += 1;
                        summary.missed.push(Missed {
                            question: id.clone(),
                            mistakes: attempt.mistakes.clone(),
                        });
                    }
                },
            }
        }
        summary
    }

    /// A new run through what was missed.
    #[must_use]
    pub fn again_those(&self) -> Self {
        let order = self
            .summary()
            .missed
            .into_iter()
            .map(|m| m.question)
            .collect();
        Self {
            quiz: Arc::clone(&self.quiz),
            order,
            at: 0,
            attempts: Vec::new(),
        }
    }

    /// The numbers that a question stands with in this run: those it was answered with, else its own.
    #[must_use]
    pub fn computed(&self, question: &Question) -> Option<Computed> {
        let answered = self.attempt(&question.id);
        let example = answered.and_then(|attempt| attempt.example.as_ref());
        let own = question.example.as_ref().map(|(_, example)| &**example);
        Computed::new(example.or(own)?).ok()
    }

    /// A question of the quiz by its id.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&Arc<Question>> {
        self.quiz.questions.iter().find(|q| q.id == id)
    }
}
