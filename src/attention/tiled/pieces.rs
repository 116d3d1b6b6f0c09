//! What a block of queries computes: its keys in pieces, each for those of its queries that see them.
//!
//! The causal rule and windows hide whole runs of keys from neighbouring queries. A block's 64 queries are taken in four bands of 16; a piece is a
//! run of keys together with the bands that see any of them, so that nearly nothing hidden is computed: the 64 × 64 corner on the diagonal costs 10/16.

use std::ops::Range;

use super::super::Sight;
use super::kernel::KEYS;
use super::rows::QUERIES;

/// Queries of a band: a vector of AVX-512, two of AVX2, four of SSE4 and NEON.
pub(super) const BAND: usize = 16;
const BANDS: usize = QUERIES / BAND;

/// A run of keys and the bands of queries that it is computed for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub keys: Range<usize>,
    /// Where its scores stand in those of its group; a group begins at 0.
    pub rows: Range<usize>,
    pub bands: Range<usize>,
    /// Whether some of these queries may not see some of these keys.
    pub has_edge: bool,
}

/// The pieces of a block of queries, in the order of their keys and in groups of at most [`KEYS`].
pub(super) fn pieces(sight: &Sight, queries: Range<usize>, out: &mut Vec<Piece>) {
    out.clear();
    // What some query of a band sees, and what all of them see. Both ends move on with the queries, never back.
    let mut some = [const { 0..0 }; BANDS];
    let mut all = some.clone();
    let mut cuts = Vec::with_capacity(4 * BANDS);
    for (band, first) in queries.clone().step_by(BAND).enumerate().take(BANDS) {
        let last = (first + BAND).min(queries.end) - 1;
        let (of_first, of_last) = (sight.keys(first), sight.keys(last));
        some[band] = of_first.start..of_last.end;
        all[band] = of_last.start..of_first.end;
        cuts.extend([some[band].start, some[band].end]);
        // Where the whole part ends, in steps that leave tiles of full height on the edge.
        let edge = |length: usize| length.div_ceil(BAND) * BAND;
        cuts.push(some[band].start + edge(all[band].start - some[band].start));
        cuts.push(
            some[band]
                .end
                .saturating_sub(edge(some[band].end.saturating_sub(all[band].end))),
        );
    }
    cuts.sort_unstable();
    cuts.dedup();
    let mut used = 0;
    for cut in cuts.windows(2) {
        let &[from, to] = cut else { continue };
        let sees = |band: &usize| some[*band].start <= from && to <= some[*band].end;
        let Some(first) = (0..BANDS).find(sees) else {
            continue;
        };
        let last = (0..BANDS).rfind(sees).unwrap_or(first);
        let bands = first..last + 1;
        let has_edge = all[bands.clone()]
            .iter()
            .any(|all| from < all.start || all.end < to);
        let mut at = from;
        while at < to {
            if used == KEYS {
                used = 0;
            }
            let count = (to - at).min(KEYS - used);
            out.push(Piece {
                keys: at..at + count,
                rows: used..used + count,
                bands: bands.clone(),
                has_edge,
            });
            used += count;
            at += count;
        }
    }
}

/// The pieces in their groups.
pub(super) fn groups(pieces: &[Piece]) -> impl Iterator<Item = &[Piece]> {
    pieces.chunk_by(|_, next| next.rows.start != 0)
}
