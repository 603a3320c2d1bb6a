//! What drives a scheduler: a slot on lease, and the ways to come by an item.

use core::mem::ManuallyDrop;
use core::task::Waker;
use std::fmt;

use selvedge_sync::atomic::Ordering;

use super::context::{self, Turn, TurnOf};
use super::idle_word::{Announced, Ceased};
use super::main_flag::MainFlag;
use super::patience::Hope;
use super::sleepers::{Caller, Left, SleeperId};
use super::slot::Slot;
use super::{Item, Scheduler};

/// A driver's hold on a slot, given back on drop; what is in its queue stays within reach of all.
pub struct Driver<'s, T: Item> {
    pub(super) scheduler: &'s Scheduler<T>,
    pub(super) slot: &'s Slot<T>,
    main: Option<&'s MainFlag<T>>,
    caller: Caller,
    /// In the list of sleepers since the end of the last poll.
    listed: bool,
    /// Counts as a searcher.
    pub(super) searching: bool,
    /// Was a searcher until it announced its sleep, and stayed awake: posts may have relied on it.
    pub(super) relied_on: bool,
}

/// Whether a driver may return `Pending` to its caller.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sleep {
    /// The waker will be woken when there is something to do.
    Asleep,
    /// There is something to do now.
    WorkArrived,
}

/// What a driver without work of its own has come by.
#[must_use]
#[derive(Debug)]
pub enum Rest<T> {
    /// An item to run now.
    Found(T),
    /// Its main future was woken.
    MainWoken,
    /// Nothing: its waker will be woken.
    Asleep,
}

impl<'s, T: Item> Driver<'s, T> {
    /// Takes a slot for a driver without a main future.
    pub fn new(scheduler: &'s Scheduler<T>, caller: Caller) -> Self {
        let slot = scheduler.slots.lease(scheduler);
        scheduler.drivers.fetch_add(1, Ordering::Relaxed);
        Self {
            scheduler,
            slot,
            main: None,
            caller,
            listed: false,
            searching: false,
            relied_on: false,
        }
    }

    /// Takes a slot for a driver with a main future, which counts as woken.
    pub fn with_main(scheduler: &'s Scheduler<T>, caller: Caller) -> Self {
        let mut driver = Self::new(scheduler, caller);
        // SAFETY: the driver holds the lease as long as it has the flag.
        let main = unsafe { driver.slot.main_flag() };
        // SAFETY: the slot keeps it for as long.
        driver.main = Some(unsafe { main.as_ref() });
        driver
    }

