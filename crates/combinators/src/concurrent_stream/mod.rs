//! Working on the items of a stream concurrently.
//!
//! [`co`](crate::stream::StreamExt::co) and [`into_co_stream`](IntoConcurrentStream::into_co_stream)
//! make a [`ConcurrentStream`]: a source of futures, one for each item. Adapters change the futures;
//! a last method runs them, as many at a time as [`limit`](ConcurrentStream::limit) allows.
//!
//! ```
//! use core::num::NonZeroUsize;
//! use selvedge_combinators::prelude::*;
//!
//! # futures_lite::future::block_on(async {
//! let lengths: Vec<usize> = vec!["one", "three"]
//!     .into_co_stream()
//!     .limit(NonZeroUsize::new(8))
//!     .map(async |word: &str| word.len())
//!     .collect_in_order()
//!     .await;
//! assert_eq!(lengths, [3, 5]);
//! # });
//! ```

mod collect;
mod consume;
mod enumerate;
mod for_each;
mod from_stream;
mod into_concurrent_stream;
mod limit;
mod map;
mod take;
mod work;

use core::future::Future;
use core::num::NonZeroUsize;
use core::pin::Pin;
use core::task::{Context, Poll};

pub use self::collect::{CollectVec, Collecting, FromConcurrentStream, Order, TryCollectVec};
pub use self::consume::{Collector, Consume};
pub use self::enumerate::{Enumerate, Enumerated};
pub use self::for_each::{Discard, TryDiscard};
pub use self::from_stream::{FromIter, FromStream};
pub use self::into_concurrent_stream::IntoConcurrentStream;
pub use self::limit::Limit;
pub use self::map::{Map, Mapped};
pub use self::take::Take;

/// A source of futures that are to run concurrently.
///
/// To write one, implement [`poll_work`](Self::poll_work) and
/// [`concurrency_limit`](Self::concurrency_limit); the rest is provided.
///
/// ```
/// use core::future::{Ready, ready};
/// use core::num::NonZeroUsize;
/// use core::pin::Pin;
/// use core::task::{Context, Poll};
/// use selvedge_combinators::prelude::*;
///
/// struct Countdown(u32);
///
/// impl ConcurrentStream for Countdown {
///     type Item = u32;
///     type Future = Ready<u32>;
///
///     fn poll_work(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Ready<u32>>> {
///         let next = self.0.checked_sub(1);
///         self.0 = next.unwrap_or_default();
///         Poll::Ready(next.map(ready))
///     }
///
///     fn concurrency_limit(&self) -> Option<NonZeroUsize> {
///         None
///     }
/// }
///
/// # futures_lite::future::block_on(async {
/// let numbers: Vec<_> = Countdown(3).collect_in_order().await;
/// assert_eq!(numbers, [2, 1, 0]);
/// # });
/// ```
///
/// # Cancel safety
///
/// Dropping the future of [`for_each`](Self::for_each), [`try_for_each`](Self::try_for_each) or one of
/// the `collect`s drops the source, the futures that run, and what was collected.
pub trait ConcurrentStream {
    /// What a future gives.
    type Item;
    /// The future of one item.
    type Future: Future<Output = Self::Item>;

