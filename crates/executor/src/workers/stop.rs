//! How workers are told to end.

use core::task::{Poll, Waker};
use std::future::poll_fn;
use std::sync::Arc;

use selvedge_sync::sync::Mutex;
use selvedge_task_core::payload;

/// An event that happens once, with a place for each worker's waker.
#[derive(Clone, Debug)]
pub(super) struct Stop(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    happened: bool,
    wakers: Vec<Option<Waker>>,
}

impl Stop {
    /// Has not happened, and is awaited by so many workers at most.
    pub(super) fn new(workers: usize) -> Self {
        Self(Arc::new(Mutex::new(State { happened: false, wakers: vec![None; workers] })))
    }

    /// Completes when the event has happened. For one worker at a time.
    pub(super) async fn told(&self, worker: usize) {
        poll_fn(|cx| {
            let waker = cx.waker().clone();
            let mut state = self.0.lock();
            if state.happened {
                return Poll::Ready(());
            }
            let previous = state.wakers[worker].replace(waker);
            drop(state);
            drop(previous);
            Poll::Pending
        })
        .await;
    }

    /// Lets it happen.
    pub(super) fn tell(&self) {
        let wakers = {
            let mut state = self.0.lock();
            state.happened = true;
            core::mem::take(&mut state.wakers)
        };
        wakers.into_iter().flatten().for_each(payload::wake);
    }

    /// Lets it happen at the end of a scope.
    pub(super) fn on_drop(&self) -> StopOnDrop<'_> {
        StopOnDrop(self)
    }
}

/// Tells when it is dropped.
pub(super) struct StopOnDrop<'s>(&'s Stop);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.tell();
    }
}
