//! One stream after the other.

use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::{FusedStream, Stream};
use pin_project_lite::pin_project;

use crate::set::{IntoStreams, StreamSet};
use crate::stage::{Stage, polled_after_panic};

/// Gives the items of one stream after those of the other.
///
/// For the same containers as [`Merge`](super::Merge). A stream is first polled when those before it
/// have ended, and polled with the caller's own waker: there is nothing to keep account of, so
/// nothing is allocated. No streams at all end at once.
///
/// ```
/// use futures_lite::{StreamExt as _, stream};
/// use selvedge_combinators::prelude::*;
///
/// # futures_lite::future::block_on(async {
/// let mut items = [stream::iter([1, 2]), stream::iter([3, 4])].chain();
/// let all: Vec<_> = items.collect().await;
/// assert_eq!(all, [1, 2, 3, 4]);
/// # });
/// ```
///
/// # Cancel safety
///
/// Waiting for the next item may be given up at any time, and nothing is lost: no item is ever held
/// back. Dropping the stream drops all children that have not ended.
pub trait Chain {
    /// What the streams give.
    type Item;
    /// The chained stream.
    type Stream: Stream<Item = Self::Item>;

    /// Gives the items of one stream after those of the other.
    fn chain(self) -> Self::Stream;
}

impl<C: IntoStreams> Chain for C {
    type Item = C::Item;
    type Stream = Chained<C::InOrder>;

    #[inline]
    fn chain(self) -> Chained<C::InOrder> {
        Chained { set: self.into_streams_in_order(), current: 0, stage: Stage::Fresh }
    }
}

pin_project! {
    /// The stream of [`chain`](Chain::chain): `S` holds the children.
    ///
    /// A child that ends is dropped where it lies, at once.
    ///
    /// # Panics
    ///
    /// When polled again after a child panicked.
    #[must_use = "streams do nothing unless polled"]
    pub struct Chained<S> {
        #[pin]
        set: S,
        current: usize,
        stage: Stage,
    }
}

impl<S: StreamSet> Stream for Chained<S> {
    type Item = S::Item;

    #[inline]
    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<S::Item>> {
        let mut this = self.project();
        match this.stage {
            Stage::Fresh | Stage::Waiting => {}
            Stage::Polling => polled_after_panic(),
            Stage::Done => return Poll::Ready(None),
        }
        *this.stage = Stage::Polling;
        while *this.current < this.set.len() {
            match this.set.as_mut().poll_child(*this.current, cx) {
                Poll::Ready(None) => *this.current += 1,
                other => {
                    *this.stage = Stage::Waiting;
                    return other;
                }
            }
        }
        *this.stage = Stage::Done;
        Poll::Ready(None)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        if self.stage.is_over() { (0, Some(0)) } else { self.set.size_hint() }
    }
}

impl<S: StreamSet> FusedStream for Chained<S> {
    fn is_terminated(&self) -> bool {
        self.stage.is_over()
    }
}

impl<S: StreamSet> fmt::Debug for Chained<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chained")
            .field("children", &self.set.len())
            .field("current", &self.current)
            .field("stage", &self.stage)
            .finish_non_exhaustive()
    }
}
