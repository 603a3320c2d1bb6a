//! What a task knows of its executor: where it is queued, and the books that it is written in.

use core::ptr::NonNull;
use core::task::Waker;

use async_task::{Runnable, ScheduleInfo, Task, WithInfo};
use selvedge_task_core::Books;

use crate::scheduler::{DormantKey, Scheduler, Woken};

/// Part of every task, without a reference to the scheduler: that outlives every future.
#[derive(Clone, Copy)]
struct TaskBooks {
    scheduler: NonNull<Scheduler<Runnable>>,
}

// SAFETY: as for a reference to the scheduler, which is `Sync`.
unsafe impl Send for TaskBooks {}
// SAFETY: as above.
unsafe impl Sync for TaskBooks {}

impl TaskBooks {
    #[inline]
    fn scheduler(&self) -> &Scheduler<Runnable> {
        // SAFETY: the functions of `Books` are called while the future is alive, or is just being
        // dropped by a driver or the shutdown, which both have the scheduler.
        unsafe { self.scheduler.as_ref() }
    }

    #[inline]
    fn schedule(self, runnable: Runnable, info: ScheduleInfo) {
        let woken = if info.woken_while_running { Woken::WhileRunning } else { Woken::WhileIdle };
        // SAFETY: the runnable's future has not been dropped, and was counted before it was made.
        unsafe { Scheduler::schedule(self.scheduler, runnable, woken) };
    }
}

impl Books for TaskBooks {
    type Key = DormantKey;

    fn keep_dormant(&self, waker: Waker) -> DormantKey {
        self.scheduler().keep_dormant(waker)
    }

    fn take_dormant(&self, key: DormantKey) -> Option<Waker> {
        // SAFETY: a task takes its waker back where its future is dropped, and consumes the key.
        unsafe { self.scheduler().take_dormant(key) }
    }

    #[inline]
    fn finish_one(&self) {
        self.scheduler().finish_one();
    }

    #[cfg(feature = "stats")]
    #[inline]
    fn count_poll(&self) {
        self.scheduler().count_poll();
    }
}

/// Allocates a task that is being counted, and waits to be queued for the first time.
///
/// # Safety
///
/// The future may move to other threads, and what it borrows is alive until it is dropped: by a
/// driver, or by the executor's drop at the latest. The scheduler counts it as unfinished from before
/// anybody can wake it.
#[inline]
pub(crate) unsafe fn new_task<F: Future>(
    scheduler: &Scheduler<Runnable>,
    future: F,
) -> (Runnable, Task<F::Output>) {
    let books = TaskBooks { scheduler: NonNull::from(scheduler) };
    let schedule = WithInfo::from(move |runnable, info| books.schedule(runnable, info));
    // SAFETY: passed on to the caller.
    unsafe { selvedge_task_core::new_task(books, future, schedule) }
}
