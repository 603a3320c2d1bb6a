//! Counts destructor runs.

use std::sync::Arc;

use selvedge_sync::atomic::{AtomicUsize, Ordering};

#[derive(Default)]
pub(crate) struct Dropped(AtomicUsize);

impl Dropped {
    pub(crate) fn new() -> Arc<Self> {
        Arc::default()
    }

    pub(crate) fn guard(self: &Arc<Self>) -> DropGuard {
        DropGuard(self.clone())
    }

    /// How many guards were dropped so far.
    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

pub(crate) struct DropGuard(Arc<Dropped>);

impl Drop for DropGuard {
    fn drop(&mut self) {
        self.0.0.fetch_add(1, Ordering::SeqCst);
    }
}
