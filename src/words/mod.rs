//! Everything said to people: typed messages with their arguments, the languages they are said in, and how numbers are written.
//!
//! A *message* is a value of one of the enums made by `messages!`: it says **what** is to be told (`PlainMeanIs { value }`),
//! never in which words. The words stand in one file a language (`assets/words/en.ron`), and [`Words::say`] joins the two.
//! A second language is one more file; a test holds every file against the messages and their arguments.
//!
//! Road not taken: string keys (`tr("plain-mean-is")`): a misspelt key or a forgotten argument would be found by a learner
//! instead of the compiler. Fluent: its grammar earns its keep with genders and cases; two or three languages with a plural
//! need neither it nor its twenty crates.

pub mod diagnostic;
mod language;
mod message;
mod nearest;
pub mod number;

pub use language::{Words, WordsProblem};
pub use message::{Arg, Message, MessageShape, ToArg};
pub use nearest::nearest;

pub(crate) use message::messages;
