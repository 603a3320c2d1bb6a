//! Threads that drive an executor.

mod stop;
mod worker_threads;

use core::num::NonZeroUsize;
use std::io;
use std::panic::catch_unwind;
use std::thread::{self, available_parallelism};

use selvedge_task_core::payload;

use crate::executor::Executor;
use crate::handle::Handle;
use crate::static_executor::StaticExecutor;

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
}

impl Workers {
    /// A number of threads.
    ///
    /// # Panics
    ///
    /// If it is zero: nothing would ever run.
    pub fn new(threads: usize) -> Self {
        let threads = NonZeroUsize::new(threads).expect("an executor needs one worker at least");
        Self { threads, name_prefix: "executor".to_owned(), stack_size: None }
    }

    /// As many threads as the system says that it can run at once; one if it does not tell.
    pub fn available() -> Self {
        Self::new(available_parallelism().map_or(1, NonZeroUsize::get))
    }

    /// What the names of the threads begin with; a hyphen and the thread's number follow. Names must not
    /// contain a null byte. `executor` where it is not set.
    pub fn name_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.name_prefix = prefix.into();
        self
    }

    /// The size of each thread's stack in bytes; std's default where it is not set.
    pub fn stack_size(mut self, bytes: usize) -> Self {
        self.stack_size = Some(bytes);
        self
    }

    /// Starts the threads on an executor that lives for ever.
    ///
    /// # Errors
    ///
    /// If the system gives no more threads. Those that had started are stopped again.
    pub fn start(self, executor: &'static StaticExecutor) -> io::Result<WorkerThreads> {
        let mut workers = WorkerThreads::new(Stop::new(self.threads.get()));
        for index in 0..self.threads.get() {
            let stop = workers.stop();
            workers.add(self.thread(index).spawn(move || drive(executor.handle(), &stop, index))?);
        }
        Ok(workers)
    }

    /// Runs `body` on this thread while the threads drive an executor, and ends them when it is over.
    ///
    /// Tasks that are unfinished then stay with the executor. A panic of `body` reaches the caller when
    /// the threads have ended.
    ///
    /// # Errors
    ///
    /// If the system gives no more threads. Those that had started are stopped again, and `body` is not
    /// called.
    pub fn scope<R>(self, executor: &Executor<'_>, body: impl FnOnce() -> R) -> io::Result<R> {
        let stop = Stop::new(self.threads.get());
        thread::scope(|scope| {
            // Told to end also in unwinding, so that the scope does.
            let _told = stop.on_drop();
            let stop = &stop;
            for index in 0..self.threads.get() {
                self.thread(index)
                    .spawn_scoped(scope, move || drive(executor.handle(), stop, index))?;
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
fn drive(handle: &Handle, stop: &Stop, index: usize) {
    let run = || handle.block_on(stop.told(index));
    for _ in 0..PANICS_BORNE {
        match catch_unwind(run) {
            Ok(()) => return,
            Err(panic) => payload::discard(panic),
        }
    }
    run();
}
