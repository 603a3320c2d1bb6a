//! What a task polls: the user's future with the executor's bookkeeping around it.

use core::panic::AssertUnwindSafe;
use core::pin::Pin;
use core::ptr::NonNull;
use core::task::{Context, Poll};
use std::panic::{catch_unwind, resume_unwind};

use async_task::Runnable;
use pin_project_lite::pin_project;

use crate::payload;
use crate::scheduler::{DormantKey, Owner, Scheduler};

pin_project! {
    /// A future that is counted until it is dropped, and found by a shutdown while it waits.
    ///
    /// async-task aborts the process when a future's destructor panics, so the destructor runs
    /// under a guard: after completion its panic becomes the task's, else it ends with its message.
    pub(crate) struct TaskFuture<F> {
        // The task's schedule function, which async-task destroys after the future, keeps it alive.
        scheduler: NonNull<Scheduler<Runnable>>,
        dormant: Option<DormantKey>,
        #[pin]
        future: Option<F>,
    }

    impl<F> PinnedDrop for TaskFuture<F> {
        fn drop(this: Pin<&mut Self>) {
            let mut this = this.project();
            if let Err(panic) = drop_in_place(&mut this.future) {
                payload::discard(panic);
            }
            // SAFETY: see the field; and see `owner` for the thread.
            let owner = unsafe { owner(this.scheduler) };
            if let Some(key) = this.dormant.take() {
                drop(owner.take_dormant(key));
            }
            owner.finish_one();
        }
    }
}

impl<F> TaskFuture<F> {
    /// Wraps a future that has been counted already.
    ///
    /// # Safety
    ///
    /// The scheduler outlives the result, which is polled and dropped on the owner thread only.
    pub(crate) unsafe fn new(scheduler: NonNull<Scheduler<Runnable>>, future: F) -> Self {
        Self { scheduler, dormant: None, future: Some(future) }
    }
}

impl<F: Future> Future for TaskFuture<F> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let mut this = self.project();
        let future =
            this.future.as_mut().as_pin_mut().expect("async-task polls no finished future");
        match future.poll(cx) {
            Poll::Ready(output) => {
                if let Err(panic) = drop_in_place(&mut this.future) {
                    drop_output(output);
                    resume_unwind(panic);
                }
                Poll::Ready(output)
            }
            Poll::Pending => {
                if this.dormant.is_none() {
                    let waker = cx.waker().clone();
                    // SAFETY: see the field; and see `owner` for the thread.
                    *this.dormant = Some(unsafe { owner(this.scheduler) }.keep_dormant(waker));
                }
                Poll::Pending
            }
        }
    }
}

/// # Safety
///
/// The scheduler is alive, and the caller is polling or dropping a task's future: async-task does
/// both where a `Runnable` is run or dropped, which is the owner thread alone.
unsafe fn owner<'s>(scheduler: &NonNull<Scheduler<Runnable>>) -> Owner<'s, Runnable> {
    // SAFETY: passed on to the caller.
    let scheduler: &'s Scheduler<Runnable> = unsafe { scheduler.as_ref() };
    // SAFETY: passed on to the caller.
    unsafe { scheduler.assume_owner() }
}

/// Drops the future where it lies, and gives back the panic of its destructor.
#[inline]
fn drop_in_place<F>(future: &mut Pin<&mut Option<F>>) -> std::thread::Result<()> {
    catch_unwind(AssertUnwindSafe(|| future.set(None)))
}

/// Drops an output whose place a panic takes.
#[cold]
fn drop_output<T>(output: T) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(output))) {
        payload::discard(panic);
    }
}
