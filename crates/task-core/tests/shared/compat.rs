//! What users of async-executor rely on: its published tests and doctests by subject.

use std::future::{Future, pending, poll_fn, ready};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::{Poll, Waker};
use std::thread;

use async_channel::bounded;
use futures_lite::future::{block_on, or, poll_once, yield_now};
use futures_lite::{FutureExt, StreamExt, stream};

use crate::subject::{Cell, Executor, RefCell, Shared, StaticExecutor, Task};

// Its `different_executors` test.
#[test]
fn the_driver_of_one_executor_leaves_the_tasks_of_another_alone() {
    let polled = Cell::new(0);
    let (mine, theirs) = (Executor::new(), Executor::new());
    let (mut run_mine, mut run_theirs) =
        (pin!(mine.run(pending::<()>())), pin!(theirs.run(pending::<()>())));
    block_on(async {
        assert!(poll_once(run_mine.as_mut()).await.is_none());
        assert!(poll_once(run_theirs.as_mut()).await.is_none());
        mine.spawn(async { polled.set(polled.get() + 1) }).detach();
        assert!(poll_once(run_theirs.as_mut()).await.is_none());
        assert_eq!(polled.get(), 0);
        assert!(poll_once(run_mine.as_mut()).await.is_none());
        assert_eq!(polled.get(), 1);
    });
}

// Its `local_queue` test.
#[test]
fn one_of_two_drivers_may_be_dropped() {
    let ex = Executor::new();
    let mut first = Box::pin(ex.run(pending::<()>()));
    let mut second = pin!(ex.run(pending::<()>()));
    block_on(async {
        assert!(poll_once(first.as_mut()).await.is_none());
        assert!(poll_once(second.as_mut()).await.is_none());
        drop(first);
        let task = ex.spawn(ready(1));
        assert!(poll_once(second.as_mut()).await.is_none());
        assert!(task.is_finished());
    });
}

/// Tells that it was dropped.
struct Flag(Shared<Cell<usize>>);

impl Drop for Flag {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}

/// A task that waits and leaves its waker outside.
fn waiting(
    ex: &Executor<'_>,
    drops: &Shared<Cell<usize>>,
    waker: &Shared<RefCell<Option<Waker>>>,
) -> Task<()> {
    let (flag, waker) = (Flag(drops.clone()), waker.clone());
    let task = ex.spawn(async move {
        let _flag = flag;
        poll_fn(|cx| {
            *waker.borrow_mut() = Some(cx.waker().clone());
            Poll::<()>::Pending
        })
        .await;
    });
    block_on(ex.tick());
    task
}

// Its `drop` tests.
#[test]
fn an_executor_that_is_dropped_cancels_and_one_that_is_forgotten_does_not() {
    for forgotten in [false, true] {
        let (drops, waker) = (Shared::default(), Shared::default());
        let ex = Executor::new();
        let task = waiting(&ex, &drops, &waker);
        assert!(waker.borrow().is_some());
        assert_eq!(drops.get(), 0);
        if forgotten {
            std::mem::forget(ex);
            assert!(block_on(poll_once(task)).is_none());
        } else {
            drop(ex);
            assert_eq!(drops.get(), 1);
            assert!(catch_unwind(AssertUnwindSafe(|| block_on(task))).is_err());
        }
        assert_eq!(drops.get(), usize::from(!forgotten));
    }
}

#[test]
fn an_output_lives_until_its_task_is_awaited_or_dropped() {
    for executor_first in [true, false] {
        let drops = Shared::<Cell<usize>>::default();
        let ex = Executor::new();
        let flag = Flag(drops.clone());
        let task = ex.spawn(async move { flag });
        assert!(ex.try_tick());
        assert_eq!(drops.get(), 0);
        if executor_first {
            drop(ex);
            assert_eq!(drops.get(), 0);
            drop(task);
        } else {
            drop(task);
            assert_eq!(drops.get(), 1);
            drop(ex);
        }
        assert_eq!(drops.get(), 1);
    }
    let text = String::from("borrowed");
    let ex = Executor::new();
    let task: Task<&str> = ex.spawn(async { text.as_str() });
    assert!(ex.try_tick());
    drop(ex);
    assert_eq!(block_on(task), "borrowed");
}

