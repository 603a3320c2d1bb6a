//! The books of the local executor, as a task writes in them.

use core::ptr::NonNull;
use core::task::Waker;

use async_task::Runnable;
use selvedge_task_core::Books;

use crate::scheduler::{DormantKey, Owner, Scheduler};

/// Part of every task, without a reference to the scheduler of its own.
pub(crate) struct TaskBooks {
    // The task's schedule function, which async-task destroys after the future, keeps it alive.
    scheduler: NonNull<Scheduler<Runnable>>,
}

impl TaskBooks {
    /// # Safety
    ///
    /// The scheduler outlives the task's future, which is polled and dropped on the owner thread only.
    pub(crate) unsafe fn new(scheduler: NonNull<Scheduler<Runnable>>) -> Self {
        Self { scheduler }
    }

    #[inline]
    fn owner(&self) -> Owner<'_, Runnable> {
        // SAFETY: see `new`.
        let scheduler = unsafe { self.scheduler.as_ref() };
        // SAFETY: async-task polls and drops a future where a `Runnable` is run or dropped, which is
        // the owner thread alone.
        unsafe { scheduler.assume_owner() }
    }
}

impl Books for TaskBooks {
    type Key = DormantKey;

    #[inline]
    fn keep_dormant(&self, waker: Waker) -> DormantKey {
        self.owner().keep_dormant(waker)
    }

    #[inline]
    fn take_dormant(&self, key: DormantKey) -> Option<Waker> {
        self.owner().take_dormant(key)
    }

    #[inline]
    fn finish_one(&self) {
        self.owner().finish_one();
    }

    #[cfg(feature = "stats")]
    #[inline]
    fn count_poll(&self) {
        self.owner().count_poll();
    }
}
