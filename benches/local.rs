//! Table `local`: single-threaded executors, each driven by one `block_on` on one thread.
//!
//! A figure is the time of one whole iteration: make the executor, run the workload inside it to
//! the end, drop the executor. `spawn_one_inside` alone keeps its executor and driver.
//!
//! | row | what one iteration does |
//! |---|---|
//! | `spawn_one` | spawns and awaits one empty task on a new executor |
//! | `spawn_one_inside` | spawns and awaits one empty task inside a driver that keeps running |
//! | `spawn_batch` | spawns 250 tasks that yield once, in one call where there is one; awaits them |
//! | `spawn_many_local` | spawns 25,000 empty tasks one by one; awaits them |
//! | `spawn_recursively` | 300 tasks, each the top of a chain of 300 that spawn and await the next |
//! | `yield_now` | 300 tasks that yield 300 times each |
//! | `channels` | a token goes 300 times round 300 tasks, over channels with room for one message |
//! | `web_server` | a server spawns 300 clients, half of which ask one database 150 to 299 times |
//!
//! What the rows do *not* mean:
//!
//! - Nothing wakes a task from another thread and nothing waits for I/O or time: a subject that is
//!   slow there, or that brings its own reactor, shows no trace of it here.
//! - `spawn_one` is mostly construction and drop. A program that makes one executor and keeps it
//!   should read `spawn_one_inside`.
//! - tokio's `LocalSet` stands without its runtime. Its task budget stays on, as in any program.
//! - tokio has no call that spawns many tasks at once; its `spawn_batch` is a loop.
//! - `channels` and `web_server` spend much of their time in async-channel, alike for all subjects.
//! - Tasks are small. Nothing here tells how a large future is moved or allocated.

use core::hint::black_box;

use criterion::{
    BatchSize, BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main,
    measurement::WallTime,
};
use selvedge_benches::{
    fixtures::{Ring, Shop},
    local::{
        LocalSubject, Scale,
        subjects::{AsyncExecutor, Selvedge, Tokio},
        workloads,
    },
    seed,
};

const SCALE: Scale = Scale::PUBLISHED;

fn local(c: &mut Criterion) {
    let mut table = c.benchmark_group("local");
    rows::<Selvedge>(&mut table);
    rows::<AsyncExecutor>(&mut table);
    rows::<Tokio>(&mut table);
    table.finish();
}

/// Registers every row for one subject.
fn rows<S: LocalSubject>(table: &mut BenchmarkGroup<'_, WallTime>) {
    let Scale { batch, light_tasks, tasks, steps } = black_box(SCALE);
    let id = |row: &str| format!("{row}/{}", S::NAME);

    table.throughput(elements(1));
    table.bench_function(id("spawn_one"), |b| b.iter(workloads::spawn_one::<S>));
    table.bench_function(id("spawn_one_inside"), |b| {
        b.iter_custom(workloads::spawn_one_inside::<S>);
    });
    table.throughput(elements(batch));
    table.bench_function(id("spawn_batch"), |b| b.iter(|| workloads::spawn_batch::<S>(batch)));
    table.throughput(elements(light_tasks));
    table.bench_function(id("spawn_many_local"), |b| {
        b.iter(|| workloads::spawn_many_local::<S>(light_tasks));
    });
    table.throughput(elements(tasks * steps));
    table.bench_function(id("spawn_recursively"), |b| {
        b.iter(|| workloads::spawn_recursively::<S>(tasks, steps));
    });
    table.bench_function(id("yield_now"), |b| b.iter(|| workloads::yields::<S>(tasks, steps)));
    table.bench_function(id("channels"), |b| {
        b.iter_batched(
            || Ring::new(tasks),
            |ring| workloads::channels::<S>(ring, steps),
            BatchSize::PerIteration,
        );
    });
    table.throughput(elements(tasks));
    table.bench_function(id("web_server"), |b| {
        b.iter_batched(
            || Shop::new(tasks, steps, seed::of_round()),
            workloads::web_server::<S>,
            BatchSize::PerIteration,
        );
    });
}

fn elements(count: usize) -> Throughput {
    Throughput::Elements(count as u64)
}

criterion_group!(suite, local);
criterion_main!(suite);
