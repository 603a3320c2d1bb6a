//! The façade over loom: every operation is a step that the model checker may interleave.

pub(crate) mod cell;
pub(crate) mod fence;
mod leak_check;

pub(crate) mod atomic {
    pub use loom::sync::atomic::{
        AtomicBool, AtomicIsize, AtomicPtr, AtomicU64, AtomicUsize, Ordering,
    };
}

pub(crate) mod memory {
    pub use loom::alloc::{Layout, alloc, dealloc};
}

pub(crate) mod sync {
    pub use super::leak_check::LeakCheck;
    pub use loom::sync::Arc;
}

pub(crate) mod locks {
    pub use loom::sync::MutexGuard;
    pub(crate) use loom::sync::{Condvar, Mutex};
}

pub(crate) mod thread {
    pub use loom::hint::spin_loop;
    pub use loom::thread::{Builder, JoinHandle, spawn, yield_now};

    /// Lets the other threads run: no time passes in a model.
    pub fn sleep(_: core::time::Duration) {
        yield_now();
    }
}
