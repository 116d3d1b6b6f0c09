//! The live example of the question on the screen: its own numbers, the numbers as they are now, what was guessed, and how to go back.
//!
//! Everything on one frame is filled from the one [`Computed`] kept here, made anew once a change: numbers of two examples are never mixed.

use std::sync::Arc;

use crate::figure::{Guess, Target};
use crate::words::Words;
use crate::worked_example::{Computed, Draws, Edit, WorkedExample, draw};

/// How many changes can be taken back.
const MOST_UNDO: usize = 200;

/// An example one can take hold of.
#[derive(Clone, Debug)]
pub struct Live {
    /// The numbers that the question was asked with: the verdict stands for these.
    asked_with: Computed,
    now: Computed,
    /// Earlier examples, the latest last.
    undo: Vec<Arc<WorkedExample>>,
    redo: Vec<Arc<WorkedExample>>,
    last_edit: Option<Edit>,
    /// What the learner set before answering.
    pub guess: Guess,
    /// Where the wedge was put when the beam was let go.
    pub released: Option<f64>,
    /// Every person is written out.
    pub written_out: bool,
    draws: Option<Draws>,
    /// When the beam was let go, in the clock of the frames; `None` where nothing moves (any more).
    pub let_go_seconds: Option<f64>,
}

impl Live {
    /// A live example of a question; `None` where the engine cannot compute it (the quiz reader has told why).
    #[must_use]
    pub fn new(example: &WorkedExample) -> Option<Self> {
        let computed = match Computed::new(example) {
            Ok(computed) => computed,
            Err(problem) => {
                log::error!("an example that was read cannot be computed: {problem:?}");
                return None;
            }
        };
        Some(Self {
            asked_with: computed.clone(),
            now: computed,
            undo: Vec::new(),
            redo: Vec::new(),
            last_edit: None,
            guess: Guess::default(),
            released: None,
            written_out: false,
            draws: None,
            let_go_seconds: None,
        })
    }

    /// The numbers as they are now.
    #[must_use]
    pub fn now(&self) -> &Computed {
        &self.now
    }

    /// The numbers the question was asked with.
    #[must_use]
    pub fn asked_with(&self) -> &Computed {
        &self.asked_with
    }

    /// What was drawn by lot with the numbers as they are now.
    #[must_use]
    pub fn draws(&self) -> Option<&Draws> {
        self.draws.as_ref()
    }

