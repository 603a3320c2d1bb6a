//! What a task knows of its executor: where it is queued, and the books that it is written in.

use core::ptr::NonNull;
use core::task::Waker;

use async_task::{Runnable, Task};
use selvedge_task_core::Books;

use crate::scheduler::{DormantKey, Owner, Scheduler, SchedulerRef};

/// Part of every task, without a reference to the scheduler of its own.
struct TaskBooks {
    // The task's schedule function, which async-task destroys after the future, keeps it alive.
    scheduler: NonNull<Scheduler<Runnable>>,
}

impl TaskBooks {
    /// # Safety
    ///
    /// The scheduler outlives the task's future, which is polled and dropped on the owner thread only.
    unsafe fn new(scheduler: NonNull<Scheduler<Runnable>>) -> Self {
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

/// Allocates a task that has been counted already and waits to be scheduled for the first time.
///
/// # Safety
///
/// The runnable is run and dropped on the owner thread only, where the future may be `!Send`, and
/// while what the future borrows is alive.
pub(crate) unsafe fn new_task<F: Future>(
    scheduler: SchedulerRef<Runnable>,
    future: F,
) -> (Runnable, Task<F::Output>) {
    // SAFETY: the schedule function below holds the scheduler and is destroyed after the future; the
    // threads are passed on to the caller.
    let books = unsafe { TaskBooks::new(scheduler.address()) };
    let schedule = move |runnable| {
        #[cfg(feature = "stats")]
        scheduler.count_wake();
        scheduler.schedule(runnable);
    };
    // SAFETY: thread and lifetime of the runnable are passed on to the caller.
    unsafe { selvedge_task_core::new_task(books, future, schedule) }
}
