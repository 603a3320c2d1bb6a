//! Where a task and its handle meet.

use core::fmt;
use core::mem;
use core::task::{Poll, Waker};

use selvedge_sync::sync::Mutex;

use crate::error::TaskError;
use crate::panics::swallow;

type Outcome<T> = Result<T, TaskError>;

/// Where a task and its handle meet. A leaf lock, under which no user code runs.
pub(crate) struct Completion<T>(Mutex<State<T>>);

struct State<T> {
    phase: Phase<T>,
    detached: bool,
    waker: Option<Waker>,
}

enum Phase<T> {
    Queued,
    Started,
    Cancelled,
    Done(Outcome<T>),
    Taken,
}

/// Whether the worker may run a task.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// It is the worker's now.
    Granted,
    /// The handle cancelled it first.
    Refused,
}

/// Whether a task could be cancelled.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cancel {
    /// It never starts.
    Done,
    /// It has started, or ended.
    TooLate,
}

impl<T> Completion<T> {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(State { phase: Phase::Queued, detached: false, waker: None }))
    }

    /// For the worker, once: decides between it and [`cancel`](Self::cancel).
    pub(crate) fn start(&self) -> Start {
        let mut state = self.0.lock();
        match state.phase {
            Phase::Cancelled if !cfg!(selvedge_mutant = "cancel_ignored") => Start::Refused,
            _ => {
                state.phase = Phase::Started;
                Start::Granted
            }
        }
    }

    /// For the worker, once after it was granted the start. Gives the outcome back if nobody wants it.
    pub(crate) fn finish(&self, outcome: Outcome<T>) -> Option<Outcome<T>> {
        let mut state = self.0.lock();
        if state.detached {
            return Some(outcome);
        }
        state.phase = Phase::Done(outcome);
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            swallow(|| waker.wake());
        }
        None
    }

    /// For the handle.
    pub(crate) fn cancel(&self) -> Cancel {
        let mut state = self.0.lock();
        match state.phase {
            Phase::Queued => {
                state.phase = Phase::Cancelled;
                Cancel::Done
            }
            _ => Cancel::TooLate,
        }
    }

    /// For the handle: takes the outcome, or leaves `waker` to be woken. Panics if it was taken before.
    pub(crate) fn poll(&self, waker: &Waker) -> Poll<Outcome<T>> {
        if let Some(outcome) = self.take() {
            return Poll::Ready(outcome);
        }
        let waker = waker.clone();
        let mut state = self.0.lock();
        let blind = cfg!(selvedge_mutant = "output_not_looked_at_again");
        if matches!(state.phase, Phase::Done(_)) && !blind {
            drop(state);
            return Poll::Ready(self.take().expect("only the handle takes the outcome"));
        }
        let previous = if cfg!(selvedge_mutant = "first_waker_kept") {
            let first = state.waker.get_or_insert_with(|| waker.clone()).clone();
            state.waker.replace(first)
        } else {
            state.waker.replace(waker)
        };
        drop(state);
        drop(previous);
        Poll::Pending
    }

    /// For the handle: takes the outcome if it is there. Panics if it was taken before.
    pub(crate) fn take(&self) -> Option<Outcome<T>> {
        let mut state = self.0.lock();
        match mem::replace(&mut state.phase, Phase::Taken) {
            Phase::Done(outcome) => Some(outcome),
            Phase::Taken => {
                drop(state);
                panic!("the output of this handle was taken before; drop the handle instead");
            }
            before => {
                state.phase = before;
                None
            }
        }
    }

    /// Whether the worker is done with it, or will never start it.
    pub(crate) fn is_finished(&self) -> bool {
        !matches!(self.0.lock().phase, Phase::Queued | Phase::Started)
    }

    /// For the handle's drop: nobody will ask any more.
    pub(crate) fn detach(&self) {
        let mut state = self.0.lock();
        state.detached = true;
        let waker = state.waker.take();
        let outcome = match state.phase {
            Phase::Done(_) => Some(mem::replace(&mut state.phase, Phase::Taken)),
            _ => None,
        };
        drop(state);
        drop(outcome);
        drop(waker);
    }
}

impl<T> fmt::Debug for Completion<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phase = match self.0.lock().phase {
            Phase::Queued => "queued",
            Phase::Started => "running",
            Phase::Cancelled => "cancelled",
            Phase::Done(_) => "done",
            Phase::Taken => "taken",
        };
        f.write_str(phase)
    }
}
