//! What the tests under random schedules share.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
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

/// A stream of items that any thread sends.
#[derive(Default)]
pub(crate) struct Channel(Mutex<Inner>);

#[derive(Default)]
struct Inner {
    items: VecDeque<usize>,
    closed: bool,
    waker: Option<Waker>,
}

impl Channel {
    pub(crate) fn new() -> Arc<Self> {
        Arc::default()
    }

    pub(crate) fn send(&self, item: usize) {
        self.change(|inner| inner.items.push_back(item));
    }

    pub(crate) fn close(&self) {
        self.change(|inner| inner.closed = true);
    }

    fn change(&self, change: impl FnOnce(&mut Inner)) {
        let waker = {
            let mut inner = self.0.lock();
            change(&mut inner);
            inner.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// The receiving end of a channel.
pub(crate) struct Receiver(pub(crate) Arc<Channel>);

impl Stream for Receiver {
    type Item = usize;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<usize>> {
        let mut inner = self.0.0.lock();
        if let Some(item) = inner.items.pop_front() {
            return Poll::Ready(Some(item));
        }
        if inner.closed {
            return Poll::Ready(None);
        }
        let old = inner.waker.replace(cx.waker().clone());
        drop(inner);
        drop(old);
        Poll::Pending
    }
}

/// The next item of a stream.
pub(crate) async fn next<S: Stream + Unpin>(stream: &mut S) -> Option<S::Item> {
    poll_fn(|cx| Pin::new(&mut *stream).poll_next(cx)).await
}

/// Lets other threads run a few times.
pub(crate) fn pause() {
    for _ in 0..selvedge_sync::random(3) {
        yield_now();
    }
}
