//! A task that holds the worker until it is let go.

use std::sync::mpsc::{Sender, channel};

use selvedge_dispatcher::Guard;

/// Launches a task that runs until the sender is used or dropped; returns once it runs.
pub(crate) fn hold(guard: &Guard) -> Sender<()> {
    let (release, released) = channel();
    let (begin, begun) = channel();
    guard
        .launch(move || {
            begin.send(()).unwrap();
            let _ = released.recv();
        })
        .unwrap();
    begun.recv().unwrap();
    release
}
