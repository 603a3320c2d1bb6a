//! Combinators as methods of a stream.

use core::future::IntoFuture;

use futures_core::Stream;

use super::{Chain, IntoStream, Merge, WaitUntil, Zip};
use crate::concurrent_stream::FromStream;

/// Combines a stream with another one.
pub trait StreamExt: Stream {
    /// The items of this stream and another one as they come: [`Merge`] of the two.
    ///
    /// ```
    /// use futures_lite::stream;
    /// use selvedge_combinators::prelude::*;
    ///
    /// # futures_lite::future::block_on(async {
    /// let both = stream::iter([1, 2]).merge(stream::iter([3]));
    /// let items: Vec<_> = futures_lite::StreamExt::collect(both).await;
    /// assert_eq!(items, [1, 3, 2]);
    /// # });
    /// ```
    fn merge<T, S>(self, other: S) -> <(Self, S::IntoStream) as Merge>::Stream
    where
        Self: Stream<Item = T> + Sized,
        S: IntoStream<Item = T>,
    {
        Merge::merge((self, other.into_stream()))
    }

    /// The items of this stream, then those of another one: [`Chain`] of the two.
    ///
    /// ```
    /// use futures_lite::stream;
    /// use selvedge_combinators::prelude::*;
    ///
    /// # futures_lite::future::block_on(async {
    /// let both = stream::iter([1, 2]).chain(stream::iter([3]));
    /// let items: Vec<_> = futures_lite::StreamExt::collect(both).await;
    /// assert_eq!(items, [1, 2, 3]);
    /// # });
    /// ```
    fn chain<T, S>(self, other: S) -> <(Self, S::IntoStream) as Chain>::Stream
    where
        Self: Stream<Item = T> + Sized,
        S: IntoStream<Item = T>,
    {
        Chain::chain((self, other.into_stream()))
    }

    /// Pairs of an item of this stream and one of another: [`Zip`] of the two.
    ///
    /// ```
    /// use futures_lite::stream;
    /// use selvedge_combinators::prelude::*;
    ///
    /// # futures_lite::future::block_on(async {
    /// let pairs = stream::iter([1, 2]).zip(stream::iter(["a", "b"]));
    /// let pairs: Vec<_> = futures_lite::StreamExt::collect(pairs).await;
    /// assert_eq!(pairs, [(1, "a"), (2, "b")]);
    /// # });
    /// ```
    fn zip<S>(self, other: S) -> <(Self, S::IntoStream) as Zip>::Stream
    where
        Self: Sized,
        S: IntoStream,
    {
        Zip::zip((self, other.into_stream()))
    }

    /// Works on the items of this stream concurrently: see
    /// [`concurrent_stream`](crate::concurrent_stream).
    ///
    /// ```
    /// use core::cell::Cell;
    /// use futures_lite::stream;
    /// use selvedge_combinators::prelude::*;
    ///
    /// # futures_lite::future::block_on(async {
    /// let sum = Cell::new(0);
    /// stream::iter([1, 2, 3]).co().for_each(async |item| sum.set(sum.get() + item)).await;
    /// assert_eq!(sum.get(), 6);
    /// # });
    /// ```
    fn co(self) -> FromStream<Self>
    where
        Self: Sized,
    {
        FromStream::new(self)
    }

    /// Polls this stream only after `deadline` has completed.
    ///
    /// # Cancel safety
    ///
    /// Waiting for the next item may be given up at any time. Until the deadline has passed the stream
    /// is untouched.
    ///
    /// ```
    /// use core::future::ready;
    /// use futures_lite::stream;
    /// use selvedge_combinators::prelude::*;
    ///
    /// # futures_lite::future::block_on(async {
    /// let mut late = stream::iter([1]).wait_until(ready(()));
    /// assert_eq!(futures_lite::StreamExt::next(&mut late).await, Some(1));
    /// # });
    /// ```
    fn wait_until<D>(self, deadline: D) -> WaitUntil<Self, D::IntoFuture>
    where
        Self: Sized,
        D: IntoFuture,
    {
        WaitUntil::new(self, deadline.into_future())
    }
}

impl<S: Stream> StreamExt for S {}
