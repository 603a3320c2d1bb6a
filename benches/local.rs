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

mod clock;

use criterion::{Criterion, criterion_group, criterion_main};
use selvedge_benches::local::rows;

use crate::clock::Clock;

fn local(criterion: &mut Criterion) {
    rows::register(&mut Clock::new(criterion, "local"));
}

criterion_group!(suite, local);
criterion_main!(suite);
