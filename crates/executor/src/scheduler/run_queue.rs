//! A driver's queue of items that are ready, within everybody's reach.

use core::marker::PhantomData;
use core::ptr::{self, NonNull};

use selvedge_sync::MODELLED;
use selvedge_sync::atomic::{AtomicPtr, AtomicUsize, Ordering, full_fence_after_rmw};
use selvedge_sync::cell::UnsafeCell;

use super::item::Item;
use super::ring::Ring;

/// Items that the first ring has room for.
const FIRST_CAPACITY: usize = if MODELLED { 2 } else { 64 };

/// First in, first out; one thread pushes, any thread takes, all at the same end.
///
/// The protocol and its proof are in the module's design notes.
#[repr(C)]
pub(super) struct RunQueue<T> {
    /// Position of the oldest item. Changed by exchange alone, by whoever takes items.
    head: AtomicUsize,
    _apart: Apart,
    /// Position behind the newest item. Written by the owner.
    tail: AtomicUsize,
    /// The newest ring, null before the first push. Written by the owner.
    ring: AtomicPtr<Ring>,
    owned: UnsafeCell<Owned>,
    _items: PhantomData<T>,
}

/// Keeps what the owner writes off the cache lines that thieves write.
pub(super) type Apart = [u64; 15];

/// What only the thread that holds the owner's place touches.
struct Owned {
    /// A head that was read some time ago: the queue holds no more than what is behind it.
    head_seen: usize,
    capacity: usize,
    /// Outgrown rings, which thieves may still be reading.
    outgrown: Vec<NonNull<Ring>>,
}

/// How a push makes itself known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Publish {
    /// With a full fence behind it.
    Fenced,
    /// Without: the next `pop`, or a fence of the caller's, makes up for it.
    Quietly,
}

// SAFETY: items are handed to whichever thread takes them, hence `T: Send`; `owned` is touched by the
// thread alone that holds the owner's place.
unsafe impl<T: Item> Sync for RunQueue<T> {}
// SAFETY: as above.
unsafe impl<T: Item> Send for RunQueue<T> {}

impl<T: Item> RunQueue<T> {
    /// Empty, without memory.
    pub(super) fn new() -> Self {
        Self {
            head: AtomicUsize::new(0),
            _apart: [0; 15],
            tail: AtomicUsize::new(0),
            ring: AtomicPtr::new(ptr::null_mut()),
            owned: UnsafeCell::new(Owned { head_seen: 0, capacity: 0, outgrown: Vec::new() }),
            _items: PhantomData,
        }
    }

    /// Adds an item behind all others.
    ///
    /// # Safety
    ///
    /// The calling thread holds the owner's place.
    #[inline]
    pub(super) unsafe fn push(&self, item: T, publish: Publish) {
        // Relaxed: written by the owner alone, which this thread is.
        let tail = self.tail.load(Ordering::Relaxed);
        // SAFETY: passed on to the caller.
        unsafe { self.make_room(tail, 1) };
        // SAFETY: passed on to the caller; `make_room` has made a ring.
        unsafe { self.own_ring() }.put(tail, item.into_raw().as_ptr());
        let tail = tail.wrapping_add(1);
        if publish == Publish::Quietly || cfg!(selvedge_mutant = "push_unfenced") {
            // ORDERING: Release, to `pop` and `steal_into`: the word and the ring.
            self.tail.store(tail, Ordering::Release);
        } else {
            // ORDERING: Release, as above. As a read-modify-write it is a full fence on x86.
            self.tail.swap(tail, Ordering::Release);
            full_fence_after_rmw();
        }
    }

    /// Takes the oldest item. Ends with a full fence where it gives one.
    ///
    /// # Safety
    ///
    /// The calling thread holds the owner's place.
    #[inline]
    pub(super) unsafe fn pop(&self) -> Option<T> {
        // Relaxed: tail, ring and words are written by the owner alone, which this thread is, and no
        // head is beyond its tail.
        let mut head = self.head.load(Ordering::Relaxed);
        let tail = self.tail.load(Ordering::Relaxed);
        loop {
            if count(head, tail) == 0 {
                return None;
            }
            // SAFETY: passed on to the caller; there is an item, hence a ring.
            let raw = unsafe { self.own_ring() }.get(head);
            match self.advance(head, 1) {
                Ok(()) => {
                    if !cfg!(selvedge_mutant = "pop_unfenced") {
                        full_fence_after_rmw();
                    }
                    // SAFETY: the exchange made the item ours.
                    return Some(unsafe { adopt(raw) });
                }
                Err(newer) => head = newer,
            }
        }
    }

    /// Takes half of the items, up to a number: the oldest to keep, the others into `thief`.
    ///
    /// # Safety
    ///
    /// The calling thread holds the owner's place of `thief`, which is another queue.
    pub(super) unsafe fn steal_into(&self, thief: &Self, most: usize) -> Option<T> {
        debug_assert!(!ptr::eq(self, thief), "a queue does not steal from itself");
        // Relaxed: if it is stale the exchange fails; if the tail is, there is less than there might be.
        let mut head = self.head.load(Ordering::Relaxed);
        // Relaxed: written by the owner alone, which this thread is.
        let end = thief.tail.load(Ordering::Relaxed);
        loop {
            // ORDERING: Acquire, from `push`: words and ring.
            let there = count(head, self.tail.load(Ordering::Acquire));
            if there == 0 {
                return None;
            }
            let taken = there.div_ceil(2).min(most);
            // SAFETY: a tail beyond the head was stored after the ring that holds the items.
            let ring = unsafe { self.current_ring() };
            let first = ring.get(head);
            if taken > 1 {
                // SAFETY: passed on to the caller.
                unsafe { thief.make_room(end, taken - 1) };
                // SAFETY: passed on to the caller; `make_room` has made a ring.
                let target = unsafe { thief.own_ring() };
                for i in 1..taken {
                    target.put(end.wrapping_add(i - 1), ring.get(head.wrapping_add(i)));
                }
            }
            match self.advance(head, taken) {
                Ok(()) => {
                    let first = match cfg!(selvedge_mutant = "stolen_word_read_late") {
                        true => ring.get(head),
                        false => first,
                    };
                    if taken > 1 {
                        // ORDERING: Release, to `pop` and `steal_into` of others: words and ring.
                        thief.tail.store(end.wrapping_add(taken - 1), Ordering::Release);
                    }
                    // SAFETY: the exchange made the items ours.
                    return Some(unsafe { adopt(first) });
                }
                Err(newer) => head = newer,
            }
        }
    }

