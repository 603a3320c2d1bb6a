//! A mutex and a condition variable without poisoning, over those of std or of a checker.

use std::sync::PoisonError;
use std::time::Duration;

use crate::switch::locks;

pub use crate::switch::locks::MutexGuard;

/// `std::sync::Mutex` whose `lock` never fails: a panic under the lock leaves it usable.
#[derive(Debug, Default)]
pub struct Mutex<T>(locks::Mutex<T>);

impl<T> Mutex<T> {
    crate::const_fn! {
        /// An unlocked mutex.
        pub const fn new(value: T) -> Self {
            Self(locks::Mutex::new(value))
        }
    }

    /// Waits for the lock and takes it.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `std::sync::Condvar` for [`Mutex`].
#[derive(Debug, Default)]
pub struct Condvar(locks::Condvar);

impl Condvar {
    crate::const_fn! {
        /// A condition variable that nobody waits on.
        pub const fn new() -> Self {
            Self(locks::Condvar::new())
        }
    }

    /// Releases the lock, waits for a notification, and takes the lock again.
    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
        self.0.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }

    /// Like [`wait`](Self::wait), for `timeout` at most.
    ///
    /// No time passes in a model or under a scheduler: there this waits for the notification alone.
    pub fn wait_timeout<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        timeout: Duration,
    ) -> MutexGuard<'a, T> {
        self.0.wait_timeout(guard, timeout).unwrap_or_else(PoisonError::into_inner).0
    }

    /// Wakes one waiting thread.
    pub fn notify_one(&self) {
        self.0.notify_one();
    }
}
