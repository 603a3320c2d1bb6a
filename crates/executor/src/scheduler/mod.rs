#![doc = include_str!("DESIGN.md")]

mod chunks;
mod context;
mod dormant;
mod driver;
mod idle_word;
mod item;
mod main_flag;
mod patience;
mod reference;
mod ring;
mod run_queue;
mod search;
mod shutdown;
mod sleepers;
mod slot;
mod slots;
#[cfg(feature = "stats")]
mod stats;
mod tally;

use core::num::NonZeroU32;
use core::panic::RefUnwindSafe;
use core::ptr::{self, NonNull};
use core::task::Waker;
use std::fmt;

use selvedge_sync::atomic::{AtomicUsize, Ordering, full_fence_after_rmw};
use selvedge_sync::sync::LeakCheck;
use selvedge_task_core::{Gate, Inbox};

#[cfg(feature = "loom")]
pub use self::context::Turn;
pub use self::context::TurnOf;
#[cfg(feature = "loom")]
pub use self::driver::Sleep;
pub use self::driver::{Driver, Rest};
use self::idle_word::{IdleWord, Posted};
pub use self::item::Item;
pub use self::reference::SchedulerRef;
use self::run_queue::Publish;
use self::sleepers::Sleepers;
pub use self::sleepers::{Caller, SleeperId};
use self::slot::Slot;
use self::slots::Slots;
use self::tally::Tally;
pub use selvedge_task_core::Admission;

/// Everything that the wakers, spawners and drivers of one executor share.
///
/// Generic over what it queues, so that models can drive it with a stand-in for a task.
pub struct Scheduler<T: Item> {
    /// What spawners, wakers of main futures and the executor itself hold.
    references: AtomicUsize,
    /// Tasks that were spawned outside of any driver.
    spawned_outside: AtomicUsize,
    remote_wakes: Tally,
    gate: Gate,
    injector: Inbox<T>,
    idle: IdleWord,
    sleepers: Sleepers,
    last_nameless: AtomicUsize,
    /// Leases that are held.
    drivers: AtomicUsize,
    /// How often what a task did has woken a sleeper, who might as well have gone on searching.
    summons: AtomicUsize,
    slots: Slots<T>,
    freed: LeakCheck,
}

// No state of the scheduler is half-changed while code runs that may panic.
impl<T: Item> RefUnwindSafe for Scheduler<T> {}

/// Where the waker of a waiting task is kept.
///
/// Eight bytes, also in an `Option`: it is part of every task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DormantKey {
    slot: u32,
    /// The key in the slot, and one more.
    key: NonZeroU32,
}

/// Whether a task was woken by somebody else, or during its own poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// User code goes on after the task is queued: it may block.
    WhileIdle,
    /// The driver itself queues it when the poll is over, and takes the next one.
    WhileRunning,
}

impl<T: Item> Scheduler<T> {
    /// A scheduler with one reference, to be [released](Self::release).
    pub fn new() -> NonNull<Self> {
        NonNull::from(Box::leak(Box::new(Self {
            references: AtomicUsize::new(1),
            spawned_outside: AtomicUsize::new(0),
            remote_wakes: Tally::new(),
            gate: Gate::new(),
            injector: Inbox::new(),
            idle: IdleWord::new(),
            sleepers: Sleepers::new(),
            last_nameless: AtomicUsize::new(0),
            drivers: AtomicUsize::new(0),
            summons: AtomicUsize::new(0),
            slots: Slots::new(),
            freed: LeakCheck::new(),
        })))
    }

    /// Counts a task and queues what `make` makes of it, which calls no foreign code.
    #[inline]
    pub fn spawn(&self, make: impl FnOnce() -> T) {
        match context::current(self) {
            Some(slot) => {
                slot.count_spawn();
                self.enqueue(slot, make(), Publish::Fenced);
            }
            None => {
                self.spawned_outside.fetch_add(1, Ordering::Relaxed);
                self.inject(make());
            }
        }
    }

    /// Queues a task that has become ready, on whichever thread that happened.
    ///
    /// # Safety
    ///
    /// `this` is alive when the call begins: it is while a future is that was counted and not finished,
    /// such as the one of `item`.
    #[inline]
    pub unsafe fn schedule(this: NonNull<Self>, item: T, woken: Woken) {
        // SAFETY: passed on to the caller; a driver being polled on this thread keeps it for longer.
        match context::current(unsafe { this.as_ref() }) {
            Some(slot) => {
                let publish = match woken {
                    Woken::WhileIdle => Publish::Fenced,
                    Woken::WhileRunning => Publish::Quietly,
                };
                slot.scheduler().enqueue(slot, item, publish);
            }
            // SAFETY: passed on to the caller.
            None => unsafe { Self::send(this, item) },
        }
    }

    /// # Safety
    ///
    /// As for `schedule`.
    #[cold]
    unsafe fn send(this: NonNull<Self>, item: T) {
        // SAFETY: passed on to the caller; kept alive below.
        let scheduler = unsafe { this.as_ref() };
        scheduler.remote_wakes.count();
        let held = !cfg!(selvedge_mutant = "foreign_wake_unheld");
        // Once the item is in the queue the executor may be dropped: from then on only this holds.
        if held {
            scheduler.retain();
        }
        scheduler.inject(item);
        if held {
            // SAFETY: the reference that was just taken.
            unsafe { Self::release(this) };
        }
    }

