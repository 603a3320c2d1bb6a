//! A counter that is there with the feature `stats` alone: without it, it takes no room and no time.

#[cfg(feature = "stats")]
use selvedge_sync::atomic::{AtomicUsize, Ordering};

/// How often something happened, modulo the range. Nothing is ordered by it.
pub(super) struct Tally {
    #[cfg(feature = "stats")]
    count: AtomicUsize,
}

impl Tally {
    pub(super) fn new() -> Self {
        Self {
            #[cfg(feature = "stats")]
            count: AtomicUsize::new(0),
        }
    }

    /// Counts, where one thread at a time does so: no read-modify-write.
    #[inline]
    pub(super) fn count_alone(&self) {
        #[cfg(feature = "stats")]
        self.count.store(self.count.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    }

    /// Counts, where any thread may.
    #[inline]
    pub(super) fn count(&self) {
        #[cfg(feature = "stats")]
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    #[cfg(feature = "stats")]
    pub(super) fn get(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }
}
