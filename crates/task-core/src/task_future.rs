//! What a task polls: the user's future with the executor's bookkeeping around it.

use core::panic::AssertUnwindSafe;
use core::pin::Pin;
use core::task::{Context, Poll, Waker};
use std::fmt;
use std::panic::{catch_unwind, resume_unwind};

use pin_project_lite::pin_project;

use crate::payload;

/// The executor's books, as a task writes in them.
///
/// The functions are called where the task is polled or dropped, and must not unwind.
pub trait Books {
    /// Where the waker of a waiting task is kept.
    type Key;

    /// Keeps the waker of a task that has returned `Pending` for the first time, so that a shutdown
    /// can find it.
    fn keep_dormant(&self, waker: Waker) -> Self::Key;

    /// Gives back a waker that was kept, unless a shutdown has taken it.
    fn take_dormant(&self, key: Self::Key) -> Option<Waker>;

    /// Counts a task whose future is gone.
    fn finish_one(&self);

    /// Told of each poll, before it.
    #[inline]
    fn count_poll(&self) {}
}

pin_project! {
    /// A future that is counted until it is dropped, and found by a shutdown while it waits.
    ///
    /// async-task aborts the process when a future's destructor panics, so the destructor runs
    /// under a guard: after completion its panic becomes the task's, else it ends with its message.
    pub struct TaskFuture<B, F>
    where
        B: Books,
    {
        books: B,
        dormant: Option<B::Key>,
        #[pin]
        future: Option<F>,
    }

    impl<B, F> PinnedDrop for TaskFuture<B, F>
    where
        B: Books,
    {
        fn drop(this: Pin<&mut Self>) {
            let mut this = this.project();
            if let Err(panic) = drop_in_place(&mut this.future) {
                payload::discard(panic);
            }
            if let Some(key) = this.dormant.take() {
                drop(this.books.take_dormant(key));
            }
            this.books.finish_one();
        }
    }
}

impl<B: Books, F> TaskFuture<B, F> {
    /// Wraps a future that has been counted already.
    pub fn new(books: B, future: F) -> Self {
        Self { books, dormant: None, future: Some(future) }
    }
}

impl<B: Books, F: Future> Future for TaskFuture<B, F> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let mut this = self.project();
        let future =
            this.future.as_mut().as_pin_mut().expect("async-task polls no finished future");
        this.books.count_poll();
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
                    *this.dormant = Some(this.books.keep_dormant(cx.waker().clone()));
                }
                Poll::Pending
            }
        }
    }
}

impl<B: Books, F> fmt::Debug for TaskFuture<B, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskFuture").finish_non_exhaustive()
    }
}

/// Drops the future where it lies, and gives back the panic of its destructor.
#[inline]
fn drop_in_place<F>(future: &mut Pin<&mut Option<F>>) -> std::thread::Result<()> {
    catch_unwind(AssertUnwindSafe(|| future.set(None)))
}

/// Drops an output whose place a panic takes.
#[cold]
fn drop_output<T>(output: T) {
    payload::contain(|| drop(output));
}
