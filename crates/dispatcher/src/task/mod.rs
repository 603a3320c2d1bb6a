//! Closures as the queue carries them.

mod completion;
mod erased;
mod handled;
mod plain;

pub(crate) use self::completion::{Cancel, Completion};
pub(crate) use self::erased::{ErasedTask, Table, Words, fits, table};
pub(crate) use self::handled::Handled;
pub(crate) use self::plain::Plain;

use crate::ledger::Ledger;

/// What a slot holds. Either method uses it up, writes what became of it into the ledger, and does
/// not unwind.
pub(crate) trait Task: Send + 'static {
    /// Runs it. For the worker.
    fn run(self, ledger: &Ledger);

    /// Drops it unrun. For the worker, and for whoever evicts.
    fn discard(self, why: Discard, ledger: &Ledger);
}

/// Why a task is dropped unrun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Discard {
    /// The dispatcher was killed.
    Killed,
    /// The dispatcher was dropped before its gate was opened.
    Unopened,
    /// A newer task took its place.
    Evicted,
}

/// A task too large for a slot.
impl<T: Task> Task for Box<T> {
    #[inline]
    fn run(self, ledger: &Ledger) {
        (*self).run(ledger);
    }

    fn discard(self, why: Discard, ledger: &Ledger) {
        (*self).discard(why, ledger);
    }
}
