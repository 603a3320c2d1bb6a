//! Bounds and policies.

use selvedge_dispatcher::{LaunchErrorKind, Overflow, TaskError, Unmanned};
use selvedge_sync::thread::{self, block_on};

use super::{Log, shut};

const DRAINED: u64 = u64::MAX;

#[test]
fn two_producers_share_one_place_behind_a_shut_gate() {
    selvedge_sync::model(|| {
        let (worker, guard) = shut(1);
        let log = Log::new();
        let threads = [1, 2].map(|number| {
            let (guard, task) = (guard.clone(), log.task(number));
            thread::spawn(move || guard.launch(task).map_err(|it| it.kind()))
        });
        let mut results = threads.map(|thread| thread.join().unwrap());
        results.sort_by_key(Result::is_err);
        assert_eq!(results, [Ok(()), Err(LaunchErrorKind::Full)]);
        guard.open().unwrap();
        worker.work(1);
        assert_eq!((log.get().len(), guard.stats().turned_away), (1, 1));
    });
}

#[test]
fn a_full_queue_has_room_as_soon_as_its_task_has_started() {
    selvedge_sync::model(|| {
        let worker = Unmanned::new(1, Some(1), Overflow::Reject);
        let guard = worker.guard();
        guard.open().unwrap();
        let log = Log::new();
        let (other, first, second) = (guard.clone(), log.task(1), log.task(2));
        let producer = thread::spawn(move || {
            other.launch(first).unwrap();
            match other.launch(second) {
                Ok(()) => 2,
                Err(refused) => {
                    assert_eq!(refused.kind(), LaunchErrorKind::Full);
                    1
                }
            }
        });
        worker.work(1);
        let accepted = producer.join().unwrap();
        worker.work(accepted);
        assert_eq!(log.get().len() as u64, accepted);
    });
}

#[test]
fn a_blocked_launch_gets_the_place_of_a_task_that_starts() {
    selvedge_sync::model(|| {
        let worker = Unmanned::new(1, Some(1), Overflow::Block);
        let guard = worker.guard();
        let log = Log::new();
        guard.launch(log.task(1)).unwrap();
        guard.open().unwrap();
        let task = log.task(2);
        let producer = thread::spawn(move || guard.launch(task).unwrap());
        worker.work(2);
        producer.join().unwrap();
        assert_eq!(log.get(), [1, 2]);
    });
}

#[test]
fn a_close_gives_a_blocked_launch_its_closure_back() {
    selvedge_sync::model(|| {
        let worker = Unmanned::new(1, Some(1), Overflow::Block);
        let (guard, dispatcher) = (worker.guard(), worker.dispatcher());
        let log = Log::new();
        guard.launch(log.task(1)).unwrap();
        guard.open().unwrap();
        let (other, task) = (guard.clone(), log.task(2));
        let producer = thread::spawn(move || other.launch(task).is_ok());
        // Nobody starts a task before the launch has been answered.
        drop(dispatcher);
        assert!(!producer.join().unwrap());
        worker.work(DRAINED);
        assert_eq!(log.get(), [1]);
    });
}

#[test]
fn the_oldest_task_is_run_or_evicted_and_never_both() {
    selvedge_sync::model(|| {
        let worker = Unmanned::new(1, Some(1), Overflow::DropOldest);
        let guard = worker.guard();
        let log = Log::new();
        let victim = guard.launch_with_handle(log.task(1)).unwrap();
        guard.open().unwrap();
        let task = log.task(2);
        let producer = thread::spawn(move || {
            guard.launch(task).unwrap();
            guard.block_on_queue().unwrap();
            guard.stats().evicted
        });
        worker.work(2);
        match producer.join().unwrap() {
            0 => {
                assert_eq!(log.get(), [1, 2]);
                victim.wait().unwrap();
            }
            _ => {
                assert_eq!(log.get(), [2]);
                assert!(matches!(victim.wait(), Err(TaskError::Evicted)));
            }
        }
    });
}

#[test]
fn an_eviction_wakes_who_waits_for_no_more_than_the_evicted_task() {
    selvedge_sync::model(|| {
        let worker = Unmanned::new(1, Some(1), Overflow::DropOldest);
        let guard = worker.guard();
        guard.open().unwrap();
        guard.launch(|| ()).unwrap();
        let flush = guard.flush();
        let waiter = thread::spawn(move || block_on(flush).unwrap());
        guard.launch(|| ()).unwrap();
        waiter.join().unwrap();
        worker.work(2);
    });
}
