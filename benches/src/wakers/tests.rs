//! Every workload on every subject, at a tiny scale.

use core::future::ready;

use fastrand::Rng;

use super::{
    Groups, Joins, KeyedGroups, Merges, Races,
    countdown::{Child, Container, Countdown, Pair, Ten},
    signals::{Board, Waiter},
    subjects::{Futures, FuturesBuffered, FuturesConcurrency, Selvedge, Tokio},
    workloads,
};
use crate::seed;

fn rngs() -> impl Iterator<Item = Rng> {
    (0..20).map(|seed| Rng::with_seed(seed::DEFAULT + seed))
}

fn children_take_turns<S: Joins<C> + Races<C> + Merges<C>, C: Container>(len: usize) {
    for mut rng in rngs() {
        workloads::join::<S, C>(Countdown::new(len, &mut rng));
        workloads::race::<S, C>(Countdown::new(len, &mut rng));
        workloads::merge::<S, C>(Countdown::new(len, &mut rng));
    }
}

fn one_is_woken_of<S>(len: usize)
where
    S: Joins<Vec<Waiter>> + Races<Vec<Waiter>> + Merges<Vec<Waiter>>,
{
    for mut rng in rngs() {
        workloads::one_woken_join::<S>(&Board::new(len, &mut rng), 9);
        workloads::one_woken_race::<S>(&Board::new(len, &mut rng), 9);
        workloads::one_woken_merge::<S>(&Board::new(len, &mut rng), 9);
    }
}

fn vectors<S>()
where
    S: Joins<Vec<Child>> + Races<Vec<Child>> + Merges<Vec<Child>>,
    S: Joins<Vec<Waiter>> + Races<Vec<Waiter>> + Merges<Vec<Waiter>> + Groups<Waiter>,
    S: Joins<Vec<core::future::Ready<usize>>, Outputs = Vec<usize>>,
{
    for len in [1, 2, 5, 100] {
        children_take_turns::<S, Vec<Child>>(len);
        one_is_woken_of::<S>(len);
        workloads::group_churn::<S>(&Board::new(len, &mut Rng::with_seed(seed::DEFAULT)), 9);
        workloads::ready_join::<S>((0..len).map(ready).collect());
    }
}

fn arrays_and_tuples<S>()
where
    S: Joins<[Child; 3]> + Races<[Child; 3]> + Merges<[Child; 3]>,
    S: Joins<Ten> + Races<Ten> + Merges<Ten> + KeyedGroups<Waiter>,
{
    children_take_turns::<S, [Child; 3]>(3);
    children_take_turns::<S, Ten>(10);
    workloads::group_remove::<S>(&Board::new(5, &mut Rng::with_seed(seed::DEFAULT)), 9);
}

fn pairs<S>()
where
    S: Joins<Pair>,
    S: Joins<(core::future::Ready<usize>, core::future::Ready<usize>), Outputs = (usize, usize)>,
{
    for mut rng in rngs() {
        workloads::join::<S, Pair>(Countdown::new(2, &mut rng));
    }
    workloads::ready_join_of_2::<S>();
}

#[test]
fn selvedge_does_every_workload() {
    vectors::<Selvedge>();
    arrays_and_tuples::<Selvedge>();
    pairs::<Selvedge>();
}

#[test]
fn futures_concurrency_does_every_workload() {
    vectors::<FuturesConcurrency>();
    arrays_and_tuples::<FuturesConcurrency>();
    pairs::<FuturesConcurrency>();
}

#[test]
fn futures_buffered_does_every_workload_of_vectors() {
    vectors::<FuturesBuffered>();
}

#[test]
fn futures_does_every_workload_of_vectors_and_pairs() {
    vectors::<Futures>();
    pairs::<Futures>();
}

#[test]
fn tokio_does_every_workload_of_pairs() {
    pairs::<Tokio>();
}
