//! How many hold a block.

use selvedge_sync::atomic::{AtomicUsize, Ordering};

/// The owner and every cloned waker count one each.
#[derive(Debug)]
pub(crate) struct RefCount(AtomicUsize);

/// What is left after a reference was given back.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Released {
    /// It was the last: the caller frees the block.
    Last,
    /// Somebody else holds the block; it may be gone at any moment now.
    Shared,
}

/// Above it the count may be about to overflow: so many clones can only have been forgotten.
const LIMIT: usize = isize::MAX as usize;

impl RefCount {
    selvedge_sync::const_fn! {
        /// The owner's reference alone.
        pub(crate) const fn new() -> Self {
            Self(AtomicUsize::new(1))
        }
    }

    /// One more. Aborts the process on overflow.
    #[inline]
    pub(crate) fn acquire(&self) {
        // Relaxed: the caller reaches the block through a reference that is there already.
        if self.0.fetch_add(1, Ordering::Relaxed) > LIMIT {
            abort();
        }
    }

    /// One less.
    #[inline]
    pub(crate) fn release(&self) -> Released {
        let order = if cfg!(selvedge_mutant = "release_relaxed") {
            Ordering::Relaxed
        } else {
            Ordering::Release
        };
        // ORDERING: Release, partner the load below: whatever this holder did with the block comes
        // before its memory is released.
        if self.0.fetch_sub(1, order) != 1 {
            return Released::Shared;
        }
        if !cfg!(selvedge_mutant = "last_does_not_acquire") {
            // ORDERING: Acquire, partner the decrements of all others, which form one release
            // sequence.
            self.0.load(Ordering::Acquire);
        }
        Released::Last
    }

    /// Whether the caller's reference is the only one, in which case nobody can make another.
    #[inline]
    pub(crate) fn is_sole(&self) -> bool {
        // ORDERING: Acquire, partner `release`, as for the last one.
        self.0.load(Ordering::Acquire) == 1
    }
}

/// Without std, a panic while another one unwinds is what aborts.
#[cold]
fn abort() -> ! {
    struct Twice;
    impl Drop for Twice {
        fn drop(&mut self) {
            panic!("too many clones of the wakers of one array");
        }
    }
    let _twice = Twice;
    panic!("too many clones of the wakers of one array");
}
