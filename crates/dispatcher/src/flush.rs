//! The awaitable wait for the queue.

use core::panic::{RefUnwindSafe, UnwindSafe};
use core::pin::Pin;
use core::task::{Context, Poll};

use crate::error::DispatchError;
use crate::shared::{Owner, Wait};

/// Resolves when everything has run that was accepted before it was made. Made by
/// [`Guard::flush`](crate::Guard::flush).
///
/// It is good for one result: [`Killed`](DispatchError::Killed) if any of that was dropped. Awaited inside a task
/// of the same dispatcher it never ends.
///
/// # Cancellation
///
/// Dropping it cancels the wait, and nothing else.
///
/// # Examples
///
/// ```
/// use futures_lite::future::block_on;
/// use selvedge_dispatcher::Dispatcher;
///
/// let dispatcher = Dispatcher::new(10);
/// let guard = dispatcher.guard();
/// guard.open().unwrap();
/// guard.launch(|| println!("written")).unwrap();
/// assert_eq!(block_on(guard.flush()), Ok(()));
/// ```
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Flush(Wait<Owner>);

// No user code runs while anything inside is half changed.
impl UnwindSafe for Flush {}
impl RefUnwindSafe for Flush {}

impl Flush {
    pub(crate) fn new(owner: Owner) -> Self {
        let until = owner.until_now();
        Self(Wait::new(owner, until))
    }
}

impl Future for Flush {
    type Output = Result<(), DispatchError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(cx)
    }
}
