//! What a model's task has of the executor.

use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::sync::Arc as Memory;
use std::task::{Poll, Waker};

use selvedge_executor::scheduler::{Item, Scheduler, Woken};

use super::task::ModelRunnable;

pub(super) use selvedge_executor::scheduler::DormantKey;

pub(super) type TaskScheduler = Scheduler<ModelRunnable>;

pub(super) type Body = Box<dyn FnMut(&Waker) -> Poll<()> + Send>;

/// The scheduler, which is not counted, as in the executor's own tasks.
#[derive(Clone)]
pub(super) struct Books(NonNull<TaskScheduler>);

impl Books {
    pub(super) fn of(scheduler: &TaskScheduler) -> Self {
        Self(NonNull::from(scheduler))
    }

    pub(super) fn schedule(&self, runnable: ModelRunnable) {
        // SAFETY: the runnable's future is alive.
        unsafe { Scheduler::schedule(self.0, runnable, Woken::WhileIdle) };
    }

    /// Where the task was woken while it ran.
    pub(super) fn schedule_again(&self, runnable: ModelRunnable) {
        // SAFETY: the runnable's future is alive.
        unsafe { Scheduler::schedule(self.0, runnable, Woken::WhileRunning) };
    }

    pub(super) fn keep_dormant(&self, waker: Waker) -> DormantKey {
        self.scheduler().keep_dormant(waker)
    }

    pub(super) fn take_dormant(&self, key: DormantKey) -> Option<Waker> {
        // SAFETY: the future is dropped once, and the key taken out.
        unsafe { self.scheduler().take_dormant(key) }
    }

    pub(super) fn finish_one(&self) {
        self.scheduler().finish_one();
    }

    /// Where a future is polled or dropped.
    fn scheduler(&self) -> &TaskScheduler {
        // SAFETY: a driver or the shutdown is at work, which both have the scheduler.
        unsafe { self.0.as_ref() }
    }
}

impl Item for ModelRunnable {
    fn into_raw(self) -> NonNull<()> {
        let memory = ManuallyDrop::new(self);
        NonNull::new(Memory::as_ptr(&memory.0).cast_mut().cast()).unwrap()
    }

    unsafe fn from_raw(raw: NonNull<()>) -> Self {
        // SAFETY: passed on to the caller; `into_raw` kept the handle.
        Self(unsafe { Memory::from_raw(raw.as_ptr().cast()) })
    }
}
