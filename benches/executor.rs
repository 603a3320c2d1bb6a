//! Table `executor`: multi-threaded executors, each driven by two threads.
//!
//! A figure is the time of one whole iteration: the thread that measures spawns a root task from outside,
//! the root does the row's work and gives its result back. Executor and driving threads are there
//! before and stay.
//!
//! | row | what one iteration does |
//! |---|---|
//! | `spawn_one` | spawns one empty task from outside and waits for it; it is its own root |
//! | `spawn_one_inside` | spawns and awaits one empty task inside a root that keeps running |
//! | `spawn_batch` | spawns 250 tasks that yield once, in one call where there is one; awaits them |
//! | `spawn_many_local` | spawns 25,000 empty tasks one by one; awaits them |
//! | `spawn_recursively` | 300 tasks, each the top of a chain of 300 that spawn and await the next |
//! | `yield_now` | 300 tasks that yield 300 times each |
//! | `channels` | a token goes 300 times round 300 tasks, over channels with room for one message |
//! | `web_server` | a server spawns 300 clients, half of which ask one database 150 to 299 times |
//! | `ping_pong` | two tasks send a token to and fro 1,000 times, over channels with room for one message |
//! | `steal` | a task spawns 10,000 tasks that compute, and holds its own driver until another has run the first |
//!
//! What the rows do *not* mean:
//!
//! - Making an executor and starting or ending its threads is not measured; it would hide all else.
//! - `spawn_one` is mostly the operating system's: one sleeping thread wakes another and is woken by it.
//!   So it is for every row that is shorter than a millisecond, in part.
//! - With two drivers and the thread that waits there may be more threads than cores for a moment.
//! - tokio has no I/O and no timers here. Its task budget stays on, as in any program.
//! - tokio and the static executor of async-executor have no call that spawns many tasks at once; their
//!   `spawn_batch` is a loop.
//! - `channels` and `web_server` spend much of their time in async-channel, alike for all subjects.
//! - Work in `steal` is 500 dependent multiplications in each task. Where tasks compute for longer, all
//!   subjects come closer to each other; where for less, sharing pays for nobody.
//! - Two drivers tell little about eight: what is shared costs more, the more threads share it.

use core::{hint::black_box, sync::atomic::AtomicBool, time::Duration};
use std::time::Instant;

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use selvedge_benches::{
    executor::{
        ExecutorSubject, Scale,
        subjects::{AsyncExecutor, AsyncExecutorStatic, Selvedge, Tokio},
        workloads,
    },
    fixtures::{Ring, Shop},
    seed,
};

type Table<'a> = BenchmarkGroup<'a, WallTime>;

const SCALE: Scale = Scale::TABLE;

/// Threads that drive each subject.
const DRIVERS: usize = 2;

fn executor(c: &mut Criterion) {
    println!("note: {DRIVERS} drivers");
    let mut table = c.benchmark_group("executor");
    rows::<Selvedge>(&mut table);
    rows::<AsyncExecutor>(&mut table);
    rows::<AsyncExecutorStatic>(&mut table);
    rows::<Tokio>(&mut table);
    table.finish();
}

/// Registers every row for one subject.
fn rows<S: ExecutorSubject>(table: &mut Table<'_>) {
    let Scale { batch, light_tasks, tasks, steps, round_trips, .. } = black_box(SCALE);

    row::<S>(table, "spawn_one", 1, |ex| timed(|| workloads::spawn_one::<S>(ex)));
    table.throughput(Throughput::Elements(1));
    table.bench_function(id::<S>("spawn_one_inside"), |b| {
        b.iter_custom(|times| {
            workloads::driven::<S, _>(DRIVERS, |ex| workloads::spawn_one_inside::<S>(ex, times))
        });
    });
    row::<S>(table, "spawn_batch", batch, |ex| timed(|| workloads::spawn_batch::<S>(ex, batch)));
    row::<S>(table, "spawn_many_local", light_tasks, |ex| {
        timed(|| workloads::spawn_many_local::<S>(ex, light_tasks))
    });
    row::<S>(table, "spawn_recursively", tasks * steps, |ex| {
        timed(|| workloads::spawn_recursively::<S>(ex, tasks, steps))
    });
    row::<S>(table, "yield_now", tasks * steps, |ex| {
        timed(|| workloads::yields::<S>(ex, tasks, steps))
    });
    row::<S>(table, "channels", tasks * steps, |ex| {
        let ring = Ring::new(tasks);
        timed(|| workloads::channels::<S>(ex, ring, steps))
    });
    row::<S>(table, "web_server", tasks, |ex| {
        let shop = Shop::new(tasks, steps, seed::of_round());
        timed(|| workloads::web_server::<S>(ex, shop))
    });
    row::<S>(table, "ping_pong", round_trips, |ex| {
        timed(|| workloads::ping_pong::<S>(ex, round_trips))
    });
    steal::<S>(table);
}

fn steal<S: ExecutorSubject>(table: &mut Table<'_>) {
    let Scale { shared_tasks, multiplications, .. } = black_box(SCALE);
    let helped: &'static AtomicBool = Box::leak(Box::default());
    row::<S>(table, "steal", shared_tasks, |ex| {
        timed(|| workloads::steal::<S>(ex, helped, shared_tasks, multiplications))
    });
}

/// Registers a row: `iteration` makes its fixture and returns the time of the rest.
fn row<S: ExecutorSubject>(
    table: &mut Table<'_>,
    row: &str,
    elements: usize,
    mut iteration: impl FnMut(S::Executor) -> Duration,
) {
    table.throughput(Throughput::Elements(elements as u64));
    table.bench_function(id::<S>(row), |b| {
        b.iter_custom(|times| {
            workloads::driven::<S, _>(DRIVERS, |ex| (0..times).map(|_| iteration(ex)).sum())
        });
    });
}

fn id<S: ExecutorSubject>(row: &str) -> String {
    format!("{row}/{}", S::NAME)
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

criterion_group!(suite, executor);
criterion_main!(suite);
