//! The learner: what was asked, what she answered, what was missed and why.
//!
//! Today a [`Session`] is one run through one quiz, kept in memory; the issue on self-study appends every attempt to a file of its own
//! and derives the rest. What is decided now: an attempt is a *record* (ids, the version of the question, the answer as given, the
//! credit), never a reference into a quiz, so that it stays true when the quiz changes.

mod results;
mod session;

pub use results::results_markdown;
pub use session::{Attempt, Missed, Session, StudyMsg, Summary};
