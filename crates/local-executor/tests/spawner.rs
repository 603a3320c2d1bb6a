//! Spawners: from every thread, accepted and run, or refused and given back.

#[path = "../../sync/tests/shared/counting_waker.rs"]
mod counting_waker;
#[path = "support/dropped.rs"]
mod dropped;
#[path = "../../task-core/tests/shared/spawner.rs"]
mod spawner;
#[path = "support/subject.rs"]
mod subject;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::cell::Cell;
use std::future::ready;
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::rc::Rc;
use std::thread;

use futures_lite::future::{block_on, yield_now};

use self::dropped::Dropped;
use self::subject::Executor;
use self::watchdog::watchdog;

// A future that may never leave the owner thread, built there (zed and bevy wrote this by hand).
#[test]
fn spawn_with_builds_polls_and_drops_a_local_future_on_the_owner_thread() {
    let _watchdog = watchdog();
    let ex = Executor::new();
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
        let ex = Executor::new();
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
    let ex = Executor::new();
    let spawner = ex.spawner();
    let make = || -> std::future::Ready<()> { panic_any("maker") };
    let task = thread::spawn(move || spawner.spawn_with(make).unwrap()).join().unwrap();
    assert!(ex.try_tick());
    let panic = catch_unwind(AssertUnwindSafe(|| ex.block_on(task))).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"maker"));
    assert_eq!(ex.block_on(ex.spawn(ready(1))), 1);
}

#[test]
fn a_maker_that_is_refused_comes_back_untouched() {
    let _watchdog = watchdog();
    let spawner = Executor::new().spawner();
    let text = String::from("mine");
    let address = text.as_ptr();
    let make = move || ready(text);
    let refused = thread::spawn(move || spawner.spawn_with(make).unwrap_err());
    let text = refused.join().unwrap().into_inner()().into_inner();
    assert_eq!((text.as_ptr(), &*text), (address, "mine"));
}

#[test]
fn an_executor_made_on_one_thread_and_first_used_by_its_spawner_is_owned_there() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let spawner = ex.spawner();
    assert!(ex.is_empty());
    thread::spawn(move || drop(spawner)).join().unwrap();
    assert!(!ex.try_tick());
    assert_eq!(ex.block_on(ex.spawn(ready(2))), 2);
}
