//! Spawners: from every thread, accepted and run, or refused and given back.

#[path = "../../task-core/tests/shared/support/counting_waker.rs"]
mod counting_waker;
#[path = "support/dropped.rs"]
mod dropped;
#[path = "../../task-core/tests/shared/support/watchdog.rs"]
mod watchdog;

use std::cell::Cell;
use std::future::{Future, pending, ready};
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::pin::pin;
use std::rc::Rc;
use std::task::Context;
use std::thread;

use futures_lite::future::{block_on, yield_now};
use selvedge_local_executor::{LocalExecutor, SpawnError};

use self::counting_waker::CountingWaker;
use self::dropped::Dropped;
use self::watchdog::watchdog;

#[test]
fn a_future_sent_from_another_thread_runs_on_the_owner_thread() {
    let _watchdog = watchdog();
    let ex = LocalExecutor::new();
    let owner = thread::current().id();
    let spawner = ex.spawner();
    let thread = thread::spawn(move || {
        let task = spawner.clone().spawn(async {
            yield_now().await;
            thread::current().id()
        });
        block_on(task.expect("the executor is alive"))
    });
    ex.block_on(async {
        while !thread.is_finished() {
            yield_now().await;
        }
    });
    assert_eq!(thread.join().unwrap(), owner);
}

#[test]
fn a_remote_spawn_wakes_a_sleeping_driver() {
    let _watchdog = watchdog();
    let ex = LocalExecutor::new();
    let (caller, waker) = CountingWaker::new();
    let mut run = pin!(ex.run(pending::<()>()));
    assert!(run.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    let spawner = ex.spawner();
    let task = thread::spawn(move || spawner.spawn(ready(1)).unwrap()).join().unwrap();
    assert_eq!(caller.wakes(), 1);
    assert!(!task.is_finished());
    assert!(run.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    assert!(task.is_finished());
}

#[test]
fn tasks_of_one_thread_start_in_the_order_of_their_spawns() {
    let _watchdog = watchdog();
    let ex = LocalExecutor::new();
    let (send, receive) = async_channel::unbounded();
    let spawner = ex.spawner();
    thread::spawn(move || {
        for i in 0..100 {
            let send = send.clone();
            spawner.spawn(async move { send.try_send(i).unwrap() }).unwrap().detach();
        }
    })
    .join()
    .unwrap();
    while ex.try_tick() {}
    let order: Vec<_> = std::iter::from_fn(|| receive.try_recv().ok()).collect();
    assert_eq!(order, (0..100).collect::<Vec<_>>());
}

#[test]
fn a_spawner_works_inside_tasks_and_on_the_owner_thread() {
    let _watchdog = watchdog();
    let ex = LocalExecutor::new();
    let spawner = ex.spawner();
    let nested = spawner.clone();
    let task = spawner.spawn(async move { nested.spawn(async { 3 }).unwrap().await + 1 }).unwrap();
    assert!(!ex.is_empty());
    assert_eq!(ex.block_on(task), 4);
    assert!(ex.is_empty());
}

// A future that may never leave the owner thread, built there (zed and bevy wrote this by hand).
#[test]
fn spawn_with_builds_polls_and_drops_a_local_future_on_the_owner_thread() {
    let _watchdog = watchdog();
    let ex = LocalExecutor::new();
    let dropped = Dropped::new();
    let owner = thread::current().id();
    let (spawner, captured) = (ex.spawner(), dropped.guard());
    let task = thread::spawn(move || {
        let task = spawner.spawn_with(move || {
            assert_eq!(thread::current().id(), owner, "made elsewhere");
            let (local, captured) = (Rc::new(Cell::new(1)), captured);
            async move {
                let _captured = captured;
                yield_now().await;
                local.set(local.get() + 1);
                local.get()
            }
        });
        task.expect("the executor is alive")
    })
    .join()
    .unwrap();
    assert_eq!(ex.block_on(task), 2);
    assert_eq!(dropped.count(), 1);
}

#[test]
fn a_maker_that_is_never_called_is_dropped_on_the_owner_thread() {
    let _watchdog = watchdog();
    for cancelled in [true, false] {
        let ex = LocalExecutor::new();
        let dropped = Dropped::new();
        let (spawner, guard) = (ex.spawner(), dropped.guard());
        let task = thread::spawn(move || {
            let make = move || {
                let _guard = guard;
                panic!("called after all");
                #[expect(unreachable_code, reason = "gives the future's type")]
                ready(())
            };
            let task = spawner.spawn_with(make).unwrap();
            if cancelled { None } else { Some(task) }
        })
        .join()
        .unwrap();
        assert_eq!(dropped.count(), 0);
        if cancelled {
            assert!(ex.try_tick());
            assert_eq!(dropped.count(), 1);
        }
        drop(ex);
        assert_eq!(dropped.count(), 1);
        if let Some(task) = task {
            assert_eq!(block_on(task.fallible()), None);
        }
    }
}

#[test]
fn a_panic_of_the_maker_surfaces_in_the_task() {
    let _watchdog = watchdog();
    let ex = LocalExecutor::new();
    let spawner = ex.spawner();
    let make = || -> std::future::Ready<()> { panic_any("maker") };
    let task = thread::spawn(move || spawner.spawn_with(make).unwrap()).join().unwrap();
    assert!(ex.try_tick());
    let panic = catch_unwind(AssertUnwindSafe(|| ex.block_on(task))).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"maker"));
    assert_eq!(ex.block_on(ex.spawn(ready(1))), 1);
}

