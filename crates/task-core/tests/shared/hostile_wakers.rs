//! Callers whose wakers panic: in wake, in drop, in clone.

use std::future::{Future, pending};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::task::{Context, Waker};
use std::thread;

use futures_lite::future::yield_now;

use crate::child::{in_child, text};
use crate::counting_waker::CountingWaker;
use crate::hostile::{Hostile, panics, panics_in_clone, still_works};
use crate::subject::Executor;
use crate::watchdog::watchdog;

#[test]
fn a_waker_that_panics_when_woken_disturbs_neither_the_waking_thread_nor_other_drivers() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let (send, receive) = async_channel::unbounded();
    ex.spawn(async move { while receive.recv().await.is_ok() {} }).detach();
    for hostile in [Hostile::panics_in_wake as fn() -> Waker, Hostile::panics_in_drop] {
        let (caller, good) = CountingWaker::new();
        let mut first = pin!(ex.run(pending::<()>()));
        let mut second = pin!(ex.run(pending::<()>()));
        for round in 1..=2 {
            let bad = hostile();
            assert!(first.as_mut().poll(&mut Context::from_waker(&bad)).is_pending());
            let _ = catch_unwind(AssertUnwindSafe(|| drop(bad)));
            assert!(second.as_mut().poll(&mut Context::from_waker(&good)).is_pending());
            let send = send.clone();
            if round == 1 {
                send.try_send(()).expect("a wake never panics");
            } else {
                let elsewhere = thread::spawn(move || send.try_send(()).unwrap());
                elsewhere.join().expect("a wake never panics");
            }
            assert_eq!(caller.wakes(), round);
        }
    }
    still_works(&ex);
}

#[test]
fn a_waker_that_panics_when_a_busy_run_asks_for_a_turn_leaves_the_executor_usable() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let busy = ex.spawn(async {
        loop {
            yield_now().await
        }
    });
    let mut run: Pin<Box<dyn Future<Output = ()> + '_>> = Box::pin(ex.run(pending()));
    let bad = Hostile::panics_in_wake();
    for _ in 0..2 {
        assert_eq!(panics(|| run.as_mut().poll(&mut Context::from_waker(&bad))), "woken");
    }
    assert!(run.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    drop((run, busy));
    still_works(&ex);
}

#[test]
fn a_waker_that_panics_when_cloned_leaves_the_executor_usable() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let waits = ex.spawn(pending::<()>());
    let (caller, good) = CountingWaker::new();
    let bad = panics_in_clone();
    let mut run = pin!(ex.run(pending::<()>()));
    let mut tick = pin!(ex.tick());
    for round in 1..=3 {
        assert_eq!(panics(|| run.as_mut().poll(&mut Context::from_waker(&bad))), "cloned");
        assert_eq!(panics(|| tick.as_mut().poll(&mut Context::from_waker(&bad))), "cloned");
        assert!(run.as_mut().poll(&mut Context::from_waker(&good)).is_pending());
        ex.spawn(async {}).detach();
        assert_eq!(caller.wakes(), round);
        assert!(ex.try_tick());
    }
    drop(waits);
    still_works(&ex);
}

// What async-task answers with an abort is documented, and so is tested in a process of its own.
#[test]
#[cfg_attr(miri, ignore = "starts a process")]
fn an_awaiter_whose_waker_panics_ends_the_process() {
    let child = in_child("hostile_wakers::an_awaiter_whose_waker_panics_ends_the_process", || {
        let ex = Executor::new();
        let mut task = ex.spawn(yield_now());
        ex.try_tick();
        let hostile = Hostile::panics_in_wake();
        assert!(Pin::new(&mut task).poll(&mut Context::from_waker(&hostile)).is_pending());
        while ex.try_tick() {}
    });
    assert!(!child.status.success());
    assert!(!text(&child).contains("lived on"), "{}", text(&child));
}
