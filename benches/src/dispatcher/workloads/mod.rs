//! The rows of table `dispatcher`, each written once for every subject.
//!
//! A workload makes its dispatcher, opens it, does its work, and ends it outside of the timed part.
//! Nothing is launched without end: the queue is drained between batches, outside of the timed part
//! where only the launches are measured. Tasks count themselves on the worker thread, and each row
//! asks it for the sum.

use std::sync::mpsc;

use super::DispatcherSubject;
use crate::tally;

pub use self::{
    launches::{counter_add, empty_fn, fn_1024, launch_held},
    throughput::throughput,
    waits::{drain, flush_empty, flush_full},
};

#[cfg(target_os = "linux")]
pub use self::wake::wake;

mod launches;
mod throughput;
mod waits;
#[cfg(target_os = "linux")]
mod wake;

/// Checks that exactly `expected` tasks ran on the worker since the last check.
#[track_caller]
fn expect_run<S: DispatcherSubject>(guard: &S::Guard, expected: u64) {
    let (send, recv) = mpsc::channel();
    S::launch(guard, move || send.send(tally::take()).expect("a producer that waits for the sum"));
    let run = recv.recv().expect("a worker that runs the task");
    assert_eq!(run as u64, expected, "tasks that ran, against tasks launched");
}

/// A task that captures 16 bytes and counts itself.
fn small_task() -> impl FnOnce() + Send + 'static {
    let captured = core::hint::black_box([1_u64, 2]);
    move || {
        core::hint::black_box(&captured);
        tally::add(1);
    }
}
