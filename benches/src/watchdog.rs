//! Turns a test that hangs into one that fails.

use core::time::Duration;
use std::{
    sync::mpsc::{RecvTimeoutError, Sender, channel},
    thread,
};

const LIMIT: Duration = Duration::from_secs(120);

/// Aborts the process unless it is dropped in time.
pub(crate) struct Watchdog {
    _done: Sender<()>,
}

/// Watches the test that runs on this thread.
pub(crate) fn watchdog() -> Watchdog {
    let (done, over) = channel();
    let test = thread::current().name().unwrap_or("a test").to_owned();
    thread::spawn(move || {
        if over.recv_timeout(LIMIT) == Err(RecvTimeoutError::Timeout) {
            eprintln!("{test}: no end after {LIMIT:?}, a wake-up or a task was lost");
            std::process::abort();
        }
    });
    Watchdog { _done: done }
}
