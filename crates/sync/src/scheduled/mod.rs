//! The façade over shuttle: every operation is a point where another thread may go on.
//!
//! Threads are coroutines of one operating-system thread, and orderings count as sequentially
//! consistent. What does not come from here (the atomics of a dependency) runs without a switch.

pub(crate) mod cell;
pub(crate) mod fence;
#[path = "../native/leak_check.rs"]
mod leak_check;
pub(crate) mod run;

pub(crate) mod atomic {
    pub use shuttle::sync::atomic::{
        AtomicBool, AtomicIsize, AtomicPtr, AtomicU64, AtomicUsize, Ordering,
    };
}

pub(crate) mod memory {
    pub use alloc::alloc::{alloc, dealloc};
    pub use core::alloc::Layout;
}

pub(crate) mod sync {
    pub use super::leak_check::LeakCheck;
    pub use shuttle::sync::Arc;
}

pub(crate) mod locks {
    pub use shuttle::sync::MutexGuard;
    pub(crate) use shuttle::sync::{Condvar, Mutex};
}

pub(crate) mod thread {
    pub use shuttle::hint::spin_loop;
    pub use shuttle::thread::{Builder, JoinHandle, spawn, yield_now};

    /// Lets the other threads run: no time passes under a scheduler.
    pub fn sleep(_: core::time::Duration) {
        yield_now();
    }
}
