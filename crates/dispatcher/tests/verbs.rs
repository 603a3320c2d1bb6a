//! What each verb means.

#[path = "support/hold.rs"]
mod hold;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use selvedge_dispatcher::{DispatchError, Dispatcher, Guard, LaunchErrorKind, TaskError};

use hold::hold;
use watchdog::watchdog;

const LONG: Duration = Duration::from_secs(600);
const SHORT: Duration = Duration::from_millis(20);

type Log = Arc<Mutex<Vec<u32>>>;

fn note(guard: &Guard, log: &Log, number: u32) {
    let log = log.clone();
    guard.launch(move || log.lock().unwrap().push(number)).unwrap();
}

#[test]
fn tasks_queued_before_the_gate_opens_run_first_and_in_order() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(100);
    let guard = dispatcher.guard();
    let log = Log::default();
    (0..100).for_each(|number| note(&guard, &log, number));
    assert!(log.lock().unwrap().is_empty(), "nothing runs before the gate opens");
    assert_eq!(guard.stats().queued, 100);
    assert_eq!(guard.flush_init(), Ok(0));
    (100..200).for_each(|number| note(&guard, &log, number));
    assert_eq!(guard.block_on_queue(), Ok(()));
    assert_eq!(*log.lock().unwrap(), (0..200).collect::<Vec<_>>());
    let report = guard.shutdown().unwrap();
    assert_eq!((report.run, report.dropped, report.left), (200, 0, 0));
    assert!(!report.running && !report.timed_out);
}

#[test]
fn a_second_flush_init_is_told_so_after_the_first_has_finished() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(10);
    let guard = dispatcher.guard();
    assert_eq!(guard.flush_init(), Ok(0));
    assert_eq!(guard.flush_init(), Err(DispatchError::AlreadyFlushed));
    assert_eq!(guard.open(), Err(DispatchError::AlreadyFlushed));
}

#[test]
fn racing_callers_of_flush_init_all_wait_for_what_was_queued() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(10);
    let guard = dispatcher.guard();
    let (release, released) = mpsc::channel::<()>();
    let (finish, finished) = mpsc::channel();
    guard
        .launch(move || {
            let _ = released.recv();
            finish.send(()).unwrap();
        })
        .unwrap();
    let (done, all_done) = mpsc::channel();
    let threads: Vec<_> = (0..3)
        .map(|_| {
            let (guard, done) = (guard.clone(), done.clone());
            thread::spawn(move || done.send(guard.flush_init()).unwrap())
        })
        .collect();
    assert!(all_done.recv_timeout(SHORT).is_err(), "nobody returns before the queue has run");
    drop(release);
    finished.recv().unwrap();
    drop(done);
    let mut results: Vec<_> = all_done.iter().collect();
    results.sort_by_key(Result::is_err);
    let already = Err(DispatchError::AlreadyFlushed);
    assert_eq!(results, [Ok(0), already, already]);
    threads.into_iter().for_each(|it| it.join().unwrap());
}

#[test]
fn flush_init_after_open_waits_and_succeeds_once() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(10);
    let guard = dispatcher.guard();
    let log = Log::default();
    note(&guard, &log, 1);
    assert_eq!(guard.open(), Ok(()));
    assert_eq!(guard.open(), Err(DispatchError::AlreadyFlushed));
    assert_eq!(guard.flush_init(), Ok(0));
    assert_eq!(*log.lock().unwrap(), [1]);
    assert_eq!(guard.flush_init(), Err(DispatchError::AlreadyFlushed));
}

#[test]
fn flush_init_says_how_many_launches_were_turned_away_so_far() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(3);
    let guard = dispatcher.guard();
    let kinds: Vec<_> = (0..5).map(|_| guard.launch(|| ()).map_err(|it| it.kind())).collect();
    let full = Err(LaunchErrorKind::Full);
    assert_eq!(kinds, [Ok(()), Ok(()), Ok(()), full, full]);
    assert_eq!(guard.flush_init(), Ok(2));
    assert_eq!(guard.stats().turned_away, 2);
}

