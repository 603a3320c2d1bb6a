//! The rows of the table: every workload that a subject can do, at every size.

use core::{future::ready, hint::black_box, time::Duration};
use std::{future::Ready, rc::Rc};

use fastrand::Rng;

use super::{
    Groups, Joins, KeyedGroups, Merges, Races, Subject,
    countdown::{Child, Container, Countdown, Pair, Queue, Ten},
    signals::{Board, Waiter},
    subjects::{Futures, FuturesBuffered, FuturesConcurrency, Selvedge, Tokio},
    workloads,
};
use crate::{
    rows::{Row, Rows},
    seed,
};

type ReadyPair = (Ready<usize>, Ready<usize>);

const SIZES: [usize; 3] = [10, 100, 1000];
const WOKEN_SIZES: [usize; 4] = [10, 100, 1000, 10_000];
const GROUP_SIZES: [usize; 2] = [10, 1000];

/// Tells `table` every row.
pub fn register(table: &mut impl Rows) {
    arrays::<Selvedge>(table);
    vectors::<Selvedge>(table);
    tuples::<Selvedge>(table);
    kept::<Selvedge>(table);
    removal::<Selvedge>(table);
    at_once::<Selvedge>(table);
    pairs::<Selvedge>(table);

    arrays::<FuturesConcurrency>(table);
    vectors::<FuturesConcurrency>(table);
    tuples::<FuturesConcurrency>(table);
    kept::<FuturesConcurrency>(table);
    removal::<FuturesConcurrency>(table);
    at_once::<FuturesConcurrency>(table);
    pairs::<FuturesConcurrency>(table);

    vectors::<FuturesBuffered>(table);
    kept::<FuturesBuffered>(table);
    at_once::<FuturesBuffered>(table);

    vectors::<Futures>(table);
    kept::<Futures>(table);
    at_once::<Futures>(table);
    pairs::<Futures>(table);

    pairs::<Tokio>(table);
}

fn arrays<S>(table: &mut impl Rows)
where
    S: Joins<[Child; 10]> + Races<[Child; 10]> + Merges<[Child; 10]>,
    S: Joins<[Child; 100]> + Races<[Child; 100]> + Merges<[Child; 100]>,
    S: Joins<[Child; 1000]> + Races<[Child; 1000]> + Merges<[Child; 1000]>,
{
    join::<S, [Child; 10]>(table, "array", 10);
    join::<S, [Child; 100]>(table, "array", 100);
    join::<S, [Child; 1000]>(table, "array", 1000);
    merge::<S, [Child; 10]>(table, "array", 10);
    merge::<S, [Child; 100]>(table, "array", 100);
    merge::<S, [Child; 1000]>(table, "array", 1000);
    race::<S, [Child; 10]>(table, "array", 10);
    race::<S, [Child; 100]>(table, "array", 100);
    race::<S, [Child; 1000]>(table, "array", 1000);
}

fn vectors<S>(table: &mut impl Rows)
where
    S: Joins<Vec<Child>> + Races<Vec<Child>> + Merges<Vec<Child>>,
{
    for size in SIZES {
        join::<S, Vec<Child>>(table, "vec", size);
    }
    for size in SIZES {
        merge::<S, Vec<Child>>(table, "vec", size);
    }
    for size in SIZES {
        race::<S, Vec<Child>>(table, "vec", size);
    }
}

fn tuples<S: Joins<Ten> + Races<Ten> + Merges<Ten>>(table: &mut impl Rows) {
    join::<S, Ten>(table, "tuple", 10);
    merge::<S, Ten>(table, "tuple", 10);
    race::<S, Ten>(table, "tuple", 10);
}

fn join<S: Joins<C>, C: Container>(table: &mut impl Rows, container: &str, size: usize) {
    shuffled::<S, C>(table, &format!("{container}::join"), size, workloads::join::<S, C>);
}

fn merge<S: Merges<C>, C: Container>(table: &mut impl Rows, container: &str, size: usize) {
    shuffled::<S, C>(table, &format!("{container}::merge"), size, workloads::merge::<S, C>);
}

fn race<S: Races<C>, C: Container>(table: &mut impl Rows, container: &str, size: usize) {
    shuffled::<S, C>(table, &format!("{container}::race"), size, workloads::race::<S, C>);
}

/// Tells a row whose workload consumes children, in another order each time.
fn shuffled<S: Subject, C: Container>(
    table: &mut impl Rows,
    name: &str,
    size: usize,
    workload: fn(Countdown<C>) -> Rc<Queue>,
) {
    let row = Row { elements: size, ..row::<S>(name, size) };
    let mut rng = Rng::with_seed(seed::of_round());
    table.prepared(row, batch(size), || Countdown::new(size, &mut rng), workload);
}

/// Tells the rows in which a combinator or group stays.
fn kept<S>(table: &mut impl Rows)
where
    S: Joins<Vec<Waiter>> + Races<Vec<Waiter>> + Merges<Vec<Waiter>> + Groups<Waiter>,
{
    repeated::<S>(table, "one woken join", &WOKEN_SIZES, workloads::one_woken_join::<S>);
    repeated::<S>(table, "one woken race", &WOKEN_SIZES, workloads::one_woken_race::<S>);
    repeated::<S>(table, "one woken merge", &WOKEN_SIZES, workloads::one_woken_merge::<S>);
    repeated::<S>(table, "group churn", &GROUP_SIZES, workloads::group_churn::<S>);
}

fn removal<S: KeyedGroups<Waiter>>(table: &mut impl Rows) {
    repeated::<S>(table, "group remove", &GROUP_SIZES, workloads::group_remove::<S>);
}

/// Tells a row that takes its own time, at several sizes.
fn repeated<S: Subject>(
    table: &mut impl Rows,
    name: &str,
    sizes: &[usize],
    workload: fn(&Rc<Board>, u64) -> Duration,
) {
    for size in sizes.iter().copied() {
        let mut rng = Rng::with_seed(seed::of_round());
        table.stepped(row::<S>(name, size), |times| workload(&Board::new(size, &mut rng), times));
    }
}

/// Tells the join of futures that are ready.
fn at_once<S>(table: &mut impl Rows)
where
    S: Joins<Vec<Ready<usize>>, Outputs = Vec<usize>>,
{
    for size in SIZES {
        let row = Row { elements: size, ..row::<S>("ready join", size) };
        let futures = || (0..size).map(|number| ready(black_box(number))).collect();
        table.prepared(row, batch(size), futures, workloads::ready_join::<S>);
    }
}

/// Tells the rows of two children.
fn pairs<S>(table: &mut impl Rows)
where
    S: Joins<Pair> + Joins<ReadyPair, Outputs = (usize, usize)>,
{
    let row = |name| Row { name, subject: S::NAME, size: None, elements: 2 };
    let mut rng = Rng::with_seed(seed::of_round());
    let children = || Countdown::<Pair>::new(2, &mut rng);
    table.prepared(row("join of 2"), batch(2), children, workloads::join::<S, Pair>);
    table.repeated(row("ready join of 2"), workloads::ready_join_of_2::<S>);
}

/// A row that handles one child in an iteration.
fn row<S: Subject>(name: &str, size: usize) -> Row<'_> {
    Row { name, subject: S::NAME, size: Some(size), elements: 1 }
}

/// Few enough fixtures to stay in the cache, and enough that reading the clock does not show.
fn batch(size: usize) -> u64 {
    (1000 / size).clamp(1, 32) as u64
}
