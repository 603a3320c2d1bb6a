//! The owner's side of a model: its scheduler, and how it drives that.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc as Memory;
use std::task::{Poll, Waker};

use selvedge_local_executor::scheduler::{Scheduler, SchedulerRef, Sleep, SleeperId};
use selvedge_sync::atomic::{AtomicUsize, Ordering};
use selvedge_sync::cell::UnsafeCell;
use selvedge_sync::thread::Parker;

use super::books::{Books, TaskScheduler};
use super::task::{ModelRunnable, new_task};

/// What a model shares with its futures on the owner thread.
pub(crate) struct Owner {
    pub(crate) scheduler: SchedulerRef<ModelRunnable>,
    pub(crate) dropped: Memory<AtomicUsize>,
    pub(crate) parker: Parker,
    pub(crate) id: SleeperId,
}

impl Owner {
    pub(crate) fn new() -> Self {
        let scheduler = TaskScheduler::new();
        // SAFETY: the scheduler lives until it is abandoned, in `drop`.
        let owner = unsafe { scheduler.as_ref() }.owner().unwrap();
        let id = owner.new_sleeper();
        let scheduler = SchedulerRef::new(owner);
        Self { scheduler, dropped: Memory::new(AtomicUsize::new(0)), parker: Parker::new(), id }
    }

    pub(crate) fn spawn(
        &self,
        keeps_dormant: bool,
        future: impl FnMut(&Waker) -> Poll<()> + 'static,
    ) {
        let owner = self.scheduler.owner().unwrap();
        owner.add_one();
        owner.enqueue(new_task(
            Books::of(&self.scheduler),
            &self.dropped,
            keeps_dormant,
            Box::new(future),
        ));
    }

    /// Spawns a task that never completes, polls it once, and gives its waker.
    pub(crate) fn spawn_waiting(&self, keeps_dormant: bool) -> Waker {
        let waker = Rc::new(RefCell::new(None));
        let slot = waker.clone();
        self.spawn(keeps_dormant, move |waker| {
            *slot.borrow_mut() = Some(waker.clone());
            Poll::Pending
        });
        self.run_ready();
        let waker = waker.borrow_mut().take();
        waker.expect("the task was polled")
    }

    pub(crate) fn run_ready(&self) {
        while let Some(runnable) = self.scheduler.owner().unwrap().next() {
            runnable.run();
        }
    }

    /// Runs tasks, sleeping between them, until all are finished.
    pub(crate) fn run_all(&self) {
        let owner = self.scheduler.owner().unwrap();
        loop {
            self.run_ready();
            if owner.unfinished() == 0 {
                return;
            }
            if owner.sleep(self.id, self.parker.waker(), || false) == Sleep::Asleep {
                self.parker.park();
            }
            owner.forget_sleeper(self.id);
        }
    }

    /// Runs a main future in a leased slot until it is ready.
    pub(crate) fn run_main(&self, mut main: impl FnMut(&Waker) -> Poll<()>) {
        let view = self.scheduler.owner().unwrap();
        let lease = view.lease_slot();
        loop {
            if lease.take_woken() && main(&lease.waker()).is_ready() {
                return;
            }
            if view.sleep(lease.sleeper_id(), self.parker.waker(), || lease.is_woken())
                == Sleep::Asleep
            {
                self.parker.park();
            }
            view.forget_sleeper(lease.sleeper_id());
        }
    }

    pub(crate) fn shut_down(&self) {
        self.scheduler.owner().unwrap().shut_down();
    }

    pub(crate) fn assert_dropped(&self, count: usize) {
        assert_eq!(self.dropped.load(Ordering::Relaxed), count, "futures dropped so far");
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        // SAFETY: once, at the end, on the owner thread.
        unsafe { Scheduler::abandon(self.scheduler.address()) };
    }
}

/// Data that a thread writes before its wake, unsynchronised but for the wake.
pub(crate) struct Message(pub(crate) UnsafeCell<usize>);
// SAFETY: the models write it before the wake and read it in the poll that follows.
unsafe impl Sync for Message {}
// SAFETY: as above.
unsafe impl Send for Message {}
