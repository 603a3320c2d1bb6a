//! One place in the queue.

use core::mem::MaybeUninit;
use core::ptr;

use selvedge_sync::MODELLED;
use selvedge_sync::atomic::{AtomicPtr, Ordering};
use selvedge_sync::cell::UnsafeCell;

use crate::task::{ErasedTask, Table, Task, Words, table};

/// One place in the queue, on a cache line of its own. Empty while the table's address is null.
///
/// Whoever reserved the place writes it, once; the consumer empties it.
#[derive(Debug)]
#[repr(C, align(64))]
pub(super) struct Slot {
    table: AtomicPtr<Table>,
    words: UnsafeCell<Words>,
}

// The promise of one cache line; loom's atomics are larger.
const _: () = assert!(MODELLED || size_of::<Slot>() == 64);

impl Slot {
    pub(super) fn new() -> Self {
        Self {
            table: AtomicPtr::new(ptr::null_mut()),
            words: UnsafeCell::new(MaybeUninit::uninit()),
        }
    }

    /// Writes and publishes a task. Nothing in here can panic.
    ///
    /// # Safety
    ///
    /// The task fits, and the caller has reserved this slot and has not filled it yet.
    #[inline]
    pub(super) unsafe fn fill<T: Task>(&self, task: T) {
        // SAFETY: by contract nobody else writes, and the consumer does not read before the table is
        // there. The task fits.
        self.words.with_mut(|words| unsafe { words.cast::<T>().write(task) });
        let order = if cfg!(selvedge_mutant = "published_too_early") {
            Ordering::Relaxed
        } else {
            // ORDERING: Release, to `take`: the task's words.
            Ordering::Release
        };
        self.table.store(ptr::from_ref(table::<T>()).cast_mut(), order);
    }

    /// Takes the task into `place`, if it has been published, and leaves the slot empty.
    ///
    /// # Safety
    ///
    /// The caller is the consumer, and this is its next slot.
    #[inline]
    pub(super) unsafe fn take<'p>(&self, place: &'p mut Words) -> Option<ErasedTask<'p>> {
        let order = if cfg!(selvedge_mutant = "taken_without_acquire") {
            Ordering::Relaxed
        } else {
            // ORDERING: Acquire, from `fill`: the task's words.
            Ordering::Acquire
        };
        let table = self.table.load(order);
        // SAFETY: it is null or was a `&'static Table`.
        let table = unsafe { table.cast_const().as_ref() }?;
        // SAFETY: published, so the words are written, and by contract the only reader is here.
        *place = self.words.with(|words| unsafe { words.read() });
        // Relaxed: the next to fill it finds the block through the chain's lock (`Chain::recycle`).
        self.table.store(ptr::null_mut(), Ordering::Relaxed);
        // SAFETY: `fill` wrote both, and what is in the slot is never read again.
        Some(unsafe { ErasedTask::new(table, place) })
    }
}
