//! Where the main future of a driver is told that it was woken.

use core::mem::ManuallyDrop;
use core::ptr;
use core::task::{RawWaker, RawWakerVTable, Waker};
use std::process::abort;

use selvedge_sync::atomic::{AtomicBool, AtomicUsize, Ordering, full_fence_after_rmw};

use super::slot::Slot;
use super::{Item, Scheduler};

/// More clones than this can only be leaks; to go on would overflow.
const LIMIT: usize = isize::MAX as usize;

/// A flag, and a count of the wakers that may raise it.
pub(super) struct MainFlag {
    woken: AtomicBool,
    /// Clones of the waker. Each of them holds a reference to the scheduler as well.
    clones: AtomicUsize,
}

impl MainFlag {
    /// Down, without wakers.
    pub(super) fn new() -> Self {
        Self { woken: AtomicBool::new(false), clones: AtomicUsize::new(0) }
    }

    /// Whether wakers of an earlier driver are left, which might raise the flag.
    pub(super) fn has_wakers(&self) -> bool {
        // ORDERING: Acquire, from `drop_waker`: a wake of that waker is over.
        self.clones.load(Ordering::Acquire) != 0
    }

    /// Puts the flag up or down for a new driver.
    pub(super) fn reset(&self, woken: bool) {
        self.woken.store(woken, Ordering::Relaxed);
    }

    /// Takes the flag down, and says whether it was up.
    #[inline]
    pub(super) fn take(&self) -> bool {
        // ORDERING: Acquire on the swap, from `wake_waker_by_ref`: what the waking threads wrote. The
        // load before it, relaxed, only spares the read-modify-write where nobody came.
        self.is_up() && self.woken.swap(false, Ordering::Acquire)
    }

    /// Whether the flag is up.
    #[inline]
    pub(super) fn is_up(&self) -> bool {
        self.woken.load(Ordering::Relaxed)
    }
}

impl<T: Item> Slot<T> {
    /// The main future's waker, borrowed: no reference is counted.
    pub(super) fn main_waker(&self) -> ManuallyDrop<Waker> {
        // SAFETY: the functions of the table keep a waker's contract, see there; `ManuallyDrop` gives
        // no clone back that was never taken, and the slot outlives the driver's borrow.
        ManuallyDrop::new(unsafe { Waker::new(ptr::from_ref(self).cast(), Self::VTABLE) })
    }

    const VTABLE: &'static RawWakerVTable = &RawWakerVTable::new(
        Self::clone_waker,
        Self::wake_waker,
        Self::wake_waker_by_ref,
        Self::drop_waker,
    );

    /// # Safety
    ///
    /// `slot` is the data of a waker of a slot that is alive.
    unsafe fn clone_waker(slot: *const ()) -> RawWaker {
        // SAFETY: passed on to the caller.
        let this = unsafe { &*slot.cast::<Self>() };
        // Relaxed: as in `Arc`, whoever clones has a claim of its own: a clone, or the driver's borrow.
        if this.main.clones.fetch_add(1, Ordering::Relaxed) > LIMIT {
            abort();
        }
        this.scheduler().retain();
        RawWaker::new(slot, Self::VTABLE)
    }

    /// # Safety
    ///
    /// As for `clone_waker`; consumes one clone.
    unsafe fn wake_waker(slot: *const ()) {
        // SAFETY: passed on to the caller.
        unsafe { Self::wake_waker_by_ref(slot) };
        // SAFETY: passed on to the caller.
        unsafe { Self::drop_waker(slot) };
    }

    /// # Safety
    ///
    /// As for `clone_waker`.
    unsafe fn wake_waker_by_ref(slot: *const ()) {
        // SAFETY: passed on to the caller.
        let this = unsafe { &*slot.cast::<Self>() };
        // ORDERING: Release, to `take`: what this thread wrote before the wake. A flag that was up
        // already belongs to an earlier waker, which looks for the driver or has done so.
        if !this.main.woken.swap(true, Ordering::Release) {
            full_fence_after_rmw();
            if !cfg!(selvedge_mutant = "main_wake_unannounced") && this.announced_sleep() {
                this.scheduler().wake_driver(this.sleeper_id());
            }
        }
    }

    /// # Safety
    ///
    /// As for `clone_waker`; consumes one clone.
    unsafe fn drop_waker(slot: *const ()) {
        // SAFETY: passed on to the caller.
        let this = unsafe { &*slot.cast::<Self>() };
        let scheduler = this.scheduler_address();
        // ORDERING: Release, to `has_wakers`: this waker raises the flag no more.
        this.main.clones.fetch_sub(1, Ordering::Release);
        // SAFETY: the clone's reference ends here.
        unsafe { Scheduler::release(scheduler) };
    }
}
