//! The rows of table `executor`, each written once for every subject.
//!
//! A workload spawns one root task from the thread that waits for it; the root spawns the others and
//! awaits them. The steps are those of async-executor's published benchmark, save for that root, and
//! that every task is awaited. Tasks give the units of work that they did, and the root adds them up.

use core::{
    hint::black_box,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    time::Duration,
};
use std::{sync::Arc, thread, time::Instant};

use async_channel::bounded;
use futures_lite::{
    FutureExt as _,
    future::{block_on, yield_now},
};

use super::ExecutorSubject;
use crate::fixtures::{Client, Ring, Shop};

/// Drives an executor, waits until every driver is there, and runs `work`.
///
/// As many tasks as drivers hold their threads at the same time, so a subject with fewer drivers would never
/// get on. They give up after a moment and are spawned again: not every subject promises that a task behind
/// one that blocks finds a thread.
pub fn driven<S: ExecutorSubject, R>(drivers: usize, work: impl FnOnce(S::Executor) -> R) -> R {
    S::drive(drivers, |ex| {
        while !meet::<S>(ex, drivers) {}
        work(ex)
    })
}

/// Whether as many tasks met, each on a thread of its own, before one of them gave up.
fn meet<S: ExecutorSubject>(ex: S::Executor, drivers: usize) -> bool {
    const PATIENCE: Duration = Duration::from_millis(5);
    let there = Arc::new(AtomicUsize::new(0));
    let at_line = (0..drivers).map(|_| {
        let there = Arc::clone(&there);
        S::spawn(ex, async move {
            let arrival = Instant::now();
            there.fetch_add(1, Ordering::Relaxed);
            while there.load(Ordering::Relaxed) < drivers {
                if arrival.elapsed() > PATIENCE {
                    return 0;
                }
                thread::yield_now();
            }
            1
        })
    });
    let at_line: Vec<_> = at_line.collect();
    block_on(sum::<S>(at_line)) == drivers
}

/// Spawns one empty task from outside, and waits for it.
pub fn spawn_one<S: ExecutorSubject>(ex: S::Executor) {
    assert_eq!(root::<S, _>(ex, async { 1 }), 1);
}

/// Spawns and awaits one empty task, `times` over inside one task; returns how long that took.
pub fn spawn_one_inside<S: ExecutorSubject>(ex: S::Executor, times: u64) -> Duration {
    let (elapsed, done) = root::<S, _>(ex, async move {
        let start = Instant::now();
        let mut done = 0_u64;
        for _ in 0..times {
            done += S::spawn(ex, async { 1 }).await;
        }
        (start.elapsed(), done)
    });
    assert_eq!(done, times);
    elapsed
}

/// Spawns tasks that yield once each in one call, where the subject has one, and awaits them.
pub fn spawn_batch<S: ExecutorSubject>(ex: S::Executor, tasks: usize) {
    let done = root::<S, _>(ex, async move {
        let mut handles = Vec::new();
        let futures = (0..tasks).map(|_| async {
            yield_now().await;
            1
        });
        S::spawn_many(ex, futures, &mut handles);
        sum::<S>(handles).await
    });
    assert_eq!(done, tasks);
}

/// Spawns empty tasks one by one, then awaits them.
pub fn spawn_many_local<S: ExecutorSubject>(ex: S::Executor, tasks: usize) {
    let done = root::<S, _>(ex, async move {
        let mut handles = Vec::new();
        for _ in 0..tasks {
            handles.push(S::spawn(ex, async { 1 }));
        }
        sum::<S>(handles).await
    });
    assert_eq!(done, tasks);
}

/// Spawns tasks of which each spawns and awaits the next, `depth` levels down.
pub fn spawn_recursively<S: ExecutorSubject>(ex: S::Executor, tasks: usize, depth: usize) {
    #[expect(clippy::manual_async_fn, reason = "a future that boxes itself has to promise `Send`")]
    fn descend<S: ExecutorSubject>(
        ex: S::Executor,
        levels: usize,
    ) -> impl Future<Output = usize> + Send {
        async move {
            if levels == 0 {
                return 1;
            }
            let below = async move { descend::<S>(ex, levels - 1).boxed().await };
            1 + S::spawn(ex, below).await
        }
    }

    let done = root::<S, _>(ex, async move {
        let mut handles = Vec::new();
        for _ in 0..tasks {
            handles.push(S::spawn(ex, descend::<S>(ex, depth)));
        }
        sum::<S>(handles).await
    });
    assert_eq!(done, tasks * (depth + 1));
}

