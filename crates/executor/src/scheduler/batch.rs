//! Items that become ready together.

use core::array;
use std::fmt;

use super::run_queue::Publish;
use super::{Item, Scheduler, context};

/// How many items are queued at once, at most.
const MOST: usize = 32;

/// Tasks that were spawned and are queued some at a time: one fence, and one look at the sleepers, serve
/// for all of them, and who is woken finds more than one.
///
/// What is still in here is queued on drop, also in unwinding.
pub struct Batch<'s, T: Item> {
    scheduler: &'s Scheduler<T>,
    items: [Option<T>; MOST],
    len: usize,
}

impl<'s, T: Item> Batch<'s, T> {
    /// Nothing yet.
    pub fn new(scheduler: &'s Scheduler<T>) -> Self {
        Self { scheduler, items: array::from_fn(|_| None), len: 0 }
    }

    /// Counts a task and takes in what `make` makes of it, which calls no foreign code.
    #[inline]
    pub fn spawn(&mut self, make: impl FnOnce() -> T) {
        self.scheduler.count_spawn();
        self.items[self.len] = Some(make());
        self.len += 1;
        if self.len == MOST {
            self.queue();
        }
    }

    /// Queues what is there.
    fn queue(&mut self) {
        let items = self.items[..self.len].iter_mut().filter_map(Option::take);
        self.len = 0;
        match context::current(self.scheduler) {
            Some(slot) => {
                for item in items {
                    // SAFETY: the driver that is being polled on this thread holds the lease.
                    unsafe { slot.queue.push(item, Publish::Quietly) };
                }
                self.scheduler.idle.fence();
                self.scheduler.answer_post();
            }
            None => items.for_each(|item| self.scheduler.inject(item)),
        }
    }
}

impl<T: Item> Drop for Batch<'_, T> {
    fn drop(&mut self) {
        if self.len != 0 {
            self.queue();
        }
    }
}

impl<T: Item> fmt::Debug for Batch<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch").field("len", &self.len).finish_non_exhaustive()
    }
}
