//! An executor of the models, and its drivers.

use std::ptr::NonNull;
use std::sync::Arc as Memory;
use std::task::{Poll, Waker};

use selvedge_executor::scheduler::{Caller, Driver, Scheduler, Sleep, TurnOf};
use selvedge_sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use selvedge_sync::cell::UnsafeCell;
use selvedge_sync::thread::Parker;

use super::books::{Books, TaskScheduler};
use super::task::{ModelRunnable, new_task};

/// An executor, as the thread of the model that will drop it holds it.
pub(super) struct Owner {
    scheduler: NonNull<TaskScheduler>,
    pub(super) dropped: Memory<AtomicUsize>,
}

/// The same on another thread, which ends before the owner drops the executor.
#[derive(Clone)]
pub(super) struct Borrowed {
    scheduler: NonNull<TaskScheduler>,
    pub(super) dropped: Memory<AtomicUsize>,
}

// SAFETY: the scheduler is `Sync`.
unsafe impl Send for Borrowed {}

impl Owner {
    pub(super) fn new() -> Self {
        Self { scheduler: TaskScheduler::new(), dropped: Memory::new(AtomicUsize::new(0)) }
    }

    pub(super) fn borrow(&self) -> Borrowed {
        Borrowed { scheduler: self.scheduler, dropped: self.dropped.clone() }
    }

    pub(super) fn shut_down(&self) {
        // SAFETY: alive until `drop`.
        unsafe { self.scheduler.as_ref() }.shut_down();
    }

    pub(super) fn assert_dropped(&self, count: usize) {
        assert_eq!(self.dropped.load(Ordering::Relaxed), count, "futures dropped so far");
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        // SAFETY: the one reference that `new` made.
        unsafe { Scheduler::release(self.scheduler) };
    }
}

impl Borrowed {
    pub(super) fn scheduler(&self) -> &'static TaskScheduler {
        // SAFETY: the owner outlives this.
        unsafe { self.scheduler.as_ref() }
    }

    pub(super) fn spawn(&self, future: impl FnMut(&Waker) -> Poll<()> + Send + 'static) {
        let scheduler = self.scheduler();
        scheduler.spawn(|| new_task(Books::of(scheduler), &self.dropped, true, Box::new(future)));
    }

    pub(super) fn driver(&self) -> Driver<'static, ModelRunnable> {
        Driver::new(self.scheduler(), Caller::Parked)
    }

    /// Drives until so many futures were dropped, sleeping meanwhile; then wakes `others`, who wait for
    /// the same.
    pub(super) fn drive_until(&self, dropped: usize, parker: &Parker, others: &[Waker]) {
        let mut driver = self.driver();
        while self.dropped.load(Ordering::Acquire) < dropped {
            if run_one_or_sleep(&mut driver, parker) == Sleep::Asleep {
                parker.park();
            }
        }
        drop(driver);
        others.iter().for_each(Waker::wake_by_ref);
    }

    /// Runs what is ready now, as a driver that is gone at once.
    pub(super) fn run_ready(&self) {
        self.driver().polled(TurnOf::Own, |driver, _| run_all(driver));
    }

    /// Spawns a task that never completes, polls it once, and gives its waker.
    pub(super) fn spawn_waiting(&self, keeps_dormant: bool) -> Waker {
        let (sender, receiver) = std::sync::mpsc::channel();
        let scheduler = self.scheduler();
        let future = move |waker: &Waker| {
            sender.send(waker.clone()).unwrap();
            Poll::Pending
        };
        scheduler.spawn(|| {
            new_task(Books::of(scheduler), &self.dropped, keeps_dormant, Box::new(future))
        });
        self.run_ready();
        receiver.try_recv().expect("the task was polled")
    }
}

pub(super) fn run_all(driver: &mut Driver<'_, ModelRunnable>) {
    while let Some(runnable) = driver.next_item() {
        runnable.run();
    }
}

pub(super) fn run_one_or_sleep(driver: &mut Driver<'_, ModelRunnable>, parker: &Parker) -> Sleep {
    driver.polled(TurnOf::Own, |driver, _| match driver.next_item() {
        Some(runnable) => {
            runnable.run();
            Sleep::WorkArrived
        }
        None => driver.sleep(parker.waker()),
    })
}

/// Runs what comes, sleeping meanwhile, until it is enough.
pub(super) fn move_on(
    driver: &mut Driver<'_, ModelRunnable>,
    parker: &Parker,
    enough: impl Fn() -> bool,
) {
    while !enough() {
        if run_one_or_sleep(driver, parker) == Sleep::Asleep {
            parker.park();
        }
    }
}

/// Puts a driver to sleep that finds nothing.
pub(super) fn put_to_sleep(driver: &mut Driver<'_, ModelRunnable>, parker: &Parker) {
    let sleep = driver.polled(TurnOf::Own, |driver, _| driver.sleep(parker.waker()));
    assert_eq!(sleep, Sleep::Asleep);
}

/// Something that one thread says and another one waits for, by waker.
#[derive(Clone)]
pub(super) struct Said(Memory<AtomicBool>, Waker);

impl Said {
    pub(super) fn new(parker: &Parker) -> Self {
        Self(Memory::new(AtomicBool::new(false)), parker.waker().clone())
    }

    pub(super) fn say(&self) {
        self.0.store(true, Ordering::Release);
        self.1.wake_by_ref();
    }

    pub(super) fn wait(&self, parker: &Parker) {
        while !self.0.load(Ordering::Acquire) {
            parker.park();
        }
    }
}

/// Data that a thread writes before its wake, unsynchronised but for the wake.
pub(super) struct Message(UnsafeCell<usize>);
// SAFETY: the models write it before the wake and read it in the poll that follows.
unsafe impl Sync for Message {}
// SAFETY: as above.
unsafe impl Send for Message {}

impl Message {
    /// Not yet written.
    pub(super) fn new() -> Memory<Self> {
        Memory::new(Self(UnsafeCell::new(0)))
    }

    pub(super) fn write(&self) {
        // SAFETY: nobody reads before the wake.
        self.0.with_mut(|message| unsafe { *message = 7 });
    }

    pub(super) fn read(&self) {
        // SAFETY: the wake that led here came after the write.
        self.0.with(|message| unsafe { assert_eq!(*message, 7) });
    }
}
