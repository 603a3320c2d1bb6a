//! The executor that lives where it is put.

use core::marker::PhantomData;
use core::mem;
use core::panic::{RefUnwindSafe, UnwindSafe};
use std::fmt;

use async_task::Task;
use selvedge_sync::cell::UnsafeCell;
use selvedge_sync::const_fn;

use crate::handle::Handle;
use crate::spawner::Spawner;
use crate::static_executor::StaticExecutor;
#[cfg(feature = "stats")]
use crate::stats::Stats;

/// A multi-threaded executor.
///
/// It has no threads of its own: any thread may drive it, by [`run`](Self::run), [`tick`](Self::tick) or
/// [`try_tick`](Self::try_tick), any number of them at once, for as long as they like;
/// [`Workers`](crate::Workers) are threads that do so. Futures must be `Send`, and may borrow what
/// outlives the executor.
///
/// # Drop
///
/// Dropping the executor drops every unfinished future, once, on this thread, before `drop` returns. It
/// waits for other threads that are in the middle of a wake or a spawn, and for nothing else.
/// Afterwards awaiting an unfinished [`Task`] panics, and its [`FallibleTask`](crate::FallibleTask)
/// gives `None`.
///
/// A detached task that nothing can wake any more stays until the executor is dropped.
///
/// # Examples
///
/// ```
/// use selvedge_executor::{Executor, Workers};
///
/// let words = ["to", "be", "or", "not"];
/// let ex = Executor::new();
/// let length = Workers::new(2).scope(&ex, || {
///     let tasks: Vec<_> = words.iter().map(|word| ex.spawn(async move { word.len() })).collect();
///     ex.block_on(async {
///         let mut length = 0;
///         for task in tasks {
///             length += task.await;
///         }
///         length
///     })
/// });
/// assert_eq!(length.unwrap(), 9);
/// ```
///
/// What a task borrows must outlive the executor:
///
/// ```compile_fail,E0597
/// let ex = selvedge_executor::Executor::new();
/// {
///     let short = String::from("gone soon");
///     ex.spawn(async { println!("{short}") }).detach();
/// }
/// ex.try_tick();
/// ```
///
/// Also where it is dropped at the end of the same scope:
///
/// ```compile_fail,E0597
/// let ex = selvedge_executor::Executor::new();
/// let dropped_first = String::from("gone before the executor");
/// ex.spawn(async { println!("{dropped_first}") }).detach();
/// ```
///
/// A future that must stay on its thread belongs on a local executor:
///
/// ```compile_fail,E0277
/// let ex = selvedge_executor::Executor::new();
/// let rc = std::rc::Rc::new(1);
/// ex.spawn(async move { *rc }).detach();
/// ```
pub struct Executor<'a> {
    handle: Handle,
    /// Invariant in the lifetime of what tasks may borrow.
    _borrows: PhantomData<UnsafeCell<&'a ()>>,
}

// SAFETY: the handle synchronises itself, tasks are `Send`, and the marker holds nothing.
unsafe impl Send for Executor<'_> {}
// SAFETY: as above.
unsafe impl Sync for Executor<'_> {}

impl UnwindSafe for Executor<'_> {}
impl RefUnwindSafe for Executor<'_> {}

impl<'a> Executor<'a> {
    const_fn! {
        /// An executor without tasks. Allocates nothing until it is first used.
        ///
        /// # Examples
        ///
        /// ```
        /// use selvedge_executor::Executor;
        ///
        /// static EX: Executor<'static> = Executor::new();
        /// assert!(EX.is_empty());
        /// ```
        pub const fn new() -> Self {
            Self { handle: Handle::new(), _borrows: PhantomData }
        }
    }