#[test]
fn what_is_refused_comes_back_untouched() {
    let _watchdog = watchdog();
    let ex = LocalExecutor::new();
    let spawner = ex.spawner();
    assert!(!spawner.is_closed());
    drop(ex);
    assert!(spawner.is_closed());
    let text = String::from("mine");
    let address = text.as_ptr();
    let refused = spawner.spawn(ready(text)).unwrap_err();
    let text = refused.into_inner().into_inner();
    assert_eq!((text.as_ptr(), &*text), (address, "mine"));
    let make = move || ready(text);
    let refused = thread::spawn(move || spawner.clone().spawn_with(make).unwrap_err());
    let text = refused.join().unwrap().into_inner()().into_inner();
    assert_eq!((text.as_ptr(), &*text), (address, "mine"));
}

#[test]
fn a_refusal_is_an_error_with_a_message() {
    let _watchdog = watchdog();
    let ex = LocalExecutor::new();
    let spawner = ex.spawner();
    drop(ex);
    let refused: SpawnError<_> = spawner.spawn(ready(())).unwrap_err();
    let message = refused.to_string();
    assert!(message.contains("dropped"), "{message}");
    assert!(!message.ends_with('.'), "{message}");
    assert!(format!("{refused:?}").contains("SpawnError"));
    let error: Box<dyn std::error::Error + Send + Sync> = Box::new(refused);
    assert!(error.source().is_none());
}

#[test]
fn a_spawner_keeps_no_future_alive() {
    let _watchdog = watchdog();
    let ex = LocalExecutor::new();
    let dropped = Dropped::new();
    let (own, guard) = (ex.spawner(), dropped.guard());
    ex.spawn(async move {
        let _both = (own, guard);
        pending::<()>().await;
    })
    .detach();
    assert!(ex.try_tick());
    let outside = ex.spawner();
    drop(ex);
    assert_eq!(dropped.count(), 1);
    assert!(outside.is_closed());
}

#[test]
fn an_executor_made_on_one_thread_and_first_used_by_its_spawner_is_owned_there() {
    let _watchdog = watchdog();
    let ex = LocalExecutor::new();
    let spawner = ex.spawner();
    assert!(ex.is_empty());
    thread::spawn(move || drop(spawner)).join().unwrap();
    assert!(!ex.try_tick());
    assert_eq!(ex.block_on(ex.spawn(ready(2))), 2);
}
