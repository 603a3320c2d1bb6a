//! The drop of an executor while other threads wake, spawn, cancel and let go of wakers.

#[path = "support/dropped.rs"]
mod dropped;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::future::{pending, poll_fn};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::thread;

use futures_lite::future::{block_on, yield_now};
use selvedge_executor::Executor;

use self::dropped::{DropGuard, Dropped};
use self::watchdog::watchdog;

const ROUNDS: usize = if cfg!(miri) { 5 } else { 300 };

/// Leaves its newest waker, and never ends.
async fn leave_waker(place: Arc<Mutex<Option<Waker>>>, guard: DropGuard) {
    let _guard = guard;
    poll_fn(|cx| {
        let old = place.lock().unwrap().replace(cx.waker().clone());
        drop(old);
        Poll::<()>::Pending
    })
    .await;
}

// E1, E2, E8: four threads wake and spawn while the executor goes, after drivers on two threads.
#[test]
fn four_threads_wake_and_spawn_while_the_executor_is_dropped() {
    let _watchdog = watchdog();
    for round in 0..ROUNDS {
        let (dropped, over) = (Dropped::new(), AtomicBool::new(false));
        let made = AtomicUsize::new(0);
        let places: Vec<_> = (0..32).map(|_| Arc::new(Mutex::new(None::<Waker>))).collect();
        let ex = Executor::new();
        for place in &places {
            ex.spawn(leave_waker(place.clone(), dropped.guard())).detach();
        }
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for _ in 0..round % 7 {
                        block_on(ex.run(yield_now()));
                    }
                });
            }
        });
        thread::scope(|scope| {
            for thread in 0..4 {
                let (spawner, places) = (ex.spawner(), &places);
                let (dropped, over, made) = (&dropped, &over, &made);
                scope.spawn(move || {
                    let mut refused = false;
                    while !over.load(Ordering::Relaxed) || !refused {
                        for place in places.iter().skip(thread) {
                            let waker = place.lock().unwrap().clone();
                            waker.into_iter().for_each(Waker::wake);
                        }
                        match spawner.spawn(hold(dropped.guard())) {
                            Ok(task) if thread % 2 == 0 => {
                                made.fetch_add(1, Ordering::Relaxed);
                                task.detach();
                            }
                            Ok(_cancelled) => {
                                made.fetch_add(1, Ordering::Relaxed);
                            }
                            Err(error) => {
                                drop(error.into_inner());
                                made.fetch_add(1, Ordering::Relaxed);
                                refused = true;
                            }
                        }
                    }
                });
            }
            thread::yield_now();
            drop(ex);
            // Whatever was accepted was dropped before the drop returned; refusals go on.
            over.store(true, Ordering::Relaxed);
        });
        assert_eq!(dropped.count(), 32 + made.load(Ordering::Relaxed), "round {round}");
        for place in places {
            let waker = place.lock().unwrap().take();
            waker.into_iter().for_each(Waker::wake);
        }
    }
}

async fn hold(guard: DropGuard) {
    let _guard = guard;
    pending::<()>().await;
}

// E2: futures are gone when `drop` returns, not some time later.
#[test]
fn no_future_is_left_when_the_drop_returns() {
    let _watchdog = watchdog();
    for _ in 0..ROUNDS * 3 {
        let dropped = Dropped::new();
        let place = Arc::new(Mutex::new(None));
        let ex = Executor::new();
        let task = ex.spawn(leave_waker(place.clone(), dropped.guard()));
        assert!(ex.try_tick());
        let waker = place.lock().unwrap().take().unwrap();
        let line = std::sync::Barrier::new(3);
        thread::scope(|scope| {
            scope.spawn(|| {
                line.wait();
                waker.wake();
            });
            scope.spawn(|| {
                line.wait();
                drop(task);
            });
            line.wait();
            drop(ex);
            assert_eq!(dropped.count(), 1);
        });
    }
}

#[test]
fn an_executor_may_be_dropped_on_another_thread_than_it_was_made_and_driven_on() {
    let _watchdog = watchdog();
    let dropped = Dropped::new();
    let ex = Executor::new();
    for _ in 0..10 {
        ex.spawn(hold(dropped.guard())).detach();
    }
    let ex = thread::spawn(move || {
        while ex.try_tick() {}
        ex
    })
    .join()
    .unwrap();
    ex.spawn(hold(dropped.guard())).detach();
    thread::spawn(move || drop(ex)).join().unwrap();
    assert_eq!(dropped.count(), 11);
}
