//! What a scheduler queues.

use core::ptr::NonNull;

use async_task::Runnable;

/// A thing that is one pointer wide and may run on any thread.
///
/// The rings of the drivers keep it in an atomic word, so that a thief may look at a word that is
/// being written and find out afterwards that it was too late.
pub trait Item: Send + Sized {
    /// Gives up ownership for a pointer.
    fn into_raw(self) -> NonNull<()>;

    /// Takes ownership back.
    ///
    /// # Safety
    ///
    /// `raw` came from [`into_raw`](Self::into_raw), and is taken back once.
    unsafe fn from_raw(raw: NonNull<()>) -> Self;
}

impl Item for Runnable {
    #[inline]
    fn into_raw(self) -> NonNull<()> {
        Runnable::into_raw(self)
    }

    #[inline]
    unsafe fn from_raw(raw: NonNull<()>) -> Self {
        // SAFETY: passed on to the caller.
        unsafe { Runnable::from_raw(raw) }
    }
}
