//! What a model's task has of the executor.

use std::task::{Poll, Waker};

use selvedge_local_executor::scheduler::{Owner, Scheduler, SchedulerRef};

use super::task::ModelRunnable;

pub(super) use selvedge_local_executor::scheduler::DormantKey;

pub(crate) type TaskScheduler = Scheduler<ModelRunnable>;

pub(super) type Body = Box<dyn FnMut(&Waker) -> Poll<()>>;

/// A reference to the scheduler.
#[derive(Clone)]
pub(crate) struct Books(SchedulerRef<ModelRunnable>);

impl Books {
    pub(crate) fn of(scheduler: &SchedulerRef<ModelRunnable>) -> Self {
        Self(scheduler.clone())
    }

    pub(super) fn schedule(&self, runnable: ModelRunnable) {
        self.0.schedule(runnable);
    }

    /// Where the task was woken while it ran, which this scheduler does not tell apart.
    pub(super) fn schedule_again(&self, runnable: ModelRunnable) {
        self.schedule(runnable);
    }

    pub(super) fn keep_dormant(&self, waker: Waker) -> DormantKey {
        self.owner().keep_dormant(waker)
    }

    pub(super) fn take_dormant(&self, key: DormantKey) -> Option<Waker> {
        self.owner().take_dormant(key)
    }

    pub(super) fn finish_one(&self) {
        self.owner().finish_one();
    }

    fn owner(&self) -> Owner<'_, ModelRunnable> {
        self.0.owner().expect("a future is polled and dropped on the owner thread")
    }
}
