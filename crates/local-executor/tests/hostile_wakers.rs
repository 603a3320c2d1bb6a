//! Callers whose wakers panic: in wake, in drop, in clone.

#[path = "../../task-core/tests/shared/support/child.rs"]
mod child;
#[path = "../../task-core/tests/shared/support/counting_waker.rs"]
mod counting_waker;
#[path = "../../task-core/tests/shared/support/watchdog.rs"]
mod watchdog;

use std::future::{Future, pending};
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::pin::{Pin, pin};
use std::ptr;
use std::sync::Arc;
use std::task::{Context, RawWakerVTable, Wake, Waker};
use std::thread;

use futures_lite::future::yield_now;
use selvedge_local_executor::LocalExecutor;

use self::child::{in_child, text};
use self::counting_waker::CountingWaker;
use self::watchdog::watchdog;

/// Panics when it is woken, or when it is dropped.
struct Hostile {
    in_wake: bool,
    in_drop: bool,
}

impl Hostile {
    fn panics_in_wake() -> Waker {
        Waker::from(Arc::new(Self { in_wake: true, in_drop: false }))
    }

    fn panics_in_drop() -> Waker {
        Waker::from(Arc::new(Self { in_wake: false, in_drop: true }))
    }
}

impl Wake for Hostile {
    fn wake(self: Arc<Self>) {
        if self.in_wake {
            panic_any("woken");
        }
    }
}

impl Drop for Hostile {
    fn drop(&mut self) {
        if self.in_drop && !thread::panicking() {
            panic_any("dropped");
        }
    }
}

/// Panics when it is cloned.
fn panics_in_clone() -> Waker {
    static VTABLE: RawWakerVTable =
        RawWakerVTable::new(|_| panic_any("cloned"), |_| (), |_| (), |_| ());
    // SAFETY: the functions take no notice of the data, and none of them owns anything.
    unsafe { Waker::new(ptr::null(), &VTABLE) }
}

fn panics<T>(f: impl FnOnce() -> T) -> &'static str {
    let Err(payload) = catch_unwind(AssertUnwindSafe(f)) else { panic!("no panic") };
    payload.downcast_ref::<&'static str>().copied().expect("a static text")
}

fn still_works(ex: &LocalExecutor<'_>) {
    let spawner = ex.spawner();
    let afar = thread::spawn(move || spawner.spawn(yield_now()).unwrap());
    ex.block_on(async {
        ex.spawn(yield_now()).await;
        afar.join().unwrap().await;
    });
}

#[test]
fn a_waker_that_panics_when_woken_disturbs_neither_the_waking_thread_nor_other_drivers() {
    let _watchdog = watchdog();
    let ex = LocalExecutor::new();
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
    let ex = LocalExecutor::new();
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
    let ex = LocalExecutor::new();
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

#[test]
fn a_waker_that_panics_when_dropped_leaves_the_executor_usable() {
    let _watchdog = watchdog();
    let ex = LocalExecutor::new();
    let mut run: Pin<Box<dyn Future<Output = ()> + '_>> = Box::pin(ex.run(pending()));
    let mut sleep = || {
        let bad = Hostile::panics_in_drop();
        assert!(run.as_mut().poll(&mut Context::from_waker(&bad)).is_pending());
        drop(bad);
    };
    sleep();
    assert_eq!(panics(&mut sleep), "dropped", "the old waker goes at the next poll");
    sleep();
    assert_eq!(panics(|| drop(run)), "dropped");
    still_works(&ex);
}

// What async-task answers with an abort is documented, and so is tested in a process of its own.
#[test]
#[cfg_attr(miri, ignore = "starts a process")]
fn an_awaiter_whose_waker_panics_ends_the_process() {
    let child = in_child("an_awaiter_whose_waker_panics_ends_the_process", || {
        let ex = LocalExecutor::new();
        let mut task = ex.spawn(yield_now());
        ex.try_tick();
        let hostile = Hostile::panics_in_wake();
        assert!(Pin::new(&mut task).poll(&mut Context::from_waker(&hostile)).is_pending());
        while ex.try_tick() {}
    });
    assert!(!child.status.success());
    assert!(!text(&child).contains("lived on"), "{}", text(&child));
}
