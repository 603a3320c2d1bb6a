//! A dispatcher for a `static`.

use core::any::Any;
use core::panic::{RefUnwindSafe, UnwindSafe};
use std::time::Duration;

use selvedge_sync::atomic::{AtomicBool, Ordering};

use crate::builder::NAME;
use crate::error::{DispatchError, LaunchError};
use crate::flush::Flush;
use crate::fork::Stamp;
use crate::handle::Handle;
use crate::overflow::Overflow;
use crate::panics::Panics;
use crate::report::Report;
use crate::shared::{Deadline, Hiring, Limits, Owner, Shared, Verbs};
use crate::stats::Stats;

/// A dispatcher for a `static`: made at compile time, used from anywhere, reset between tests.
///
/// The worker is spawned when it has something to do for the first time: when the gate opens. A
/// launch takes no lock, and costs what [`Guard::launch`](crate::Guard::launch) costs without the guard.
/// There is no guard, for a static needs none.
///
/// The verbs are those of [`Guard`](crate::Guard); what is said here is what differs.
///
/// # Examples
///
/// ```
/// use selvedge_dispatcher::GlobalDispatcher;
///
/// static METRICS: GlobalDispatcher = GlobalDispatcher::new(1_000);
///
/// METRICS.launch(|| println!("queued until the program is set up")).unwrap();
/// METRICS.flush_init().unwrap();
/// METRICS.launch(|| println!("run at once")).unwrap();
/// let report = METRICS.shutdown().unwrap();
/// assert_eq!(report.run, 2);
/// ```
///
/// With other settings, which are those of [`Builder`](crate::Builder):
///
/// ```
/// use selvedge_dispatcher::{GlobalDispatcher, Overflow};
///
/// static LOG: GlobalDispatcher = GlobalDispatcher::new(1_000)
///     .with_name("log-writer")
///     .with_bound_once_open(10_000)
///     .with_overflow(Overflow::Block)
///     .with_panic_hook(|_| eprintln!("a line was lost"));
///
/// LOG.open().unwrap();
/// LOG.launch(|| println!("written")).unwrap();
/// LOG.shutdown().unwrap();
/// ```
///
/// What could never work does not compile:
///
/// ```compile_fail
/// use selvedge_dispatcher::GlobalDispatcher;
///
/// static LOG: GlobalDispatcher = GlobalDispatcher::new(1_000).with_bound_once_open(0);
/// LOG.open().unwrap();
/// ```
#[derive(Debug)]
pub struct GlobalDispatcher {
    shared: Shared,
    hiring: Hiring,
    test_mode: AtomicBool,
}

// No user code runs while anything inside is half changed.
impl UnwindSafe for GlobalDispatcher {}
impl RefUnwindSafe for GlobalDispatcher {}

impl GlobalDispatcher {
    selvedge_sync::const_fn! {
        /// A dispatcher that queues up to `max_queue_size` tasks before the gate opens, and any number
        /// after. Allocates nothing before the first launch.
        pub const fn new(max_queue_size: usize) -> Self {
            let limits = Limits::before(max_queue_size);
            Self {
                shared: Shared::new(limits, Panics::new(None), None, Stamp::unset()),
                hiring: Hiring { name: NAME, stack_size: None },
                test_mode: AtomicBool::new(false),
            }
        }
    }

    /// How many tasks may be queued once the gate is open, as
    /// [`Builder::bound_once_open`](crate::Builder::bound_once_open).
    ///
    /// # Panics
    ///
    /// If `tasks` is zero, so that no task could ever be launched: in a `static`, at compile time.
    #[must_use]
    pub const fn with_bound_once_open(mut self, tasks: usize) -> Self {
        assert!(tasks > 0, "a bound of zero lets no task in; leave the bound out, or raise it");
        self.shared.limits.0.after = Some(tasks as u64);
        self
    }

    /// What a launch does when the queue is full, as [`Builder::overflow`](crate::Builder::overflow).
    #[must_use]
    pub const fn with_overflow(mut self, policy: Overflow) -> Self {
        self.shared.limits.0.policy = policy;
        self
    }

