//! Closures as the queue carries them.

mod completion;
mod erased;
mod handled;
mod large;
mod plain;

pub(crate) use self::completion::{Cancel, Completion};
pub(crate) use self::erased::{ErasedTask, Table, Words, fits, table};
pub(crate) use self::handled::Handled;
pub(crate) use self::large::{Large, LargeHandled};
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

/// What is launched, as its caller would get it back: a task that fits into a slot, or a large one
/// whose type is forgotten only once it is accepted.
pub(crate) trait Launch {
    /// What the slot holds.
    type Stored: Task;

    /// Bytes of memory of its own, to which the slot only points.
    const BOXED: usize;

    /// Turns into what the slot holds. Nothing in here can panic.
    fn into_stored(self) -> Self::Stored;
}

impl<T: Task> Launch for T {
    type Stored = T;

    const BOXED: usize = 0;

    #[inline]
    fn into_stored(self) -> T {
        self
    }
}
