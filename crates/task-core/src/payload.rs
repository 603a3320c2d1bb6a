//! Panics that nobody is left to be told about.

use core::any::Any;
use core::mem;
use core::panic::AssertUnwindSafe;
use core::task::Waker;
use std::panic::catch_unwind;

/// Drops the payload of a caught panic, whose message the panic hook has shown already.
///
/// A payload whose own destructor panics is leaked after that second message.
pub fn discard(payload: Box<dyn Any + Send>) {
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        mem::forget(second);
    }
}

/// Wakes the caller of a driver.
///
/// A waker that panics must keep neither other sleepers asleep nor unwind into whoever woke a task
/// of ours; the panic hook has told what there is to tell.
pub fn wake(waker: Waker) {
    contain(|| waker.wake());
}

/// Drops the waker of a driver's caller. A panic of it ends with its message.
pub fn drop_waker(waker: Waker) {
    contain(|| drop(waker));
}

/// Calls `body`. A panic of it ends with its message.
pub(crate) fn contain(body: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(body)) {
        discard(panic);
    }
}
