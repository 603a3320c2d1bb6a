//! The word by which wakes and sleeping drivers find each other.

use std::fmt;

use selvedge_sync::atomic::{AtomicUsize, Ordering};

/// `M`: the inbox may hold something that nobody has collected.
const MAIL: usize = 0b01;
/// `S`: some driver in the list sleeps, and nobody has undertaken to wake it.
const SLEEPERS: usize = 0b10;

/// The signal word: transitions and their proof are in the module's design notes.
pub(super) struct Signal(AtomicUsize);

/// What a thread has to do after it announced mail.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Posted {
    /// Drivers slept and this thread has undertaken to wake them.
    WakeSleepers,
    /// Nobody slept, or somebody else wakes them.
    Done,
}

/// What the owner has to do after it announced its sleep.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Announced {
    /// Mail came first: collect it instead of sleeping.
    MailWaits,
    /// Every later post will see the sleeper.
    Quiet,
}

/// Whether there is mail to collect.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Collected {
    /// The inbox may hold something.
    Mail,
    /// Nothing came since the last look.
    Nothing,
}

/// What a thread has to do that wants all drivers awake.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Roused {
    /// Drivers slept and this thread has undertaken to wake them.
    WakeSleepers,
    /// Nobody slept, or somebody else wakes them.
    Done,
}

/// Whether any driver sleeps.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Probed {
    /// The driver sought may be among them.
    SomeSleep,
    /// A driver that goes to sleep from now on sees what happened before the probe.
    NoneSleep,
}

impl Signal {
    /// No mail, no sleepers.
    pub(super) fn new() -> Self {
        Self(AtomicUsize::new(0))
    }

    /// `m s` → `1 0`: announces what was just pushed to the inbox.
    pub(super) fn post(&self) -> Posted {
        if cfg!(selvedge_mutant = "post_elided_while_mail_waits")
            && self.0.load(Ordering::Relaxed) & MAIL != 0
        {
            return Posted::Done;
        }
        // ORDERING: Release: the push is visible to whoever sees `M` (`announce`, `collect`). What is in
        // the list of sleepers is the business of its lock.
        if self.0.swap(MAIL, Ordering::Release) & SLEEPERS != 0 {
            Posted::WakeSleepers
        } else {
            Posted::Done
        }
    }

    /// `m s` → `m 1`: the owner has put a driver's waker in the list and wants to sleep.
    pub(super) fn announce(&self) -> Announced {
        // ORDERING: Acquire: the push behind `M` (`post`), the main future's flag (`probe`). No release:
        // whoever sees `S` takes the list's lock after the owner did. Had it been before, its look at
        // this word would happen before this, and could not see it.
        let before = self.0.fetch_or(SLEEPERS, Ordering::Acquire);
        if before & MAIL != 0 { Announced::MailWaits } else { Announced::Quiet }
    }

    /// `1 s` → `0 s`: the owner is about to empty the inbox. One relaxed load where nothing came.
    #[inline]
    pub(super) fn collect(&self) -> Collected {
        if self.0.load(Ordering::Relaxed) & MAIL == 0 {
            return Collected::Nothing;
        }
        self.take_mail()
    }

    #[cold]
    fn take_mail(&self) -> Collected {
        // ORDERING: Acquire, from `post`: the push that set `M`, and by the release sequence of
        // read-modify-writes all earlier ones. Clearing comes before the pops, so a push that those
        // miss sets `M` again.
        if self.0.fetch_and(!MAIL, Ordering::Acquire) & MAIL != 0 {
            Collected::Mail
        } else {
            Collected::Nothing
        }
    }

    /// `m s` → `1 s`: the owner leaves part of the inbox for later.
    pub(super) fn leave_mail(&self) {
        // Relaxed: the owner itself, which has seen those pushes already, is the one to read it.
        self.0.fetch_or(MAIL, Ordering::Relaxed);
    }

    /// Whether a local push has to [`rouse`](Self::rouse). For the owner thread.
    #[inline]
    pub(super) fn may_have_sleepers(&self) -> bool {
        // Relaxed: only the owner sets `S`, so it never misses its own; where another thread has just
        // cleared it, that thread wakes the sleepers.
        self.0.load(Ordering::Relaxed) & SLEEPERS != 0
    }

    /// `m s` → `m 0`: somebody has to be awake.
    pub(super) fn rouse(&self) -> Roused {
        // Relaxed: the list's lock, as in `announce`.
        if self.0.fetch_and(!SLEEPERS, Ordering::Relaxed) & SLEEPERS != 0 {
            Roused::WakeSleepers
        } else {
            Roused::Done
        }
    }

    /// Reads the newest word after a main future's flag was raised, and changes nothing.
    pub(super) fn probe(&self) -> Probed {
        // ORDERING: Release on a read-modify-write, so that it has a place among the changes of this
        // word: a later `announce` sees the flag. For an earlier one there is the list's lock.
        if self.0.fetch_or(0, Ordering::Release) & SLEEPERS != 0 {
            Probed::SomeSleep
        } else {
            Probed::NoneSleep
        }
    }
}

impl fmt::Debug for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.0.load(Ordering::Relaxed);
        f.debug_struct("Signal")
            .field("mail", &(word & MAIL != 0))
            .field("sleepers", &(word & SLEEPERS != 0))
            .finish()
    }
}
