//! When quizzes are read anew: runs follow them, the place is kept, and a file that broke takes nothing away.

use std::sync::Arc;

use super::messages::AppMsg;
use super::state::{AppState, Screen};
use crate::quiz::Library;
use crate::words::diagnostic::Severity;

impl AppState {
    /// A newer reading of all quizzes takes the place of the one at hand.
    pub(super) fn take_library(&mut self, library: Library) {
        let before = std::mem::replace(&mut self.library, library);
        self.prompts.take();
        self.keep_what_broke(&before);
        self.follow_library();
    }

    /// A file that broke while its questions were being answered takes none of them away: until it is mended, they stay as they were read.
    fn keep_what_broke(&mut self, before: &Library) {
        let Library {
            quizzes,
            diagnostics,
        } = &mut self.library;
        for quiz in quizzes {
            let Some(old) = before.quiz(&quiz.id) else {
                continue;
            };
            let loses = old
                .questions
                .iter()
                .any(|question| quiz.questions.iter().all(|new| new.id != question.id));
            let is_broken = diagnostics.iter().any(|told| {
                let source = told.source.as_ref();
                told.severity == Severity::Error
                    && source.is_some_and(|source| source.path == quiz.source.path)
            });
            if loses && is_broken && self.runs.contains_key(&quiz.id) {
                *quiz = Arc::clone(old);
            }
        }
    }

    /// The library changed: runs follow their quizzes, the place is kept.
    fn follow_library(&mut self) {
        let quizzes = self.library.quizzes.clone();
        for (id, run) in &mut self.runs {
            if let Some(quiz) = quizzes.iter().find(|quiz| quiz.id == *id) {
                run.reread(quiz, &self.words);
            }
        }
        let gone = self
            .quiz
            .as_ref()
            .is_some_and(|id| !quizzes.iter().any(|quiz| quiz.id == *id));
        if gone && matches!(self.screen, Screen::Question) {
            // The file vanished or broke while it was open: what was read stays usable, and it is said.
            self.tell(&AppMsg::QuizGone);
        }
        if self.screen == Screen::Question
            && self
                .run()
                .is_some_and(|run| run.session.question().is_none())
        {
            self.screen = Screen::Summary;
        }
    }
}
