//! The owner of a worker.

use core::panic::{RefUnwindSafe, UnwindSafe};

use selvedge_sync::sync::Arc;

use crate::builder::Builder;
use crate::guard::Guard;
use crate::shared::Shared;

/// Runs closures one after another, in order, on one worker thread.
///
/// Closures are launched through a [`Guard`]. They are queued until the gate is opened
/// ([`Guard::open`], [`Guard::flush_init`]), and run from then on.
///
/// # Drop
///
/// Nothing is accepted any more; nothing is waited for. If the gate was open, the worker runs what is
/// queued and ends. If it never was, the worker drops the queue, which
/// [`Stats::dropped`](crate::Stats::dropped) counts. A program that must not lose what is queued calls
/// [`Guard::shutdown`] first.
///
/// # Examples
///
/// ```
/// use std::sync::mpsc;
/// use selvedge_dispatcher::Dispatcher;
///
/// let dispatcher = Dispatcher::new(100);
/// let guard = dispatcher.guard();
/// let (sender, receiver) = mpsc::channel();
///
/// let early = sender.clone();
/// guard.launch(move || early.send("queued before the gate opens").unwrap()).unwrap();
/// assert_eq!(guard.flush_init(), Ok(0));
///
/// guard.launch(move || sender.send("run at once").unwrap()).unwrap();
/// guard.shutdown().unwrap();
/// assert_eq!(receiver.iter().count(), 2);
/// ```
#[derive(Debug)]
pub struct Dispatcher {
    shared: Arc<Shared>,
}

// No user code runs while anything inside is half changed.
impl UnwindSafe for Dispatcher {}
impl RefUnwindSafe for Dispatcher {}

impl Dispatcher {
    /// A dispatcher that queues up to `max_queue_size` tasks before the gate opens, and any number
    /// after.
    ///
    /// # Panics
    ///
    /// If the worker thread cannot be spawned; [`Builder::build`] gives an error then.
    pub fn new(max_queue_size: usize) -> Self {
        let built = Self::builder().max_queue_size(max_queue_size).build();
        built.expect("the worker thread can be spawned; `Builder::build` gives this as an error")
    }

    /// A dispatcher with other settings.
    pub fn builder() -> Builder {
        Builder::new()
    }

    pub(crate) fn new_with(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// A guard, through which tasks are launched. One atomic operation.
    pub fn guard(&self) -> Guard {
        Guard::new(self.shared.clone())
    }
}

impl Drop for Dispatcher {
    fn drop(&mut self) {
        self.shared.abandon();
    }
}