    /// Adds an item to the queue of a driver that is being polled on this thread.
    #[inline]
    fn enqueue(&self, slot: &Slot<T>, item: T, publish: Publish) {
        // SAFETY: the driver that is being polled on this thread holds the lease, and with it the
        // owner's place.
        unsafe { slot.queue.push(item, publish) };
        if publish == Publish::Fenced && self.idle.posted() == Posted::Wake {
            self.summon();
        }
    }

    /// Adds an item to the queue of all.
    fn inject(&self, item: T) {
        self.injector.push(item);
        if cfg!(selvedge_mutant = "injection_unfenced") {
            return self.answer_post();
        }
        // The push ended with a read-modify-write.
        full_fence_after_rmw();
        self.answer_post();
        self.freed.used();
    }

    /// After work was made visible, and a full fence: sees to it that somebody comes for it.
    #[inline]
    fn answer_post(&self) {
        if self.idle.posted() == Posted::Wake {
            self.wake_some();
        }
    }

    #[cold]
    fn summon(&self) {
        self.summons.fetch_add(1, Ordering::Relaxed);
        self.wake_some();
    }

    #[cold]
    fn wake_some(&self) {
        self.sleepers.wake_some(&self.idle);
    }

    /// Wakes one driver, if it sleeps, after its main future was woken.
    #[cold]
    fn wake_driver(&self, id: SleeperId) {
        self.sleepers.wake_one(id);
    }

    /// Whether anything is in any queue.
    fn has_work(&self) -> bool {
        !self.injector.is_empty() || self.slots.iter().any(|slot| slot.queue.len() != 0)
    }

    /// A new name for a driver that sleeps without a slot.
    fn nameless_sleeper(&self) -> SleeperId {
        SleeperId::nameless(self.last_nameless.fetch_add(1, Ordering::Relaxed) as u64)
    }

    /// Asks for leave to add one item from outside, which then counts as spawned.
    pub fn admit(&self) -> Admission {
        if cfg!(selvedge_mutant = "spawner_admitted_uncounted") && !self.gate.is_closed() {
            return Admission::Admitted;
        }
        self.gate.admit()
    }

    /// Queues an item that was admitted.
    pub fn accept(&self, item: T) {
        match context::current(self) {
            Some(slot) => self.enqueue(slot, item, Publish::Fenced),
            None => self.inject(item),
        }
    }

    /// Whether the executor has been dropped, or is about to be.
    pub fn is_closed(&self) -> bool {
        self.gate.is_closed()
    }

    /// Admits nothing more from spawners.
    pub fn close(&self) {
        self.gate.close();
    }

    /// Whether a driver is being polled further down this thread's stack.
    pub fn is_driven_here(&self) -> bool {
        context::is_driven(self)
    }

    /// Keeps the waker of a task that waits, so that a shutdown can find it. In a poll of the task.
    pub fn keep_dormant(&self, waker: Waker) -> DormantKey {
        let slot = context::current(self).expect("a task is polled by a driver");
        // SAFETY: the driver that is being polled on this thread holds the lease.
        let index = unsafe { slot.dormant.keep(waker) };
        let key = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        let key = key.expect("fewer than 2^32 tasks wait at once");
        DormantKey { slot: slot.index(), key }
    }

    /// Gives back a waker that was kept, unless a shutdown has taken it.
    ///
    /// # Safety
    ///
    /// The task that has kept it is being polled or dropped by the calling thread, and does not use the
    /// key again.
    pub unsafe fn take_dormant(&self, key: DormantKey) -> Option<Waker> {
        let slot = self.slots.get(key.slot as usize);
        let index = key.key.get() as usize - 1;
        let here = context::current(self).is_some_and(|current| ptr::eq(current, slot));
        if here || cfg!(selvedge_mutant = "entry_emptied_elsewhere_kept_here") {
            // SAFETY: passed on to the caller; the driver that is being polled here holds the lease.
            unsafe { slot.dormant.take_here(index) }
        } else {
            // SAFETY: passed on to the caller.
            unsafe { slot.dormant.take_elsewhere(index) }
        }
    }

    /// Counts a task whose future is gone. On a thread that polls a driver, or in the shutdown.
    #[inline]
    pub fn finish_one(&self) {
        let slot = context::current(self);
        slot.expect("a future is dropped where a driver, or the shutdown, runs it").count_finish();
    }

    /// How many tasks there are that have not been finished.
    ///
    /// Zero only if there was none at some moment of the call, and more than zero only if there was
    /// one: what is finished is counted first, so a task that is spawned meanwhile counts as alive.
    pub fn unfinished(&self) -> usize {
        let finished = self.slots.iter().map(Slot::finished).fold(0_usize, usize::wrapping_add);
        // The gate's count lacks the topmost bit.
        self.spawned().wrapping_sub(finished) & (usize::MAX >> 1)
    }

    /// How many tasks were ever spawned, modulo half the range.
    fn spawned(&self) -> usize {
        let spawned = self.slots.iter().map(Slot::spawned).fold(0_usize, usize::wrapping_add);
        let outside =
            self.spawned_outside.load(Ordering::Relaxed).wrapping_add(self.gate.admitted());
        spawned.wrapping_add(outside)
    }

    /// How many items are in the queues.
    pub fn queued(&self) -> usize {
        self.injector.len() + self.slots.iter().map(|slot| slot.queue.len()).sum::<usize>()
    }

    /// How many drivers sleep.
    pub fn sleeping(&self) -> usize {
        self.sleepers.len()
    }
}

impl<T: Item> fmt::Debug for Scheduler<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scheduler")
            .field("idle", &self.idle)
            .field("gate", &self.gate)
            .field("drivers", &self.drivers.load(Ordering::Relaxed))
            .finish_non_exhaustive()
    }
}
