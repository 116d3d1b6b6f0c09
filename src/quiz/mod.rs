//! Quizzes: the RON format, reading it with diagnostics, the kinds of question, checking against the engine, marking.
//!
//! Two sets of types, on purpose: [`mod@file`] is what stands in RON (plain serde types, every number knowing its place), [`Quiz`] is what the
//! program thinks in (ids resolved, examples computed). [`read_quiz`] leads from the first to the second and tells every fault on the way;
//! [`check_quiz`] then holds it against the engine. The two are apart so that a window loads at once and checks in the background.
//!
//! A question's way: [`Question::ask`] fills its texts from a [`crate::worked_example::Computed`] into [`Asked`], [`Question::mark`] answers an [`Answer`]
//! with a [`Marking`]. Window and terminal draw these and know no kind of question.

pub mod builtin;
pub mod check;
mod examples;
pub mod expression;
pub mod fault;
pub mod file;
pub mod fill;
mod form;
pub mod kinds;
pub mod library;
mod model;
pub mod names;
pub mod place;
mod question;
mod read;
mod reading;
pub mod template;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod tree;
mod version;
pub mod watch;

pub use check::{Checked, Proved, check_quiz};
pub use form::{
    Answer, Asked, ChoiceState, ExplainedChoice, Explanation, Form, FormChoice, Marking,
    ReadingCell, ReadingRow, ReadingsTable, Verdict,
};
pub use library::Library;
pub use model::{Origin, Question, Quiz, Version};
pub use read::read_quiz;
