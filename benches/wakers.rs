//! Table `wakers`: combinators and groups, all on one thread.
//!
//! | row | what one iteration does |
//! |---|---|
//! | `array::join`, `vec::join`, `tuple::join` | joins children that wake each other in shuffled order |
//! | `array::race`, .. | races such children: nearly all are polled once, one a second time |
//! | `array::merge`, .. | merges streams that wake each other likewise and give one item each |
//! | `one woken join`, `one woken race` | wakes one child of many in vain: one wake, one poll |
//! | `one woken merge` | wakes one stream of many: one wake, a poll that gives its item, a poll that waits |
//! | `group churn` | in a group, one future completes and another is inserted: one wake, two polls |
//! | `group remove` | in a group, one future is removed by its key and another inserted: one poll |
//! | `ready join` | joins a `Vec` of futures that are ready |
//! | `join of 2` | joins a pair of children that wake each other |
//! | `ready join of 2` | joins a pair of futures that are ready |
//!
//! The size of a row is the number of children. The rows with `::` are those of
//! futures-concurrency's published benchmark, step by step; only the children are made outside the timed
//! part here, and the permutation is another one in each iteration. A combinator is made, polled
//! to its end by one `block_on`, and dropped. Rows named `one woken` and `group` make it outside the timed
//! part and keep it; children are woken in shuffled order.
//!
//! What the rows do *not* mean:
//!
//! - Children do next to nothing. Where they work, all subjects come closer to each other.
//! - A part of every row with `::` is the children's own: a queue of wakers sorted by rank, whose cost
//!   per wake grows with the logarithm of the size. With wakers that cost nothing the children of a
//!   join take about 0.6 µs at 10, 6 µs at 100 and 80 µs at 1000, more than half of our time, so these
//!   ratios have a ceiling. `one woken` has no such part.
//! - Nothing wakes from another thread: nobody pays for a cache line that crosses cores.
//! - The races of futures-concurrency and futures keep no bookkeeping and poll every child with the
//!   parent's waker: cheaper if each child is polled once, as in `vec::race`; `one woken race` shows
//!   the price of the second poll.
//! - A child keeps its waker by cloning it, and is woken by value, as from a channel. For a child that keeps an
//!   equal waker, a wake costs less on all sides.
//! - The peers of futures-buffered and futures are what comes closest: a race is the first output of a set in the
//!   former and `select_all` in the latter, `join_all` of futures changes its strategy above 30, a merge is
//!   `MergeBounded` or `stream::select_all`. Sets without keys have no `group remove`.
//! - `ready join` and the rows of 2 are short enough that `block_on` shows, alike for all.
//! - Memory is not measured. Allocations per combinator are tests, not rows.

use core::{future::ready, hint::black_box, time::Duration};
use std::{future::Ready, rc::Rc};

use criterion::{
    BatchSize, Bencher, BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group,
    criterion_main, measurement::WallTime,
};
use fastrand::Rng;
use selvedge_benches::{
    seed,
    wakers::{
        Groups, Joins, KeyedGroups, Merges, Races, Subject,
        countdown::{Child, Container, Countdown, Pair, Queue, Ten},
        signals::{Board, Waiter},
        subjects::{Futures, FuturesBuffered, FuturesConcurrency, Selvedge, Tokio},
        workloads,
    },
};

type Table<'a> = BenchmarkGroup<'a, WallTime>;
type ReadyPair = (Ready<usize>, Ready<usize>);

const SIZES: [usize; 3] = [10, 100, 1000];
const WOKEN_SIZES: [usize; 4] = [10, 100, 1000, 10_000];
const GROUP_SIZES: [usize; 2] = [10, 1000];

fn wakers(c: &mut Criterion) {
    let mut table = c.benchmark_group("wakers");
    arrays::<Selvedge>(&mut table);
    vectors::<Selvedge>(&mut table);
    tuples::<Selvedge>(&mut table);
    kept::<Selvedge>(&mut table);
    removal::<Selvedge>(&mut table);
    at_once::<Selvedge>(&mut table);
    pairs::<Selvedge>(&mut table);

    arrays::<FuturesConcurrency>(&mut table);
    vectors::<FuturesConcurrency>(&mut table);
    tuples::<FuturesConcurrency>(&mut table);
    kept::<FuturesConcurrency>(&mut table);
    removal::<FuturesConcurrency>(&mut table);
    at_once::<FuturesConcurrency>(&mut table);
    pairs::<FuturesConcurrency>(&mut table);

    vectors::<FuturesBuffered>(&mut table);
    kept::<FuturesBuffered>(&mut table);
    at_once::<FuturesBuffered>(&mut table);

    vectors::<Futures>(&mut table);
    kept::<Futures>(&mut table);
    at_once::<Futures>(&mut table);
    pairs::<Futures>(&mut table);

    pairs::<Tokio>(&mut table);
    table.finish();
}

