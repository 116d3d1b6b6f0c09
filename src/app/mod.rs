//! The desktop (being built).

pub mod icons;
pub mod picture;
mod stand_in;
pub mod theme;
pub mod widgets;
