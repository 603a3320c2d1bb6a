//! The slots of a scheduler: as many as there were drivers at once.

use core::ptr::{self, NonNull};

use selvedge_sync::MODELLED;
use selvedge_sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use selvedge_sync::sync::Mutex;

use super::slot::Slot;
use super::{Item, Scheduler};

/// Slots in the first chunk. Each further one doubles what there is.
const FIRST_CHUNK: usize = 2;
/// Enough for `u32::MAX` slots.
const CHUNKS: usize = if MODELLED { 3 } else { 31 };

/// An array that grows by chunks and never moves what is in it.
pub(super) struct Slots<T: Item> {
    chunks: [AtomicPtr<Slot<T>>; CHUNKS],
    /// How many slots there are. Grows under the lock.
    len: AtomicUsize,
    growing: Mutex<()>,
}

impl<T: Item> Slots<T> {
    /// No slots.
    pub(super) fn new() -> Self {
        Self {
            chunks: core::array::from_fn(|_| AtomicPtr::new(ptr::null_mut())),
            len: AtomicUsize::new(0),
            growing: Mutex::new(()),
        }
    }

    pub(super) fn len(&self) -> usize {
        // ORDERING: Acquire, from `grow`: the chunks of that many slots.
        self.len.load(Ordering::Acquire)
    }

    /// The slot at an index below a length that was read before.
    #[inline]
    pub(super) fn get(&self, index: usize) -> &Slot<T> {
        let (chunk, offset) = place(index);
        // ORDERING: Acquire, from `grow`: the slots are built.
        let chunk = self.chunks[chunk].load(Ordering::Acquire);
        assert!(!chunk.is_null(), "an index below the length");
        // SAFETY: a chunk has room for the offsets that `place` gives, and stays until `self` is dropped.
        let slot = unsafe { chunk.add(offset) };
        // SAFETY: as above.
        unsafe { &*slot }
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
        for (i, chunk) in self.chunks.iter().enumerate() {
            // Relaxed: passed on to the caller.
            let chunk = chunk.swap(ptr::null_mut(), Ordering::Relaxed);
            if !chunk.is_null() {
                let slots = ptr::slice_from_raw_parts_mut(chunk, FIRST_CHUNK << i);
                // SAFETY: it came from a boxed slice of that length in `grow`.
                drop(unsafe { Box::from_raw(slots) });
            }
        }
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
        let (chunk, _) = place(len);
        let more = FIRST_CHUNK << chunk;
        let index = |i: usize| u32::try_from(len + i).expect("fewer than 2^32 drivers at once");
        let slots: Box<[_]> =
            (0..more).map(|i| Slot::new(NonNull::from(scheduler), index(i))).collect();
        // ORDERING: Release, to `get`: the slots are built.
        self.chunks[chunk].store(Box::into_raw(slots).cast(), Ordering::Release);
        // ORDERING: Release, to `len`: the chunk is there.
        self.len.store(len + more, Ordering::Release);
    }
}

/// The chunk of an index, and the place in it.
#[inline]
fn place(index: usize) -> (usize, usize) {
    let chunk = (index / FIRST_CHUNK + 1).ilog2() as usize;
    (chunk, index + FIRST_CHUNK - (FIRST_CHUNK << chunk))
}

impl<T: Item> Drop for Slots<T> {
    fn drop(&mut self) {
        // SAFETY: `&mut self`; whoever gave up the last reference has synchronised with all users.
        unsafe { self.clear() };
    }
}
