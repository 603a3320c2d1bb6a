//! Spawning onto an executor that may be gone.

use core::panic::{RefUnwindSafe, UnwindSafe};
use std::fmt;

use async_task::{Runnable, Task};
use selvedge_task_core::{Admission, SpawnError};

use crate::scheduler::SchedulerRef;
use crate::task_books::new_task;

/// Spawns tasks onto an [`Executor`](crate::Executor) without a borrow of it.
///
/// Made by `spawner()` on either executor type. Cloning is one atomic operation. A spawner keeps only a
/// block of memory alive, not the executor: once that is dropped, spawning gives the future back.
///
/// # Examples
///
/// ```
/// use selvedge_executor::Executor;
///
/// let ex = Executor::new();
/// let spawner = ex.spawner();
/// let thread = std::thread::spawn(move || spawner.spawn(async { "from afar" }));
/// let task = thread.join().unwrap().expect("the executor is alive");
/// assert_eq!(ex.block_on(task), "from afar");
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

    /// Spawns a future.
    ///
    /// Dropping the task cancels it, as with a task spawned on the executor itself. Costs one allocation,
    /// a push to a queue, and the wake-up of a sleeping driver if nobody looks for work.
    ///
    /// # Errors
    ///
    /// Gives the future back once the executor has been dropped, or is being dropped. The decision
    /// falls before the task is made: what was accepted is run or dropped by the executor.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_executor::Executor;
    ///
    /// let ex = Executor::new();
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
            Admission::Admitted => {
                // SAFETY: the future is `Send` and `'static`, and the gate has counted it.
                let (runnable, task) = unsafe { new_task(&self.scheduler, future) };
                self.scheduler.accept(runnable);
                Ok(task)
            }
            Admission::Closed => Err(SpawnError::new(future)),
        }
    }

    /// Whether the executor has been dropped, or is being dropped: nothing is accepted any more.
    ///
    /// `false` may be out of date at once.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_executor::Executor;
    ///
    /// let ex = Executor::new();
    /// let spawner = ex.spawner();
    /// assert!(!spawner.is_closed());
    /// drop(ex);
    /// assert!(spawner.is_closed());
    /// ```
    pub fn is_closed(&self) -> bool {
        self.scheduler.is_closed()
    }
}

impl fmt::Debug for Spawner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spawner").field("is_closed", &self.is_closed()).finish()
    }
}