/// Spawns tasks that do nothing but yield.
pub fn yields<S: ExecutorSubject>(ex: S::Executor, tasks: usize, steps: usize) {
    let done = root::<S, _>(ex, async move {
        let mut handles = Vec::new();
        for _ in 0..tasks {
            handles.push(S::spawn(ex, async move {
                for _ in 0..steps {
                    yield_now().await;
                }
                steps
            }));
        }
        sum::<S>(handles).await
    });
    assert_eq!(done, tasks * steps);
}

/// Sends a token round the whole ring `steps` times, one task per link.
pub fn channels<S: ExecutorSubject>(ex: S::Executor, mut ring: Ring, steps: usize) {
    let links = ring.take_links();
    let tasks = links.len();
    let done = root::<S, _>(ex, async move {
        let mut handles = Vec::new();
        for link in links {
            handles.push(S::spawn(ex, link.relay(steps)));
        }
        ring.turn(steps).await;
        sum::<S>(handles).await
    });
    assert_eq!(done, tasks * steps);
}

/// Runs database, server and clients until the last client has its last answer.
pub fn web_server<S: ExecutorSubject>(ex: S::Executor, shop: Shop) {
    let (database, server, expected) = shop.open();
    let done = root::<S, _>(ex, async move {
        let database = S::spawn(ex, database.serve());
        let server = S::spawn(ex, async move {
            let spawn = |client: Client| S::spawn(ex, client.visit());
            server.serve(spawn).await
        });
        let handles = server.await;
        database.await + sum::<S>(handles).await
    });
    assert_eq!(done, expected);
}

/// Two tasks send a token to and fro over channels with room for one message.
pub fn ping_pong<S: ExecutorSubject>(ex: S::Executor, round_trips: usize) {
    let done = root::<S, _>(ex, async move {
        let (ping, pinged) = bounded(1);
        let (pong, ponged) = bounded(1);
        let one = S::spawn(ex, async move {
            for trip in 0..round_trips {
                ping.send(trip).await.expect("the other task, still there");
                assert_eq!(ponged.recv().await, Ok(trip));
            }
            round_trips
        });
        let other = S::spawn(ex, async move {
            let mut answered = 0;
            while let Ok(trip) = pinged.recv().await {
                pong.send(trip).await.expect("the other task, still there");
                answered += 1;
            }
            answered
        });
        one.await + other.await
    });
    assert_eq!(done, 2 * round_trips);
}

/// Spawns tasks that compute, lets another driver run the first, then awaits them all.
///
/// The root holds its own driver until one of the tasks has run: on another driver, then, which must
/// have come and taken it. From there on both share what is left.
pub fn steal<S: ExecutorSubject>(
    ex: S::Executor,
    helped: &'static AtomicBool,
    tasks: usize,
    multiplications: u32,
) {
    helped.store(false, Ordering::Relaxed);
    let done = root::<S, _>(ex, async move {
        let mut handles = Vec::new();
        for number in 0..tasks {
            handles.push(S::spawn(ex, async move {
                black_box(compute(number, multiplications));
                if !helped.load(Ordering::Relaxed) {
                    helped.store(true, Ordering::Relaxed);
                }
                1
            }));
        }
        while !helped.load(Ordering::Relaxed) {
            thread::yield_now();
        }
        sum::<S>(handles).await
    });
    assert_eq!(done, tasks);
}

/// A number that takes so many multiplications one after the other.
fn compute(from: usize, multiplications: u32) -> usize {
    (0..multiplications).fold(black_box(from), |number, _| {
        black_box(number.wrapping_mul(0x9e37_79b9).wrapping_add(1))
    })
}

/// Spawns the root of a row and waits for it on this thread.
fn root<S: ExecutorSubject, T: Send + 'static>(
    ex: S::Executor,
    future: impl Future<Output = T> + Send + 'static,
) -> T {
    block_on(S::spawn(ex, future))
}

/// Awaits every handle in turn and adds up what the tasks did.
async fn sum<S: ExecutorSubject>(handles: Vec<S::Handle<usize>>) -> usize {
    let mut done = 0;
    for handle in handles {
        done += handle.await;
    }
    done
}
