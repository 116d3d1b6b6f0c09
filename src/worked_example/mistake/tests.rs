//! Mistakes are named; the right answer never is.
