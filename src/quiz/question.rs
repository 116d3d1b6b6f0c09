//! What can be done with a question: put it, mark an answer, say what is right.

use super::fill::Filling;
use super::form::{Answer, Asked, Marking};
use super::model::Question;
use super::template::Template;
use crate::words::Words;
use crate::worked_example::Computed;

impl Question {
    /// The question ready to be put, every placeholder filled from the example.
    #[must_use]
    pub fn ask(&self, example: Option<&Computed>, words: &Words) -> Asked {
        let filling = self.filling(example, words);
        Asked {
            prompt: filling.document(&self.prompt),
            form: self.kind.shared().form(&filling),
            hints: self
                .hints
                .iter()
                .map(|hint| filling.document(hint))
                .collect(),
            figures: self.figures.clone(),
        }
    }

    /// How an answer stands with this example's numbers, and why.
    #[must_use]
    pub fn mark(&self, answer: &Answer, example: Option<&Computed>, words: &Words) -> Marking {
        let filling = self.filling(example, words);
        let mut marking = self.kind.shared().mark(answer, &filling);
        if let Marking::Marked { explanation, .. } = &mut marking {
            explanation.statement = filling.optional(self.explanation.as_ref());
            explanation.rounded_to = filling.rounded_to();
        }
        marking
    }

    /// The right answer in words (Markdown), where there is one.
    #[must_use]
    pub fn right_answer(&self, example: Option<&Computed>, words: &Words) -> Option<String> {
        self.kind
            .shared()
            .right_answer(&self.filling(example, words))
    }

    /// Whether it can be asked again with other numbers: each number in its texts is a placeholder, and what is right follows them.
    #[must_use]
    pub fn renumberable(&self) -> bool {
        self.example.is_some()
            && self.kind.shared().follows_numbers(self.asks)
            && self
                .texts()
                .iter()
                .all(|text| text.fixed_numbers().is_empty())
    }

    /// Every text of the question.
    #[must_use]
    pub fn texts(&self) -> Vec<&Template> {
        std::iter::once(&self.prompt)
            .chain(self.kind.shared().texts())
            .chain(&self.hints)
            .chain(&self.explanation)
            .collect()
    }

    /// What its texts are filled from.
    pub(super) fn filling<'a>(
        &self,
        example: Option<&'a Computed>,
        words: &'a Words,
    ) -> Filling<'a> {
        let mut filling = Filling::new(example, self.asks, words);
        filling.agreeing = example.map_or(0, |example| self.kind.shared().agreeing(example));
        filling
    }
}
