//! Spawning by the trait of `futures-task`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use futures_task::{FutureObj, Spawn};
use selvedge_executor::{Executor, StaticExecutor};

/// A future that adds one to a counter.
fn counting(counter: &Arc<AtomicUsize>) -> FutureObj<'static, ()> {
    let counter = counter.clone();
    Box::pin(async move { _ = counter.fetch_add(1, Relaxed) }).into()
}

/// What a library does that knows the trait alone.
fn library(spawn: &dyn Spawn, counter: &Arc<AtomicUsize>) {
    assert!(spawn.status().is_ok());
    spawn.spawn_obj(counting(counter)).unwrap();
}

#[test]
fn what_a_library_spawns_runs_detached() {
    static EX: StaticExecutor = StaticExecutor::new();
    let counter = Arc::new(AtomicUsize::new(0));
    let ex = Executor::new();
    library(&ex, &counter);
    library(&ex.spawner(), &counter);
    library(&&EX, &counter);
    assert_eq!(counter.load(Relaxed), 0, "nothing is polled where it is spawned");
    while ex.try_tick() || EX.try_tick() {}
    assert_eq!(counter.load(Relaxed), 3);
    assert!(ex.is_empty());
}

#[test]
fn a_spawner_whose_executor_is_gone_says_so_and_drops_the_future() {
    let counter = Arc::new(AtomicUsize::new(0));
    let spawner = Executor::new().spawner();
    assert!(spawner.status().unwrap_err().is_shutdown());
    assert!(spawner.spawn_obj(counting(&counter)).unwrap_err().is_shutdown());
    assert_eq!(Arc::strong_count(&counter), 1);
    assert_eq!(counter.load(Relaxed), 0);
}
