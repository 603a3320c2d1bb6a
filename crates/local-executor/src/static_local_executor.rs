//! The executor that is never dropped.

use core::panic::{RefUnwindSafe, UnwindSafe};
use std::fmt;

use async_task::Task;

use crate::handle::Handle;
use crate::spawner::Spawner;
#[cfg(feature = "stats")]
use crate::stats::Stats;

/// A single-threaded executor that lives for ever.
///
/// Made by [`LocalExecutor::leak`](crate::LocalExecutor::leak), or by
/// `Box::leak(Box::new(StaticLocalExecutor::new()))`. It is `!Send` and `!Sync` like the other, so a
/// plain `static` cannot hold it; a `thread_local!` can hold the leaked reference.
///
/// It never drops a future that waits: a detached task that nothing can wake any more stays for
/// good. Once its thread has ended, wakes are harmless and what spawners send may never run.
///
/// # Examples
///
/// ```
/// use selvedge_local_executor::StaticLocalExecutor;
///
/// thread_local! {
///     static EX: &'static StaticLocalExecutor = Box::leak(Box::new(StaticLocalExecutor::new()));
/// }
///
/// fn spawn_here(n: u32) -> selvedge_local_executor::Task<u32> {
///     EX.with(|ex| ex.spawn(async move { n + 1 }))
/// }
///
/// let task = spawn_here(1);
/// assert_eq!(EX.with(|ex| ex.block_on(task)), 2);
/// ```
///
/// ```compile_fail,E0277
/// use selvedge_local_executor::{LocalExecutor, StaticLocalExecutor};
///
/// let ex: &'static StaticLocalExecutor = LocalExecutor::new().leak();
/// std::thread::spawn(move || ex.try_tick());
/// ```
pub struct StaticLocalExecutor {
    handle: Handle,
}

impl UnwindSafe for StaticLocalExecutor {}
impl RefUnwindSafe for StaticLocalExecutor {}

impl StaticLocalExecutor {
    /// An executor without tasks. Allocates nothing until it is first used.
    pub const fn new() -> Self {
        Self { handle: Handle::new() }
    }

    pub(crate) fn from_handle(handle: Handle) -> Self {
        Self { handle }
    }

    /// Spawns a task; see [`LocalExecutor::spawn`](crate::LocalExecutor::spawn).
    #[inline]
    pub fn spawn<T: 'static>(&'static self, future: impl Future<Output = T> + 'static) -> Task<T> {
        // SAFETY: the future borrows nothing that ends.
        unsafe { self.handle.spawn(future) }
    }

    /// Spawns a task for each future of an iterator; see
    /// [`LocalExecutor::spawn_many`](crate::LocalExecutor::spawn_many).
    pub fn spawn_many<T: 'static, F: Future<Output = T> + 'static>(
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
    /// use selvedge_local_executor::LocalExecutor;
    ///
    /// let ex = LocalExecutor::new().leak();
    /// let text = String::from("borrowed");
    /// // SAFETY: the task is awaited below, while `text` is alive.
    /// let task = unsafe { ex.spawn_scoped(async { text.len() }) };
    /// assert_eq!(ex.block_on(task), 8);
    /// drop(text);
    /// ```
    pub unsafe fn spawn_scoped<'a, T: 'a>(
        &'static self,
        future: impl Future<Output = T> + 'a,
    ) -> Task<T> {
        // SAFETY: passed on to the caller.
        unsafe { self.handle.spawn(future) }
    }

    /// Runs one task that is ready, if there is one; see
    /// [`LocalExecutor::try_tick`](crate::LocalExecutor::try_tick).
    pub fn try_tick(&self) -> bool {
        self.handle.try_tick()
    }

    /// Runs one task, waiting for one to become ready; see
    /// [`LocalExecutor::tick`](crate::LocalExecutor::tick).
    pub fn tick(&self) -> impl Future<Output = ()> {
        self.handle.tick()
    }

    /// Runs tasks until `future` completes; see [`LocalExecutor::run`](crate::LocalExecutor::run).
    pub fn run<T>(&self, future: impl Future<Output = T>) -> impl Future<Output = T> {
        self.handle.run(future)
    }

    /// Runs `future` and the tasks on this thread; see
    /// [`LocalExecutor::block_on`](crate::LocalExecutor::block_on).
    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.handle.block_on(future)
    }

    /// Whether every task has been finished; see
    /// [`LocalExecutor::is_empty`](crate::LocalExecutor::is_empty).
    pub fn is_empty(&self) -> bool {
        self.handle.is_empty()
    }

    /// What this executor has done so far; see [`LocalExecutor::stats`](crate::LocalExecutor::stats).
    #[cfg(feature = "stats")]
    pub fn stats(&self) -> Stats {
        self.handle.stats()
    }

    /// A handle that spawns onto this executor from any thread; see
    /// [`LocalExecutor::spawner`](crate::LocalExecutor::spawner).
    pub fn spawner(&'static self) -> Spawner {
        self.handle.spawner()
    }
}

impl Default for StaticLocalExecutor {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for StaticLocalExecutor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.handle.debug("StaticLocalExecutor", f)
    }
}
