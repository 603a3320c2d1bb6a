//! An event that one thread waits for and any thread sets.

use std::time::Instant;

use crate::mutex::{Condvar, Mutex};

/// Set by any thread, waited for by one; a wait uses it up.
///
/// It does not use `std::thread::park`, whose single token belongs to whoever runs on the thread:
/// code of a user that parks on its own could swallow our wake-up, and we could swallow its.
#[derive(Debug)]
pub struct Event {
    set: Mutex<bool>,
    changed: Condvar,
}

impl Event {
    crate::const_fn! {
        /// An event that was not set yet.
        pub const fn new() -> Self {
            Self { set: Mutex::new(false), changed: Condvar::new() }
        }
    }

    /// Sets it, and wakes the thread that waits. Any number of calls before a wait count as one.
    pub fn set(&self) {
        let newly_set = !core::mem::replace(&mut *self.set.lock(), true);
        if newly_set {
            self.changed.notify_one();
        }
    }

    /// Sleeps until it was set since the last wait that returned for that.
    pub fn wait(&self) {
        let mut set = self.set.lock();
        while !core::mem::replace(&mut *set, false) {
            set = self.changed.wait(set);
        }
    }

    /// Like [`wait`](Self::wait), until `deadline` at the latest; whether it was set.
    ///
    /// In a model no time passes, and no deadline either.
    pub fn wait_until(&self, deadline: Instant) -> bool {
        let mut set = self.set.lock();
        loop {
            if core::mem::replace(&mut *set, false) {
                return true;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            set = self.changed.wait_timeout(set, left);
        }
    }
}

impl Default for Event {
    fn default() -> Self {
        Self::new()
    }
}
