//! What can become a concurrent stream.

use alloc::vec;
use alloc::vec::Vec;
use core::array;

use super::{ConcurrentStream, FromIter};

/// Conversion into a [`ConcurrentStream`]: of a `Vec`, an array, or a concurrent stream itself. A stream is made into one
/// by [`co`](crate::stream::StreamExt::co).
pub trait IntoConcurrentStream {
    /// What the stream gives.
    type Item;
    /// The concurrent stream.
    type IntoConcurrentStream: ConcurrentStream<Item = Self::Item>;

    /// Makes the concurrent stream.
    fn into_co_stream(self) -> Self::IntoConcurrentStream;
}

impl<S: ConcurrentStream> IntoConcurrentStream for S {
    type Item = S::Item;
    type IntoConcurrentStream = S;

    fn into_co_stream(self) -> S {
        self
    }
}

impl<T> IntoConcurrentStream for Vec<T> {
    type Item = T;
    type IntoConcurrentStream = FromIter<vec::IntoIter<T>>;

    fn into_co_stream(self) -> Self::IntoConcurrentStream {
        FromIter::new(self.into_iter())
    }
}

impl<T, const N: usize> IntoConcurrentStream for [T; N] {
    type Item = T;
    type IntoConcurrentStream = FromIter<array::IntoIter<T, N>>;

    fn into_co_stream(self) -> Self::IntoConcurrentStream {
        FromIter::new(self.into_iter())
    }
}