fn arrays<S>(table: &mut Table<'_>)
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

fn vectors<S>(table: &mut Table<'_>)
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

fn tuples<S: Joins<Ten> + Races<Ten> + Merges<Ten>>(table: &mut Table<'_>) {
    join::<S, Ten>(table, "tuple", 10);
    merge::<S, Ten>(table, "tuple", 10);
    race::<S, Ten>(table, "tuple", 10);
}

fn join<S: Joins<C>, C: Container>(table: &mut Table<'_>, container: &str, size: usize) {
    let id = id::<S>(&format!("{container}::join"), size);
    table.throughput(elements(size));
    table.bench_function(id, shuffled(size, workloads::join::<S, C>));
}

fn merge<S: Merges<C>, C: Container>(table: &mut Table<'_>, container: &str, size: usize) {
    let id = id::<S>(&format!("{container}::merge"), size);
    table.throughput(elements(size));
    table.bench_function(id, shuffled(size, workloads::merge::<S, C>));
}

fn race<S: Races<C>, C: Container>(table: &mut Table<'_>, container: &str, size: usize) {
    let id = id::<S>(&format!("{container}::race"), size);
    table.throughput(elements(size));
    table.bench_function(id, shuffled(size, workloads::race::<S, C>));
}

/// Measures a workload that consumes children, in another order each time.
fn shuffled<C: Container>(
    size: usize,
    workload: fn(Countdown<C>) -> Rc<Queue>,
) -> impl FnMut(&mut Bencher<'_>) {
    let mut rng = Rng::with_seed(seed::of_round());
    move |b| b.iter_batched(|| Countdown::new(size, &mut rng), workload, batch(size))
}

/// Registers the rows in which a combinator or group stays.
fn kept<S>(table: &mut Table<'_>)
where
    S: Joins<Vec<Waiter>> + Races<Vec<Waiter>> + Merges<Vec<Waiter>> + Groups<Waiter>,
{
    repeated::<S>(table, "one woken join", &WOKEN_SIZES, workloads::one_woken_join::<S>);
    repeated::<S>(table, "one woken race", &WOKEN_SIZES, workloads::one_woken_race::<S>);
    repeated::<S>(table, "one woken merge", &WOKEN_SIZES, workloads::one_woken_merge::<S>);
    repeated::<S>(table, "group churn", &GROUP_SIZES, workloads::group_churn::<S>);
}

fn removal<S: KeyedGroups<Waiter>>(table: &mut Table<'_>) {
    repeated::<S>(table, "group remove", &GROUP_SIZES, workloads::group_remove::<S>);
}

/// Registers a row that takes its own time, at several sizes.
fn repeated<S: Subject>(
    table: &mut Table<'_>,
    row: &str,
    sizes: &[usize],
    workload: fn(&Rc<Board>, u64) -> Duration,
) {
    table.throughput(elements(1));
    for size in sizes.iter().copied() {
        let mut rng = Rng::with_seed(seed::of_round());
        table.bench_function(id::<S>(row, size), |b| {
            b.iter_custom(|times| workload(&Board::new(size, &mut rng), times));
        });
    }
}

/// Registers the join of futures that are ready.
fn at_once<S>(table: &mut Table<'_>)
where
    S: Joins<Vec<Ready<usize>>, Outputs = Vec<usize>>,
{
    for size in SIZES {
        table.throughput(elements(size));
        table.bench_function(id::<S>("ready join", size), |b| {
            let futures = || (0..size).map(|number| ready(black_box(number))).collect();
            b.iter_batched(futures, workloads::ready_join::<S>, batch(size));
        });
    }
}

/// Registers the rows of two children.
fn pairs<S>(table: &mut Table<'_>)
where
    S: Joins<Pair> + Joins<ReadyPair, Outputs = (usize, usize)>,
{
    let id = |row: &str| format!("{row}/{}", S::NAME);
    table.throughput(elements(2));
    table.bench_function(id("join of 2"), shuffled(2, workloads::join::<S, Pair>));
    table.bench_function(id("ready join of 2"), |b| b.iter(workloads::ready_join_of_2::<S>));
}

fn elements(count: usize) -> Throughput {
    Throughput::Elements(count as u64)
}

fn id<S: Subject>(row: &str, size: usize) -> BenchmarkId {
    BenchmarkId::new(format!("{row}/{}", S::NAME), size)
}

/// Few enough fixtures to stay in the cache, and enough that reading the clock does not show.
fn batch(size: usize) -> BatchSize {
    BatchSize::NumIterations((1000 / size).clamp(1, 32) as u64)
}

criterion_group!(suite, wakers);
criterion_main!(suite);
