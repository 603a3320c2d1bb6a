//! What can become a stream.

use futures_core::Stream;

/// Conversion into a stream, as [`IntoFuture`] is for futures.
///
/// Every stream converts into itself. For a type of your own it does what `IntoIterator` does for loops:
///
/// ```
/// use futures_lite::{StreamExt as _, stream};
/// use selvedge_combinators::prelude::*;
/// use selvedge_combinators::stream::IntoStream;
///
/// struct Countdown(u32);
///
/// impl IntoStream for Countdown {
///     type Item = u32;
///     type IntoStream = stream::Iter<core::iter::Rev<core::ops::Range<u32>>>;
///
///     fn into_stream(self) -> Self::IntoStream {
///         stream::iter((0..self.0).rev())
///     }
/// }
///
/// # futures_lite::future::block_on(async {
/// let all: Vec<_> = [Countdown(2), Countdown(1)].chain().collect().await;
/// assert_eq!(all, [1, 0, 0]);
/// # });
/// ```
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
