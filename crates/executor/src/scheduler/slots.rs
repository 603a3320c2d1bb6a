//! The slots of a scheduler: as many as there were drivers at once.

use core::ptr::NonNull;

use selvedge_sync::MODELLED;
use selvedge_sync::atomic::{AtomicUsize, Ordering};
use selvedge_sync::sync::Mutex;

use super::chunks::Chunks;
use super::slot::Slot;
use super::{Item, Scheduler};

/// Slots in the first chunk.
const FIRST_CHUNK: usize = 2;
/// Enough for `u32::MAX` slots.
const MOST_CHUNKS: usize = if MODELLED { 3 } else { 31 };

/// Slots that never move, and are freed together.
pub(super) struct Slots<T: Item> {
    slots: Chunks<Slot<T>, MOST_CHUNKS>,
    /// How many slots there are. Grows under the lock.
    len: AtomicUsize,
    growing: Mutex<()>,
}

impl<T: Item> Slots<T> {
    /// No slots.
    pub(super) fn new() -> Self {
        Self { slots: Chunks::new(FIRST_CHUNK), len: AtomicUsize::new(0), growing: Mutex::new(()) }
    }

    pub(super) fn len(&self) -> usize {
        // ORDERING: Acquire, from `grow`: the chunks of that many slots.
        self.len.load(Ordering::Acquire)
    }

    /// The slot at an index below a length that was read before.
    #[inline]
    pub(super) fn get(&self, index: usize) -> &Slot<T> {
        self.slots.get(index)
    }

    /// All slots there are now.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Slot<T>> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// A slot for a driver.
    pub(super) fn lease(&self, scheduler: &Scheduler<T>) -> &Slot<T> {
        loop {
            let len = self.len();
            if let Some(slot) = (0..len).map(|index| self.get(index)).find(|slot| slot.try_lease())
            {
                return slot;
            }
            self.grow(len, scheduler);
        }
    }

    /// Frees all slots.
    ///
    /// # Safety
    ///
    /// All use of them has happened before, and there is none after this.
    pub(super) unsafe fn clear(&self) {
        self.len.store(0, Ordering::Relaxed);
        // SAFETY: passed on to the caller.
        unsafe { self.slots.clear() };
    }

    /// Adds a chunk, unless somebody has just done so.
    #[cold]
    fn grow(&self, seen: usize, scheduler: &Scheduler<T>) {
        let _growing = self.growing.lock();
        // Relaxed: written under the lock.
        let len = self.len.load(Ordering::Relaxed);
        if len != seen {
            return;
        }
        let index = |i: usize| u32::try_from(i).expect("fewer than 2^32 drivers at once");
        let more = self.slots.add(len, |i| Slot::new(NonNull::from(scheduler), index(i)));
        // ORDERING: Release, to `len`: the chunk is there.
        self.len.store(len + more, Ordering::Release);
    }
}