    /// Asks for the next future. It is not called again after `None`; after `Pending` only when the waker of `cx`
    /// was woken.
    fn poll_work(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Future>>;

    /// How many futures may run at the same time. `None`: any number. Asked once, when the stream is run.
    fn concurrency_limit(&self) -> Option<NonZeroUsize>;

    /// How many futures are still to come.
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, None)
    }

    /// Adds to each item its number, counted from 0 in the order of the source.
    ///
    /// ```
    /// use selvedge_combinators::prelude::*;
    ///
    /// # futures_lite::future::block_on(async {
    /// let letters: Vec<_> = ["a", "b"].into_co_stream().enumerate().collect_in_order().await;
    /// assert_eq!(letters, [(0, "a"), (1, "b")]);
    /// # });
    /// ```
    fn enumerate(self) -> Enumerate<Self>
    where
        Self: Sized,
    {
        Enumerate::new(self)
    }

    /// Runs at most so many futures at the same time: all of the futures, with everything that
    /// adapters before and after this one add to them. Of several limits the smallest holds.
    ///
    /// While that many run, the source is not asked for more. `None` is no limit, and so is what
    /// `NonZeroUsize::new(0)` gives.
    ///
    /// ```
    /// use core::cell::Cell;
    /// use core::num::NonZeroUsize;
    /// use futures_lite::future::yield_now;
    /// use selvedge_combinators::prelude::*;
    ///
    /// # futures_lite::future::block_on(async {
    /// let (running, most) = (Cell::new(0), Cell::new(0));
    /// vec![(); 10]
    ///     .into_co_stream()
    ///     .limit(NonZeroUsize::new(3))
    ///     .for_each(async |()| {
    ///         running.set(running.get() + 1);
    ///         most.set(most.get().max(running.get()));
    ///         yield_now().await;
    ///         running.set(running.get() - 1);
    ///     })
    ///     .await;
    /// assert_eq!(most.get(), 3);
    /// # });
    /// ```
    fn limit(self, limit: Option<NonZeroUsize>) -> Limit<Self>
    where
        Self: Sized,
    {
        Limit::new(self, limit)
    }

    /// Ends after `limit` futures. The source is not asked for more; with 0 it is not asked at all.
    fn take(self, limit: usize) -> Take<Self>
    where
        Self: Sized,
    {
        Take::new(self, limit)
    }

    /// Goes on with a future made from each item.
    ///
    /// `f` is cloned for each, as many of them run at the same time: let it borrow what is dear to clone.
    ///
    /// ```
    /// use selvedge_combinators::prelude::*;
    ///
    /// # futures_lite::future::block_on(async {
    /// let names = ["one", "two"].into_co_stream().map(async |name: &str| name.len());
    /// let lengths: Vec<_> = names.collect_in_order().await;
    /// assert_eq!(lengths, [3, 3]);
    /// # });
    /// ```
    fn map<F, Fut>(self, f: F) -> Map<Self, F>
    where
        Self: Sized,
        F: FnOnce(Self::Item) -> Fut + Clone,
        Fut: Future,
    {
        Map::new(self, f)
    }

    /// Runs a future made from each item, until all have completed: an example is at
    /// [`limit`](Self::limit).
    fn for_each<F, Fut>(self, f: F) -> Consume<Map<Self, F>, Discard>
    where
        Self: Sized,
        F: FnOnce(Self::Item) -> Fut + Clone,
        Fut: Future<Output = ()>,
    {
        Consume::new(self.map(f), Discard)
    }

    /// Runs a future made from each item, until one gives an error. The others are dropped then,
    /// before the error is handed on.
    ///
    /// ```
    /// use selvedge_combinators::prelude::*;
    ///
    /// # futures_lite::future::block_on(async {
    /// let check = async |n: u32| if n < 3 { Ok(()) } else { Err(n) };
    /// assert_eq!([1, 2].into_co_stream().try_for_each(check).await, Ok(()));
    /// assert_eq!([1, 3].into_co_stream().try_for_each(check).await, Err(3));
    /// # });
    /// ```
    fn try_for_each<F, Fut, E>(self, f: F) -> Consume<Map<Self, F>, TryDiscard>
    where
        Self: Sized,
        F: FnOnce(Self::Item) -> Fut + Clone,
        Fut: Future<Output = Result<(), E>>,
    {
        Consume::new(self.map(f), TryDiscard)
    }

    /// Collects what the futures give in the order in which they complete.
    ///
    /// For a `Vec`, or a `Result` of one: then the first error ends it, and the other futures
    /// are dropped.
    ///
    /// ```
    /// use futures_lite::stream;
    /// use selvedge_combinators::prelude::*;
    ///
    /// # futures_lite::future::block_on(async {
    /// let numbers: Vec<u8> = stream::repeat(1).co().take(3).collect().await;
    /// assert_eq!(numbers, [1, 1, 1]);
    /// # });
    /// ```
    fn collect<C>(self) -> Consume<Self, Collecting<C, C::Collector>>
    where
        Self: Sized,
        C: FromConcurrentStream<Self::Item>,
    {
        let collector = C::collector(self.size_hint().0, Order::Completion);
        Consume::new(self, Collecting::new(collector))
    }

    /// Collects what the futures give in the order of the source, whichever completes first.
    ///
    /// For the same collections as [`collect`](Self::collect).
    ///
    /// ```
    /// use futures_lite::stream;
    /// use selvedge_combinators::prelude::*;
    ///
    /// # futures_lite::future::block_on(async {
    /// let words = stream::iter([Ok("a"), Err("no"), Ok("b")]).co();
    /// let words: Result<Vec<&str>, &str> = words.collect_in_order().await;
    /// assert_eq!(words, Err("no"));
    /// # });
    /// ```
    fn collect_in_order<C>(self) -> Consume<Self, Collecting<C, C::Collector>>
    where
        Self: Sized,
        C: FromConcurrentStream<Self::Item>,
    {
        let collector = C::collector(self.size_hint().0, Order::Input);
        Consume::new(self, Collecting::new(collector))
    }
}
