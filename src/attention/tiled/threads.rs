//! Work on several threads, from a pool that stays warm: threads freshly made are often put on one processor for their first millisecond.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Calls `work` on `threads` threads at once (0 = as many as the processor has), this one among them, and returns when all are done.
/// Where threads cannot be had, this one does it alone.
pub(super) fn on_each(threads: usize, work: impl Fn() + Sync) {
    let threads = match threads {
        0 => available_parallelism().map_or(1, NonZero::get),
        given => given,
    };
    match threads
        .checked_sub(1)
        .filter(|others| *others > 0)
        .and_then(pool)
    {
        Some(others) => others.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, _| work());
            work();
        }),
        None => work(),
    }
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
