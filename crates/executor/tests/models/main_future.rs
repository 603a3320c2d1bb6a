//! The main futures of drivers and their wakers.

use std::task::{Poll, Waker};

use selvedge_executor::scheduler::{Caller, Driver, Sleep, TurnOf};
use selvedge_sync::thread::{self, Parker};

use super::executor::{Borrowed, Message, Owner};

/// Runs a main future until it is ready.
fn run_main(ex: &Borrowed, parker: &Parker, mut main: impl FnMut(&Waker) -> Poll<()>) {
    let mut driver = Driver::with_main(ex.scheduler(), Caller::Parked);
    loop {
        let done = driver.polled(TurnOf::Own, |driver, _| {
            if driver.take_main_woken() && main(&driver.main_waker()).is_ready() {
                return true;
            }
            if driver.sleep(parker.waker()) == Sleep::WorkArrived {
                parker.waker().wake_by_ref();
            }
            false
        });
        if done {
            return;
        }
        parker.park();
    }
}

#[test]
fn a_main_future_woken_elsewhere_is_polled_and_sees_what_was_written() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let message = Message::new();
        let mut thread = None;
        run_main(&ex, &Parker::new(), |waker| match thread.take() {
            None => {
                let (message, waker) = (message.clone(), waker.clone());
                thread = Some(thread::spawn(move || {
                    message.write();
                    waker.wake();
                }));
                Poll::Pending
            }
            Some(_) => {
                message.read();
                Poll::Ready(())
            }
        });
        owner.shut_down();
    });
}

#[test]
fn a_stale_waker_of_a_finished_driver_never_wakes_its_successor() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let mut driver = Driver::with_main(ex.scheduler(), Caller::Parked);
        assert!(driver.take_main_woken(), "a new main future is polled once");
        let stale = Waker::clone(&driver.main_waker());
        drop(driver);
        let thread = thread::spawn(move || stale.wake());
        let mut driver = Driver::with_main(ex.scheduler(), Caller::Parked);
        assert!(driver.take_main_woken(), "a new main future is polled once");
        assert!(!driver.take_main_woken());
        thread.join().unwrap();
        assert!(!driver.take_main_woken(), "woken by a stranger");
        drop(driver);
        owner.shut_down();
    });
}

#[test]
fn the_last_of_two_wakers_frees_the_flag_on_any_thread() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let driver = Driver::with_main(ex.scheduler(), Caller::Parked);
        let (one, other) = (Waker::clone(&driver.main_waker()), Waker::clone(&driver.main_waker()));
        drop(driver);
        // Takes the slot's own reference.
        owner.shut_down();
        let thread = thread::spawn(move || one.wake());
        other.wake();
        thread.join().unwrap();
    });
}
