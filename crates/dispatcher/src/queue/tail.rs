//! The word that decides what becomes of a launch.

use std::fmt;

use selvedge_sync::atomic::{AtomicU64, Ordering};

/// Nothing is accepted any more.
const CLOSED: u64 = 0b001;
/// Nothing runs yet. Together with `CLOSED`: nothing ever will.
const GATED: u64 = 0b010;
/// The worker sleeps, and nobody has undertaken to wake it.
const PARKED: u64 = 0b100;
/// The number of the next task counts from here.
const ONE: u64 = 0b1000;

/// The tail: the number of the next task, and three bits. Transitions and their proof are in the
/// design notes.
pub(crate) struct Tail(AtomicU64);

/// A value of the word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen(u64);

/// What a value of the word says of launches and runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gate {
    /// Launches are accepted, nothing runs.
    Shut,
    /// Launches are accepted and run.
    Open,
    /// Launches are refused; what was accepted runs.
    Closed,
    /// Launches are refused; what was accepted is to be dropped.
    Abandoned,
}

/// Whether a thread has to wake the worker.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wake {
    /// It slept, and this thread has undertaken to wake it.
    Worker,
    /// It was awake, or somebody else wakes it, or it need not know.
    Nobody,
}

/// What became of an opening.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opened {
    /// This call opened the gate. What has a smaller number was queued before.
    Now(u64, Wake),
    /// It was open.
    Before,
    /// The dispatcher is closed.
    Closed,
}

/// What became of a closing.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Closed {
    /// What the word said before.
    pub(crate) before: Gate,
    /// The number that no task gets any more.
    pub(crate) end: u64,
    /// Whether the worker is to be woken.
    pub(crate) wake: Wake,
}

impl Seen {
    /// The number of the next task.
    #[inline]
    pub(crate) fn index(self) -> u64 {
        self.0 / ONE
    }

    #[inline]
    pub(crate) fn gate(self) -> Gate {
        match (self.0 & CLOSED != 0, self.0 & GATED != 0) {
            (false, false) => Gate::Open,
            (false, true) => Gate::Shut,
            (true, false) => Gate::Closed,
            (true, true) => Gate::Abandoned,
        }
    }

    fn wake(self) -> Wake {
        if self.0 & PARKED != 0 { Wake::Worker } else { Wake::Nobody }
    }
}

impl Tail {
    selvedge_sync::const_fn! {
        /// No task yet, and the gate shut.
        pub(super) const fn new() -> Self {
            Self(AtomicU64::new(GATED))
        }
    }

    #[inline]
    pub(crate) fn load(&self) -> Seen {
        // ORDERING: Acquire, from `reserve_first` and `reopen`: the block that goes with the number
        // (`Queue::block`), through the release sequence of the read-modify-writes in between.
        Seen(self.0.load(Ordering::Acquire))
    }

    /// `n c g p` → `n+1 c g p·g`, if the word is still `seen`, which is not closed: the caller has
    /// reserved the slot of number `n`. Where the gate is open it also undertakes to wake the worker.
    #[inline]
    pub(super) fn reserve(&self, seen: Seen) -> Result<Wake, Seen> {
        let (next, wake) = if seen.0 & GATED != 0 {
            (seen.0 + ONE, Wake::Nobody)
        } else {
            ((seen.0 + ONE) & !PARKED, seen.wake())
        };
        // Relaxed on success: the task travels through its slot. The number alone decides the order,
        // and a launch that happens before another one comes before it in this word.
        // ORDERING: Acquire on failure, as in `load`.
        let swapped =
            self.0.compare_exchange_weak(seen.0, next, Ordering::Relaxed, Ordering::Acquire);
        swapped.map(|_| wake).map_err(Seen)
    }

