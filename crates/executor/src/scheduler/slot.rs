//! The place of one driver in a scheduler.

use core::ptr::NonNull;

use selvedge_sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use selvedge_sync::cell::UnsafeCell;

use super::context;
use super::dormant::Dormant;
use super::main_flag::{MainFlag, MainRef};
use super::patience::Hope;
use super::run_queue::{Apart, RunQueue};
use super::sleepers::SleeperId;
use super::tally::Tally;
use super::{Item, Scheduler};

/// A run queue and what else a driver needs, kept for the next driver when this one is gone.
///
/// Everybody may take from the queue, at any time; whoever holds the lease may push.
#[repr(C)]
pub(super) struct Slot<T: Item> {
    pub(super) queue: RunQueue<T>,
    counts: Counts,
    /// Polls of tasks, and successful looks into other queues, by whoever held the lease.
    pub(super) polls: Tally,
    pub(super) steals: Tally,
    notes: UnsafeCell<Notes>,
    main: UnsafeCell<Option<MainRef<T>>>,
    /// The thread on which the driver is in the middle of a poll, or zero.
    polled: AtomicUsize,
    scheduler: NonNull<Scheduler<T>>,
    index: u32,
    _apart: Apart,
    leased: AtomicBool,
    /// Wakers of tasks that wait and first did so on this driver.
    pub(super) dormant: Dormant,
    _apart_too: Apart,
}

/// How many tasks began and ended on a driver, for ever, modulo the range.
///
/// Two counts that only grow tell more than a balance: see `Scheduler::unfinished`.
struct Counts {
    spawned: AtomicUsize,
    finished: AtomicUsize,
}

/// What a driver remembers between two polls.
#[derive(Default)]
pub(super) struct Notes {
    /// Tasks run one at a time since the last look around.
    pub(super) ticks: u32,
    /// The slot that is looked at next, and whether it was looked at once.
    pub(super) watched: usize,
    pub(super) looked: bool,
    /// How many items had ever been taken from each slot's queue, when it was last looked at.
    pub(super) taken: Vec<Option<usize>>,
    pub(super) hope: Hope,
}

// SAFETY: the queue and the counts are written by the holder of the lease alone, as are the notes;
// everything else synchronises itself.
unsafe impl<T: Item> Sync for Slot<T> {}
// SAFETY: as above.
unsafe impl<T: Item> Send for Slot<T> {}

impl<T: Item> Slot<T> {
    pub(super) fn new(scheduler: NonNull<Scheduler<T>>, index: u32) -> Self {
        Self {
            queue: RunQueue::new(),
            counts: Counts { spawned: AtomicUsize::new(0), finished: AtomicUsize::new(0) },
            polls: Tally::new(),
            steals: Tally::new(),
            notes: UnsafeCell::new(Notes::default()),
            main: UnsafeCell::new(None),
            polled: AtomicUsize::new(0),
            scheduler,
            index,
            _apart: [0; 15],
            leased: AtomicBool::new(false),
            dormant: Dormant::new(),
            _apart_too: [0; 15],
        }
    }

    pub(super) fn index(&self) -> u32 {
        self.index
    }

    pub(super) fn sleeper_id(&self) -> SleeperId {
        SleeperId::of_slot(self.index)
    }

    pub(super) fn scheduler(&self) -> &Scheduler<T> {
        // SAFETY: a slot is part of its scheduler.
        unsafe { self.scheduler.as_ref() }
    }

    /// Takes the slot for a driver, unless another one has it.
    pub(super) fn try_lease(&self) -> bool {
        // ORDERING: Acquire, from `give_back`: what the last holder did as the owner of the queue.
        !self.leased.load(Ordering::Relaxed) && !self.leased.swap(true, Ordering::Acquire)
    }

    /// Leaves the slot, and what is in its queue, to others.
    pub(super) fn give_back(&self) {
        // ORDERING: Release, to `try_lease`: what we did as the owner of the queue.
        self.leased.store(false, Ordering::Release);
    }

    /// Reads and writes the notes.
    ///
    /// # Safety
    ///
    /// The calling thread holds the lease.
    pub(super) unsafe fn notes<R>(&self, access: impl FnOnce(&mut Notes) -> R) -> R {
        // SAFETY: passed on to the caller; the closures passed here do not call back.
        self.notes.with_mut(|notes| access(unsafe { &mut *notes }))
    }

    /// Notes that a poll begins, on this thread.
    pub(super) fn begin_poll(&self) {
        self.polled.store(context::this_thread(), Ordering::Relaxed);
    }

    /// Notes that it has ended.
    pub(super) fn end_poll(&self) {
        self.polled.store(0, Ordering::Relaxed);
    }

    /// Whether the driver is in the middle of a poll on another thread. A hint: nothing but patience
    /// depends on it. (One that is further down this thread's stack does not get on by our waiting.)
    pub(super) fn is_polled_elsewhere(&self) -> bool {
        let thread = self.polled.load(Ordering::Relaxed);
        thread != 0 && thread != context::this_thread()
    }

    /// A flag for the driver's main future, up: the one of the last driver, unless wakers of that are
    /// left.
    ///
    /// # Safety
    ///
    /// The calling thread holds the lease, and the flag is used until it is given back at most.
    pub(super) unsafe fn main_flag(&self) -> NonNull<MainFlag<T>> {
        // SAFETY: passed on to the caller; the closure runs no foreign code but the drop of a flag that
        // others use, which is their affair.
        self.main.with_mut(|main| {
            // SAFETY: as above.
            let main = unsafe { &mut *main };
            let stale = |main: &MainRef<T>| {
                main.has_wakers() && !cfg!(selvedge_mutant = "main_flag_reused_under_stale_wakers")
            };
            if main.as_ref().is_some_and(stale) {
                *main = None;
            }
            let main =
                main.get_or_insert_with(|| MainRef::new(self.scheduler(), self.sleeper_id()));
            main.reset();
            main.address()
        })
    }

    /// Counts a task that begins on this driver. For the holder of the lease.
    #[inline]
    pub(super) fn count_spawn(&self) {
        // Relaxed: whoever sees the task finished has got it through a queue.
        let spawned = self.counts.spawned.load(Ordering::Relaxed);
        self.counts.spawned.store(spawned.wrapping_add(1), Ordering::Relaxed);
    }

    /// Counts a task that ends on this driver. For the holder of the lease.
    #[inline]
    pub(super) fn count_finish(&self) {
        let finished = self.counts.finished.load(Ordering::Relaxed);
        // ORDERING: Release, to `finished`: the count of the task's spawn, wherever it was.
        self.counts.finished.store(finished.wrapping_add(1), Ordering::Release);
    }

    pub(super) fn finished(&self) -> usize {
        // ORDERING: Acquire, from `count_finish`: the spawn of what is counted there.
        self.counts.finished.load(Ordering::Acquire)
    }

    pub(super) fn spawned(&self) -> usize {
        self.counts.spawned.load(Ordering::Relaxed)
    }
}
