//! Work on several threads, from a pool that stays warm: threads freshly made are often put on one processor for their first millisecond.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{available_parallelism, yield_now};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder, Yield};

/// Calls `work` on `threads` threads at once (0 = as many as the processor has), this one among them, and returns when all are done.
/// Where threads cannot be had, this one does it alone.
pub(super) fn on_each(threads: usize, work: impl Fn() + Sync) {
    let threads = match threads {
        0 => available_parallelism().map_or(1, NonZero::get),
        given => given,
    };
    let others = threads.saturating_sub(1);
    let Some(pool) = (others > 0).then(|| pool(others)).flatten() else {
        work();
        return;
    };
    let finished = AtomicUsize::new(0);
    pool.in_place_scope(|scope| {
        scope.spawn_broadcast(|_, _| {
            work();
            finished.fetch_add(1, Ordering::Release);
        });
        work();
        awake(|| finished.load(Ordering::Acquire) < others);
    });
    pool.spawn_broadcast(|_| linger());
}

/// How long a thread waits awake: to fall asleep and be called again takes tens of µs, as long as a block of queries.
const AWAKE: Duration = Duration::from_micros(100);

/// Waits awake while there is reason to, and not for long; others that want the processor go first.
fn awake(mut is_waiting: impl FnMut() -> bool) {
    let begun = Instant::now();
    while is_waiting() && begun.elapsed() < AWAKE {
        yield_now();
    }
}

/// Keeps a thread of a pool awake for a little after its work, doing what comes meanwhile: numbers that are dragged come in quick succession.
fn linger() {
    thread_local! {
        static LINGERS: Cell<bool> = const { Cell::new(false) };
    }
    if LINGERS.replace(true) {
        return;
    }
    let mut has_come = true;
    while has_come {
        has_come = false;
        awake(|| {
            has_come = rayon::yield_now() == Some(Yield::Executed);
            !has_come
        });
    }
    LINGERS.set(false);
}

/// The pool of that many threads, made when it is first asked for.
fn pool(threads: usize) -> Option<Arc<ThreadPool>> {
    static POOLS: OnceLock<Mutex<BTreeMap<usize, Arc<ThreadPool>>>> = OnceLock::new();
    let pools = POOLS.get_or_init(Mutex::default);
    let mut pools = pools.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = pools.get(&threads) {
        return Some(Arc::clone(pool));
    }
    let name = |thread| format!("attention {thread}");
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(name)
        .build();
    let pool = Arc::new(pool.ok()?);
    pools.insert(threads, Arc::clone(&pool));
    Some(pool)
}
