//! Code of a driver's caller that blocks its thread: a main future, and the functions of a waker.

use std::sync::Arc as Memory;
use std::task::{Poll, RawWaker, RawWakerVTable, Wake, Waker};

use selvedge_executor::scheduler::{Caller, Driver, Rest, Sleep, TurnOf};
use selvedge_sync::thread::{self, Parker};

use super::executor::{Borrowed, Owner, Said, put_to_sleep, run_all};

#[test]
fn what_yields_before_a_main_future_that_blocks_runs_on_a_driver_that_goes_to_sleep() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let theirs = ex.clone();
        let thread = thread::spawn(move || {
            let parker = Parker::new();
            let said = Said::new(&parker);
            let mut driver = Driver::with_main(theirs.scheduler(), Caller::Parked);
            driver.polled(TurnOf::Own, |driver, _| {
                let (mut polls, saying) = (0, said.clone());
                theirs.spawn(move |waker| {
                    polls += 1;
                    if polls == 2 {
                        saying.say();
                        return Poll::Ready(());
                    }
                    waker.wake_by_ref();
                    Poll::Pending
                });
                if let Some(runnable) = driver.pop_own() {
                    runnable.run();
                }
                assert!(driver.take_main_woken(), "a new main future is polled once");
                said.wait(&parker);
            });
        });
        ex.drive_until(1, &Parker::new(), &[]);
        thread.join().unwrap();
        owner.shut_down();
    });
}

/// A waker whose clone spawns a task, and blocks until another thread has run it.
struct BlockingClone(Borrowed);

impl BlockingClone {
    const VTABLE: &'static RawWakerVTable =
        &RawWakerVTable::new(Self::clone_waker, |_| (), |_| (), |_| ());

    /// # Safety
    ///
    /// `this` is the data of a `BlockingClone` that is alive.
    unsafe fn clone_waker(this: *const ()) -> RawWaker {
        // SAFETY: passed on to the caller.
        let ex = &unsafe { &*this.cast::<Self>() }.0;
        let parker = Parker::new();
        let said = Said::new(&parker);
        let saying = said.clone();
        ex.spawn(move |_| {
            saying.say();
            Poll::Ready(())
        });
        said.wait(&parker);
        RawWaker::new(this, Self::VTABLE)
    }
}

#[test]
fn a_searcher_whose_callers_waker_blocks_in_clone_leaves_the_work_to_another() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let theirs = ex.clone();
        let thread = thread::spawn(move || {
            // Nested in the poll of another one, so that there is something to search for.
            theirs.driver().polled(TurnOf::Own, |_, _| theirs.drive_until(1, &Parker::new(), &[]));
        });
        let caller = BlockingClone(ex.clone());
        // SAFETY: nobody wakes what is left of this waker when `caller` has gone; all its functions but
        // `clone` do nothing.
        let waker = unsafe { Waker::new((&raw const caller).cast(), BlockingClone::VTABLE) };
        let mut driver = Driver::new(ex.scheduler(), Caller::Foreign);
        let rest = driver.polled(TurnOf::Own, |driver, _| driver.rest(&waker));
        assert!(matches!(rest, Rest::Asleep), "the only task is run elsewhere");
        thread.join().unwrap();
        drop(driver);
        owner.shut_down();
    });
}

/// A waker that blocks whoever wakes it until it is released.
struct BlockingWake {
    inside: Said,
    released: Said,
    parker: Parker,
}

impl Wake for BlockingWake {
    fn wake(self: Memory<Self>) {
        self.inside.say();
        self.released.wait(&self.parker);
    }
}

#[test]
fn a_post_that_is_held_up_in_a_callers_wake_leaves_the_others_to_the_next_post() {
    selvedge_sync::model(|| {
        let owner = Owner::new();
        let ex = owner.borrow();
        let (parker, told, posters) = (Parker::new(), Parker::new(), Parker::new());
        let (inside, released) = (Said::new(&parker), Said::new(&posters));
        let blocks =
            BlockingWake { inside: inside.clone(), released: released.clone(), parker: posters };
        let mut first = Driver::new(ex.scheduler(), Caller::Foreign);
        let waker = Waker::from(Memory::new(blocks));
        let sleep = first.polled(TurnOf::Own, |driver, _| driver.sleep(&waker));
        assert_eq!(sleep, Sleep::Asleep);
        drop(waker);
        let mut second = Driver::new(ex.scheduler(), Caller::Foreign);
        put_to_sleep(&mut second, &told);
        let theirs = ex.clone();
        let thread = thread::spawn(move || theirs.spawn(|_| Poll::Ready(())));
        inside.wait(&parker);
        ex.spawn(|_| Poll::Ready(()));
        told.park();
        released.say();
        thread.join().unwrap();
        second.polled(TurnOf::Own, |driver, _| run_all(driver));
        owner.assert_dropped(2);
        drop((first, second));
        owner.shut_down();
    });
}
