#![cfg(selvedge_loom)]
//! Models of the scheduler's protocol, driven by a stand-in for async-task's task.
//!
//! A lost wake-up shows as a deadlock: the owner is parked and nobody is left to wake it.

mod model;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc as Memory;
use std::task::{Poll, Waker};

use selvedge_local_executor::scheduler::{Admission, Scheduler, SchedulerRef, Sleep};
use selvedge_sync::atomic::{AtomicBool, Ordering};
use selvedge_sync::cell::UnsafeCell;
use selvedge_sync::thread::{self, Parker};

use self::model::{Books, Message, Owner, TaskScheduler, new_task};

#[test]
fn a_foreign_wake_reaches_an_owner_that_goes_to_sleep() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let mut thread = None;
        owner.spawn(true, move |waker| match thread.take() {
            None => {
                let waker = waker.clone();
                thread = Some(thread::spawn(move || waker.wake()));
                Poll::Pending
            }
            Some(thread) => {
                thread.join().unwrap();
                Poll::Ready(())
            }
        });
        owner.run_all();
        owner.assert_dropped(1);
    });
}

#[test]
fn what_a_thread_wrote_before_its_wake_is_visible_to_the_poll() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let message = Memory::new(Message(UnsafeCell::new(0)));
        let mut polls = 0;
        owner.spawn(true, move |waker| {
            polls += 1;
            if polls == 1 {
                let (message, waker) = (message.clone(), waker.clone());
                thread::spawn(move || {
                    // SAFETY: nobody reads before the wake.
                    message.0.with_mut(|message| unsafe { *message = 7 });
                    waker.wake();
                });
                return Poll::Pending;
            }
            // SAFETY: the wake that led to this poll came after the write.
            message.0.with(|message| unsafe { assert_eq!(*message, 7) });
            Poll::Ready(())
        });
        owner.run_all();
    });
}

#[test]
fn two_foreign_wakes_around_a_poll_are_both_heeded() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let flags = Memory::new([AtomicBool::new(false), AtomicBool::new(false)]);
        let mut started = false;
        owner.spawn(true, move |waker| {
            if !std::mem::replace(&mut started, true) {
                for index in 0..2 {
                    let (flags, waker) = (flags.clone(), waker.clone());
                    thread::spawn(move || {
                        flags[index].store(true, Ordering::Relaxed);
                        waker.wake();
                    });
                }
            }
            let both = flags.iter().all(|flag| flag.load(Ordering::Relaxed));
            if both { Poll::Ready(()) } else { Poll::Pending }
        });
        owner.run_all();
        owner.assert_dropped(1);
    });
}

#[test]
fn one_thread_that_wakes_two_tasks_in_turn_is_heeded_twice() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let wakers = Rc::new(RefCell::new(Vec::new()));
        for _ in 0..2 {
            let wakers = wakers.clone();
            let mut polls = 0;
            owner.spawn(true, move |waker| {
                polls += 1;
                wakers.borrow_mut().push(waker.clone());
                if polls == 2 { Poll::Ready(()) } else { Poll::Pending }
            });
        }
        owner.run_ready();
        let theirs = wakers.take();
        thread::spawn(move || theirs.into_iter().for_each(Waker::wake));
        owner.run_all();
        owner.assert_dropped(2);
    });
}

#[test]
fn two_threads_that_are_the_first_to_use_the_inbox_share_one() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let threads = [(); 2].map(|()| {
            let scheduler = owner.scheduler.clone();
            let dropped = owner.dropped.clone();
            thread::spawn(move || {
                assert_eq!(scheduler.admit(), Admission::Admitted);
                scheduler.schedule(new_task(
                    Books::of(&scheduler),
                    &dropped,
                    true,
                    Box::new(|_| Poll::Ready(())),
                ));
            })
        });
        for thread in threads {
            thread.join().unwrap();
        }
        owner.run_ready();
        owner.assert_dropped(2);
    });
}

#[test]
fn a_foreign_wake_during_the_drop_leaves_the_future_to_the_owner() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let waker = owner.spawn_waiting(true);
        let thread = thread::spawn(move || waker.wake());
        owner.shut_down();
        owner.assert_dropped(1);
        thread.join().unwrap();
    });
}

#[test]
fn a_waker_that_stays_alive_does_not_hold_up_the_drop() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let waker = owner.spawn_waiting(true);
        let other = waker.clone();
        let thread = thread::spawn(move || drop(other));
        owner.shut_down();
        owner.assert_dropped(1);
        thread.join().unwrap();
        waker.wake();
        owner.assert_dropped(1);
    });
}

