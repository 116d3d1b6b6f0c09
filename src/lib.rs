//! Attention Tutor: an offline program for understanding self-attention.
#![warn(missing_docs)]

pub mod words;
pub mod text;
pub mod attention;
pub mod worked_example;
pub mod figure;
pub mod quiz;
pub mod study;
pub mod app;
pub mod terminal;
