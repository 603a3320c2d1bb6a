//! The executor that lives where it is put.

use core::cell::Cell;
use core::marker::PhantomData;
use core::mem;
use core::panic::{RefUnwindSafe, UnwindSafe};
use std::fmt;

use async_task::Task;

use crate::handle::Handle;
use crate::spawner::Spawner;
use crate::static_local_executor::StaticLocalExecutor;
#[cfg(feature = "stats")]
use crate::stats::Stats;

/// A single-threaded executor.
///
/// It stays on one thread (`!Send`, `!Sync`), and so do the futures spawned on it, which need
/// neither be `Send` nor `'static`: they may borrow what outlives the executor. Their wakers may go
/// anywhere: a wake from any thread, at any time, is sound, and so is one that comes after the
/// executor is gone.
///
/// # Drop
///
/// Dropping the executor drops every unfinished future, once, on this thread, before `drop`
/// returns. It waits for other threads that are in the middle of a wake or a remote spawn, and for
/// nothing else. Afterwards awaiting an unfinished [`Task`] panics, and its
/// [`FallibleTask`](crate::FallibleTask) gives `None`. (After `process::exit` in a task, the executor of
/// a thread-local is leaked instead.)
///
/// A detached task that nothing can wake any more stays until the executor is dropped.
///
/// # Examples
///
/// ```
/// use std::cell::Cell;
/// use selvedge_local_executor::LocalExecutor;
///
/// let visits = Cell::new(0);
/// let ex = LocalExecutor::new();
/// let tasks: Vec<_> = (0..3)
///     .map(|i| ex.spawn({ let visits = &visits; async move { visits.set(visits.get() + i); } }))
///     .collect();
///
/// ex.block_on(async {
///     for task in tasks {
///         task.await;
///     }
/// });
/// drop(ex);
/// assert_eq!(visits.get(), 3);
/// ```
///
/// Neither the executor nor the future of [`run`](Self::run) may change threads:
///
/// ```compile_fail,E0277
/// let ex = selvedge_local_executor::LocalExecutor::new();
/// std::thread::spawn(move || ex.try_tick());
/// ```
///
/// ```compile_fail,E0277
/// static EXECUTOR: selvedge_local_executor::LocalExecutor<'static> =
///     selvedge_local_executor::LocalExecutor::new();
/// ```
///
/// ```compile_fail,E0277
/// fn is_send<T: Send>(_: T) {}
/// let ex = selvedge_local_executor::LocalExecutor::new();
/// is_send(ex.run(async {}));
/// ```
///
/// What a task borrows must outlive the executor:
///
/// ```compile_fail,E0597
/// let ex = selvedge_local_executor::LocalExecutor::new();
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
/// let ex = selvedge_local_executor::LocalExecutor::new();
/// let dropped_first = String::from("gone before the executor");
/// ex.spawn(async { println!("{dropped_first}") }).detach();
/// ```
pub struct LocalExecutor<'a> {
    handle: Handle,
    /// Invariant in the lifetime of what tasks may borrow.
    _borrows: PhantomData<Cell<&'a ()>>,
}

impl UnwindSafe for LocalExecutor<'_> {}
impl RefUnwindSafe for LocalExecutor<'_> {}

impl<'a> LocalExecutor<'a> {
    /// An executor without tasks. Allocates nothing until it is first used.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_local_executor::LocalExecutor;
    ///
    /// thread_local! {
    ///     static EX: LocalExecutor<'static> = const { LocalExecutor::new() };
    /// }
    /// EX.with(|ex| assert!(ex.is_empty()));
    /// ```
    pub const fn new() -> Self {
        Self { handle: Handle::new(), _borrows: PhantomData }
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
    /// use selvedge_local_executor::LocalExecutor;
    ///
    /// let ex = LocalExecutor::new();
    /// let task = ex.spawn(async { 1 + 2 });
    /// assert_eq!(ex.block_on(task), 3);
    /// ```
    #[inline]
    pub fn spawn<T: 'a>(&self, future: impl Future<Output = T> + 'a) -> Task<T> {
        // SAFETY: the future lives for `'a`, which outlives the executor, which drops it in time.
        unsafe { self.handle.spawn(future) }
    }

    /// Spawns a task for each future of an iterator, and gives the handles to a collection.
    ///
    /// No executor state is borrowed while the iterator or the collection runs.
    ///
    /// # Panics
    ///
    /// If the iterator or the collection does. The executor stays usable, and each task whose handle
    /// reached the collection runs on.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_local_executor::LocalExecutor;
    ///
    /// let ex = LocalExecutor::new();
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
    pub fn spawn_many<T: 'a, F: Future<Output = T> + 'a>(
        &self,
        futures: impl IntoIterator<Item = F>,
        handles: &mut impl Extend<Task<F::Output>>,
    ) {
        // SAFETY: as in `spawn`.
        unsafe { self.handle.spawn_many(futures, handles) }
    }

