//! Attention in f32 for size: tiles that stay in the cache, no n×m array, several threads; the same meaning as the trace path.
//!
//! [`attend_tiled`] is the door and `kernel` the work. Between them: arrays are put without gaps (`placed`); each block of 64 queries of a head is
//! a task; a block whose numbers f32 cannot promise is handed over to f64 (`reach`, which states the promise; `exact`).
//!
//! Memory beyond inputs and output: about 0.2 MB a thread, and copies of what does not lie head by head without gaps (queries, keys and values of
//! another layout, past keys, rotary positions).
//!
//! Numbers do not depend on the number of threads; they do, in their last bits, on the [`InstructionSet`].

mod exact;
mod kernel;
mod lanes;
mod pieces;
mod placed;
mod reach;
mod roofline;
mod rows;
mod scoring;
mod threads;
mod turn;
mod window;

use std::cell::RefCell;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use ndarray::{Array2, Array3};

pub use lanes::InstructionSet;
pub use reach::Reason;
pub use roofline::Roofline;
pub use window::weight_window;

use super::{AttentionError, EmptyRow, Heads, Normaliser, Precision, Spec};
use kernel::{Block, Room};
use placed::{Placed, rounded};
use reach::Look;
use rows::QUERIES;
use scoring::Scoring;

/// What attention of some heads gives where the trace is not wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Tiled {
    /// (H, n, dᵥ): weights · v.
    pub output: Array3<f32>,
    /// (H, n): ln Σ e^score over the visible keys, the scores as softmax sees them; −∞ where none is visible.
    pub log_sum_exp: Array2<f64>,
    /// How many blocks of 64 queries were computed in f64, and why; empty where none was.
    pub handed_over: Vec<(Reason, usize)>,
}

/// Attention of several heads in f32, on `threads` threads (0 = all). To within 1e-6 · (1 + max |scaled score|) · max |v| of the trace path,
/// to which it hands what f32 cannot hold. Definition: Vaswani et al. 2017, eq. 1; its order of work: Dao et al. 2022.
///
/// # Errors
/// Where shapes do not fit (both are named), heads cannot be shared evenly, or a number of the spec is not one that can be computed with.
pub fn attend_tiled(
    heads: &Heads<'_, f32>,
    spec: &Spec,
    threads: usize,
) -> Result<Tiled, AttentionError> {
    attend_tiled_with(heads, spec, threads, InstructionSet::best())
}

/// The same with an instruction set of choice, for tests and measurements; one that the processor lacks is replaced by the baseline.
///
/// # Errors
/// As [`attend_tiled`].
pub fn attend_tiled_with(
    heads: &Heads<'_, f32>,
    spec: &Spec,
    threads: usize,
    set: InstructionSet,
) -> Result<Tiled, AttentionError> {
    let placed = Placed::new(heads, spec)?;
    let ((count, key_count), (n, _), (_, dv)) = (placed.counts, placed.rows, placed.widths);
    let mut output = Array3::zeros((count, n, dv));
    let mut log_sum_exp = Array2::zeros((count, n));
    let work = Work {
        placed: &placed,
        spec,
        set,
        kind: Kind::of(spec, &placed),
        looks: vec![const { OnceLock::new() }; key_count],
        handed_over: Reason::ALL.map(|_| AtomicUsize::new(0)),
    };
    let tasks = tasks(
        &placed,
        output.as_slice_mut().unwrap_or_default(),
        log_sum_exp.as_slice_mut().unwrap_or_default(),
    );
    let threads = if placed.cost() < SMALL { 1 } else { threads };
    let queue = Mutex::new(tasks.into_iter());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    threads::on_each(threads, || {
        ROOM.with_borrow_mut(|room| {
            while let Some(task) = next() {
                work.run(task, room);
            }
        });
    });
    let handed_over = Reason::ALL
        .into_iter()
        .zip(work.handed_over.map(AtomicUsize::into_inner));
    Ok(Tiled {
        output,
        log_sum_exp,
        handed_over: handed_over.filter(|(_, blocks)| *blocks > 0).collect(),
    })
}

