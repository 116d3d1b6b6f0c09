//! The hash of what matters to an answer, so that a mended comma keeps a learner's history and a changed right answer does not.
//!
//! It is taken over a text written for it alone: the kind, what is right, the claims, what is asked, the example's numbers. Not over wording, ids
//! (which name a question, and are compared by themselves), figures or hints. It is stored with every attempt, so that text must not change between versions
//! of the program without need; a test pins it.

use sha2::{Digest, Sha256};

use super::kinds::Kind;
use super::model::Version;
use crate::attention::Spec;
use crate::worked_example::{AttentionExample, Quantity, WorkedExample};

/// The hash of an example's numbers, taken once for all questions about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleHash([u8; 32]);

/// The version of a question.
#[must_use]
pub fn version(kind: &Kind, asks: Option<Quantity>, example: Option<&ExampleHash>) -> Version {
    let mut canonical = format!("{}\n", kind.name());
    kind.shared().matters(&mut canonical);
    canonical.push_str(&format!("{asks:?}\n"));
    let mut hash = Sha256::new_with_prefix(canonical);
    if let Some(ExampleHash(example)) = example {
        hash.update(example);
    }
    Version(
        hash.finalize()
            .iter()
            .take(8)
            .fold(0, |hash, byte| (hash << 8) | u64::from(*byte)),
    )
}

/// The hash of an example.
#[must_use]
pub fn example_hash(example: &WorkedExample) -> ExampleHash {
    let canonical = match example {
        WorkedExample::WeightedValues(of) => format!("{:?} {:?}\n", of.values, of.counts),
        WorkedExample::Attention(of) => {
            let arrays = [&of.q, &of.k, &of.v]
                .map(|array| (array.shape(), array.iter().collect::<Vec<_>>()));
            let usual = format!("{} {:?} {arrays:?}\n", of.focus, of.spec.scale);
            usual + &conventions(of)
        }
    };
    ExampleHash(Sha256::digest(canonical).into())
}

/// What an example has beyond q, k, v and a scale; empty where it has nothing, so that older examples keep their hashes.
fn conventions(of: &AttentionExample) -> String {
    let AttentionExample {
        keep, bias, spec, ..
    } = of;
    let usual = Spec {
        scale: spec.scale,
        ..Spec::default()
    };
    let mut canonical = String::new();
    if let Some(keep) = keep {
        canonical += &format!("keep {:?}\n", keep.iter().collect::<Vec<_>>());
    }
    if let Some(bias) = bias {
        canonical += &format!("bias {:?}\n", bias.iter().collect::<Vec<_>>());
    }
    if *spec != usual {
        let Spec {
            temperature,
            softcap,
            causal,
            window,
            empty_row,
            normaliser,
            positions,
            ..
        } = spec;
        canonical += &format!(
            "{temperature:?} {softcap:?} {causal:?} {:?} {:?} {empty_row:?} {normaliser:?} {positions:?}\n",
            window.left, window.right
        );
    }
    canonical
}
