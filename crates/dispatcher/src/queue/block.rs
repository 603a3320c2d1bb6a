//! Blocks of slots, in a list.

use core::ptr::{self, NonNull};

use selvedge_sync::MODELLED;
use selvedge_sync::atomic::{AtomicPtr, Ordering};
use selvedge_sync::sync::LeakCheck;

use super::slot::Slot;

/// Slots of a block; two in a model, so that it sees borders.
pub(super) const SLOTS: usize = if MODELLED { 2 } else { 32 };

/// A block of slots and the way to the next one. Slots are empty when it joins the list, and empty
/// again when it leaves.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Block {
    slots: [Slot; SLOTS],
    next: AtomicPtr<Block>,
    _leaks: LeakCheck,
}

impl Block {
    /// A block that is in no list. One allocation.
    pub(super) fn new() -> Box<Self> {
        Box::new(Self {
            slots: core::array::from_fn(|_| Slot::new()),
            next: AtomicPtr::new(ptr::null_mut()),
            _leaks: LeakCheck::new(),
        })
    }

    /// The slot of the task with this number.
    #[inline]
    pub(super) fn slot(&self, index: u64) -> &Slot {
        &self.slots[offset(index)]
    }

    /// Links the block that follows. Under the chain's lock.
    pub(super) fn link(&self, next: NonNull<Self>) {
        // Relaxed: see `next`.
        self.next.store(next.as_ptr(), Ordering::Relaxed);
    }

    /// The block that follows.
    pub(super) fn next(&self) -> Option<NonNull<Self>> {
        // Relaxed: the consumer has seen a number beyond the border, which the tail passed after the link
        // was stored (`Tail::reserve_first`); anybody else has the chain's lock.
        NonNull::new(self.next.load(Ordering::Relaxed))
    }

    /// Makes it a block that is in no list.
    pub(super) fn unlink(&self) {
        // Relaxed: it goes into the list again under the chain's lock.
        self.next.store(ptr::null_mut(), Ordering::Relaxed);
    }
}

/// Where in its block the task with this number lies.
#[inline]
fn offset(index: u64) -> usize {
    // The remainder is below `SLOTS`.
    (index % SLOTS as u64) as usize
}

/// Whether this number is the first of a block.
#[inline]
pub(super) fn is_border(index: u64) -> bool {
    offset(index) == 0
}
