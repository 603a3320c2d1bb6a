//! The rows of table `local`, each written once for every subject.
//!
//! A workload makes its executor, runs one main future inside it to the end, drops the executor
//! and checks what was done. The steps are those of async-executor's published benchmark, save
//! that every task is awaited. Tasks that spawn hold the executor by `Rc`: the one way in which a
//! task can reach it for every subject, at the same price for each.

use core::{hint::black_box, time::Duration};
use std::{rc::Rc, time::Instant};

use futures_lite::{FutureExt as _, future::yield_now};

use crate::{
    fixtures::{Client, Ring, Shop},
    local::LocalSubject,
    tally,
};

/// Spawns and awaits one empty task on a new executor.
pub fn spawn_one<S: LocalSubject>() {
    let ex = S::new();
    S::block_on(&ex, async { S::spawn(&ex, async { tally::add(1) }).await });
    drop(ex);
    tally::expect(1);
}

/// Spawns and awaits one empty task, `times` over inside one `run`; returns how long that took.
pub fn spawn_one_inside<S: LocalSubject>(times: u64) -> Duration {
    let ex = S::new();
    let elapsed = S::block_on(&ex, async {
        let start = Instant::now();
        for _ in 0..times {
            S::spawn(&ex, async { tally::add(1) }).await;
        }
        start.elapsed()
    });
    tally::expect(usize::try_from(times).expect("a count of iterations that fits in memory"));
    elapsed
}

/// Spawns tasks that yield once each in one call, where the subject has one, and awaits them.
pub fn spawn_batch<S: LocalSubject>(tasks: usize) {
    let ex = S::new();
    S::block_on(&ex, async {
        let mut handles = Vec::new();
        let futures = (0..tasks).map(|_| async {
            yield_now().await;
            tally::add(1);
        });
        S::spawn_many(&ex, futures, &mut handles);
        join::<S, _>(handles).await;
    });
    drop(ex);
    tally::expect(tasks);
}

/// Spawns empty tasks one by one, then awaits them.
pub fn spawn_many_local<S: LocalSubject>(tasks: usize) {
    let ex = S::new();
    S::block_on(&ex, async {
        let mut handles = Vec::new();
        for _ in 0..tasks {
            handles.push(S::spawn(&ex, async { tally::add(1) }));
        }
        join::<S, _>(handles).await;
    });
    drop(ex);
    tally::expect(tasks);
}

/// Spawns tasks of which each spawns and awaits the next, `depth` levels down.
pub fn spawn_recursively<S: LocalSubject>(tasks: usize, depth: usize) {
    async fn descend<S: LocalSubject>(ex: Rc<S::Executor>, levels: usize) {
        tally::add(1);
        if levels != 0 {
            let below = Rc::clone(&ex);
            S::spawn(&ex, async move { descend::<S>(below, levels - 1).boxed_local().await }).await;
        }
    }

    let ex = Rc::new(S::new());
    S::block_on(&ex, async {
        let mut handles = Vec::new();
        for _ in 0..tasks {
            handles.push(S::spawn(&ex, descend::<S>(Rc::clone(&ex), depth)));
        }
        join::<S, _>(handles).await;
    });
    drop_last(ex);
    tally::expect(tasks * (depth + 1));
}

/// Spawns tasks that do nothing but yield.
pub fn yields<S: LocalSubject>(tasks: usize, steps: usize) {
    let ex = S::new();
    S::block_on(&ex, async {
        let mut handles = Vec::new();
        for _ in 0..tasks {
            handles.push(S::spawn(&ex, async move {
                for _ in 0..steps {
                    yield_now().await;
                }
                tally::add(steps);
            }));
        }
        join::<S, _>(handles).await;
    });
    drop(ex);
    tally::expect(tasks * steps);
}

/// Sends a token round the whole ring `steps` times, one task per link.
pub fn channels<S: LocalSubject>(mut ring: Ring, steps: usize) {
    let links = ring.take_links();
    let tasks = links.len();
    let ex = S::new();
    S::block_on(&ex, async {
        let mut handles = Vec::new();
        for link in links {
            handles.push(S::spawn(&ex, async move { tally::add(link.relay(steps).await) }));
        }
        ring.turn(steps).await;
        join::<S, _>(handles).await;
    });
    drop(ex);
    tally::expect(tasks * steps);
}

/// Runs database, server and clients until the last client has its last answer.
pub fn web_server<S: LocalSubject>(shop: Shop) {
    let (database, server, expected) = shop.open();
    let ex = Rc::new(S::new());
    S::block_on(&ex, async {
        let database = S::spawn(&ex, async move { tally::add(database.serve().await) });
        let spawner = Rc::clone(&ex);
        let server = S::spawn(&ex, async move {
            let spawn = |client: Client| {
                S::spawn(&spawner, async move { tally::add(client.visit().await) })
            };
            server.serve(spawn).await
        });
        let handles = server.await;
        database.await;
        join::<S, _>(handles).await;
    });
    drop_last(ex);
    tally::expect(expected);
}

/// Awaits every handle in turn.
async fn join<S: LocalSubject, T: 'static>(handles: Vec<S::Handle<T>>) {
    for handle in handles {
        black_box(handle.await);
    }
}

/// Drops the executor, and with it what it still holds: no task may have kept it alive.
fn drop_last<E>(ex: Rc<E>) {
    drop(Rc::into_inner(ex).expect("tasks that have let go of their executor"));
}
