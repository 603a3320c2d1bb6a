//! Allocations per operation: what a spawn costs, and all that costs none.

#[path = "../../task-core/tests/shared/allocations.rs"]
mod allocations;
#[path = "../../sync/tests/shared/counting_allocator.rs"]
mod counting_allocator;
#[path = "../../task-core/tests/shared/support/gate.rs"]
mod gate;
#[path = "support/subject.rs"]
mod subject;

use std::future::ready;

use futures_lite::future::yield_now;

use self::allocations::warm;
use self::counting_allocator::allocations;
use self::gate::Gate;
use self::subject::Executor;

#[test]
fn the_first_use_allocates_the_scheduler_alone() {
    let ex = Executor::new();
    assert_eq!(allocations(|| ex.try_tick()), 1);
    assert_eq!(allocations(|| ex.try_tick()), 0);
    let fresh = Executor::new();
    assert_eq!(allocations(|| fresh.spawn(ready(1)).detach()), 2, "the scheduler and the task");
}

#[test]
fn outside_of_a_driver_a_task_is_one_allocation_too() {
    let ex = warm();
    let awaited = allocations(|| {
        for round in 0..100 {
            let task = ex.spawn(async move {
                yield_now().await;
                round
            });
            assert_eq!(ex.block_on(task), round);
        }
    });
    assert_eq!(awaited, 100);
    assert_eq!(allocations(|| ex.spawn(ready(())).detach()), 1);
    let mut tasks = Vec::with_capacity(50);
    assert_eq!(allocations(|| ex.spawn_many((0..50).map(ready), &mut tasks)), 50);
    let spawner = ex.spawner();
    assert_eq!(allocations(|| spawner.spawn(ready(())).unwrap().detach()), 1);
}

#[test]
fn outside_of_a_driver_wakes_on_the_owner_thread_allocate_nothing() {
    let ex = warm();
    let gate = Gate::new();
    let task = ex.spawn(gate.wait());
    while ex.try_tick() {}
    let cost = allocations(|| {
        for _ in 0..1000 {
            let waker = gate.waker();
            waker.wake_by_ref();
            let clone = waker.clone();
            clone.wake();
            drop(waker);
            assert!(ex.try_tick());
        }
    });
    assert_eq!(cost, 0);
    drop(task);
}
