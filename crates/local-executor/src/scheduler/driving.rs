//! Whether the executor is being driven further down the stack.

use core::fmt;

use super::Owner;

/// Marks that a driver is being polled, until it is dropped.
///
/// The borrow of the executor keeps it from being dropped meanwhile, with one exception:
/// `process::exit` in a task runs the destructors of thread-locals above the frames of the driver.
pub(crate) struct Driving<'s, T> {
    owner: Owner<'s, T>,
}

impl<'s, T> Owner<'s, T> {
    /// Marks the start of a driver's poll.
    #[inline]
    pub(crate) fn drive(self) -> Driving<'s, T> {
        self.owned(|owned| owned.drivers_polled += 1);
        Driving { owner: self }
    }

    /// Whether some driver is being polled.
    pub fn is_driven(self) -> bool {
        self.owned(|owned| owned.drivers_polled != 0)
    }
}

impl<T> Drop for Driving<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.owner.owned(|owned| owned.drivers_polled -= 1);
    }
}

impl<T> fmt::Debug for Driving<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Driving").finish_non_exhaustive()
    }
}
