//! What the models share.

mod bounds;
mod closing;
mod queue;
mod resets;
mod waiting;

use std::sync::Arc as Memory;

use selvedge_dispatcher::{Guard, Overflow, Unmanned};
use selvedge_sync::cell::UnsafeCell;

/// What tasks append to, unsynchronised: that they run one after another is what orders them.
#[derive(Clone)]
pub(crate) struct Log(Memory<Unsynchronised>);

struct Unsynchronised(UnsafeCell<Vec<u32>>);
// SAFETY: the models must show that tasks and those that waited for them never overlap.
unsafe impl Sync for Unsynchronised {}
// SAFETY: as above.
unsafe impl Send for Unsynchronised {}

impl Log {
    pub(crate) fn new() -> Self {
        Self(Memory::new(Unsynchronised(UnsafeCell::new(Vec::new()))))
    }

    pub(crate) fn push(&self, number: u32) {
        // SAFETY: inside a task, and the model checks that no two overlap.
        self.0.0.with_mut(|log| unsafe { (*log).push(number) });
    }

    /// What was logged, for a thread that has waited.
    pub(crate) fn get(&self) -> Vec<u32> {
        // SAFETY: the model checks that this does not overlap with a task.
        self.0.0.with(|log| unsafe { (*log).clone() })
    }

    /// A task that logs a number.
    pub(crate) fn task(&self, number: u32) -> impl FnOnce() + Send + 'static {
        let log = self.clone();
        move || log.push(number)
    }
}

/// A dispatcher whose gate is shut.
pub(crate) fn shut(bound: usize) -> (Unmanned, Guard) {
    let worker = Unmanned::new(bound, None, Overflow::Reject);
    let guard = worker.guard();
    (worker, guard)
}

/// A dispatcher whose gate is open.
pub(crate) fn opened() -> (Unmanned, Guard) {
    let (worker, guard) = shut(4);
    guard.open().unwrap();
    (worker, guard)
}
