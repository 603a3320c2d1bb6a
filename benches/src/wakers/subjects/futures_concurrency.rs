//! futures-concurrency, whose names ours are.

use ::futures_concurrency::{
    future::{FutureGroup, Join, Race, future_group::Key},
    stream::Merge,
};
use futures_lite::Stream;

use crate::wakers::{Groups, Joins, KeyedGroups, Merges, Races, Subject};

/// futures-concurrency, whose names ours are.
#[derive(Debug)]
pub struct FuturesConcurrency;

impl Subject for FuturesConcurrency {
    const NAME: &'static str = "futures-concurrency";
}

impl<C: Join> Joins<C> for FuturesConcurrency {
    type Outputs = C::Output;

    fn join(futures: C) -> impl Future<Output = C::Output> {
        futures.join()
    }
}

impl<C: Race> Races<C> for FuturesConcurrency {
    type Output = C::Output;

    fn race(futures: C) -> impl Future<Output = C::Output> {
        futures.race()
    }
}

impl<C: Merge> Merges<C> for FuturesConcurrency {
    type Item = C::Item;

    fn merge(streams: C) -> impl Stream<Item = C::Item> {
        streams.merge()
    }
}

impl<F: Future + Unpin> Groups<F> for FuturesConcurrency {
    type Group = FutureGroup<F>;
    type Key = Key;

    fn insert(group: &mut FutureGroup<F>, future: F) -> Key {
        group.insert(future)
    }
}

impl<F: Future + Unpin> KeyedGroups<F> for FuturesConcurrency {
    fn remove(group: &mut FutureGroup<F>, key: Key) -> bool {
        group.remove(key)
    }
}