    /// How many items are in the queue at this moment, more or less.
    #[inline]
    pub(super) fn len(&self) -> usize {
        // Relaxed: only the number matters; a sleeper has fenced before it asks.
        count(self.head.load(Ordering::Relaxed), self.tail.load(Ordering::Relaxed))
    }

    /// How many items were ever taken, modulo the range: as long as it stays, nobody takes any.
    #[inline]
    pub(super) fn taken(&self) -> usize {
        self.head.load(Ordering::Relaxed)
    }

    /// `head` → `head + taken`, which makes the items between them the caller's.
    #[inline]
    fn advance(&self, head: usize, taken: usize) -> Result<(), usize> {
        let next = head.wrapping_add(taken);
        // ORDERING: Release, to `make_room`: our reads of the words are over.
        match self.head.compare_exchange(head, next, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => Ok(()),
            Err(newer) => Err(newer),
        }
    }

    /// # Safety
    ///
    /// Something was pushed, and the caller has seen a tail that tells so.
    #[inline]
    unsafe fn current_ring(&self) -> &Ring {
        // ORDERING: Acquire, from `grow`: the ring is built and filled.
        let ring = self.ring.load(Ordering::Acquire);
        // SAFETY: rings live as long as the queue; passed on to the caller that there is one.
        unsafe { &*ring }
    }

    /// # Safety
    ///
    /// The calling thread holds the owner's place, and has made a ring.
    #[inline]
    unsafe fn own_ring(&self) -> &Ring {
        // Relaxed: written by the owner alone, which this thread is.
        let ring = self.ring.load(Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { &*ring }
    }

    /// Sees to it that `more` words from `tail` on may be written.
    ///
    /// # Safety
    ///
    /// The calling thread holds the owner's place.
    #[inline]
    unsafe fn make_room(&self, tail: usize, more: usize) {
        let fits = self.owned.with_mut(|owned| {
            // SAFETY: passed on to the caller; the closure calls nobody else.
            let owned = unsafe { &mut *owned };
            let fits = |owned: &Owned| count(owned.head_seen, tail) + more <= owned.capacity;
            fits(owned) || {
                // ORDERING: Acquire, from `advance`: whoever took the items has read their words.
                owned.head_seen = self.head.load(Ordering::Acquire);
                fits(owned)
            }
        });
        if !fits {
            // SAFETY: passed on to the caller.
            unsafe { self.grow(tail, more) };
        }
    }

    /// # Safety
    ///
    /// As for `make_room`.
    #[cold]
    unsafe fn grow(&self, tail: usize, more: usize) {
        self.owned.with_mut(|owned| {
            // SAFETY: passed on to the caller; the closure calls nobody else.
            let owned = unsafe { &mut *owned };
            let needed = count(owned.head_seen, tail) + more;
            let capacity = needed.next_power_of_two().max(FIRST_CAPACITY);
            let ring = Ring::new(capacity);
            // Relaxed: written by the owner alone, which this thread is.
            let old = self.ring.load(Ordering::Relaxed);
            if let Some(old) = NonNull::new(old) {
                // SAFETY: rings live as long as the queue.
                ring.copy(unsafe { old.as_ref() }, owned.head_seen, tail);
                owned.outgrown.push(old);
            }
            owned.capacity = capacity;
            // ORDERING: Release, to `current_ring`: the ring is built and filled.
            self.ring.store(Box::into_raw(Box::new(ring)), Ordering::Release);
        });
    }
}

/// Items between two positions; none where a stale tail lies before the head.
#[inline]
fn count(head: usize, tail: usize) -> usize {
    let between = tail.wrapping_sub(head);
    if between > isize::MAX as usize { 0 } else { between }
}

/// # Safety
///
/// `raw` is the word of an item that the caller has taken.
#[inline]
unsafe fn adopt<T: Item>(raw: *mut ()) -> T {
    debug_assert!(!raw.is_null(), "a taken word holds an item");
    // SAFETY: passed on to the caller.
    let raw = unsafe { NonNull::new_unchecked(raw) };
    // SAFETY: passed on to the caller.
    unsafe { T::from_raw(raw) }
}

impl<T> Drop for RunQueue<T> {
    fn drop(&mut self) {
        debug_assert_eq!(
            self.head.load(Ordering::Relaxed),
            self.tail.load(Ordering::Relaxed),
            "a scheduler is freed when its queues are empty"
        );
        // Relaxed: `&mut self`; whoever gave up the last reference has synchronised with all users.
        let newest = NonNull::new(self.ring.load(Ordering::Relaxed));
        // SAFETY: `&mut self`.
        let outgrown =
            self.owned.with_mut(|owned| unsafe { core::mem::take(&mut (*owned).outgrown) });
        for ring in outgrown.into_iter().chain(newest) {
            // SAFETY: each came from a box in `grow`, and nobody reads it any more.
            drop(unsafe { Box::from_raw(ring.as_ptr()) });
        }
    }
}
