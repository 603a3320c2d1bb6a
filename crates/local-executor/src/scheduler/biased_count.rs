//! A count that the owner thread changes without synchronisation.

use std::process::abort;

use selvedge_sync::atomic::{AtomicIsize, Ordering};
use selvedge_sync::cell::UnsafeCell;

use super::Owner;

/// The owner has moved its part to `elsewhere`.
const MERGED: isize = 0b1;
/// One in `elsewhere`.
const ONE: isize = 0b10;
/// More than this can only be leaks; to go on would overflow.
const LIMIT: isize = isize::MAX / 4;
/// The owner moves its part to the others' when it has grown to this, either way. So `elsewhere` stays
/// this close to the true count, however long one side adds what the other removes.
const BALANCE: isize = 1 << 20;

/// The sum of two parts: one for the owner thread, plain memory, and one for all others, atomic.
///
/// Either part may be negative, since what was added on one side may be removed on the other. Only
/// [`merge`](Self::merge) lets other threads notice that the sum has become zero.
pub(super) struct BiasedCount {
    /// Owner only. `None` once it is merged.
    here: UnsafeCell<Option<isize>>,
    elsewhere: AtomicIsize,
}

/// What a removal, or the merge, has left.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remaining {
    /// Something, or the owner has not merged yet.
    Some,
    /// Nothing, and everything that was done under the count has happened before.
    Nothing,
}

impl BiasedCount {
    /// Zero.
    pub(super) fn new() -> Self {
        Self { here: UnsafeCell::new(Some(0)), elsewhere: AtomicIsize::new(0) }
    }

    /// Counts one more, on the owner thread.
    #[inline]
    pub(super) fn add_here<T>(&self, owner: Owner<'_, T>) {
        match self.here(owner) {
            Some(BALANCE) => self.rebalance(owner, BALANCE, 1),
            Some(count) => self.set_here(owner, Some(count + 1)),
            None => self.add_elsewhere(),
        }
    }

    /// Counts one more, on any other thread.
    pub(super) fn add_elsewhere(&self) {
        // Relaxed: as in `Arc`, whoever adds has a claim of its own that keeps the sum above zero.
        if self.elsewhere.fetch_add(ONE, Ordering::Relaxed) > LIMIT {
            abort();
        }
    }

    /// Counts one less, on the owner thread.
    ///
    /// Takes `owner` by reference: after the merge another thread may free the scheduler before this
    /// returns, and what an argument borrows by value has to live that long.
    #[inline]
    pub(super) fn remove_here<T>(&self, owner: &Owner<'_, T>) -> Remaining {
        let owner = *owner;
        match self.here(owner) {
            Some(count) if count == -BALANCE => self.rebalance(owner, -BALANCE, -1),
            Some(count) => self.set_here(owner, Some(count - 1)),
            None => return self.remove_elsewhere(),
        }
        Remaining::Some
    }

    /// Moves the owner's part to the others', and starts anew.
    #[cold]
    fn rebalance<T>(&self, owner: Owner<'_, T>, part: isize, rest: isize) {
        self.set_here(owner, Some(rest));
        // Relaxed: the executor is alive, so nobody frees on account of this count, and the owner
        // sees its own addition in `is_zero` and `merge`.
        if self.elsewhere.fetch_add(part * ONE, Ordering::Relaxed) > LIMIT {
            abort();
        }
    }

    /// Counts one less, on any other thread.
    pub(super) fn remove_elsewhere(&self) -> Remaining {
        // ORDERING: AcqRel. Release: this thread's use is over, for the one that finds nothing left
        // (here or in `merge`) and for `is_zero`. Acquire: so is everybody else's, if it is us.
        let before = self.elsewhere.fetch_sub(ONE, Ordering::AcqRel);
        if before == ONE | MERGED { Remaining::Nothing } else { Remaining::Some }
    }

    /// Moves the owner's part to the others', for good. Takes `owner` by reference like
    /// [`remove_here`](Self::remove_here).
    pub(super) fn merge<T>(&self, owner: &Owner<'_, T>) -> Remaining {
        let owner = *owner;
        if self.is_zero(owner) {
            return Remaining::Nothing;
        }
        let Some(here) = self.here(owner) else { return Remaining::Some };
        if cfg!(selvedge_mutant = "references_not_merged") {
            return Remaining::Some;
        }
        self.set_here(owner, None);
        let merged = here * ONE + MERGED;
        // ORDERING: AcqRel. Release: the owner's use, for the thread that finds nothing left
        // (`remove_elsewhere`). Acquire: every other thread's use, if nothing is left now.
        let before = self.elsewhere.fetch_add(merged, Ordering::AcqRel);
        if before + merged == MERGED { Remaining::Nothing } else { Remaining::Some }
    }

    /// Whether nothing is counted, as far as the owner can tell before a merge.
    ///
    /// An old value of the others' part may hide some of what is counted, never all of it; the proof
    /// is in the module's design notes.
    pub(super) fn is_zero<T>(&self, owner: Owner<'_, T>) -> bool {
        // ORDERING: Acquire, from `remove_elsewhere`: what was done under the count is over.
        self.here(owner)
            .is_some_and(|here| here * ONE + self.elsewhere.load(Ordering::Acquire) == 0)
    }

    #[inline]
    fn here<T>(&self, _: Owner<'_, T>) -> Option<isize> {
        // SAFETY: on the owner thread, and no other borrow is alive.
        self.here.with(|here| unsafe { *here })
    }

    #[inline]
    fn set_here<T>(&self, _: Owner<'_, T>, value: Option<isize>) {
        // SAFETY: on the owner thread, and no other borrow is alive.
        self.here.with_mut(|here| unsafe { *here = value });
    }
}
