//! (being built)

pub mod tree;
