//! Threads that drive an executor.

mod block_on;
mod stop;
mod worker_threads;

use core::num::NonZeroUsize;
use core::pin::Pin;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{self, available_parallelism};

use selvedge_task_core::payload;

use crate::executor::Executor;
use crate::handle::Handle;
use crate::static_executor::StaticExecutor;

use self::block_on::BlockOn;
use self::stop::Stop;
pub use self::worker_threads::WorkerThreads;

/// How often a worker takes up its work again, before a panic ends it.
const PANICS_BORNE: usize = 100;

/// How many threads to drive an executor with, and how they are made.
///
/// An executor does not need them: any thread may drive it. They spare a program the loop.
///
/// # Examples
///
/// For an executor that lives for ever:
///
/// ```
/// use selvedge_executor::{StaticExecutor, Workers};
///
/// static EX: StaticExecutor = StaticExecutor::new();
///
/// # fn main() -> std::io::Result<()> {
/// let workers = Workers::new(2).name_prefix("compute").start(&EX)?;
/// let task = EX.spawn(async { std::thread::current().name().map(str::to_owned) });
/// assert!(futures_lite::future::block_on(task).unwrap().starts_with("compute-"));
/// workers.shutdown();
/// # Ok(()) }
/// ```
///
/// For one whose tasks borrow:
///
/// ```
/// use selvedge_executor::{Executor, Workers};
///
/// let text = String::from("borrowed");
/// let ex = Executor::new();
/// let length = Workers::new(2).scope(&ex, || {
///     futures_lite::future::block_on(ex.spawn(async { text.len() }))
/// });
/// assert_eq!(length.unwrap(), 8);
/// ```
#[derive(Clone, Debug)]
#[must_use = "this only says how to start threads"]
pub struct Workers {
    threads: NonZeroUsize,
    name_prefix: String,
    stack_size: Option<usize>,
    block_on: BlockOn,
}

impl Workers {
    /// A number of threads.
    ///
    /// # Panics
    ///
    /// If it is zero: nothing would ever run.
    pub fn new(threads: usize) -> Self {
        let threads = NonZeroUsize::new(threads).expect("an executor needs one worker at least");
        Self {
            threads,
            name_prefix: "executor".to_owned(),
            stack_size: None,
            block_on: BlockOn::Parking,
        }
    }

    /// As many threads as the system says that it can run at once; one if it does not tell.
    pub fn available() -> Self {
        Self::new(available_parallelism().map_or(1, NonZeroUsize::get))
    }

    /// What the names of the threads begin with; a hyphen and the thread's number follow. `executor` where it is
    /// not set.
    pub fn name_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.name_prefix = prefix.into();
        self
    }

    /// The size of each thread's stack in bytes; std's default where it is not set.
    pub fn stack_size(mut self, bytes: usize) -> Self {
        self.stack_size = Some(bytes);
        self
    }

    /// What the threads do while there is nothing to run, in place of parking: the loop that drives a reactor,
    /// for example. Sockets that become ready then wake their tasks on a thread that runs them.
    ///
    /// `block_on` gets the future of a worker, polls it whenever it is woken, and returns when it has completed.
    /// Where it fails to poll it, or does something that takes long between two polls, tasks may wait for as
    /// long, also while other workers sleep; where it returns early, it is called again. So it is where it
    /// panics, a hundred times; then its thread ends. It may be a `block_on` of an executor of this crate, whose
    /// tasks then run on these threads too.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    /// use async_io::Timer;
    /// use selvedge_executor::{Executor, Workers};
    ///
    /// let ex = Executor::new();
    /// let workers = Workers::new(2).blocking_on(|worker| async_io::block_on(worker));
    /// let answer = workers.scope(&ex, || {
    ///     async_io::block_on(ex.spawn(async {
    ///         Timer::after(Duration::from_millis(1)).await;
    ///         42
    ///     }))
    /// });
    /// assert_eq!(answer.unwrap(), 42);
    /// ```
    pub fn blocking_on(
        mut self,
        block_on: impl Fn(Pin<&mut dyn Future<Output = ()>>) + Send + Sync + 'static,
    ) -> Self {
        self.block_on = BlockOn::given(block_on);
        self
    }

    /// Starts the threads on an executor that lives for ever. They drive it until what this gives is shut down, or
    /// dropped.
    ///
    /// # Errors
    ///
    /// If the system gives no more threads. Those that had started are stopped again.
    ///
    /// # Panics
    ///
    /// If the names contain a null byte.
    pub fn start(self, executor: &'static StaticExecutor) -> io::Result<WorkerThreads> {
        let mut workers = WorkerThreads::new(Stop::new(self.threads.get()));
        for index in 0..self.threads.get() {
            let (stop, block_on) = (workers.stop(), self.block_on.clone());
            let drive = move || drive(executor.handle(), &block_on, &stop, index);
            workers.add(self.thread(index).spawn(drive)?);
        }
        Ok(workers)
    }

    /// Runs `body` on this thread while the threads drive an executor, and ends them when it is over.
    ///
    /// Each thread finishes the poll that it is in the middle of, so a task that blocks for ever holds this up for
    /// as long. Tasks that are unfinished then stay with the executor.
    ///
    /// # Errors
    ///
    /// If the system gives no more threads. Those that had started are stopped again, and `body` is not
    /// called.
    ///
    /// # Panics
    ///
    /// If `body` does, after the threads have ended; if what [`blocking_on`](Self::blocking_on) was given ends a
    /// thread by its panics; or if the names contain a null byte.
    pub fn scope<R>(self, executor: &Executor<'_>, body: impl FnOnce() -> R) -> io::Result<R> {
        let stop = Stop::new(self.threads.get());
        thread::scope(|scope| {
            // Told to end also in unwinding, so that the scope does.
            let _told = stop.on_drop();
            let (stop, block_on) = (&stop, &self.block_on);
            for index in 0..self.threads.get() {
                self.thread(index)
                    .spawn_scoped(scope, move || drive(executor.handle(), block_on, stop, index))?;
            }
            Ok(body())
        })
    }

    fn thread(&self, index: usize) -> thread::Builder {
        let named = thread::Builder::new().name(format!("{}-{index}", self.name_prefix));
        match self.stack_size {
            Some(bytes) => named.stack_size(bytes),
            None => named,
        }
    }
}

/// What a worker does: drives, and takes it up again if a panic gets through to it.
///
/// None should: panics of tasks stay in their tasks. A driver that unwinds leaves its queue to the
/// others.
fn drive(handle: &Handle, block_on: &BlockOn, stop: &Stop, index: usize) {
    let run = || block_on.drive(handle, stop.told(index));
    for _ in 0..PANICS_BORNE {
        match catch_unwind(AssertUnwindSafe(run)) {
            Ok(()) => return,
            Err(panic) => payload::discard(panic),
        }
    }
    run();
}
