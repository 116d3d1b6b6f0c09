//! One question as it is being put: what is picked or typed, the live example, the answer given, and all texts filled from one computation.
//!
//! The verdict stands for the numbers that the question was asked with. When the learner changes the numbers, every text, number and
//! picture is filled anew from the live example; the marks (✓ ✗, yours, right) stay, and [`Asking::would_be_right`] says what they would be.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::live::Live;
use crate::figure::FigureKind;
use crate::quiz::{Answer, Asked, ChoiceState, Explanation, Form, Marking, Question, Verdict};
use crate::words::Words;
use crate::worked_example::Edit;

/// The answer that was given, and how it stands.
#[derive(Clone, Debug)]
pub struct Given {
    /// As given.
    pub answer: Answer,
    /// How it stands with the numbers that were asked.
    pub verdict: Verdict,
    /// How each choice stands; by id.
    states: BTreeMap<String, ChoiceState>,
}

/// A question being put.
#[derive(Clone, Debug)]
pub struct Asking {
    /// The question.
    pub question: Arc<Question>,
    /// Its example; `None` where it has none.
    pub live: Option<Live>,
    /// The choice that is picked.
    pub picked: Option<String>,
    /// The text of the number field.
    pub typed: String,
    /// How many hints are open.
    pub hints_open: usize,
    /// The answer, once given.
    pub given: Option<Given>,
    /// Why the last answer did not count.
    pub not_counted: Option<String>,
    /// Which of the figures is shown.
    pub figure: usize,
    /// Whether the figure is shown as a table.
    pub as_table: bool,
    /// The choices whose reasons were opened by the learner.
    pub opened: BTreeSet<String>,
    /// Everything filled from the live example.
    asked: Asked,
    marking: Option<Marking>,
    /// How often it was asked with other numbers.
    renumbered: u64,
}

impl Asking {
    /// The question with its own numbers.
    #[must_use]
    pub fn new(question: Arc<Question>, words: &Words) -> Self {
        let live = question
            .example
            .as_ref()
            .and_then(|(_, example)| Live::new(example));
        Self::with(question, live, 0, words)
    }

    fn with(
        question: Arc<Question>,
        mut live: Option<Live>,
        renumbered: u64,
        words: &Words,
    ) -> Self {
        let asked = question.ask(live.as_ref().map(Live::now), words);
        if let (Form::Weights { start, .. }, Some(live)) = (&asked.form, &mut live) {
            live.guess.weights = Some(start.clone());
        }
        Self {
            question,
            live,
            picked: None,
            typed: String::new(),
            hints_open: 0,
            given: None,
            not_counted: None,
            figure: 0,
            as_table: false,
            opened: BTreeSet::new(),
            asked,
            marking: None,
            renumbered,
        }
    }

    /// The same question, not answered, with other numbers.
    #[must_use]
    pub fn renumbered(&self, words: &Words) -> Self {
        let times = self.renumbered + 1;
        let live = self
            .question
            .example
            .as_ref()
            .and_then(|(_, example)| Live::new(&example.renumbered(times)));
        Self {
            figure: self.figure,
            ..Self::with(Arc::clone(&self.question), live, times, words)
        }
    }

    /// The prompt, the form and the hints, with the numbers as they are now.
    #[must_use]
    pub fn asked(&self) -> &Asked {
        &self.asked
    }

    /// The explanation with the numbers as they are now and the marks as they were given; `None` before the answer.
    #[must_use]
    pub fn explanation(&self) -> Option<&Explanation> {
        match &self.marking {
            Some(Marking::Marked { explanation, .. }) => Some(explanation),
            _ => None,
        }
    }

    /// The credit of the answer with the numbers as they are now, 0 to 1; 0 before the answer.
    #[must_use]
    pub fn credit_now(&self) -> f64 {
        match &self.marking {
            Some(Marking::Marked { credit, .. }) => *credit,
            _ => 0.0,
        }
    }

