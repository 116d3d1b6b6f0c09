//! What there is to say about a run, beside its numbers: the engine's notices in words, and what the file holds that was not used.

use super::ArrayRun;
use super::gather::Gathered;
use crate::attention::{Alignment, EmptyRow, Notice, Precision};
use crate::words::{Words, messages};
use crate::worked_example::array_file::Word as _;
use crate::worked_example::{ArrayFile, ArrayName};

messages! {
    /// What there is to say about a run. Queries, keys and heads are counted from 1.
    pub enum NoticeMsg {
        DefaultScale { width: usize, scale: f64 },
        PlainMean,
        TopLeft { queries: usize, keys: usize },
        BottomRight { queries: usize, keys: usize },
        EmptyRows { query: usize, count: usize, out: EmptyRowMsg },
        InfiniteScore { query: usize, key: usize },
        LowBias { query: usize },
        LowBiasEverywhere { query: usize },
        ZeroOneBias,
        Simulated { format: &'static str },
        NotFinite { query: usize },
        Tiled,
        BareX,
        NotUsed { name: &'static str },
    }
}

messages! {
    /// What comes out of an empty row.
    pub enum EmptyRowMsg {
        Zeros,
        Mean,
        NaN,
    }
}

/// Whether something was chosen, or looks wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// A convention that was applied.
    Convention,
    /// Something that looks unintended.
    Warning,
}

/// One notice, and the heads it is about.
#[derive(Clone, Debug, PartialEq)]
pub struct RunNotice {
    /// Stable id for tools ("default-scale").
    pub id: &'static str,
    /// Whether something was chosen, or looks wrong.
    pub kind: NoticeKind,
    /// What it says.
    pub message: NoticeMsg,
    /// The first batch and head that it is about (from 1), where not all heads say it.
    pub head: Option<(usize, usize)>,
}

impl RunNotice {
    /// The notice in words.
    #[must_use]
    pub fn said(&self, words: &Words) -> String {
        words.say(&self.message)
    }
}

/// What the file holds that was not used.
pub(super) fn of_file(file: &ArrayFile, gathered: &Gathered) -> Vec<RunNotice> {
    use ArrayName as A;
    let mut notices = Vec::new();
    if gathered.bare_x {
        notices.push(notice("bare-x", NoticeKind::Convention, NoticeMsg::BareX));
    }
    let unused: &[ArrayName] = if gathered.is_layer() {
        &[]
    } else if gathered.bare_x {
        &[A::Wo, A::Bq, A::Bk, A::Bv, A::Bo]
    } else {
        &[
            A::Context,
            A::Wq,
            A::Wk,
            A::Wv,
            A::Wo,
            A::Bq,
            A::Bk,
            A::Bv,
            A::Bo,
        ]
    };
    let there = unused.iter().filter(|name| file.arrays.contains_key(name));
    notices.extend(there.map(|name| {
        let name = name.name();
        notice("not-used", NoticeKind::Warning, NoticeMsg::NotUsed { name })
    }));
    notices
}

/// The engine's notices of all heads; what every head says is said once.
pub(super) fn of_engine(run: &ArrayRun) -> Vec<RunNotice> {
    let mut notices: Vec<RunNotice> = Vec::new();
    let mut counts: Vec<usize> = Vec::new();
    let mut heads = 0;
    for (batch, head, trace) in run.traces() {
        heads += 1;
        for said in &trace.notices {
            let new = RunNotice {
                head: Some((batch + 1, head + 1)),
                ..worded(said)
            };
            let same = |known: &RunNotice| known.id == new.id;
            match notices.iter().position(same) {
                Some(known) => {
                    if let Some(count) = counts.get_mut(known) {
                        *count += 1;
                    }
                }
                None => {
                    notices.push(new);
                    counts.push(1);
                }
            }
        }
    }
    for (notice, count) in notices.iter_mut().zip(counts) {
        if count == heads {
            notice.head = None;
        }
    }
    notices
}

/// What is to be said of a run tile by tile, of queries of this width.
pub(super) fn of_tiles(run: &ArrayRun, width: usize) -> Vec<RunNotice> {
    let mut notices = Vec::new();
    if run.has_stages() {
        return notices;
    }
    if run.spec.scale.is_none() {
        notices.push(worded(&Notice::DefaultScale {
            width,
            scale: 1.0 / (width as f64).sqrt(),
        }));
    }
    notices.push(notice("tiled", NoticeKind::Convention, NoticeMsg::Tiled));
    notices
}

fn worded(said: &Notice) -> RunNotice {
    use NoticeKind::{Convention, Warning};
    match *said {
        Notice::DefaultScale { width, scale } => notice(
            "default-scale",
            Convention,
            NoticeMsg::DefaultScale { width, scale },
        ),
        Notice::PlainMean => notice("plain-mean", Warning, NoticeMsg::PlainMean),
        Notice::Aligned {
            alignment,
            queries,
            keys,
        } => notice(
            "aligned",
            Convention,
            match alignment {
                Alignment::TopLeft => NoticeMsg::TopLeft { queries, keys },
                Alignment::BottomRight => NoticeMsg::BottomRight { queries, keys },
            },
        ),
        Notice::EmptyRows {
            first,
            count,
            policy,
        } => {
            let out = match policy {
                EmptyRow::Zeros => EmptyRowMsg::Zeros,
                EmptyRow::Mean => EmptyRowMsg::Mean,
                EmptyRow::NaN => EmptyRowMsg::NaN,
            };
            let query = first + 1;
            let message = NoticeMsg::EmptyRows { query, count, out };
            notice("empty-rows", Warning, message)
        }
        Notice::InfiniteScore { row, key } => {
            let (query, key) = (row + 1, key + 1);
            notice(
                "infinite-score",
                Warning,
                NoticeMsg::InfiniteScore { query, key },
            )
        }
        Notice::LowBiasIsNoMask { row, everywhere } => {
            let query = row + 1;
            let message = match everywhere {
                true => NoticeMsg::LowBiasEverywhere { query },
                false => NoticeMsg::LowBias { query },
            };
            notice("low-bias-is-no-mask", Warning, message)
        }
        Notice::ZeroOneBias => notice("zero-one-bias", Warning, NoticeMsg::ZeroOneBias),
        Notice::Simulated(precision) => {
            let format = Precision::word(precision);
            notice("simulated", Convention, NoticeMsg::Simulated { format })
        }
        Notice::NotFinite { row } => notice(
            "not-finite",
            Warning,
            NoticeMsg::NotFinite { query: row + 1 },
        ),
    }
}

fn notice(id: &'static str, kind: NoticeKind, message: NoticeMsg) -> RunNotice {
    RunNotice {
        id,
        kind,
        message,
        head: None,
    }
}
