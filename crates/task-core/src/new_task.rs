//! How both executors make a task.

use async_task::{Builder, Runnable, Schedule, Task};

use crate::task_future::{Books, TaskFuture};

/// Allocates a task that has been counted already and waits to be scheduled for the first time.
///
/// A panic of its future reaches whoever awaits it.
///
/// # Safety
///
/// Where the future is not `Send`, the runnable is run and dropped on one thread only. It is run or
/// dropped while what the future borrows is alive. `schedule` may be called from any thread and as long
/// as the future lives.
#[inline]
pub unsafe fn new_task<B: Books, F: Future, S: Schedule + Send + Sync>(
    books: B,
    future: F,
    schedule: S,
) -> (Runnable, Task<F::Output>) {
    #[cfg(feature = "tracing")]
    let future = crate::spanned::Spanned::new(future);
    let future = TaskFuture::new(books, future);
    let builder = Builder::new().propagate_panic(true);
    // SAFETY: passed on to the caller; `schedule` is `Send` and `Sync`, so wakers may go anywhere.
    unsafe { builder.spawn_unchecked(move |()| future, schedule) }
}
