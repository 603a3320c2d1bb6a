#![cfg(selvedge_shuttle)]
//! The whole executor, with the tasks of async-task, under random schedules.
//!
//! Threads switch at the façade's operations: in our code, in the futures and wakers of these tests,
//! and between any two calls into async-task or concurrent-queue. Their own atomics run without a
//! switch, so what is explored is each order of their operations as a whole, not their insides.

#[path = "support/dropped.rs"]
mod dropped;
#[path = "../../sync/tests/shared/signal.rs"]
mod signal;

use std::future::{pending, poll_fn};
use std::sync::Arc;
use std::task::Poll;

use selvedge_executor::{Executor, Task};
use selvedge_sync::atomic::{AtomicUsize, Ordering};
use selvedge_sync::thread::{self, JoinHandle, block_on};
use selvedge_sync::{random, schedules};

use self::dropped::Dropped;
use self::signal::{Signal, pause};

/// Lets other tasks run once.
async fn yield_once() {
    let mut yielded = false;
    poll_fn(|cx| {
        if yielded {
            return Poll::Ready(());
        }
        yielded = true;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// A driver on a thread of its own, until `end` is set.
fn driver(ex: &Arc<Executor<'static>>, end: &Arc<Signal>) -> JoinHandle<()> {
    let (ex, end) = (ex.clone(), end.clone());
    thread::spawn(move || block_on(ex.run(async move { end.wait().await })))
}

/// Drivers that are told to end, one after the other.
fn end(drivers: Vec<(JoinHandle<()>, Arc<Signal>)>) {
    for (thread, end) in drivers {
        end.set();
        thread.join().unwrap();
    }
}

fn drivers(ex: &Arc<Executor<'static>>, count: usize) -> Vec<(JoinHandle<()>, Arc<Signal>)> {
    let one = |_| {
        let end = Signal::new();
        (driver(ex, &end), end)
    };
    (0..count).map(one).collect()
}

#[test]
fn tasks_that_other_threads_wake_all_run_to_their_end() {
    schedules(|| {
        let ex = Arc::new(Executor::new());
        let signals: Vec<_> = (0..4).map(|_| Signal::new()).collect();
        let tasks: Vec<_> = signals
            .iter()
            .map(|signal| {
                let signal = signal.clone();
                ex.spawn(async move {
                    signal.wait().await;
                    yield_once().await;
                })
            })
            .collect();
        let drivers = drivers(&ex, 2);
        let waking = thread::spawn(move || {
            for signal in signals {
                signal.disturb();
                signal.set();
            }
        });
        block_on(async {
            for task in tasks {
                task.await;
            }
        });
        end(drivers);
        waking.join().unwrap();
        assert!(ex.is_empty());
    });
}

#[test]
fn tasks_that_spawn_tasks_are_found_by_every_way_of_driving() {
    schedules(|| {
        let ex = Arc::new(Executor::new());
        let left = Arc::new(AtomicUsize::new(0));
        let drivers = drivers(&ex, 1);
        let roots: Vec<_> = (0..2)
            .map(|_| {
                let (spawning, left) = (ex.clone(), left.clone());
                ex.spawn(async move {
                    let children: Vec<_> = (0..3)
                        .map(|_| {
                            let left = left.clone();
                            spawning.spawn(async move {
                                yield_once().await;
                                left.fetch_add(1, Ordering::SeqCst);
                            })
                        })
                        .collect();
                    for child in children {
                        child.await;
                    }
                })
            })
            .collect();
        let ticking = {
            let ex = ex.clone();
            thread::spawn(move || {
                for _ in 0..random(6) {
                    ex.try_tick();
                    pause();
                }
            })
        };
        // A driver that is given up holds nothing back.
        block_on(ex.run(yield_once()));
        block_on(async {
            for root in roots {
                root.await;
            }
        });
        ticking.join().unwrap();
        end(drivers);
        assert_eq!(left.load(Ordering::SeqCst), 6);
    });
}

#[test]
fn a_task_that_is_cancelled_elsewhere_is_dropped_once() {
    schedules(|| {
        let ex = Arc::new(Executor::new());
        let dropped = Dropped::new();
        let signal = Signal::new();
        let task: Task<()> = ex.spawn({
            let (guard, signal) = (dropped.guard(), signal.clone());
            async move {
                let _guard = guard;
                signal.wait().await;
            }
        });
        let drivers = drivers(&ex, 1);
        let waking = thread::spawn(move || {
            signal.disturb();
            signal.set();
        });
        let cancelling = thread::spawn(move || {
            pause();
            drop(task);
        });
        ex.try_tick();
        waking.join().unwrap();
        cancelling.join().unwrap();
        end(drivers);
        drop(ex);
        assert_eq!(dropped.count(), 1);
    });
}

#[test]
fn a_drop_that_races_wakes_drops_every_future_once() {
    schedules(|| {
        let ex = Executor::new();
        let dropped = Dropped::new();
        let signals: Vec<_> = (0..3).map(|_| Signal::new()).collect();
        for signal in &signals {
            let (guard, signal) = (dropped.guard(), signal.clone());
            ex.spawn(async move {
                let _guard = guard;
                signal.wait().await;
                pending::<()>().await;
            })
            .detach();
        }
        while ex.try_tick() {}
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let signals = signals.clone();
                thread::spawn(move || signals.iter().for_each(|signal| signal.set()))
            })
            .collect();
        drop(signals);
        for _ in 0..random(3) {
            ex.try_tick();
        }
        drop(ex);
        assert_eq!(dropped.count(), 3);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn what_is_spawned_through_a_spawner_runs_or_is_given_back() {
    schedules(|| {
        let ex = Executor::new();
        let (ran, dropped) = (Arc::new(AtomicUsize::new(0)), Dropped::new());
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let (spawner, ran, guard) = (ex.spawner(), ran.clone(), dropped.guard());
                thread::spawn(move || {
                    let future = async move {
                        let _guard = guard;
                        ran.fetch_add(1, Ordering::SeqCst);
                    };
                    spawner.spawn(future).map(Task::detach).is_ok()
                })
            })
            .collect();
        for _ in 0..random(4) {
            ex.try_tick();
            pause();
        }
        drop(ex);
        let accepted: usize =
            threads.into_iter().map(|thread| usize::from(thread.join().unwrap())).sum();
        assert!(ran.load(Ordering::SeqCst) <= accepted);
        assert_eq!(dropped.count(), 2);
    });
}
