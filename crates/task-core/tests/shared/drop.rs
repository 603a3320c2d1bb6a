//! The end of an executor: each unfinished future is dropped once, before `drop` returns.

use std::future::{pending, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread;

use futures_lite::future::{block_on, poll_once, yield_now};

use crate::dropped::{DropGuard, Dropped};
use crate::gate::Gate;
use crate::subject::{Cell, Executor, RefCell, Shared, Task};
use crate::watchdog::watchdog;

/// Calls a function when it is dropped.
struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Holds a guard and waits for ever.
async fn hold(guard: DropGuard) {
    let _guard = guard;
    pending().await
}

fn run_ready(ex: &Executor<'_>) {
    while ex.try_tick() {}
}

// tokio's `drop_cancels_tasks`; E8: a drop that panics or never ends.
#[test]
fn futures_in_every_state_are_dropped_once() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let dropped = Dropped::new();
    let waiting = |gate: &Shared<Gate>| {
        let (wait, guard) = (gate.wait(), dropped.guard());
        async move {
            let _guard = guard;
            wait.await;
        }
    };
    let gates: [_; 5] = std::array::from_fn(|_| Gate::new());
    gates.iter().for_each(|gate| ex.spawn(waiting(gate)).detach());
    run_ready(&ex);
    assert_eq!(dropped.count(), 0, "all wait");
    gates[1].waker().wake();
    let elsewhere = gates[2].waker();
    thread::spawn(move || elsewhere.wake()).join().unwrap();
    let held = ex.spawn(hold(dropped.guard()));
    let fresh = ex.spawn(hold(dropped.guard()));
    ex.spawn(hold(dropped.guard())).detach();
    drop(ex.spawn(hold(dropped.guard())));
    let by_spawner = ex.spawner().spawn(hold(dropped.guard())).unwrap();
    let spawner = ex.spawner();
    let guard = dropped.guard();
    let afar = thread::spawn(move || spawner.spawn(hold(guard)).unwrap()).join().unwrap();
    let finished = ex.spawn({
        let guard = dropped.guard();
        async move { drop(guard) }
    });
    drop(ex);
    assert_eq!(dropped.count(), 12);
    drop((held, fresh, by_spawner, afar, finished));
    assert_eq!(dropped.count(), 12);
}

// tokio's `drop_cancels_remote_tasks`: wakers that other threads hold keep nothing alive.
#[test]
fn a_waker_on_another_thread_keeps_no_future_alive() {
    let _watchdog = watchdog();
    let dropped = Dropped::new();
    let (send, receive) = async_channel::unbounded::<()>();
    let ex = Executor::new();
    let guard = dropped.guard();
    ex.spawn(async move {
        let _guard = guard;
        while receive.recv().await.is_ok() {}
    })
    .detach();
    run_ready(&ex);
    let sending = thread::spawn(move || while send.send_blocking(()).is_ok() {});
    drop(ex);
    assert_eq!(dropped.count(), 1);
    sending.join().unwrap();
}

// tokio's `acquire_mutex_in_drop`; E7: a lock that is held while futures are dropped.
#[test]
fn destructors_may_wake_send_cancel_and_lock() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let dropped = Dropped::new();
    let (send, receive) = async_channel::unbounded();
    let lock = Arc::new(Mutex::new(()));
    let sibling = Gate::new();
    let tasks: Shared<RefCell<Vec<Task<()>>>> = Shared::default();
    let refused = Shared::new(Cell::new(0));
    for _ in 0..20 {
        let all = OnDrop({
            let (send, lock, sibling) = (send.clone(), lock.clone(), sibling.clone());
            let (tasks, refused, spawner) = (tasks.clone(), refused.clone(), ex.spawner());
            move || {
                let _locked = lock.lock().unwrap();
                send.try_send(1).unwrap();
                sibling.waker().wake();
                drop(tasks.borrow_mut().pop());
                assert!(spawner.is_closed());
                assert!(spawner.spawn(async {}).is_err());
                refused.set(refused.get() + 1);
            }
        });
        let guard = dropped.guard();
        ex.spawn(async move {
            let _both = (all, guard);
            pending::<()>().await;
        })
        .detach();
        let receive = receive.clone();
        let guard = dropped.guard();
        tasks.borrow_mut().push(ex.spawn(async move {
            let _guard = guard;
            while receive.recv().await.is_ok() {}
        }));
    }
    ex.spawn(sibling.wait()).detach();
    run_ready(&ex);
    drop(ex);
    assert_eq!(dropped.count(), 40);
    assert_eq!(refused.get(), 20);
}

#[test]
fn a_task_may_own_its_waker_and_its_handle() {
    let _watchdog = watchdog();
    let dropped = Dropped::new();
    let ex = Executor::new();
    let own_waker: Shared<RefCell<Option<Waker>>> = Shared::default();
    let own_handle: Shared<RefCell<Option<Task<()>>>> = Shared::default();
    let task = ex.spawn({
        let (waker, handle, guard) = (own_waker.clone(), own_handle.clone(), dropped.guard());
        poll_fn(move |cx| {
            let _owned = (&guard, &handle);
            *waker.borrow_mut() = Some(cx.waker().clone());
            Poll::Pending
        })
    });
    *own_handle.borrow_mut() = Some(task);
    run_ready(&ex);
    drop(ex);
    assert_eq!(dropped.count(), 1);
    assert_eq!((Shared::strong_count(&own_waker), Shared::strong_count(&own_handle)), (1, 1));
}

