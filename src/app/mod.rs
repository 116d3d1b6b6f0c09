//! The desktop (being built).

pub mod icons;
pub mod picture;
pub mod theme;
pub mod widgets;
