#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(docsrs, doc(auto_cfg(hide(selvedge_loom, selvedge_shuttle))))]
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(all(selvedge_loom, not(feature = "loom")))]
compile_error!("the cfg `selvedge_loom` needs the feature `loom` of selvedge-sync");
#[cfg(all(selvedge_shuttle, not(feature = "shuttle")))]
compile_error!("the cfg `selvedge_shuttle` needs the feature `shuttle` of selvedge-sync");
#[cfg(all(selvedge_loom, selvedge_shuttle))]
compile_error!("`selvedge_loom` and `selvedge_shuttle` exclude each other");

#[cfg(not(any(selvedge_loom, selvedge_shuttle)))]
#[path = "native/mod.rs"]
mod switch;
#[cfg(selvedge_loom)]
#[path = "modelled/mod.rs"]
mod switch;
#[cfg(selvedge_shuttle)]
#[path = "scheduled/mod.rs"]
mod switch;

#[cfg(feature = "std")]
mod event;
#[cfg(feature = "std")]
mod mutex;
#[cfg(feature = "std")]
mod parker;
#[cfg(feature = "std")]
mod thread_id;

/// Whether this is a model, or runs under random schedules: sizes may then be tiny, so that few steps
/// reach every path, and types stay what they are.
pub const MODELLED: bool = cfg!(any(selvedge_loom, selvedge_shuttle));

/// Raw memory, which a model watches for leaks and for a second release.
pub mod memory {
    pub use crate::switch::memory::{Layout, alloc, dealloc};
}

/// Atomic types and orderings.
pub mod atomic {
    /// Where the target has it.
    #[cfg(target_has_atomic = "64")]
    pub use crate::switch::atomic::AtomicU64;
    pub use crate::switch::atomic::{AtomicBool, AtomicIsize, AtomicPtr, AtomicUsize, Ordering};
    pub use crate::switch::fence::{full_fence, full_fence_after_rmw};
}

/// Atomic counters that are the processor's in a model as well.
///
/// For numbers that order nothing and on which no protocol rests: a model then has less to interleave.
pub mod unmodelled {
    #[cfg(target_has_atomic = "64")]
    pub use core::sync::atomic::AtomicU64;
}

/// The interior-mutability cell whose accesses a model checks.
pub mod cell {
    pub use crate::switch::cell::UnsafeCell;
}

/// Reference-counted ownership and locks.
pub mod sync {
    #[cfg(feature = "std")]
    pub use crate::mutex::{Condvar, Mutex, MutexGuard};
    pub use crate::switch::sync::{Arc, LeakCheck};
}

/// Threads, their identity, and parking.
#[cfg(feature = "std")]
pub mod thread {
    pub use crate::event::Event;
    pub use crate::parker::{Parker, block_on, block_on_until};
    pub use crate::switch::thread::{Builder, JoinHandle, sleep, spawn, spin_loop, yield_now};
    pub use crate::thread_id::ThreadId;
}

/// Runs `body` under every interleaving that the model checker distinguishes.
#[cfg(selvedge_loom)]
pub use loom::model;

/// Runs a test under many random schedules, whole systems with their dependencies included.
#[cfg(selvedge_shuttle)]
pub use crate::switch::run::{random, schedules};

/// Declares a `const fn` that loses its `const` in a model, where constructors register objects.
#[cfg(not(selvedge_loom))]
#[macro_export]
macro_rules! const_fn {
    ($(#[$attr:meta])* $vis:vis const fn $($rest:tt)*) => {
        $(#[$attr])* $vis const fn $($rest)*
    };
}

/// Declares a `const fn` that loses its `const` in a model, where constructors register objects.
#[cfg(selvedge_loom)]
#[macro_export]
macro_rules! const_fn {
    ($(#[$attr:meta])* $vis:vis const fn $($rest:tt)*) => {
        $(#[$attr])* $vis fn $($rest)*
    };
}

/// Declares a thread-local variable: std's in a build, the model checker's in a model.
///
/// Takes one declaration with a constant initialiser.
#[cfg(all(feature = "std", not(any(selvedge_loom, selvedge_shuttle))))]
#[macro_export]
macro_rules! thread_local {
    ($(#[$attr:meta])* $vis:vis static $name:ident: $type:ty = const { $init:expr };) => {
        $crate::__private::std::thread_local! { $(#[$attr])* $vis static $name: $type = const { $init }; }
    };
}

/// Declares a thread-local variable: std's in a build, the model checker's in a model.
///
/// Takes one declaration with a constant initialiser.
#[cfg(all(feature = "std", selvedge_loom))]
#[macro_export]
macro_rules! thread_local {
    ($(#[$attr:meta])* $vis:vis static $name:ident: $type:ty = const { $init:expr };) => {
        $crate::__private::loom::thread_local! { $(#[$attr])* $vis static $name: $type = $init; }
    };
}

/// Declares a thread-local variable: std's in a build, the scheduler's under random schedules.
///
/// Takes one declaration with a constant initialiser.
#[cfg(all(feature = "std", selvedge_shuttle))]
#[macro_export]
macro_rules! thread_local {
    ($(#[$attr:meta])* $vis:vis static $name:ident: $type:ty = const { $init:expr };) => {
        $crate::__private::shuttle::thread_local! { $(#[$attr])* $vis static $name: $type = const { $init }; }
    };
}

/// What the macros name.
#[doc(hidden)]
pub mod __private {
    #[cfg(selvedge_loom)]
    pub extern crate loom;
    #[cfg(selvedge_shuttle)]
    pub extern crate shuttle;
    #[cfg(feature = "std")]
    pub extern crate std;
}
