//! Whatever comes next from any stream.

use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::{FusedStream, Stream};
use pin_project_lite::pin_project;

use crate::set::{IntoStreams, StreamSet, Wakers};
use crate::stage::{Stage, polled_after_panic};

/// Gives the items of several streams as they come.
///
/// For arrays, `Vec`s, boxed slices, pinned slices and tuples of up to 12, all with one type of
/// item. It ends when all streams have; no streams at all end at once. A stream that always has
/// an item does not keep the others from their turn.
///
/// Nothing is polled while you work on an item: a stream that must be served meanwhile belongs in a
/// task of its own, or beside the work in a [`join`](crate::future::Join).
///
/// ```
/// use futures_lite::{StreamExt as _, stream};
/// use selvedge_combinators::prelude::*;
///
/// # futures_lite::future::block_on(async {
/// let mut items = (stream::iter([1, 3]), stream::once(2)).merge();
/// assert_eq!(items.next().await, Some(1));
/// assert_eq!(items.next().await, Some(2));
/// assert_eq!(items.next().await, Some(3));
/// assert_eq!(items.next().await, None);
/// # });
/// ```
///
/// # Cancel safety
///
/// Waiting for the next item may be given up at any time, and nothing is lost: no item is ever held
/// back. Dropping the stream drops all children.
pub trait Merge {
    /// What the streams give.
    type Item;
    /// The merged stream.
    type Stream: Stream<Item = Self::Item>;

    /// Gives the items of several streams as they come.
    fn merge(self) -> Self::Stream;
}

impl<C: IntoStreams> Merge for C {
    type Item = C::Item;
    type Stream = Merged<C::Set>;

    #[inline]
    fn merge(self) -> Merged<C::Set> {
        Merged::new(self.into_streams())
    }
}

pin_project! {
    /// The stream of [`merge`](Merge::merge): `S` holds the children.
    ///
    /// It polls a child when that was woken, and at most once per poll of its own. A child that ends
    /// is dropped where it lies, at once. Wake-ups are kept in one allocation, made at the
    /// first poll and freed at the end.
    ///
    /// # Panics
    ///
    /// When polled again after a child panicked.
    #[must_use = "streams do nothing unless polled"]
    pub struct Merged<S: StreamSet> {
        #[pin]
        set: S,
        wakers: Option<S::Wakers>,
        // How many children have not ended.
        left: usize,
        stage: Stage,
    }
}

impl<S: StreamSet> Merged<S> {
    #[inline]
    fn new(set: S) -> Self {
        let left = set.len();
        Self { set, wakers: None, left, stage: Stage::Fresh }
    }
}

impl<S: StreamSet> Stream for Merged<S> {
    type Item = S::Item;

    #[inline]
    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<S::Item>> {
        let mut this = self.project();
        match this.stage {
            Stage::Fresh | Stage::Waiting => {}
            Stage::Polling => polled_after_panic(),
            Stage::Done => return Poll::Ready(None),
        }
        if *this.left > 0 {
            let wakers = this.wakers.get_or_insert_with(|| {
                let mut wakers = S::Wakers::idle(this.set.len());
                wakers.set_all_ready();
                wakers
            });
            // An item that is probably there needs no parent to be woken.
            let mut registered = !wakers.begin_poll_unregistered(cx.waker());
            if registered {
                wakers.begin_poll(cx.waker());
            }
            *this.stage = Stage::Polling;
            loop {
                let Some(index) = wakers.next_ready() else {
                    if *this.left == 0 {
                        break;
                    }
                    if !registered {
                        // The parent's own code may panic here, and no child has.
                        *this.stage = Stage::Waiting;
                        wakers.register(cx.waker());
                        *this.stage = Stage::Polling;
                        registered = true;
                        continue;
                    }
                    if wakers.extend_poll() {
                        continue;
                    }
                    break;
                };
                let waker = wakers.waker(index);
                match this.set.as_mut().poll_child(index, &mut Context::from_waker(&waker)) {
                    Poll::Pending => {}
                    Poll::Ready(None) => *this.left -= 1,
                    Poll::Ready(item) => {
                        // It may have more, and will not wake anybody for that.
                        wakers.make_ready(index);
                        *this.stage = Stage::Waiting;
                        return Poll::Ready(item);
                    }
                }
            }
            if *this.left > 0 {
                *this.stage = Stage::Waiting;
                return Poll::Pending;
            }
        }
        *this.wakers = None;
        *this.stage = Stage::Done;
        Poll::Ready(None)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        if self.stage.is_over() { (0, Some(0)) } else { self.set.size_hint() }
    }
}

impl<S: StreamSet> FusedStream for Merged<S> {
    fn is_terminated(&self) -> bool {
        self.stage.is_over()
    }
}

impl<S: StreamSet> fmt::Debug for Merged<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Merged")
            .field("children", &self.set.len())
            .field("left", &self.left)
            .field("stage", &self.stage)
            .finish_non_exhaustive()
    }
}
