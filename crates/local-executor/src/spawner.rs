//! Spawning onto a local executor from any thread.

use core::panic::{RefUnwindSafe, UnwindSafe};
use core::pin::Pin;
use core::task::{Context, Poll};
use std::fmt;

use async_task::{Runnable, Task};
use pin_project_lite::pin_project;
use selvedge_task_core::{Admission, SpawnError};

use crate::scheduler::SchedulerRef;
use crate::task_books::new_task;

/// Spawns tasks onto a [`LocalExecutor`](crate::LocalExecutor) from any thread.
///
/// Made by `spawner()` on either executor type. Cloning is at most one atomic operation. A spawner keeps
/// only a small block alive, not the executor: once that is dropped, spawning gives the future back.
///
/// # Examples
///
/// ```
/// use std::cell::RefCell;
/// use std::rc::Rc;
/// use selvedge_local_executor::LocalExecutor;
///
/// let ex = LocalExecutor::new();
/// let spawner = ex.spawner();
///
/// let worker = std::thread::spawn(move || {
///     // A `!Send` future: it is built, polled and dropped on the executor's thread.
///     spawner.spawn_with(|| {
///         let log = Rc::new(RefCell::new(Vec::new()));
///         async move {
///             log.borrow_mut().push("hello from the executor's thread");
///             log.borrow().len()
///         }
///     })
/// });
///
/// let task = worker.join().unwrap().expect("the executor is alive");
/// assert_eq!(ex.block_on(task), 1);
/// ```
#[derive(Clone)]
pub struct Spawner {
    scheduler: SchedulerRef<Runnable>,
}

impl UnwindSafe for Spawner {}
impl RefUnwindSafe for Spawner {}

impl Spawner {
    pub(crate) fn new(scheduler: SchedulerRef<Runnable>) -> Self {
        Self { scheduler }
    }

    /// Spawns a future that may cross threads.
    ///
    /// Dropping the task cancels it, as with a task spawned on the executor itself. Costs one
    /// allocation and, from another thread, a push to the executor's inbox and the wake-up of a
    /// sleeping driver.
    ///
    /// # Errors
    ///
    /// Gives the future back once the executor has been dropped, or is being dropped. The decision
    /// falls before the task is made: what was accepted is run or dropped by the executor.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_local_executor::LocalExecutor;
    ///
    /// let ex = LocalExecutor::new();
    /// let spawner = ex.spawner();
    /// let task = spawner.spawn(async { 6 * 7 }).unwrap();
    /// assert_eq!(ex.block_on(task), 42);
    ///
    /// drop(ex);
    /// let refused = spawner.spawn(std::future::ready("mine again")).unwrap_err();
    /// assert_eq!(refused.into_inner().into_inner(), "mine again");
    /// ```
    pub fn spawn<F>(&self, future: F) -> Result<Task<F::Output>, SpawnError<F>>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        match self.scheduler.admit() {
            // SAFETY: the future is `'static`.
            Admission::Admitted => Ok(unsafe { self.spawn_admitted(future) }),
            Admission::Closed => Err(SpawnError::new(future)),
        }
    }

    /// Spawns a future that may stay on one thread for all its life: `make` is called, and its
    /// future polled and dropped, on the executor's thread.
    ///
    /// A panic of `make` surfaces in the task. If the task is cancelled or the executor dropped
    /// first, `make` is dropped on the executor's thread without having been called.
    ///
    /// # Errors
    ///
    /// Gives `make` back once the executor has been dropped, or is being dropped.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::rc::Rc;
    /// use selvedge_local_executor::LocalExecutor;
    ///
    /// let ex = LocalExecutor::new();
    /// let spawner = ex.spawner();
    /// let length = |text: &'static str| {
    ///     move || {
    ///         let local = Rc::new(text);
    ///         async move { local.len() }
    ///     }
    /// };
    /// let task = spawner.spawn_with(length("a thread away")).unwrap();
    /// assert_eq!(ex.block_on(task), 13);
    ///
    /// drop(ex);
    /// let refused = spawner.spawn_with(length("too late")).unwrap_err();
    /// let _make = refused.into_inner();
    /// ```
    pub fn spawn_with<M, F>(&self, make: M) -> Result<Task<F::Output>, SpawnError<M>>
    where
        M: FnOnce() -> F + Send + 'static,
        F: Future + 'static,
        F::Output: Send + 'static,
    {
        match self.scheduler.admit() {
            Admission::Admitted => {
                let future = Deferred::Waiting { make: Some(make) };
                // SAFETY: `make` is `Send` and `'static`, and the future that it makes is `'static`.
                Ok(unsafe { self.spawn_admitted(future) })
            }
            Admission::Closed => Err(SpawnError::new(make)),
        }
    }

    /// Whether the executor has been dropped, or is being dropped: nothing is accepted any more.
    ///
    /// `false` may be out of date at once.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_local_executor::LocalExecutor;
    ///
    /// let ex = LocalExecutor::new();
    /// let spawner = ex.spawner();
    /// assert!(!spawner.is_closed());
    /// drop(ex);
    /// assert!(spawner.is_closed());
    /// ```
    pub fn is_closed(&self) -> bool {
        self.scheduler.is_closed()
    }

    /// # Safety
    ///
    /// The future is `'static` and may move to the owner thread now.
    unsafe fn spawn_admitted<F: Future>(&self, future: F) -> Task<F::Output> {
        // SAFETY: the runnable goes to the owner thread, and nowhere else.
        let (runnable, task) = unsafe { new_task(self.scheduler.clone(), future) };
        self.scheduler.schedule(runnable);
        task
    }
}

impl fmt::Debug for Spawner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spawner").field("is_closed", &self.is_closed()).finish()
    }
}

pin_project! {
    /// A future that is made at its first poll.
    #[project = DeferredProjection]
    enum Deferred<M, F> {
        Waiting { make: Option<M> },
        Made { #[pin] future: F },
    }
}

impl<M, F> Future for Deferred<M, F>
where
    M: FnOnce() -> F,
    F: Future,
{
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        if let DeferredProjection::Waiting { make } = self.as_mut().project() {
            let make = make.take().expect("a future is not polled after its maker panicked");
            let future = make();
            self.set(Deferred::Made { future });
        }
        match self.project() {
            DeferredProjection::Made { future } => future.poll(cx),
            DeferredProjection::Waiting { .. } => unreachable!("the future was made above"),
        }
    }
}
