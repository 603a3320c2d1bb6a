//! Spawning by the traits of `futures-task`.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use futures_task::{FutureObj, LocalFutureObj, LocalSpawn, Spawn};
use selvedge_local_executor::LocalExecutor;

fn counting(counter: &Arc<AtomicUsize>) -> FutureObj<'static, ()> {
    let counter = counter.clone();
    Box::pin(async move { _ = counter.fetch_add(1, Relaxed) }).into()
}

fn counting_here(counter: &Rc<Cell<usize>>) -> LocalFutureObj<'static, ()> {
    let counter = counter.clone();
    Box::pin(async move { counter.set(counter.get() + 1) }).into()
}

/// What a library does that knows the traits alone.
fn library(spawn: &(impl Spawn + LocalSpawn), shared: &Arc<AtomicUsize>, here: &Rc<Cell<usize>>) {
    assert!(spawn.status().is_ok() && spawn.status_local().is_ok());
    spawn.spawn_obj(counting(shared)).unwrap();
    spawn.spawn_local_obj(counting_here(here)).unwrap();
}

#[test]
fn what_a_library_spawns_runs_detached() {
    let (shared, here) = (Arc::new(AtomicUsize::new(0)), Rc::new(Cell::new(0)));
    let ex = LocalExecutor::new();
    let leaked = LocalExecutor::new().leak();
    library(&ex, &shared, &here);
    library(&leaked, &shared, &here);
    assert_eq!((shared.load(Relaxed), here.get()), (0, 0), "nothing is polled where it is spawned");
    while ex.try_tick() || leaked.try_tick() {}
    assert_eq!((shared.load(Relaxed), here.get()), (2, 2));
    assert!(ex.is_empty() && leaked.is_empty());
}

#[test]
fn a_library_spawns_from_another_thread_through_a_spawner() {
    let counter = Arc::new(AtomicUsize::new(0));
    let ex = LocalExecutor::new();
    let (spawner, theirs) = (ex.spawner(), counter.clone());
    thread::spawn(move || spawner.spawn_obj(counting(&theirs)).unwrap()).join().unwrap();
    while ex.try_tick() {}
    assert_eq!(counter.load(Relaxed), 1);
}

#[test]
fn a_spawner_whose_executor_is_gone_says_so_and_drops_the_future() {
    let counter = Arc::new(AtomicUsize::new(0));
    let spawner = LocalExecutor::new().spawner();
    assert!(spawner.status().unwrap_err().is_shutdown());
    assert!(spawner.spawn_obj(counting(&counter)).unwrap_err().is_shutdown());
    assert_eq!(Arc::strong_count(&counter), 1);
    assert_eq!(counter.load(Relaxed), 0);
}
