//! Streams and iterators as sources.

use core::future::{Ready, ready};
use core::num::NonZeroUsize;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::Stream;
use pin_project_lite::pin_project;

use super::ConcurrentStream;

pin_project! {
    /// The source of [`co`](crate::stream::StreamExt::co): the items of a stream.
    #[derive(Debug)]
    #[must_use = "a concurrent stream does nothing unless it is run"]
    pub struct FromStream<S> {
        #[pin]
        stream: S,
    }
}

impl<S> FromStream<S> {
    pub(crate) fn new(stream: S) -> Self {
        Self { stream }
    }
}

impl<S: Stream> ConcurrentStream for FromStream<S> {
    type Item = S::Item;
    type Future = Ready<S::Item>;

    fn poll_work(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Ready<S::Item>>> {
        self.project().stream.poll_next(cx).map(|item| item.map(ready))
    }

    fn concurrency_limit(&self) -> Option<NonZeroUsize> {
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.stream.size_hint()
    }
}

/// The source of [`into_co_stream`](super::IntoConcurrentStream::into_co_stream) of a collection: the
/// items of an iterator.
#[derive(Debug)]
#[must_use = "a concurrent stream does nothing unless it is run"]
pub struct FromIter<I> {
    iter: I,
}

impl<I> FromIter<I> {
    pub(crate) fn new(iter: I) -> Self {
        Self { iter }
    }
}

// Items are moved out; nothing is pinned.
impl<I> Unpin for FromIter<I> {}

impl<I: Iterator> ConcurrentStream for FromIter<I> {
    type Item = I::Item;
    type Future = Ready<I::Item>;

    fn poll_work(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Ready<I::Item>>> {
        Poll::Ready(self.iter.next().map(ready))
    }

    fn concurrency_limit(&self) -> Option<NonZeroUsize> {
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.iter.size_hint()
    }
}
