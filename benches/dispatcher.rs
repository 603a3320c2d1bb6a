//! Table `dispatcher`: closures that one worker thread runs in order.
//!
//! | row | what one iteration does |
//! |---|---|
//! | `empty fn` | launches a closure that captures nothing, while the worker runs |
//! | `fn 1024` | launches one that captures 1,024 `i32` (4,096 bytes), made anew, while the worker runs |
//! | `counter.add` | clones an `Arc` of a counter, launches a closure that adds to it under a lock, while the worker runs |
//! | `launch held` | launches a closure that captures as many bytes as the size says, while the worker stands at a gate |
//! | `drain` | opens a gate before 8,192 tasks of 16 bytes, and waits until they have run |
//! | `wake`, size 50 or 99 | launches onto a worker that sleeps: that percentile of the time until the task starts |
//! | `throughput` | 1, 2 or 4 producers launch 4,096 tasks of 16 bytes between them and wait for them |
//! | `flush`, size 0 | waits for a queue that is empty |
//! | `flush`, size 1000 | opens a gate before a queue of 1,000 tasks that is full up to its bound, and waits for it |
//!
//! `empty fn`, `fn 1024` and `counter.add` are those of glean's published benchmark. In theirs the queue grows
//! without end; here every row drains it between batches, of 4,096 launches or of 1,024 where there is
//! a gate or a large closure. Where a row times launches, nothing but launches is in the timed part.
//!
//! What the rows do *not* mean:
//!
//! - Where the worker runs, it takes tasks away on another core meanwhile, and a launch now and then finds it
//!   asleep: these rows vary more than `launch held`, which is the price of a launch alone.
//! - glean-core's guard is private. It takes part by its global `launch`, which takes a read lock, clones
//!   the guard and asks for the current thread; `selvedge-global` is our global dispatcher beside it.
//! - Channels have neither worker nor flush: both are written by hand, with a box for each closure. A box
//!   of a closure that captures nothing does not allocate, which is why `empty fn` flatters them.
//! - `mutex-vec` is no crate but the simplest sound design: a vector under a lock, which the worker takes away whole.
//! - Subjects that count what has run need not ask the worker whether an empty queue is empty (`flush` of 0).
//!   The others launch a marker and wait for it.
//! - glean-core cannot bound its queue once it is open: no `flush` of 1000.
//! - With the producers of `throughput` and the worker there may be more threads than cores.
//! - Large closures lie in memory that one thread takes and another gives back. What the allocator makes of
//!   that is in `fn 1024` and the larger sizes of `launch held`: if nothing is left at the top of its heap
//!   after a drain, glibc returns the pages and the next batch faults them in again.
//! - `wake` is mostly the operating system's, and on a virtual machine its host's. It is left out where
//!   there is no `/proc` to tell that the worker sleeps.
//! - Nothing here tells how much memory a queue takes.

use core::{hint::black_box, time::Duration};

use criterion::{
    Bencher, BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
    measurement::WallTime,
};
#[cfg(feature = "glean-core")]
use selvedge_benches::dispatcher::subjects::{GleanCore, SelvedgeGlobal};
use selvedge_benches::dispatcher::{
    Bounded, DispatcherSubject, Scale,
    subjects::{CrossbeamChannel, MutexVec, Selvedge, StdMpsc},
    workloads,
};

type Table<'a> = BenchmarkGroup<'a, WallTime>;

const SCALE: Scale = Scale::TABLE;
const PRODUCERS: [usize; 3] = [1, 2, 4];

fn dispatcher(c: &mut Criterion) {
    let mut table = c.benchmark_group("dispatcher");
    rows::<Selvedge>(&mut table);
    full::<Selvedge>(&mut table);
    rows::<CrossbeamChannel>(&mut table);
    full::<CrossbeamChannel>(&mut table);
    rows::<StdMpsc>(&mut table);
    full::<StdMpsc>(&mut table);
    rows::<MutexVec>(&mut table);
    full::<MutexVec>(&mut table);
    #[cfg(feature = "glean-core")]
    globals(&mut table);
    table.finish();
}

/// Registers glean-core, and our global form beside it where launches are compared.
#[cfg(feature = "glean-core")]
fn globals(table: &mut Table<'_>) {
    rows::<GleanCore>(table);
    launches::<SelvedgeGlobal>(table);
}

/// Registers every row that every subject has.
fn rows<S: DispatcherSubject>(table: &mut Table<'_>) {
    launches::<S>(table);
    let Scale { drain, throughput, .. } = black_box(SCALE);
    timed::<S>(table, "drain", None, drain, |times| workloads::drain::<S>(drain, times));
    #[cfg(target_os = "linux")]
    wakes::<S>(table);
    for producers in PRODUCERS {
        timed::<S>(table, "throughput", Some(producers), throughput, |times| {
            workloads::throughput::<S>(producers, throughput, times)
        });
    }
    timed::<S>(table, "flush", Some(0), 1, workloads::flush_empty::<S>);
}

/// Registers the rows that time launches alone.
fn launches<S: DispatcherSubject>(table: &mut Table<'_>) {
    let Scale { launches, held, .. } = black_box(SCALE);
    let mut launch = |row, size, batch, workload: fn(u64, u64) -> Duration| {
        timed::<S>(table, row, size, 1, |times| workload(batch, times));
    };
    launch("empty fn", None, launches, workloads::empty_fn::<S>);
    launch("fn 1024", None, held, workloads::fn_1024::<S>);
    launch("counter.add", None, launches, workloads::counter_add::<S>);
    launch("launch held", Some(0), held, workloads::launch_held::<S, 0>);
    launch("launch held", Some(16), held, workloads::launch_held::<S, 2>);
    launch("launch held", Some(48), held, workloads::launch_held::<S, 6>);
    launch("launch held", Some(64), held, workloads::launch_held::<S, 8>);
    launch("launch held", Some(256), held, workloads::launch_held::<S, 32>);
    launch("launch held", Some(1024), held, workloads::launch_held::<S, 128>);
}

/// Registers the percentiles of `wake`, which takes about as long for few iterations as for one.
#[cfg(target_os = "linux")]
fn wakes<S: DispatcherSubject>(table: &mut Table<'_>) {
    let least = black_box(SCALE).wakes;
    for percentile in [50, 99] {
        timed::<S>(table, "wake", Some(percentile as usize), 1, |times| {
            workloads::wake::<S>(percentile, least, times)
        });
    }
}

/// Registers the flush of a full queue.
fn full<S: Bounded>(table: &mut Table<'_>) {
    let full = black_box(SCALE).full;
    timed::<S>(table, "flush", Some(full), full as u64, |times| {
        workloads::flush_full::<S>(full, times)
    });
}

/// Registers a row that takes its own time.
fn timed<S: DispatcherSubject>(
    table: &mut Table<'_>,
    row: &str,
    size: Option<usize>,
    elements: u64,
    mut workload: impl FnMut(u64) -> Duration,
) {
    let name = format!("{row}/{}", S::NAME);
    let routine = |b: &mut Bencher<'_>| b.iter_custom(&mut workload);
    table.throughput(Throughput::Elements(elements));
    match size {
        Some(size) => table.bench_function(BenchmarkId::new(name, size), routine),
        None => table.bench_function(name, routine),
    };
}

criterion_group!(suite, dispatcher);
criterion_main!(suite);
