//! Tasks without their types: some words and a table of two functions.

use core::mem::MaybeUninit;

use selvedge_sync::MODELLED;

use super::{Discard, Task};
use crate::ledger::Ledger;

/// Words of a task that lie in its slot: with the table's address they fill a cache line. In a model
/// no more than a boxed closure with a handle takes, whose counted pointer is larger there.
const WORDS: usize = if MODELLED { 6 } else { 7 };

/// Room for a task.
pub(crate) type Words = MaybeUninit<[u64; WORDS]>;

/// What can be done with the words.
#[derive(Debug)]
pub(crate) struct Table {
    run: unsafe fn(&mut Words, &Ledger),
    discard: unsafe fn(&mut Words, Discard, &Ledger),
}

/// Whether a task of this type can lie in a slot.
pub(crate) const fn fits<T>() -> bool {
    size_of::<T>() <= size_of::<Words>() && align_of::<T>() <= align_of::<Words>()
}

/// The table of a type that [`fits`].
pub(crate) const fn table<T: Task>() -> &'static Table {
    &Table { run: run::<T>, discard: discard::<T> }
}

/// # Safety
///
/// `words` hold a task of this type, which is moved out.
unsafe fn run<T: Task>(words: &mut Words, ledger: &Ledger) {
    // SAFETY: by contract.
    let task = unsafe { read_task::<T>(words) };
    task.run(ledger);
}

/// # Safety
///
/// `words` hold a task of this type, which is moved out.
unsafe fn discard<T: Task>(words: &mut Words, why: Discard, ledger: &Ledger) {
    // SAFETY: by contract.
    let task = unsafe { read_task::<T>(words) };
    task.discard(why, ledger);
}

/// # Safety
///
/// `words` hold a task of this type, which is moved out.
#[inline]
unsafe fn read_task<T>(words: &Words) -> T {
    // SAFETY: by contract; a type that fits is aligned no more than the words are.
    unsafe { words.as_ptr().cast::<T>().read() }
}

/// A task taken out of its slot, in a place of its taker's: it is not moved again before it runs. Has to
/// be used up by one of its methods, else the task is leaked.
#[must_use]
#[derive(Debug)]
pub(crate) struct ErasedTask<'p> {
    table: &'static Table,
    words: &'p mut Words,
}

impl<'p> ErasedTask<'p> {
    /// # Safety
    ///
    /// `words` hold a task of the table's type, and nobody else uses them.
    #[inline]
    pub(crate) unsafe fn new(table: &'static Table, words: &'p mut Words) -> Self {
        Self { table, words }
    }

    #[inline]
    pub(crate) fn run(self, ledger: &Ledger) {
        // SAFETY: the words match the table since `new`, and are used once.
        unsafe { (self.table.run)(self.words, ledger) }
    }

    pub(crate) fn discard(self, why: Discard, ledger: &Ledger) {
        // SAFETY: the words match the table since `new`, and are used once.
        unsafe { (self.table.discard)(self.words, why, ledger) }
    }
}
