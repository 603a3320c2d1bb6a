//! The entries in which wakers of waiting tasks are kept, under drivers that end each other's tasks.

use std::sync::mpsc::channel;
use std::task::{Poll, Waker};

use selvedge_executor::scheduler::TurnOf;
use selvedge_sync::thread;

use super::executor::{Borrowed, Owner, run_all};

/// Spawns a task that waits once, and gives its waker to `told`.
fn spawn_waiting_once(ex: &Borrowed, told: std::sync::mpsc::Sender<Waker>) {
    let mut waited = false;
    ex.spawn(move |waker| {
        if std::mem::replace(&mut waited, true) {
            return Poll::Ready(());
        }
        told.send(waker.clone()).unwrap();
        Poll::Pending
    });
}

#[test]
fn an_entry_that_is_emptied_on_another_driver_is_used_again() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let (told, wakers) = channel();
        // Holds the slot in which the first task's waker is.
        let mut driver = ex.driver();
        spawn_waiting_once(&ex, told.clone());
        driver.polled(TurnOf::Own, |driver, _| run_all(driver));
        wakers.recv().unwrap().wake();
        let theirs = ex.clone();
        let thread = thread::spawn(move || theirs.run_ready());
        driver.polled(TurnOf::Own, |driver, _| {
            spawn_waiting_once(&ex, told);
            driver.pop_own().into_iter().for_each(|runnable| runnable.run());
        });
        thread.join().unwrap();
        ex.run_ready();
        wakers.try_iter().for_each(Waker::wake);
        ex.run_ready();
        owner.assert_dropped(2);
        drop(driver);
        owner.shut_down();
    });
}

#[test]
fn two_drivers_that_empty_entries_of_a_third_lose_none() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let (told, wakers) = channel();
        let mut driver = ex.driver();
        for _ in 0..2 {
            spawn_waiting_once(&ex, told.clone());
        }
        driver.polled(TurnOf::Own, |driver, _| run_all(driver));
        wakers.try_iter().for_each(Waker::wake);
        let theirs = ex.clone();
        let thread = thread::spawn(move || theirs.run_ready());
        ex.run_ready();
        thread.join().unwrap();
        owner.assert_dropped(2);
        // Both entries, and the third that was made with the second, are there for the next three.
        driver.polled(TurnOf::Own, |driver, _| {
            for _ in 0..3 {
                spawn_waiting_once(&ex, told.clone());
            }
            run_all(driver);
        });
        drop(driver);
        drop(wakers);
        owner.shut_down();
        owner.assert_dropped(5);
    });
}
