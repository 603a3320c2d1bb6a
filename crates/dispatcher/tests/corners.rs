//! Where two rules of the dispatcher meet.

#[path = "support/hold.rs"]
mod hold;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use selvedge_dispatcher::Dispatcher;

use self::hold::hold;
use self::watchdog::watchdog;

/// Panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("planned panic of a drop");
    }
}

#[test]
fn a_kill_that_waits_behind_a_shutdown_takes_its_place_when_that_runs_out_of_time() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(10);
    let guard = dispatcher.guard();
    guard.open().unwrap();
    let release = hold(&guard);
    let ran = Arc::new(AtomicUsize::new(0));
    for _ in 0..100 {
        let ran = ran.clone();
        guard.launch(move || _ = ran.fetch_add(1, Ordering::Relaxed)).unwrap();
    }
    let theirs = guard.clone();
    let shutdown = thread::spawn(move || theirs.shutdown_timeout(Duration::from_millis(500)));
    while guard.launch(|| ()).is_ok() {
        thread::yield_now();
    }
    let theirs = guard.clone();
    let kill = thread::spawn(move || theirs.kill());
    assert!(shutdown.join().unwrap().unwrap().timed_out);
    // The kill closes at some moment from now on, and nothing can run before the release.
    while guard
        .launch(|| ())
        .is_err_and(|error| error.kind() != selvedge_dispatcher::LaunchErrorKind::Killed)
    {
        thread::yield_now();
    }
    drop(release);
    assert!(kill.join().unwrap().unwrap() >= 100);
    assert_eq!(ran.load(Ordering::Relaxed), 0);
}

#[test]
fn a_task_counts_as_panicked_once_whatever_its_payload_does() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(10);
    let guard = dispatcher.guard();
    drop(guard.launch_with_handle(|| panic_any(Bomb)).unwrap());
    guard.flush_init().unwrap();
    let stats = guard.stats();
    assert_eq!((stats.run, stats.panicked), (1, 1));
}

#[test]
fn a_wait_for_cancelled_tasks_is_ok_after_a_kill_that_dropped_none() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(10);
    let guard = dispatcher.guard();
    assert!(guard.launch_with_handle(|| ()).unwrap().cancel());
    let flush = guard.flush();
    assert_eq!(guard.kill(), Ok(0));
    assert_eq!(futures_lite::future::block_on(flush), Ok(()));
}

#[test]
fn a_hook_that_panics_when_it_is_dropped_reaches_nobody() {
    let _watchdog = watchdog();
    let bomb = Bomb;
    let dispatcher = Dispatcher::builder().on_panic(move |_| _ = &bomb).build().unwrap();
    let guard = dispatcher.guard();
    guard.shutdown().unwrap();
    drop(dispatcher);
    assert!(catch_unwind(AssertUnwindSafe(|| drop(guard))).is_ok());
}
