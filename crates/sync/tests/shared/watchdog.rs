//! Turns a test that hangs into one that fails.
#![allow(dead_code, reason = "no test uses all of it")]

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// Aborts the process unless it is dropped in time.
pub(crate) struct Watchdog {
    _done: Sender<()>,
}

pub(crate) fn watchdog() -> Watchdog {
    watchdog_for(Duration::from_secs(if cfg!(miri) { 3600 } else { 120 }))
}

pub(crate) fn watchdog_for(limit: Duration) -> Watchdog {
    let (done, over) = channel();
    let test = thread::current().name().unwrap_or("a test").to_owned();
    thread::spawn(move || {
        if over.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
            eprintln!("{test}: no end after {limit:?}, a wake-up was lost or a drop hangs");
            std::process::abort();
        }
    });
    Watchdog { _done: done }
}
