//! What may be combined: arrays, vectors, boxed and pinned slices. Tuples are in their own file.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::future::{Future, IntoFuture};
use core::pin::Pin;

use futures_core::Stream;

use super::children::Children;
use super::empty::Nothing;
use super::futures::{FutureSet, Mode};
use super::liveness::InOrder;
use super::memory::{Borrowed, Boxed, Heap, Inline, Memory};
use super::rows::{RowSet, Rows};
use super::streams::StreamSet;
use crate::future::{Joining, TryJoining};
use crate::stream::IntoStream;

/// A container of futures.
#[diagnostic::on_unimplemented(
    message = "the futures in `{Self}` cannot be combined in this way",
    note = "arrays, `Vec`s, boxed slices and tuples of up to 12 values that are `IntoFuture` can be, \
            and pinned slices of futures",
    note = "`try_join` and `race_ok` want outputs that are `Result`s; in a tuple `race` and `race_ok` \
            want one type of output, and `try_join` one type of error"
)]
pub trait IntoFutures<M> {
    /// The same futures as a set.
    type Set: FutureSet<M>;
    /// Makes the set.
    fn into_futures(self) -> Self::Set;
}

/// A container of streams that give one type of item.
#[diagnostic::on_unimplemented(
    message = "the streams in `{Self}` cannot be combined in this way",
    note = "arrays, `Vec`s, boxed slices and tuples of up to 12 values that are `IntoStream` with one \
            type of item can be, and pinned slices of streams"
)]
pub trait IntoStreams {
    /// What the streams give.
    type Item;
    /// The same streams as a set.
    type Set: StreamSet<Item = Self::Item>;
    /// The same streams as a set, for streams that end in index order.
    type InOrder: StreamSet<Item = Self::Item>;
    /// Makes the set.
    fn into_streams(self) -> Self::Set;
    /// Makes the set, for streams that end in index order.
    fn into_streams_in_order(self) -> Self::InOrder;
}

/// A container of streams that give one item each for a row.
#[diagnostic::on_unimplemented(
    message = "the streams in `{Self}` cannot be zipped",
    note = "arrays, `Vec`s, boxed slices and tuples of up to 12 values that are `IntoStream` can be, \
            and pinned slices of streams"
)]
pub trait IntoRows {
    /// An item of each.
    type Row;
    /// The same streams as a set.
    type Set: RowSet<Row = Self::Row>;
    /// Makes the set.
    fn into_rows(self) -> Self::Set;
}

type KeptIn<Me, M> =
    <Me as Memory>::Ledger<<M as Mode<<<Me as Memory>::Child as Future>::Output>>::Keep>;
type FuturesIn<Me, M> = Children<Me, KeptIn<Me, M>>;
type StreamsIn<Me> = Children<Me, <Me as Memory>::Marks>;
type RowsIn<Me> = Rows<Me, <Me as Memory>::Ledger<<<Me as Memory>::Child as Stream>::Item>>;

fn futures<C: IntoIterator<Item: IntoFuture>, O>(children: C) -> O
where
    O: FromIterator<<C::Item as IntoFuture>::IntoFuture>,
{
    children.into_iter().map(IntoFuture::into_future).collect()
}

fn streams<C: IntoIterator<Item: IntoStream>, O>(children: C) -> O
where
    O: FromIterator<<C::Item as IntoStream>::IntoStream>,
{
    children.into_iter().map(IntoStream::into_stream).collect()
}

impl<M, F: IntoFuture, const N: usize> IntoFutures<M> for [F; N]
where
    M: Mode<F::Output>,
{
    type Set = FuturesIn<Inline<F::IntoFuture, N>, M>;

    #[inline]
    fn into_futures(self) -> Self::Set {
        Children::new(Inline::new(self.map(IntoFuture::into_future)))
    }
}

impl<M, F: IntoFuture> IntoFutures<M> for Vec<F>
where
    M: Mode<F::Output>,
{
    type Set = FuturesIn<Heap<F::IntoFuture>, M>;

    #[inline]
    fn into_futures(self) -> Self::Set {
        Children::new(Heap::new(futures(self)))
    }
}

impl<M, F: IntoFuture> IntoFutures<M> for Box<[F]>
where
    M: Mode<F::Output>,
{
    type Set = FuturesIn<Boxed<F::IntoFuture>, M>;

    #[inline]
    fn into_futures(self) -> Self::Set {
        Children::new(Boxed::new(futures(self.into_vec())))
    }
}

