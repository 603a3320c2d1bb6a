//! What the tests under random schedules share.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Poll, Waker};

use selvedge_sync::atomic::{AtomicUsize, Ordering};
use selvedge_sync::sync::Mutex;
use selvedge_sync::thread::{ThreadId, yield_now};

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

/// Counts destructor runs, and insists on the thread that made it.
pub(crate) struct Dropped {
    home: ThreadId,
    count: AtomicUsize,
}

impl Dropped {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { home: ThreadId::current(), count: AtomicUsize::new(0) })
    }

    pub(crate) fn guard(self: &Arc<Self>) -> DropGuard {
        DropGuard(self.clone())
    }

    pub(crate) fn count(&self) -> usize {
        self.count.load(Ordering::SeqCst)
    }
}

pub(crate) struct DropGuard(Arc<Dropped>);

impl Drop for DropGuard {
    fn drop(&mut self) {
        assert!(self.0.home.is_current(), "a future was dropped off its owner thread");
        self.0.count.fetch_add(1, Ordering::SeqCst);
    }
}

/// Lets other threads run a few times.
pub(crate) fn pause() {
    for _ in 0..selvedge_sync::random(3) {
        yield_now();
    }
}
