//! A count that the owner thread changes without synchronisation.

use std::process::abort;

use selvedge_sync::atomic::{AtomicIsize, Ordering};
use selvedge_sync::cell::UnsafeCell;

use super::Owner;

/// The owner has moved its part to `elsewhere`.
const MERGED: isize = 0b1;
/// One in `elsewhere`.
const ONE: isize = 0b10;
/// More than this on either side can only be leaks; to go on would overflow.
const LIMIT: isize = isize::MAX / 4;

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
            Some(count) if count < LIMIT => self.set_here(owner, Some(count + 1)),
            Some(_) => abort(),
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
    #[inline]
    pub(super) fn remove_here<T>(&self, owner: Owner<'_, T>) -> Remaining {
        match self.here(owner) {
            Some(count) => {
                self.set_here(owner, Some(count - 1));
                Remaining::Some
            }
            None => self.remove_elsewhere(),
        }
    }

    /// Counts one less, on any other thread.
    pub(super) fn remove_elsewhere(&self) -> Remaining {
        // ORDERING: AcqRel. Release: this thread's use is over, for the one that finds nothing left
        // (here or in `merge`) and for `is_zero`. Acquire: so is everybody else's, if it is us.
        let before = self.elsewhere.fetch_sub(ONE, Ordering::AcqRel);
        if before == ONE | MERGED { Remaining::Nothing } else { Remaining::Some }
    }

    /// Moves the owner's part to the others', for good.
    pub(super) fn merge<T>(&self, owner: Owner<'_, T>) -> Remaining {
        if self.is_zero(owner) {
            return Remaining::Nothing;
        }
        let Some(here) = self.here(owner) else { return Remaining::Some };
        self.set_here(owner, None);
        let merged = here * ONE + MERGED;
        // ORDERING: AcqRel. Release: the owner's use, for the thread that finds nothing left
        // (`remove_elsewhere`). Acquire: every other thread's use, if nothing is left now.
        let before = self.elsewhere.fetch_add(merged, Ordering::AcqRel);
        if before + merged == MERGED { Remaining::Nothing } else { Remaining::Some }
    }

    /// Whether nothing is counted, as far as the owner can tell before a merge.
    ///
    /// An old value of the others' part never makes it look smaller: it lacks removals, or
    /// additions whose removal it lacks as well.
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
