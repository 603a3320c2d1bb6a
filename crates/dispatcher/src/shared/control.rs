//! What the slow paths decide, under one leaf lock.

use std::collections::BTreeMap;
use std::task::Waker;

use selvedge_sync::thread::JoinHandle;

use crate::error::{DispatchError, LaunchErrorKind};
use crate::stats::Stats;

/// What the slow paths decide. No user code runs under its lock.
#[derive(Debug)]
pub(super) struct Control {
    /// Grows by one with each reset.
    pub(super) generation: u64,
    /// The number of the generation's first task, and the counters before it.
    pub(super) start: u64,
    pub(super) base: Stats,
    pub(super) thread: Thread,
    pub(super) closing: Option<Closing>,
    /// Whether the worker is done, and nothing of the generation is left.
    pub(super) ended: bool,
    /// The number at which the gate was opened.
    pub(super) opened_at: Option<u64>,
    /// Whether a first `flush_init` has begun.
    pub(super) flushed: bool,
    /// Numbers of tasks that were dropped, from and up to; one range for each generation at most.
    pub(super) dropped: Vec<(u64, u64)>,
    /// Who waits, by what for (see `Until::key`).
    pub(super) waiters: BTreeMap<Key, Waker>,
    pub(super) last_waiter: u64,
    /// The least key, as in `Shared::due`.
    pub(super) due: u64,
    /// Whether the worker was told that somebody waits.
    pub(super) watched: bool,
    /// Generations whose closing verbs have not told their callers yet how they ended.
    asked: BTreeMap<u64, Asked>,
}

/// A generation of which closing verbs want to know how it ended.
#[derive(Debug, Default)]
struct Asked {
    by: usize,
    /// Set when the next generation begins.
    ending: Option<Ending>,
}

/// How a generation ended, or stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ending {
    pub(super) stats: Stats,
    pub(super) refusal: LaunchErrorKind,
}

/// How far the worker must come, and a number to tell waiters apart.
pub(super) type Key = (u64, u64);

/// The worker thread of a generation.
#[derive(Debug)]
pub(super) enum Thread {
    /// None was spawned.
    Vacant,
    /// Spawned, and not joined.
    Spawned(JoinHandle<()>),
    /// Somebody joins it, or has.
    Taken,
}

/// The verb that closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    Shutdown,
    Kill,
    Dropped,
}

/// Who closes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closing {
    pub(super) cause: Cause,
    /// Whether the verb has run out of time: the next one takes its place.
    pub(super) given_up: bool,
}

/// Whether a verb is the one that closes.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// It is.
    First,
    /// Another one was before.
    Second,
}

impl Control {
    pub(super) const fn new() -> Self {
        Self {
            generation: 0,
            start: 0,
            base: NOTHING,
            thread: Thread::Vacant,
            closing: None,
            ended: false,
            opened_at: None,
            flushed: false,
            dropped: Vec::new(),
            waiters: BTreeMap::new(),
            last_waiter: 0,
            due: u64::MAX,
            watched: false,
            asked: BTreeMap::new(),
        }
    }

    /// Makes the caller the one that closes, unless somebody is.
    pub(super) fn claim(&mut self, cause: Cause) -> Claim {
        match &mut self.closing {
            Some(Closing { given_up: false, .. }) => Claim::Second,
            Some(closing) => {
                closing.given_up = false;
                if cause == Cause::Kill {
                    closing.cause = cause;
                }
                Claim::First
            }
            None => {
                self.closing = Some(Closing { cause, given_up: false });
                Claim::First
            }
        }
    }

    /// Lets the next closing verb take the place of the one that calls.
    pub(super) fn give_up(&mut self) {
        if let Some(closing) = &mut self.closing {
            closing.given_up = true;
        }
    }

    /// Whether the verb that closes has run out of time.
    pub(super) fn is_given_up(&self) -> bool {
        matches!(self.closing, Some(Closing { given_up: true, .. }))
    }

    /// What a verb says that comes after the closing.
    pub(super) fn closed_error(&self) -> DispatchError {
        self.refusal().into()
    }

    /// What a launch says that comes after the closing.
    pub(super) fn refusal(&self) -> LaunchErrorKind {
        match self.closing {
            Some(Closing { cause: Cause::Kill, .. }) => LaunchErrorKind::Killed,
            _ => LaunchErrorKind::Closed,
        }
    }

    /// Whether any of these tasks was dropped.
    pub(super) fn any_dropped(&self, from: u64, to: u64) -> bool {
        self.dropped.iter().any(|(first, end)| *first < to && from < *end)
    }

    /// One more wants to know how this generation ends.
    pub(super) fn ask(&mut self) {
        self.asked.entry(self.generation).or_default().by += 1;
    }

    /// One of those knows, or does not care any more.
    pub(super) fn unask(&mut self, generation: u64) {
        if let Some(asked) = self.asked.get_mut(&generation) {
            asked.by -= 1;
            if asked.by == 0 {
                self.asked.remove(&generation);
            }
        }
    }

    /// How a generation ended that is asked for; with `now`, if it is the one of now.
    pub(super) fn ending(&self, generation: u64, now: Stats) -> Ending {
        let kept = self.asked.get(&generation).and_then(|asked| asked.ending);
        kept.unwrap_or_else(|| Ending { stats: now, refusal: self.refusal() })
    }

    /// Whether the worker of a generation has ended.
    pub(super) fn is_over(&self, generation: u64) -> bool {
        self.ended || self.generation != generation
    }

    /// Whether a closing verb has brought this generation to its end: the next one comes too late.
    pub(super) fn is_settled(&self, generation: u64) -> bool {
        let closed = matches!(self.closing, Some(Closing { given_up: false, .. }));
        self.generation != generation || (self.ended && closed)
    }

    /// Starts the next generation with task `start`.
    pub(super) fn renew(&mut self, start: u64, base: Stats, now: Stats) {
        let ending = Ending { stats: now, refusal: self.refusal() };
        if let Some(asked) = self.asked.get_mut(&self.generation) {
            asked.ending = Some(ending);
        }
        *self = Self {
            generation: self.generation + 1,
            start,
            base,
            dropped: core::mem::take(&mut self.dropped),
            waiters: core::mem::take(&mut self.waiters),
            last_waiter: self.last_waiter,
            due: self.due,
            watched: self.watched,
            asked: core::mem::take(&mut self.asked),
            ..Self::new()
        };
    }
}

const NOTHING: Stats =
    Stats { queued: 0, run: 0, panicked: 0, turned_away: 0, evicted: 0, dropped: 0, sleeps: 0 };
