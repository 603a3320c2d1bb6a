//! A stand-in for async-task's task, on the façade's atomics, in async-task's order of operations.
//!
//! A detached task whose future is a closure. Its memory lies in a std `Arc`, which loom does not
//! see; the protocol's reference count is the one in `state`. What the executor adds to a task,
//! its scheduler among that, is in `books`, beside this module.

use std::sync::Arc as Memory;
use std::task::{Poll, RawWaker, RawWakerVTable, Waker};

use selvedge_sync::atomic::{AtomicUsize, Ordering};
use selvedge_sync::cell::UnsafeCell;

use super::books::{Body, Books, DormantKey};

const SCHEDULED: usize = 0b001;
const RUNNING: usize = 0b010;
/// Completed or cancelled: async-task treats wakes of both alike.
const CLOSED: usize = 0b100;
const REFERENCE: usize = 0b1000;

pub(crate) struct ModelTask {
    state: AtomicUsize,
    books: Books,
    future: UnsafeCell<Option<Body>>,
    keeps_dormant: bool,
    dormant: UnsafeCell<Option<DormantKey>>,
    dropped: Memory<AtomicUsize>,
}

/// The one permission to run or drop a scheduled task.
pub(crate) struct ModelRunnable(pub(crate) Memory<ModelTask>);

// SAFETY: as async-task's: the future is touched where the one runnable is run or dropped only,
// which a scheduler for futures that are not `Send` does on one thread.
unsafe impl Send for ModelTask {}
// SAFETY: as above.
unsafe impl Sync for ModelTask {}

/// Makes a task that is scheduled for the first time and has been counted.
///
/// `dropped` counts the destructor of its future. `keeps_dormant` is what the executor does; without
/// it the task has no waker but those that its future hands out.
pub(crate) fn new_task(
    books: Books,
    dropped: &Memory<AtomicUsize>,
    keeps_dormant: bool,
    future: Body,
) -> ModelRunnable {
    ModelRunnable(Memory::new(ModelTask {
        state: AtomicUsize::new(SCHEDULED | REFERENCE),
        books,
        future: UnsafeCell::new(Some(future)),
        keeps_dormant,
        dormant: UnsafeCell::new(None),
        dropped: dropped.clone(),
    }))
}

impl ModelTask {
    /// Sets SCHEDULED, and says whether the caller has to send the task to the scheduler.
    fn mark_scheduled(&self) -> bool {
        let mut state = self.state.load(Ordering::Acquire);
        loop {
            if state & CLOSED != 0 {
                return false;
            }
            let new = match state & (SCHEDULED | RUNNING) {
                0 => (state | SCHEDULED) + REFERENCE,
                RUNNING => state | SCHEDULED,
                _ => state,
            };
            match self.state.compare_exchange(state, new, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return state & (SCHEDULED | RUNNING) == 0,
                Err(newer) => state = newer,
            }
        }
    }

    fn drop_future(&self) {
        // SAFETY: the caller runs or drops the one runnable.
        self.future.with_mut(|future| unsafe {
            assert!((*future).take().is_some(), "the future was dropped twice");
        });
        self.dropped.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as above.
        if let Some(key) = self.dormant.with_mut(|dormant| unsafe { (*dormant).take() }) {
            drop(self.books.take_dormant(key));
        }
        self.books.finish_one();
    }

    fn drop_reference(&self) {
        self.state.fetch_sub(REFERENCE, Ordering::AcqRel);
    }
}

