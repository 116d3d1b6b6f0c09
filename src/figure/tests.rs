//! What must hold for every figure of every example.
