//! Posts of work against drivers that go to sleep.

use std::task::{Poll, Waker};

use selvedge_executor::scheduler::{Caller, Driver, Sleep, TurnOf};
use selvedge_sync::atomic::Ordering;
use selvedge_sync::thread::{self, Parker};

use super::executor::{Borrowed, Owner, Said, move_on, put_to_sleep, run_one_or_sleep};
use super::task::ModelRunnable;

#[test]
fn work_from_outside_reaches_a_driver_that_goes_to_sleep() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let theirs = ex.clone();
        let thread = thread::spawn(move || theirs.spawn(|_| Poll::Ready(())));
        ex.drive_until(1, &Parker::new(), &[]);
        thread.join().unwrap();
        owner.shut_down();
    });
}

#[test]
fn what_a_task_wakes_before_it_blocks_runs_on_a_driver_that_goes_to_sleep() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let theirs = ex.clone();
        let parker = Parker::new();
        let thread = thread::spawn(move || {
            let parker = Parker::new();
            let said = Said::new(&parker);
            theirs.driver().polled(TurnOf::Own, |_, _| {
                let saying = said.clone();
                theirs.spawn(move |_| {
                    saying.say();
                    Poll::Ready(())
                });
                // As a task that blocks its thread.
                said.wait(&parker);
            });
        });
        ex.drive_until(1, &parker, &[]);
        thread.join().unwrap();
        owner.shut_down();
    });
}

#[test]
fn what_yields_on_a_driver_that_is_not_polled_again_runs_on_one_that_goes_to_sleep() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let theirs = ex.clone();
        let thread = thread::spawn(move || {
            let mut driver = theirs.driver();
            driver.polled(TurnOf::Own, |driver, _| {
                let mut polls = 0;
                theirs.spawn(move |waker| {
                    polls += 1;
                    if polls == 2 {
                        return Poll::Ready(());
                    }
                    waker.wake_by_ref();
                    Poll::Pending
                });
                if let Some(runnable) = driver.pop_own() {
                    runnable.run();
                }
            });
            // Neither polled nor dropped while the others need what is in its queue.
            driver
        });
        ex.drive_until(1, &Parker::new(), &[]);
        thread.join().unwrap();
        owner.shut_down();
    });
}

#[test]
fn work_reaches_a_driver_whose_fellow_is_told_and_never_polled() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let stalled = Parker::new();
        let mut forsaken = Driver::new(ex.scheduler(), Caller::Foreign);
        put_to_sleep(&mut forsaken, &stalled);
        let parker = Parker::new();
        let mut driver = Driver::new(ex.scheduler(), Caller::Foreign);
        put_to_sleep(&mut driver, &parker);
        let theirs = ex.clone();
        let thread = thread::spawn(move || theirs.spawn(|_| Poll::Ready(())));
        while ex.dropped.load(Ordering::Acquire) == 0 {
            if run_one_or_sleep(&mut driver, &parker) == Sleep::Asleep {
                parker.park();
            }
        }
        thread.join().unwrap();
        drop((driver, forsaken));
        owner.shut_down();
    });
}

#[test]
fn work_from_outside_reaches_one_of_two_drivers_that_go_to_sleep() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let (mine, parker) = (Parker::new(), Parker::new());
        let (wakes_me, wakes_other) = (mine.waker().clone(), parker.waker().clone());
        let (mut driver, mut other) = (ex.driver(), ex.driver());
        let dropped = ex.dropped.clone();
        let drive = move |driver: &mut Driver<'_, _>, parker: &Parker, other: Waker| {
            let dropped = dropped.clone();
            move_on(driver, parker, || dropped.load(Ordering::Acquire) == 1);
            other.wake();
        };
        let theirs = drive.clone();
        let thread = thread::spawn(move || theirs(&mut other, &parker, wakes_me));
        let posting = ex.clone();
        let poster = thread::spawn(move || posting.spawn(|_| Poll::Ready(())));
        drive(&mut driver, &mine, wakes_other);
        poster.join().unwrap();
        thread.join().unwrap();
        drop(driver);
        owner.shut_down();
    });
}

