//! Handles and waits as futures.

#[path = "../../sync/tests/shared/counting_waker.rs"]
mod counting_waker;
#[path = "support/hold.rs"]
mod hold;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use futures_lite::future::block_on;
use selvedge_dispatcher::{Dispatcher, Guard, TimedOut};

use counting_waker::CountingWaker;
use hold::hold;
use watchdog::watchdog;

fn opened() -> (Dispatcher, Guard) {
    let dispatcher = Dispatcher::new(10);
    let guard = dispatcher.guard();
    guard.open().unwrap();
    (dispatcher, guard)
}

#[test]
fn a_handle_that_timed_out_is_as_good_as_before() {
    let _watchdog = watchdog();
    let (_dispatcher, guard) = opened();
    let release = hold(&guard);
    let mut handle = guard.launch_with_handle(|| 7).unwrap();
    assert!(matches!(handle.wait_timeout(Duration::from_millis(5)), Err(TimedOut)));
    assert!(matches!(handle.wait_timeout(Duration::ZERO), Err(TimedOut)));
    assert!(!handle.is_finished());
    drop(release);
    assert_eq!(handle.wait_timeout(Duration::MAX).unwrap().unwrap(), 7);
    assert!(handle.is_finished());
    let again = catch_unwind(AssertUnwindSafe(|| handle.wait_timeout(Duration::ZERO)));
    assert!(again.is_err(), "the output was taken");
}

#[test]
fn dropping_a_handle_detaches_its_task() {
    let _watchdog = watchdog();
    let (_dispatcher, guard) = opened();
    let runs = Arc::new(AtomicUsize::new(0));
    let release = hold(&guard);
    let counted = runs.clone();
    drop(guard.launch_with_handle(move || counted.fetch_add(1, Ordering::SeqCst)).unwrap());
    drop(release);
    guard.block_on_queue().unwrap();
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

#[test]
fn an_output_that_nobody_takes_is_dropped() {
    let _watchdog = watchdog();
    let (_dispatcher, guard) = opened();
    let output = Arc::new(());
    let given = output.clone();
    let handle = guard.launch_with_handle(move || given).unwrap();
    guard.block_on_queue().unwrap();
    assert_eq!(Arc::strong_count(&output), 2);
    drop(handle);
    assert_eq!(Arc::strong_count(&output), 1);
}

#[test]
fn only_a_task_that_has_not_started_can_be_cancelled() {
    let _watchdog = watchdog();
    let (_dispatcher, guard) = opened();
    let release = hold(&guard);
    let waiting = guard.launch_with_handle(|| unreachable!("cancelled")).unwrap();
    assert!(waiting.cancel());
    let finished = guard.launch_with_handle(|| ()).unwrap();
    drop(release);
    guard.block_on_queue().unwrap();
    assert!(!finished.cancel());
}

#[test]
fn a_task_is_run_or_cancelled_and_never_both() {
    let _watchdog = watchdog();
    let (_dispatcher, guard) = opened();
    let runs = Arc::new(AtomicUsize::new(0));
    let mut cancelled = 0;
    for round in 0..2_000 {
        let counted = runs.clone();
        let task = move || _ = counted.fetch_add(1, Ordering::SeqCst);
        let handle = guard.launch_with_handle(task).unwrap();
        if round % 2 == 0 {
            thread::yield_now();
        }
        cancelled += usize::from(handle.cancel());
    }
    guard.block_on_queue().unwrap();
    assert_eq!(runs.load(Ordering::SeqCst) + cancelled, 2_000);
    assert_eq!(guard.stats().run as usize + cancelled, 2_000);
}

#[test]
fn the_waker_of_the_newest_poll_is_the_one_that_is_woken() {
    let _watchdog = watchdog();
    let (_dispatcher, guard) = opened();
    let (old, old_waker) = CountingWaker::new();
    let (new, new_waker) = CountingWaker::new();
    let release = hold(&guard);
    let mut handle = pin!(guard.launch_with_handle(|| 3).unwrap());
    let mut flush = pin!(guard.flush());
    for waker in [&old_waker, &new_waker] {
        let mut cx = Context::from_waker(waker);
        assert!(handle.as_mut().poll(&mut cx).is_pending());
        assert!(flush.as_mut().poll(&mut cx).is_pending());
    }
    drop(release);
    guard.block_on_queue().unwrap();
    let mut cx = Context::from_waker(Waker::noop());
    assert!(matches!(handle.as_mut().poll(&mut cx), Poll::Ready(Ok(3))));
    assert!(matches!(flush.as_mut().poll(&mut cx), Poll::Ready(Ok(()))));
    assert_eq!((old.wakes(), new.wakes()), (0, 2));
}

#[test]
fn dropping_a_flush_lets_its_waker_go() {
    let _watchdog = watchdog();
    let (_dispatcher, guard) = opened();
    let release = hold(&guard);
    guard.launch(|| ()).unwrap();
    let (counter, waker) = CountingWaker::new();
    let mut flush = Box::pin(guard.flush());
    assert!(flush.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    drop(waker);
    assert_eq!(Arc::strong_count(&counter), 2);
    drop(flush);
    assert_eq!(Arc::strong_count(&counter), 1);
    drop(release);
}

#[test]
fn a_flush_waits_for_what_was_launched_before_it_was_made_and_no_more() {
    let _watchdog = watchdog();
    let (_dispatcher, guard) = opened();
    let release = hold(&guard);
    let flush = guard.flush();
    drop(release);
    let later = hold(&guard);
    assert_eq!(block_on(flush), Ok(()), "although another task runs");
    drop(later);
}

#[test]
fn many_wait_for_one_queue_and_all_are_woken() {
    let _watchdog = watchdog();
    let (_dispatcher, guard) = opened();
    let release = hold(&guard);
    let waiting: Vec<_> = (0..8)
        .map(|number| {
            guard.launch(|| ()).unwrap();
            let guard = guard.clone();
            thread::spawn(move || match number % 2 {
                0 => guard.block_on_queue(),
                _ => block_on(guard.flush()),
            })
        })
        .collect();
    drop(release);
    waiting.into_iter().for_each(|it| assert_eq!(it.join().unwrap(), Ok(())));
}

#[test]
fn a_future_on_one_thread_may_be_awaited_while_the_worker_serves_it() {
    let _watchdog = watchdog();
    let (_dispatcher, guard) = opened();
    let sum = block_on(async {
        let mut sum = 0;
        for number in 0..100 {
            sum += guard.launch_with_handle(move || number).unwrap().await.unwrap();
            guard.flush().await.unwrap();
        }
        sum
    });
    assert_eq!(sum, 4_950);
}
