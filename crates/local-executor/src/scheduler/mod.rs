#![doc = include_str!("DESIGN.md")]

mod biased_count;
mod main_slot;
mod owner;
mod reference;
mod run_queue;
mod shutdown;
mod signal;
mod sleepers;
#[cfg(feature = "stats")]
mod tally;
mod turn;

use core::panic::RefUnwindSafe;
use core::ptr::NonNull;
use std::fmt;

use selvedge_sync::cell::UnsafeCell;
use selvedge_sync::sync::LeakCheck;
use selvedge_sync::thread::ThreadId;
pub use selvedge_task_core::Admission;
use selvedge_task_core::{Gate, Inbox};

use self::biased_count::BiasedCount;
use self::main_slot::MainSlot;
pub use self::main_slot::SlotLease;
use self::owner::Owned;
pub use self::owner::{DormantKey, Owner, Sleep};
pub use self::reference::SchedulerRef;
use self::signal::{Posted, Probed, Roused, Signal};
pub use self::sleepers::SleeperId;
use self::sleepers::Sleepers;

/// Everything that the wakers, spawners and drivers of one local executor share.
///
/// Generic over what it queues, so that models can drive it with a stand-in for a task.
pub struct Scheduler<T> {
    owner_thread: ThreadId,
    references: BiasedCount,
    signal: Signal,
    gate: Gate,
    inbox: Inbox<T>,
    sleepers: Sleepers,
    first_slot: MainSlot<T>,
    owned: UnsafeCell<Owned<T>>,
    #[cfg(feature = "stats")]
    remote_wakes: selvedge_sync::atomic::AtomicUsize,
    freed: LeakCheck,
}

// SAFETY: items cross threads through the inbox only, hence `T: Send`; `owned`, the local flags of
// main slots and the owner's part of counts are touched by the owner thread alone, which `Owner`
// stands for, and hold nothing that needs a particular thread when the last reference falls.
unsafe impl<T: Send> Send for Scheduler<T> {}
// SAFETY: as above; all the rest synchronises itself.
unsafe impl<T: Send> Sync for Scheduler<T> {}

// No state of the scheduler is half-changed while code runs that may panic.
impl<T> RefUnwindSafe for Scheduler<T> {}

impl<T> Scheduler<T> {
    /// A scheduler owned by the calling thread, which lives until it is [abandoned](Self::abandon) and
    /// no reference is left.
    pub fn new() -> NonNull<Self> {
        let memory = Box::leak(Box::<Self>::new_uninit());
        let address = NonNull::from(&mut *memory).cast();
        // Built in place, as it names its own address.
        memory.write(Self {
            owner_thread: ThreadId::current(),
            references: BiasedCount::new(),
            signal: Signal::new(),
            gate: Gate::new(),
            inbox: Inbox::new(),
            sleepers: Sleepers::new(),
            first_slot: MainSlot::new(address, SleeperId::FIRST_SLOT),
            owned: UnsafeCell::new(Owned::new()),
            #[cfg(feature = "stats")]
            remote_wakes: selvedge_sync::atomic::AtomicUsize::new(0),
            freed: LeakCheck::new(),
        });
        NonNull::from(memory).cast()
    }

    /// Where this lies.
    fn address(&self) -> NonNull<Self> {
        self.first_slot.scheduler()
    }

    /// The owner's view, where the calling thread is the owner.
    #[inline]
    pub fn owner(&self) -> Option<Owner<'_, T>> {
        // SAFETY: the ids are equal, and a thread's id belongs to it alone.
        self.owner_thread.is_current().then(|| unsafe { Owner::new(self) })
    }

    /// The owner's view, without asking.
    ///
    /// # Safety
    ///
    /// The calling thread is the one that made the scheduler.
    #[inline]
    pub unsafe fn assume_owner(&self) -> Owner<'_, T> {
        debug_assert!(self.owner_thread.is_current(), "not the owner thread of this executor");
        // SAFETY: passed on to the caller.
        unsafe { Owner::new(self) }
    }

    /// Queues an item that has become ready, on whichever thread that happened.
    #[inline]
    pub fn schedule(&self, item: T) {
        match self.owner() {
            Some(owner) => owner.enqueue(item),
            None => self.mail(item),
        }
    }

    /// Asks for leave to add one item from outside.
    pub fn admit(&self) -> Admission {
        if cfg!(selvedge_mutant = "admission_uncounted") && !self.gate.is_closed() {
            return Admission::Admitted;
        }
        self.gate.admit()
    }

    /// Whether the executor has been dropped, or is about to be.
    pub fn is_closed(&self) -> bool {
        self.gate.is_closed()
    }

    /// Sends an item to the owner from another thread.
    #[cold]
    fn mail(&self, item: T) {
        self.inbox.push(item);
        if !cfg!(selvedge_mutant = "post_skipped") && self.signal.post() == Posted::WakeSleepers {
            self.sleepers.wake_all();
        }
    }

    /// Wakes all sleeping drivers, unless somebody has undertaken that already.
    #[cold]
    fn rouse(&self) {
        if self.signal.rouse() == Roused::WakeSleepers {
            self.sleepers.wake_all();
        }
    }

    /// Wakes one driver, if it sleeps, after its main future was woken.
    fn wake_driver(&self, id: SleeperId) {
        if self.signal.probe() == Probed::SomeSleep {
            self.sleepers.wake_one(id);
        }
    }
}

impl<T> fmt::Debug for Scheduler<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scheduler")
            .field("owner_thread", &self.owner_thread)
            .field("signal", &self.signal)
            .field("gate", &self.gate)
            .finish_non_exhaustive()
    }
}
