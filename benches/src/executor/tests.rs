//! Every workload on every subject, at a tiny scale.

use core::sync::atomic::AtomicBool;

use super::{
    ExecutorSubject, Scale,
    subjects::{AsyncExecutor, AsyncExecutorStatic, Selvedge, Tokio},
    workloads,
};
use crate::{
    fixtures::{Ring, Shop},
    seed,
    watchdog::watchdog,
};

const SCALE: Scale = Scale::TINY;

fn every_workload_does_its_work<S: ExecutorSubject>() {
    let _watchdog = watchdog();
    for drivers in 1..=3 {
        workloads::driven::<S, _>(drivers, |ex| {
            workloads::spawn_one::<S>(ex);
            workloads::spawn_one_inside::<S>(ex, 3);
            workloads::spawn_batch::<S>(ex, SCALE.batch);
            workloads::spawn_many_local::<S>(ex, SCALE.light_tasks);
            workloads::spawn_recursively::<S>(ex, SCALE.tasks, SCALE.steps);
            workloads::yields::<S>(ex, SCALE.tasks, SCALE.steps);
            workloads::channels::<S>(ex, Ring::new(SCALE.tasks), SCALE.steps);
            for seed in 0..20 {
                let shop = Shop::new(SCALE.tasks, SCALE.steps, seed::DEFAULT + seed);
                workloads::web_server::<S>(ex, shop);
            }
            workloads::ping_pong::<S>(ex, SCALE.round_trips);
            if drivers > 1 {
                let helped: &'static AtomicBool = Box::leak(Box::default());
                for _ in 0..20 {
                    workloads::steal::<S>(ex, helped, SCALE.shared_tasks, SCALE.multiplications);
                }
            }
        });
    }
}

#[test]
fn selvedge_does_every_workload() {
    every_workload_does_its_work::<Selvedge>();
}

#[test]
fn async_executor_does_every_workload() {
    every_workload_does_its_work::<AsyncExecutor>();
}

#[test]
fn the_static_executor_of_async_executor_does_every_workload() {
    every_workload_does_its_work::<AsyncExecutorStatic>();
}

#[test]
fn tokio_does_every_workload() {
    every_workload_does_its_work::<Tokio>();
}
