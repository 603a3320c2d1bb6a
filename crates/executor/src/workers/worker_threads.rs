//! Workers that have been started.

use std::thread::{self, JoinHandle};

use selvedge_task_core::payload;

use super::stop::Stop;

/// Threads that drive a [`StaticExecutor`](crate::StaticExecutor), until they are shut down or this is
/// dropped.
///
/// Made by [`Workers::start`](crate::Workers::start). Dropping it does what
/// [`shutdown`](Self::shutdown) does, and so blocks.
///
/// # Examples
///
/// ```
/// use selvedge_executor::{Executor, Workers};
///
/// # fn main() -> std::io::Result<()> {
/// let ex = Executor::new().leak();
/// let workers = Workers::new(2).start(ex)?;
/// assert_eq!(workers.threads(), 2);
/// ex.spawn(async { println!("on a worker, or by whoever drives next") }).detach();
/// workers.shutdown();
/// while ex.try_tick() {}
/// assert!(ex.is_empty());
/// # Ok(()) }
/// ```
#[derive(Debug)]
#[must_use = "dropping this ends the threads"]
pub struct WorkerThreads {
    stop: Stop,
    threads: Vec<JoinHandle<()>>,
}

impl WorkerThreads {
    pub(super) fn new(stop: Stop) -> Self {
        Self { stop, threads: Vec::new() }
    }

    pub(super) fn stop(&self) -> Stop {
        self.stop.clone()
    }

    pub(super) fn add(&mut self, thread: JoinHandle<()>) {
        self.threads.push(thread);
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Ends the threads, and waits for them: each finishes the poll that it is in the middle of, however long
    /// that takes.
    ///
    /// Tasks that are unfinished stay with the executor, for whoever drives it next. On one of the
    /// threads themselves, in a task, this does not wait for the own thread, which ends later.
    pub fn shutdown(self) {
        drop(self);
    }
}

impl Drop for WorkerThreads {
    /// As [`shutdown`](Self::shutdown).
    fn drop(&mut self) {
        self.stop.tell();
        let own = thread::current().id();
        for thread in self.threads.drain(..).filter(|it| it.thread().id() != own) {
            // One that a user's loop has panicked out of once too often: the panic hook has told of it.
            if let Err(panic) = thread.join() {
                payload::discard(panic);
            }
        }
    }
}
