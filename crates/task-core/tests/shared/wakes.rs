//! Wakes: from every thread, at any moment, and never more than a push to a queue.

use std::future::{pending, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread;

use futures_lite::future::yield_now;

use crate::counting_waker::CountingWaker;
use crate::dropped::Dropped;
use crate::gate::Gate;
use crate::subject::{Cell, Executor, RefCell, Shared};
use crate::watchdog::watchdog;

fn run_ready(ex: &Executor<'_>) {
    while ex.try_tick() {}
}

// E3: state that is not thread-safe behind a waker that is `Send`.
#[test]
fn a_task_that_another_thread_wakes_goes_on_where_it_is_driven() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let dropped = Dropped::new();
    let owner = thread::current().id();
    let (gate, guard) = (Gate::new(), dropped.guard());
    let task = ex.spawn({
        let gate = gate.clone();
        async move {
            let _guard = guard;
            let not_send = Shared::new(Cell::new(1));
            gate.wait().await;
            assert_eq!(thread::current().id(), owner);
            not_send.get()
        }
    });
    run_ready(&ex);
    gate.open();
    let waker = gate.waker();
    thread::spawn(move || waker.wake()).join().unwrap();
    assert_eq!(gate.polls(), 1, "a foreign wake polls nothing");
    assert_eq!(ex.block_on(task), 1);
    assert_eq!(gate.polls(), 2);
    assert_eq!(dropped.count(), 1);
}

#[test]
fn every_way_to_use_a_waker_elsewhere_is_harmless() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let gate = Gate::new();
    ex.spawn(gate.wait()).detach();
    run_ready(&ex);
    for round in 1..50 {
        let waker = gate.waker();
        thread::spawn(move || {
            let clone = waker.clone();
            waker.wake_by_ref();
            clone.wake();
            drop(waker.clone());
            assert!(waker.will_wake(&waker.clone()));
        })
        .join()
        .unwrap();
        run_ready(&ex);
        assert_eq!(gate.polls(), 1 + round, "several wakes before one poll are one");
    }
}

#[test]
fn a_task_is_polled_only_when_woken() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let gate = Gate::new();
    ex.spawn(gate.wait()).detach();
    ex.block_on(ex.spawn(async {
        for _ in 0..1000 {
            yield_now().await;
        }
    }));
    assert_eq!(gate.polls(), 1);
    for _ in 0..3 {
        gate.waker().wake_by_ref();
    }
    run_ready(&ex);
    assert_eq!(gate.polls(), 2);
    let waker = gate.waker();
    thread::spawn(move || (0..3).for_each(|_| waker.wake_by_ref())).join().unwrap();
    run_ready(&ex);
    assert_eq!(gate.polls(), 3);
}

#[test]
fn the_main_future_of_run_is_polled_only_when_woken() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let gate = Gate::new();
    let opener = ex.spawn({
        let gate = gate.clone();
        async move {
            for _ in 0..1000 {
                yield_now().await;
            }
            gate.open();
            gate.waker().wake();
        }
    });
    ex.block_on(gate.wait());
    assert_eq!(gate.polls(), 2, "not for each task");
    assert!(opener.is_finished());
}

#[test]
fn a_task_that_wakes_itself_during_its_poll_is_polled_again() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let mut polls = 0;
    let task = ex.spawn(poll_fn(move |cx| {
        polls += 1;
        cx.waker().wake_by_ref();
        let clone = cx.waker().clone();
        clone.wake();
        if polls == 10 { Poll::Ready(polls) } else { Poll::Pending }
    }));
    assert_eq!(ex.block_on(task), 10);
}

#[test]
fn a_task_woken_elsewhere_during_its_poll_is_polled_again() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let mut polls = 0;
    let task = ex.spawn(poll_fn(move |cx| {
        polls += 1;
        let waker = cx.waker().clone();
        thread::spawn(move || waker.wake()).join().unwrap();
        if polls == 10 { Poll::Ready(polls) } else { Poll::Pending }
    }));
    assert_eq!(ex.block_on(task), 10);
}

#[test]
fn the_main_future_may_be_woken_by_another_thread() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    for _ in 0..if cfg!(miri) { 20 } else { 2000 } {
        let written = Arc::new(AtomicUsize::new(0));
        let mut thread = None;
        ex.block_on(poll_fn(|cx| {
            if thread.is_none() {
                let (waker, written) = (cx.waker().clone(), written.clone());
                thread = Some(thread::spawn(move || {
                    written.store(7, Ordering::Relaxed);
                    waker.wake();
                }));
                return Poll::Pending;
            }
            assert_eq!(
                written.load(Ordering::Relaxed),
                7,
                "not woken, or not told what was written"
            );
            Poll::Ready(())
        }));
        thread.unwrap().join().unwrap();
    }
}

