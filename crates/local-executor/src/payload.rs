//! Panics that nobody is left to be told about.

use core::any::Any;
use core::mem;
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

/// Drops the payload of a caught panic, whose message the panic hook has shown already.
///
/// A payload whose own destructor panics is leaked after that second message.
pub(crate) fn discard(payload: Box<dyn Any + Send>) {
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        mem::forget(second);
    }
}
