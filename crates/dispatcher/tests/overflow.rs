//! Bounds, exact to the task, and the policies.

#[path = "../../sync/tests/shared/counting_waker.rs"]
mod counting_waker;
#[path = "support/hold.rs"]
mod hold;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex, mpsc};
use std::task::Context;
use std::thread;
use std::time::Duration;

use selvedge_dispatcher::{Dispatcher, Guard, LaunchErrorKind, Overflow, TaskError};

use counting_waker::CountingWaker;
use hold::hold;
use watchdog::watchdog;

/// Launches `each` tasks from each of four threads at once; how many were accepted.
fn crowd(guard: &Guard, each: usize) -> usize {
    let (accepted, start) = (AtomicUsize::new(0), Barrier::new(4));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                start.wait();
                for _ in 0..each {
                    if guard.launch(|| ()).is_ok() {
                        accepted.fetch_add(1, Ordering::SeqCst);
                    }
                }
            });
        }
    });
    accepted.into_inner()
}

#[test]
fn four_producers_fill_a_shut_queue_to_the_task() {
    let _watchdog = watchdog();
    for round in 0..200 {
        let bound = round % 7;
        let dispatcher = Dispatcher::new(bound);
        let guard = dispatcher.guard();
        assert_eq!(crowd(&guard, 4), bound);
        let stats = guard.stats();
        assert_eq!((stats.queued, stats.turned_away), (bound as u64, 16 - bound as u64));
        assert_eq!(guard.flush_init(), Ok(16 - bound));
    }
}

#[test]
fn four_producers_fill_an_open_queue_to_the_task() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::builder().bound_once_open(5).build().unwrap();
    let guard = dispatcher.guard();
    guard.open().unwrap();
    for _ in 0..200 {
        let release = hold(&guard);
        assert_eq!(crowd(&guard, 4), 5, "the task that runs does not count");
        assert_eq!(guard.stats().queued, 5);
        drop(release);
        guard.block_on_queue().unwrap();
    }
    assert_eq!(guard.stats().turned_away, 200 * 11);
}

#[test]
fn a_full_queue_can_be_waited_for() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::builder().bound_once_open(1).build().unwrap();
    let guard = dispatcher.guard();
    guard.open().unwrap();
    let release = hold(&guard);
    guard.launch(|| ()).unwrap();
    let flush = guard.flush();
    assert_eq!(guard.launch(|| ()).unwrap_err().kind(), LaunchErrorKind::Full);
    drop(release);
    assert_eq!(futures_lite::future::block_on(flush), Ok(()));
    assert_eq!(guard.stats().run, 2);
}

#[test]
fn late_rejections_are_counted_too() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(0);
    let guard = dispatcher.guard();
    guard.launch(|| ()).unwrap_err();
    assert_eq!(guard.flush_init(), Ok(1));
    assert_eq!(guard.stats().turned_away, 1);
    guard.launch(|| ()).unwrap();
}

#[test]
fn under_drop_oldest_the_newest_tasks_run_in_order_and_the_victims_are_counted() {
    let _watchdog = watchdog();
    let builder = Dispatcher::builder().max_queue_size(8).overflow(Overflow::DropOldest);
    let dispatcher = builder.build().unwrap();
    let guard = dispatcher.guard();
    let log = Arc::new(Mutex::new(Vec::new()));
    let launch = |number| {
        let log = log.clone();
        guard.launch_with_handle(move || log.lock().unwrap().push(number)).unwrap()
    };
    let handles: Vec<_> = (0..100).map(launch).collect();
    assert_eq!((guard.stats().queued, guard.stats().evicted), (8, 92));
    assert_eq!(Arc::strong_count(&log), 9, "the closures of victims are gone");
    guard.flush_init().unwrap();
    assert_eq!(*log.lock().unwrap(), (92..100).collect::<Vec<_>>());
    for (number, handle) in handles.into_iter().enumerate() {
        match handle.wait() {
            Ok(()) => assert!(number >= 92),
            Err(error) => assert!(matches!(error, TaskError::Evicted) && number < 92),
        }
    }
    assert_eq!(guard.shutdown().unwrap().run, 8);
}

#[test]
fn evictions_beside_a_running_worker_lose_nothing_that_is_not_counted() {
    let _watchdog = watchdog();
    let builder = Dispatcher::builder().max_queue_size(3).bound_once_open(2);
    let dispatcher = builder.overflow(Overflow::DropOldest).build().unwrap();
    let guard = dispatcher.guard();
    let done = Arc::new(AtomicUsize::new(0));
    thread::scope(|scope| {
        for producer in 0..4 {
            let (guard, done) = (&guard, &done);
            scope.spawn(move || {
                for round in 0..5_000 {
                    let done = done.clone();
                    guard.launch(move || _ = done.fetch_add(1, Ordering::SeqCst)).unwrap();
                    if producer == 0 && round == 100 {
                        guard.open().unwrap();
                    }
                    assert!(guard.stats().queued <= 3);
                    if round % 64 == 0 && producer == 1 && round > 0 {
                        guard.block_on_queue_timeout(Duration::from_micros(1)).ok();
                    }
                }
            });
        }
    });
    let report = guard.shutdown().unwrap();
    assert_eq!(report.run + guard.stats().evicted, 20_000);
    assert_eq!(report.run, done.load(Ordering::SeqCst) as u64);
}

