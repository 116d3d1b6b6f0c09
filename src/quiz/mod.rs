//! Quizzes: the RON format, reading it with diagnostics, the kinds of question, checking against the engine, marking.
//!
//! Two sets of types, on purpose: `file` is what stands in RON (plain serde types, every number knowing its place), [`Quiz`] is what the
//! program thinks in (ids resolved, examples computed). `read` leads from the first to the second and tells every fault on the way.

mod form;
mod model;
pub mod tree;

pub use form::{Answer, Asked, ChoiceState, ExplainedChoice, Explanation, Form, FormChoice, Marking, ReadingCell, ReadingRow, ReadingsTable, Verdict};
pub use model::{Origin, Question, Quiz, Version};
