//! Sub-wakers whose memory is made when somebody keeps one.

use core::fmt;
use core::mem::ManuallyDrop;
use core::ptr::{self, NonNull};
use core::task::{RawWaker, RawWakerVTable, Waker};

use selvedge_sync::atomic::{AtomicPtr, Ordering};

use crate::block;
use crate::layout::{PAGE, SLOTS, pages_for};
use crate::raw_waker::{vtable_of, wake_slot};
use crate::root::Root;
use crate::waker_array::WakerArray;
use crate::waker_ref::WakerRef;
use crate::waker_vec::WakerVec;

/// Sub-wakers for a first poll: a set of children that are all ready, or that none will ever wake,
/// needs no memory for them.
///
/// A waker that is lent by [`waker`](Self::waker) points to this value. The first clone, or the first wake,
/// makes the block; from then on the wakers are those of an array. After the poll,
/// [`into_array`](Self::into_array) or [`into_vec`](Self::into_vec) gives that array, if there is one: if not, nobody
/// holds a waker.
///
/// Nobody is told of wakes meanwhile. [`begin_poll`](WakerVec::begin_poll) of the array registers the
/// parent; if anything is ready after it, the parent has to be polled again.
///
/// ```
/// use core::task::Waker;
/// use selvedge_wakers::LazyWakers;
///
/// let mut wakers = LazyWakers::new(2);
/// assert!(wakers.into_vec().is_none());
///
/// let mut wakers = LazyWakers::new(2);
/// let kept = wakers.waker(1).clone();
/// let mut wakers = wakers.into_vec().expect("a waker was cloned");
/// kept.wake();
/// wakers.begin_poll(Waker::noop());
/// assert_eq!(wakers.next_ready(), Some(1));
/// ```
pub struct LazyWakers {
    /// The block, or null. Set once, by whoever needs it first.
    block: AtomicPtr<Root>,
    len: usize,
    /// The slot whose waker is lent.
    lent: usize,
}

static LENT: RawWakerVTable = RawWakerVTable::new(clone, wake_by_ref, wake_by_ref, |_| ());

impl LazyWakers {
    /// `len` sub-wakers without memory.
    #[inline]
    pub fn new(len: usize) -> Self {
        Self { block: AtomicPtr::new(ptr::null_mut()), len, lent: 0 }
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no sub-waker at all.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The waker of a slot, on loan: one at a time.
    ///
    /// Before there is a block it is not equal, by [`will_wake`](Waker::will_wake), to the clones that
    /// are made of it.
    ///
    /// # Panics
    ///
    /// If there is no such slot. Cloning the waker panics if memory for so many would not fit the
    /// address space.
    #[inline]
    #[track_caller]
    pub fn waker(&mut self, index: usize) -> WakerRef<'_> {
        assert!(index < self.len, "no slot {index} among {} sub-wakers", self.len);
        // Relaxed: the loan under which a thread made the block has ended, which orders that before us.
        let block = self.block.load(Ordering::Relaxed);
        let (data, vtable) = match NonNull::new(block) {
            // SAFETY: the block is ours, and has so many slots.
            Some(block) => unsafe { address(block, index) },
            None => {
                self.lent = index;
                (ptr::from_mut(self).cast_const().cast(), &LENT)
            }
        };
        // SAFETY: for the one vtable the data points to `self`, which is borrowed as long as the waker is
        // lent; for the others it is a slot of the block, which lives at least as long.
        WakerRef::new(unsafe { Waker::new(data, vtable) })
    }

    /// The array, if memory was needed: none of its slots was set by the owner.
    #[inline]
    pub fn into_vec(self) -> Option<WakerVec> {
        let len = self.len;
        // SAFETY: the block is made for so many, and its owner's reference is handed on.
        self.take().map(|block| unsafe { WakerVec::from_block(block, len) })
    }

