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

use std::cell::Cell;
use std::future::{pending, poll_fn};
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;

use selvedge_local_executor::{LocalExecutor, Task};
use selvedge_sync::atomic::{AtomicUsize, Ordering};
use selvedge_sync::sync::Mutex;
use selvedge_sync::thread;
use selvedge_sync::{random, schedules};

use self::dropped::Dropped;
use self::signal::{Signal, pause};

#[test]
fn tasks_that_other_threads_wake_all_run_to_their_end() {
    schedules(|| {
        let ex = LocalExecutor::new();
        let signals: Vec<_> = (0..4).map(|_| Signal::new()).collect();
        let threads: Vec<_> = (0..2)
            .map(|half| {
                let signals: Vec<_> = signals.iter().skip(half).step_by(2).cloned().collect();
                thread::spawn(move || {
                    for signal in &signals {
                        signal.disturb();
                        signal.set();
                    }
                })
            })
            .collect();
        let tasks: Vec<_> = signals
            .into_iter()
            .map(|signal| ex.spawn(async move { signal.wait().await }))
            .collect();
        ex.block_on(async {
            for task in tasks {
                task.await;
            }
        });
        assert!(ex.is_empty());
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn a_main_future_that_another_thread_wakes_ends() {
    schedules(|| {
        let ex = LocalExecutor::new();
        let (first, second) = (Signal::new(), Signal::new());
        let (remote_first, remote_second) = (first.clone(), second.clone());
        let thread = thread::spawn(move || {
            remote_first.set();
            remote_second.disturb();
            remote_second.set();
        });
        let task = ex.spawn(async move { first.wait().await });
        ex.block_on(async {
            second.wait().await;
            task.await;
        });
        thread.join().unwrap();
    });
}

#[test]
fn a_task_that_is_cancelled_elsewhere_is_dropped_once_by_its_owner() {
    schedules(|| {
        let ex = LocalExecutor::new();
        let dropped = Dropped::new();
        let (signal, ended) = (Signal::new(), Signal::new());
        let task: Task<()> = ex.spawn({
            let (guard, signal) = (dropped.guard(), signal.clone());
            async move {
                let _guard = guard;
                signal.wait().await;
            }
        });
        let waking = thread::spawn(move || {
            signal.disturb();
            signal.set();
        });
        let cancelling = {
            let ended = ended.clone();
            thread::spawn(move || {
                pause();
                drop(task);
                ended.set();
            })
        };
        ex.block_on(ended.wait());
        while ex.try_tick() {}
        // What the wake and the cancel left is run or dropped now, or by the drop.
        drop(ex);
        assert_eq!(dropped.count(), 1);
        waking.join().unwrap();
        cancelling.join().unwrap();
    });
}

#[test]
fn a_drop_that_races_wakes_drops_every_future_once_on_its_own_thread() {
    schedules(|| {
        let ex = LocalExecutor::new();
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
fn the_last_waker_of_a_detached_task_may_be_dropped_elsewhere() {
    schedules(|| {
        let ex = LocalExecutor::new();
        let dropped = Dropped::new();
        let kept = Arc::new(Mutex::new(None));
        let (guard, keep) = (dropped.guard(), kept.clone());
        ex.spawn(async move {
            let _guard = guard;
            poll_fn::<(), _>(|cx| {
                *keep.lock() = Some(cx.waker().clone());
                Poll::Pending
            })
            .await;
        })
        .detach();
        ex.try_tick();
        let thread = thread::spawn(move || {
            let waker = kept.lock().take();
            pause();
            drop(waker);
        });
        while ex.try_tick() {}
        drop(ex);
        assert_eq!(dropped.count(), 1);
        thread.join().unwrap();
    });
}

#[test]
fn what_is_spawned_from_other_threads_runs_or_is_given_back() {
    schedules(|| {
        let ex = LocalExecutor::new();
        let (ran, dropped) = (Arc::new(AtomicUsize::new(0)), Dropped::new());
        let (spawner, count) = (ex.spawner(), ran.clone());
        let spawning = thread::spawn(move || {
            let future = async move { count.fetch_add(1, Ordering::SeqCst) };
            spawner.spawn(future).map(Task::detach).is_ok()
        });
        let (spawner, count, guard) = (ex.spawner(), ran.clone(), dropped.guard());
        let making = thread::spawn(move || {
            let made = spawner.spawn_with(move || {
                let (guard, one) = (guard, Rc::new(Cell::new(1)));
                async move {
                    let _guard = guard;
                    count.fetch_add(one.get(), Ordering::SeqCst);
                }
            });
            // What is given back is dropped here, so its guard must not.
            made.map(Task::detach).map_err(core::mem::forget).is_ok()
        });
        let ticks = random(6);
        for _ in 0..ticks {
            ex.try_tick();
            pause();
        }
        drop(ex);
        let (spawned, made) = (spawning.join().unwrap(), making.join().unwrap());
        assert_eq!(dropped.count(), usize::from(made));
        assert!(ran.load(Ordering::SeqCst) <= usize::from(spawned) + usize::from(made));
    });
}

#[test]
fn what_was_accepted_before_the_last_tick_runs() {
    schedules(|| {
        let ex = LocalExecutor::new();
        let done = Signal::new();
        let threads: Vec<_> = (0..3)
            .map(|number| {
                let (spawner, done) = (ex.spawner(), done.clone());
                thread::spawn(move || {
                    let task = spawner.spawn(async move { number }).expect("the executor lives");
                    let counting = spawner.spawn(async move { task.await + 1 });
                    counting.expect("the executor lives").detach();
                    if number == 2 {
                        let last = spawner.spawn(async move { done.set() });
                        last.expect("the executor lives").detach();
                    }
                })
            })
            .collect();
        ex.block_on(done.wait());
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        while ex.try_tick() {}
        assert!(ex.is_empty());
    });
}

#[test]
fn a_nested_driver_lets_foreign_wakes_through() {
    schedules(|| {
        let ex = Rc::new(LocalExecutor::new());
        let (inner, outer) = (Signal::new(), Signal::new());
        let (remote_inner, remote_outer) = (inner.clone(), outer.clone());
        let thread = thread::spawn(move || {
            remote_outer.set();
            remote_inner.set();
        });
        let waiting = ex.spawn(async move { outer.wait().await });
        let nesting = ex.spawn({
            let ex = Rc::downgrade(&ex);
            async move {
                let ex = ex.upgrade().expect("the executor lives");
                ex.block_on(inner.wait());
            }
        });
        ex.block_on(async {
            nesting.await;
            waiting.await;
        });
        thread.join().unwrap();
    });
}
