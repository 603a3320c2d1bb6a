//! The word that says how far the worker has come.

use std::fmt;

use selvedge_sync::atomic::{AtomicU64, Ordering};

/// Somebody waits for the worker to come further.
const WATCHED: u64 = 0b001;
/// Nothing is to be started any more.
const KILLED: u64 = 0b010;
/// The task with the number before the next one to start is running.
const RUNNING: u64 = 0b100;
/// The number of the next task to start counts from here.
const ONE: u64 = 0b1000;

/// How many tasks were started, and three bits. Transitions and their proof are in the design notes.
pub(crate) struct Progress {
    word: AtomicU64,
    /// The number of the task that was started last: all before it are finished.
    current: AtomicU64,
}

/// What a start, or a rest, learns.
#[must_use]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// Somebody may wait for what has just been finished.
    pub(crate) watched: bool,
    /// The task must not run.
    pub(crate) killed: bool,
}

/// How far the worker was at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reached {
    /// All tasks with smaller numbers were started, or taken out.
    pub(crate) started: u64,
    /// All tasks with smaller numbers are done with.
    pub(crate) finished: u64,
    /// Whether a task is running.
    pub(crate) running: bool,
}

impl Progress {
    selvedge_sync::const_fn! {
        /// Nothing was started.
        pub(super) const fn new() -> Self {
            Self { word: AtomicU64::new(0), current: AtomicU64::new(0) }
        }
    }

    /// `s k r w` → `s+1 k 1 w`: the worker starts task `s`, and has finished all before.
    ///
    /// `running` is what the worker left behind: whether the bit is set.
    #[inline]
    pub(super) fn start(&self, index: u64, running: bool) -> Step {
        // ORDERING: Release, to `reached`: the effects of all tasks before this one.
        self.current.store(index, finishing(Ordering::Release));
        let step = if running { ONE } else { ONE + RUNNING };
        // ORDERING: AcqRel. Release, to `watch` and `reached`: the effects of the tasks that are
        // finished. Acquire, from `watch`: what is waited for (`Shared::due`).
        Self::step(self.word.fetch_add(step, finishing(Ordering::AcqRel)))
    }

    /// `s k 1 w` → `s k 0 w`: the worker has finished all that it started.
    pub(super) fn rest(&self) -> Step {
        // ORDERING: Release, to `watch` and `reached`: the effects of all tasks. No acquire: who sees that
        // somebody waits looks with `reached` next.
        Self::step(self.word.fetch_and(!RUNNING, finishing(Ordering::Release)))
    }

    /// `s k r w` → `s+1 k r w`: task `s` was taken out, under the lock of the head.
    pub(super) fn skip(&self) -> Step {
        // Relaxed: nothing was finished, and what was before stays published by the steps that did it;
        // who sees that somebody waits looks with `reached` next.
        Self::step(self.word.fetch_add(ONE, Ordering::Relaxed))
    }

    /// `s k r w` → `s 1 r w`.
    pub(super) fn kill(&self) {
        if cfg!(selvedge_mutant = "kill_not_announced") {
            return;
        }
        // Relaxed: why, stands under the lock of `Control`.
        self.word.fetch_or(KILLED, Ordering::Relaxed);
    }

    /// `s k r w` → `s 0 r w`: for the next generation of tasks. No worker is there.
    pub(super) fn revive(&self) {
        // Relaxed: the next worker is spawned after this.
        self.word.fetch_and(!KILLED, Ordering::Relaxed);
    }

    /// `s k r w` → `s k r 1`: every later start, rest or skip will see that somebody waits. Under the
    /// lock of `Control`.
    pub(super) fn watch(&self) -> Reached {
        let looked = cfg!(selvedge_mutant = "watched_after_a_look").then(|| self.reached());
        // ORDERING: AcqRel. Release, to `start`: what is waited for. Acquire, from `start` and `rest`:
        // the effects of the tasks that are finished.
        let reached = self.reached_by(self.word.fetch_or(WATCHED, Ordering::AcqRel));
        looked.unwrap_or(reached)
    }

    /// `s k r 1` → `s k r 0`: nobody waits. Under the lock of `Control`.
    pub(super) fn unwatch(&self) {
        // Relaxed: the lock orders it with every `watch`.
        self.word.fetch_and(!WATCHED, Ordering::Relaxed);
    }

    /// How far the worker is. It may be further already.
    pub(super) fn reached(&self) -> Reached {
        // ORDERING: Acquire, from `start` and `rest`: the effects of the tasks that are finished. From
        // `watch`, after a step that saw it: what is waited for.
        self.reached_by(self.word.load(Ordering::Acquire))
    }

    /// How far the worker is now, at one moment of this call. Only the number of started tasks is sure.
    pub(super) fn reached_now(&self) -> Reached {
        // Relaxed: a read-modify-write reads the newest value, and a number is all that is asked for.
        self.reached_by(self.word.fetch_or(0, Ordering::Relaxed))
    }

    fn reached_by(&self, word: u64) -> Reached {
        let (started, running) = (word / ONE, word & RUNNING != 0);
        // ORDERING: Acquire, from `start`: the effects of all tasks before that one, which may be
        // a later one than that of `word`.
        let finished = if running { self.current.load(Ordering::Acquire) } else { started };
        Reached { started, finished, running }
    }

    fn step(before: u64) -> Step {
        Step { watched: before & WATCHED != 0, killed: before & KILLED != 0 }
    }
}

/// The order of a step by which the worker passes a task.
#[inline]
fn finishing(order: Ordering) -> Ordering {
    if cfg!(selvedge_mutant = "finished_without_release") { Ordering::Relaxed } else { order }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reached().fmt(f)
    }
}
