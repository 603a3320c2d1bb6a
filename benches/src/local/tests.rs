//! Every workload on every subject, at a tiny scale.

use core::future::pending;
use std::rc::Rc;

use super::{
    LocalSubject, Scale,
    subjects::{AsyncExecutor, Selvedge, Tokio},
    workloads,
};
use crate::{
    fixtures::{Ring, Shop},
    seed,
    watchdog::watchdog,
};

const SCALE: Scale = Scale::TINY;

fn every_workload_does_its_work<S: LocalSubject>() {
    let _watchdog = watchdog();
    workloads::spawn_one::<S>();
    workloads::spawn_one_inside::<S>(3);
    workloads::spawn_batch::<S>(SCALE.batch);
    workloads::spawn_many_local::<S>(SCALE.light_tasks);
    workloads::spawn_recursively::<S>(SCALE.tasks, SCALE.steps);
    workloads::yields::<S>(SCALE.tasks, SCALE.steps);
    workloads::channels::<S>(Ring::new(SCALE.tasks), SCALE.steps);
    for seed in 0..20 {
        workloads::web_server::<S>(Shop::new(SCALE.tasks, SCALE.steps, seed::DEFAULT + seed));
    }
}

/// The workloads time the executor's drop, so it must be one that leaves nothing behind.
fn a_dropped_executor_drops_its_tasks<S: LocalSubject>() {
    let held = Rc::new(());
    let ex = S::new();
    let task = Rc::clone(&held);
    let handle = S::spawn(&ex, async move {
        pending::<()>().await;
        drop(task);
    });
    S::block_on(&ex, futures_lite::future::yield_now());
    assert_eq!(Rc::strong_count(&held), 2);
    drop(ex);
    assert_eq!(Rc::strong_count(&held), 1);
    core::mem::forget(handle);
}

#[test]
fn selvedge_does_every_workload() {
    every_workload_does_its_work::<Selvedge>();
    a_dropped_executor_drops_its_tasks::<Selvedge>();
}

#[test]
fn async_executor_does_every_workload() {
    every_workload_does_its_work::<AsyncExecutor>();
    a_dropped_executor_drops_its_tasks::<AsyncExecutor>();
}

#[test]
fn tokio_does_every_workload() {
    every_workload_does_its_work::<Tokio>();
    a_dropped_executor_drops_its_tasks::<Tokio>();
}
