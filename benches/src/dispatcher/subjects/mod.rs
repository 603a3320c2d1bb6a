//! The adapters of table `dispatcher`, one file per subject.
//!
//! Channels bring no worker and no way to wait: those are written by hand here, in the way that a
//! program would, with a closure in a box for each task.

mod crossbeam_channel;
#[cfg(feature = "glean-core")]
mod glean_core;
mod mutex_vec;
mod selvedge;
mod selvedge_global;
mod std_mpsc;

#[cfg(feature = "glean-core")]
pub use self::glean_core::GleanCore;
pub use self::{
    crossbeam_channel::CrossbeamChannel,
    mutex_vec::{MutexVec, Queue},
    selvedge::Selvedge,
    selvedge_global::SelvedgeGlobal,
    std_mpsc::{AnySender, StdMpsc},
};

use std::{
    sync::mpsc,
    thread::{self, JoinHandle},
};

use super::DispatcherSubject;

/// What a queue written by hand holds.
pub type Task = Box<dyn FnOnce() + Send>;

/// Launches a task that answers, and waits for the answer.
fn wait_for_marker<S: DispatcherSubject>(guard: &S::Guard) {
    let (send, recv) = mpsc::sync_channel(1);
    S::launch(guard, move || send.send(()).expect("a producer that waits for the answer"));
    recv.recv().expect("a worker that runs the task");
}

/// A thread for a worker written by hand.
fn worker(run: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    thread::Builder::new().name("worker".into()).spawn(run).expect("a thread for the worker")
}

/// Joins a worker that was told to end.
fn join(worker: JoinHandle<()>) {
    worker.join().expect("a worker that does not panic");
}
