//! Waiting for the first.

use core::convert::Infallible;
use core::future::Future;
use core::ops::ControlFlow;

use super::combine::{Combine, Finish};
use crate::set::{FutureSet, IntoFutures, Mode};

/// Waits until one future has completed, and drops the others.
///
/// For the same containers as [`Join`](super::Join), the empty tuple apart; in a tuple all outputs
/// are of one type. The losers are dropped before the output is handed on. Where several could
/// complete, the first in order wins; the order starts at another future with each poll.
///
/// ```
/// use core::future::{pending, ready};
/// use selvedge_combinators::prelude::*;
///
/// # futures_lite::future::block_on(async {
/// assert_eq!((pending(), ready(2)).race().await, 2);
/// # });
/// ```
///
/// # Cancel safety
///
/// Dropping the future drops all children. Losing is the same as being dropped: what a loser had
/// done halfway is lost. The [guide](crate::guide::dropping_and_cancelling) shows how to keep it.
pub trait Race {
    /// The output of the winner.
    type Output;
    /// The future that waits.
    type Future: Future<Output = Self::Output>;

    /// Waits until one future has completed, and drops the others.
    ///
    /// # Panics
    ///
    /// If there are no futures: nothing could ever win.
    fn race(self) -> Self::Future;
}

impl<C> Race for C
where
    C: IntoFutures<Racing>,
{
    type Output = <C::Set as FutureSet<Racing>>::Stop;
    type Future = Combine<Racing, C::Set>;

    #[inline]
    #[track_caller]
    fn race(self) -> Self::Future {
        let set = self.into_futures();
        assert!(set.len() > 0, "race requires at least one future");
        Combine::new(set)
    }
}

/// Ends with the first output.
#[derive(Debug)]
pub struct Racing(Infallible);

impl<T> Mode<T> for Racing {
    type Keep = Infallible;
    type Stop = T;

    #[inline]
    fn sort(output: T) -> ControlFlow<T, Infallible> {
        ControlFlow::Break(output)
    }
}

impl<K, S> Finish<K, S> for Racing {
    type Output = S;

    fn kept(_: K) -> S {
        unreachable!("a race keeps nothing, and has at least one future")
    }

    #[inline]
    fn stopped(stop: S) -> S {
        stop
    }
}
