//! A task that holds the worker until it is let go.

use std::sync::{Arc, Barrier};

use super::DispatcherSubject;

/// A worker that stands in a task; nothing else runs until the gate opens.
#[derive(Debug)]
#[must_use = "a gate that is never opened holds the worker for ever"]
pub(super) struct Gate(Arc<Barrier>);

impl Gate {
    /// Holds the worker; returns once it has come to the gate.
    pub(super) fn hold<S: DispatcherSubject>(guard: &S::Guard) -> Self {
        let gate = Arc::new(Barrier::new(2));
        let at_worker = Arc::clone(&gate);
        S::launch(guard, move || {
            at_worker.wait();
            at_worker.wait();
        });
        gate.wait();
        Self(gate)
    }

    /// Lets the worker go.
    pub(super) fn open(self) {
        self.0.wait();
    }
}