    /// The same for the first number of a block.
    pub(super) fn reserve_first(&self, seen: Seen) -> Result<Wake, Seen> {
        let (next, wake) = if seen.0 & GATED != 0 {
            (seen.0 + ONE, Wake::Nobody)
        } else {
            ((seen.0 + ONE) & !PARKED, seen.wake())
        };
        // ORDERING: Release on success, to `load` and `reserve`: the block that goes with all numbers
        // up to the next border. Relaxed on failure: the number is still the first of a block.
        let swapped = self.0.compare_exchange(seen.0, next, Ordering::Release, Ordering::Relaxed);
        swapped.map(|_| wake).map_err(Seen)
    }

    /// `n c g p` → `n c g 1`, if the word is still `seen`: the worker is about to sleep. Whether it may.
    pub(crate) fn park(&self, seen: Seen) -> bool {
        if cfg!(selvedge_mutant = "parked_without_a_second_look") {
            self.0.fetch_or(PARKED, Ordering::Relaxed);
            return true;
        }
        // Relaxed: the event orders the wake-up, and the slots order the tasks.
        self.0
            .compare_exchange(seen.0, seen.0 | PARKED, Ordering::Relaxed, Ordering::Relaxed)
            .is_ok()
    }

    /// `n 0 1 p` → `n 0 0 0`.
    pub(crate) fn open(&self) -> Opened {
        let mut seen = self.load();
        loop {
            match seen.gate() {
                Gate::Open => return Opened::Before,
                Gate::Closed | Gate::Abandoned => return Opened::Closed,
                Gate::Shut => {}
            }
            match self.exchange(seen, seen.0 & !(GATED | PARKED)) {
                Ok(()) => return Opened::Now(seen.index(), seen.wake()),
                Err(now) => seen = now,
            }
        }
    }

    /// `n c 0 p` → `n 1 0 0`, and `n 0 1 p` → `n 1 0 0`: refuses launches from now on, and lets run what
    /// was accepted.
    pub(crate) fn close(&self) -> Closed {
        self.shut(|seen| (seen.0 | CLOSED) & !(GATED | PARKED))
    }

    /// `n 0 0 p` → `n 1 0 0`, and `n 0 1 p` → `n 1 1 0`: refuses launches from now on. What an open gate
    /// has let in runs; behind a shut one it is to be dropped.
    pub(crate) fn abandon(&self) -> Closed {
        self.shut(|seen| (seen.0 | CLOSED) & !PARKED)
    }

    fn shut(&self, next: impl Fn(Seen) -> u64) -> Closed {
        let mut seen = self.load();
        loop {
            match self.exchange(seen, next(seen)) {
                Ok(()) => {
                    let silent = cfg!(selvedge_mutant = "close_does_not_wake");
                    let wake = if silent { Wake::Nobody } else { seen.wake() };
                    return Closed { before: seen.gate(), end: seen.index(), wake };
                }
                Err(now) => seen = now,
            }
        }
    }

    /// `n 1 g p` → `n 0 1 0`: for the next generation of tasks. No worker is there.
    pub(crate) fn reopen(&self) -> u64 {
        let mut seen = self.load();
        loop {
            match self.exchange(seen, (seen.0 & !(CLOSED | PARKED)) | GATED) {
                Ok(()) => return seen.index(),
                Err(now) => seen = now,
            }
        }
    }

    fn exchange(&self, seen: Seen, next: u64) -> Result<(), Seen> {
        // Relaxed: what a verb decides beside the word it writes under the lock of `Control`, which it
        // holds, and it looks at no block.
        let swapped = self.0.compare_exchange(seen.0, next, Ordering::Relaxed, Ordering::Relaxed);
        swapped.map(drop).map_err(Seen)
    }
}

impl fmt::Debug for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tail")
            .field("index", &self.index())
            .field("gate", &self.gate())
            .field("parked", &(self.0 & PARKED != 0))
            .finish()
    }
}

impl fmt::Debug for Tail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Seen(self.0.load(Ordering::Relaxed)).fmt(f)
    }
}
