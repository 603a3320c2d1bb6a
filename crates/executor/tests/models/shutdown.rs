//! The drop of the executor against wakes, drops of wakers and spawns.

use std::task::Poll;

use selvedge_executor::scheduler::{Admission, SchedulerRef};
use selvedge_sync::atomic::Ordering;
use selvedge_sync::thread;

use super::books::Books;
use super::executor::Owner;
use super::task::new_task;

#[test]
fn a_wake_during_the_drop_leaves_the_future_to_it() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let waker = owner.borrow().spawn_waiting(true);
        let thread = thread::spawn(move || waker.wake());
        owner.shut_down();
        owner.assert_dropped(1);
        // The scheduler goes while the waking thread may still be inside it.
        drop(owner);
        thread.join().unwrap();
    });
}

#[test]
fn a_waker_that_stays_alive_does_not_hold_up_the_drop() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let waker = owner.borrow().spawn_waiting(true);
        let other = waker.clone();
        let thread = thread::spawn(move || drop(other));
        owner.shut_down();
        owner.assert_dropped(1);
        drop(owner);
        thread.join().unwrap();
        waker.wake();
    });
}

#[test]
fn the_last_waker_dropped_elsewhere_leaves_the_future_to_the_drop() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let waker = owner.borrow().spawn_waiting(false);
        let thread = thread::spawn(move || drop(waker));
        owner.shut_down();
        owner.assert_dropped(1);
        drop(owner);
        thread.join().unwrap();
    });
}

#[test]
fn a_spawner_is_refused_or_its_task_dropped() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let scheduler = SchedulerRef::new(owner.borrow().scheduler());
        let dropped = owner.dropped.clone();
        let thread = thread::spawn(move || match scheduler.admit() {
            Admission::Admitted => {
                scheduler.accept(new_task(
                    Books::of(&scheduler),
                    &dropped,
                    true,
                    Box::new(|_| Poll::Pending),
                ));
                true
            }
            Admission::Closed => false,
        });
        owner.shut_down();
        let dropped = owner.dropped.load(Ordering::Relaxed);
        let admitted = thread.join().unwrap();
        assert_eq!(dropped, usize::from(admitted), "futures dropped when the drop returned");
    });
}

#[test]
fn the_last_of_two_references_frees_the_scheduler_on_any_thread() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let theirs = SchedulerRef::new(owner.borrow().scheduler());
        let thread = thread::spawn(move || {
            let another = theirs.clone();
            drop(theirs);
            drop(another);
        });
        owner.shut_down();
        // The marker inside the scheduler fails the model if nobody frees it.
        drop(owner);
        thread.join().unwrap();
    });
}
