//! What a task panicked with.

use core::any::Any;
use std::fmt;

/// What a task panicked with: the payload of [`TaskError::Panicked`](crate::TaskError::Panicked).
///
/// It can be shared between threads, whatever the payload is, so that the error fits into every error
/// type. For that it shows no more than the text of a panic; the payload itself takes ownership.
///
/// # Examples
///
/// ```
/// use std::panic::resume_unwind;
/// use selvedge_dispatcher::{Dispatcher, TaskError};
///
/// let dispatcher = Dispatcher::new(10);
/// let guard = dispatcher.guard();
/// guard.open().unwrap();
/// let task = guard.launch_with_handle(|| resume_unwind(Box::new(7_u8))).unwrap();
/// let Err::<(), _>(TaskError::Panicked(payload)) = task.wait() else { unreachable!() };
/// assert_eq!(payload.message(), None);
/// assert_eq!(*payload.into_inner().downcast::<u8>().unwrap(), 7);
/// ```
pub struct PanicPayload(Box<dyn Any + Send + 'static>);

// SAFETY: of a shared payload only `message` reads anything, and it lends no more than the text of a
// `&'static str` or a `String`, which may both be shared. To find out whether it is one of them reads
// the table of its type, and not the payload.
unsafe impl Sync for PanicPayload {}

impl PanicPayload {
    /// The text of the panic, if it is one: a literal or a `String`.
    pub fn message(&self) -> Option<&str> {
        let literal = self.0.downcast_ref::<&'static str>().copied();
        literal.or_else(|| self.0.downcast_ref::<String>().map(String::as_str))
    }

    /// The payload, as [`catch_unwind`](std::panic::catch_unwind) gives it and
    /// [`resume_unwind`](std::panic::resume_unwind) takes it.
    pub fn into_inner(self) -> Box<dyn Any + Send + 'static> {
        self.0
    }
}

impl From<Box<dyn Any + Send + 'static>> for PanicPayload {
    fn from(payload: Box<dyn Any + Send + 'static>) -> Self {
        Self(payload)
    }
}

impl fmt::Debug for PanicPayload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.message() {
            Some(message) => f.debug_tuple("PanicPayload").field(&message).finish(),
            None => f.debug_struct("PanicPayload").finish_non_exhaustive(),
        }
    }
}
