//! A handle to the output of a task.

use core::panic::{RefUnwindSafe, UnwindSafe};
use core::pin::Pin;
use core::task::{Context, Poll};
use std::fmt;
use std::time::{Duration, Instant};

use selvedge_sync::sync::Arc;
use selvedge_sync::thread::{block_on, block_on_until};

use crate::error::{LaunchError, TaskError, TimedOut};
use crate::shared::{Origin, Shared};
use crate::task::{Cancel, Completion};

/// The output of a task, once there is one. Made by
/// [`Guard::launch_with_handle`](crate::Guard::launch_with_handle).
///
/// It is a future, and has blocking forms.
///
/// Before the gate opens every form waits for that as well, so another thread has to open it. The
/// blocking forms refuse to wait inside a task of the same dispatcher
/// ([`TaskError::WouldDeadlock`]). The future cannot know where it is polled for: awaited inside such a
/// task, by a `block_on` there, it never ends, as nobody is left to run what it waits for.
///
/// # Cancellation
///
/// Dropping it detaches the task, which runs all the same; so does dropping it in the middle of a wait, after
/// polls. [`cancel`](Self::cancel) keeps the task from starting.
///
/// # Examples
///
/// ```
/// use selvedge_dispatcher::{Dispatcher, TaskError};
///
/// let dispatcher = Dispatcher::new(10);
/// let guard = dispatcher.guard();
/// let answer = guard.launch_with_handle(|| 42).unwrap();
/// let unwanted = guard.launch_with_handle(|| unreachable!()).unwrap();
/// assert!(unwanted.cancel());
/// guard.open().unwrap();
/// assert_eq!(answer.wait().unwrap(), 42);
/// ```
#[must_use = "dropping a handle detaches its task; use `launch` if nobody waits"]
pub struct Handle<T> {
    completion: Arc<Completion<T>>,
    origin: Origin,
}

// No user code runs while anything inside is half changed.
impl<T> UnwindSafe for Handle<T> {}
impl<T> RefUnwindSafe for Handle<T> {}

impl<T> Handle<T> {
    /// Launches `f`; a handle to it, and its number.
    pub(crate) fn launch<F>(shared: &Shared, f: F) -> Result<(Self, u64), LaunchError<F>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        let completion = Arc::new(Completion::new());
        let index = shared.launch_handled(f, completion.clone())?;
        Ok((Self { completion, origin: shared.origin() }, index))
    }

    /// Waits for the output; before the gate opens, for that as well.
    ///
    /// # Errors
    ///
    /// Says why there is none. [`TaskError::WouldDeadlock`] if it is called by a task of the same
    /// dispatcher and the output is not there yet: the handle is gone then, and the task runs
    /// detached.
    ///
    /// # Panics
    ///
    /// If the output was taken before.
    pub fn wait(self) -> Result<T, TaskError> {
        self.at_once().unwrap_or_else(|| block_on(self))
    }

    /// Waits for the output as [`wait`](Self::wait) does, but no longer than `timeout`.
    ///
    /// # Errors
    ///
    /// [`TimedOut`] if the task has not finished by then: the handle is as good as before. The inner
    /// result is that of [`wait`](Self::wait); the handle stays good after
    /// [`TaskError::WouldDeadlock`], too.
    ///
    /// # Panics
    ///
    /// If the output was taken before.
    pub fn wait_timeout(&mut self, timeout: Duration) -> Result<Result<T, TaskError>, TimedOut> {
        if let Some(outcome) = self.at_once() {
            return Ok(outcome);
        }
        match Instant::now().checked_add(timeout) {
            Some(deadline) => block_on_until(self, deadline).ok_or(TimedOut),
            None => Ok(block_on(self)),
        }
    }

    /// What needs no waiting.
    fn at_once(&self) -> Option<Result<T, TaskError>> {
        if self.origin.is_foreign() {
            return Some(Err(TaskError::Forked));
        }
        let outcome = self.completion.take();
        outcome.or_else(|| self.origin.is_worker().then_some(Err(TaskError::WouldDeadlock)))
    }

    /// Keeps the task from starting. `true`: it had not started and never will. `false`: it has, and
    /// runs on detached, or has ended.
    ///
    /// The task keeps its place in the queue, and the closure lives, until the worker passes it.
    pub fn cancel(self) -> bool {
        !self.origin.is_foreign() && self.completion.cancel() == Cancel::Done
    }

    /// Whether there is an output, or never will be one.
    pub fn is_finished(&self) -> bool {
        !self.origin.is_foreign() && self.completion.is_finished()
    }
}

impl<T> Future for Handle<T> {
    type Output = Result<T, TaskError>;

    /// Panics if the output was taken before.
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if self.origin.is_foreign() {
            return Poll::Ready(Err(TaskError::Forked));
        }
        self.completion.poll(cx.waker())
    }
}

impl<T> Drop for Handle<T> {
    fn drop(&mut self) {
        // In a forked child the lock may be held by a thread that is not there.
        if !self.origin.is_foreign() {
            self.completion.detach();
        }
    }
}

impl<T> fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut handle = f.debug_struct("Handle");
        if !self.origin.is_foreign() {
            handle.field("task", &self.completion);
        }
        handle.finish_non_exhaustive()
    }
}
