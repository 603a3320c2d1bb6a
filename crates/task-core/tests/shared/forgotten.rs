//! Drivers that are never dropped: forgotten ones, and those below a `process::exit`.

use std::future::{Future, pending, poll_fn};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::task::{Context, Poll, Wake, Waker};
use std::thread;

use crate::child::{in_child, text};
use crate::subject::{Executor, Spawner};
use crate::watchdog::watchdog;

/// The waker of a driver's caller: counts its end, and may hold the executor's spawner.
struct Caller {
    _spawner: Option<Spawner>,
    dropped: Arc<AtomicUsize>,
    panics_in_drop: bool,
}

impl Wake for Caller {
    fn wake(self: Arc<Self>) {}
}

impl Drop for Caller {
    fn drop(&mut self) {
        self.dropped.fetch_add(1, Ordering::Relaxed);
        assert!(!self.panics_in_drop, "a caller's waker panics in its destructor");
    }
}

/// Lets a driver go to sleep and forgets it.
fn sleep_and_forget(ex: &Executor<'_>, caller: Caller) {
    let waker = Waker::from(Arc::new(caller));
    let mut run: std::pin::Pin<Box<dyn Future<Output = ()> + '_>> = Box::pin(ex.run(pending()));
    assert!(run.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    mem::forget(run);
}

#[test]
fn the_callers_waker_of_a_forgotten_driver_goes_with_the_executor() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let ex = Executor::new();
    let spawner = Some(ex.spawner());
    sleep_and_forget(
        &ex,
        Caller { _spawner: spawner, dropped: dropped.clone(), panics_in_drop: false },
    );
    drop(ex);
    assert_eq!(dropped.load(Ordering::Relaxed), 1, "the waker and the scheduler hold each other");
}

#[test]
fn the_callers_waker_of_a_forgotten_driver_is_not_dropped_by_a_tasks_last_waker() {
    let test =
        "forgotten::the_callers_waker_of_a_forgotten_driver_is_not_dropped_by_a_tasks_last_waker";
    let child = in_child(test, || {
        let dropped = Arc::new(AtomicUsize::new(0));
        let ex = Executor::new();
        let (send, receive) = channel();
        ex.spawn(poll_fn(move |cx| {
            send.send(cx.waker().clone()).unwrap();
            Poll::Ready(())
        }))
        .detach();
        assert!(ex.try_tick());
        sleep_and_forget(&ex, Caller { _spawner: None, dropped, panics_in_drop: true });
        let waker = receive.recv().unwrap();
        drop(ex);
        thread::spawn(move || drop(waker)).join().unwrap();
    });
    assert!(child.status.success(), "{}", text(&child));
}

thread_local! {
    static EX: Executor<'static> = const { Executor::new() };
}

#[test]
fn a_task_of_a_thread_local_executor_may_exit_the_process() {
    let _watchdog = watchdog();
    let child =
        in_child("forgotten::a_task_of_a_thread_local_executor_may_exit_the_process", || {
            let thread = thread::spawn(|| {
                EX.with(|ex| {
                    let task = ex.spawn(async { std::process::exit(7) });
                    ex.block_on(task)
                })
            });
            thread.join().unwrap();
        });
    assert_eq!(child.status.code(), Some(7), "{}", text(&child));
}
