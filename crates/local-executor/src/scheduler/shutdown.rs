//! The end of an executor: every future is dropped once, here, on the owner thread.

use selvedge_sync::thread::Parker;

use super::owner::{Owner, Sleep};

impl<T> Owner<'_, T> {
    /// Drops every item, waiting for those that other threads are just about to send.
    ///
    /// The steps are numbered in the module's design notes. Dropping an item must not unwind.
    pub fn shut_down(self) {
        // If nobody refers to the scheduler there is no task, no waker and no spawner: nothing to drop,
        // and nobody to race with.
        if !self.scheduler().references.is_zero(self) {
            self.close();
            self.drop_reachable();
            if self.unfinished() != 0 && !cfg!(selvedge_mutant = "drop_does_not_wait") {
                self.drop_latecomers();
            }
            self.free_queue();
        }
        if self.scheduler().signal.may_have_sleepers() {
            // Drivers that were forgotten: nobody polls them again, and their callers' wakers must not
            // stay for as long as ours do.
            self.scheduler().sleepers.drop_all();
        }
    }

    /// Admits nothing more from other threads.
    pub fn close(self) {
        self.scheduler().gate.close();
    }

    /// Drops everything that is in a queue, or that a wake brings there.
    fn drop_reachable(self) {
        loop {
            for (_, waker) in self.take_all_dormant().into_iter().flatten() {
                if !cfg!(selvedge_mutant = "dormant_not_woken") {
                    waker.wake();
                }
            }
            self.collect_mail(u32::MAX);
            match self.next_local() {
                Some(item) => drop(item),
                None => return,
            }
        }
    }

    #[cold]
    fn drop_latecomers(self) {
        let parker = Parker::new();
        let id = self.new_sleeper();
        while self.unfinished() != 0 {
            match self.sleep(id, parker.waker(), || false) {
                Sleep::Asleep => parker.park(),
                Sleep::WorkArrived => {}
            }
            self.forget_sleeper(id);
            if !cfg!(selvedge_mutant = "latecomers_left_in_the_inbox") {
                self.drop_reachable();
            }
        }
    }
}