/// Multiplications below which one thread is quicker than waking a second: about 10 µs.
const SMALL: usize = 1 << 20;

thread_local! {
    static ROOM: RefCell<Room> = RefCell::default();
}

/// A block of queries of a head, and where its numbers go.
struct Task<'a> {
    head: usize,
    queries: Range<usize>,
    /// (queries, dᵥ).
    output: &'a mut [f32],
    /// (queries).
    log_sum_exp: &'a mut [f64],
}

/// Every block, head by head, so that its keys and values stay near; in each those with most keys first, so that no thread is left with a long one
/// at the end.
fn tasks<'a>(
    placed: &Placed<'_>,
    mut output: &'a mut [f32],
    mut log_sum_exp: &'a mut [f64],
) -> Vec<Task<'a>> {
    let ((count, _), (n, _), (_, dv)) = (placed.counts, placed.rows, placed.widths);
    let mut tasks = Vec::with_capacity(count * n.div_ceil(QUERIES));
    for head in 0..count {
        for first in (0..n).step_by(QUERIES) {
            let queries = first..(first + QUERIES).min(n);
            let (its_output, rest) = output.split_at_mut(queries.len() * dv);
            let (its_log_sum_exp, others) = log_sum_exp.split_at_mut(queries.len());
            (output, log_sum_exp) = (rest, others);
            tasks.push(Task {
                head,
                queries,
                output: its_output,
                log_sum_exp: its_log_sum_exp,
            });
        }
    }
    let keys = |task: &Task<'_>| {
        placed.sight.keys(task.queries.end - 1).end - placed.sight.keys(task.queries.start).start
    };
    tasks.sort_by_key(|task| (task.head, std::cmp::Reverse(keys(task))));
    tasks
}

/// What the kernel is told of a spec, in f32.
#[derive(Clone, Copy, Debug)]
struct Kind {
    factor: f32,
    /// Whether the factor is divided by the temperature already.
    has_temperature: bool,
    softcap: Option<f32>,
    per_temperature: f32,
}

impl Kind {
    /// # Errors
    /// The reason why the kernel cannot do it.
    fn of(spec: &Spec, placed: &Placed<'_>) -> Result<Self, Reason> {
        let (d, dv) = placed.widths;
        let is_ours = spec.normaliser == Normaliser::Softmax && spec.precision == Precision::F64;
        if !is_ours || d == 0 || dv == 0 {
            return Err(Reason::Kind);
        }
        let has_temperature = placed.is_plain() && spec.softcap.is_none();
        let factor = if has_temperature {
            placed.factor / spec.temperature
        } else {
            placed.factor
        };
        let is_in_reach = |x: f64| (1e-20..1e20).contains(&x.abs());
        let (n, m) = placed.rows;
        let are_places_exact = n.max(m) < 1 << 23;
        if !(is_in_reach(spec.temperature)
            && (factor == 0.0 || is_in_reach(factor))
            && spec.softcap.is_none_or(is_in_reach)
            && are_places_exact)
        {
            return Err(Reason::OutOfReach);
        }
        Ok(Self {
            factor: rounded(factor),
            has_temperature,
            softcap: spec.softcap.map(rounded),
            per_temperature: if has_temperature {
                1.0
            } else {
                rounded(1.0 / spec.temperature)
            },
        })
    }
}

/// What all tasks share.
struct Work<'w, 'a> {
    placed: &'w Placed<'a>,
    spec: &'w Spec,
    set: InstructionSet,
    kind: Result<Kind, Reason>,
    /// (G).
    looks: Vec<OnceLock<Look>>,
    handed_over: [AtomicUsize; Reason::ALL.len()],
}

