//! Drivers that were woken to search, on whom posts rely.

use std::cell::Cell;
use std::task::{Poll, Waker};

use selvedge_executor::scheduler::{Caller, Driver, Sleep, TurnOf};
use selvedge_sync::atomic::Ordering;
use selvedge_sync::thread::{self, Parker};

use super::executor::{Borrowed, Owner, Said, move_on, put_to_sleep, run_all};
use super::task::ModelRunnable;

#[test]
fn a_notified_driver_that_is_dropped_passes_its_notification_on() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let theirs = ex.clone();
        let parker = Parker::new();
        let mut first = ex.driver();
        // Before the other one, or after it, so that either may be the one that is woken.
        let posting = ex.clone();
        let thread = thread::spawn(move || theirs.drive_until(1, &Parker::new(), &[]));
        put_to_sleep(&mut first, &parker);
        posting.spawn(|_| Poll::Ready(()));
        drop(first);
        thread.join().unwrap();
        owner.shut_down();
    });
}

/// One driver sleeps on a thread of its own until a task has ended. Another one, on this thread, went to
/// sleep after it, so it is the one that is woken for what `post` spawns; `body` is then its poll.
fn two_drivers_sleep(
    post: impl FnOnce(&Borrowed),
    body: impl FnOnce(&mut Driver<'_, ModelRunnable>),
) {
    let owner = Owner::new();
    let ex = owner.borrow();
    let (parker, others) = (Parker::new(), Parker::new());
    let mut other = ex.driver();
    put_to_sleep(&mut other, &others);
    let dropped = ex.dropped.clone();
    let thread = thread::spawn(move || {
        others.park();
        move_on(&mut other, &others, || dropped.load(Ordering::Acquire) >= 1);
    });
    let mut driver = Driver::with_main(ex.scheduler(), Caller::Parked);
    assert!(driver.take_main_woken());
    put_to_sleep(&mut driver, &parker);
    post(&ex);
    parker.park();
    driver.polled(TurnOf::Own, |driver, _| body(driver));
    thread.join().unwrap();
    drop(driver);
    ex.run_ready();
    owner.shut_down();
}

/// Of two tasks the first blocks its thread until the second one has run.
fn spawn_two(ex: &Borrowed) {
    let waits = Parker::new();
    let said = Said::new(&waits);
    let saying = said.clone();
    ex.spawn(move |_| {
        said.wait(&waits);
        Poll::Ready(())
    });
    ex.spawn(move |_| {
        saying.say();
        Poll::Ready(())
    });
}

#[test]
fn the_last_searcher_that_finds_work_wakes_another_driver_for_the_rest() {
    selvedge_sync::model(|| {
        two_drivers_sleep(spawn_two, |driver| driver.next_item().expect("two tasks wait").run());
    });
}

#[test]
fn a_searcher_that_runs_what_it_has_moved_to_its_queue_wakes_another_for_the_rest() {
    selvedge_sync::model(|| {
        two_drivers_sleep(spawn_two, |driver| {
            driver.look_around();
            driver.pop_own().expect("two tasks wait").run();
        });
    });
}

#[test]
fn a_searcher_that_stays_awake_wakes_another_driver_for_what_it_leaves() {
    selvedge_sync::model(|| {
        two_drivers_sleep(spawn_two, |driver| {
            assert_eq!(driver.sleep(Waker::noop()), Sleep::WorkArrived);
            driver.next_item().expect("two tasks wait").run();
        });
    });
}

#[test]
fn a_searcher_whose_main_future_is_polled_leaves_the_work_to_another() {
    selvedge_sync::model(|| {
        let waits = Parker::new();
        let said = Said::new(&waits);
        let saying = said.clone();
        let spawn_one = |ex: &Borrowed| {
            ex.spawn(move |_| {
                saying.say();
                Poll::Ready(())
            });
        };
        two_drivers_sleep(spawn_one, |driver| {
            driver.main_waker().wake_by_ref();
            assert!(driver.take_main_woken());
            // As a main future that blocks its thread.
            said.wait(&waits);
        });
    });
}

/// The post goes to a driver's queue: the injector's operations are sequentially consistent, and would
/// make up for a fence that is missing.
#[test]
fn what_a_driver_posts_while_a_searcher_ceases_wakes_another_driver() {
    selvedge_sync::model(|| {
        let (waits, posters) = (Parker::new(), Parker::new());
        let (said, posters_said) = (Said::new(&waits), Said::new(&posters));
        let saying = [said.clone(), posters_said.clone()];
        let post = |ex: &Borrowed| {
            ex.spawn(move |_| {
                said.wait(&waits);
                Poll::Ready(())
            });
            let theirs = ex.clone();
            thread::spawn(move || {
                theirs.driver().polled(TurnOf::Own, |_, _| {
                    theirs.spawn(move |_| {
                        saying.iter().for_each(Said::say);
                        Poll::Ready(())
                    });
                    // As a task that blocks its thread.
                    posters_said.wait(&posters);
                });
            })
        };
        let poster = Cell::new(None);
        two_drivers_sleep(
            |ex| poster.set(Some(post(ex))),
            |driver| {
                driver.next_item().expect("the task from outside waits").run();
                poster.take().unwrap().join().unwrap();
            },
        );
    });
}

#[test]
fn a_searcher_that_finds_nothing_counts_no_more() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let parker = Parker::new();
        let mut driver = ex.driver();
        put_to_sleep(&mut driver, &parker);
        // Wakes the driver, which then finds nothing.
        ex.spawn(|_| Poll::Ready(()));
        ex.run_ready();
        parker.park();
        put_to_sleep(&mut driver, &parker);
        let theirs = ex.clone();
        let thread = thread::spawn(move || theirs.spawn(|_| Poll::Ready(())));
        parker.park();
        driver.polled(TurnOf::Own, |driver, _| run_all(driver));
        owner.assert_dropped(2);
        thread.join().unwrap();
        drop(driver);
        owner.shut_down();
    });
}

#[test]
fn what_a_searcher_that_stays_awake_moves_to_its_queue_runs_on_one_that_goes_to_sleep() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let (mut moving, mut driver) = (ex.driver(), ex.driver());
        let (mine, parker) = (Parker::new(), Parker::new());
        put_to_sleep(&mut moving, &parker);
        spawn_two(&ex);
        ex.spawn(|_| Poll::Ready(()));
        parker.park();
        moving.polled(TurnOf::Own, |driver, _| {
            assert_eq!(driver.sleep(Waker::noop()), Sleep::WorkArrived);
            // A post finds the list empty, so nobody seems to sleep from now on.
            ex.spawn(|_| Poll::Ready(()));
            driver.pop_own().expect("what was just spawned").run();
        });
        let (wakes_me, wakes_other) = (mine.waker().clone(), parker.waker().clone());
        let dropped = ex.dropped.clone();
        let thread = thread::spawn(move || {
            move_on(&mut moving, &parker, || dropped.load(Ordering::Acquire) == 4);
            wakes_me.wake();
        });
        move_on(&mut driver, &mine, || ex.dropped.load(Ordering::Acquire) == 4);
        wakes_other.wake();
        thread.join().unwrap();
        drop(driver);
        owner.assert_dropped(4);
        owner.shut_down();
    });
}
