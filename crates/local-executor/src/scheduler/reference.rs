//! Shared ownership of a scheduler.

use core::ops::Deref;
use core::ptr::NonNull;
use std::fmt;

use super::biased_count::Remaining;
use super::{Owner, Scheduler};

/// A counted reference to a scheduler, from any thread.
///
/// Like an `Arc`, but on the owner thread cloning and dropping it are plain additions.
pub struct SchedulerRef<T>(NonNull<Scheduler<T>>);

// SAFETY: as for `Arc`, of a scheduler that is `Send` and `Sync` if its items are `Send`.
unsafe impl<T: Send> Send for SchedulerRef<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for SchedulerRef<T> {}

impl<T> SchedulerRef<T> {
    /// The first counted reference, or one more.
    #[inline]
    pub fn new(owner: Owner<'_, T>) -> Self {
        owner.scheduler().references.add_here(owner);
        Self(owner.scheduler().address())
    }

    /// Where the scheduler lies.
    #[inline]
    pub fn address(&self) -> NonNull<Scheduler<T>> {
        self.0
    }
}

impl<T> Deref for SchedulerRef<T> {
    type Target = Scheduler<T>;

    #[inline]
    fn deref(&self) -> &Scheduler<T> {
        // SAFETY: `self` is counted, so the scheduler is alive.
        unsafe { self.0.as_ref() }
    }
}

impl<T> Clone for SchedulerRef<T> {
    fn clone(&self) -> Self {
        self.retain();
        Self(self.0)
    }
}

impl<T> Drop for SchedulerRef<T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: `self` was counted, and is not used again.
        unsafe { Scheduler::release(self.0) };
    }
}

impl<T> Scheduler<T> {
    /// Adds a reference.
    #[inline]
    pub(super) fn retain(&self) {
        match self.owner() {
            Some(owner) => self.references.add_here(owner),
            None => self.references.add_elsewhere(),
        }
    }

    /// Gives up a reference, and frees the scheduler if it was the last.
    ///
    /// # Safety
    ///
    /// The caller owns one counted reference, which ends here.
    #[inline]
    pub(super) unsafe fn release(this: NonNull<Self>) {
        // SAFETY: the reference that ends here keeps it alive until the count says otherwise.
        let scheduler = unsafe { this.as_ref() };
        scheduler.freed.used();
        let remaining = match scheduler.owner() {
            Some(owner) => scheduler.references.remove_here(&owner),
            None => scheduler.references.remove_elsewhere(),
        };
        if remaining == Remaining::Nothing {
            // SAFETY: the count is merged and zero.
            unsafe { Self::free(this) };
        }
    }

    /// Ends the executor's own hold, which is not counted: from now on the last reference frees.
    ///
    /// # Safety
    ///
    /// Called once, on the owner thread, by whoever made the scheduler.
    pub unsafe fn abandon(this: NonNull<Self>) {
        // SAFETY: passed on to the caller.
        let scheduler = unsafe { this.as_ref() };
        // SAFETY: passed on to the caller.
        let owner = unsafe { scheduler.assume_owner() };
        scheduler.freed.used();
        if scheduler.references.merge(&owner) == Remaining::Nothing {
            // SAFETY: the count is merged and zero.
            unsafe { Self::free(this) };
        }
    }

    /// # Safety
    ///
    /// Nobody holds a reference.
    #[cold]
    unsafe fn free(this: NonNull<Self>) {
        // SAFETY: it came from a box in `Scheduler::new`.
        drop(unsafe { Box::from_raw(this.as_ptr()) });
    }
}

impl<T> fmt::Debug for SchedulerRef<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
