//! The wakers of tasks that wait, where a shutdown finds them.

use core::mem;
use core::task::Waker;

use selvedge_sync::MODELLED;
use selvedge_sync::atomic::{AtomicUsize, Ordering};
use selvedge_sync::cell::UnsafeCell;

use super::chunks::Chunks;

/// Entries in the first chunk.
const FIRST_CHUNK: usize = if MODELLED { 1 } else { 32 };
/// Enough for 2^32 entries.
const MOST_CHUNKS: usize = if MODELLED { 8 } else { 27 };

/// The end of a list of entries.
const NONE: usize = usize::MAX;

/// Wakers of tasks that first waited on one driver.
///
/// The driver keeps them, whoever drops a task's future takes them back, and no lock is between: the
/// protocol is in the module's design notes.
pub(super) struct Dormant {
    entries: Chunks<UnsafeCell<Entry>, MOST_CHUNKS>,
    vacant: UnsafeCell<Vacant>,
    /// Entries that were emptied on other drivers.
    returned: AtomicUsize,
}

enum Entry {
    Vacant { next: usize },
    Kept(Waker),
}

/// What the holder of the lease alone touches.
struct Vacant {
    first: usize,
    /// Entries that there are, whoever has them.
    made: usize,
}

// SAFETY: an entry is touched by the thread alone that has its task, or its list; `vacant` by the
// holder of the lease.
unsafe impl Sync for Dormant {}

impl Dormant {
    pub(super) fn new() -> Self {
        Self {
            entries: Chunks::new(FIRST_CHUNK),
            vacant: UnsafeCell::new(Vacant { first: NONE, made: 0 }),
            returned: AtomicUsize::new(NONE),
        }
    }

    /// Keeps a waker, for the task to take it back.
    ///
    /// # Safety
    ///
    /// The calling thread holds the lease of the slot.
    pub(super) unsafe fn keep(&self, waker: Waker) -> usize {
        // SAFETY: passed on to the caller; nothing in there calls back.
        let index = self.vacant.with_mut(|vacant| self.take_vacant(unsafe { &mut *vacant }));
        // SAFETY: it was just taken from the vacant ones.
        unsafe { self.replace(index, Entry::Kept(waker)) };
        index
    }

    /// An entry for a task, and the list behind it.
    fn take_vacant(&self, vacant: &mut Vacant) -> usize {
        if vacant.first == NONE && self.returned.load(Ordering::Relaxed) != NONE {
            // ORDERING: Acquire, from `take_elsewhere`: each entry of the list, and the next one's place.
            vacant.first = self.returned.swap(NONE, Ordering::Acquire);
        }
        if vacant.first == NONE {
            self.make_entries(vacant);
        }
        let index = vacant.first;
        vacant.first = self.entries.get(index).with(|entry| {
            // SAFETY: a vacant entry is its list's, and that is the caller's.
            match unsafe { &*entry } {
                Entry::Vacant { next } => *next,
                Entry::Kept(_) => unreachable!("a vacant entry has no waker"),
            }
        });
        index
    }

    #[cold]
    fn make_entries(&self, vacant: &mut Vacant) {
        let first = vacant.made;
        let made =
            self.entries.add(first, |index| UnsafeCell::new(Entry::Vacant { next: index + 1 }));
        vacant.made = first + made;
        // SAFETY: nobody has heard of the new entries.
        unsafe { self.replace(vacant.made - 1, Entry::Vacant { next: NONE }) };
        vacant.first = first;
    }

    /// Takes a waker back, on the driver that holds the slot.
    ///
    /// # Safety
    ///
    /// The entry belongs to the task that the calling thread polls or drops, and the calling thread
    /// holds the lease of the slot.
    pub(super) unsafe fn take_here(&self, index: usize) -> Option<Waker> {
        // SAFETY: passed on to the caller.
        let next =
            self.vacant.with_mut(|vacant| mem::replace(unsafe { &mut (*vacant).first }, index));
        // SAFETY: passed on to the caller.
        unsafe { self.replace(index, Entry::Vacant { next }) }.waker()
    }

    /// Takes a waker back, on any other driver.
    ///
    /// # Safety
    ///
    /// The entry belongs to the task that the calling thread polls or drops.
    pub(super) unsafe fn take_elsewhere(&self, index: usize) -> Option<Waker> {
        let mut next = self.returned.load(Ordering::Relaxed);
        // SAFETY: passed on to the caller.
        let waker = unsafe { self.replace(index, Entry::Vacant { next }) }.waker();
        loop {
            // ORDERING: Release, to `take_vacant`: the entry, and which one follows.
            match self.returned.compare_exchange_weak(
                next,
                index,
                Ordering::Release,
                Ordering::Relaxed,
            ) {
                Ok(_) => return waker,
                Err(newer) => next = newer,
            }
            // SAFETY: not returned yet, so it is the caller's still.
            unsafe { self.replace(index, Entry::Vacant { next }) };
        }
    }

    /// Takes all wakers, and leaves the entries to their tasks.
    ///
    /// # Safety
    ///
    /// The calling thread is alone with the scheduler.
    pub(super) unsafe fn take_all(&self) -> Vec<Waker> {
        // SAFETY: passed on to the caller.
        let made = self.vacant.with(|vacant| unsafe { (*vacant).made });
        (0..made).filter_map(|index| self.take_kept(index)).collect()
    }

    /// Empties an entry that is not vacant.
    fn take_kept(&self, index: usize) -> Option<Waker> {
        self.entries.get(index).with_mut(|entry| {
            // SAFETY: passed on to `take_all`.
            let entry = unsafe { &mut *entry };
            let kept = matches!(entry, Entry::Kept(_));
            kept.then(|| mem::replace(entry, Entry::Vacant { next: NONE }).waker()).flatten()
        })
    }

    /// Writes an entry, and gives what was there.
    ///
    /// # Safety
    ///
    /// The entry is the caller's.
    unsafe fn replace(&self, index: usize, new: Entry) -> Entry {
        // SAFETY: passed on to the caller.
        self.entries.get(index).with_mut(|entry| mem::replace(unsafe { &mut *entry }, new))
    }
}

impl Entry {
    fn waker(self) -> Option<Waker> {
        match self {
            Self::Kept(waker) => Some(waker),
            Self::Vacant { .. } => None,
        }
    }
}
