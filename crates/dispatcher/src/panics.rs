//! Panics of user code, which must not reach the worker's loop.

use core::any::Any;
use core::mem;
use core::panic::AssertUnwindSafe;
use std::fmt;
use std::panic::catch_unwind;

/// What the payload of a caught panic is.
pub(crate) type Payload = Box<dyn Any + Send + 'static>;

/// A user's hook.
pub(crate) type Hook = Box<dyn Fn(&(dyn Any + Send)) + Send + Sync + 'static>;

/// The hook of a static.
pub(crate) type HookFn = fn(&(dyn Any + Send));

/// Where panics are reported.
pub(crate) struct Panics {
    hook: Option<Hook>,
    /// That of a static, which can hold no closure.
    pub(crate) function: Option<HookFn>,
}

impl Panics {
    /// Reports to `hook`, if there is one.
    pub(crate) const fn new(hook: Option<Hook>) -> Self {
        Self { hook, function: None }
    }

    /// Shows a payload to the hook, whose own panic ends here.
    #[cold]
    pub(crate) fn report(&self, payload: &(dyn Any + Send)) {
        if let Some(hook) = &self.hook {
            swallow(|| hook(payload));
        }
        if let Some(hook) = self.function {
            swallow(|| hook(payload));
        }
    }

    /// Calls `body`; reports its panic, and says whether there was one.
    #[inline]
    pub(crate) fn contain(&self, body: impl FnOnce()) -> Contained {
        match catch_unwind(AssertUnwindSafe(body)) {
            Ok(()) => Contained::Returned,
            Err(payload) => {
                self.report(&*payload);
                discard(payload);
                Contained::Panicked
            }
        }
    }
}

impl Drop for Panics {
    fn drop(&mut self) {
        if let Some(hook) = self.hook.take() {
            swallow(|| drop(hook));
        }
    }
}

/// How contained code ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contained {
    /// It returned.
    Returned,
    /// It panicked, which was reported.
    Panicked,
}

impl fmt::Debug for Panics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hook = self.hook.is_some() || self.function.is_some();
        f.debug_struct("Panics").field("hook", &hook).finish()
    }
}

/// Calls `body`, whose panic has nobody to be reported to.
pub(crate) fn swallow(body: impl FnOnce()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(body)) {
        discard(payload);
    }
}

/// Drops the payload of a caught panic, whose message the process's panic hook has shown already.
///
/// A payload whose own destructor panics is leaked after that second message.
fn discard(payload: Payload) {
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        mem::forget(second);
    }
}