    /// Spawns a task. It is first polled by a driver, never here.
    ///
    /// One allocation (async-task takes a second one for a future of about 2 KiB and up). Dropping
    /// the returned [`Task`] cancels it; [`detach`](Task::detach) lets it run by itself.
    ///
    /// # Panics of the task
    ///
    /// A panic in the future's `poll` reaches whoever awaits the task. So does one in the destructor
    /// of a future that has completed. The executor goes on.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_executor::Executor;
    ///
    /// let ex = Executor::new();
    /// let task = ex.spawn(async { 1 + 2 });
    /// assert_eq!(ex.block_on(task), 3);
    /// ```
    #[inline]
    pub fn spawn<T: Send + 'a>(&self, future: impl Future<Output = T> + Send + 'a) -> Task<T> {
        // SAFETY: the future is `Send` and lives for `'a`, which outlives the executor, which drops it
        // in time.
        unsafe { self.handle.spawn(future) }
    }

    /// Spawns a task for each future of an iterator, and gives the handles to a collection.
    ///
    /// No lock is held while the iterator or the collection runs, and drivers may take up the first
    /// tasks before the last one is made.
    ///
    /// # Panics
    ///
    /// If the iterator or the collection does. The executor stays usable, and each task whose handle reached
    /// the collection runs on.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_executor::Executor;
    ///
    /// let ex = Executor::new();
    /// let mut tasks = Vec::new();
    /// ex.spawn_many((0..3).map(std::future::ready), &mut tasks);
    ///
    /// let sum = ex.block_on(async {
    ///     let mut sum = 0;
    ///     for task in tasks {
    ///         sum += task.await;
    ///     }
    ///     sum
    /// });
    /// assert_eq!(sum, 3);
    /// ```
    pub fn spawn_many<T: Send + 'a, F: Future<Output = T> + Send + 'a>(
        &self,
        futures: impl IntoIterator<Item = F>,
        handles: &mut impl Extend<Task<F::Output>>,
    ) {
        // SAFETY: as in `spawn`.
        unsafe { self.handle.spawn_many(futures, handles) }
    }

    /// Runs one task that is ready, if there is one, and tells whether there was.
    ///
    /// `false` means that each queue was empty when the call looked at it, also those of drivers that are
    /// busy, or that nobody polls. A task that wakes itself is ready again at once, so a loop until `false`
    /// need not end while such a task lives. A panic of the task stays in its [`Task`].
    ///
    /// # Examples
    ///
    /// A host that has a loop of its own:
    ///
    /// ```
    /// use selvedge_executor::Executor;
    ///
    /// let ex = Executor::new();
    /// ex.spawn(async { println!("one turn of the host's loop") }).detach();
    /// let mut turns = 0;
    /// while ex.try_tick() {
    ///     turns += 1;
    /// }
    /// assert_eq!(turns, 1);
    /// ```
    pub fn try_tick(&self) -> bool {
        self.handle.try_tick()
    }

    /// Runs one task, waiting for one to become ready.
    ///
    /// While tasks are ready the future completes at its first poll, so a loop over `tick` gives its
    /// caller no turn of itself: put a yield in, or use [`run`](Self::run).
    ///
    /// # Cancellation
    ///
    /// Dropping the future loses nothing: tasks stay with the executor, and a notification that the
    /// future was given passes on.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_executor::Executor;
    ///
    /// let ex = Executor::new();
    /// let task = ex.spawn(async { "done" });
    /// ex.block_on(ex.tick());
    /// assert!(task.is_finished());
    /// ```
    pub fn tick(&self) -> impl Future<Output = ()> + Send {
        self.handle.tick()
    }

    /// Runs tasks until `future` completes, and gives its output.
    ///
    /// Any number of these futures, and of [`tick`](Self::tick), may be alive at once, on any threads,
    /// side by side or nested in a task; each of them finds every task. What tasks make ready stays with
    /// the driver that runs them until another one is idle.
    ///
    /// The main future is polled when its own waker was woken, not for each task. The driver gives its
    /// caller a turn after 192 polls. A driver without work looks around for some microseconds while
    /// other drivers are busy, then sleeps (returns `Pending`). A `run` inside another one, as a task or in
    /// its main future, shares the turn of that one.
    ///
    /// The future is `Send` if `future` is, and may be moved to another thread between two polls.
    ///
    /// The waker that it is polled with is woken by whichever thread makes a task ready, or takes one up
    /// while others are left. Its `wake` should not block: it holds up that thread, with the task that it
    /// has taken up, and other callers that it would have told hear of the next task only.
    ///
    /// # Cancellation
    ///
    /// Dropping the future drops `future`; tasks stay with the executor, and a notification that the
    /// driver was given passes on.
    ///
    /// # Panics
    ///
    /// If `future` panics (polled again after that, the driver runs tasks and never completes), or if it
    /// is polled again after completion.
    ///
    /// # Examples
    ///
    /// Two threads that run tasks until they are told to stop:
    ///
    /// ```
    /// use futures_lite::future::block_on;
    /// use selvedge_executor::Executor;
    ///
    /// let ex = Executor::new();
    /// let (signal, shutdown) = async_channel::unbounded::<()>();
    ///
    /// std::thread::scope(|scope| {
    ///     for _ in 0..2 {
    ///         scope.spawn(|| block_on(ex.run(shutdown.recv())));
    ///     }
    ///     let task = ex.spawn(async { 1 + 2 });
    ///     assert_eq!(block_on(task), 3);
    ///     drop(signal);
    /// });
    /// ```
    ///
    /// A host that has an event loop drives the executor by polling `run` with its own waker.
    pub fn run<T>(&self, future: impl Future<Output = T>) -> impl Future<Output = T> {
        self.handle.run(future)
    }

    /// [Runs](Self::run) `future` and tasks on this thread, which sleeps while nothing is ready.
    ///
    /// May be called inside a task: the nested call drives all tasks but those that are being polled
    /// further down the stack. Of several threads that sleep in `block_on`, new work wakes one; of
    /// drivers that are polled by somebody else it wakes all, since nobody knows which will answer.
    ///
    /// # Panics
    ///
    /// If `future` panics.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_executor::Executor;
    ///
    /// let ex = Executor::new();
    /// let sum = ex.block_on(async { ex.spawn(async { 20 }).await + 22 });
    /// assert_eq!(sum, 42);
    /// ```
    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.handle.block_on(future)
    }

    /// Whether every task has been finished: completed, panicked or cancelled, and its future dropped.
    ///
    /// While other threads spawn and run tasks, this speaks of some moment of the call. It asks each slot
    /// of a driver, and so costs more than a look at one number would.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_executor::Executor;
    ///
    /// let ex = Executor::new();
    /// assert!(ex.is_empty());
    /// let task = ex.spawn(async {});
    /// assert!(!ex.is_empty());
    /// ex.block_on(task);
    /// assert!(ex.is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.handle.is_empty()
    }

    /// What this executor has done so far: spawns, polls, steals and the like, for dashboards and tests.
    ///
    /// With the feature `stats` alone. That costs a load and a store for each poll, and a relaxed
    /// read-modify-write for each remote wake; reading asks each slot of a driver.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_executor::Executor;
    ///
    /// let ex = Executor::new();
    /// ex.block_on(ex.spawn(async {}));
    /// assert_eq!((ex.stats().spawned, ex.stats().polled), (1, 1));
    /// ```
    #[cfg(feature = "stats")]
    pub fn stats(&self) -> Stats {
        self.handle.stats()
    }

    /// A handle that spawns onto this executor without a borrow of it, for tasks, other threads, and whatever
    /// must be `'static`. It does not keep the executor alive.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_executor::Executor;
    ///
    /// let ex = Executor::new();
    /// let spawner = ex.spawner();
    /// let task = spawner.spawn(async { "alive" }).unwrap();
    /// assert_eq!(ex.block_on(task), "alive");
    /// ```
    pub fn spawner(&self) -> Spawner {
        self.handle.spawner()
    }

    pub(crate) fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl Executor<'static> {
    /// Leaks the executor with its tasks, for use as a `&'static` one.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_executor::Executor;
    ///
    /// let ex = Executor::new().leak();
    /// let task = ex.spawn(async { ex.spawn(async { 5 }).await });
    /// assert_eq!(ex.block_on(task), 5);
    /// ```
    pub fn leak(mut self) -> &'static StaticExecutor {
        let handle = mem::take(&mut self.handle);
        Box::leak(Box::new(StaticExecutor::from_handle(handle)))
    }
}

impl Drop for Executor<'_> {
    /// Drops the tasks. That this type, and not only the handle in it, has a destructor tells the
    /// compiler that what tasks borrow must be alive still.
    fn drop(&mut self) {
        self.handle.end();
    }
}

impl Default for Executor<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Executor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.handle.debug("Executor", f)
    }
}
