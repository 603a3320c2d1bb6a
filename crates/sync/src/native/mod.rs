//! The façade over `core`, `alloc` and `std`: the real primitives, at no cost.

pub(crate) mod cell;
pub(crate) mod fence;
mod leak_check;

pub(crate) mod atomic {
    #[cfg(target_has_atomic = "64")]
    pub use core::sync::atomic::AtomicU64;
    pub use core::sync::atomic::{AtomicBool, AtomicIsize, AtomicPtr, AtomicUsize, Ordering};
}

pub(crate) mod memory {
    pub use alloc::alloc::{alloc, dealloc};
    pub use core::alloc::Layout;
}

pub(crate) mod sync {
    pub use super::leak_check::LeakCheck;
    pub use alloc::sync::Arc;
}

#[cfg(feature = "std")]
pub(crate) mod locks {
    pub use std::sync::MutexGuard;
    pub(crate) use std::sync::{Condvar, Mutex};
}

#[cfg(feature = "std")]
pub(crate) mod thread {
    pub use core::hint::spin_loop;
    pub use std::thread::{Builder, JoinHandle, sleep, spawn, yield_now};
}
