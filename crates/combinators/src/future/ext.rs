//! Combinators as methods of a future.

use core::future::{Future, IntoFuture};

use super::{Join, Race, RaceOk, TryJoin, WaitUntil};

/// Combines a future with another one.
pub trait FutureExt: Future {
    /// Waits for this future and another one: [`Join`] of the two.
    ///
    /// ```
    /// use core::future::ready;
    /// use selvedge_combinators::prelude::*;
    ///
    /// # futures_lite::future::block_on(async {
    /// assert_eq!(ready('a').join(ready(2)).await, ('a', 2));
    /// # });
    /// ```
    fn join<F>(self, other: F) -> <(Self, F::IntoFuture) as Join>::Future
    where
        Self: Sized,
        F: IntoFuture,
    {
        Join::join((self, other.into_future()))
    }

    /// Waits for this future and another one, or for the first error: [`TryJoin`] of the two.
    ///
    /// ```
    /// use core::future::ready;
    /// use selvedge_combinators::prelude::*;
    ///
    /// # futures_lite::future::block_on(async {
    /// let both = ready(Ok::<_, &str>(1)).try_join(ready(Err::<u8, _>("no")));
    /// assert_eq!(both.await, Err("no"));
    /// # });
    /// ```
    fn try_join<T, U, E, F>(self, other: F) -> <(Self, F::IntoFuture) as TryJoin>::Future
    where
        Self: Future<Output = Result<T, E>> + Sized,
        F: IntoFuture<Output = Result<U, E>>,
    {
        TryJoin::try_join((self, other.into_future()))
    }

    /// Waits for the first of this future and another one: [`Race`] of the two.
    ///
    /// ```
    /// use core::future::{pending, ready};
    /// use selvedge_combinators::prelude::*;
    ///
    /// # futures_lite::future::block_on(async {
    /// assert_eq!(pending().race(ready(2)).await, 2);
    /// # });
    /// ```
    fn race<T, F>(self, other: F) -> <(Self, F::IntoFuture) as Race>::Future
    where
        Self: Future<Output = T> + Sized,
        F: IntoFuture<Output = T>,
    {
        Race::race((self, other.into_future()))
    }

    /// Waits for the first success of this future and another one: [`RaceOk`] of the two.
    ///
    /// ```
    /// use core::future::ready;
    /// use selvedge_combinators::prelude::*;
    ///
    /// # futures_lite::future::block_on(async {
    /// assert_eq!(ready(Err("no")).race_ok(ready(Ok(2))).await.unwrap(), 2);
    /// # });
    /// ```
    fn race_ok<T, E, F>(self, other: F) -> <(Self, F::IntoFuture) as RaceOk>::Future
    where
        Self: Future<Output = Result<T, E>> + Sized,
        F: IntoFuture<Output = Result<T, E>>,
    {
        RaceOk::race_ok((self, other.into_future()))
    }

    /// Polls this future only after `deadline` has completed.
    ///
    /// # Cancel safety
    ///
    /// Dropping it drops both. Until the deadline has passed the future is untouched.
    ///
    /// ```
    /// use core::future::ready;
    /// use selvedge_combinators::prelude::*;
    ///
    /// # futures_lite::future::block_on(async {
    /// assert_eq!(ready(2).wait_until(ready(())).await, 2);
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

impl<F: Future> FutureExt for F {}