#[test]
fn waits_before_the_gate_opens_wait_for_the_gate() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(1);
    let guard = dispatcher.guard();
    guard.launch(|| ()).unwrap();
    assert_eq!(guard.block_on_queue_timeout(SHORT), Err(DispatchError::TimedOut));
    let flush = guard.flush();
    let other = guard.clone();
    let waiting = thread::spawn(move || other.block_on_queue());
    assert_eq!(guard.flush_init_timeout(LONG), Ok(0));
    assert_eq!(waiting.join().unwrap(), Ok(()));
    assert_eq!(futures_lite::future::block_on(flush), Ok(()));
}

#[test]
fn shutdown_before_the_gate_opens_runs_what_was_queued() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(10);
    let guard = dispatcher.guard();
    let log = Log::default();
    (0..5).for_each(|number| note(&guard, &log, number));
    let report = guard.shutdown().unwrap();
    assert_eq!((report.run, report.left, report.timed_out), (5, 0, false));
    assert_eq!(log.lock().unwrap().len(), 5);
    assert_eq!(guard.flush_init(), Err(DispatchError::Closed));
    assert_eq!(guard.open(), Err(DispatchError::Closed));
}

#[test]
fn after_a_shutdown_each_verb_says_closed_and_waits_still_succeed() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(10);
    let guard = dispatcher.guard();
    guard.launch(|| ()).unwrap();
    guard.shutdown().unwrap();
    assert_eq!(guard.shutdown(), Err(DispatchError::Closed));
    assert_eq!(guard.kill(), Err(DispatchError::Closed));
    assert_eq!(guard.block_on_queue(), Ok(()));
    assert_eq!(futures_lite::future::block_on(guard.flush()), Ok(()));
    let refused = guard.launch(|| panic!("never")).unwrap_err();
    assert_eq!(refused.kind(), LaunchErrorKind::Closed);
    let refused = guard.launch_with_handle(|| 7).unwrap_err();
    assert_eq!((refused.kind(), refused.into_inner()()), (LaunchErrorKind::Closed, 7));
}

#[test]
fn kill_before_the_gate_opens_drops_everything_and_counts_it() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(100);
    let guard = dispatcher.guard();
    let alive = Arc::new(());
    let handle = guard.launch_with_handle(|| 1).unwrap();
    for _ in 0..40 {
        let alive = alive.clone();
        guard.launch(move || panic!("{alive:?} runs")).unwrap();
    }
    let flush = guard.flush();
    assert_eq!(guard.kill(), Ok(41));
    assert_eq!(Arc::strong_count(&alive), 1, "every closure is gone when kill returns");
    assert!(matches!(handle.wait(), Err(TaskError::Killed)));
    assert_eq!(futures_lite::future::block_on(flush), Err(DispatchError::Killed));
    assert_eq!(guard.block_on_queue(), Err(DispatchError::Killed));
    assert_eq!(guard.kill(), Err(DispatchError::Killed));
    assert_eq!(guard.shutdown(), Err(DispatchError::Killed));
    assert_eq!(guard.flush_init(), Err(DispatchError::Killed));
    assert_eq!(guard.launch(|| ()).unwrap_err().kind(), LaunchErrorKind::Killed);
    let stats = guard.stats();
    assert_eq!((stats.run, stats.dropped, stats.queued), (0, 41, 0));
}

#[test]
fn kill_waits_for_the_task_that_runs_and_starts_no_other() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(100);
    let guard = dispatcher.guard();
    guard.open().unwrap();
    let release = hold(&guard);
    let before = guard.flush();
    for _ in 0..10 {
        guard.launch(|| panic!("never started")).unwrap();
    }
    let other = guard.clone();
    let killing = thread::spawn(move || other.kill());
    while guard.launch(|| ()).is_ok() {
        thread::yield_now();
    }
    assert!(!killing.is_finished());
    drop(release);
    let dropped = killing.join().unwrap().unwrap();
    assert!(dropped >= 10);
    let stats = guard.stats();
    assert_eq!((stats.run, stats.panicked, stats.dropped as usize), (1, 0, dropped));
    assert_eq!(futures_lite::future::block_on(before), Ok(()), "what it waits for has run");
}