impl Work<'_, '_> {
    fn run(&self, task: Task<'_>, room: &mut Room) {
        let Task {
            head,
            queries,
            output,
            log_sum_exp,
        } = task;
        let Err(reason) = self.in_f32(head, &queries, output, log_sum_exp, room) else {
            return;
        };
        self.handed_over[reason as usize].fetch_add(1, Ordering::Relaxed);
        let exact = self.placed.exact(head);
        let dv = self.placed.widths.1;
        for ((at, query), log_sum_exp) in queries.enumerate().zip(log_sum_exp) {
            *log_sum_exp = exact.row(query, &mut output[at * dv..(at + 1) * dv]);
        }
    }

    /// What is known of a head's keys and values. Threads that come together each look for themselves: to wait for one another would put them to
    /// sleep, and that takes longer.
    fn look(&self, key_head: usize, (k, d, v): (&[f32], usize, &[f32])) -> Look {
        let seen = &self.looks[key_head];
        seen.get().copied().unwrap_or_else(|| {
            let look = Look::of(self.set, k, d, v);
            let _first_or_not = seen.set(look);
            look
        })
    }

    /// # Errors
    /// The reason why what was written, if anything, is not to be trusted.
    fn in_f32(
        &self,
        head: usize,
        queries: &Range<usize>,
        output: &mut [f32],
        log_sum_exp: &mut [f64],
        room: &mut Room,
    ) -> Result<(), Reason> {
        let kind = self.kind?;
        let Self {
            placed, spec, set, ..
        } = *self;
        let ((_, m), (d, dv)) = (placed.rows, placed.widths);
        let key_head = placed.key_head(head);
        let (k, v) = (placed.k(key_head), placed.v(key_head));
        let look = self.look(key_head, (k, d, v));
        if let Some(reason) = look.reason() {
            return Err(reason);
        }
        let q = &placed.q(head)[queries.start * d..queries.end * d];
        let seen = set.run(Block {
            q,
            k,
            v,
            widths: (d, dv),
            scoring: placed.scoring(head, queries, kind),
            output,
            log_sum_exp,
            room,
        });
        if let Some(reason) = look.verdict(&seen, spec.temperature, kind.has_temperature) {
            return Err(reason);
        }
        let is_empty = |log_sum_exp: &f64| *log_sum_exp == f64::NEG_INFINITY;
        if spec.empty_row != EmptyRow::Zeros && m > 0 && log_sum_exp.iter().any(is_empty) {
            let exact = placed.exact(head);
            for (at, query) in queries
                .clone()
                .enumerate()
                .filter(|(at, _)| is_empty(&log_sum_exp[*at]))
            {
                exact.row(query, &mut output[at * dv..(at + 1) * dv]);
            }
        }
        Ok(())
    }
}

impl Placed<'_> {
    /// Whether scores are products alone, but for a softcap.
    fn is_plain(&self) -> bool {
        self.keep(0).is_none()
            && self.bias(0).is_none()
            && self.slopes.iter().all(|slope| *slope == 0.0)
    }

    /// Multiplications, at most.
    fn cost(&self) -> usize {
        let ((count, _), (n, m), (d, dv)) = (self.counts, self.rows, self.widths);
        count
            .saturating_mul(n)
            .saturating_mul(m)
            .saturating_mul(d + dv)
    }

    fn scoring(&self, head: usize, queries: &Range<usize>, kind: Kind) -> Scoring<'_> {
        let m = self.rows.1;
        let cells = queries.start * m..queries.end * m;
        let Kind {
            factor,
            softcap,
            per_temperature,
            ..
        } = kind;
        Scoring {
            queries: queries.clone(),
            keys: m,
            sight: self.sight,
            factor,
            softcap,
            slope: self.slopes.get(head).copied().map_or(0.0, rounded),
            per_temperature,
            keep: self.keep(head).map(|keep| &keep[cells.clone()]),
            bias: self.bias(head).map(|bias| &bias[cells.clone()]),
        }
    }
}

#[cfg(test)]
mod tests;
