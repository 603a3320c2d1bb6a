//! The executor that is never dropped.

use core::panic::{RefUnwindSafe, UnwindSafe};
use std::fmt;

use async_task::Task;
use selvedge_sync::const_fn;

use crate::handle::Handle;
use crate::spawner::Spawner;
#[cfg(feature = "stats")]
use crate::stats::Stats;

/// A multi-threaded executor that lives for ever, in a `static` or made by
/// [`Executor::leak`](crate::Executor::leak).
///
/// It never drops a future that waits: a detached task that nothing can wake any more stays for good.
///
/// # Examples
///
/// ```
/// use selvedge_executor::{StaticExecutor, Workers};
///
/// static EX: StaticExecutor = StaticExecutor::new();
///
/// let workers = Workers::new(2).start(&EX).unwrap();
/// let task = EX.spawn(async { EX.spawn(async { 1 }).await + 1 });
/// assert_eq!(EX.block_on(task), 2);
/// workers.shutdown();
/// ```
pub struct StaticExecutor {
    handle: Handle,
}

impl UnwindSafe for StaticExecutor {}
impl RefUnwindSafe for StaticExecutor {}

impl StaticExecutor {
    const_fn! {
        /// An executor without tasks. Allocates nothing until it is first used.
        pub const fn new() -> Self {
            Self { handle: Handle::new() }
        }
    }

    pub(crate) fn from_handle(handle: Handle) -> Self {
        Self { handle }
    }

    pub(crate) fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Spawns a task; see [`Executor::spawn`](crate::Executor::spawn).
    #[inline]
    pub fn spawn<T: Send + 'static>(
        &'static self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> Task<T> {
        // SAFETY: the future is `Send` and borrows nothing that ends.
        unsafe { self.handle.spawn(future) }
    }

    /// Spawns a task for each future of an iterator; see
    /// [`Executor::spawn_many`](crate::Executor::spawn_many).
    pub fn spawn_many<T: Send + 'static, F: Future<Output = T> + Send + 'static>(
        &'static self,
        futures: impl IntoIterator<Item = F>,
        handles: &mut impl Extend<Task<F::Output>>,
    ) {
        // SAFETY: as in `spawn`.
        unsafe { self.handle.spawn_many(futures, handles) }
    }

    /// Spawns a task that may borrow what ends before this executor does, that is, before the process.
    ///
    /// # Safety
    ///
    /// The future must be finished (completed, or cancelled and dropped by the executor, as awaiting
    /// [`Task::cancel`] makes sure) before anything that it borrows ends.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_executor::Executor;
    ///
    /// let ex = Executor::new().leak();
    /// let text = String::from("borrowed");
    /// // SAFETY: the task is awaited below, while `text` is alive.
    /// let task = unsafe { ex.spawn_scoped(async { text.len() }) };
    /// assert_eq!(ex.block_on(task), 8);
    /// drop(text);
    /// ```
    pub unsafe fn spawn_scoped<'a, T: Send + 'a>(
        &'static self,
        future: impl Future<Output = T> + Send + 'a,
    ) -> Task<T> {
        // SAFETY: the future is `Send`; passed on to the caller.
        unsafe { self.handle.spawn(future) }
    }

    /// Runs one task that is ready, if there is one; see
    /// [`Executor::try_tick`](crate::Executor::try_tick).
    pub fn try_tick(&self) -> bool {
        self.handle.try_tick()
    }

    /// Runs one task, waiting for one to become ready; see [`Executor::tick`](crate::Executor::tick).
    pub fn tick(&self) -> impl Future<Output = ()> + Send {
        self.handle.tick()
    }

    /// Runs tasks until `future` completes; see [`Executor::run`](crate::Executor::run).
    pub fn run<T>(&self, future: impl Future<Output = T>) -> impl Future<Output = T> {
        self.handle.run(future)
    }

    /// Runs `future` and tasks on this thread; see [`Executor::block_on`](crate::Executor::block_on).
    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.handle.block_on(future)
    }

    /// Whether every task has been finished; see [`Executor::is_empty`](crate::Executor::is_empty).
    pub fn is_empty(&self) -> bool {
        self.handle.is_empty()
    }

    /// What this executor has done so far; see [`Executor::stats`](crate::Executor::stats).
    #[cfg(feature = "stats")]
    pub fn stats(&self) -> Stats {
        self.handle.stats()
    }

    /// A handle that spawns onto this executor; see [`Executor::spawner`](crate::Executor::spawner).
    pub fn spawner(&'static self) -> Spawner {
        self.handle.spawner()
    }
}

impl Default for StaticExecutor {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for StaticExecutor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.handle.debug("StaticExecutor", f)
    }
}
