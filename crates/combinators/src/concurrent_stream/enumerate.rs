//! Items with their number.

use core::future::Future;
use core::num::NonZeroUsize;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;

use super::ConcurrentStream;

pin_project! {
    /// The source of [`enumerate`](ConcurrentStream::enumerate).
    #[derive(Debug)]
    #[must_use = "a concurrent stream does nothing unless it is run"]
    pub struct Enumerate<C> {
        #[pin]
        source: C,
        next: usize,
    }
}

impl<C> Enumerate<C> {
    pub(crate) fn new(source: C) -> Self {
        Self { source, next: 0 }
    }
}

impl<C: ConcurrentStream> ConcurrentStream for Enumerate<C> {
    type Item = (usize, C::Item);
    type Future = Enumerated<C::Future>;

    fn poll_work(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Future>> {
        let this = self.project();
        this.source.poll_work(cx).map(|work| {
            let future = work?;
            let number = *this.next;
            *this.next += 1;
            Some(Enumerated { future, number })
        })
    }

    fn concurrency_limit(&self) -> Option<NonZeroUsize> {
        self.source.concurrency_limit()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.source.size_hint()
    }
}

pin_project! {
    /// A future of [`enumerate`](ConcurrentStream::enumerate).
    #[derive(Debug)]
    #[must_use = "futures do nothing unless awaited or polled"]
    pub struct Enumerated<F> {
        #[pin]
        future: F,
        number: usize,
    }
}

impl<F> Enumerated<F> {
    pub(super) fn new(future: F, number: usize) -> Self {
        Self { future, number }
    }
}

impl<F: Future> Future for Enumerated<F> {
    type Output = (usize, F::Output);

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        this.future.poll(cx).map(|output| (*this.number, output))
    }
}
