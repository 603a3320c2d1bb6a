//! One word of ready bits that wakers raise and the owner takes.

use core::fmt;

use selvedge_sync::atomic::{AtomicUsize, Ordering};

/// A set of small numbers: the slots of a page that were woken, or the pages that have such slots.
pub(crate) struct ReadyWord(AtomicUsize);

/// What a raise has found.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Raised {
    /// The word was empty: this thread has to pass the news on.
    Edge,
    /// It was not: the thread that made the edge passes the news on, or has done so.
    Following,
}

impl ReadyWord {
    selvedge_sync::const_fn! {
        /// Nothing ready.
        #[inline]
        pub(crate) const fn new() -> Self {
            Self(AtomicUsize::new(0))
        }
    }

    /// `x` → `x ∪ bits`.
    #[inline]
    pub(crate) fn raise(&self, bits: usize) -> Raised {
        if cfg!(selvedge_mutant = "raise_elided_when_ready")
            && self.0.load(Ordering::Relaxed) & bits != 0
        {
            return Raised::Following;
        }
        // ORDERING: AcqRel, partner `take`. Release: what this thread wrote before its wake, also
        // where the bit was set already, which is why that path is a read-modify-write too. Acquire:
        // the registration and the take of `top` that came before the take of this word.
        if self.0.fetch_or(bits, Ordering::AcqRel) == 0 { Raised::Edge } else { Raised::Following }
    }

    /// `x` → `0`. Always a read-modify-write: a load may read a stale zero while the waking thread
    /// reads a stale parent.
    #[inline]
    pub(crate) fn take(&self) -> usize {
        if cfg!(selvedge_mutant = "take_skipped_when_empty") && self.0.load(Ordering::Relaxed) == 0
        {
            return 0;
        }
        // ORDERING: AcqRel, partner `raise`. Acquire: what the waking threads wrote. Release: the
        // registration, for those that raise from now on.
        self.0.swap(0, Ordering::AcqRel)
    }

    /// `x` → `0` where `x` is not empty, for a page whose flag was taken from `top`: whoever raised
    /// that flag has raised its bit here before, so the load sees that one or a later state.
    #[inline]
    pub(crate) fn take_flagged(&self) -> usize {
        // Relaxed: the take below acquires.
        if self.0.load(Ordering::Relaxed) == 0 { 0 } else { self.take() }
    }

    /// `x` → `x ∖ bits`. Whether one of them was there.
    pub(crate) fn withdraw(&self, bits: usize) -> bool {
        // Relaxed: a wake that came before this call is seen, and the owner reads nothing through
        // it. The change is a read-modify-write, so it cuts no release sequence.
        self.0.load(Ordering::Relaxed) & bits != 0
            && self.0.fetch_and(!bits, Ordering::Relaxed) & bits != 0
    }

    /// Whether something seems to be there. A hint: only [`take`](Self::take) knows.
    #[inline]
    pub(crate) fn glance(&self) -> bool {
        // Relaxed: who relies on the answer takes.
        self.0.load(Ordering::Relaxed) != 0
    }

    /// The word as it is now.
    #[inline]
    pub(crate) fn look(&self) -> usize {
        // ORDERING: Acquire, partner `raise`: who sees a slot ready sees what was written before.
        self.0.load(Ordering::Acquire)
    }
}

impl fmt::Debug for ReadyWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReadyWord({:#b})", self.0.load(Ordering::Relaxed))
    }
}
