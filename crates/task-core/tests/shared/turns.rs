//! How much is done before a caller gets its turn, with drivers inside drivers and under a flood.

use std::future::{Future, pending, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::thread;

use futures_lite::future::yield_now;

use crate::subject::{Cell, Executor, Shared};
use crate::watchdog::watchdog;

/// Counts its polls and wakes itself for ever.
fn busy(polls: &Shared<Cell<u32>>) -> impl Future<Output = ()> + use<> {
    let polls = polls.clone();
    poll_fn(move |cx| {
        polls.set(polls.get() + 1);
        cx.waker().wake_by_ref();
        Poll::Pending
    })
}

#[test]
fn drivers_nested_in_a_main_future_share_the_turn_of_the_outermost() {
    let _watchdog = watchdog();
    let ex = Executor::new().leak();
    let polls = Shared::new(Cell::new(0));
    ex.spawn(busy(&polls)).detach();
    let mut driver: Pin<Box<dyn Future<Output = ()>>> = Box::pin(pending());
    for _ in 0..8 {
        driver = Box::pin(ex.run(driver));
    }
    assert!(driver.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    assert!((150..=200).contains(&polls.get()), "{} polls in one turn", polls.get());
}

#[test]
fn drivers_that_are_tasks_share_the_turn_of_their_driver() {
    let _watchdog = watchdog();
    let ex = Executor::new().leak();
    let polls = Shared::new(Cell::new(0));
    ex.spawn(busy(&polls)).detach();
    for _ in 0..8 {
        ex.spawn(ex.run(pending::<()>())).detach();
    }
    let mut driver = pin!(ex.run(pending::<()>()));
    assert!(driver.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    assert!(polls.get() <= 200, "{} polls in one turn", polls.get());
    ex.block_on(async {
        for _ in 0..100 {
            yield_now().await;
        }
    });
}

#[test]
fn a_nested_driver_gets_on_when_the_turn_is_used_up() {
    let _watchdog = watchdog();
    let ex = Executor::new().leak();
    let polls = Shared::new(Cell::new(0));
    ex.spawn(busy(&polls)).detach();
    let task = ex.spawn(async {
        // Neither knows of the other: the inner driver is polled by a stranger's `block_on`.
        futures_lite::future::block_on(ex.run(async {
            for _ in 0..1_000 {
                yield_now().await;
            }
        }));
        ex.block_on(async {
            for _ in 0..1_000 {
                yield_now().await;
            }
        });
    });
    ex.block_on(task);
}

#[test]
fn a_flood_from_another_thread_leaves_local_tasks_their_share() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let (polls, ran) = (Shared::new(Cell::new(0)), 10_000);
    let spawner = ex.spawner();
    let flood = thread::spawn(move || {
        (0..ran).map(|_| spawner.spawn(async {}).unwrap()).collect::<Vec<_>>()
    });
    let tasks = flood.join().unwrap();
    ex.block_on(async {
        ex.spawn(busy(&polls)).detach();
        for task in tasks {
            task.await;
        }
    });
    assert!(polls.get() > ran / 40, "{} polls beside {ran} tasks", polls.get());
}

#[test]
fn a_flood_leaves_local_tasks_their_share_of_single_ticks_too() {
    let ex = Executor::new();
    let polls = Shared::new(Cell::new(0));
    ex.spawn(busy(&polls)).detach();
    let spawner = ex.spawner();
    thread::spawn(move || (0..1_000).for_each(|_| spawner.spawn(async {}).unwrap().detach()))
        .join()
        .unwrap();
    for _ in 0..1_000 {
        assert!(ex.try_tick());
    }
    assert!(polls.get() >= 8, "{} polls among 1000 ticks", polls.get());
}

#[test]
fn a_driver_looks_for_no_free_main_slot_behind_thousands_of_kept_wakers() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let mut kept = Vec::new();
    for _ in 0..50_000 {
        let mut driver = pin!(ex.run(poll_fn(|cx| {
            kept.push(cx.waker().clone());
            Poll::<()>::Pending
        })));
        assert!(driver.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    drop(kept);
    assert_eq!(ex.block_on(async { 7 }), 7);
}
