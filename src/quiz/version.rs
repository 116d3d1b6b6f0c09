//! The hash of what matters to an answer, so that a mended comma keeps a learner's history and a changed right answer does not.
//!
//! It is taken over a text written for it alone: the kind, what is right, the claims, what is asked, the example's numbers. Not over wording, ids
//! (which name a question, and are compared by themselves), figures or hints. It is stored with every attempt, so that text must not change between versions
//! of the program without need; a test pins it.

use sha2::{Digest, Sha256};

use super::kinds::Kind;
use super::model::Version;
use crate::worked_example::{Quantity, WorkedExample};

/// The version of a question.
#[must_use]
pub fn version(kind: &Kind, asks: Option<Quantity>, example: Option<&WorkedExample>) -> Version {
    let digest = Sha256::digest(canonical(kind, asks, example).as_bytes());
    Version(
        digest
            .iter()
            .take(8)
            .fold(0, |hash, byte| (hash << 8) | u64::from(*byte)),
    )
}

/// What matters, as text.
fn canonical(kind: &Kind, asks: Option<Quantity>, example: Option<&WorkedExample>) -> String {
    let mut out = format!("{}\n", kind.name());
    kind.shared().matters(&mut out);
    out.push_str(&format!("{asks:?}\n"));
    match example {
        None => {}
        Some(WorkedExample::WeightedValues(of)) => {
            out.push_str(&format!("{:?} {:?}\n", of.values, of.counts))
        }
        Some(WorkedExample::Attention(of)) => {
            out.push_str(&format!("{} {:?}\n", of.focus, of.scale));
            for array in [&of.q, &of.k, &of.v] {
                out.push_str(&format!(
                    "{:?} {:?}\n",
                    array.shape(),
                    array.iter().collect::<Vec<_>>()
                ));
            }
        }
    }
    out
}
