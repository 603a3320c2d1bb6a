//! The counters of the feature `stats`.

use std::future::{pending, poll_fn};
use std::sync::Mutex;
use std::task::{Poll, Waker};
use std::thread;

use futures_lite::future::{block_on, yield_now};
use selvedge_executor::{Executor, StaticExecutor, Stats};

#[test]
fn an_executor_that_was_never_used_has_done_nothing() {
    static EX: StaticExecutor = StaticExecutor::new();
    assert_eq!(EX.stats(), Stats::default());
    assert_eq!(Executor::new().stats(), Stats::default());
}

#[test]
fn spawns_polls_and_ends_are_counted() {
    let ex = Executor::new();
    let spawner = ex.spawner();
    let twice = ex.spawn(async { yield_now().await });
    spawner.spawn(async {}).unwrap().detach();
    let never = ex.spawn(pending::<()>());
    let before = ex.stats();
    assert_eq!((before.spawned, before.finished, before.polled, before.queued), (3, 0, 0, 3));

    ex.block_on(twice);
    while ex.try_tick() {}
    let after = ex.stats();
    assert_eq!((after.spawned, after.finished, after.polled, after.queued), (3, 2, 4, 0));

    // A cancelled task is over when its future is dropped, which is no poll.
    drop(never);
    while ex.try_tick() {}
    assert_eq!((ex.stats().finished, ex.stats().polled), (3, 4));
    assert_eq!(ex.stats().steals, 0);
}

#[test]
fn a_wake_counts_as_remote_where_nothing_is_driven() {
    let waker = Mutex::new(None::<Waker>);
    let wake = || waker.lock().unwrap().take().unwrap().wake();
    let ex = Executor::new();
    let task = ex.spawn(async {
        let mut polls = 0;
        poll_fn(|cx| {
            *waker.lock().unwrap() = Some(cx.waker().clone());
            polls += 1;
            if polls > 2 { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    });
    assert!(ex.try_tick());
    assert_eq!(ex.stats().remote_wakes, 0);
    thread::scope(|scope| _ = scope.spawn(wake));
    assert_eq!(ex.stats().remote_wakes, 1);
    assert!(ex.try_tick());
    // From a task, on a thread that drives.
    ex.spawn(async { wake() }).detach();
    while ex.try_tick() {}
    assert_eq!(ex.stats().remote_wakes, 1);
    block_on(task);
}

#[test]
fn a_driver_that_takes_from_the_queue_of_another_has_stolen() {
    let ex = Executor::new().leak();
    let outer = ex.spawn(async {
        // Both go to the queue of the driver that polls this.
        ex.spawn(async {}).detach();
        ex.spawn(async {}).detach();
        assert!(thread::spawn(|| ex.try_tick()).join().unwrap());
    });
    ex.block_on(outer);
    assert_eq!(ex.stats().steals, 1);
}
