//! futures-buffered, which takes what a `Vec` gives.

use ::futures_buffered::{FuturesUnordered, FuturesUnorderedBounded, MergeBounded, join_all};
use futures_lite::{Stream, StreamExt as _};

use crate::wakers::{Groups, Joins, Merges, Races, Subject};

/// futures-buffered. It has no race; the first output of a bounded set comes closest.
#[derive(Debug)]
pub struct FuturesBuffered;

impl Subject for FuturesBuffered {
    const NAME: &'static str = "futures-buffered";
}

impl<F: Future> Joins<Vec<F>> for FuturesBuffered {
    type Outputs = Vec<F::Output>;

    fn join(futures: Vec<F>) -> impl Future<Output = Vec<F::Output>> {
        join_all(futures)
    }
}

impl<F: Future> Races<Vec<F>> for FuturesBuffered {
    type Output = F::Output;

    async fn race(futures: Vec<F>) -> F::Output {
        let mut set: FuturesUnorderedBounded<F> = futures.into_iter().collect();
        set.next().await.expect("futures to race")
    }
}

impl<S: Stream> Merges<Vec<S>> for FuturesBuffered {
    type Item = S::Item;

    fn merge(streams: Vec<S>) -> impl Stream<Item = S::Item> {
        streams.into_iter().collect::<MergeBounded<S>>()
    }
}

impl<F: Future> Groups<F> for FuturesBuffered {
    type Group = FuturesUnordered<F>;
    type Key = ();

    fn insert(group: &mut FuturesUnordered<F>, future: F) {
        group.push(future);
    }
}
