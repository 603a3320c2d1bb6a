//! Names of the combinators over a `Vec`, as [`array`](crate::array) has them for arrays.

use alloc::vec::Vec;

use crate::{future, stream};

/// The errors of a [`race_ok`](future::RaceOk::race_ok) that nobody won.
pub type AggregateError<E> = future::AggregateError<Vec<E>>;

/// The future of [`join`](future::Join::join).
pub type Join<F> = <Vec<F> as future::Join>::Future;

/// The future of [`try_join`](future::TryJoin::try_join).
pub type TryJoin<F> = <Vec<F> as future::TryJoin>::Future;

/// The future of [`race`](future::Race::race).
pub type Race<F> = <Vec<F> as future::Race>::Future;

/// The future of [`race_ok`](future::RaceOk::race_ok).
pub type RaceOk<F> = <Vec<F> as future::RaceOk>::Future;

/// The stream of [`merge`](stream::Merge::merge).
pub type Merge<S> = <Vec<S> as stream::Merge>::Stream;

/// The stream of [`zip`](stream::Zip::zip).
pub type Zip<S> = <Vec<S> as stream::Zip>::Stream;

/// The stream of [`chain`](stream::Chain::chain).
pub type Chain<S> = <Vec<S> as stream::Chain>::Stream;