    /// The name of the worker thread, as [`Builder::name`](crate::Builder::name).
    ///
    /// # Panics
    ///
    /// If it contains a zero byte, which no thread's name may: in a `static`, at compile time.
    #[must_use]
    pub const fn with_name(mut self, name: &'static str) -> Self {
        let mut rest = name.as_bytes();
        while let [first, others @ ..] = rest {
            assert!(*first != 0, "the name of a thread must not contain a zero byte");
            rest = others;
        }
        self.hiring.name = name;
        self
    }

    /// The size of the worker thread's stack in bytes, as
    /// [`Builder::stack_size`](crate::Builder::stack_size).
    #[must_use]
    pub const fn with_stack_size(mut self, bytes: usize) -> Self {
        self.hiring.stack_size = Some(bytes);
        self
    }

    /// How often the worker looks for more before it sleeps, as [`Builder::spin`](crate::Builder::spin).
    #[must_use]
    pub const fn with_spin(mut self, looks: u32) -> Self {
        self.shared.spin = Some(looks);
        self
    }

    /// Called with the payload when a task panics, as [`Builder::on_panic`](crate::Builder::on_panic): a
    /// function, or a closure that captures nothing.
    #[must_use]
    pub const fn with_panic_hook(mut self, hook: fn(&(dyn Any + Send))) -> Self {
        self.shared.ledger.panics.function = Some(hook);
        self
    }

    fn verbs(&'static self) -> Verbs<'static> {
        Verbs::lazy(&self.shared, self.hiring)
    }

    /// As [`Guard::launch`](crate::Guard::launch).
    ///
    /// # Errors
    ///
    /// Gives the closure back, unrun, if the queue is full or the dispatcher closed.
    #[inline]
    pub fn launch<F>(&'static self, f: F) -> Result<(), LaunchError<F>>
    where
        F: FnOnce() + Send + 'static,
    {
        self.shared.launch(f).map(|index| self.launched(index))
    }

    /// As [`Guard::launch_with_handle`](crate::Guard::launch_with_handle).
    ///
    /// # Errors
    ///
    /// As for [`launch`](Self::launch).
    pub fn launch_with_handle<F, T>(&'static self, f: F) -> Result<Handle<T>, LaunchError<F>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        let (handle, index) = Handle::launch(&self.shared, f)?;
        self.launched(index);
        Ok(handle)
    }

    #[inline]
    fn launched(&'static self, index: u64) {
        if self.is_test_mode() {
            self.verbs().follow(index);
        }
    }

    /// Switches test mode, in which a launch returns after its task has run, except before the gate
    /// opens, and inside a task: there it returns at once.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering};
    /// use selvedge_dispatcher::GlobalDispatcher;
    ///
    /// static GLOBAL: GlobalDispatcher = GlobalDispatcher::new(10);
    /// static RUNS: AtomicU32 = AtomicU32::new(0);
    ///
    /// GLOBAL.set_test_mode(true);
    /// GLOBAL.flush_init().unwrap();
    /// GLOBAL.launch(|| _ = RUNS.fetch_add(1, Ordering::Relaxed)).unwrap();
    /// assert_eq!(RUNS.load(Ordering::Relaxed), 1);
    /// ```
    pub fn set_test_mode(&self, on: bool) {
        // Relaxed: a switch, which orders nothing.
        self.test_mode.store(on, Ordering::Relaxed);
    }

    /// Whether test mode is on; see [`set_test_mode`](Self::set_test_mode).
    pub fn is_test_mode(&self) -> bool {
        // Relaxed: as there.
        self.test_mode.load(Ordering::Relaxed)
    }

    /// As [`Guard::open`](crate::Guard::open).
    ///
    /// # Errors
    ///
    /// As there, and [`Spawn`](DispatchError::Spawn) if the worker cannot be spawned: the gate is shut
    /// still, and the verb may be tried again.
    pub fn open(&'static self) -> Result<(), DispatchError> {
        self.verbs().open()
    }

    /// As [`Guard::flush_init`](crate::Guard::flush_init).
    ///
    /// # Errors
    ///
    /// As there, and as for [`open`](Self::open).
    pub fn flush_init(&'static self) -> Result<usize, DispatchError> {
        self.verbs().flush_init(Deadline::NEVER)
    }

    /// As [`Guard::flush_init_timeout`](crate::Guard::flush_init_timeout).
    ///
    /// # Errors
    ///
    /// As there, and as for [`open`](Self::open).
    pub fn flush_init_timeout(&'static self, timeout: Duration) -> Result<usize, DispatchError> {
        self.verbs().flush_init(Deadline::after(timeout))
    }

    /// As [`Guard::block_on_queue`](crate::Guard::block_on_queue).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn block_on_queue(&'static self) -> Result<(), DispatchError> {
        self.verbs().block_on_queue(Deadline::NEVER)
    }

    /// As [`Guard::block_on_queue_timeout`](crate::Guard::block_on_queue_timeout).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn block_on_queue_timeout(&'static self, timeout: Duration) -> Result<(), DispatchError> {
        self.verbs().block_on_queue(Deadline::after(timeout))
    }

