//! What threads that drive nothing have made ready, until a driver collects it.

use core::ptr;
use std::fmt;

use concurrent_queue::ConcurrentQueue;
use selvedge_sync::atomic::{AtomicPtr, Ordering};

/// An unbounded concurrent queue that is made at its first use.
///
/// An executor whose wakers never travel does not pay for it, and since the queue pads its ends to
/// cache lines, keeping it apart spares the scheduler an over-aligned allocation (110 ns instead of
/// 50 where it was measured, at every creation of an executor).
pub struct Inbox<T>(AtomicPtr<ConcurrentQueue<T>>);

impl<T> Inbox<T> {
    /// Empty, without a queue.
    #[expect(clippy::new_without_default, reason = "an inbox is part of a scheduler")]
    pub fn new() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    /// Adds an item. Never fails: the queue is unbounded and never closed.
    pub fn push(&self, item: T) {
        // ORDERING: Acquire, from the exchange in `create`: the queue is built.
        let mut queue = self.0.load(Ordering::Acquire);
        if queue.is_null() {
            queue = self.create();
        }
        // SAFETY: once set, the pointer stays valid until `self` is dropped.
        let pushed = unsafe { &*queue }.push(item);
        debug_assert!(pushed.is_ok(), "the inbox is unbounded and never closed");
    }

    /// Takes the oldest item, if any. Waits for a thread that is just putting it there.
    pub fn pop(&self) -> Option<T> {
        // ORDERING: Acquire, from the exchange in `create`: the queue is built.
        let queue = self.0.load(Ordering::Acquire);
        if queue.is_null() {
            return None;
        }
        // SAFETY: once set, the pointer stays valid until `self` is dropped.
        unsafe { &*queue }.pop().ok()
    }

    /// How many items are in it at this moment.
    pub fn len(&self) -> usize {
        // ORDERING: Acquire, from the exchange in `create`: the queue is built.
        let queue = self.0.load(Ordering::Acquire);
        if queue.is_null() {
            return 0;
        }
        // SAFETY: once set, the pointer stays valid until `self` is dropped.
        unsafe { &*queue }.len()
    }

    /// Whether nothing is in it at this moment.
    pub fn is_empty(&self) -> bool {
        // ORDERING: Acquire, from the exchange in `create`: the queue is built.
        let queue = self.0.load(Ordering::Acquire);
        // SAFETY: once set, the pointer stays valid until `self` is dropped.
        queue.is_null() || unsafe { &*queue }.is_empty()
    }

    #[cold]
    fn create(&self) -> *mut ConcurrentQueue<T> {
        let ours = Box::into_raw(Box::new(ConcurrentQueue::unbounded()));
        // ORDERING: Release: the queue is built for whoever loads the pointer (`push`, `pop`).
        // Acquire on failure: so is the one of the thread that came first.
        match self.0.compare_exchange(ptr::null_mut(), ours, Ordering::Release, Ordering::Acquire) {
            Ok(_) => ours,
            Err(theirs) => {
                // SAFETY: `ours` came from a box just above, and nobody has seen it.
                drop(unsafe { Box::from_raw(ours) });
                theirs
            }
        }
    }
}

impl<T> Drop for Inbox<T> {
    fn drop(&mut self) {
        // Relaxed: `&mut self`; whoever gave up the last reference has synchronised with all users.
        let queue = self.0.load(Ordering::Relaxed);
        if !queue.is_null() {
            // SAFETY: it came from a box in `create`, and nobody can reach it any more.
            drop(unsafe { Box::from_raw(queue) });
        }
    }
}

impl<T> fmt::Debug for Inbox<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inbox").finish_non_exhaustive()
    }
}
