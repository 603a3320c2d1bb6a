//! Thread identity that is cheap to read and never reused.

use core::cell::Cell;
use core::num::NonZeroU64;
use core::sync::atomic::{AtomicU64, Ordering};

/// The number of a thread, unique in the process for ever.
///
/// Reading the own number is one thread-local read; no other thread, dead or to come, has it. (The
/// address of a thread-local would not do: a new thread may be given the block of a dead one.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThreadId(NonZeroU64);

crate::thread_local! {
    // Zero until the thread first asks for its number. Constant and without a destructor, so it can
    // be read at any moment of a thread's life, its last destructors included. (Where thread-locals
    // are emulated, a thread may get a new number in its last destructors: it is then taken for a
    // foreign one, which is always sound.)
    static CURRENT: Cell<u64> = const { Cell::new(0) };
}

/// Handing out numbers orders nothing, so this counter is std's in a model as well: loom then has
/// one object less to interleave.
static LAST: AtomicU64 = AtomicU64::new(0);

impl ThreadId {
    /// The number of the calling thread, given to it now if it has none yet.
    #[inline]
    pub fn current() -> Self {
        CURRENT.with(|current| match NonZeroU64::new(current.get()) {
            Some(id) => Self(id),
            None => Self::assign(current),
        })
    }

    /// Whether the calling thread is the one with this number.
    #[inline]
    pub fn is_current(self) -> bool {
        CURRENT.with(|current| current.get() == self.0.get())
    }

    #[cold]
    fn assign(current: &Cell<u64>) -> Self {
        // Relaxed: only the uniqueness of the result matters, and 2^64 threads never start.
        let id = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        current.set(id);
        Self(NonZeroU64::new(id).expect("the counter starts at one"))
    }
}
