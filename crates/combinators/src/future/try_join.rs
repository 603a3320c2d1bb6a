//! Waiting for all, or for the first error.

use core::convert::Infallible;
use core::future::Future;
use core::ops::ControlFlow;

use super::combine::{Combine, Finish};
use crate::set::{FutureSet, IntoFutures, Mode};

/// Waits until all futures have given `Ok`, or one of them `Err`.
///
/// For the same containers as [`Join`](super::Join); in a tuple all errors are of one type. An error
/// drops the other futures, and the outputs so far, before it is handed on. No futures at all give
/// an empty `Ok` at once.
///
/// ```
/// use core::future::ready;
/// use selvedge_combinators::prelude::*;
///
/// # futures_lite::future::block_on(async {
/// let good = [ready(Ok::<_, &str>(1)), ready(Ok(2))];
/// assert_eq!(good.try_join().await, Ok([1, 2]));
///
/// let bad = (ready(Ok::<_, &str>(1)), ready(Err::<u8, _>("no")));
/// assert_eq!(bad.try_join().await, Err("no"));
/// # });
/// ```
///
/// # Cancel safety
///
/// Dropping the future drops every child that has not completed, and every output so far. So does an error.
pub trait TryJoin {
    /// All outputs.
    type Output;
    /// The error of a child.
    type Error;
    /// The future that waits.
    type Future: Future<Output = Result<Self::Output, Self::Error>>;

    /// Waits until all futures have given `Ok`, or one of them `Err`.
    fn try_join(self) -> Self::Future;
}

impl<C> TryJoin for C
where
    C: IntoFutures<TryJoining>,
{
    type Output = <C::Set as FutureSet<TryJoining>>::Kept;
    type Error = <C::Set as FutureSet<TryJoining>>::Stop;
    type Future = Combine<TryJoining, C::Set>;

    #[inline]
    fn try_join(self) -> Self::Future {
        Combine::new(self.into_futures())
    }
}

/// Keeps what is `Ok`, and ends with an error.
#[derive(Debug)]
pub struct TryJoining(Infallible);

impl<T, E> Mode<Result<T, E>> for TryJoining {
    type Keep = T;
    type Stop = E;

    #[inline]
    fn sort(output: Result<T, E>) -> ControlFlow<E, T> {
        match output {
            Ok(output) => ControlFlow::Continue(output),
            Err(error) => ControlFlow::Break(error),
        }
    }
}

impl<K, S> Finish<K, S> for TryJoining {
    type Output = Result<K, S>;

    #[inline]
    fn kept(kept: K) -> Result<K, S> {
        Ok(kept)
    }

    #[inline]
    fn stopped(stop: S) -> Result<K, S> {
        Err(stop)
    }
}
