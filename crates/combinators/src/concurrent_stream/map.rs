//! A future after each future.

use core::fmt;
use core::future::Future;
use core::num::NonZeroUsize;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use pin_project_lite::pin_project;

use super::ConcurrentStream;
use crate::stage::polled_after_completion;

pin_project! {
    /// The source of [`map`](ConcurrentStream::map).
    #[must_use = "a concurrent stream does nothing unless it is run"]
    pub struct Map<C, F> {
        #[pin]
        source: C,
        f: F,
    }
}

impl<C, F> Map<C, F> {
    pub(crate) fn new(source: C, f: F) -> Self {
        Self { source, f }
    }
}

impl<C, F, Fut> ConcurrentStream for Map<C, F>
where
    C: ConcurrentStream,
    F: FnOnce(C::Item) -> Fut + Clone,
    Fut: Future,
{
    type Item = Fut::Output;
    type Future = Mapped<C::Future, F, Fut>;

    fn poll_work(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Future>> {
        let this = self.project();
        let work = ready!(this.source.poll_work(cx));
        let half = |future| Half::First { future, f: Some(this.f.clone()) };
        Poll::Ready(work.map(|future| Mapped { half: half(future) }))
    }

    fn concurrency_limit(&self) -> Option<NonZeroUsize> {
        self.source.concurrency_limit()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.source.size_hint()
    }
}

impl<C: fmt::Debug, F> fmt::Debug for Map<C, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Map").field("source", &self.source).finish_non_exhaustive()
    }
}

pin_project! {
    /// A future of [`map`](ConcurrentStream::map): that of the item, then the one made from it.
    #[must_use = "futures do nothing unless awaited or polled"]
    pub struct Mapped<A, F, B> {
        #[pin]
        half: Half<A, F, B>,
    }
}

pin_project! {
    #[project = HalfProjection]
    enum Half<A, F, B> {
        First { #[pin] future: A, f: Option<F> },
        Second { #[pin] future: B },
        Done,
    }
}

impl<A, F, B> Future for Mapped<A, F, B>
where
    A: Future,
    F: FnOnce(A::Output) -> B,
    B: Future,
{
    type Output = B::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<B::Output> {
        let mut half = self.project().half;
        loop {
            match half.as_mut().project() {
                HalfProjection::First { future, f } => {
                    let item = ready!(future.poll(cx));
                    let Some(f) = f.take() else { polled_after_completion() };
                    let future = f(item);
                    half.set(Half::Second { future });
                }
                HalfProjection::Second { future } => {
                    let output = ready!(future.poll(cx));
                    half.set(Half::Done);
                    return Poll::Ready(output);
                }
                HalfProjection::Done => polled_after_completion(),
            }
        }
    }
}

impl<A, F, B> fmt::Debug for Mapped<A, F, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.half {
            Half::First { .. } => "Mapped(first)",
            Half::Second { .. } => "Mapped(second)",
            Half::Done => "Mapped(done)",
        })
    }
}
