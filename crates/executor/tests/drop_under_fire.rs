//! The drop of an executor whose futures' destructors wake, cancel, spawn and panic while other threads do.

#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::future::poll_fn;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::task::{Poll, Waker};
use std::thread::{self, ThreadId};

use selvedge_executor::{Executor, Spawner, Task};

use self::watchdog::watchdog;

const ROUNDS: usize = if cfg!(miri) { 3 } else { 200 };
const TASKS: usize = 70;

/// What all tasks of a round share: whose destructor has run, and what each of them leaves to others.
struct Round {
    dropped: Vec<AtomicUsize>,
    /// Drops on another thread than the one that drops the executor.
    elsewhere: AtomicUsize,
    here: ThreadId,
    wakers: Vec<Mutex<Option<Waker>>>,
    handles: Vec<Mutex<Option<Task<()>>>>,
    spawner: Spawner,
    refused: AtomicUsize,
}

/// In the future of a task; its destructor does to others what it can.
struct Hostile {
    number: usize,
    round: Arc<Round>,
}

impl Drop for Hostile {
    fn drop(&mut self) {
        let Self { number, round } = self;
        round.dropped[*number].fetch_add(1, Ordering::SeqCst);
        if thread::current().id() != round.here {
            round.elsewhere.fetch_add(1, Ordering::SeqCst);
        }
        let other = (*number * 31 + 7) % TASKS;
        let waker = round.wakers[other].lock().unwrap().clone();
        waker.into_iter().for_each(Waker::wake);
        let cancelled = round.handles[(other + 3) % TASKS].lock().unwrap().take();
        drop(cancelled);
        if round.spawner.spawn(async {}).is_err() {
            round.refused.fetch_add(1, Ordering::SeqCst);
        }
        if *number % 5 == 0 {
            resume_unwind(Box::new("a destructor panics"));
        }
    }
}

#[test]
fn each_future_is_dropped_once_whatever_destructors_and_other_threads_do() {
    let _watchdog = watchdog();
    for n in 0..ROUNDS {
        let ex = Executor::new();
        let round = Arc::new(Round {
            dropped: (0..TASKS).map(|_| AtomicUsize::new(0)).collect(),
            elsewhere: AtomicUsize::new(0),
            here: thread::current().id(),
            wakers: (0..TASKS).map(|_| Mutex::new(None)).collect(),
            handles: (0..TASKS).map(|_| Mutex::new(None)).collect(),
            spawner: ex.spawner(),
            refused: AtomicUsize::new(0),
        });
        for number in 0..TASKS {
            let hostile = Hostile { number, round: round.clone() };
            let task = ex.spawn(async move {
                let hostile = hostile;
                poll_fn(|cx| {
                    let waker = Some(cx.waker().clone());
                    *hostile.round.wakers[hostile.number].lock().unwrap() = waker;
                    Poll::<()>::Pending
                })
                .await;
            });
            *round.handles[number].lock().unwrap() = Some(task);
            // Some have never been polled when the executor goes.
            if n % 2 == 0 || number % 3 != 0 {
                ex.try_tick();
            }
        }
        let line = Barrier::new(4);
        thread::scope(|scope| {
            for first in 0..3 {
                let (round, line) = (&round, &line);
                scope.spawn(move || {
                    line.wait();
                    for number in (first..TASKS).step_by(2) {
                        let waker = round.wakers[number].lock().unwrap().take();
                        waker.into_iter().for_each(Waker::wake);
                        let task = round.handles[(number + 1) % TASKS].lock().unwrap().take();
                        task.into_iter().for_each(|task| {
                            if number % 4 == 0 { drop(task) } else { task.detach() }
                        });
                        if let Ok(task) = round.spawner.spawn(std::future::pending::<()>()) {
                            task.detach();
                        }
                    }
                });
            }
            line.wait();
            drop(ex);
            let dropped = |it: &AtomicUsize| it.load(Ordering::SeqCst) == 1;
            assert!(round.dropped.iter().all(dropped), "round {n}: {:?}", round.dropped);
        });
        assert_eq!(round.elsewhere.load(Ordering::SeqCst), 0);
        assert_eq!(round.refused.load(Ordering::SeqCst), TASKS);
        for (waker, handle) in round.wakers.iter().zip(&round.handles) {
            let (waker, handle) = (waker.lock().unwrap().take(), handle.lock().unwrap().take());
            waker.into_iter().for_each(Waker::wake);
            drop(handle);
        }
    }
}
