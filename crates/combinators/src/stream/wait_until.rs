//! Starting a stream late.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use futures_core::{FusedStream, Stream};
use pin_project_lite::pin_project;

use crate::stage::polled_after_panic;

pin_project! {
    /// The stream of [`wait_until`](super::StreamExt::wait_until).
    ///
    /// The deadline is dropped where it lies when it has completed, and so is the stream when it has
    /// ended.
    ///
    /// # Panics
    ///
    /// When polled again after a panic.
    #[derive(Debug)]
    #[must_use = "streams do nothing unless polled"]
    pub struct WaitUntil<S, D> {
        #[pin]
        deadline: Option<D>,
        #[pin]
        stream: Option<S>,
        polling: bool,
    }
}

impl<S, D> WaitUntil<S, D> {
    pub(crate) fn new(stream: S, deadline: D) -> Self {
        Self { deadline: Some(deadline), stream: Some(stream), polling: false }
    }
}

impl<S: Stream, D: Future> WaitUntil<S, D> {
    fn poll_parts(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<S::Item>> {
        let mut this = self.project();
        if let Some(deadline) = this.deadline.as_mut().as_pin_mut() {
            ready!(deadline.poll(cx));
            this.deadline.set(None);
        }
        let Some(stream) = this.stream.as_mut().as_pin_mut() else { return Poll::Ready(None) };
        let item = ready!(stream.poll_next(cx));
        if item.is_none() {
            this.stream.set(None);
        }
        Poll::Ready(item)
    }
}

impl<S: Stream, D: Future> Stream for WaitUntil<S, D> {
    type Item = S::Item;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<S::Item>> {
        if core::mem::replace(self.as_mut().project().polling, true) {
            polled_after_panic();
        }
        let next = self.as_mut().poll_parts(cx);
        *self.project().polling = false;
        next
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        if self.polling {
            // After a panic.
            return (0, Some(0));
        }
        self.stream.as_ref().map_or((0, Some(0)), Stream::size_hint)
    }
}

impl<S: Stream, D: Future> FusedStream for WaitUntil<S, D> {
    fn is_terminated(&self) -> bool {
        self.polling || self.stream.is_none()
    }
}
