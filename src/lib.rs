//! Attention Tutor: an offline program for understanding self-attention. This page is the map of the house, and its laws.
//!
//! The program is one move repeated: *a question, a guess, and at once the numbers that decide it, computed by a real attention
//! engine, in a picture that the learner can take hold of.*
//!
//! # The rooms, from the ground up
//!
//! | room | what it does | begin at |
//! |---|---|---|
//! | [`words`] | everything said to people: typed messages, languages, how numbers are written and read, the diagnostic type | [`words::Words`] |
//! | [`text`] | Markdown and formulas → blocks and boxes, measured with the bundled faces; and as spoken text | [`text::Document`] |
//! | [`attention`] | the engine: arrays in, arrays out, as a trace in f64 or tiled in f32; also the pipelines with one step changed | [`attention::attend`] |
//! | [`worked_example`] | a described situation, or a file of arrays → its numbers, operations, named mistakes, told steps | [`worked_example::Computed`] |
//! | [`figure`] | a worked example as pictures in data: charts, scenes, handles, the table, the sentence, SVG | [`figure::Drawing`] |
//! | [`quiz`] | the RON format, reading with diagnostics, the kinds of question, checking, marking | [`quiz::Quiz`] |
//! | [`study`] | the learner: what was asked, answered, missed | [`study::Session`] |
//! | [`app`] | the desktop: state, commands, theme, screens, widgets, a screen as PNG on the CPU | [`app::App`] |
//! | [`terminal`] | the same work without a window | [`terminal::quiz()`] |
//!
//! An answer's way through the house: a screen sends a `Command` → `app/handling` asks [`quiz::Question::mark`] with the
//! example's [`worked_example::Computed`] → the [`quiz::Marking`] is kept by the [`study::Session`] → the next frame draws its
//! [`quiz::Explanation`] and the [`figure::Drawing`] of the same `Computed`.
//!
//! # The laws
//!
//! Kept by `tests/house.rs`, not by good will.
//!
//! 1. Data flows one way: `attention → worked_example → figure → quiz → study → {app, terminal}`; `words` and `text` are the ground
//!    that all may stand on. No arrow back, none between `app` and `terminal`: `main.rs` chooses between them.
//! 2. Nothing outside `app/` names egui. Nothing inside `attention/` names files, quizzes or words for people.
//! 3. Readers return the best model they can **and** all diagnostics; they never panic and never stop at the first fault.
//! 4. File types (what is in RON) are apart from domain types (what the program thinks in).
//! 5. Screens read state and send commands; one `Command` enum feeds buttons, menus, keys and the help screen.
//! 6. One registry each of question kinds, figures, mistakes, lints. A new one is one file and one line.
//! 7. Colours, spacings and type sizes come from the theme alone; what is said to people comes from `words` alone.
//! 8. One computation serves right answer, explanation, picture and check. A number on the screen that the engine did not compute is a defect.
//! 9. A figure is described once, as data, and painted many times.
//!
//! # What was decided, and the road not taken
//!
//! * **Stable ids.** Quiz, question, choice and example are known by id, never by position: shuffles, edits and later versions keep a learner's
//!   history. Not taken: hashes of the text as identity (mending a typo would lose the history). A [`quiz::Version`] hashes what matters to an answer.
//! * **Numbers in files** are literals or expressions in quotes from version 1 on ([`quiz`]), so that parameters need no new format.
//! * **The reader is ours** ([`quiz`]'s `tree`): all faults in one pass, every number with its place. The `ron` crate reads our own small
//!   files and is the oracle in a property test. Not taken: `ron` for quizzes (it stops at the first fault), a hand-written parser for each type.
//! * **Messages are values** ([`words`]), said at the last moment. Not taken: string keys, fluent.
//! * **Figures are data** ([`figure`]) on two levels, charts and scenes. Not taken: drawing in egui closures (no SVG, no table, no test).
//! * **Text is measured without a window** ([`text`]) by skrifa and harfrust with the bundled faces, so that line breaks, labels and lints agree
//!   everywhere; a test holds it against egui's own widths. Not taken: asking egui (the terminal and the checker have none).
//! * **Background work** is a message to the one state (`app/jobs`). Not taken: shared mutexes: two frames could see half an update.
//! * **Pictures without a driver**: `app/picture` rasterises egui's triangles itself. Not taken: wgpu with a software driver: another 160 CPU-seconds
//!   of build and another pixel on every machine.
//! * **Two paths of attention, one meaning** ([`attention`]): the f64 trace is the specification, the tiled f32 path is held to it by a property over
//!   every convention, and blocks that f32 cannot promise are computed by the trace's own pipeline. Not taken: one path generic over its numbers: the
//!   trace would not read like its explanation, nor the kernel be fast.
//! * **Files of arrays are read by readers of our own** ([`worked_example`]'s `array_file`), with the crates as oracles in tests. Not taken: `npyz`,
//!   `safetensors`, `csv` and `serde_json` alone: they stop at the first fault, do not say at which byte, or take memory before a size is checked.
//! * **An edited example changes every text**, for texts cite numbers by placeholder; only the marks stay with the question's own numbers. Not taken: frozen
//!   prose beside a live figure: two sets of numbers on one screen.
#![warn(missing_docs)]

pub mod app;
pub mod attention;
pub mod figure;
pub mod quiz;
pub mod study;
pub mod terminal;
pub mod text;
pub mod words;
pub mod worked_example;
