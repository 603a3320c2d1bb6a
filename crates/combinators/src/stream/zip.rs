//! One item of each stream at a time.

use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::{FusedStream, Stream};
use pin_project_lite::pin_project;

use crate::set::{IntoRows, RowSet, RowStep, Wakers};
use crate::stage::{Stage, polled_after_panic};

/// Gives rows: one item of each stream.
///
/// For the same containers as [`Merge`](super::Merge); in a tuple each stream may have its own type
/// of item. An array of streams gives arrays, a tuple tuples, a boxed slice boxed slices, a `Vec` or
/// a pinned slice `Vec`s. All streams are waited for at the same time. It ends as soon as one of
/// them does, and then drops the others, and what they gave for the last row. No streams at all
/// end at once.
///
/// ```
/// use futures_lite::{StreamExt as _, stream};
/// use selvedge_combinators::prelude::*;
///
/// # futures_lite::future::block_on(async {
/// let mut rows = (stream::iter([1, 2, 3]), stream::iter(["a", "b"])).zip();
/// assert_eq!(rows.next().await, Some((1, "a")));
/// assert_eq!(rows.next().await, Some((2, "b")));
/// assert_eq!(rows.next().await, None);
/// # });
/// ```
///
/// # Cancel safety
///
/// Waiting for the next row may be given up at any time: the items that are there already stay for the
/// next try. Dropping the stream drops all children, and these items.
pub trait Zip {
    /// An item of each stream.
    type Item;
    /// The stream of rows.
    type Stream: Stream<Item = Self::Item>;

    /// Gives rows: one item of each stream.
    fn zip(self) -> Self::Stream;
}

impl<C: IntoRows> Zip for C {
    type Item = C::Row;
    type Stream = Zipped<C::Set>;

    #[inline]
    fn zip(self) -> Zipped<C::Set> {
        Zipped::new(self.into_rows())
    }
}

pin_project! {
    /// The stream of [`zip`](Zip::zip): `S` holds the children.
    ///
    /// It polls a child when that was woken and its item of the row is missing, and at most once per
    /// poll of its own. Wake-ups are kept in one allocation, made at the first poll and freed at
    /// the end.
    ///
    /// # Panics
    ///
    /// When polled again after a child panicked.
    #[must_use = "streams do nothing unless polled"]
    pub struct Zipped<S: RowSet> {
        #[pin]
        set: S,
        wakers: Option<S::Wakers>,
        // How many items of the row are missing.
        missing: usize,
        stage: Stage,
    }
}

impl<S: RowSet> Zipped<S> {
    #[inline]
    fn new(set: S) -> Self {
        let missing = set.len();
        Self { set, wakers: None, missing, stage: Stage::Fresh }
    }
}

impl<S: RowSet> Stream for Zipped<S> {
    type Item = S::Row;

    #[inline]
    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<S::Row>> {
        let mut this = self.project();
        match this.stage {
            Stage::Fresh | Stage::Waiting => {}
            Stage::Polling => polled_after_panic(),
            Stage::Done => return Poll::Ready(None),
        }
        let len = this.set.len();
        if len > 0 {
            let wakers = this.wakers.get_or_insert_with(|| {
                let mut wakers = S::Wakers::idle(len);
                wakers.set_all_ready();
                wakers
            });
            wakers.begin_poll(cx.waker());
            *this.stage = Stage::Polling;
            let ended = loop {
                let Some(index) = wakers.next_ready() else { break false };
                let waker = wakers.waker(index);
                match this.set.as_mut().poll_child(index, &mut Context::from_waker(&waker)) {
                    RowStep::Pending => {}
                    RowStep::Filled => *this.missing -= 1,
                    RowStep::Ended => break true,
                }
            };
            if !ended {
                *this.stage = Stage::Waiting;
                if *this.missing > 0 {
                    return Poll::Pending;
                }
                *this.missing = len;
                // A stream that gave its item may have more, and will not wake anybody for that.
                wakers.set_all_ready();
                return Poll::Ready(Some(this.set.take_row()));
            }
        }
        this.set.release();
        *this.wakers = None;
        *this.stage = Stage::Done;
        Poll::Ready(None)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        if self.stage.is_over() { (0, Some(0)) } else { self.set.size_hint() }
    }
}

impl<S: RowSet> FusedStream for Zipped<S> {
    fn is_terminated(&self) -> bool {
        self.stage.is_over()
    }
}

impl<S: RowSet> fmt::Debug for Zipped<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Zipped")
            .field("children", &self.set.len())
            .field("missing", &self.missing)
            .field("stage", &self.stage)
            .finish_non_exhaustive()
    }
}
