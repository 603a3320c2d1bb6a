//! Drivers: any number of them at once, cancelled or forgotten, and none takes another's wake.

use std::future::{Future, pending};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::task::Context;
use std::thread;

use futures_lite::future::{block_on, poll_once, yield_now, zip};

use crate::by_hand::ByHand;
use crate::counting_waker::CountingWaker;
use crate::gate::Gate;
use crate::subject::{Cell, Executor, Shared};
use crate::watchdog::watchdog;

fn parked_task(ex: &Executor<'_>) -> Shared<Gate> {
    let gate = Gate::new();
    ex.spawn(gate.wait()).detach();
    assert!(ex.try_tick());
    gate
}

fn wake_elsewhere(gate: &Gate) {
    let waker = gate.waker();
    thread::spawn(move || waker.wake()).join().unwrap();
}

// E24: what `try_tick` means by "nothing to do".
#[test]
fn try_tick_runs_exactly_one_ready_task() {
    let _watchdog = watchdog();
    let ran = Cell::new(0);
    let ex = Executor::new();
    assert!(!ex.try_tick());
    for _ in 0..3 {
        ex.spawn(async { ran.set(ran.get() + 1) }).detach();
    }
    for expected in 1..=3 {
        assert!(ex.try_tick());
        assert_eq!(ran.get(), expected);
    }
    assert!(!ex.try_tick(), "nothing is ready");
    let gate = parked_task(&ex);
    assert!(!ex.try_tick(), "a task that waits is not ready");
    gate.waker().wake();
    assert!(ex.try_tick());
    assert!(!ex.try_tick());
    wake_elsewhere(&gate);
    assert!(ex.try_tick(), "a task woken by another thread is ready");
    assert!(!ex.try_tick());
    assert_eq!(gate.polls(), 3);
}

// E24: a loop on `try_tick` with a task that is always ready.
#[test]
fn a_task_that_yields_for_ever_is_ready_for_every_try_tick() {
    let _watchdog = watchdog();
    let turns = Cell::new(0);
    let ex = Executor::new();
    ex.spawn(async {
        loop {
            turns.set(turns.get() + 1);
            yield_now().await;
        }
    })
    .detach();
    for turn in 1..=1000 {
        assert!(ex.try_tick());
        assert_eq!(turns.get(), turn);
    }
}

#[test]
fn tick_waits_for_a_task_and_runs_one() {
    let _watchdog = watchdog();
    let ran = Cell::new(0);
    let ex = Executor::new();
    let mut tick = ByHand::new(ex.tick());
    assert!(tick.poll().is_pending());
    ex.spawn(async { ran.set(ran.get() + 1) }).detach();
    ex.spawn(async { ran.set(ran.get() + 1) }).detach();
    assert_eq!(tick.wakes(), 1);
    assert!(tick.poll().is_ready());
    assert_eq!(ran.get(), 1);
}

// tokio's `spawn_wakes_localset`.
#[test]
fn a_spawn_outside_wakes_a_sleeping_run() {
    let _watchdog = watchdog();
    let ran = Cell::new(false);
    let ex = Executor::new();
    let mut run = ByHand::new(ex.run(pending()));
    assert!(run.poll().is_pending());
    ex.spawn(async { ran.set(true) }).detach();
    assert_eq!(run.wakes(), 1);
    assert!(run.poll().is_pending());
    assert!(ran.get());
    let spawner = ex.spawner();
    thread::spawn(move || spawner.spawn(async {}).unwrap().detach()).join().unwrap();
    assert_eq!(run.wakes(), 2);
}

// E11: `run` futures that are nested or take turns on one thread.
#[test]
fn the_first_of_two_runs_may_go_while_tasks_are_queued() {
    let _watchdog = watchdog();
    let turns = Cell::new(0);
    let ex = Executor::new();
    for _ in 0..500 {
        ex.spawn(async {
            yield_now().await;
            turns.set(turns.get() + 1);
        })
        .detach();
    }
    let mut first = ByHand::new(ex.run(pending()));
    let mut second = ByHand::new(ex.run(pending()));
    assert!(first.poll().is_pending());
    assert!(second.poll().is_pending());
    first.cancel();
    while !ex.is_empty() {
        assert!(second.poll().is_pending());
    }
    assert_eq!(turns.get(), 500);
}

#[test]
fn two_runs_in_one_join_both_end() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let tasks: Vec<_> = (0..1000)
        .map(|i| {
            ex.spawn(async move {
                yield_now().await;
                i
            })
        })
        .collect();
    let late = ex.spawn(async { 7 });
    let both = zip(
        ex.run(late),
        ex.run(async {
            let mut sum = 0;
            for task in tasks {
                sum += task.await;
            }
            sum
        }),
    );
    assert_eq!(block_on(both), (7, 499_500));
}