// E9: a handle that is awaited when the executor is gone.
#[test]
fn a_task_that_outlives_its_executor_panics_and_its_fallible_form_gives_none() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let spawn = || ex.spawn(pending::<i32>());
    let polled = [spawn(), spawn(), spawn()];
    run_ready(&ex);
    let fresh = [spawn(), spawn(), spawn()];
    drop(ex);
    for [awaited, fallible, cancelled] in [polled, fresh] {
        assert!(catch_unwind(AssertUnwindSafe(|| block_on(awaited))).is_err());
        assert_eq!(block_on(fallible.fallible()), None);
        assert_eq!(block_on(cancelled.cancel()), None);
    }
}

#[test]
fn a_finished_task_outlives_its_executor_with_its_output() {
    let _watchdog = watchdog();
    let text = String::from("output");
    let ex = Executor::new();
    let (task, fallible) = (ex.spawn(async { &*text }), ex.spawn(async { &*text }));
    run_ready(&ex);
    drop(ex);
    assert_eq!(block_on(task), "output");
    assert_eq!(block_on(fallible.fallible()), Some("output"));
}

#[test]
fn the_drop_tells_whoever_awaits_a_task() {
    let _watchdog = watchdog();
    let inner = Executor::new();
    let outer = Executor::new();
    let task = inner.spawn(pending::<()>()).fallible();
    run_ready(&inner);
    let awaiting = outer.spawn(task);
    run_ready(&outer);
    let afar = inner.spawner().spawn(pending::<()>()).unwrap().fallible();
    let afar = thread::spawn(move || block_on(afar));
    drop(inner);
    assert_eq!(outer.block_on(awaiting), None);
    assert_eq!(afar.join().unwrap(), None);
}

// tokio's `join_local_future_elsewhere`.
#[test]
fn a_local_task_may_be_awaited_on_another_thread() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let task = ex.spawn(async {
        let local = Shared::new(5);
        yield_now().await;
        *local
    });
    let (send, receive) = async_channel::bounded(1);
    let thread = thread::spawn(move || send.send_blocking(block_on(task)).unwrap());
    assert_eq!(ex.block_on(receive.recv()), Ok(5));
    thread.join().unwrap();
}

// tokio's `local_tasks_are_polled_after_tick`.
#[test]
fn a_task_woken_by_another_thread_is_found_by_the_next_driver() {
    let _watchdog = watchdog();
    for driver in ["try_tick", "tick", "run", "block_on"] {
        let ex = Executor::new();
        let gate = Gate::new();
        ex.spawn(gate.wait()).detach();
        block_on(ex.tick());
        gate.open();
        let waker = gate.waker();
        thread::spawn(move || waker.wake()).join().unwrap();
        let mut cx = Context::from_waker(Waker::noop());
        match driver {
            "try_tick" => assert!(ex.try_tick()),
            "tick" => assert!(pin!(ex.tick()).poll(&mut cx).is_ready()),
            "run" => assert!(pin!(ex.run(pending::<()>())).poll(&mut cx).is_pending()),
            _ => ex.block_on(yield_now()),
        }
        assert!(ex.is_empty() && gate.polls() == 2, "{driver}");
    }
}

// E10: the one rule for a detached task that nothing can wake any more.
#[test]
fn a_detached_task_without_a_waker_stays_until_the_drop() {
    let _watchdog = watchdog();
    let dropped = Dropped::new();
    let ex = Executor::new();
    ex.spawn(hold(dropped.guard())).detach();
    run_ready(&ex);
    assert!(!ex.is_empty());
    assert_eq!(dropped.count(), 0);
    drop(ex);
    assert_eq!(dropped.count(), 1);
}

#[test]
fn a_leaked_executor_keeps_its_tasks_and_never_drops_one_that_waits() {
    let _watchdog = watchdog();
    let dropped = Dropped::new();
    let ex = Executor::new();
    let gate = Gate::new();
    ex.spawn(hold(dropped.guard())).detach();
    let early = ex.spawn(gate.wait());
    run_ready(&ex);
    let queued = ex.spawn(async { 3 });
    let ex = ex.leak();
    ex.spawn(hold(dropped.guard())).detach();
    assert_eq!(ex.block_on(queued), 3);
    gate.open();
    gate.waker().wake();
    ex.block_on(early);
    while ex.try_tick() {}
    assert!(!ex.is_empty());
    assert_eq!(dropped.count(), 0);
}

// E22: borrows that end with the executor.
#[test]
fn what_tasks_borrow_is_free_again_after_the_drop() {
    let _watchdog = watchdog();
    let mut log = vec![String::from("start")];
    let shared = RefCell::new(&mut log);
    let ex = Executor::new();
    for _ in 0..3 {
        let last = OnDrop(|| shared.borrow_mut().push("dropped".into()));
        ex.spawn(async move {
            let _last = last;
            pending::<()>().await;
        })
        .detach();
    }
    ex.try_tick();
    drop(ex);
    log.push("mine".into());
    assert_eq!(log, ["start", "dropped", "dropped", "dropped", "mine"]);
}

// E22: an executor that is forgotten keeps its futures for ever, as every safe API must expect.
#[test]
fn a_forgotten_executor_drops_nothing() {
    let _watchdog = watchdog();
    let dropped = Dropped::new();
    let ex = Executor::new();
    let task = ex.spawn(hold(dropped.guard()));
    run_ready(&ex);
    std::mem::forget(ex);
    assert!(block_on(poll_once(task)).is_none());
    assert_eq!(dropped.count(), 0);
}