    /// Whether the answer has been given.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        self.given.is_some()
    }

    /// Whether there is something to give as an answer.
    #[must_use]
    pub fn can_submit(&self) -> bool {
        !self.is_answered()
            && match self.asked.form {
                Form::Choices(_) => self.picked.is_some(),
                Form::Number { .. } => !self.typed.trim().is_empty(),
                Form::Weights { .. } => true,
            }
    }

    /// The figures there are, the chosen one first asked for by [`Self::figure`].
    #[must_use]
    pub fn figures(&self) -> &[FigureKind] {
        &self.asked.figures
    }

    /// The figure that is shown.
    #[must_use]
    pub fn figure_shown(&self) -> Option<FigureKind> {
        self.figures()
            .get(self.figure)
            .or_else(|| self.figures().first())
            .copied()
    }

    /// Before the answer, the number or offer that the learner means: what will be marked.
    #[must_use]
    pub fn answer(&self) -> Option<Answer> {
        match &self.asked.form {
            Form::Choices(_) => self.picked.clone().map(Answer::Choice),
            Form::Number { .. } => Some(Answer::Number(self.typed.clone())),
            Form::Weights { start, .. } => {
                let guessed = self
                    .live
                    .as_ref()
                    .and_then(|live| live.guess.weights.clone());
                Some(Answer::Weights(guessed.unwrap_or_else(|| start.clone())))
            }
        }
    }

    /// Gives the answer. What was marked is returned, to be kept; `None` where it did not count.
    pub fn submit(&mut self, words: &Words) -> Option<(Answer, Marking)> {
        if !self.can_submit() {
            return None;
        }
        let answer = self.answer()?;
        let marking = self
            .question
            .mark(&answer, self.live.as_ref().map(Live::now), words);
        match &marking {
            Marking::NotCounted(why) => {
                self.not_counted = Some(why.clone());
                None
            }
            Marking::Marked {
                verdict,
                explanation,
                ..
            } => {
                self.not_counted = None;
                self.given = Some(Given {
                    answer: answer.clone(),
                    verdict: *verdict,
                    states: explanation
                        .choices
                        .iter()
                        .map(|choice| (choice.id.clone(), choice.state))
                        .collect(),
                });
                if let Some(live) = &mut self.live {
                    live.released = explanation.released;
                }
                self.marking = Some(marking.clone());
                Some((answer, marking))
            }
        }
    }

    /// Changes the live example; all texts follow. The reason, in words, where the change is not possible.
    pub fn change(
        &mut self,
        words: &Words,
        change: impl FnOnce(&mut Live) -> Result<(), String>,
    ) -> Result<(), String> {
        let Some(live) = &mut self.live else {
            return Ok(());
        };
        let changed = change(live);
        self.fill(words);
        changed
    }

    /// Another word asks. Before the answer nothing can be changed but the guess.
    pub fn focus_on(&mut self, token: usize, words: &Words) -> Result<(), String> {
        self.change(words, |live| live.edit(Edit::Focus(token), false, words))
    }

    /// With the numbers as they are now: would the answer be right? `None` where nothing was changed or nothing is right or wrong.
    #[must_use]
    pub fn would_be_right(&self) -> Option<bool> {
        let given = self.given.as_ref()?;
        if given.verdict == Verdict::Open || !self.live.as_ref()?.is_changed() {
            return None;
        }
        let Some(Marking::Marked {
            verdict,
            explanation,
            ..
        }) = &self.marking
        else {
            return None;
        };
        let number_of = |mine: fn(ChoiceState) -> bool| {
            explanation
                .choices
                .iter()
                .find(|choice| mine(choice.state))
                .and_then(|choice| choice.number.as_ref())
        };
        let yours =
            number_of(|state| matches!(state, ChoiceState::YoursRight | ChoiceState::YoursWrong));
        let right =
            number_of(|state| matches!(state, ChoiceState::YoursRight | ChoiceState::Right));
        Some(match (yours, right) {
            (Some((yours, _)), Some((right, _))) => yours == right,
            _ => *verdict == Verdict::Right,
        })
    }

    /// The choice with this number (from 1).
    #[must_use]
    pub fn choice_at(&self, number: u8) -> Option<&str> {
        let Form::Choices(choices) = &self.asked.form else {
            return None;
        };
        choices
            .get(usize::from(number).checked_sub(1)?)
            .map(|choice| choice.id.as_str())
    }

    /// Fills every text from the live example; the marks stay as they were given.
    pub fn fill(&mut self, words: &Words) {
        let computed = self.live.as_ref().map(Live::now);
        self.asked = self.question.ask(computed, words);
        let Some(given) = &self.given else { return };
        let mut marking = self.question.mark(&given.answer, computed, words);
        if let Marking::Marked { explanation, .. } = &mut marking {
            for choice in &mut explanation.choices {
                if let Some(state) = given.states.get(&choice.id) {
                    choice.state = *state;
                }
            }
            if let Some(live) = &mut self.live {
                live.released = explanation.released;
            }
        }
        self.marking = Some(marking);
    }

    /// The same question from a newer reading of its file, with what was picked or typed; answered only where nothing changed that matters.
    #[must_use]
    pub fn reread(&self, question: Arc<Question>, words: &Words) -> Self {
        let mut again = if question.version == self.question.version {
            Self {
                question,
                ..self.clone()
            }
        } else {
            let fresh = Self::new(question, words);
            Self {
                picked: self.picked.clone(),
                typed: self.typed.clone(),
                ..fresh
            }
        };
        again.fill(words);
        again.picked = again.picked.take().filter(|id| match &again.asked.form {
            Form::Choices(choices) => choices.iter().any(|choice| choice.id == *id),
            _ => false,
        });
        again
    }
}
