//! Where the main future of a driver is told that it was woken.

use core::mem::ManuallyDrop;
use core::panic::RefUnwindSafe;
use core::ptr::{self, NonNull};
use core::task::{RawWaker, RawWakerVTable, Waker};
use std::fmt;

use selvedge_sync::atomic::{AtomicBool, Ordering};
use selvedge_sync::cell::UnsafeCell;

use super::biased_count::BiasedCount;
use super::{Owner, Scheduler, SleeperId};

/// One driver's flags, and the target of its main future's waker.
pub(super) struct MainSlot<T> {
    /// The scheduler that this slot belongs to.
    scheduler: NonNull<Scheduler<T>>,
    id: SleeperId,
    /// Clones of the waker. Each of them holds a reference to the scheduler as well.
    clones: BiasedCount,
    /// Woken by another thread.
    remote: AtomicBool,
    /// Woken by the owner thread. Owner only.
    local: UnsafeCell<bool>,
    /// In use by a driver. Owner only.
    leased: UnsafeCell<bool>,
}

// As for the scheduler, whose part it is.
impl<T> RefUnwindSafe for MainSlot<T> {}

impl<T> MainSlot<T> {
    /// A free slot.
    pub(super) fn new(scheduler: NonNull<Scheduler<T>>, id: SleeperId) -> Self {
        Self {
            scheduler,
            id,
            clones: BiasedCount::new(),
            remote: AtomicBool::new(false),
            local: UnsafeCell::new(false),
            leased: UnsafeCell::new(false),
        }
    }

    #[inline]
    pub(super) fn scheduler(&self) -> NonNull<Scheduler<T>> {
        self.scheduler
    }

    /// Takes the slot for a driver, unless another one or a stale waker still uses it.
    pub(super) fn try_lease<'s>(&'s self, owner: Owner<'s, T>) -> Option<SlotLease<'s, T>> {
        // SAFETY: `owner` says that this is the owner thread, and no other borrow is alive.
        let leased = self.leased.with(|leased| unsafe { *leased });
        let stale_wakers = !cfg!(selvedge_mutant = "slot_reused_under_stale_wakers")
            && !self.clones.is_zero(owner);
        if leased || stale_wakers {
            return None;
        }
        self.set_leased(owner, true);
        self.remote.store(false, Ordering::Relaxed);
        self.set_local(owner, true);
        Some(SlotLease { slot: self, owner })
    }

    fn set_leased(&self, _: Owner<'_, T>, value: bool) {
        // SAFETY: on the owner thread, and no other borrow is alive.
        self.leased.with_mut(|leased| unsafe { *leased = value });
    }

    fn set_local(&self, _: Owner<'_, T>, value: bool) {
        // SAFETY: on the owner thread, and no other borrow is alive.
        self.local.with_mut(|local| unsafe { *local = value });
    }

    fn local(&self, _: Owner<'_, T>) -> bool {
        // SAFETY: on the owner thread, and no other borrow is alive.
        self.local.with(|local| unsafe { *local })
    }

    /// Raises the flag and sees to it that the driver looks.
    fn wake(&self) {
        // SAFETY: whoever can wake holds a clone, and with it the scheduler, or borrows the waker
        // from a driver, which borrows the executor.
        let scheduler = unsafe { self.scheduler.as_ref() };
        match scheduler.owner() {
            Some(owner) => {
                self.set_local(owner, true);
                if scheduler.signal.may_have_sleepers() {
                    scheduler.wake_driver(self.id);
                }
            }
            None => {
                // ORDERING: Release, to `take_woken`: what this thread wrote before the wake. A flag
                // that was up already belongs to an earlier waker, which probes or has probed.
                let raised = !self.remote.swap(true, Ordering::Release);
                if raised && !cfg!(selvedge_mutant = "main_wake_unprobed") {
                    scheduler.wake_driver(self.id);
                }
            }
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
    /// `slot` is the data of a waker of a slot that is alive.
    unsafe fn clone_waker(slot: *const ()) -> RawWaker {
        // SAFETY: passed on to the caller.
        let this = unsafe { &*slot.cast::<Self>() };
        // SAFETY: whoever clones holds a clone, or borrows the waker from a driver.
        let scheduler = unsafe { this.scheduler.as_ref() };
        match scheduler.owner() {
            Some(owner) => this.clones.add_here(owner),
            None => this.clones.add_elsewhere(),
        }
        scheduler.retain();
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
        unsafe { &*slot.cast::<Self>() }.wake();
    }

    /// # Safety
    ///
    /// As for `clone_waker`; consumes one clone.
    unsafe fn drop_waker(slot: *const ()) {
        // SAFETY: passed on to the caller.
        let this = unsafe { &*slot.cast::<Self>() };
        let address = this.scheduler;
        // SAFETY: the clone that ends here holds the scheduler.
        let scheduler = unsafe { address.as_ref() };
        // Only a later lease asks whether any clone is left.
        let _ = match scheduler.owner() {
            Some(owner) => this.clones.remove_here(&owner),
            None => this.clones.remove_elsewhere(),
        };
        // SAFETY: the clone's reference ends here.
        unsafe { Scheduler::release(address) };
    }
}

/// A driver's hold on a main slot, given back on drop.
pub struct SlotLease<'s, T> {
    slot: &'s MainSlot<T>,
    owner: Owner<'s, T>,
}

impl<T> SlotLease<'_, T> {
    /// The name under which the driver sleeps.
    pub fn sleeper_id(&self) -> SleeperId {
        self.slot.id
    }

    /// The main future's waker, borrowed from the slot: no reference is counted.
    pub fn waker(&self) -> ManuallyDrop<Waker> {
        let data = ptr::from_ref(self.slot).cast::<()>();
        // SAFETY: the functions of the table keep a waker's contract, see there; `ManuallyDrop` gives
        // no clone back that was never taken, and the slot outlives the driver's borrow.
        ManuallyDrop::new(unsafe { Waker::new(data, MainSlot::<T>::VTABLE) })
    }

    /// Whether the main future was woken since it was last asked with this result.
    #[inline]
    pub fn take_woken(&self) -> bool {
        let local = self.slot.local(self.owner);
        if local {
            self.slot.set_local(self.owner, false);
        }
        // ORDERING: Acquire on the swap, from `wake`: what the waking threads wrote. The load
        // before it, relaxed, only spares the read-modify-write where nobody came.
        let remote = self.slot.remote.load(Ordering::Relaxed)
            && self.slot.remote.swap(false, Ordering::Acquire);
        local | remote
    }

    /// Whether the main future waits to be polled.
    pub fn is_woken(&self) -> bool {
        // Relaxed: after `announce` it sees the flag of every probe that came first.
        self.slot.local(self.owner) || self.slot.remote.load(Ordering::Relaxed)
    }
}

impl<T> Drop for SlotLease<'_, T> {
    fn drop(&mut self) {
        self.slot.set_leased(self.owner, false);
        self.owner.take_back(self.slot);
    }
}

impl<T> fmt::Debug for SlotLease<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SlotLease").field("id", &self.slot.id).finish_non_exhaustive()
    }
}
