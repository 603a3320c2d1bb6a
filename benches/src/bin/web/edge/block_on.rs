//! A thread that polls a future, and blocks while it is not woken.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;

use super::reactor::Reactor;

/// Runs, and was not woken.
const AWAKE: u8 = 0;
/// Was woken since its future was polled last.
const WOKEN: u8 = 1;
/// Blocks, or is about to.
const PARKED: u8 = 2;
const POLLING: u8 = 3;

/// What a thread blocks on.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(super) enum Blocked {
    Parked = PARKED,
    Polling = POLLING,
}

/// The target of the waker of a thread's future.
#[derive(Debug)]
pub(super) struct Blocker {
    state: AtomicU8,
    thread: thread::Thread,
    reactor: &'static Reactor,
}

impl Reactor {
    /// Polls a future until it completes; between its wakes, waits for sockets.
    pub(crate) fn block_on<F: Future>(&'static self, future: F) -> F::Output {
        let mut future = pin!(future);
        let blocker = Arc::new(Blocker {
            state: AtomicU8::new(AWAKE),
            thread: thread::current(),
            reactor: self,
        });
        let waker = Waker::from(Arc::clone(&blocker));
        let mut cx = Context::from_waker(&waker);
        loop {
            if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
                return output;
            }
            if blocker.is_woken() {
                // It has more to do, and lets others have a turn.
                self.glance();
            } else {
                self.wait(&blocker);
            }
            blocker.take_woken();
        }
    }
}

impl Blocker {
    pub(super) fn is_woken(&self) -> bool {
        // ORDERING: none needed, for `take_woken` follows before anything is looked at.
        self.state.load(Ordering::Relaxed) == WOKEN
    }

    fn take_woken(&self) {
        // ORDERING: Acquire, from `wake_by_ref`: what the future was woken for is visible to its poll.
        self.state.swap(AWAKE, Ordering::Acquire);
    }

    /// Announces that the thread blocks, unless it was woken. Wakes have to get it out of there from now on.
    pub(super) fn begin(&self, blocked: Blocked) -> bool {
        let to = blocked as u8;
        self.state.compare_exchange(AWAKE, to, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// The thread does not block any more. Whether it was not woken.
    pub(super) fn end(&self, blocked: Blocked) -> bool {
        let from = blocked as u8;
        self.state.compare_exchange(from, AWAKE, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Gets the thread out of its park, and leaves its future unpolled.
    pub(super) fn unpark(&self) {
        self.thread.unpark();
    }
}

impl Wake for Blocker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // ORDERING: Release, to `take_woken`. All that changes the state meanwhile are read-modify-writes.
        match self.state.swap(WOKEN, Ordering::Release) {
            PARKED => self.thread.unpark(),
            POLLING => self.reactor.interrupt(),
            _ => {}
        }
    }
}
