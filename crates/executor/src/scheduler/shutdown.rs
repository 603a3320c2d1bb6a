//! The end of an executor: every future is dropped once, here.

use selvedge_sync::thread::Parker;

use super::context::TurnOf;
use super::driver::{Driver, Sleep};
use super::sleepers::Caller;
use super::slot::Slot;
use super::{Item, Scheduler};

impl<T: Item> Scheduler<T> {
    /// Drops every item, waiting for those that other threads are just about to send.
    ///
    /// Nothing drives the scheduler any more, or ever will. The steps are numbered in the module's
    /// design notes. Dropping an item must not unwind.
    pub fn shut_down(&self) {
        self.close();
        if self.unfinished() != 0 {
            let mut driver = Driver::new(self, Caller::Parked);
            driver.polled(TurnOf::Own, |_, _| self.drop_reachable());
            if !cfg!(selvedge_mutant = "drop_does_not_wait") {
                self.drop_latecomers(&mut driver);
            }
        }
        // The flags of main futures hold the scheduler, and spawners that stay need none of this memory.
        // SAFETY: no driver is left, there will be none, and every task is finished.
        unsafe { self.slots.clear() };
        // Drivers that were forgotten: nobody polls them again, and their callers' wakers must not
        // stay for as long as ours do.
        self.sleepers.drop_all();
    }

    /// Drops everything that is in a queue, or that a wake brings there.
    fn drop_reachable(&self) {
        loop {
            // SAFETY: nothing drives the scheduler but this thread, and wakers do not touch the entries.
            for waker in self.slots.iter().flat_map(|slot| unsafe { slot.dormant.take_all() }) {
                if !cfg!(selvedge_mutant = "dormant_not_woken") {
                    waker.wake();
                }
            }
            // All of them before the next look at every entry: one look for each would be quadratic.
            let mut found = false;
            while let Some(item) = self.take_any() {
                drop(item);
                found = true;
            }
            if !found {
                return;
            }
        }
    }

    fn take_any(&self) -> Option<T> {
        // SAFETY: no driver is left but the shutdown's: all slots are its own.
        let pop = |slot: &Slot<T>| unsafe { slot.queue.pop() };
        self.injector.pop().or_else(|| self.slots.iter().find_map(pop))
    }

    #[cold]
    fn drop_latecomers(&self, driver: &mut Driver<'_, T>) {
        let parker = Parker::new();
        while self.unfinished() != 0 {
            match driver.sleep(parker.waker()) {
                Sleep::Asleep => parker.park(),
                Sleep::WorkArrived => {}
            }
            // Leaves the list of sleepers first.
            driver.polled(TurnOf::Own, |_, _| {
                if !cfg!(selvedge_mutant = "latecomers_left_in_the_queue") {
                    self.drop_reachable();
                }
            });
        }
    }
}
