//! Drivers inside tasks: every one of them finds every task, and is woken for it.

use std::future::pending;
use std::thread;

use futures_lite::future::yield_now;

use crate::by_hand::ByHand;
use crate::subject::{Executor, RefCell, Shared, StaticExecutor};
use crate::watchdog::watchdog;

#[test]
fn an_executor_may_run_inside_a_task_of_another() {
    let _watchdog = watchdog();
    let outer = Executor::new();
    let sum = outer.block_on(outer.spawn(async {
        let inner = Executor::new();
        let a = inner.spawn(async {
            yield_now().await;
            1
        });
        let b = inner.run(async { a.await + 1 }).await;
        let c = inner.spawn(async { 40 });
        b + inner.block_on(c)
    }));
    assert_eq!(sum, 42);
}

// A driver nested in a task, whose outer sibling sleeps and so is woken in vain.
#[test]
fn a_nested_driver_is_woken_while_an_outer_sibling_sleeps() {
    let _watchdog = watchdog();
    let (go, gone) = async_channel::bounded::<()>(1);
    let (send, receive) = async_channel::bounded(1);
    let ex = Executor::new().leak();
    let mut sibling = ByHand::new(ex.run(pending()));
    assert!(sibling.poll().is_pending());
    let mut tick = ByHand::new(ex.tick());
    assert!(tick.poll().is_pending());
    let echo = ex.spawn(async move { receive.recv().await.unwrap() + 1 });
    let sender = thread::spawn(move || {
        gone.recv_blocking().unwrap();
        send.send_blocking(41).unwrap();
    });
    let answer = ex.block_on(ex.spawn(async move {
        ex.block_on(async {
            go.try_send(()).unwrap();
            echo.await
        })
    }));
    assert_eq!(answer, 42);
    sender.join().unwrap();
    assert!(sibling.wakes() > 0);
}

// E12: nested drivers that deadlock with one thread, or leave the outer driver's tasks out of reach.
#[test]
fn drivers_nest_a_hundred_deep() {
    fn descend(ex: &'static StaticExecutor, depth: usize) -> usize {
        let beside = ex.spawn(async {
            yield_now().await;
            1
        });
        let below = ex.spawn(async move { if depth == 0 { 0 } else { descend(ex, depth - 1) } });
        ex.block_on(async { beside.await + below.await })
    }
    let _watchdog = watchdog();
    let ex = Executor::new().leak();
    let depth = if cfg!(miri) { 10 } else { 100 };
    assert_eq!(descend(ex, depth), depth + 1);
    assert!(ex.is_empty());
}

#[test]
fn a_nested_driver_runs_what_is_queued_behind_its_task() {
    let _watchdog = watchdog();
    let ex = Executor::new().leak();
    let log = Shared::new(RefCell::new(Vec::new()));
    let push = |what| {
        let log = log.clone();
        move || log.borrow_mut().push(what)
    };
    ex.block_on(async {
        let (behind, waits) = (push("behind"), push("waits"));
        let waits = ex.spawn(async move {
            let behind = ex.spawn(async move { behind() });
            ex.block_on(behind);
            waits();
        });
        let queued = push("queued");
        let queued = ex.spawn(async move { queued() });
        waits.await;
        queued.await;
    });
    assert_eq!(*log.borrow(), ["queued", "behind", "waits"]);
}

// A nested driver that is dropped half-way: a timeout around it, or a panic through it.
#[test]
fn what_a_nested_driver_leaves_is_found_by_the_outer_one() {
    let _watchdog = watchdog();
    let ex = Executor::new().leak();
    let log = Shared::new(RefCell::new(Vec::new()));
    let outer = ex.spawn({
        let log = log.clone();
        async move {
            for i in 0..10 {
                let log = log.clone();
                ex.spawn(async move {
                    yield_now().await;
                    log.borrow_mut().push(i);
                })
                .detach();
            }
            let mut nested = ByHand::new(ex.run(pending()));
            assert!(nested.poll().is_pending());
            ex.spawn(async move { log.borrow_mut().push(10) }).detach();
            assert_eq!(nested.wakes(), 1);
            nested.cancel();
        }
    });
    ex.block_on(outer);
    while ex.try_tick() {}
    assert_eq!(*log.borrow(), (0..=10).collect::<Vec<_>>());
    assert!(ex.is_empty());
}
