//! Spawners: from every thread, accepted and run, or refused and given back.

use std::future::{Future, pending, ready};
use std::pin::pin;
use std::task::Context;
use std::thread;

use futures_lite::future::{block_on, yield_now};

use crate::counting_waker::CountingWaker;
use crate::dropped::Dropped;
use crate::subject::{Executor, SpawnError};
use crate::watchdog::watchdog;

#[test]
fn a_future_sent_from_another_thread_runs_where_the_executor_is_driven() {
    let _watchdog = watchdog();
    let ex = Executor::new();
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
    let ex = Executor::new();
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
    let ex = Executor::new();
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
fn a_spawner_works_inside_tasks_and_out_of_them() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let spawner = ex.spawner();
    let nested = spawner.clone();
    let task = spawner.spawn(async move { nested.spawn(async { 3 }).unwrap().await + 1 }).unwrap();
    assert!(!ex.is_empty());
    assert_eq!(ex.block_on(task), 4);
    assert!(ex.is_empty());
}

#[test]
fn what_is_refused_comes_back_untouched() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let spawner = ex.spawner();
    assert!(!spawner.is_closed());
    drop(ex);
    assert!(spawner.is_closed());
    let text = String::from("mine");
    let address = text.as_ptr();
    let refused = spawner.spawn(ready(text)).unwrap_err();
    let text = refused.into_inner().into_inner();
    assert_eq!((text.as_ptr(), &*text), (address, "mine"));
    let refused = thread::spawn(move || spawner.clone().spawn(ready(text)).unwrap_err());
    let text = refused.join().unwrap().into_inner().into_inner();
    assert_eq!((text.as_ptr(), &*text), (address, "mine"));
}

#[test]
fn a_refusal_is_an_error_with_a_message() {
    let _watchdog = watchdog();
    let ex = Executor::new();
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
    let ex = Executor::new();
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
