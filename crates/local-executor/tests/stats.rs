//! The counters of the feature `stats`.

use std::future::{pending, poll_fn};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::thread;

use futures_lite::future::yield_now;
use selvedge_local_executor::{LocalExecutor, Stats};

#[test]
fn an_executor_that_was_never_used_has_done_nothing() {
    assert_eq!(LocalExecutor::new().leak().stats(), Stats::default());
    assert_eq!(LocalExecutor::new().stats(), Stats::default());
}

#[test]
fn spawns_polls_and_ends_are_counted() {
    let ex = LocalExecutor::new();
    let spawner = ex.spawner();
    let twice = ex.spawn(async { yield_now().await });
    thread::spawn(move || spawner.spawn(async {}).unwrap().detach()).join().unwrap();
    let never = ex.spawn(pending::<()>());
    let before = ex.stats();
    assert_eq!((before.spawned, before.finished, before.polled, before.queued), (3, 0, 0, 3));
    assert_eq!(before.remote_wakes, 0, "a spawn is no wake");

    ex.block_on(twice);
    while ex.try_tick() {}
    let after = ex.stats();
    assert_eq!((after.spawned, after.finished, after.polled, after.queued), (3, 2, 4, 0));

    // A cancelled task is over when its future is dropped, which is no poll.
    drop(never);
    while ex.try_tick() {}
    assert_eq!((ex.stats().finished, ex.stats().polled), (3, 4));
}

#[test]
fn a_wake_counts_as_remote_on_another_thread() {
    let ex = LocalExecutor::new();
    let shared = Arc::new(Mutex::new(None::<Waker>));
    let theirs = shared.clone();
    let task = ex.spawn(async move {
        let mut polls = 0;
        poll_fn(|cx| {
            *theirs.lock().unwrap() = Some(cx.waker().clone());
            polls += 1;
            if polls > 2 { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    });
    assert!(ex.try_tick());
    shared.lock().unwrap().take().unwrap().wake();
    assert_eq!(ex.stats().remote_wakes, 0);
    assert!(ex.try_tick());
    let waker = shared.lock().unwrap().take().unwrap();
    thread::spawn(move || waker.wake()).join().unwrap();
    assert_eq!((ex.stats().remote_wakes, ex.stats().queued), (1, 1));
    assert!(ex.try_tick() && task.is_finished());
}
