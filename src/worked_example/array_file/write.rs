//! Results written so that they read back the same, bit for bit: JSON, CSV in the reader's own layout, or `.npy`.
//!
//! Numbers have the fewest digits that read back to the same f64. What is not finite is "NaN", "Infinity", "-Infinity".

use std::fmt::Write as _;

use ndarray::{ArrayD, ArrayViewD, Axis};

use super::npy::MAGIC;

/// A format that results are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteFormat {
    /// One object, a nested list an array.
    Json,
    /// Rows below the name of their array.
    Csv,
    /// NumPy's, f64 in C order; one array a file.
    Npy,
}

impl WriteFormat {
    /// Every one, by the ending of its files.
    pub const ALL: [(&'static str, Self); 3] =
        [("json", Self::Json), ("csv", Self::Csv), ("npy", Self::Npy)];

    /// The format of a file with this name, by its ending.
    #[must_use]
    pub fn of_file(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        Self::ALL
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(ending))
            .map(|(_, format)| *format)
    }
}

/// Why results cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteProblem {
    /// `.npy` has no names and holds one array.
    #[error("an .npy file holds one array, not {0}")]
    OneArrayOnly(usize),
}

/// The file of these arrays, of any rank, by name, in this order.
///
/// # Errors
/// [`WriteProblem::OneArrayOnly`] for `.npy` with several or none.
pub fn write_arrays(
    format: WriteFormat,
    arrays: &[(&str, ArrayViewD<'_, f64>)],
) -> Result<Vec<u8>, WriteProblem> {
    match (format, arrays) {
        (WriteFormat::Npy, [(_, array)]) => Ok(npy(array)),
        (WriteFormat::Npy, _) => Err(WriteProblem::OneArrayOnly(arrays.len())),
        (WriteFormat::Csv, _) => {
            let mut out = String::new();
            for (name, array) in arrays {
                csv(name, array, &mut out);
            }
            Ok(out.into_bytes())
        }
        (WriteFormat::Json, _) => {
            let mut out = "{".to_owned();
            for (n, (name, array)) in arrays.iter().enumerate() {
                out.push_str(if n == 0 { "\n  " } else { ",\n  " });
                // A text always has a JSON form.
                out.push_str(&serde_json::Value::from(*name).to_string());
                out.push_str(": ");
                write_json_list(array, &mut out);
            }
            out.push_str("\n}\n");
            Ok(out.into_bytes())
        }
    }
}

/// An array as JSON: nested lists as deep as its rank; a number for rank 0.
pub fn write_json_list(array: &ArrayViewD<'_, f64>, out: &mut String) {
    if array.ndim() == 0 {
        for number in array {
            let quote = if number.is_finite() { "" } else { "\"" };
            out.push_str(quote);
            write_number(*number, out);
            out.push_str(quote);
        }
        return;
    }
    out.push('[');
    for (n, part) in array.axis_iter(Axis(0)).enumerate() {
        if n > 0 {
            out.push_str(", ");
        }
        write_json_list(&part, out);
    }
    out.push(']');
}

/// The fewest digits that read back to the same number.
fn write_number(number: f64, out: &mut String) {
    // Writing to a String cannot fail.
    let _ = if number.is_nan() {
        write!(out, "NaN")
    } else if number.is_infinite() {
        write!(out, "{}Infinity", if number < 0.0 { "-" } else { "" })
    } else {
        write!(out, "{number:?}")
    };
}

/// One array under its name; of more than two axes, one part for each place among the first ones.
fn csv(title: &str, array: &ArrayViewD<'_, f64>, out: &mut String) {
    if array.ndim() > 2 {
        for (n, part) in array.axis_iter(Axis(0)).enumerate() {
            csv(&format!("{title}[{n}]"), &part, out);
        }
        return;
    }
    out.push_str(title);
    out.push('\n');
    let columns = array.shape().last().copied().unwrap_or(1).max(1);
    for (n, number) in array.iter().enumerate() {
        write_number(*number, out);
        out.push_str(if (n + 1).is_multiple_of(columns) {
            "\n"
        } else {
            ", "
        });
    }
}

/// NumPy's format 1.0.
fn npy(array: &ArrayViewD<'_, f64>) -> Vec<u8> {
    let axes: Vec<String> = array.shape().iter().map(ToString::to_string).collect();
    let comma = if axes.len() == 1 { "," } else { "" };
    let shape = axes.join(", ");
    let mut head =
        format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({shape}{comma}), }}");
    // Magic, version, length, head and its line end come to a multiple of 64.
    let before = MAGIC.len() + 4;
    while !(before + head.len() + 1).is_multiple_of(64) {
        head.push(' ');
    }
    head.push('\n');
    let mut out = MAGIC.to_vec();
    out.extend([1, 0]);
    out.extend(u16::try_from(head.len()).unwrap_or(u16::MAX).to_le_bytes());
    out.extend(head.into_bytes());
    let numbers: ArrayD<f64> = array.as_standard_layout().into_owned();
    out.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
    out
}
