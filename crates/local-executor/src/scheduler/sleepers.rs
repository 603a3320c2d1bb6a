//! The wakers of drivers that have nothing to do.

use core::task::Waker;

use selvedge_sync::sync::Mutex;
use selvedge_task_core::payload;

/// Names a driver in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SleeperId(u64);

impl SleeperId {
    /// The driver that holds the scheduler's first main slot.
    pub(super) const FIRST_SLOT: Self = Self(0);

    /// The name after this one.
    pub(super) fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// A list behind a leaf lock: held for a few instructions, never while a waker is cloned, dropped
/// or woken, for those are foreign code.
///
/// In order of arrival. A thread rarely has more than one driver.
pub(super) struct Sleepers(Mutex<Vec<(SleeperId, Waker)>>);

impl Sleepers {
    /// Nobody sleeps.
    pub(super) fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Adds a driver that is not in the list.
    pub(super) fn insert(&self, id: SleeperId, waker: Waker) {
        self.0.lock().push((id, waker));
    }

    /// Takes a driver out, if it is still there.
    pub(super) fn remove(&self, id: SleeperId) -> Option<Waker> {
        let mut list = self.0.lock();
        let position = list.iter().position(|(sleeper, _)| *sleeper == id)?;
        Some(list.remove(position).1)
    }

    /// Wakes everybody who sleeps now. A driver that comes back meanwhile is not woken again.
    pub(super) fn wake_all(&self) {
        let count =
            if cfg!(selvedge_mutant = "one_sleeper_woken") { 1 } else { self.0.lock().len() };
        for _ in 0..count {
            let Some(waker) = self.pop_front() else { return };
            payload::wake(waker);
        }
    }

    /// Drops all wakers. A panic of one ends with its message.
    pub(super) fn drop_all(&self) {
        loop {
            let Some(waker) = self.pop_front() else { return };
            payload::drop_waker(waker);
        }
    }

    /// Takes the driver that has slept longest.
    fn pop_front(&self) -> Option<Waker> {
        let mut list = self.0.lock();
        (!list.is_empty()).then(|| list.remove(0).1)
    }

    /// Wakes one driver, if it is in the list.
    pub(super) fn wake_one(&self, id: SleeperId) {
        if let Some(waker) = self.remove(id) {
            payload::wake(waker);
        }
    }
}
