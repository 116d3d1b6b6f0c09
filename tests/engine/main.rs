//! The attention engine from outside: inputs that break other engines, properties that need no reference, numbers that others published.

mod arbitrary;
mod inputs;
mod paths;
mod properties;
mod traps;
