//! Where the main future of a driver is told that it was woken.

use core::mem::ManuallyDrop;
use core::ops::Deref;
use core::ptr::NonNull;
use core::task::{RawWaker, RawWakerVTable, Waker};
use std::process::abort;

use selvedge_sync::atomic::{AtomicBool, AtomicUsize, Ordering, full_fence_after_rmw};
use selvedge_sync::sync::LeakCheck;

use super::reference::SchedulerRef;
use super::sleepers::SleeperId;
use super::{Item, Scheduler};

/// More clones than this can only be leaks; to go on would overflow.
const LIMIT: usize = isize::MAX as usize;

/// The target of a main future's waker.
///
/// It belongs to a slot, and goes from one driver to the next while nobody keeps a waker; otherwise it
/// is left to those wakers, and the slot gets a new one.
pub(super) struct MainFlag<T: Item> {
    woken: AtomicBool,
    /// The driver sleeps, or is about to.
    asleep: AtomicBool,
    /// The slot's reference and the wakers.
    references: AtomicUsize,
    id: SleeperId,
    /// A wake needs the list of sleepers, and may come when the executor is gone.
    scheduler: SchedulerRef<T>,
    freed: LeakCheck,
}

/// The slot's reference to its flag.
pub(super) struct MainRef<T: Item>(NonNull<MainFlag<T>>);

// SAFETY: as for `Arc`, of what is `Send` and `Sync`.
unsafe impl<T: Item> Send for MainRef<T> {}
// SAFETY: as above.
unsafe impl<T: Item> Sync for MainRef<T> {}

impl<T: Item> MainRef<T> {
    /// A flag for the driver of a slot.
    pub(super) fn new(scheduler: &Scheduler<T>, id: SleeperId) -> Self {
        let flag = MainFlag {
            woken: AtomicBool::new(false),
            asleep: AtomicBool::new(false),
            references: AtomicUsize::new(1),
            id,
            scheduler: SchedulerRef::new(scheduler),
            freed: LeakCheck::new(),
        };
        Self(NonNull::from(Box::leak(Box::new(flag))))
    }

    /// Whether wakers of an earlier driver are left, which might raise the flag.
    pub(super) fn has_wakers(&self) -> bool {
        // ORDERING: Acquire, from `release`: a wake of that waker is over.
        self.references.load(Ordering::Acquire) != 1
    }

    /// Where the flag is.
    pub(super) fn address(&self) -> NonNull<MainFlag<T>> {
        self.0
    }
}

impl<T: Item> Deref for MainRef<T> {
    type Target = MainFlag<T>;

    fn deref(&self) -> &MainFlag<T> {
        // SAFETY: `self` is counted, so the flag is alive.
        unsafe { self.0.as_ref() }
    }
}

impl<T: Item> Drop for MainRef<T> {
    fn drop(&mut self) {
        // SAFETY: `self` was counted, and is not used again.
        unsafe { MainFlag::release(self.0) };
    }
}

impl<T: Item> MainFlag<T> {
    /// Up, for a main future that was never polled.
    pub(super) fn reset(&self) {
        self.woken.store(true, Ordering::Relaxed);
    }

    /// Takes the flag down, and says whether it was up.
    #[inline]
    pub(super) fn take(&self) -> bool {
        // ORDERING: Acquire on the swap, from `wake`: what the waking threads wrote. The load before
        // it, relaxed, only spares the read-modify-write where nobody came.
        self.is_up() && self.woken.swap(false, Ordering::Acquire)
    }

    /// Whether the flag is up.
    #[inline]
    pub(super) fn is_up(&self) -> bool {
        self.woken.load(Ordering::Relaxed)
    }

    /// Before a fence, and a last look at the flag.
    pub(super) fn set_asleep(&self, asleep: bool) {
        self.asleep.store(asleep, Ordering::Relaxed);
    }

    /// The main future's waker, borrowed: no reference is counted.
    pub(super) fn waker(&self) -> ManuallyDrop<Waker> {
        let data = NonNull::from(self).as_ptr().cast_const().cast();
        // SAFETY: the functions of the table keep a waker's contract, see there; `ManuallyDrop` gives
        // no clone back that was never taken, and the flag outlives the driver's borrow.
        ManuallyDrop::new(unsafe { Waker::new(data, Self::VTABLE) })
    }

    /// Raises the flag and sees to it that the driver looks.
    fn wake(&self) {
        // ORDERING: Release, to `take`: what this thread wrote before the wake. A flag that was up
        // already belongs to an earlier waker, which looks for the driver or has done so.
        if self.woken.swap(true, Ordering::Release) {
            return;
        }
        if !cfg!(selvedge_mutant = "main_wake_unfenced") {
            full_fence_after_rmw();
        }
        self.freed.used();
        if self.asleep.load(Ordering::Relaxed) && !cfg!(selvedge_mutant = "main_wake_unannounced") {
            self.scheduler.wake_driver(self.id);
        }
    }

    /// Gives up a reference, and frees the flag if it was the last.
    ///
    /// # Safety
    ///
    /// The caller owns one reference, which ends here.
    unsafe fn release(this: NonNull<Self>) {
        // SAFETY: the reference that ends here keeps it alive until the count says otherwise.
        let references = unsafe { &(*this.as_ptr()).references };
        // ORDERING: AcqRel. Release: this waker raises the flag no more, for `has_wakers` and for the
        // one that frees. Acquire: so is everybody else's use over, if it is us.
        if references.fetch_sub(1, Ordering::AcqRel) == 1 {
            // SAFETY: it came from a box in `MainRef::new`, and nobody refers to it any more.
            drop(unsafe { Box::from_raw(this.as_ptr()) });
        }
    }

    const VTABLE: &'static RawWakerVTable = &RawWakerVTable::new(
        Self::clone_waker,
        Self::wake_waker,
        Self::wake_waker_by_ref,
        Self::drop_waker,
    );

    /// # Safety
    ///
    /// `flag` is the data of a waker of a flag that is alive.
    unsafe fn clone_waker(flag: *const ()) -> RawWaker {
        // SAFETY: passed on to the caller.
        let this = unsafe { &*flag.cast::<Self>() };
        // Relaxed: as in `Arc`, whoever clones has a claim of its own: a waker, or the driver's borrow.
        if this.references.fetch_add(1, Ordering::Relaxed) > LIMIT {
            abort();
        }
        RawWaker::new(flag, Self::VTABLE)
    }

    /// # Safety
    ///
    /// As for `clone_waker`; consumes one reference.
    unsafe fn wake_waker(flag: *const ()) {
        // SAFETY: passed on to the caller.
        unsafe { Self::wake_waker_by_ref(flag) };
        // SAFETY: passed on to the caller.
        unsafe { Self::drop_waker(flag) };
    }

    /// # Safety
    ///
    /// As for `clone_waker`.
    unsafe fn wake_waker_by_ref(flag: *const ()) {
        // SAFETY: passed on to the caller.
        unsafe { &*flag.cast::<Self>() }.wake();
    }

    /// # Safety
    ///
    /// As for `clone_waker`; consumes one reference.
    unsafe fn drop_waker(flag: *const ()) {
        // SAFETY: a waker's data is not null.
        let flag = unsafe { NonNull::new_unchecked(flag.cast_mut().cast()) };
        // SAFETY: passed on to the caller.
        unsafe { Self::release(flag) };
    }
}