#[test]
fn an_iterator_that_panics_half_way_leaves_an_executor_that_runs() {
    let ex = Executor::new();
    let panicked = catch_unwind(|| {
        let mut tasks = Vec::new();
        let half = (0..40).map(|i| {
            assert!(i < 20, "half-way");
            ready(i)
        });
        ex.spawn_many(half, &mut tasks);
    });
    assert!(panicked.is_err());
    assert_eq!(block_on(ex.run(ex.spawn(ready(9)))), 9);
}

// Its `panic_prop` test.
#[test]
fn a_panic_stays_out_of_the_driver_and_is_caught_from_the_task() {
    let ex = Executor::new();
    let task: Task<()> = ex.spawn(async { panic!("for whoever awaits") });
    assert!(ex.try_tick());
    assert!(block_on(AssertUnwindSafe(task).catch_unwind()).is_err());
}

// Its `spawn_many` tests.
#[test]
fn fifty_thousand_tasks_of_one_spawn_many_give_their_outputs_in_order() {
    let count = if cfg!(miri) { 500 } else { 50_000 };
    let ex = Executor::new();
    let mut tasks = Vec::new();
    ex.spawn_many((0..count).map(ready), &mut tasks);
    block_on(ex.run(async {
        for (i, task) in tasks.into_iter().enumerate() {
            assert_eq!(task.await, i);
        }
    }));
}

#[test]
fn tasks_of_spawn_many_work_as_a_stream() {
    let ex = Executor::new();
    let mut tasks = Vec::new();
    ex.spawn_many([ready(1), ready(2), ready(3)], &mut tasks);
    let outputs = ex.run(stream::iter(tasks).then(|task| task).collect::<Vec<_>>());
    assert_eq!(block_on(outputs), [1, 2, 3]);
}

/// Its `larger_tasks` tests: the same work by `run`, by a loop of `tick`, and by `block_on`.
fn by_every_driver<F: Future<Output = ()>>(work: impl Fn(Shared<Executor<'static>>) -> F) {
    let ex = Shared::new(Executor::new());
    block_on(ex.run(work(ex.clone())));
    let ticks = async {
        loop {
            ex.tick().await;
        }
    };
    block_on(or(work(ex.clone()), ticks));
    ex.block_on(work(ex.clone()));
    assert!(ex.is_empty());
}

#[test]
fn empty_yielding_and_waiting_tasks_end_under_every_driver() {
    by_every_driver(|ex| async move { ex.spawn(async {}).await });
    by_every_driver(|ex| async move { ex.spawn(yield_now()).await });
    by_every_driver(|ex| async move {
        let (send, receive) = bounded(1);
        let timer = thread::spawn(move || send.send_blocking(()).unwrap());
        ex.spawn(async move { receive.recv().await.unwrap() }).await;
        timer.join().unwrap();
    });
}

// The doctests of its methods.
#[test]
fn is_empty_and_try_tick_follow_the_tasks() {
    let ex = Executor::new();
    assert!(ex.is_empty());
    assert!(!ex.try_tick());
    let task = ex.spawn(async {});
    assert!(!ex.is_empty());
    assert!(ex.try_tick());
    assert!(ex.is_empty());
    assert!(task.is_finished());
}

#[test]
fn run_gives_the_output_of_its_future_with_a_foreign_block_on() {
    let ex = Executor::default();
    let task = ex.spawn(async { 20 });
    assert_eq!(block_on(ex.run(async { task.await + 1 })), 21);
    let task = ex.spawn(async { 2 });
    block_on(ex.tick());
    assert_eq!(block_on(task), 2);
}

// The doctests of its static executor.
#[test]
fn a_leaked_executor_serves_static_and_scoped_tasks() {
    thread_local! {
        static EX: &'static StaticExecutor = Box::leak(Box::default());
    }
    let ex = Executor::new().leak();
    for ex in [ex, EX.with(|ex| *ex)] {
        assert!(!ex.try_tick());
        assert_eq!(block_on(ex.run(ex.spawn(async move { ex.spawn(ready(1)).await }))), 1);
        ex.spawn(ready(())).detach();
        block_on(ex.tick());
        let mut tasks = Vec::new();
        ex.spawn_many([ready(3), ready(4)], &mut tasks);
        let text = String::from("scoped");
        // SAFETY: the task is awaited here, while `text` is alive.
        let scoped = unsafe { ex.spawn_scoped(async { text.len() }) };
        assert_eq!(ex.block_on(scoped), text.len());
        assert!(tasks.iter().all(Task::is_finished));
        assert!(ex.is_empty());
    }
}
