//! Panics of tasks, of what they leave behind, of hooks and of wakers.

#[path = "support/hold.rs"]
mod hold;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::any::Any;
use std::panic::panic_any;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};
use std::thread;

use selvedge_dispatcher::{Dispatcher, Guard, Overflow, TaskError};

use hold::hold;
use watchdog::watchdog;

type Seen = Arc<Mutex<Vec<String>>>;

/// A dispatcher that notes the payloads of panics.
fn watched() -> (Dispatcher, Guard, Seen) {
    let seen = Seen::default();
    let log = seen.clone();
    let hook = move |payload: &(dyn Any + Send)| {
        let text = payload.downcast_ref::<&str>().copied().unwrap_or("something else");
        log.lock().unwrap().push(text.to_owned());
    };
    let dispatcher = Dispatcher::builder().on_panic(hook).build().unwrap();
    let guard = dispatcher.guard();
    guard.open().unwrap();
    (dispatcher, guard, seen)
}

/// Panics when dropped.
struct Bomb(&'static str);

impl Drop for Bomb {
    fn drop(&mut self) {
        panic_any(self.0);
    }
}

#[test]
fn the_tasks_around_one_that_panics_run_and_its_handle_gets_the_payload() {
    let _watchdog = watchdog();
    let (_dispatcher, guard, seen) = watched();
    let first = guard.launch_with_handle(|| 1).unwrap();
    let second = guard.launch_with_handle(|| -> u8 { panic_any("second") }).unwrap();
    let third = guard.launch_with_handle(|| 3).unwrap();
    assert_eq!(first.wait().unwrap(), 1);
    let Err(TaskError::Panicked(payload)) = second.wait() else { panic!("it panicked") };
    assert_eq!(payload.message(), Some("second"));
    assert_eq!(*payload.into_inner().downcast::<&str>().unwrap(), "second");
    assert_eq!(third.wait().unwrap(), 3);
    guard.launch(|| panic_any("plain")).unwrap();
    guard.block_on_queue().unwrap();
    assert_eq!(*seen.lock().unwrap(), ["second", "plain"]);
    let stats = guard.stats();
    assert_eq!((stats.run, stats.panicked), (4, 2));
}

#[test]
fn panics_in_the_drop_of_captures_and_of_unwanted_outputs_are_reported() {
    let _watchdog = watchdog();
    let (_dispatcher, guard, seen) = watched();
    let capture = Bomb("capture");
    guard.launch(move || drop(capture)).unwrap();
    let capture = Bomb("capture of a task with a handle");
    let handle = guard.launch_with_handle(move || _ = &capture).unwrap();
    assert!(matches!(handle.wait(), Err(TaskError::Panicked(_))));
    let release = hold(&guard);
    drop(guard.launch_with_handle(|| Bomb("output")).unwrap());
    let capture = Bomb("capture of a cancelled task");
    assert!(guard.launch_with_handle(move || _ = &capture).unwrap().cancel());
    drop(release);
    assert_eq!(guard.launch_with_handle(|| 4).unwrap().wait().unwrap(), 4);
    let expected =
        ["capture", "capture of a task with a handle", "output", "capture of a cancelled task"];
    assert_eq!(*seen.lock().unwrap(), expected);
    let stats = guard.stats();
    assert_eq!((stats.run, stats.panicked), (5, 3), "the cancelled one did not run");
}

#[test]
fn panics_in_the_drop_of_captures_do_not_end_a_kill() {
    let _watchdog = watchdog();
    let (_dispatcher, guard, seen) = watched();
    let release = hold(&guard);
    for _ in 0..3 {
        let capture = Bomb("killed");
        guard.launch(move || _ = &capture).unwrap();
    }
    let capture = Bomb("killed");
    let handle = guard.launch_with_handle(move || _ = &capture).unwrap();
    let other = guard.clone();
    let killing = thread::spawn(move || other.kill());
    while guard.launch(|| ()).is_ok() {
        thread::yield_now();
    }
    drop(release);
    assert!(killing.join().unwrap().unwrap() >= 4);
    assert!(matches!(handle.wait(), Err(TaskError::Killed)));
    assert_eq!(seen.lock().unwrap().len(), 4);
    assert_eq!(guard.stats().panicked, 0, "none of them was run");
}

#[test]
fn the_panic_of_an_evicted_capture_stays_away_from_the_launch_that_evicts() {
    let _watchdog = watchdog();
    let builder = Dispatcher::builder().max_queue_size(1).overflow(Overflow::DropOldest);
    let dispatcher = builder.build().unwrap();
    let guard = dispatcher.guard();
    let capture = Bomb("evicted");
    let victim = guard.launch_with_handle(move || _ = &capture).unwrap();
    guard.launch(|| ()).unwrap();
    assert!(matches!(victim.wait(), Err(TaskError::Evicted)));
    assert_eq!(guard.shutdown().unwrap().run, 1);
}

#[test]
fn a_hook_that_panics_harms_nobody() {
    let _watchdog = watchdog();
    let builder = Dispatcher::builder().on_panic(|_| panic_any(Bomb("payload of the hook")));
    let dispatcher = builder.build().unwrap();
    let guard = dispatcher.guard();
    guard.open().unwrap();
    guard.launch(|| panic_any(Bomb("payload of the task"))).unwrap();
    let handle = guard.launch_with_handle(|| -> u8 { panic_any("second") }).unwrap();
    assert!(matches!(handle.wait(), Err(TaskError::Panicked(_))));
    assert_eq!(guard.launch_with_handle(|| 3).unwrap().wait().unwrap(), 3);
    assert_eq!(guard.stats().panicked, 2);
}

/// A waker that panics in each of its methods.
#[derive(Default)]
struct Hostile(AtomicUsize);

impl Wake for Hostile {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
        panic_any("a waker");
    }
}

#[test]
fn wakers_that_panic_keep_nobody_else_waiting() {
    let _watchdog = watchdog();
    let (_dispatcher, guard, _seen) = watched();
    let release = hold(&guard);
    let hostile = Arc::new(Hostile::default());
    let waker = Waker::from(hostile.clone());
    let mut flush = Box::pin(guard.flush());
    assert!(flush.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    let mut handle = Box::pin(guard.launch_with_handle(|| 5).unwrap());
    assert!(handle.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    let other = guard.clone();
    let waiting = thread::spawn(move || other.block_on_queue());
    drop(release);
    waiting.join().unwrap().unwrap();
    guard.block_on_queue().unwrap();
    assert_eq!(hostile.0.load(Ordering::SeqCst), 2);
    assert_eq!(futures_lite::future::block_on(handle).unwrap(), 5);
    assert_eq!(guard.shutdown().unwrap().run, 2);
}

#[test]
fn a_hundred_thousand_launches_after_a_panic_run() {
    let _watchdog = watchdog();
    let (_dispatcher, guard, _seen) = watched();
    guard.launch(|| panic_any("first")).unwrap();
    for _ in 0..100_000 {
        guard.launch(|| ()).unwrap();
    }
    assert_eq!(guard.shutdown().unwrap().run, 100_001);
}
