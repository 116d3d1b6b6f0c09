//! Why the arrays of a file cannot be run, in one table: the message, its code (A101 on), the arrays it is about, and what to do.

use crate::attention::AttentionError;
use crate::words::diagnostic::{Diagnostic, Severity};
use crate::words::{Words, messages};
use crate::worked_example::{ArrayFile, ArrayName, NamedArray};

messages! {
    /// Why arrays cannot be run.
    pub enum RunFault {
        Missing { name: &'static str },
        QAndX,
        SequenceRank { name: &'static str, rank: usize },
        MatrixRank { name: &'static str, rank: usize },
        Batches { name: &'static str, given: usize, batches: usize },
        HeadsGiven { name: &'static str, given: usize, there: usize },
        Split { name: &'static str, width: usize, heads: usize },
        SplitProjected { width: usize, heads: usize },
        Widths { q: String, k: String },
        Rows { k: String, v: String },
        MaskShape { given: String, scores: String },
        MaskHeads { given: usize, heads: usize },
        Heads { q: usize, k: usize, v: usize },
        Past { past: String, new: String },
        Projection { x: String, w: String },
        Offset { given: usize, width: usize },
        NoX,
        OddWidth { width: usize },
        NoWidth,
        ScaleNotFinite,
        TemperatureNotAbove { number: String },
        SoftcapNotAbove { number: String },
        BaseNotAbove { number: String },
        TooManyCells { cells: usize, most: usize },
    }
}

messages! {
    /// What to do about it.
    pub enum RunRemedy {
        AddArray,
        QOrX,
        RankOfX,
        RankOfMatrix,
        SameBatches,
        HeadsAsThere,
        HeadsThatDivide,
        SameWidth,
        SameRows,
        ShapeOfScores,
        OneOrEach,
        SharedEvenly,
        PastAsNew,
        RowsOfMatrix,
        OneForEachColumn,
        GiveX,
        EvenWidth,
        GiveScale,
        AboveZero,
        OutputOnly,
    }
}

/// Makes the table: from it, what belongs to a fault, and the list of codes.
macro_rules! table {
    ($($fault:ident => $code:literal, $remedy:ident, [$($array:ident),*];)*) => {
        /// Every code of this table.
        pub const CODES: &[&str] = &[$($code),*];

        impl RunFault {
            /// The code, what to do, and the arrays it may be about.
            fn row(&self) -> (&'static str, RunRemedy, &'static [ArrayName]) {
                match self {
                    $(Self::$fault { .. } => ($code, RunRemedy::$remedy, &[$(ArrayName::$array),*])),*
                }
            }
        }
    };
}

table! {
    Missing => "A101", AddArray, [Q, K, V, X, Wq, Wk, Wv, PastK, PastV];
    QAndX => "A102", QOrX, [X];
    SequenceRank => "A103", RankOfX, [X, Context];
    MatrixRank => "A104", RankOfMatrix, [Wq, Wk, Wv, Wo];
    Batches => "A105", SameBatches, [K, V, Context, PastK, PastV, Keep, Bias];
    HeadsGiven => "A106", HeadsAsThere, [Q, K, V, Wq, Wk, PastK, PastV];
    Split => "A107", HeadsThatDivide, [Q, K, V, X, Context];
    SplitProjected => "A107", HeadsThatDivide, [Wq, Wk, Wv];
    Widths => "A108", SameWidth, [K, Wk, X];
    Rows => "A109", SameRows, [V, Wv];
    MaskShape => "A110", ShapeOfScores, [Keep, Bias];
    MaskHeads => "A111", OneOrEach, [Keep, Bias];
    Heads => "A112", SharedEvenly, [K, V, Wk, Wv];
    Past => "A113", PastAsNew, [PastK, PastV];
    Projection => "A114", RowsOfMatrix, [Wq, Wk, Wv, Wo];
    Offset => "A115", OneForEachColumn, [Bq, Bk, Bv, Bo];
    NoX => "A116", GiveX, [Q];
    OddWidth => "A117", EvenWidth, [Q, Wq];
    NoWidth => "A118", GiveScale, [Q, Wq];
    ScaleNotFinite => "A119", GiveScale, [];
    TemperatureNotAbove => "A120", AboveZero, [];
    SoftcapNotAbove => "A121", AboveZero, [];
    BaseNotAbove => "A122", AboveZero, [];
    TooManyCells => "A123", OutputOnly, [Q, X];
}

/// The finding, at the array it is about: the one that it names, or the first of its arrays that the file has.
pub(super) fn told(words: &Words, file: &ArrayFile, fault: &RunFault) -> Diagnostic {
    let (code, remedy, about) = fault.row();
    let named = fault.name().and_then(ArrayName::named);
    let at = match fault {
        RunFault::MaskShape { given, .. } => about
            .iter()
            .filter_map(|name| file.arrays.get(name))
            .find(|array| shape(array.values.shape()).ends_with(given.trim_start_matches('('))),
        _ => None,
    };
    let first = || about.iter().find_map(|name| file.arrays.get(name));
    // What is about no array (a flag may have said it) has no place.
    let any = || file.arrays.values().next().filter(|_| !about.is_empty());
    let at: Option<&NamedArray> = at
        .or_else(|| file.arrays.get(&named?))
        .or_else(first)
        .or_else(any);
    let diagnostic = match at {
        Some(array) => array.diagnostic(words, code, Severity::Error, fault),
        None => Diagnostic::new(words, code, Severity::Error, None, 0..0, fault),
    };
    diagnostic.with_remedy(words, &remedy)
}

impl RunFault {
    /// The array that it names.
    fn name(&self) -> Option<&'static str> {
        match self {
            Self::SequenceRank { name, .. }
            | Self::MatrixRank { name, .. }
            | Self::Batches { name, .. }
            | Self::HeadsGiven { name, .. }
            | Self::Split { name, .. } => Some(name),
            _ => None,
        }
    }
}

impl From<AttentionError> for RunFault {
    fn from(problem: AttentionError) -> Self {
        let two = |(rows, columns): (usize, usize)| shape(&[rows, columns]);
        let three = |(heads, rows, columns): (usize, usize, usize)| shape(&[heads, rows, columns]);
        match problem {
            AttentionError::Widths { q, k } => Self::Widths {
                q: two(q),
                k: two(k),
            },
            AttentionError::Rows { k, v } => Self::Rows {
                k: two(k),
                v: two(v),
            },
            AttentionError::Mask { given, scores } => Self::MaskShape {
                given: two(given),
                scores: two(scores),
            },
            AttentionError::MaskHeads { given, heads } => Self::MaskHeads { given, heads },
            AttentionError::Heads { q, k, v } => Self::Heads { q, k, v },
            AttentionError::Past { past, new } => Self::Past {
                past: three(past),
                new: three(new),
            },
            AttentionError::Projection { x, w } => Self::Projection {
                x: two(x),
                w: two(w),
            },
            AttentionError::SplitHeads { width, heads } => Self::SplitProjected { width, heads },
            AttentionError::Offset { given, width } => Self::Offset { given, width },
            AttentionError::NoX => Self::NoX,
            AttentionError::OddWidth { q } => Self::OddWidth { width: q.1 },
            AttentionError::NoWidth { .. } => Self::NoWidth,
            AttentionError::Scale(_) => Self::ScaleNotFinite,
            AttentionError::Temperature(number) => Self::TemperatureNotAbove {
                number: number.to_string(),
            },
            AttentionError::Softcap(number) => Self::SoftcapNotAbove {
                number: number.to_string(),
            },
            AttentionError::RotaryBase(number) => Self::BaseNotAbove {
                number: number.to_string(),
            },
        }
    }
}

/// (2, 3), as people who use arrays write it.
fn shape(axes: &[usize]) -> String {
    let axes: Vec<String> = axes.iter().map(ToString::to_string).collect();
    format!("({})", axes.join(", "))
}