#[test]
fn the_last_waker_dropped_elsewhere_leaves_the_future_to_the_owner() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let waker = owner.spawn_waiting(false);
        let thread = thread::spawn(move || drop(waker));
        owner.shut_down();
        owner.assert_dropped(1);
        thread.join().unwrap();
    });
}

#[test]
fn a_remote_spawn_is_refused_or_dropped_by_the_owner() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let scheduler = owner.scheduler.clone();
        let dropped = owner.dropped.clone();
        let thread = thread::spawn(move || match scheduler.admit() {
            Admission::Admitted => {
                scheduler.schedule(new_task(
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
        assert_eq!(owner.scheduler.admit(), Admission::Closed);
    });
}

#[test]
fn a_foreign_wake_reaches_the_one_of_two_sleeping_drivers_that_can_run() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        // Its caller is further down the stack, and will not poll it while the other one waits.
        let blocked = Parker::new();
        let view = owner.scheduler.owner().unwrap();
        let waker = owner.spawn_waiting(true);
        let sleep = view.sleep(view.new_sleeper(), blocked.waker(), || false);
        assert_eq!(sleep, Sleep::Asleep);
        let thread = thread::spawn(move || waker.wake());
        if view.sleep(owner.id, owner.parker.waker(), || false) == Sleep::Asleep {
            owner.parker.park();
        }
        view.forget_sleeper(owner.id);
        assert!(view.next().is_some(), "the woken task is in reach of the driver");
        thread.join().unwrap();
        owner.shut_down();
    });
}

#[test]
fn the_last_of_two_references_frees_the_scheduler_on_any_thread() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let theirs = owner.scheduler.clone();
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

/// Other than above the owner has no reference of its own that it gives up later, so the merge alone
/// orders its use before the release, or everybody else's.
#[test]
fn an_owner_that_lets_go_and_the_last_reference_elsewhere_free_the_scheduler_once() {
    selvedge_sync::model(|| {
        let address = TaskScheduler::new();
        // SAFETY: the scheduler lives until it is abandoned, below.
        let owner = unsafe { address.as_ref() }.owner().unwrap();
        let theirs = SchedulerRef::new(owner);
        let thread = thread::spawn(move || drop(theirs));
        owner.shut_down();
        // SAFETY: once, at the end, on the owner thread.
        unsafe { Scheduler::abandon(address) };
        thread.join().unwrap();
    });
}

#[test]
fn a_main_future_woken_elsewhere_is_polled_and_sees_what_was_written() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let message = Memory::new(Message(UnsafeCell::new(0)));
        let mut thread = None;
        owner.run_main(move |waker| match thread.take() {
            None => {
                let (message, waker) = (message.clone(), waker.clone());
                thread = Some(thread::spawn(move || {
                    // SAFETY: nobody reads before the wake.
                    message.0.with_mut(|message| unsafe { *message = 7 });
                    waker.wake();
                }));
                Poll::Pending
            }
            Some(_) => {
                // SAFETY: the wake that led to this poll came after the write.
                message.0.with(|message| unsafe { assert_eq!(*message, 7) });
                Poll::Ready(())
            }
        });
        owner.shut_down();
    });
}

#[test]
fn a_main_future_woken_here_and_elsewhere_sees_both_wakes() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let flag = Memory::new(AtomicBool::new(false));
        let mut started = false;
        owner.run_main(move |waker| {
            if !std::mem::replace(&mut started, true) {
                let (flag, theirs) = (flag.clone(), waker.clone());
                thread::spawn(move || {
                    flag.store(true, Ordering::Relaxed);
                    theirs.wake();
                });
                waker.wake_by_ref();
            }
            if flag.load(Ordering::Relaxed) { Poll::Ready(()) } else { Poll::Pending }
        });
        owner.shut_down();
    });
}

#[test]
fn a_stale_waker_of_a_finished_driver_never_wakes_its_successor() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let view = owner.scheduler.owner().unwrap();
        let lease = view.lease_slot();
        assert!(lease.take_woken(), "a new main future is polled once");
        let stale = Waker::clone(&lease.waker());
        drop(lease);
        let thread = thread::spawn(move || stale.wake());
        let lease = view.lease_slot();
        assert!(lease.take_woken(), "a new main future is polled once");
        assert!(!lease.take_woken());
        thread.join().unwrap();
        assert!(!lease.take_woken(), "woken by a stranger");
        drop(lease);
        owner.shut_down();
    });
}
