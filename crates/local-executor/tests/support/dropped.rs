//! Counts destructor runs, and those that happen on the wrong thread.

use std::sync::Arc;

use selvedge_sync::atomic::{AtomicUsize, Ordering};
use selvedge_sync::thread::ThreadId;

pub(crate) struct Dropped {
    home: ThreadId,
    count: AtomicUsize,
    elsewhere: AtomicUsize,
}

impl Dropped {
    /// Guards have to be dropped on the calling thread.
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            home: ThreadId::current(),
            count: AtomicUsize::new(0),
            elsewhere: AtomicUsize::new(0),
        })
    }

    pub(crate) fn guard(self: &Arc<Self>) -> DropGuard {
        DropGuard(self.clone())
    }

    /// How many guards were dropped so far, each of them at home.
    pub(crate) fn count(&self) -> usize {
        let elsewhere = self.elsewhere.load(Ordering::SeqCst);
        assert_eq!(elsewhere, 0, "a future was dropped off its owner thread");
        self.count.load(Ordering::SeqCst)
    }
}

pub(crate) struct DropGuard(Arc<Dropped>);

impl Drop for DropGuard {
    fn drop(&mut self) {
        if !self.0.home.is_current() {
            self.0.elsewhere.fetch_add(1, Ordering::SeqCst);
        }
        self.0.count.fetch_add(1, Ordering::SeqCst);
    }
}
