//! Who sees to it that the reactor is attended, while the thread that did so runs tasks.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::block_on::{Blocked, Blocker};

/// How long the thread on watch parks before it looks whether the reactor is attended.
const WATCH: Duration = Duration::from_millis(1);

/// The parked threads.
///
/// One of them is on watch: it wakes up now and then, and takes the reactor over if it is free. Where the
/// reactor was not left in the meantime it gives up its watch, and the thread that leaves the reactor next
/// sends for somebody. So nobody pays for a hand-over to a thread that would find the first one back
/// already, and nothing stirs where nothing happens.
#[derive(Debug, Default)]
pub(super) struct Attendance(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    parked: Vec<Parked>,
    /// How often the reactor was left.
    left: usize,
}

#[derive(Debug)]
struct Parked {
    blocker: Arc<Blocker>,
    watches: bool,
}

impl Attendance {
    /// The reactor was left, by a thread that holds nothing of it any more.
    pub(super) fn left(&self) {
        let mut state = self.lock();
        state.left = state.left.wrapping_add(1);
        state.send_for_a_watch();
    }

    /// Parks until the thread is woken, or has got by `take` what it needs to attend the reactor.
    ///
    /// Whoever has that calls [`left`](Self::left) after it has given it back.
    pub(super) fn park<R>(&self, me: &Arc<Blocker>, take: impl Fn() -> Option<R>) -> Option<R> {
        // Listed before the first look: who leaves the reactor after it finds the thread in the list.
        let mut seen = self.join(me).wrapping_sub(1);
        let taken = loop {
            let taken = take();
            if taken.is_some() {
                break taken;
            }
            let watches = self.keep_watch(me, &mut seen);
            if !me.begin(Blocked::Parked) {
                break None;
            }
            match watches {
                true => thread::park_timeout(WATCH),
                false => thread::park(),
            }
            if !me.end(Blocked::Parked) {
                break None;
            }
        };
        self.leave(me);
        taken
    }

    /// Adds a thread to the list, and says how often the reactor was left.
    fn join(&self, me: &Arc<Blocker>) -> usize {
        let mut state = self.lock();
        state.parked.push(Parked { blocker: Arc::clone(me), watches: false });
        state.left
    }

    /// Whether the thread is on watch: if nobody else is, and the reactor was left since `seen`.
    fn keep_watch(&self, me: &Arc<Blocker>, seen: &mut usize) -> bool {
        let mut state = self.lock();
        let busy = state.left != *seen;
        *seen = state.left;
        let other = |it: &Parked| it.watches && !Arc::ptr_eq(&it.blocker, me);
        let watches = busy && !state.parked.iter().any(other);
        if let Some(it) = state.parked.iter_mut().find(|it| Arc::ptr_eq(&it.blocker, me)) {
            it.watches = watches;
        }
        watches
    }

    fn leave(&self, me: &Arc<Blocker>) {
        let mut state = self.lock();
        let Some(position) = state.parked.iter().position(|it| Arc::ptr_eq(&it.blocker, me)) else {
            return;
        };
        if state.parked.remove(position).watches {
            state.send_for_a_watch();
        }
    }

    /// Whether a thread is parked, and nobody on watch.
    #[cfg(test)]
    pub(super) fn is_unwatched(&self) -> bool {
        let state = self.lock();
        !state.parked.is_empty() && !state.parked.iter().any(|it| it.watches)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Where nobody is on watch, somebody gets up, and has the watch if the reactor is attended after all.
    fn send_for_a_watch(&mut self) {
        if self.parked.iter().any(|it| it.watches) {
            return;
        }
        if let Some(it) = self.parked.first_mut() {
            it.watches = true;
            it.blocker.unpark();
        }
    }
}
