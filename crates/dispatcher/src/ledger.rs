//! Where it is written what became of tasks.

use selvedge_sync::atomic::Ordering;
use selvedge_sync::unmodelled::AtomicU64;

use crate::line::Line;
use crate::panics::{Contained, Panics};
use crate::stats::Stats;
use crate::task::Discard;

/// Where it is written what became of tasks. Numbers only grow.
#[derive(Debug)]
pub(crate) struct Ledger {
    worker: Line<WorkerCounts>,
    turned_away: AtomicU64,
    evicted: AtomicU64,
    pub(crate) panics: Panics,
}

/// What the worker alone counts, so without read-modify-writes.
#[derive(Debug)]
struct WorkerCounts {
    run: AtomicU64,
    panicked: AtomicU64,
    dropped: AtomicU64,
    sleeps: AtomicU64,
}

impl Ledger {
    pub(crate) const fn new(panics: Panics) -> Self {
        Self {
            worker: Line(WorkerCounts {
                run: AtomicU64::new(0),
                panicked: AtomicU64::new(0),
                dropped: AtomicU64::new(0),
                sleeps: AtomicU64::new(0),
            }),
            turned_away: AtomicU64::new(0),
            evicted: AtomicU64::new(0),
            panics,
        }
    }

    /// For the worker: a task has run.
    #[inline]
    pub(crate) fn count_run(&self, how: Contained) {
        increment(&self.worker.run);
        if how == Contained::Panicked {
            self.count_late_panic();
        }
    }

    /// For the worker: a task that was counted panicked after all.
    pub(crate) fn count_late_panic(&self) {
        increment(&self.worker.panicked);
    }

    /// For the worker, or for whoever evicts: a task was dropped unrun.
    pub(crate) fn count_discarded(&self, why: Discard) {
        match why {
            Discard::Killed | Discard::Unopened => increment(&self.worker.dropped),
            // Relaxed, here and below: numbers to look at.
            Discard::Evicted => drop(self.evicted.fetch_add(1, Ordering::Relaxed)),
        }
    }

    /// For the worker: how many tasks it has dropped unrun.
    pub(crate) fn dropped(&self) -> u64 {
        // Relaxed: the worker's own number.
        self.worker.dropped.load(Ordering::Relaxed)
    }

    /// For the worker: it is about to sleep.
    pub(crate) fn count_sleep(&self) {
        increment(&self.worker.sleeps);
    }

    /// For any thread: a launch found the queue full.
    pub(crate) fn count_turned_away(&self) {
        self.turned_away.fetch_add(1, Ordering::Relaxed);
    }

    /// All numbers; the queue's length is not among them.
    pub(crate) fn read(&self) -> Stats {
        let get = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Stats {
            queued: 0,
            run: get(&self.worker.run),
            panicked: get(&self.worker.panicked),
            turned_away: get(&self.turned_away),
            evicted: get(&self.evicted),
            dropped: get(&self.worker.dropped),
            sleeps: get(&self.worker.sleeps),
        }
    }
}

/// Adds one, for the one thread that does.
#[inline]
fn increment(count: &AtomicU64) {
    // Relaxed: the worker's next start or rest publishes it (`Progress`).
    count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
}
