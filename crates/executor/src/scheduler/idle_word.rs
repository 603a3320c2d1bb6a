//! The word by which posts of work and drivers without work find each other.

use std::fmt;

use selvedge_sync::atomic::{AtomicUsize, Ordering, full_fence, full_fence_after_rmw};

/// `S`: somebody in the list sleeps, and nobody has undertaken to wake the list.
const SLEEPERS: usize = 0b1;
/// `n`: one driver that searches, or was woken to search.
const SEARCHER: usize = 0b10;

/// The idle word: transitions and their proof are in the module's design notes.
pub(super) struct IdleWord(AtomicUsize);

/// What a thread has to do after it posted work.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Posted {
    /// Drivers sleep and nobody searches: wake some.
    Wake,
    /// Nobody sleeps, or a searcher will see the work.
    Done,
}

/// Whether a driver may search.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Admitted {
    /// It counts as a searcher from now on.
    Search,
    /// Enough others do.
    EnoughSearch,
}

/// What a driver has to do that has just ceased to search.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ceased {
    /// Posts have relied on it, and drivers sleep: if work is left, wake some.
    LookForSleepers,
    /// Other searchers are there to rely on, or nobody sleeps.
    Done,
}

/// What a driver has to do that has announced its sleep.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Announced {
    /// Look at every queue once more.
    Recheck,
    /// Some other driver searches, and will do that.
    OthersSearch,
}

impl IdleWord {
    /// Nobody sleeps, nobody searches.
    pub(super) fn new() -> Self {
        Self(AtomicUsize::new(0))
    }

    /// After work was made visible, and a full fence.
    #[inline]
    pub(super) fn posted(&self) -> Posted {
        // Relaxed: between the fences of this thread and of `announce` or `cease_search`, one of both
        // sides sees what the other did.
        if self.0.load(Ordering::Relaxed) == SLEEPERS { Posted::Wake } else { Posted::Done }
    }

    /// `s n` → `1 n`, or `1 n-1` for a driver that has searched: it is in the list and wants to sleep.
    ///
    /// Ends with a full fence.
    pub(super) fn announce(&self, searching: bool) -> Announced {
        // Relaxed: whoever sees the bit locks the list after we did, and finds the waker there.
        let mut others = self.0.fetch_or(SLEEPERS, Ordering::Relaxed);
        if searching && !cfg!(selvedge_mutant = "searcher_sleeps_counted") {
            // Relaxed: the fence below is what `posted` pairs with.
            others = self.0.fetch_sub(SEARCHER, Ordering::Relaxed) - SEARCHER;
        }
        if !cfg!(selvedge_mutant = "announced_unfenced") {
            full_fence_after_rmw();
        }
        if others < SEARCHER { Announced::Recheck } else { Announced::OthersSearch }
    }

    /// `1 n` → `0 n`: under the list's lock, when all who are in it have been, or will be, woken.
    pub(super) fn clear_sleepers(&self) {
        // Relaxed: `announce` of a driver that enters the list later comes after the lock's release.
        self.0.fetch_and(!SLEEPERS, Ordering::Relaxed);
    }

    /// `s n` → `s n+1`, if fewer than `most` search.
    pub(super) fn try_search(&self, most: usize) -> Admitted {
        let mut word = self.0.load(Ordering::Relaxed);
        loop {
            if word / SEARCHER >= most {
                return Admitted::EnoughSearch;
            }
            let more = word + SEARCHER;
            // Relaxed: a post that sees the searcher relies on the fence of `announce` or `cease_search`.
            match self.0.compare_exchange_weak(word, more, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Admitted::Search,
                Err(newer) => word = newer,
            }
        }
    }

    /// `s n` → `s n+1`: a driver is about to be woken to search.
    pub(super) fn send_searching(&self) {
        // Relaxed: as in `try_search`.
        self.0.fetch_add(SEARCHER, Ordering::Relaxed);
    }

    /// Whether anybody searches.
    pub(super) fn somebody_searches(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= SEARCHER
    }

    /// `s n` → `s n-1`. Ends with a full fence.
    pub(super) fn cease_search(&self) -> Ceased {
        // Relaxed: the fence is what `posted` pairs with.
        let before = self.0.fetch_sub(SEARCHER, Ordering::Relaxed);
        if !cfg!(selvedge_mutant = "ceased_unfenced") {
            full_fence_after_rmw();
        }
        if before == SEARCHER | SLEEPERS { Ceased::LookForSleepers } else { Ceased::Done }
    }

    /// Makes what this thread wrote visible before it asks [`posted`](Self::posted).
    #[inline]
    pub(super) fn fence(&self) {
        full_fence();
    }
}

impl fmt::Debug for IdleWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.0.load(Ordering::Relaxed);
        f.debug_struct("IdleWord")
            .field("sleepers", &(word & SLEEPERS != 0))
            .field("searching", &(word / SEARCHER))
            .finish()
    }
}
