//! Selvedge's combinators.

use futures_lite::Stream;
use selvedge_combinators::{
    future::{FutureGroup, Join, Race, future_group::Key},
    stream::Merge,
};

use crate::wakers::{Groups, Joins, KeyedGroups, Merges, Races, Subject};

/// Selvedge's combinators.
#[derive(Debug)]
pub struct Selvedge;

impl Subject for Selvedge {
    const NAME: &'static str = "selvedge";
}

impl<C: Join> Joins<C> for Selvedge {
    type Outputs = C::Output;

    fn join(futures: C) -> impl Future<Output = C::Output> {
        futures.join()
    }
}

impl<C: Race> Races<C> for Selvedge {
    type Output = C::Output;

    fn race(futures: C) -> impl Future<Output = C::Output> {
        futures.race()
    }
}

impl<C: Merge> Merges<C> for Selvedge {
    type Item = C::Item;

    fn merge(streams: C) -> impl Stream<Item = C::Item> {
        streams.merge()
    }
}

impl<F: Future + Unpin> Groups<F> for Selvedge {
    type Group = FutureGroup<F>;
    type Key = Key;

    fn insert(group: &mut FutureGroup<F>, future: F) -> Key {
        group.insert(future)
    }
}

impl<F: Future + Unpin> KeyedGroups<F> for Selvedge {
    fn remove(group: &mut FutureGroup<F>, key: Key) -> bool {
        group.remove(key)
    }
}
