//! Waiting, which is a future in every case.

use core::ops::Deref;
use core::pin::Pin;
use core::task::{Context, Poll};
use std::time::Instant;

use selvedge_sync::thread::{block_on, block_on_until};

use super::control::{Control, Key};
use super::{Reached, Shared};
use crate::error::DispatchError;
use crate::queue::Gate;

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// All tasks of a generation with numbers from `start` and below `ticket` are done with.
    Passed { generation: u64, start: u64, ticket: u64 },
    /// There is room for one task more, or nothing is accepted any more.
    Started { count: u64 },
    /// The worker of a generation has ended.
    Ended { generation: u64 },
    /// The same, or the verb that closes it has run out of time.
    Settled { generation: u64 },
}

impl Until {
    /// Where in the list of waiters it belongs: a worker that has finished this many tasks looks at
    /// it. (Starting one task finishes all before it, so `count` are started then.)
    fn key(self) -> u64 {
        match self {
            Self::Passed { ticket, .. } => ticket,
            Self::Started { count } => count.saturating_sub(1),
            Self::Ended { .. } | Self::Settled { .. } => u64::MAX,
        }
    }

    fn outcome(
        self,
        shared: &Shared,
        control: &Control,
        reached: Reached,
    ) -> Poll<Result<(), DispatchError>> {
        match self {
            Self::Passed { start, ticket, .. } if reached.finished >= ticket => {
                Poll::Ready(match control.any_dropped(start, ticket) {
                    true => Err(DispatchError::Killed),
                    false => Ok(()),
                })
            }
            Self::Passed { generation, .. } if control.is_over(generation) => {
                Poll::Ready(Err(DispatchError::WorkerPanic))
            }
            Self::Started { count } if reached.started >= count => Poll::Ready(Ok(())),
            Self::Started { .. } if shared.queue.tail().load().gate() != Gate::Open => {
                Poll::Ready(Ok(()))
            }
            Self::Ended { generation } | Self::Settled { generation }
                if control.is_over(generation) =>
            {
                Poll::Ready(Ok(()))
            }
            Self::Settled { .. } if control.is_given_up() => Poll::Ready(Ok(())),
            Self::Passed { .. }
            | Self::Started { .. }
            | Self::Ended { .. }
            | Self::Settled { .. } => Poll::Pending,
        }
    }

    /// Tells the worker to look at the list of waiters as it goes on; how far it is.
    fn watch(self, shared: &Shared, control: &mut Control) -> Reached {
        match self {
            Self::Passed { .. } | Self::Started { .. } => {
                control.watched = true;
                shared.progress.watch()
            }
            // The end of the worker looks at the list in any case.
            Self::Ended { .. } | Self::Settled { .. } => shared.progress.reached(),
        }
    }
}

/// Resolves when the worker has come far enough. Cancelled by dropping it.
#[derive(Debug)]
pub(crate) struct Wait<S: Deref<Target = Shared>> {
    shared: S,
    until: Until,
    /// Where in the list of waiters it was put last.
    key: Option<Key>,
}

impl<S: Deref<Target = Shared>> Wait<S> {
    pub(crate) fn new(shared: S, until: Until) -> Self {
        Self { shared, until, key: None }
    }
}

// Nothing in it is pinned.
impl<S: Deref<Target = Shared>> Unpin for Wait<S> {}

impl<S: Deref<Target = Shared>> Future for Wait<S> {
    type Output = Result<(), DispatchError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let shared: &Shared = &this.shared;
        if shared.is_foreign() {
            return Poll::Ready(Err(DispatchError::Forked));
        }
        // User code, so it comes before the lock; and the old waker is dropped after it.
        let waker = cx.waker().clone();
        let mut control = shared.control();
        let old = this.key.take().and_then(|key| control.waiters.remove(&key));
        let mut outcome = this.until.outcome(shared, &control, shared.progress.reached());
        let mut unneeded = Some(waker);
        if outcome.is_pending() {
            let key = (this.until.key(), control.last_waiter + 1);
            control.last_waiter = key.1;
            control.waiters.extend(unneeded.take().map(|waker| (key, waker)));
            shared.note_due(&mut control);
            let reached = this.until.watch(shared, &mut control);
            outcome = this.until.outcome(shared, &control, reached);
            match outcome {
                Poll::Pending => this.key = Some(key),
                Poll::Ready(_) => unneeded = control.waiters.remove(&key),
            }
        }
        shared.note_due(&mut control);
        drop(control);
        drop(old);
        drop(unneeded);
        outcome
    }
}

impl<S: Deref<Target = Shared>> Drop for Wait<S> {
    fn drop(&mut self) {
        let Some(key) = self.key.take() else { return };
        let shared: &Shared = &self.shared;
        if shared.is_foreign() {
            return;
        }
        let mut control = shared.control();
        let waker = control.waiters.remove(&key);
        shared.note_due(&mut control);
        drop(control);
        drop(waker);
    }
}

impl Shared {
    /// Waits on this thread, until `deadline` at the latest.
    pub(super) fn wait(
        &self,
        until: Until,
        deadline: Option<Instant>,
    ) -> Result<(), DispatchError> {
        let wait = Wait::new(self, until);
        match deadline {
            None => block_on(wait),
            Some(deadline) => {
                block_on_until(wait, deadline).unwrap_or(Err(DispatchError::TimedOut))
            }
        }
    }

    /// For all that was accepted so far.
    pub(crate) fn until_now(&self) -> Until {
        if self.is_foreign() {
            // The lock may be held by a thread that is not there. `Wait` will say so.
            return Until::Ended { generation: 0 };
        }
        let control = self.control();
        let ticket = self.queue.tail().load().index();
        Until::Passed { generation: control.generation, start: control.start, ticket }
    }

    /// For the tasks with numbers up to this one.
    pub(crate) fn until_after(&self, index: u64) -> Until {
        let control = self.control();
        Until::Passed { generation: control.generation, start: control.start, ticket: index + 1 }
    }
}
