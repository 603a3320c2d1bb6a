//! The end of a thread: wakes from its last destructors, executors that go with it, handles that stay.

use std::cell::RefCell;
use std::future::{pending, poll_fn};
use std::sync::Arc;
use std::task::{Poll, Waker};
use std::thread;

use futures_lite::future::yield_now;

use crate::dropped::{DropGuard, Dropped};
use crate::gate::Gate;
use crate::subject::{Executor, SPAWNS_WITH_MAKERS, Shared, Spawner, spawn_made};
use crate::watchdog::watchdog;

/// Holds a guard and waits for ever.
async fn hold(guard: DropGuard) {
    let _guard = guard;
    pending().await
}

fn run_ready(ex: &Executor<'_>) {
    while ex.try_tick() {}
}

/// Wakes when its thread ends.
struct WakeAtExit(RefCell<Option<Waker>>);

impl Drop for WakeAtExit {
    fn drop(&mut self) {
        self.0.take().expect("set before the thread's end").wake();
    }
}

thread_local! {
    static AT_EXIT: WakeAtExit = const { WakeAtExit(RefCell::new(None)) };
}

#[test]
fn a_thread_local_destructor_may_wake_at_thread_exit() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let gate = Gate::new();
    let task = ex.spawn(gate.wait());
    run_ready(&ex);
    gate.open();
    let waker = gate.waker();
    let thread = thread::spawn(move || AT_EXIT.with(|at_exit| at_exit.0.replace(Some(waker))));
    ex.block_on(task);
    thread.join().unwrap();
    assert_eq!(gate.polls(), 2);
}

#[test]
fn a_thread_local_destructor_may_wake_where_the_executor_was_driven() {
    let _watchdog = watchdog();
    thread::spawn(|| {
        AT_EXIT.with(|_| ());
        let ex = Executor::new().leak();
        let gate = Gate::new();
        ex.spawn(gate.wait()).detach();
        while ex.try_tick() {}
        AT_EXIT.with(|at_exit| at_exit.0.replace(Some(gate.waker())));
    })
    .join()
    .unwrap();
}

thread_local! {
    static EXECUTOR: Executor<'static> = const { Executor::new() };
    static LEFT_BEHIND: RefCell<Option<Spawner>> = const { RefCell::new(None) };
}

#[test]
fn a_thread_local_executor_drops_its_tasks_at_thread_exit() {
    let _watchdog = watchdog();
    let (dropped, waker, spawner) = thread::spawn(|| {
        let dropped = Dropped::new();
        let gate = Gate::new();
        EXECUTOR.with(|ex| {
            LEFT_BEHIND.replace(Some(ex.spawner()));
            ex.spawn(hold(dropped.guard())).detach();
            ex.spawn(gate.wait()).detach();
            while ex.try_tick() {}
            (dropped, gate.waker(), ex.spawner())
        })
    })
    .join()
    .unwrap();
    waker.wake();
    assert!(spawner.is_closed());
    assert!(spawner.spawn(async {}).is_err());
    let dropped = Arc::into_inner(dropped);
    assert_eq!(dropped.expect("the future is gone").count(), 1);
}

#[test]
fn wakers_and_spawners_outlive_the_thread_of_a_static_executor() {
    let _watchdog = watchdog();
    let (waker, main, spawner, task) = thread::spawn(|| {
        let ex = Executor::new().leak();
        let gate = Gate::new();
        ex.spawn(gate.wait()).detach();
        let mut main = None;
        ex.block_on(async {
            yield_now().await;
            main = poll_fn(|cx| Poll::Ready(Some(cx.waker().clone()))).await;
        });
        (gate.waker(), main.unwrap(), ex.spawner(), ex.spawn(async { 1 }))
    })
    .join()
    .unwrap();
    for waker in [waker, main] {
        waker.wake_by_ref();
        let clone = waker.clone();
        clone.wake();
    }
    assert!(!spawner.is_closed(), "it is not dropped, only out of reach");
    let unheard = spawner.spawn(async {}).unwrap();
    let make = || async {
        let _local = Shared::new(());
    };
    let unmade = SPAWNS_WITH_MAKERS.then(|| spawn_made(&spawner, make).unwrap());
    assert!(!unheard.is_finished());
    drop((unheard, unmade, task));
}
