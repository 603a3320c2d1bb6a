//! How a worker waits.

use core::pin::{Pin, pin};
use core::task::Poll;
use std::fmt;
use std::future::poll_fn;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use crate::handle::Handle;

/// A user's loop: polls the future when it is woken, until it completes.
type Given = dyn Fn(Pin<&mut dyn Future<Output = ()>>) + Send + Sync;

/// What a worker's thread does while there is nothing to run.
#[derive(Clone)]
pub(super) enum BlockOn {
    /// It parks.
    Parking,
    Given(Arc<Given>),
}

// A loop that has panicked is called again: it answers for what that left behind.
impl UnwindSafe for BlockOn {}
impl RefUnwindSafe for BlockOn {}

impl BlockOn {
    pub(super) fn given(
        block_on: impl Fn(Pin<&mut dyn Future<Output = ()>>) + Send + Sync + 'static,
    ) -> Self {
        Self::Given(Arc::new(block_on))
    }

    /// Drives an executor on this thread until `told` completes.
    pub(super) fn drive(&self, handle: &Handle, told: impl Future<Output = ()>) {
        match self {
            Self::Parking => handle.block_on(told),
            Self::Given(block_on) => until_completed(&**block_on, handle.run_lent(told)),
        }
    }
}

/// A loop that gives up early begins again, with a future that has not lost anything.
fn until_completed(block_on: &Given, future: impl Future<Output = ()>) {
    let mut future = pin!(future);
    let mut completed = false;
    while !completed {
        let mut watched = pin!(poll_fn(|cx| {
            if !completed {
                completed = future.as_mut().poll(cx).is_ready();
            }
            if completed { Poll::Ready(()) } else { Poll::Pending }
        }));
        block_on(watched.as_mut());
    }
}

impl fmt::Debug for BlockOn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Parking => "Parking",
            Self::Given(_) => "Given",
        })
    }
}
