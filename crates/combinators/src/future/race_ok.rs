//! Waiting for the first success.

use core::convert::Infallible;
use core::future::Future;
use core::ops::ControlFlow;

use super::aggregate_error::{AggregateError, ListErrors};
use super::combine::{Combine, Finish};
use crate::set::{FutureSet, IntoFutures, Mode};

/// Waits until one future has given `Ok`, and drops the others; or until all have given `Err`.
///
/// For the same containers as [`Race`](super::Race); in a tuple all outputs are of one type, and
/// all errors. If all fail, the error holds the error of each child, in the order of the futures. No
/// futures at all give an error of no errors.
///
/// ```
/// use core::future::ready;
/// use selvedge_combinators::prelude::*;
///
/// # futures_lite::future::block_on(async {
/// let mixed = [ready(Err("down")), ready(Ok(2))];
/// assert_eq!(mixed.race_ok().await.unwrap(), 2);
///
/// let bad = [ready(Err::<u8, _>("down")), ready(Err("busy"))];
/// let errors = bad.race_ok().await.unwrap_err();
/// assert_eq!(*errors, ["down", "busy"]);
/// assert_eq!(errors.to_string(), "all 2 futures failed: down; busy");
/// # });
/// ```
///
/// # Cancel safety
///
/// Dropping the future drops every child that has not completed, and every error so far. Losing is the same as
/// being dropped: what a loser had done halfway is lost.
pub trait RaceOk {
    /// The output of the winner.
    type Output;
    /// All errors.
    type Error;
    /// The future that waits.
    type Future: Future<Output = Result<Self::Output, Self::Error>>;

    /// Waits until one future has given `Ok`, and drops the others; or until all have given `Err`.
    fn race_ok(self) -> Self::Future;
}

impl<C, K> RaceOk for C
where
    C: IntoFutures<RacingOk, Set: FutureSet<RacingOk, Kept = K>>,
    K: ListErrors,
{
    type Output = <C::Set as FutureSet<RacingOk>>::Stop;
    type Error = AggregateError<K::List>;
    type Future = Combine<RacingOk, C::Set>;

    #[inline]
    fn race_ok(self) -> Self::Future {
        Combine::new(self.into_futures())
    }
}

/// Keeps errors, and ends with what is `Ok`.
#[derive(Debug)]
pub struct RacingOk(Infallible);

impl<T, E> Mode<Result<T, E>> for RacingOk {
    type Keep = E;
    type Stop = T;

    #[inline]
    fn sort(output: Result<T, E>) -> ControlFlow<T, E> {
        match output {
            Ok(output) => ControlFlow::Break(output),
            Err(error) => ControlFlow::Continue(error),
        }
    }
}

impl<K: ListErrors, S> Finish<K, S> for RacingOk {
    type Output = Result<S, AggregateError<K::List>>;

    fn kept(kept: K) -> Self::Output {
        Err(AggregateError::new(kept.into_list()))
    }

    #[inline]
    fn stopped(stop: S) -> Self::Output {
        Ok(stop)
    }
}