impl<'a, M, F: Future> IntoFutures<M> for Pin<&'a mut [F]>
where
    M: Mode<F::Output>,
{
    type Set = FuturesIn<Borrowed<'a, F>, M>;

    #[inline]
    fn into_futures(self) -> Self::Set {
        Children::new(Borrowed::new(self))
    }
}

impl IntoFutures<Joining> for () {
    type Set = Nothing;

    #[inline]
    fn into_futures(self) -> Nothing {
        Nothing
    }
}

impl IntoFutures<TryJoining> for () {
    type Set = Nothing;

    #[inline]
    fn into_futures(self) -> Nothing {
        Nothing
    }
}

impl<S: IntoStream, const N: usize> IntoStreams for [S; N] {
    type Item = S::Item;
    type Set = StreamsIn<Inline<S::IntoStream, N>>;
    type InOrder = Children<Inline<S::IntoStream, N>, InOrder>;

    #[inline]
    fn into_streams(self) -> Self::Set {
        Children::new(Inline::new(self.map(IntoStream::into_stream)))
    }

    fn into_streams_in_order(self) -> Self::InOrder {
        Children::new(Inline::new(self.map(IntoStream::into_stream)))
    }
}

impl<S: IntoStream> IntoStreams for Vec<S> {
    type Item = S::Item;
    type Set = StreamsIn<Heap<S::IntoStream>>;
    type InOrder = Children<Heap<S::IntoStream>, InOrder>;

    #[inline]
    fn into_streams(self) -> Self::Set {
        Children::new(Heap::new(streams(self)))
    }

    fn into_streams_in_order(self) -> Self::InOrder {
        Children::new(Heap::new(streams(self)))
    }
}

impl<S: IntoStream> IntoStreams for Box<[S]> {
    type Item = S::Item;
    type Set = StreamsIn<Heap<S::IntoStream>>;
    type InOrder = Children<Heap<S::IntoStream>, InOrder>;

    #[inline]
    fn into_streams(self) -> Self::Set {
        self.into_vec().into_streams()
    }

    fn into_streams_in_order(self) -> Self::InOrder {
        self.into_vec().into_streams_in_order()
    }
}

impl<'a, S: Stream> IntoStreams for Pin<&'a mut [S]> {
    type Item = S::Item;
    type Set = StreamsIn<Borrowed<'a, S>>;
    type InOrder = Children<Borrowed<'a, S>, InOrder>;

    #[inline]
    fn into_streams(self) -> Self::Set {
        Children::new(Borrowed::new(self))
    }

    fn into_streams_in_order(self) -> Self::InOrder {
        Children::new(Borrowed::new(self))
    }
}

impl IntoStreams for () {
    type Item = Infallible;
    type Set = Nothing;
    type InOrder = Nothing;

    #[inline]
    fn into_streams(self) -> Nothing {
        Nothing
    }

    fn into_streams_in_order(self) -> Nothing {
        Nothing
    }
}

impl<S: IntoStream, const N: usize> IntoRows for [S; N] {
    type Row = [S::Item; N];
    type Set = RowsIn<Inline<S::IntoStream, N>>;

    #[inline]
    fn into_rows(self) -> Self::Set {
        Rows::new(Inline::new(self.map(IntoStream::into_stream)))
    }
}

impl<S: IntoStream> IntoRows for Vec<S> {
    type Row = Vec<S::Item>;
    type Set = RowsIn<Heap<S::IntoStream>>;

    #[inline]
    fn into_rows(self) -> Self::Set {
        Rows::new(Heap::new(streams(self)))
    }
}

impl<S: IntoStream> IntoRows for Box<[S]> {
    type Row = Box<[S::Item]>;
    type Set = RowsIn<Boxed<S::IntoStream>>;

    #[inline]
    fn into_rows(self) -> Self::Set {
        Rows::new(Boxed::new(streams(self.into_vec())))
    }
}

impl<'a, S: Stream> IntoRows for Pin<&'a mut [S]> {
    type Row = Vec<S::Item>;
    type Set = RowsIn<Borrowed<'a, S>>;

    #[inline]
    fn into_rows(self) -> Self::Set {
        Rows::new(Borrowed::new(self))
    }
}
