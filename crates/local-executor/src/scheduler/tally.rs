//! The counters that the feature `stats` adds, read and written.

use selvedge_sync::atomic::Ordering;

use super::{Owner, Scheduler};
use crate::stats::Stats;

/// What the owner counts, modulo the range.
#[derive(Default)]
pub(super) struct Tally {
    polled: usize,
    finished: usize,
}

impl<T> Owner<'_, T> {
    /// Counts a poll of a task.
    #[inline]
    pub(crate) fn count_poll(self) {
        self.owned(|owned| owned.tally.polled = owned.tally.polled.wrapping_add(1));
    }

    /// Counts a task that is gone.
    #[inline]
    pub(super) fn count_finish(self) {
        self.owned(|owned| owned.tally.finished = owned.tally.finished.wrapping_add(1));
    }

    /// What was done so far.
    pub(crate) fn stats(self) -> Stats {
        let scheduler = self.scheduler();
        let (polled, finished) = self.owned(|owned| (owned.tally.polled, owned.tally.finished));
        Stats {
            spawned: self.unfinished().wrapping_add(finished),
            finished,
            polled,
            remote_wakes: scheduler.remote_wakes.load(Ordering::Relaxed),
            queued: self.queued() + scheduler.inbox.len(),
        }
    }
}

impl<T> Scheduler<T> {
    /// Counts a wake that queues its task, if another thread than the owner's did it.
    #[inline]
    pub(crate) fn count_wake(&self) {
        if !self.owner_thread.is_current() {
            self.remote_wakes.fetch_add(1, Ordering::Relaxed);
        }
    }
}