    /// As [`Guard::flush`](crate::Guard::flush).
    pub fn flush(&'static self) -> Flush {
        Flush::new(Owner::Static(&self.shared))
    }

    /// As [`Guard::kill`](crate::Guard::kill). What follows is refused until a [`reset`](Self::reset).
    ///
    /// # Errors
    ///
    /// As there, and [`Spawn`](DispatchError::Spawn) if there is something to drop and the worker that
    /// does it cannot be spawned: the dispatcher is closed then, and the verb may be tried again.
    pub fn kill(&'static self) -> Result<usize, DispatchError> {
        self.verbs().kill()
    }

    /// As [`Guard::shutdown`](crate::Guard::shutdown). What follows is refused until a
    /// [`reset`](Self::reset).
    ///
    /// # Errors
    ///
    /// As for [`kill`](Self::kill).
    pub fn shutdown(&'static self) -> Result<Report, DispatchError> {
        self.verbs().shutdown(Deadline::NEVER)
    }

    /// As [`Guard::shutdown_timeout`](crate::Guard::shutdown_timeout).
    ///
    /// # Errors
    ///
    /// As for [`kill`](Self::kill).
    pub fn shutdown_timeout(&'static self, timeout: Duration) -> Result<Report, DispatchError> {
        self.verbs().shutdown(Deadline::after(timeout))
    }

    /// Shuts down as [`shutdown`](Self::shutdown) does, or waits for who does, and begins anew: with a shut
    /// gate, an empty queue, and counters at zero. Of racing calls each returns when that is done.
    ///
    /// A launch at the same time belongs to one side: it runs before, or is refused, or is queued for
    /// the gate of the new beginning.
    ///
    /// # Errors
    ///
    /// As for [`kill`](Self::kill), except that nothing can come first.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_dispatcher::GlobalDispatcher;
    ///
    /// static GLOBAL: GlobalDispatcher = GlobalDispatcher::new(10);
    ///
    /// GLOBAL.launch(|| ()).unwrap();
    /// GLOBAL.shutdown().unwrap();
    /// GLOBAL.launch(|| ()).unwrap_err();
    /// GLOBAL.reset().unwrap();
    /// GLOBAL.launch(|| println!("waits for the gate")).unwrap();
    /// assert_eq!(GLOBAL.stats().queued, 1);
    /// ```
    pub fn reset(&'static self) -> Result<(), DispatchError> {
        self.verbs().reset()
    }

    /// As [`Guard::stats`](crate::Guard::stats), since the last [`reset`](Self::reset).
    pub fn stats(&'static self) -> Stats {
        self.shared.stats()
    }

    /// Whether the calling thread is the worker: whether this is called inside a task.
    pub fn is_worker_thread(&'static self) -> bool {
        self.shared.is_worker()
    }
}
