//! How many at the same time.

use core::num::NonZeroUsize;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;

use super::ConcurrentStream;

pin_project! {
    /// The source of [`limit`](ConcurrentStream::limit).
    #[derive(Debug)]
    #[must_use = "a concurrent stream does nothing unless it is run"]
    pub struct Limit<C> {
        #[pin]
        source: C,
        limit: Option<NonZeroUsize>,
    }
}

impl<C> Limit<C> {
    pub(crate) fn new(source: C, limit: Option<NonZeroUsize>) -> Self {
        Self { source, limit }
    }
}

impl<C: ConcurrentStream> ConcurrentStream for Limit<C> {
    type Item = C::Item;
    type Future = C::Future;

    fn poll_work(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<C::Future>> {
        self.project().source.poll_work(cx)
    }

    fn concurrency_limit(&self) -> Option<NonZeroUsize> {
        match (self.limit, self.source.concurrency_limit()) {
            (Some(outer), Some(inner)) => Some(outer.min(inner)),
            (outer, inner) => outer.or(inner),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.source.size_hint()
    }
}
