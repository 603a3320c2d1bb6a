//! Parking a thread until its waker is woken.

use alloc::sync::Arc;
use alloc::task::Wake;
use core::cell::Cell;
use core::pin::pin;
use core::task::{Context, Poll, Waker};
use std::time::Instant;

use crate::event::Event;

/// Puts the calling thread to sleep until its [`waker`](Parker::waker) is woken.
///
/// A wake before `park` makes that `park` return at once, and any number of wakes count as one.
#[derive(Debug)]
pub struct Parker {
    inner: Arc<Inner>,
    waker: Waker,
}

#[derive(Debug)]
struct Inner(Event);

impl Wake for Inner {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.set();
    }
}

impl Parker {
    /// A parker with nothing to wake up for. One allocation.
    pub fn new() -> Self {
        let inner = Arc::new(Inner(Event::new()));
        Self { waker: Waker::from(inner.clone()), inner }
    }

    /// The waker that ends [`park`](Self::park).
    pub fn waker(&self) -> &Waker {
        &self.waker
    }

    /// Sleeps until the waker was woken since the last return.
    pub fn park(&self) {
        self.inner.0.wait();
    }

    /// Like [`park`](Self::park), until `deadline` at the latest; whether the waker was woken.
    ///
    /// In a model no time passes, and no deadline either.
    pub fn park_until(&self, deadline: Instant) -> bool {
        self.inner.0.wait_until(deadline)
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

/// Like [`block_on`], until `deadline` at the latest: `None` then. It polls once in any case, and
/// once more after the deadline.
pub fn block_on_until<F: Future>(future: F, deadline: Instant) -> Option<F::Output> {
    let mut future = pin!(future);
    with_parker(|parker| {
        let mut cx = Context::from_waker(parker.waker());
        let mut in_time = true;
        loop {
            if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
                return Some(output);
            }
            if !in_time {
                return None;
            }
            in_time = parker.park_until(deadline);
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
