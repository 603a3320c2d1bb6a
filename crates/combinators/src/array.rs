//! Names of the combinators over an array.
//!
//! ```
//! use core::future::{Ready, ready};
//! use selvedge_combinators::array;
//! use selvedge_combinators::prelude::*;
//!
//! struct Both {
//!     answers: array::Join<Ready<u32>, 2>,
//! }
//!
//! # futures_lite::future::block_on(async {
//! let both = Both { answers: [ready(1), ready(2)].join() };
//! assert_eq!(both.answers.await, [1, 2]);
//! # });
//! ```

use crate::{future, stream};

/// The errors of a [`race_ok`](future::RaceOk::race_ok) that nobody won.
pub type AggregateError<E, const N: usize> = future::AggregateError<[E; N]>;

/// The future of [`join`](future::Join::join).
pub type Join<F, const N: usize> = <[F; N] as future::Join>::Future;

/// The future of [`try_join`](future::TryJoin::try_join).
pub type TryJoin<F, const N: usize> = <[F; N] as future::TryJoin>::Future;

/// The future of [`race`](future::Race::race).
pub type Race<F, const N: usize> = <[F; N] as future::Race>::Future;

/// The future of [`race_ok`](future::RaceOk::race_ok).
pub type RaceOk<F, const N: usize> = <[F; N] as future::RaceOk>::Future;

/// The stream of [`merge`](stream::Merge::merge).
pub type Merge<S, const N: usize> = <[S; N] as stream::Merge>::Stream;

/// The stream of [`zip`](stream::Zip::zip).
pub type Zip<S, const N: usize> = <[S; N] as stream::Zip>::Stream;

/// The stream of [`chain`](stream::Chain::chain).
pub type Chain<S, const N: usize> = <[S; N] as stream::Chain>::Stream;
