//! Waiting for all.

use core::convert::Infallible;
use core::future::Future;
use core::ops::ControlFlow;

use super::combine::{Combine, Finish};
use crate::set::{FutureSet, IntoFutures, Mode};

/// Waits until all futures have completed.
///
/// For arrays, `Vec`s, boxed slices, pinned slices and tuples of up to 12. The outputs come in the
/// order of the futures: an array gives an array, a tuple a tuple, a boxed slice a boxed slice, a
/// `Vec` or a pinned slice a `Vec`. No futures at all complete at once.
///
/// ```
/// use core::future::ready;
/// use selvedge_combinators::prelude::*;
///
/// # futures_lite::future::block_on(async {
/// assert_eq!([ready(1), ready(2)].join().await, [1, 2]);
/// assert_eq!(vec![ready(1), ready(2)].join().await, vec![1, 2]);
/// assert_eq!((ready('a'), async { 2 }).join().await, ('a', 2));
/// # });
/// ```
///
/// A slice lends its futures, and they may be joined without being boxed or moved:
///
/// ```
/// use core::future::ready;
/// use core::pin::{Pin, pin};
/// use selvedge_combinators::prelude::*;
///
/// # futures_lite::future::block_on(async {
/// let futures = pin!([ready(1), ready(2), ready(3)]);
/// let futures: Pin<&mut [_]> = futures;
/// assert_eq!(futures.join().await, [1, 2, 3]);
/// # });
/// ```
///
/// Its futures stay alive until their owner drops them. They have completed then, so joining the
/// same slice twice is a mistake: it polls them again.
///
/// # Cancel safety
///
/// Dropping the future drops every child that has not completed, and every output so far.
pub trait Join {
    /// All outputs.
    type Output;
    /// The future that waits.
    type Future: Future<Output = Self::Output>;

    /// Waits until all futures have completed.
    fn join(self) -> Self::Future;
}

impl<C> Join for C
where
    C: IntoFutures<Joining, Set: FutureSet<Joining, Stop = Infallible>>,
{
    type Output = <C::Set as FutureSet<Joining>>::Kept;
    type Future = Combine<Joining, C::Set>;

    #[inline]
    fn join(self) -> Self::Future {
        Combine::new(self.into_futures())
    }
}

/// Keeps every output.
#[derive(Debug)]
pub struct Joining(Infallible);

impl<T> Mode<T> for Joining {
    type Keep = T;
    type Stop = Infallible;

    #[inline]
    fn sort(output: T) -> ControlFlow<Infallible, T> {
        ControlFlow::Continue(output)
    }
}

impl<K> Finish<K, Infallible> for Joining {
    type Output = K;

    #[inline]
    fn kept(kept: K) -> K {
        kept
    }

    fn stopped(stop: Infallible) -> K {
        match stop {}
    }
}
