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

use self::allocations::warm;
use self::counting_allocator::allocations;
use self::subject::Executor;

#[test]
fn the_first_spawn_allocates_the_scheduler_and_the_injector() {
    let ex = Executor::new();
    assert_eq!(allocations(|| ex.try_tick()), 0, "nothing was spawned");
    let spawn = || ex.spawn(ready(1)).detach();
    assert_eq!(allocations(spawn), 4, "the scheduler, the injector, its block, the task");
    assert_eq!(allocations(spawn), 1);
}

#[test]
fn outside_of_a_driver_every_31st_push_makes_a_block() {
    let ex = warm();
    let mut tasks = Vec::with_capacity(50);
    let cost = allocations(|| ex.spawn_many((0..50).map(ready), &mut tasks));
    assert!((50..=52).contains(&cost), "{cost} allocations for 50 spawns");
}
