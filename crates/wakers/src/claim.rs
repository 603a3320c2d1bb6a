//! Who owns a static block.

use selvedge_sync::atomic::{AtomicUsize, Ordering};

/// Never claimed; the pages behind the root are not written yet.
const UNUSED: usize = 0;
/// An owner lives, or was forgotten.
const OWNED: usize = 1;
/// The owner is gone; everything is written.
const FREE: usize = 2;

/// The claim word; its table is in the design notes.
#[derive(Debug)]
pub(crate) struct Claim(AtomicUsize);

/// How an attempt to become the owner went.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claimed {
    /// The caller is the first owner ever: it writes the pages.
    First,
    /// The caller is the owner, and finds the words of the one before.
    Again,
    /// Somebody else is.
    Refused,
}

impl Claim {
    selvedge_sync::const_fn! {
        /// Never claimed.
        pub(crate) const fn new() -> Self {
            Self(AtomicUsize::new(UNUSED))
        }
    }

    /// `0` → `1`, `2` → `1`.
    pub(crate) fn claim(&self) -> Claimed {
        // Relaxed: the exchange decides.
        let state = self.0.load(Ordering::Relaxed);
        if state == OWNED && !cfg!(selvedge_mutant = "claim_not_exclusive") {
            return Claimed::Refused;
        }
        // ORDERING: Acquire, partner `release`: the former owner's plain words, and the pages.
        // Relaxed on failure: nothing of the block is touched then.
        match self.0.compare_exchange(state, OWNED, Ordering::Acquire, Ordering::Relaxed) {
            Ok(UNUSED) => Claimed::First,
            Ok(_) => Claimed::Again,
            Err(_) => Claimed::Refused,
        }
    }

    /// `1` → `2`.
    pub(crate) fn release(&self) {
        let order = if cfg!(selvedge_mutant = "claim_released_relaxed") {
            Ordering::Relaxed
        } else {
            Ordering::Release
        };
        // ORDERING: Release, partner `claim`: everything this owner did comes before the next one.
        self.0.store(FREE, order);
    }
}
