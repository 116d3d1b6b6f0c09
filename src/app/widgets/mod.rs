//! Controls of the window.

pub mod rich;