    /// Whether the numbers are no longer those of the question.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.now.example() != self.asked_with.example()
    }

    /// Whether nothing but the word that asks is another.
    #[must_use]
    pub fn only_focus_changed(&self) -> bool {
        match (self.now.example(), self.asked_with.example()) {
            (now, WorkedExample::Attention(asked)) => {
                self.is_changed() && now.with_focus(asked.focus) == *self.asked_with.example()
            }
            _ => false,
        }
    }

    /// Whether a change can be taken back.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    /// Whether a change can be made again.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        !self.redo.is_empty()
    }

    /// Sets what a handle or a cell sets. The reason, in words, where that is not possible; then nothing has changed.
    pub fn set(
        &mut self,
        target: Target,
        value: f64,
        continuing: bool,
        words: &Words,
    ) -> Result<(), String> {
        match target {
            Target::GuessWedge => {
                self.guess.wedge = Some(value);
                Ok(())
            }
            Target::GuessWeight(item) => {
                self.set_guess(item, value);
                Ok(())
            }
            Target::Edit(_) | Target::Person { .. } => match target.edit(value) {
                Some(edit) => self.edit(edit, continuing, words),
                None => Ok(()),
            },
        }
    }

    /// Makes a change. `continuing` joins it to the last one where both are steps of one drag.
    pub fn edit(&mut self, edit: Edit, continuing: bool, words: &Words) -> Result<(), String> {
        let edited = self
            .now
            .example()
            .edited(&edit)
            .map_err(|problem| words.say(&problem.message()))?;
        if edited == *self.now.example() {
            return Ok(());
        }
        let computed = Computed::new(&edited).map_err(|problem| words.say(&problem.message()))?;
        let same_drag = continuing && self.last_edit.is_some_and(|last| same_place(last, edit));
        if !same_drag {
            self.undo.push(Arc::new(self.now.example().clone()));
            if self.undo.len() > MOST_UNDO {
                self.undo.remove(0);
            }
        }
        self.redo.clear();
        self.last_edit = Some(edit);
        self.show(computed);
        Ok(())
    }

    /// Takes the last change back.
    pub fn undo(&mut self) {
        if let Some(example) = self.undo.pop() {
            self.redo.push(Arc::new(self.now.example().clone()));
            self.restore(&example);
        }
    }

    /// Makes it again.
    pub fn redo(&mut self) {
        if let Some(example) = self.redo.pop() {
            self.undo.push(Arc::new(self.now.example().clone()));
            self.restore(&example);
        }
    }

    /// Back to the question's own numbers; that, too, can be undone.
    pub fn reset(&mut self) {
        self.written_out = false;
        self.draws = None;
        if self.is_changed() {
            self.undo.push(Arc::new(self.now.example().clone()));
            self.redo.clear();
            self.last_edit = None;
            self.show(self.asked_with.clone());
        }
    }

    /// Draws `more` by lot, with the weights as they are now.
    pub fn draw(&mut self, more: u64, seed: u64) {
        self.draws = Some(draw(&self.now, self.draws.as_ref(), more, seed));
    }

    /// How far the beam has come, 0 to 1, at this moment of the frames' clock; 1 where nothing moves.
    #[must_use]
    pub fn motion(&self, now_seconds: f64) -> f32 {
        /// The whole way.
        const TAKES_SECONDS: f64 = 0.55;
        let Some(start) = self.let_go_seconds else {
            return 1.0;
        };
        let t = ((now_seconds - start) / TAKES_SECONDS).clamp(0.0, 1.0);
        // Out of rest, and gently into rest.
        (t * t * (3.0 - 2.0 * t)) as f32
    }

    /// One bar of a prediction; the others give or take in proportion, so that all stay shares of one.
    fn set_guess(&mut self, item: usize, value: f64) {
        let visible = self.now.visible();
        let equal = self.now.uniform_weight();
        let seen = |i: usize| visible.get(i).copied().unwrap_or(true);
        let of_seen = |weight: f64, i: usize| if seen(i) { weight } else { 0.0 };
        let start = || (0..visible.len()).map(|i| of_seen(equal, i)).collect();
        let mut weights: Vec<f64> = self.guess.weights.take().unwrap_or_else(start);
        let value = value.clamp(0.0, 1.0);
        let others: f64 = weights
            .iter()
            .enumerate()
            .filter(|(i, _)| *i != item)
            .map(|(_, w)| w)
            .sum();
        let count = self.now.visible_items().saturating_sub(1).max(1) as f64;
        for (i, weight) in weights.iter_mut().enumerate() {
            *weight = if i == item {
                value
            } else if others > 0.0 {
                *weight * (1.0 - value) / others
            } else {
                of_seen((1.0 - value) / count, i)
            };
        }
        self.guess.weights = Some(weights);
    }

    fn restore(&mut self, example: &WorkedExample) {
        self.last_edit = None;
        match Computed::new(example) {
            Ok(computed) => self.show(computed),
            // It was computed before it was put aside.
            Err(problem) => {
                log::error!("an earlier example can no longer be computed: {problem:?}")
            }
        }
    }

    fn show(&mut self, computed: Computed) {
        self.now = computed;
        // What was drawn was drawn with other weights.
        self.draws = None;
        self.let_go_seconds = None;
    }
}

/// Whether two edits set the same number, so that the second one is the same drag going on.
fn same_place(a: Edit, b: Edit) -> bool {
    match (a, b) {
        (Edit::Value(i, _), Edit::Value(j, _))
        | (Edit::Count(i, _), Edit::Count(j, _))
        | (Edit::Weight(i, _), Edit::Weight(j, _)) => i == j,
        (Edit::Query(r, c, _), Edit::Query(s, d, _))
        | (Edit::Key(r, c, _), Edit::Key(s, d, _))
        | (Edit::ValueCell(r, c, _), Edit::ValueCell(s, d, _)) => (r, c) == (s, d),
        (Edit::MovePerson { .. }, Edit::MovePerson { .. }) => true,
        _ => false,
    }
}
