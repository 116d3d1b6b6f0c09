//! How fast attention is, one row a shape.
fn main() {}
