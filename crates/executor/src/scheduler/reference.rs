//! Shared ownership of a scheduler.

use core::ops::Deref;
use core::ptr::NonNull;
use std::fmt;
use std::process::abort;

use selvedge_sync::atomic::Ordering;

use super::{Item, Scheduler};

/// More references than this can only be leaks; to go on would overflow.
const LIMIT: usize = isize::MAX as usize;

/// A counted reference to a scheduler, like an `Arc`.
///
/// Spawners hold one, and so do clones of a main future's waker. Tasks hold none: see the design notes.
pub struct SchedulerRef<T: Item>(NonNull<Scheduler<T>>);

// SAFETY: as for `Arc`, of a scheduler that is `Send` and `Sync`.
unsafe impl<T: Item> Send for SchedulerRef<T> {}
// SAFETY: as above.
unsafe impl<T: Item> Sync for SchedulerRef<T> {}

impl<T: Item> SchedulerRef<T> {
    /// One more reference.
    pub fn new(scheduler: &Scheduler<T>) -> Self {
        scheduler.retain();
        Self(NonNull::from(scheduler))
    }
}

impl<T: Item> Deref for SchedulerRef<T> {
    type Target = Scheduler<T>;

    fn deref(&self) -> &Scheduler<T> {
        // SAFETY: `self` is counted, so the scheduler is alive.
        unsafe { self.0.as_ref() }
    }
}

impl<T: Item> Clone for SchedulerRef<T> {
    fn clone(&self) -> Self {
        Self::new(self)
    }
}

impl<T: Item> Drop for SchedulerRef<T> {
    fn drop(&mut self) {
        // SAFETY: `self` was counted, and is not used again.
        unsafe { Scheduler::release(self.0) };
    }
}

impl<T: Item> Scheduler<T> {
    /// Adds a reference.
    #[inline]
    pub(super) fn retain(&self) {
        // Relaxed: as in `Arc`, whoever adds has a claim of its own.
        if self.references.fetch_add(1, Ordering::Relaxed) > LIMIT {
            abort();
        }
    }

    /// Gives up a reference, and frees the scheduler if it was the last.
    ///
    /// # Safety
    ///
    /// The caller owns one counted reference, which ends here.
    #[inline]
    pub unsafe fn release(this: NonNull<Self>) {
        // SAFETY: the reference that ends here keeps it alive until the count says otherwise.
        let references = unsafe { &(*this.as_ptr()).references };
        // ORDERING: AcqRel. Release: this thread's use is over, for the one that frees. Acquire: so is
        // everybody else's, if it is us.
        if references.fetch_sub(1, Ordering::AcqRel) == 1 {
            // SAFETY: it came from a box in `Scheduler::new`, and nobody refers to it any more.
            drop(unsafe { Box::from_raw(this.as_ptr()) });
        }
    }
}

impl<T: Item> fmt::Debug for SchedulerRef<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