    /// The array, if memory was needed: none of its slots was set by the owner.
    ///
    /// # Panics
    ///
    /// If it is not an array of `N`.
    #[inline]
    pub fn into_array<const N: usize>(self) -> Option<WakerArray<N>> {
        assert!(self.len == N, "{} sub-wakers for an array of {N}", self.len);
        // SAFETY: as in `into_vec`.
        self.take().map(|block| unsafe { WakerArray::from_block(block) })
    }

    #[inline]
    fn take(self) -> Option<NonNull<Root>> {
        let this = ManuallyDrop::new(self);
        // Relaxed: as in `waker`, no loan is left.
        NonNull::new(this.block.load(Ordering::Relaxed))
    }

    /// The block, made if there is none. Any thread that has a lent waker.
    #[cold]
    fn made(&self) -> NonNull<Root> {
        // ORDERING: Acquire, partner the exchange below: the block's first words.
        if let Some(block) = NonNull::new(self.block.load(Ordering::Acquire)) {
            return block;
        }
        let fresh = block::new(pages_for(self.len));
        let order = if cfg!(selvedge_mutant = "lazy_block_installed_relaxed") {
            Ordering::Relaxed
        } else {
            // ORDERING: Release, partner the two loads of this function: the block's first words.
            Ordering::Release
        };
        if cfg!(selvedge_mutant = "lazy_block_overwritten") {
            self.block.store(fresh.as_ptr(), order);
            return fresh;
        }
        // ORDERING: Acquire on failure, as for the load above.
        match self.block.compare_exchange(ptr::null_mut(), fresh.as_ptr(), order, Ordering::Acquire)
        {
            Ok(_) => fresh,
            Err(theirs) => {
                // SAFETY: ours, never shown to anybody; this is its one reference.
                unsafe { block::release_owner(fresh) };
                // SAFETY: the exchange failed, so it is not null.
                unsafe { NonNull::new_unchecked(theirs) }
            }
        }
    }
}

/// The waker of a slot of a heap block, as its two words.
///
/// # Safety
///
/// The block has such a slot.
#[inline]
unsafe fn address(block: NonNull<Root>, index: usize) -> (*const (), &'static RawWakerVTable) {
    // SAFETY: the slot's page, and the slot in it, lie within the block.
    let slot = unsafe { block.byte_add(index / SLOTS * PAGE + index % SLOTS) };
    (slot.as_ptr().cast_const().cast(), vtable_of(index >= SLOTS, true))
}

/// # Safety
///
/// `data` is that of a lent waker.
unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: borrowed for as long as the waker is lent.
    let lazy = unsafe { &*data.cast::<LazyWakers>() };
    let block = lazy.made();
    // SAFETY: alive, as the owner's reference is given back under an exclusive borrow only.
    unsafe { block.as_ref() }.refs.acquire();
    // SAFETY: the slot was checked when it was lent.
    let (slot, vtable) = unsafe { address(block, lazy.lent) };
    RawWaker::new(slot, vtable)
}

/// # Safety
///
/// As for [`clone`].
unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: as in `clone`.
    let lazy = unsafe { &*data.cast::<LazyWakers>() };
    // SAFETY: the slot was checked when it was lent.
    let (slot, _) = unsafe { address(lazy.made(), lazy.lent) };
    // SAFETY: a slot of a live block.
    unsafe { wake_slot(slot, lazy.lent >= SLOTS) };
}

impl fmt::Debug for LazyWakers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let made = !self.block.load(Ordering::Relaxed).is_null();
        f.debug_struct("LazyWakers").field("len", &self.len).field("made", &made).finish()
    }
}

impl Drop for LazyWakers {
    fn drop(&mut self) {
        // Relaxed: as in `waker`, no loan is left.
        if let Some(block) = NonNull::new(self.block.load(Ordering::Relaxed)) {
            // SAFETY: the owner's reference, given back once: `take` leaves no destructor to run.
            unsafe { block::release_owner(block) };
        }
    }
}