// E5: a full inbox that makes `wake` spin or panic.
#[test]
fn a_thread_may_wake_any_number_of_tasks_while_it_holds_what_they_need() {
    let _watchdog = watchdog();
    const TASKS: usize = 1000;
    let ex = Executor::new();
    let lock = Arc::new(Mutex::new(0));
    let gates: Vec<_> = (0..TASKS).map(|_| Gate::new()).collect();
    let tasks: Vec<_> = gates
        .iter()
        .map(|gate| {
            let (wait, lock) = (gate.wait(), lock.clone());
            ex.spawn(async move {
                wait.await;
                *lock.lock().unwrap() += 1;
            })
        })
        .collect();
    run_ready(&ex);
    gates.iter().for_each(|gate| gate.open());
    let wakers: Vec<_> = gates.iter().map(|gate| gate.waker()).collect();
    let waking = thread::spawn({
        let lock = lock.clone();
        move || {
            let _held = lock.lock().unwrap();
            wakers.into_iter().for_each(Waker::wake);
        }
    });
    ex.block_on(async {
        for task in tasks {
            task.await;
        }
    });
    waking.join().unwrap();
    assert_eq!(*lock.lock().unwrap(), TASKS);
}

// E6: a wake that polls on the caller's stack.
#[test]
fn wake_polls_nothing_on_the_callers_stack() {
    let _watchdog = watchdog();
    let (gate, cell) = (Gate::new(), RefCell::new(0));
    let ex = Executor::new();
    let task = ex.spawn(async {
        gate.wait().await;
        *cell.borrow_mut() += 1;
    });
    run_ready(&ex);
    gate.open();
    {
        let _held = cell.borrow_mut();
        gate.waker().wake();
    }
    ex.block_on(task);
    drop(ex);
    assert_eq!(cell.into_inner(), 1);
}

// E6: a cancel, a detach or a last waker that drops the future on the caller's stack.
#[test]
fn only_drivers_drop_futures() {
    let _watchdog = watchdog();
    struct Locks(Arc<Mutex<usize>>);
    impl Drop for Locks {
        fn drop(&mut self) {
            *self.0.try_lock().expect("dropped on the stack of the lock's holder") += 1;
        }
    }
    let ex = Executor::new();
    let lock = Arc::new(Mutex::new(0));
    let spawn = || {
        let (locks, gate) = (Locks(lock.clone()), Gate::new());
        let wait = gate.wait();
        let task = ex.spawn(async move {
            let _locks = locks;
            wait.await;
        });
        run_ready(&ex);
        (task, gate.waker())
    };
    let (cancelled, cancelled_waker) = spawn();
    let (elsewhere, elsewhere_waker) = spawn();
    {
        let held = lock.lock().unwrap();
        drop(cancelled);
        cancelled_waker.wake();
        thread::spawn(move || drop(elsewhere)).join().unwrap();
        thread::spawn(move || drop(elsewhere_waker)).join().unwrap();
        assert_eq!(*held, 0);
    }
    run_ready(&ex);
    assert_eq!(*lock.lock().unwrap(), 2);
    assert!(ex.is_empty());
}

// E1: state that is gone before the last waker.
#[test]
fn wakers_outlive_their_executor_and_do_nothing() {
    let _watchdog = watchdog();
    let gate = Gate::new();
    let main = RefCell::new(None);
    let dropped = Dropped::new();
    let ex = Executor::new();
    let (wait, guard) = (gate.wait(), dropped.guard());
    ex.spawn(async move {
        let _guard = guard;
        wait.await;
    })
    .detach();
    ex.block_on(poll_fn(|cx| {
        *main.borrow_mut() = Some(cx.waker().clone());
        Poll::Ready(())
    }));
    run_ready(&ex);
    drop(ex);
    assert_eq!(dropped.count(), 1);
    for waker in [gate.waker(), main.replace(None).unwrap()] {
        waker.wake_by_ref();
        let clone = waker.clone();
        clone.wake();
        thread::spawn(move || {
            waker.wake_by_ref();
            let clone = waker.clone();
            clone.wake();
            drop(waker);
        })
        .join()
        .unwrap();
    }
    assert_eq!(gate.polls(), 1);
    assert_eq!(dropped.count(), 1);
}

#[test]
fn a_stale_waker_of_a_main_future_wakes_no_later_one() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let stale = RefCell::new(None);
    ex.block_on(poll_fn(|cx| {
        *stale.borrow_mut() = Some(cx.waker().clone());
        Poll::Ready(())
    }));
    let stale = stale.into_inner().unwrap();
    let polls = Cell::new(0);
    let mut run = pin!(ex.run(poll_fn(|_| {
        polls.set(polls.get() + 1);
        Poll::<()>::Pending
    })));
    let (caller, waker) = CountingWaker::new();
    let mut cx = Context::from_waker(&waker);
    for _ in 0..3 {
        assert!(run.as_mut().poll(&mut cx).is_pending());
        stale.wake_by_ref();
        let stale = stale.clone();
        thread::spawn(move || stale.wake()).join().unwrap();
    }
    assert_eq!(polls.get(), 1);
    assert_eq!(caller.wakes(), 0);
}

#[test]
fn a_wake_outside_any_driver_reaches_the_sleeping_ones() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let gate = Gate::new();
    ex.spawn(gate.wait()).detach();
    let mut run = pin!(ex.run(pending::<()>()));
    let (caller, waker) = CountingWaker::new();
    let mut cx = Context::from_waker(&waker);
    for round in 1..10 {
        assert!(run.as_mut().poll(&mut cx).is_pending());
        assert_eq!(gate.polls(), round);
        assert_eq!(caller.wakes(), round - 1, "an idle driver asks for no turn");
        gate.waker().wake();
        assert_eq!(caller.wakes(), round);
        gate.waker().wake();
        assert_eq!(caller.wakes(), round, "an answered call is not repeated");
    }
}
