//! Settings of a dispatcher.

use core::any::Any;
use std::fmt;
use std::io;

use selvedge_sync::sync::Arc;
use selvedge_sync::thread;

use crate::dispatcher::Dispatcher;
use crate::fork::Stamp;
use crate::overflow::Overflow;
use crate::panics::{Hook, Panics};
use crate::shared::{Limits, Shared};

/// The name of a worker thread that was given none.
pub(crate) const NAME: &str = "selvedge-dispatcher";

/// How many tasks may be queued before the gate opens, where nothing is set.
const DEFAULT_MAX_QUEUE_SIZE: usize = 1_000_000;

/// Settings of a [`Dispatcher`], made by [`Dispatcher::builder`].
///
/// # Examples
///
/// ```
/// use selvedge_dispatcher::{Dispatcher, Overflow};
///
/// let dispatcher = Dispatcher::builder()
///     .name("log-writer")
///     .max_queue_size(1_000)
///     .bound_once_open(10_000)
///     .overflow(Overflow::Block)
///     .on_panic(|payload| eprintln!("a task panicked: {:?}", payload.downcast_ref::<&str>()))
///     .build()?;
/// # drop(dispatcher);
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use = "a builder makes nothing until `build`"]
pub struct Builder {
    name: String,
    stack_size: Option<usize>,
    limits: Limits,
    spin: Option<u32>,
    hook: Option<Hook>,
}

impl Builder {
    /// The defaults.
    pub(crate) fn new() -> Self {
        Self {
            name: NAME.into(),
            stack_size: None,
            limits: Limits::before(DEFAULT_MAX_QUEUE_SIZE),
            spin: None,
            hook: None,
        }
    }

    /// The name of the worker thread; `selvedge-dispatcher` if none is set.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The size of the worker thread's stack in bytes; the platform's if none is set.
    pub fn stack_size(mut self, bytes: usize) -> Self {
        self.stack_size = Some(bytes);
        self
    }

    /// How many tasks may be queued before the gate opens; 1,000,000 if nothing is set. With zero, every launch
    /// before it is turned away.
    pub fn max_queue_size(mut self, tasks: usize) -> Self {
        self.limits.before = tasks as u64;
        self
    }

    /// How many tasks may be queued once the gate is open; without this there is no bound.
    ///
    /// A task that has started does not count.
    pub fn bound_once_open(mut self, tasks: usize) -> Self {
        self.limits.after = Some(tasks as u64);
        self
    }

    /// What a launch does when the queue is full; [`Overflow::Reject`] if nothing is set.
    pub fn overflow(mut self, policy: Overflow) -> Self {
        self.limits.policy = policy;
        self
    }

    /// How often the worker looks for more before it sleeps; zero: not at all. If nothing is set, 32
    /// times where there are several cores, and not at all on a single one.
    ///
    /// Between two looks are 64 spin hints, which processors take between a fraction of a microsecond
    /// and some four microseconds for: so it is awake for ten to a hundred microseconds by default. That
    /// costs its core's time, and saves a launch within that time the wake-up.
    pub fn spin(mut self, looks: u32) -> Self {
        self.spin = Some(looks);
        self
    }

    /// Called with the payload when a task, or the drop of what it captured or gave, panics: on the
    /// worker, or on the launching thread for a task that made room. A panic of the hook is contained.
    pub fn on_panic(mut self, hook: impl Fn(&(dyn Any + Send)) + Send + Sync + 'static) -> Self {
        self.hook = Some(Box::new(hook));
        self
    }

    /// Spawns the worker.
    ///
    /// # Errors
    ///
    /// If the thread cannot be spawned, or with [`io::ErrorKind::InvalidInput`] if the name contains a
    /// zero byte or the bound once open is zero, so that no task could ever be launched.
    pub fn build(self) -> io::Result<Dispatcher> {
        if self.limits.after == Some(0) {
            return Err(invalid(
                "a bound of zero lets no task in; leave the bound out, or raise it",
            ));
        }
        if self.name.contains('\0') {
            return Err(invalid("the name of a thread must not contain a zero byte"));
        }
        let mut thread = thread::Builder::new().name(self.name);
        if let Some(bytes) = self.stack_size {
            thread = thread.stack_size(bytes);
        }
        let panics = Panics::new(self.hook);
        let shared = Arc::new(Shared::new(self.limits, panics, self.spin, Stamp::now()));
        Shared::spawn(&shared, thread)?;
        Ok(Dispatcher::new_with(shared))
    }
}

fn invalid(message: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("name", &self.name)
            .field("stack_size", &self.stack_size)
            .field("limits", &self.limits)
            .field("spin", &self.spin)
            .field("on_panic", &self.hook.is_some())
            .finish()
    }
}
