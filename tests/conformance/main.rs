//! Numbers that others published come out of the engine: ONNX's own node tests, worked examples in print, the fingerprints of mistakes.
//!
//! Each test prints how many of its cases are held ("RotaryEmbedding 8/8") and knows how many there must be, so that a lost file cannot pass.

mod attention;
mod onnx;
mod operators;
mod published;

use std::fmt::Display;
use std::io::Write;

use ndarray::{ArrayD, Dimension};

/// Runs every case, tells the count and the greatest difference, and fails with the names of those that were not held.
/// `check` gives the greatest difference of a case, or what is wrong with it.
fn hold<C>(
    what: &str,
    count: usize,
    cases: &[C],
    name: impl Fn(&C) -> &str,
    check: impl Fn(&C) -> Result<f64, String>,
) {
    let (mut worst, mut faults) = (0f64, Vec::new());
    for case in cases {
        match check(case) {
            Ok(difference) => worst = worst.max(difference),
            Err(fault) => faults.push(format!("{}: {fault}", name(case))),
        }
    }
    let held = cases.len() - faults.len();
    tell(&format!(
        "{what} {held}/{count} (greatest difference {worst:.1e})"
    ));
    assert!(faults.is_empty(), "{what}:\n{}", faults.join("\n"));
    assert_eq!(cases.len(), count, "{what}: cases are missing");
}

/// Writes past the capture of the test harness: counts are to be seen when all is well.
fn tell(line: &str) {
    let line = format!("{line}\n");
    std::io::stdout().write_all(line.as_bytes()).unwrap();
}

/// The greatest difference of two arrays, at most `within`; equal infinities and NaN in both places do not differ.
fn difference(
    what: impl Display,
    found: &ArrayD<f64>,
    expected: &ArrayD<f64>,
    within: f64,
) -> Result<f64, String> {
    if found.shape() != expected.shape() {
        return Err(format!(
            "{what} is {:?}, not {:?}",
            found.shape(),
            expected.shape()
        ));
    }
    let mut worst = 0f64;
    for ((index, a), b) in found.indexed_iter().zip(expected) {
        let same = a == b || (a.is_nan() && b.is_nan());
        let off = if same { 0.0 } else { (a - b).abs() };
        if off.is_nan() || off > within {
            return Err(format!("{what}{:?} is {a}, not {b}", index.slice()));
        }
        worst = worst.max(off);
    }
    Ok(worst)
}
