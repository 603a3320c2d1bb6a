//! What tests under random schedules wait for, and how they let others run.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Poll, Waker};

use selvedge_sync::sync::Mutex;
use selvedge_sync::thread::yield_now;

/// Set once by any thread; one task waits for it.
#[derive(Default)]
pub(crate) struct Signal(Mutex<(bool, Option<Waker>)>);

impl Signal {
    pub(crate) fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Sets it, and wakes who waits.
    pub(crate) fn set(&self) {
        let waker = {
            let mut inner = self.0.lock();
            inner.0 = true;
            inner.1.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Wakes who waits, although nothing happened.
    pub(crate) fn disturb(&self) {
        let waker = self.0.lock().1.clone();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Waits until it is set.
    pub(crate) async fn wait(&self) {
        poll_fn(|cx| {
            let old = {
                let mut inner = self.0.lock();
                if inner.0 {
                    return Poll::Ready(());
                }
                inner.1.replace(cx.waker().clone())
            };
            drop(old);
            Poll::Pending
        })
        .await;
    }
}

/// Lets other threads run a few times.
pub(crate) fn pause() {
    for _ in 0..selvedge_sync::random(3) {
        yield_now();
    }
}