#[test]
fn waits_count_evicted_tasks_as_passed() {
    let _watchdog = watchdog();
    let builder = Dispatcher::builder().max_queue_size(2).overflow(Overflow::DropOldest);
    let dispatcher = builder.build().unwrap();
    let guard = dispatcher.guard();
    guard.launch(|| ()).unwrap();
    let flush = guard.flush();
    let other = guard.clone();
    let waiting = thread::spawn(move || futures_lite::future::block_on(flush));
    guard.launch(|| ()).unwrap();
    other.launch(|| ()).unwrap();
    assert_eq!(waiting.join().unwrap(), Ok(()), "the gate is still shut");
    assert_eq!(guard.stats().run, 0);
}

#[test]
fn a_cancelled_task_counts_in_the_bound_and_then_nowhere() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(1);
    let guard = dispatcher.guard();
    let alive = Arc::new(());
    let captured = alive.clone();
    let handle = guard.launch_with_handle(move || drop(captured)).unwrap();
    assert!(handle.cancel());
    assert_eq!(guard.launch(|| ()).unwrap_err().kind(), LaunchErrorKind::Full);
    assert_eq!(Arc::strong_count(&alive), 2);
    assert_eq!(guard.flush_init(), Ok(1));
    assert_eq!(Arc::strong_count(&alive), 1);
    let report = guard.shutdown().unwrap();
    assert_eq!((report.run, report.dropped, report.left), (0, 0, 0));
}

fn blocking(bound: usize) -> (Dispatcher, Guard) {
    let builder = Dispatcher::builder().max_queue_size(bound).bound_once_open(bound);
    let dispatcher = builder.overflow(Overflow::Block).build().unwrap();
    let guard = dispatcher.guard();
    (dispatcher, guard)
}

#[test]
fn under_block_launches_wait_for_room_and_all_tasks_run() {
    let _watchdog = watchdog();
    let (_dispatcher, guard) = blocking(2);
    guard.open().unwrap();
    assert_eq!(crowd(&guard, 2_000), 8_000);
    let stats = guard.stats();
    assert_eq!((stats.turned_away, stats.evicted), (0, 0));
    assert_eq!(guard.shutdown().unwrap().run, 8_000);
}

#[test]
fn a_blocked_launch_goes_on_when_a_task_starts_not_when_it_ends() {
    let _watchdog = watchdog();
    let (_dispatcher, guard) = blocking(1);
    guard.open().unwrap();
    let first = hold(&guard);
    let (release, released) = mpsc::channel::<()>();
    guard.launch(move || _ = released.recv()).unwrap();
    let other = guard.clone();
    let blocked = thread::spawn(move || other.launch(|| ()).is_ok());
    thread::sleep(Duration::from_millis(1));
    assert!(!blocked.is_finished());
    drop(first);
    assert!(blocked.join().unwrap(), "the second task runs, and holds the worker");
    drop(release);
    assert_eq!(guard.shutdown().unwrap().run, 3);
}

#[test]
fn block_acts_as_reject_before_the_gate_opens_and_on_the_worker() {
    let _watchdog = watchdog();
    let (_dispatcher, guard) = blocking(1);
    guard.launch(|| ()).unwrap();
    assert_eq!(guard.launch(|| ()).unwrap_err().kind(), LaunchErrorKind::Full);
    guard.flush_init().unwrap();
    let inner = guard.clone();
    let nested = move || {
        inner.launch(|| ()).unwrap();
        inner.launch(|| ()).unwrap_err().kind()
    };
    let handle = guard.launch_with_handle(nested).unwrap();
    assert_eq!(handle.wait().unwrap(), LaunchErrorKind::Full);
}

#[test]
fn shutdown_and_kill_give_blocked_launches_their_closure_back() {
    let _watchdog = watchdog();
    for kill in [false, true] {
        let (_dispatcher, guard) = blocking(1);
        guard.open().unwrap();
        let release = hold(&guard);
        guard.launch(|| ()).unwrap();
        let other = guard.clone();
        let blocked = thread::spawn(move || other.launch_with_handle(|| "mine").unwrap_err());
        let other = guard.clone();
        let closing = thread::spawn(move || match kill {
            true => assert_eq!(other.kill(), Ok(1)),
            false => assert_eq!(other.shutdown().unwrap().run, 2),
        });
        let refused = blocked.join().unwrap();
        let kind = if kill { LaunchErrorKind::Killed } else { LaunchErrorKind::Closed };
        assert_eq!((refused.kind(), refused.into_inner()()), (kind, "mine"));
        drop(release);
        closing.join().unwrap();
    }
}

/// Runs its body when dropped.
struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

#[test]
fn an_eviction_is_over_for_everybody_else_before_the_destructor_of_its_victim_runs() {
    let _watchdog = watchdog();
    let builder = Dispatcher::builder().max_queue_size(1).bound_once_open(1);
    let dispatcher = builder.overflow(Overflow::DropOldest).build().unwrap();
    let guard = dispatcher.guard();
    let (counter, waker) = CountingWaker::new();
    let (seen, sees) = mpsc::channel();
    let inner = guard.clone();
    let victim = OnDrop(move || {
        let woken = counter.wakes();
        let accepted = inner.stats().queued;
        inner.open().unwrap();
        // The newer task runs while this is still being dropped.
        inner.block_on_queue().unwrap();
        seen.send((woken, accepted, inner.stats().run)).unwrap();
    });
    guard.launch(move || _ = &victim).unwrap();
    let mut flush = guard.flush();
    assert!(Pin::new(&mut flush).poll(&mut Context::from_waker(&waker)).is_pending());
    guard.launch(|| ()).unwrap();
    assert_eq!(sees.recv().unwrap(), (1, 1, 1));
    assert_eq!(futures_lite::future::block_on(flush), Ok(()));
}