/// `moving` takes work to its own queue, on a thread of its own, and runs the first of it; `driver` is
/// here. Both go on until three futures were dropped.
fn drive_both(
    ex: &Borrowed,
    mut moving: Driver<'static, ModelRunnable>,
    driver: &mut Driver<'_, ModelRunnable>,
) {
    let (mine, parker) = (Parker::new(), Parker::new());
    let (wakes_me, wakes_other) = (mine.waker().clone(), parker.waker().clone());
    let dropped = ex.dropped.clone();
    let thread = thread::spawn(move || {
        moving.polled(TurnOf::Own, |driver, _| {
            driver.look_around();
            if let Some(runnable) = driver.pop_own() {
                runnable.run();
            }
        });
        move_on(&mut moving, &parker, || dropped.load(Ordering::Acquire) == 3);
        wakes_me.wake();
    });
    move_on(driver, &mine, || ex.dropped.load(Ordering::Acquire) == 3);
    wakes_other.wake();
    thread.join().unwrap();
}

#[test]
fn what_a_driver_moves_to_its_queue_runs_on_one_that_goes_to_sleep() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let waits = Parker::new();
        let said = Said::new(&waits);
        let saying = said.clone();
        ex.spawn(|_| Poll::Ready(()));
        ex.spawn(move |_| {
            // As a task that blocks its thread.
            said.wait(&waits);
            Poll::Ready(())
        });
        ex.spawn(move |_| {
            saying.say();
            Poll::Ready(())
        });
        let (moving, mut driver) = (ex.driver(), ex.driver());
        drive_both(&ex, moving, &mut driver);
        drop(driver);
        owner.assert_dropped(3);
        owner.shut_down();
    });
}

#[test]
fn what_a_busy_driver_steals_runs_on_one_that_goes_to_sleep() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        // Nobody polls it any more.
        let mut stalled = ex.driver();
        let (mut busy, mut driver) = (ex.driver(), ex.driver());
        stalled.polled(TurnOf::Own, |_, _| {
            let waits = Parker::new();
            let said = Said::new(&waits);
            let saying = said.clone();
            ex.spawn(move |_| {
                saying.say();
                Poll::Ready(())
            });
            ex.spawn(move |_| {
                // As a task that blocks its thread.
                said.wait(&waits);
                Poll::Ready(())
            });
            ex.spawn(|_| Poll::Ready(()));
        });
        // Looks for the first time, and the second time finds that nothing has moved.
        busy.look_around();
        drive_both(&ex, busy, &mut driver);
        drop((driver, stalled));
        owner.assert_dropped(3);
        owner.shut_down();
    });
}

#[test]
fn what_a_thread_posts_between_two_polls_is_told_to_its_own_driver_if_that_answers() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let parker = Parker::new();
        let mut driver = Driver::new(ex.scheduler(), Caller::Lent);
        put_to_sleep(&mut driver, &parker);
        let theirs = ex.clone();
        let (told, asleep) = (Parker::new(), Parker::new());
        let (tell, sleeps) = (told.waker().clone(), asleep.waker().clone());
        let thread = thread::spawn(move || {
            let mut driver = Driver::new(theirs.scheduler(), Caller::Lent);
            put_to_sleep(&mut driver, &told);
            sleeps.wake();
            // Held up by what the thread does besides.
            while theirs.dropped.load(Ordering::Acquire) == 0 {
                told.park();
            }
        });
        asleep.park();
        ex.spawn(|_| Poll::Ready(()));
        parker.park();
        driver.polled(TurnOf::Own, |driver, _| driver.next_item().expect("a task waits").run());
        tell.wake();
        thread.join().unwrap();
        drop(driver);
        owner.shut_down();
    });
}