#[test]
fn a_shutdown_that_runs_out_of_time_reports_and_may_be_repeated() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(1_000);
    let guard = dispatcher.guard();
    guard.open().unwrap();
    let release = hold(&guard);
    for _ in 0..100 {
        guard.launch(|| ()).unwrap();
    }
    let start = Instant::now();
    let report = guard.shutdown_timeout(SHORT).unwrap();
    assert!(start.elapsed() >= SHORT);
    assert!(report.timed_out && report.running);
    assert_eq!((report.run, report.dropped, report.left), (0, 0, 100));
    assert_eq!(guard.launch(|| ()).unwrap_err().kind(), LaunchErrorKind::Closed);
    drop(release);
    let report = guard.shutdown_timeout(LONG).unwrap();
    assert!(!report.timed_out && !report.running);
    assert_eq!((report.run, report.dropped, report.left), (101, 0, 0));
    assert_eq!(guard.shutdown(), Err(DispatchError::Closed));
}

#[test]
fn a_kill_may_follow_a_shutdown_that_ran_out_of_time() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(1_000);
    let guard = dispatcher.guard();
    guard.open().unwrap();
    let release = hold(&guard);
    for _ in 0..100 {
        guard.launch(|| panic!("never started")).unwrap();
    }
    assert!(guard.shutdown_timeout(Duration::ZERO).unwrap().timed_out);
    let other = guard.clone();
    let killing = thread::spawn(move || other.kill());
    while guard.launch(|| ()).unwrap_err().kind() != LaunchErrorKind::Killed {
        thread::yield_now();
    }
    drop(release);
    assert_eq!(killing.join().unwrap(), Ok(100));
}

#[test]
fn the_loser_of_two_closing_verbs_waits_for_the_winner() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(10);
    let guard = dispatcher.guard();
    guard.open().unwrap();
    let release = hold(&guard);
    let (done, all_done) = mpsc::channel();
    for _ in 0..2 {
        let (guard, done) = (guard.clone(), done.clone());
        thread::spawn(move || done.send(guard.shutdown().map(|it| it.run)).unwrap());
    }
    assert!(all_done.recv_timeout(SHORT).is_err());
    drop((release, done));
    let mut results: Vec<_> = all_done.iter().collect();
    results.sort_by_key(Result::is_err);
    assert_eq!(results, [Ok(1), Err(DispatchError::Closed)]);
}

#[test]
fn an_idle_shutdown_returns_long_before_its_deadline() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(10);
    let guard = dispatcher.guard();
    guard.open().unwrap();
    assert!(!guard.shutdown_timeout(LONG).unwrap().timed_out);
}

#[test]
fn no_verb_waits_on_the_worker_and_none_changes_anything_there() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(10);
    let guard = dispatcher.guard();
    assert!(!guard.is_worker_thread());
    guard.open().unwrap();
    let inner = guard.clone();
    let check = move || {
        let deadlock = DispatchError::WouldDeadlock;
        assert!(inner.is_worker_thread());
        assert_eq!(inner.block_on_queue(), Err(deadlock));
        assert_eq!(inner.block_on_queue_timeout(SHORT), Err(deadlock));
        assert_eq!(inner.shutdown(), Err(deadlock));
        assert_eq!(inner.shutdown_timeout(SHORT), Err(deadlock));
        assert_eq!(inner.kill(), Err(deadlock));
        assert_eq!(inner.flush_init(), Err(DispatchError::AlreadyFlushed));
        let mut later = inner.launch_with_handle(|| 5).unwrap();
        assert!(matches!(later.wait_timeout(SHORT), Ok(Err(TaskError::WouldDeadlock))));
        let lost = inner.launch_with_handle(|| 6).unwrap();
        assert!(matches!(lost.wait(), Err(TaskError::WouldDeadlock)));
        later
    };
    let later = guard.launch_with_handle(check).unwrap().wait().unwrap();
    assert_eq!(later.wait().unwrap(), 5, "the handle stays good");
    guard.launch(|| ()).unwrap();
    assert_eq!(guard.shutdown().unwrap().run, 4);
}

#[test]
fn a_worker_may_wait_for_another_dispatcher() {
    let _watchdog = watchdog();
    let first = Dispatcher::new(10);
    let second = Dispatcher::new(10);
    let (guard, other) = (first.guard(), second.guard());
    guard.open().unwrap();
    other.open().unwrap();
    let inner = other.clone();
    let chained = move || {
        assert!(!inner.is_worker_thread());
        inner.launch_with_handle(|| 8).unwrap().wait().unwrap() + inner.shutdown().unwrap().run
    };
    assert_eq!(guard.launch_with_handle(chained).unwrap().wait().unwrap(), 9);
}
