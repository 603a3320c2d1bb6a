//! A plain word that only the owner of an array touches.

use selvedge_sync::cell::UnsafeCell;

/// Lies in memory that wakers share, and is none of their business.
#[derive(Debug)]
pub(crate) struct OwnerWord(UnsafeCell<usize>);

impl OwnerWord {
    selvedge_sync::const_fn! {
        /// Zero.
        pub(crate) const fn new() -> Self {
            Self(UnsafeCell::new(0))
        }
    }

    /// Reads it.
    ///
    /// # Safety
    ///
    /// The caller borrows the owner.
    #[inline]
    pub(crate) unsafe fn get(&self) -> usize {
        // SAFETY: writers borrow the owner exclusively.
        self.0.with(|word| unsafe { *word })
    }

    /// Replaces it, and gives what was there.
    ///
    /// # Safety
    ///
    /// The caller borrows the owner exclusively.
    #[inline]
    pub(crate) unsafe fn replace(&self, value: usize) -> usize {
        // SAFETY: nobody else borrows the owner.
        self.0.with_mut(|word| unsafe { core::mem::replace(&mut *word, value) })
    }
}
