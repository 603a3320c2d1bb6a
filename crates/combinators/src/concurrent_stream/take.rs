//! So many and no more.

use core::num::NonZeroUsize;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;

use super::ConcurrentStream;

pin_project! {
    /// The source of [`take`](ConcurrentStream::take).
    #[derive(Debug)]
    #[must_use = "a concurrent stream does nothing unless it is run"]
    pub struct Take<C> {
        #[pin]
        source: C,
        left: usize,
    }
}

impl<C> Take<C> {
    pub(crate) fn new(source: C, limit: usize) -> Self {
        Self { source, left: limit }
    }
}

impl<C: ConcurrentStream> ConcurrentStream for Take<C> {
    type Item = C::Item;
    type Future = C::Future;

    fn poll_work(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<C::Future>> {
        let this = self.project();
        if *this.left == 0 {
            return Poll::Ready(None);
        }
        let work = this.source.poll_work(cx);
        if matches!(work, Poll::Ready(Some(_))) {
            *this.left -= 1;
        }
        work
    }

    fn concurrency_limit(&self) -> Option<NonZeroUsize> {
        self.source.concurrency_limit()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        if self.left == 0 {
            return (0, Some(0));
        }
        let (lower, upper) = self.source.size_hint();
        (lower.min(self.left), Some(upper.map_or(self.left, |upper| upper.min(self.left))))
    }
}