    /// Runs one task that is ready, if there is one, and tells whether there was.
    ///
    /// `false` means that no task was ready at that moment. A task that wakes itself is ready again
    /// at once, so a loop until `false` need not end while such a task lives. A panic of the task stays in
    /// its [`Task`].
    ///
    /// # Examples
    ///
    /// A host that has a loop of its own:
    ///
    /// ```
    /// use selvedge_local_executor::LocalExecutor;
    ///
    /// let ex = LocalExecutor::new();
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
    /// Dropping the future loses nothing: tasks stay with the executor, and other drivers that sleep
    /// are woken on their own account.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_local_executor::LocalExecutor;
    ///
    /// let ex = LocalExecutor::new();
    /// let task = ex.spawn(async { "done" });
    /// ex.block_on(ex.tick());
    /// assert!(task.is_finished());
    /// ```
    pub fn tick(&self) -> impl Future<Output = ()> {
        self.handle.tick()
    }

    /// Runs tasks until `future` completes, and gives its output.
    ///
    /// Any number of these futures, and of [`tick`](Self::tick), may be alive at once, side by side
    /// or nested in a task; each of them finds every task. The main future is polled when its own
    /// waker was woken, not for each task. The driver gives its caller a turn after 192 polls, and sleeps
    /// (returns `Pending`) when nothing is ready. A `run` inside another one, as a task or in its main
    /// future, shares the turn of that one.
    ///
    /// The waker that it is polled with is woken on whichever thread makes a task ready. Its `wake` should not
    /// block: it holds up that thread.
    ///
    /// # Cancellation
    ///
    /// Dropping the future drops `future`; tasks stay with the executor.
    ///
    /// # Panics
    ///
    /// If `future` panics (polled again after that, the driver runs tasks and never completes), or if it
    /// is polled again after completion.
    ///
    /// # Examples
    ///
    /// A host that has an executor or event loop of its own drives this one by polling `run` with its
    /// own waker:
    ///
    /// ```
    /// use selvedge_local_executor::LocalExecutor;
    ///
    /// let ex = LocalExecutor::new();
    /// let task = ex.spawn(async { 1 + 2 });
    /// let result = futures_lite::future::block_on(ex.run(async { task.await * 2 }));
    /// assert_eq!(result, 6);
    /// ```
    pub fn run<T>(&self, future: impl Future<Output = T>) -> impl Future<Output = T> {
        self.handle.run(future)
    }

    /// [Runs](Self::run) `future` and the tasks on this thread, which sleeps while nothing is ready.
    ///
    /// May be called inside a task: the nested call drives all tasks but those that are being polled
    /// further down the stack. It would wait for those in vain, and so would any task that it picks up.
    ///
    /// # Panics
    ///
    /// If `future` panics.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_local_executor::LocalExecutor;
    ///
    /// let ex = LocalExecutor::new();
    /// let sum = ex.block_on(async { ex.spawn(async { 20 }).await + 22 });
    /// assert_eq!(sum, 42);
    /// ```
    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.handle.block_on(future)
    }

    /// Whether every task has been finished: completed, panicked or cancelled, and its future dropped.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_local_executor::LocalExecutor;
    ///
    /// let ex = LocalExecutor::new();
    /// assert!(ex.is_empty());
    /// let task = ex.spawn(async {});
    /// assert!(!ex.is_empty());
    /// ex.block_on(task);
    /// assert!(ex.is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.handle.is_empty()
    }

    /// What this executor has done so far: spawns, polls and the like, for dashboards and tests.
    ///
    /// With the feature `stats` alone. That costs an addition in plain memory for each poll and each task, and a
    /// relaxed read-modify-write for each remote wake.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_local_executor::LocalExecutor;
    ///
    /// let ex = LocalExecutor::new();
    /// ex.block_on(ex.spawn(async {}));
    /// assert_eq!((ex.stats().spawned, ex.stats().polled), (1, 1));
    /// ```
    #[cfg(feature = "stats")]
    pub fn stats(&self) -> Stats {
        self.handle.stats()
    }

    /// A handle that spawns onto this executor from any thread, also futures that are not `Send`. It does not
    /// keep the executor alive.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_local_executor::LocalExecutor;
    ///
    /// let ex = LocalExecutor::new();
    /// let spawner = ex.spawner();
    /// let thread = std::thread::spawn(move || spawner.spawn(async { "from afar" }).unwrap());
    /// assert_eq!(ex.block_on(thread.join().unwrap()), "from afar");
    /// ```
    pub fn spawner(&self) -> Spawner {
        self.handle.spawner()
    }
}

impl LocalExecutor<'static> {
    /// Leaks the executor with its tasks, for use as a `&'static` one.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_local_executor::LocalExecutor;
    ///
    /// let ex = LocalExecutor::new().leak();
    /// let task = ex.spawn(async { ex.spawn(async { 5 }).await });
    /// assert_eq!(ex.block_on(task), 5);
    /// ```
    pub fn leak(mut self) -> &'static StaticLocalExecutor {
        let handle = mem::replace(&mut self.handle, Handle::new());
        Box::leak(Box::new(StaticLocalExecutor::from_handle(handle)))
    }
}

impl Drop for LocalExecutor<'_> {
    /// Drops the tasks. That this type, and not only the handle in it, has a destructor tells the
    /// compiler that what tasks borrow must be alive still.
    fn drop(&mut self) {
        self.handle.end();
    }
}

impl Default for LocalExecutor<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for LocalExecutor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.handle.debug("LocalExecutor", f)
    }
}
