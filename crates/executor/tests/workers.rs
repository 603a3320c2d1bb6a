//! Threads that drive an executor until they are told to end.

#[path = "../../task-core/tests/shared/support/watchdog.rs"]
mod watchdog;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::thread;

use futures_lite::future::{block_on, yield_now};
use selvedge_executor::{Executor, StaticExecutor, Task, Workers};

use self::watchdog::watchdog;

#[test]
fn workers_run_as_many_tasks_at_once_as_there_are_threads() {
    let _watchdog = watchdog();
    static EX: StaticExecutor = StaticExecutor::new();
    let workers = Workers::new(3).start(&EX).unwrap();
    assert_eq!(workers.threads(), 3);
    let line = Arc::new(Barrier::new(3));
    let meet = || {
        let line = line.clone();
        EX.spawn(async move {
            line.wait();
        })
    };
    for _ in 0..50 {
        let tasks = [meet(), meet(), meet()];
        block_on(async {
            for task in tasks {
                task.await;
            }
        });
    }
    workers.shutdown();
}

#[test]
fn threads_have_the_names_and_stacks_that_were_asked_for() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let workers = Workers::new(1).name_prefix("weaver").stack_size(64 << 20);
    let name = workers.scope(&ex, || {
        block_on(ex.spawn(async {
            // More than the default stack has room for.
            let deep = std::hint::black_box([1_u8; 4 << 20]);
            (thread::current().name().unwrap().to_owned(), deep[deep.len() - 1])
        }))
    });
    assert_eq!(name.unwrap(), ("weaver-0".to_owned(), 1));
}

#[test]
fn what_is_unfinished_at_the_end_stays_with_the_executor() {
    let _watchdog = watchdog();
    static EX: StaticExecutor = StaticExecutor::new();
    for drop_only in [false, true] {
        let workers = Workers::new(2).start(&EX).unwrap();
        let (send, receive) = async_channel::bounded(1);
        let task = EX.spawn(async move { receive.recv().await.unwrap() });
        block_on(EX.spawn(yield_now()));
        if drop_only {
            drop(workers)
        } else {
            workers.shutdown()
        }
        send.try_send(7).unwrap();
        assert!(!task.is_finished());
        assert_eq!(EX.block_on(task), 7);
    }
}

#[test]
fn a_scope_ends_its_threads_when_its_body_panics() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let body = || -> () { std::panic::resume_unwind(Box::new("body")) };
    let caught = catch_unwind(AssertUnwindSafe(|| Workers::new(2).scope(&ex, body)));
    assert_eq!(caught.unwrap_err().downcast_ref::<&str>(), Some(&"body"));
    assert_eq!(Workers::new(2).scope(&ex, || block_on(ex.spawn(async { 1 }))).unwrap(), 1);
}

#[test]
fn panics_of_tasks_take_no_worker_and_no_other_task_away() {
    let _watchdog = watchdog();
    let ran = AtomicUsize::new(0);
    let ex = Executor::new();
    Workers::new(2)
        .scope(&ex, || {
            let tasks: Vec<Task<()>> = (0..500)
                .map(|i| {
                    let ran = &ran;
                    ex.spawn(async move {
                        yield_now().await;
                        if i % 3 == 0 {
                            std::panic::resume_unwind(Box::new("planned"));
                        }
                        ran.fetch_add(1, Ordering::Relaxed);
                    })
                })
                .collect();
            for task in tasks {
                let _ = catch_unwind(AssertUnwindSafe(|| block_on(task)));
            }
        })
        .unwrap();
    assert_eq!(ran.load(Ordering::Relaxed), 333);
}

#[test]
fn workers_may_be_shut_down_from_one_of_their_own_tasks() {
    let _watchdog = watchdog();
    let ex = Executor::new().leak();
    let place = Arc::new(Mutex::new(None));
    let workers = Workers::new(2).start(ex).unwrap();
    *place.lock().unwrap() = Some(workers);
    let task = ex.spawn(async move {
        let workers = place.lock().unwrap().take();
        workers.expect("put there before the spawn").shutdown();
    });
    block_on(task);
    assert_eq!(ex.block_on(ex.spawn(async { 2 })), 2);
}

#[test]
#[should_panic(expected = "one worker at least")]
fn no_workers_at_all_are_refused() {
    let _ = Workers::new(0);
}

#[test]
fn there_is_a_worker_at_least_where_the_system_is_asked() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    assert_eq!(Workers::available().scope(&ex, || block_on(ex.spawn(async { 3 }))).unwrap(), 3);
}