#[test]
fn runs_of_two_executors_may_take_turns_and_stay_apart() {
    let _watchdog = watchdog();
    let (ran_one, ran_two) = (Cell::new(0), Cell::new(0));
    let (one, two) = (Executor::new(), Executor::new());
    let mut run_one = ByHand::new(one.run(pending()));
    let mut run_two = ByHand::new(two.run(pending()));
    for round in 1..=10 {
        assert!(run_one.poll().is_pending());
        assert!(run_two.poll().is_pending());
        two.spawn(async { ran_two.set(ran_two.get() + 1) }).detach();
        assert!(run_one.poll().is_pending());
        assert_eq!((ran_one.get(), ran_two.get()), (round - 1, round - 1), "not its own task");
        one.spawn(async { ran_one.set(ran_one.get() + 1) }).detach();
        assert!(run_two.poll().is_pending());
        assert!(run_one.poll().is_pending());
        assert_eq!((ran_one.get(), ran_two.get()), (round, round));
    }
    run_one.cancel();
    two.spawn(async { ran_two.set(0) }).detach();
    assert!(run_two.poll().is_pending());
    assert_eq!(ran_two.get(), 0);
}

#[test]
fn a_cancelled_driver_takes_no_wake_up_with_it() {
    let _watchdog = watchdog();
    for elsewhere in [false, true] {
        for tick_goes in [false, true] {
            let ex = Executor::new();
            let gate = parked_task(&ex);
            let mut run = ByHand::new(ex.run(pending()));
            let mut tick = ByHand::new(ex.tick());
            assert!(run.poll().is_pending());
            assert!(tick.poll().is_pending());
            if elsewhere {
                wake_elsewhere(&gate)
            } else {
                gate.waker().wake()
            }
            let (goes, stays) = if tick_goes { (tick, run) } else { (run, tick) };
            let (mut goes, mut stays) = (goes, stays);
            goes.cancel();
            assert_eq!(stays.wakes(), 1);
            let _ = stays.poll();
            assert_eq!(gate.polls(), 2);
        }
    }
}

#[test]
fn a_driver_that_was_cancelled_asleep_is_not_woken() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let gate = parked_task(&ex);
    let mut run = ByHand::new(ex.run(pending()));
    let mut tick = ByHand::new(ex.tick());
    assert!(run.poll().is_pending());
    assert!(tick.poll().is_pending());
    run.cancel();
    tick.cancel();
    gate.waker().wake();
    wake_elsewhere(&gate);
    assert_eq!((run.wakes(), tick.wakes()), (0, 0));
    assert!(ex.try_tick());
}

#[test]
fn a_driver_is_woken_through_the_waker_of_its_newest_poll() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let gate = parked_task(&ex);
    let main = Gate::new();
    for kind in ["run", "tick"] {
        let mut driver: Pin<Box<dyn Future<Output = ()>>> =
            if kind == "run" { Box::pin(ex.run(main.wait())) } else { Box::pin(ex.tick()) };
        let (old, old_waker) = CountingWaker::new();
        let (new, new_waker) = CountingWaker::new();
        assert!(driver.as_mut().poll(&mut Context::from_waker(&old_waker)).is_pending());
        assert!(driver.as_mut().poll(&mut Context::from_waker(&new_waker)).is_pending());
        wake_elsewhere(&gate);
        assert_eq!((old.wakes(), new.wakes()), (0, 1), "{kind}");
        let _ = driver.as_mut().poll(&mut Context::from_waker(&old_waker));
        if kind == "run" {
            main.open();
            let waker = main.waker();
            thread::spawn(move || waker.wake()).join().unwrap();
            assert_eq!((old.wakes(), new.wakes()), (1, 1));
            assert!(driver.as_mut().poll(&mut Context::from_waker(&old_waker)).is_ready());
        }
    }
}

#[test]
fn a_driver_polled_without_need_still_sleeps_soundly() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let gate = parked_task(&ex);
    let mut run = ByHand::new(ex.run(pending()));
    for _ in 0..100 {
        assert!(run.poll().is_pending());
    }
    assert_eq!(gate.polls(), 1);
    wake_elsewhere(&gate);
    assert_eq!(run.wakes(), 1, "registered once");
}

// E22: futures that are forgotten instead of dropped.
#[test]
fn forgotten_drivers_do_no_harm() {
    let _watchdog = watchdog();
    let gate = Gate::new();
    let ex = Executor::new();
    ex.spawn(gate.wait()).detach();
    for polls in 0..2 {
        let mut run = ByHand::new(ex.run(pending()));
        let mut tick = ByHand::new(ex.tick());
        for _ in 0..polls {
            assert!(run.poll().is_pending());
            assert!(tick.poll().is_pending());
        }
        mem::forget(run);
        mem::forget(tick);
    }
    wake_elsewhere(&gate);
    ex.block_on(yield_now());
    assert_eq!(gate.polls(), 2);
    drop(ex);
    wake_elsewhere(&gate);
    assert_eq!(Shared::strong_count(&gate), 1);
}

#[test]
fn drivers_that_were_never_polled_are_nothing() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let gate = parked_task(&ex);
    let (run, tick) = (ex.run(pending::<()>()), ex.tick());
    gate.waker().wake();
    drop((run, tick));
    assert!(ex.try_tick());
}

#[test]
fn run_polled_after_its_end_panics_with_a_clear_message() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let mut run = pin!(ex.run(async {}));
    block_on(async { assert!(poll_once(run.as_mut()).await.is_some()) });
    let again = catch_unwind(AssertUnwindSafe(|| block_on(poll_once(run.as_mut()))));
    let payload = again.unwrap_err();
    let message = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
    let message = message.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap();
    assert!(message.contains("polled after"), "{message}");
    assert_eq!(ex.block_on(ex.spawn(async { 1 })), 1);
}
