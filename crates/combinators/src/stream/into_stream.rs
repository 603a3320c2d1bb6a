//! What can become a stream.

use futures_core::Stream;

/// Conversion into a stream, as [`IntoFuture`](core::future::IntoFuture) is for futures.
///
/// Every stream converts into itself.
pub trait IntoStream {
    /// What the stream gives.
    type Item;
    /// The stream.
    type IntoStream: Stream<Item = Self::Item>;

    /// Makes the stream.
    fn into_stream(self) -> Self::IntoStream;
}

impl<S: Stream> IntoStream for S {
    type Item = S::Item;
    type IntoStream = S;

    #[inline]
    fn into_stream(self) -> S {
        self
    }
}