impl ModelRunnable {
    pub(crate) fn run(self) {
        let task = self.0.clone();
        std::mem::forget(self);
        let mut state = task.state.load(Ordering::Acquire);
        loop {
            if state & CLOSED != 0 {
                task.drop_future();
                task.state.fetch_and(!SCHEDULED, Ordering::AcqRel);
                return release(task);
            }
            let running = (state & !SCHEDULED) | RUNNING;
            match task.state.compare_exchange(state, running, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => break,
                Err(newer) => state = newer,
            }
        }
        let waker = std::mem::ManuallyDrop::new(borrowed_waker(&task));
        // SAFETY: this is the one runnable.
        let poll = task
            .future
            .with_mut(|future| unsafe { (*future).as_mut().expect("a live future")(&waker) });
        match poll {
            Poll::Ready(()) => {
                task.drop_future();
                let mut state = task.state.load(Ordering::Acquire);
                loop {
                    let done = (state & !RUNNING & !SCHEDULED) | CLOSED;
                    match task.state.compare_exchange(
                        state,
                        done,
                        Ordering::AcqRel,
                        Ordering::Acquire,
                    ) {
                        Ok(_) => break,
                        Err(newer) => state = newer,
                    }
                }
                release(task);
            }
            Poll::Pending => {
                task.keep_dormant(&waker);
                if task.state.fetch_and(!RUNNING, Ordering::AcqRel) & SCHEDULED != 0 {
                    let books = task.books.clone();
                    books.schedule_again(adopt(task));
                } else {
                    release(task);
                }
            }
        }
    }
}

impl ModelTask {
    fn keep_dormant(&self, waker: &Waker) {
        // SAFETY: the caller runs the one runnable.
        let missing = self.dormant.with(|dormant| unsafe { (*dormant).is_none() });
        if self.keeps_dormant && missing {
            let key = self.books.keep_dormant(waker.clone());
            // SAFETY: as above.
            self.dormant.with_mut(|dormant| unsafe { *dormant = Some(key) });
        }
    }
}

impl Drop for ModelRunnable {
    fn drop(&mut self) {
        self.0.state.fetch_or(CLOSED, Ordering::AcqRel);
        self.0.drop_future();
        self.0.state.fetch_and(!SCHEDULED, Ordering::AcqRel);
        self.0.drop_reference();
    }
}

/// Gives back the runnable's reference, and the memory that the forgotten runnable held.
fn release(task: Memory<ModelTask>) {
    task.drop_reference();
    // SAFETY: `run` forgot the runnable's own handle on the memory.
    unsafe { Memory::decrement_strong_count(Memory::as_ptr(&task)) };
}

/// Makes the runnable anew that `run` had forgotten.
fn adopt(task: Memory<ModelTask>) -> ModelRunnable {
    // SAFETY: `run` forgot one handle; `task` is another.
    unsafe { Memory::decrement_strong_count(Memory::as_ptr(&task)) };
    ModelRunnable(task)
}

fn borrowed_waker(task: &Memory<ModelTask>) -> Waker {
    // SAFETY: the table keeps a waker's contract; the caller does not drop what it never counted.
    unsafe { Waker::from_raw(RawWaker::new(Memory::as_ptr(task).cast(), &VTABLE)) }
}

static VTABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop_waker);

unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: a waker's data is its task, which is alive.
    let task = unsafe { &*data.cast::<ModelTask>() };
    task.state.fetch_add(REFERENCE, Ordering::Relaxed);
    // SAFETY: the memory's handle count goes with the references.
    unsafe { Memory::increment_strong_count(task) };
    RawWaker::new(data, &VTABLE)
}

unsafe fn wake(data: *const ()) {
    // SAFETY: passed on to the caller.
    unsafe { wake_by_ref(data) };
    // SAFETY: passed on to the caller.
    unsafe { drop_waker(data) };
}

unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: as for `clone`.
    let task = unsafe { &*data.cast::<ModelTask>() };
    if task.mark_scheduled() {
        // SAFETY: the waker keeps the memory.
        unsafe { Memory::increment_strong_count(task) };
        // SAFETY: this is the handle that was just added.
        let runnable = ModelRunnable(unsafe { Memory::from_raw(task) });
        task.books.schedule(runnable);
    }
}

unsafe fn drop_waker(data: *const ()) {
    // SAFETY: the waker held this handle.
    let task = unsafe { Memory::from_raw(data.cast::<ModelTask>()) };
    let left = task.state.fetch_sub(REFERENCE, Ordering::AcqRel) - REFERENCE;
    if left / REFERENCE == 0 && left & CLOSED == 0 {
        // The last reference to a task that nobody can wake: scheduled once more, to be dropped.
        task.state.store(SCHEDULED | CLOSED | REFERENCE, Ordering::Release);
        let books = task.books.clone();
        books.schedule(ModelRunnable(task));
    }
}
