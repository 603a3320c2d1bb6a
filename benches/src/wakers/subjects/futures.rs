//! futures: its functions over a `Vec`, its set, and its `join!`.

use ::futures::{
    FutureExt as _,
    future::{join_all, select_all},
    stream::{self, FuturesUnordered},
};
use futures_lite::Stream;

use crate::wakers::{Groups, Joins, Merges, Races, Subject};

/// futures. `join_all` of more than 30 is a `FuturesOrdered`; a race is `select_all`, which polls all.
#[derive(Debug)]
pub struct Futures;

impl Subject for Futures {
    const NAME: &'static str = "futures";
}

impl<F: Future> Joins<Vec<F>> for Futures {
    type Outputs = Vec<F::Output>;

    fn join(futures: Vec<F>) -> impl Future<Output = Vec<F::Output>> {
        join_all(futures)
    }
}

impl<A: Future, B: Future> Joins<(A, B)> for Futures {
    type Outputs = (A::Output, B::Output);

    async fn join((a, b): (A, B)) -> Self::Outputs {
        ::futures::join!(a, b)
    }
}

impl<F: Future + Unpin> Races<Vec<F>> for Futures {
    type Output = F::Output;

    fn race(futures: Vec<F>) -> impl Future<Output = F::Output> {
        select_all(futures).map(|(output, ..)| output)
    }
}

impl<S: Stream + Unpin> Merges<Vec<S>> for Futures {
    type Item = S::Item;

    fn merge(streams: Vec<S>) -> impl Stream<Item = S::Item> {
        stream::select_all(streams)
    }
}

impl<F: Future> Groups<F> for Futures {
    type Group = FuturesUnordered<F>;
    type Key = ();

    fn insert(group: &mut FuturesUnordered<F>, future: F) {
        group.push(future);
    }
}
