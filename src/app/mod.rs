//! The desktop (being built).

pub mod widgets;
