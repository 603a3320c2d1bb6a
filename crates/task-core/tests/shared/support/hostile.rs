//! Wakers that panic: in wake, in drop, in clone; and what has to work after them.

use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::ptr;
use std::sync::Arc;
use std::task::{RawWakerVTable, Wake, Waker};
use std::thread;

use futures_lite::future::yield_now;

use crate::subject::Executor;

/// Panics when it is woken, or when it is dropped.
pub(crate) struct Hostile {
    in_wake: bool,
    in_drop: bool,
}

impl Hostile {
    pub(crate) fn panics_in_wake() -> Waker {
        Waker::from(Arc::new(Self { in_wake: true, in_drop: false }))
    }

    pub(crate) fn panics_in_drop() -> Waker {
        Waker::from(Arc::new(Self { in_wake: false, in_drop: true }))
    }
}

impl Wake for Hostile {
    fn wake(self: Arc<Self>) {
        if self.in_wake {
            panic_any("woken");
        }
    }
}

impl Drop for Hostile {
    fn drop(&mut self) {
        if self.in_drop && !thread::panicking() {
            panic_any("dropped");
        }
    }
}

/// Panics when it is cloned.
pub(crate) fn panics_in_clone() -> Waker {
    static VTABLE: RawWakerVTable =
        RawWakerVTable::new(|_| panic_any("cloned"), |_| (), |_| (), |_| ());
    // SAFETY: the functions take no notice of the data, and none of them owns anything.
    unsafe { Waker::new(ptr::null(), &VTABLE) }
}

/// What `f` panics with.
pub(crate) fn panics<T>(f: impl FnOnce() -> T) -> &'static str {
    let Err(payload) = catch_unwind(AssertUnwindSafe(f)) else { panic!("no panic") };
    payload.downcast_ref::<&'static str>().copied().expect("a static text")
}

/// Runs a task of this thread, and one of another.
pub(crate) fn still_works(ex: &Executor<'_>) {
    let spawner = ex.spawner();
    let afar = thread::spawn(move || spawner.spawn(yield_now()).unwrap());
    ex.block_on(async {
        ex.spawn(yield_now()).await;
        afar.join().unwrap().await;
    });
}
