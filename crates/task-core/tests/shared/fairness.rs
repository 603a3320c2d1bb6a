//! Fairness: everybody's turn comes within a bounded number of other polls.

use std::future::{pending, poll_fn};
use std::pin::pin;
use std::task::{Context, Poll};
use std::thread;

use futures_lite::future::{block_on, yield_now, zip};

use crate::counting_waker::CountingWaker;
use crate::gate::Gate;
use crate::subject::{
    Cell, Executor, POLLS_FOR_EACH_READY_TASK, POLLS_UNTIL_A_THOUSAND_HAD_A_TURN, Shared,
};
use crate::watchdog::watchdog;

/// The documented interval at which `run` gives its caller a turn.
const POLLS_PER_TURN: usize = 200;

/// How many polls may come before a foreign wake is looked at, beside some for each task that is ready:
/// generous, but bounded.
const FOREIGN_DELAY: usize = 64;

async fn yield_for_ever(turns: Shared<Cell<usize>>) {
    loop {
        turns.set(turns.get() + 1);
        yield_now().await;
    }
}

fn spawn_yielding(ex: &Executor<'_>) -> Shared<Cell<usize>> {
    let turns = Shared::new(Cell::new(0));
    ex.spawn(yield_for_ever(turns.clone())).detach();
    turns
}

// E13: many ready tasks, all of them in turn.
#[test]
fn each_of_a_thousand_ready_tasks_gets_its_turn() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let tasks: Vec<_> = (0..1000).map(|_| spawn_yielding(&ex)).collect();
    let all = || tasks.iter().map(|turns| turns.get());
    for _ in 0..POLLS_UNTIL_A_THOUSAND_HAD_A_TURN {
        assert!(ex.try_tick());
    }
    assert!(all().min() >= Some(1));
    for round in 1..=5 {
        let before: Vec<_> = all().collect();
        for _ in 0..1000 {
            assert!(ex.try_tick());
        }
        assert!(all().eq(before.iter().map(|turns| turns + 1)), "one turn each, round {round}");
    }
}

// E13: two tasks that keep waking each other, and a third.
#[test]
fn two_tasks_that_wake_each_other_starve_no_third() {
    let _watchdog = watchdog();
    fn ping_pong(
        mine: Shared<Gate>,
        other: Shared<Gate>,
        polls: Shared<Cell<usize>>,
    ) -> impl Future<Output = ()> {
        let mut wait = Box::pin(mine.wait());
        poll_fn(move |cx| {
            polls.set(polls.get() + 1);
            assert!(wait.as_mut().poll(cx).is_pending());
            if other.polls() > 0 {
                other.waker().wake();
            }
            Poll::Pending
        })
    }
    let ex = Executor::new();
    let polls = Shared::new(Cell::new(0));
    let (ping, pong) = (Gate::new(), Gate::new());
    ex.spawn(ping_pong(ping.clone(), pong.clone(), polls.clone())).detach();
    ex.spawn(ping_pong(pong, ping, polls.clone())).detach();
    let third = spawn_yielding(&ex);
    for _ in 0..3000 {
        assert!(ex.try_tick());
    }
    assert!(polls.get() > 1000, "they do wake each other");
    assert!(third.get() >= 900, "the third task had {} turns of 3000", third.get());
}

// E13: local work that hides what other threads have woken.
#[test]
fn a_foreign_wake_is_heeded_while_local_tasks_yield_for_ever() {
    let _watchdog = watchdog();
    for ready in [1, 2, 7, 100, 1000] {
        let ex = Executor::new();
        let gate = Gate::new();
        ex.spawn(gate.wait()).detach();
        while ex.try_tick() {}
        for _ in 0..ready {
            spawn_yielding(&ex);
        }
        for _ in 0..10 {
            let waker = gate.waker();
            thread::spawn(move || waker.wake()).join().unwrap();
            let before = gate.polls();
            let mut delay = 0;
            while gate.polls() == before {
                assert!(ex.try_tick());
                delay += 1;
                let most = POLLS_FOR_EACH_READY_TASK * ready + FOREIGN_DELAY;
                assert!(delay <= most, "{ready} ready tasks hide a foreign wake");
            }
        }
    }
}

