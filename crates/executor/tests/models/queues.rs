//! Items in the queues of drivers, and what travels with them.

use std::sync::Arc as Memory;
use std::task::{Poll, Waker};

use selvedge_executor::scheduler::TurnOf;
use selvedge_sync::thread::{self, Parker};

use super::executor::{Message, Owner};
use super::task::ModelRunnable;

#[test]
fn what_is_pushed_is_popped_or_stolen_once() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let theirs = ex.clone();
        let thread = thread::spawn(move || theirs.run_ready());
        ex.driver().polled(TurnOf::Own, |driver, _| {
            // More than the first ring holds.
            for _ in 0..3 {
                ex.spawn(|_| Poll::Ready(()));
            }
            if let Some(runnable) = driver.pop_own() {
                runnable.run();
            }
        });
        thread.join().unwrap();
        ex.run_ready();
        owner.assert_dropped(3);
        owner.shut_down();
    });
}

#[test]
fn two_thieves_share_what_one_driver_has_left() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        ex.driver().polled(TurnOf::Own, |_, _| {
            for _ in 0..3 {
                ex.spawn(|_| Poll::Ready(()));
            }
        });
        let theirs = ex.clone();
        let thread = thread::spawn(move || theirs.run_ready());
        ex.run_ready();
        thread.join().unwrap();
        ex.run_ready();
        owner.assert_dropped(3);
        owner.shut_down();
    });
}

#[test]
fn what_a_thread_wrote_before_its_wake_is_visible_to_the_poll() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let message = Message::new();
        let waker = Memory::new(std::sync::Mutex::new(None));
        let (read, slot) = (message.clone(), waker.clone());
        ex.spawn(move |waker| {
            if slot.lock().unwrap().replace(waker.clone()).is_none() {
                return Poll::Pending;
            }
            read.read();
            Poll::Ready(())
        });
        ex.run_ready();
        let waker: Waker = waker.lock().unwrap().clone().unwrap();
        let theirs = ex.clone();
        let thread = thread::spawn(move || {
            // On a driver of its own, from whose queue the task is stolen.
            theirs.driver().polled(TurnOf::Own, |_, _| {
                message.write();
                waker.wake();
            });
        });
        ex.drive_until(1, &Parker::new(), &[]);
        thread.join().unwrap();
        owner.shut_down();
    });
}

#[test]
fn two_thieves_and_the_owner_meet_over_one_item() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let mut driver = ex.driver();
        let thieves: [_; 2] = core::array::from_fn(|_| {
            let theirs = ex.clone();
            // One look, so that there is no more than the meeting.
            thread::spawn(move || {
                theirs.driver().polled(TurnOf::Own, |driver, _| {
                    driver.next_item().into_iter().for_each(ModelRunnable::run);
                });
            })
        });
        driver.polled(TurnOf::Own, |_, _| ex.spawn(|_| Poll::Ready(())));
        thieves.into_iter().for_each(|thief| thief.join().unwrap());
        ex.run_ready();
        owner.assert_dropped(1);
        drop(driver);
        owner.shut_down();
    });
}

#[test]
fn who_counts_the_tasks_never_sees_an_end_without_its_beginning() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let mut driver = ex.driver();
        let theirs = ex.clone();
        let thief = thread::spawn(move || {
            theirs.driver().polled(TurnOf::Own, |driver, _| {
                driver.next_item().into_iter().for_each(ModelRunnable::run);
            });
        });
        let theirs = ex.clone();
        let counter = thread::spawn(move || {
            assert!(theirs.scheduler().queued() <= 1);
            assert!(theirs.scheduler().unfinished() <= 1);
        });
        driver.polled(TurnOf::Own, |_, _| ex.spawn(|_| Poll::Ready(())));
        thief.join().unwrap();
        counter.join().unwrap();
        drop(driver);
        ex.run_ready();
        owner.shut_down();
    });
}

#[test]
fn a_thief_that_was_overtaken_never_takes_what_is_not_there() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let mut driver = ex.driver();
        let spawn = || ex.spawn(|_| Poll::Ready(()));
        driver.polled(TurnOf::Own, |_, _| spawn());
        let thieves = [2, 1].map(|looks| {
            let theirs = ex.clone();
            thread::spawn(move || {
                theirs.driver().polled(TurnOf::Own, |driver, _| {
                    for _ in 0..looks {
                        driver.next_item().into_iter().for_each(ModelRunnable::run);
                    }
                });
            })
        });
        driver.polled(TurnOf::Own, |_, _| spawn());
        thieves.into_iter().for_each(|thief| thief.join().unwrap());
        ex.run_ready();
        owner.assert_dropped(2);
        drop(driver);
        owner.shut_down();
    });
}
