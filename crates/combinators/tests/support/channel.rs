//! Streams of what other threads send.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use selvedge_sync::sync::Mutex;

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