#[test]
fn a_foreign_wake_is_heeded_by_a_run_that_never_sleeps() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    spawn_yielding(&ex);
    let (send, receive) = async_channel::unbounded();
    let echo = ex.spawn(async move { receive.recv().await.unwrap() });
    let thread = thread::spawn(move || send.send_blocking(5).unwrap());
    assert_eq!(ex.block_on(echo), 5);
    thread.join().unwrap();
}

#[test]
fn a_flood_from_other_threads_starves_no_local_task() {
    let _watchdog = watchdog();
    const FLOOD: usize = if cfg!(miri) { 400 } else { 5000 };
    let ex = Executor::new();
    let gates: Vec<_> = (0..FLOOD).map(|_| Gate::new()).collect();
    for gate in &gates {
        ex.spawn(gate.wait()).detach();
    }
    while ex.try_tick() {}
    let local = spawn_yielding(&ex);
    let wakers: Vec<_> = gates.iter().map(|gate| gate.waker()).collect();
    let round = || {
        let wakers = wakers.clone();
        thread::spawn(move || wakers.iter().for_each(|waker| waker.wake_by_ref())).join().unwrap();
    };
    round();
    for turn in 1..=3 {
        let mut delay = 0;
        while local.get() < turn {
            assert!(ex.try_tick());
            delay += 1;
            assert!(delay <= FLOOD + FOREIGN_DELAY, "the local task waits for more than a round");
        }
        round();
    }
}

#[test]
fn the_main_future_and_the_tasks_starve_each_other_never() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let tasks: Vec<_> = (0..10).map(|_| spawn_yielding(&ex)).collect();
    let total = || tasks.iter().map(|turns| turns.get()).sum::<usize>();
    ex.block_on(async {
        for _ in 0..100 {
            let before = total();
            yield_now().await;
            let between = total() - before;
            assert!((1..=POLLS_PER_TURN).contains(&between), "{between} polls of tasks");
        }
    });
}

// tokio's `yield_now` that starves the driver: a caller that never gets a turn.
#[test]
fn run_gives_its_caller_a_turn_at_a_bounded_interval() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let turns = spawn_yielding(&ex);
    let (caller, waker) = CountingWaker::new();
    let mut run = pin!(ex.run(pending::<()>()));
    for round in 1..=5 {
        let before = turns.get();
        assert!(run.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        let polls = turns.get() - before;
        assert!((1..=POLLS_PER_TURN).contains(&polls), "{polls} polls in one turn");
        assert_eq!(caller.wakes(), round, "there is more to do, so it asks for another turn");
    }
}

#[test]
fn a_main_future_that_is_always_ready_gives_the_caller_a_turn_too() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let turns = Shared::new(Cell::new(0));
    let (caller, waker) = CountingWaker::new();
    let mut run = pin!(ex.run(yield_for_ever(turns.clone())));
    assert!(run.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    assert!((1..=POLLS_PER_TURN).contains(&turns.get()));
    assert_eq!(caller.wakes(), 1);
}

#[test]
fn the_callers_other_futures_run_beside_a_busy_executor() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    spawn_yielding(&ex);
    let (send, receive) = async_channel::bounded(1);
    let beside = async {
        for i in 0..100 {
            send.send(i).await.unwrap();
        }
        drop(send);
    };
    let main = ex.run(async move {
        let mut received = 0;
        while receive.recv().await.is_ok() {
            received += 1;
        }
        received
    });
    assert_eq!(block_on(zip(main, beside)).0, 100);
}

#[test]
fn an_idle_run_asks_for_no_turn() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let (task, main) = (Gate::new(), Gate::new());
    ex.spawn(task.wait()).detach();
    let (caller, waker) = CountingWaker::new();
    let mut run = pin!(ex.run(main.wait()));
    for _ in 0..10 {
        assert!(run.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    }
    assert_eq!(caller.wakes(), 0, "it would spin");
    assert_eq!((task.polls(), main.polls()), (1, 1));
    main.open();
    main.waker().wake();
    assert_eq!(caller.wakes(), 1);
    assert!(run.as_mut().poll(&mut Context::from_waker(&waker)).is_ready());
}
