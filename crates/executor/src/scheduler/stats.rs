//! The counters that the feature `stats` adds, read and written.

use super::slot::Slot;
use super::{Item, Scheduler, context};
use crate::stats::Stats;

impl<T: Item> Scheduler<T> {
    /// Counts a poll of a task, on a thread that polls a driver.
    #[inline]
    pub(crate) fn count_poll(&self) {
        if let Some(slot) = context::current(self) {
            slot.polls.count_alone();
        }
    }

    /// What was done so far. Asks each slot.
    pub(crate) fn stats(&self) -> Stats {
        let sum =
            |of: fn(&Slot<T>) -> usize| self.slots.iter().map(of).fold(0, usize::wrapping_add);
        // What is finished is read first, as in `unfinished`: so nothing seems to end before it began.
        let finished = sum(Slot::finished);
        Stats {
            spawned: self.spawned(),
            finished,
            polled: sum(|slot| slot.polls.get()),
            steals: sum(|slot| slot.steals.get()),
            remote_wakes: self.remote_wakes.get(),
            queued: self.queued(),
        }
    }
}
