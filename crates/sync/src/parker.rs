//! Parking a thread until its waker is woken.

use alloc::sync::Arc;
use alloc::task::Wake;
use core::cell::Cell;
use core::pin::pin;
use core::task::{Context, Poll, Waker};

use crate::switch::sync::{Condvar, Mutex};

/// Puts the calling thread to sleep until its [`waker`](Parker::waker) is woken.
///
/// A wake before `park` makes that `park` return at once, and any number of wakes count as one. It
/// does not use `std::thread::park`, whose single token belongs to whoever runs on the thread: code
/// inside a future that parks on its own could swallow our wake-up, and we could swallow its.
#[derive(Debug)]
pub struct Parker {
    inner: Arc<Inner>,
    waker: Waker,
}

#[derive(Debug)]
struct Inner {
    notified: Mutex<bool>,
    changed: Condvar,
}

impl Wake for Inner {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let newly_notified = !core::mem::replace(&mut *self.notified.lock(), true);
        if newly_notified {
            self.changed.notify_one();
        }
    }
}

impl Parker {
    /// A parker with nothing to wake up for. One allocation.
    pub fn new() -> Self {
        let inner = Arc::new(Inner { notified: Mutex::new(false), changed: Condvar::new() });
        Self { waker: Waker::from(inner.clone()), inner }
    }

    /// The waker that ends [`park`](Self::park).
    pub fn waker(&self) -> &Waker {
        &self.waker
    }

    /// Sleeps until the waker was woken since the last return.
    pub fn park(&self) {
        let mut notified = self.inner.notified.lock();
        while !core::mem::replace(&mut *notified, false) {
            notified = self.inner.changed.wait(notified);
        }
    }
}

impl Default for Parker {
    fn default() -> Self {
        Self::new()
    }
}

crate::thread_local! {
    // The thread's spare parker. Taken while in use, so that a nested call gets one of its own.
    static SPARE: Cell<Option<Parker>> = const { Cell::new(None) };
}

/// Polls `future` on this thread until it completes, sleeping while it waits.
///
/// Allocates once per thread and nesting level.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    with_parker(|parker| {
        let mut cx = Context::from_waker(parker.waker());
        loop {
            if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
                return output;
            }
            parker.park();
        }
    })
}

/// Lends the thread's spare parker, or a new one where that is in use or already destroyed.
fn with_parker<R>(body: impl FnOnce(&Parker) -> R) -> R {
    let parker = SPARE.try_with(Cell::take).ok().flatten().unwrap_or_default();
    let result = body(&parker);
    // A wake that came late only makes the next first `park` return early.
    let _ = SPARE.try_with(|spare| spare.set(Some(parker)));
    result
}
