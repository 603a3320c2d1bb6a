//! The one future behind `for_each`, `try_for_each` and the `collect`s.

use core::fmt;
use core::future::Future;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::FusedFuture;
use pin_project_lite::pin_project;

use super::ConcurrentStream;
use super::work::Work;
use crate::stage::{Stage, polled_after_completion, polled_after_panic};

/// Takes what the futures of a concurrent stream give. An example is at
/// [`FromConcurrentStream`](super::FromConcurrentStream).
pub trait Collector<T> {
    /// What comes of it.
    type Output;

    /// Takes the output of future `number`, or ends with it.
    fn put(&mut self, number: usize, item: T) -> ControlFlow<Self::Output>;

    /// All futures have completed.
    fn finish(&mut self) -> Self::Output;
}

pin_project! {
    /// Runs a concurrent stream.
    ///
    /// The source, and each future, is polled when it was woken. One poll makes a bounded number of
    /// steps, so that a source that always has something does not keep the thread for ever.
    ///
    /// # Cancel safety
    ///
    /// Dropping it drops the source, the futures that run, and what was collected.
    ///
    /// # Panics
    ///
    /// When polled after completion, or again after a panic.
    #[must_use = "futures do nothing unless awaited or polled"]
    pub struct Consume<C: ConcurrentStream, K> {
        #[pin]
        work: Work<C>,
        collector: K,
        stage: Stage,
    }
}

impl<C: ConcurrentStream, K> Consume<C, K> {
    pub(crate) fn new(source: C, collector: K) -> Self {
        Self { work: Work::new(source), collector, stage: Stage::Fresh }
    }
}

impl<C: ConcurrentStream, K: Collector<C::Item>> Future for Consume<C, K> {
    type Output = K::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<K::Output> {
        let mut this = self.project();
        match this.stage {
            Stage::Fresh | Stage::Waiting => {}
            Stage::Polling => polled_after_panic(),
            Stage::Done => polled_after_completion(),
        }
        this.work.as_mut().begin(cx);
        *this.stage = Stage::Polling;
        let output = loop {
            match this.work.as_mut().next(cx) {
                Poll::Pending => {
                    *this.stage = Stage::Waiting;
                    return Poll::Pending;
                }
                Poll::Ready(None) => break this.collector.finish(),
                Poll::Ready(Some((number, item))) => {
                    if let ControlFlow::Break(output) = this.collector.put(number, item) {
                        break output;
                    }
                }
            }
        };
        this.work.release();
        *this.stage = Stage::Done;
        Poll::Ready(output)
    }
}

impl<C: ConcurrentStream, K: Collector<C::Item>> FusedFuture for Consume<C, K> {
    fn is_terminated(&self) -> bool {
        self.stage.is_over()
    }
}

impl<C: ConcurrentStream, K> fmt::Debug for Consume<C, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Consume")
            .field("running", &self.work.running())
            .field("stage", &self.stage)
            .finish_non_exhaustive()
    }
}