    /// Marks the extent of a poll: what becomes ready on this thread meanwhile goes to this driver.
    #[inline]
    pub fn polled<R>(&mut self, turn_of: TurnOf, body: impl FnOnce(&mut Self, Turn<'_>) -> R) -> R {
        let (scheduler, slot) = (self.scheduler, self.slot);
        self.wake_up();
        slot.begin_poll();
        let end = PollEnd(self);
        context::enter(scheduler, slot, turn_of, |turn| body(&mut *end.0, turn))
    }

    /// Takes the oldest item of the own queue.
    #[inline]
    pub fn pop_own(&mut self) -> Option<T> {
        // SAFETY: this driver holds the lease.
        let item = unsafe { self.slot.queue.pop() }?;
        if self.searching && !cfg!(selvedge_mutant = "own_item_run_as_a_searcher") {
            self.cease_search();
        } else if !cfg!(selvedge_mutant = "popped_queue_unshared") {
            // A pop ends with a fence: pushes that went before it quietly are visible now.
            self.share();
        }
        Some(item)
    }

    /// Has found work after it announced its sleep as a searcher: sees to it that somebody comes for
    /// what is left, as the last searcher would.
    pub(super) fn hand_over(&mut self) {
        let relied_on = core::mem::take(&mut self.relied_on);
        if relied_on && !cfg!(selvedge_mutant = "awake_searcher_leaves_silently") {
            if !cfg!(selvedge_mutant = "handed_over_unfenced") {
                self.scheduler.idle.fence();
            }
            if self.scheduler.idle.posted() == super::Posted::Wake && self.scheduler.has_work() {
                self.scheduler.wake_some();
            }
        }
    }

    /// After a fence: sees to it that somebody comes for what is in the own queue.
    #[inline]
    pub(super) fn share(&self) {
        if self.scheduler.idle.posted() == super::Posted::Wake && self.slot.queue.len() != 0 {
            self.scheduler.wake_some();
        }
    }

    /// Makes what was pushed quietly visible, and sees to it that somebody comes for it.
    fn share_quiet(&self) {
        if self.slot.queue.len() != 0 {
            if !cfg!(selvedge_mutant = "quiet_pushes_unfenced") {
                self.scheduler.idle.fence();
            }
            self.share();
        }
    }

    /// The main future's waker, borrowed: no reference is counted.
    ///
    /// # Panics
    ///
    /// If the driver has no main future.
    pub fn main_waker(&self) -> ManuallyDrop<Waker> {
        self.main.expect("a driver with a main future").waker()
    }

    /// Whether the main future was woken since it was last asked with this result, and is to be polled.
    #[inline]
    pub fn take_main_woken(&mut self) -> bool {
        let woken = self.main.is_some_and(MainFlag::take);
        if woken {
            // User code runs now that may block, and it is no item whose pop would have been a fence.
            if !cfg!(selvedge_mutant = "main_future_polled_by_a_searcher") {
                self.cease_search();
            }
            if !cfg!(selvedge_mutant = "main_future_polled_over_quiet_pushes") {
                self.share_quiet();
            }
        }
        woken
    }

    /// Whether the main future waits to be polled.
    #[inline]
    pub(super) fn is_main_woken(&self) -> bool {
        self.main.is_some_and(MainFlag::is_up)
    }

    /// Puts the driver to sleep, unless there is something to do, under the name of its slot.
    pub fn sleep(&mut self, waker: &Waker) -> Sleep {
        if self.caller != Caller::Parked && !cfg!(selvedge_mutant = "waker_cloned_by_a_searcher") {
            // To clone and to drop its waker is foreign code, which may block.
            self.cease_search();
        }
        let waker = waker.clone();
        self.scheduler.sleepers.insert(self.slot.sleeper_id(), self.caller_now(), waker);
        self.listed = true;
        self.hope(Hope::sleep);
        self.set_asleep(true);
        let searched = core::mem::take(&mut self.searching);
        let announced = self.scheduler.idle.announce(searched);
        self.relied_on = false;
        let woken = !cfg!(selvedge_mutant = "main_flag_not_rechecked") && self.is_main_woken();
        if woken || self.work_left(announced) {
            self.wake_up();
            self.relied_on = searched;
            return Sleep::WorkArrived;
        }
        Sleep::Asleep
    }

    /// Who is to be told. A lent thread whose loop drives an executor too may stand in a task of that one, and
    /// not answer before it ends.
    fn caller_now(&self) -> Caller {
        match self.caller {
            Caller::Lent if context::is_nested() => Caller::Foreign,
            caller => caller,
        }
    }

    fn hope(&self, change: fn(&mut Hope, usize)) {
        // Relaxed: a hint.
        let summons = self.scheduler.summons.load(Ordering::Relaxed);
        // SAFETY: this driver holds the lease.
        unsafe { self.slot.notes(|notes| change(&mut notes.hope, summons)) };
    }

    /// Puts to sleep a driver that will give its slot back at once.
    pub fn sleep_nameless(&mut self, waker: &Waker) -> Option<SleeperId> {
        let waker = waker.clone();
        let id = self.scheduler.nameless_sleeper();
        self.scheduler.sleepers.insert(id, self.caller, waker);
        let searched = core::mem::take(&mut self.searching);
        let announced = self.scheduler.idle.announce(searched);
        self.relied_on = false;
        if self.work_left(announced) {
            self.scheduler.forget_sleeper(id);
            self.relied_on = searched;
            return None;
        }
        Some(id)
    }

    fn work_left(&self, announced: Announced) -> bool {
        announced == Announced::Recheck
            && !cfg!(selvedge_mutant = "queues_not_rechecked")
            && self.scheduler.has_work()
    }

    /// Leaves the list of sleepers: a driver that is polled needs no waking.
    fn wake_up(&mut self) {
        if !core::mem::take(&mut self.listed) {
            return;
        }
        self.set_asleep(false);
        self.hope(Hope::wake_up);
        if self.scheduler.sleepers.leave(self.slot.sleeper_id()) == Left::SentSearching {
            self.searching = true;
        }
    }

    fn set_asleep(&self, asleep: bool) {
        if let Some(main) = self.main {
            main.set_asleep(asleep);
        }
    }

    /// Ceases to count as a searcher. Whoever relied on that is made up for.
    pub(super) fn cease_search(&mut self) {
        if core::mem::take(&mut self.searching) {
            self.scheduler.cease_search();
        }
    }

    fn end_poll(&mut self) {
        self.slot.end_poll();
        self.cease_search();
        if !cfg!(selvedge_mutant = "queue_left_unshared") {
            self.share_quiet();
        }
    }
}

impl<T: Item> Scheduler<T> {
    /// Takes a driver that sleeps without a slot out of the list, if nobody has woken it.
    pub fn forget_sleeper(&self, id: SleeperId) {
        if self.sleepers.leave(id) == Left::SentSearching {
            self.cease_search();
        }
    }

    fn cease_search(&self) {
        let ceased = self.idle.cease_search();
        let look = !cfg!(selvedge_mutant = "last_searcher_leaves_silently");
        if ceased == Ceased::LookForSleepers && look && self.has_work() {
            self.wake_some();
        }
    }
}

/// Ends a driver's poll, also in unwinding.
struct PollEnd<'d, 's, T: Item>(&'d mut Driver<'s, T>);

impl<T: Item> Drop for PollEnd<'_, '_, T> {
    #[inline]
    fn drop(&mut self) {
        self.0.end_poll();
    }
}

impl<T: Item> Drop for Driver<'_, T> {
    fn drop(&mut self) {
        self.wake_up();
        if !cfg!(selvedge_mutant = "dropped_driver_keeps_its_notification") {
            self.cease_search();
        }
        self.scheduler.drivers.fetch_sub(1, Ordering::Relaxed);
        self.slot.give_back();
    }
}

impl<T: Item> fmt::Debug for Driver<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Driver")
            .field("slot", &self.slot.index())
            .field("searching", &self.searching)
            .finish_non_exhaustive()
    }
}
