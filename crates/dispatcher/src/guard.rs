//! What producers hold.

use core::panic::{RefUnwindSafe, UnwindSafe};
use std::fmt;
use std::time::Duration;

use selvedge_sync::sync::Arc;

use crate::error::{DispatchError, LaunchError};
use crate::flush::Flush;
use crate::handle::Handle;
use crate::report::Report;
use crate::shared::{Deadline, Owner, Shared, Verbs};
use crate::stats::Stats;

/// Launches tasks, and carries the verbs that wait for them and end them.
///
/// One pointer. Cloning and dropping are one atomic operation each. A guard keeps the memory of the
/// queue alive, and not the dispatcher: once that is dropped, launches are refused, however many
/// guards are left.
///
/// No verb waits on the worker thread, that is, inside a task: those that would give
/// [`DispatchError::WouldDeadlock`] and change nothing.
///
/// Beside the errors that are named at each verb there are two that any may give:
/// [`Forked`](DispatchError::Forked) in a forked child, with the feature `fork`, and
/// [`WorkerPanic`](DispatchError::WorkerPanic) if the worker's thread ended by a panic outside of every task, as a
/// subscriber of the feature `tracing` may cause.
///
/// # Examples
///
/// ```
/// use std::thread;
/// use selvedge_dispatcher::Dispatcher;
///
/// let dispatcher = Dispatcher::new(100);
/// let guard = dispatcher.guard();
/// guard.open().unwrap();
/// let threads: Vec<_> = (0..2)
///     .map(|number| {
///         let guard = guard.clone();
///         thread::spawn(move || guard.launch(move || println!("thread {number}")).unwrap())
///     })
///     .collect();
/// threads.into_iter().for_each(|thread| thread.join().unwrap());
/// assert_eq!(guard.shutdown().unwrap().run, 2);
/// ```
#[derive(Clone)]
pub struct Guard {
    shared: Arc<Shared>,
}

// No user code runs while anything inside is half changed.
impl UnwindSafe for Guard {}
impl RefUnwindSafe for Guard {}

impl Guard {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    fn verbs(&self) -> Verbs<'_> {
        Verbs::of(&self.shared)
    }

    /// Queues a task. `Ok` means that it will run, unless the dispatcher is killed, dropped
    /// unopened, or makes room for newer tasks by the policy it was built with; those are counted in
    /// [`stats`](Self::stats).
    ///
    /// Tasks of one thread run in the order of their launches, and so do those of several threads
    /// where one launch happens before the other.
    ///
    /// Costs one atomic operation where no other thread launches at the same time, and a bound, or a
    /// worker that has to be woken, one more. Closures of up to 48 bytes are stored in the queue, which
    /// keeps and reuses its memory; larger ones are boxed, and each 32 of them of 256 bytes or more bring new
    /// memory to the queue. (The exact limit is 56 bytes, so that a closure of 48 fits with its handle.) Never waits,
    /// unless the dispatcher was built with
    /// [`Overflow::Block`](crate::Overflow::Block).
    ///
    /// # Errors
    ///
    /// Gives the closure back, unrun: [`Full`](crate::LaunchErrorKind::Full) if the queue was,
    /// [`Closed`](crate::LaunchErrorKind::Closed) after a shutdown or the drop of the dispatcher,
    /// [`Killed`](crate::LaunchErrorKind::Killed) after a kill.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_dispatcher::{Dispatcher, LaunchErrorKind};
    ///
    /// let dispatcher = Dispatcher::new(1);
    /// let guard = dispatcher.guard();
    /// guard.launch(|| println!("first")).unwrap();
    /// let refused = guard.launch(|| println!("second")).unwrap_err();
    /// assert_eq!(refused.kind(), LaunchErrorKind::Full);
    /// let second = refused.into_inner();
    ///
    /// guard.flush_init().unwrap();
    /// guard.launch(second).unwrap();
    /// guard.block_on_queue().unwrap();
    /// ```
    #[inline]
    pub fn launch<F>(&self, f: F) -> Result<(), LaunchError<F>>
    where
        F: FnOnce() + Send + 'static,
    {
        self.shared.launch(f).map(drop)
    }

    /// Queues a task and gives a handle to its output. One allocation, and otherwise as
    /// [`launch`](Self::launch). Where the output may be waited for is said at [`Handle`].
    ///
    /// # Errors
    ///
    /// As for [`launch`](Self::launch).
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_dispatcher::Dispatcher;
    ///
    /// let dispatcher = Dispatcher::new(10);
    /// let guard = dispatcher.guard();
    /// guard.open().unwrap();
    /// let handle = guard.launch_with_handle(|| 6 * 7).unwrap();
    /// assert_eq!(handle.wait().unwrap(), 42);
    /// ```
    pub fn launch_with_handle<F, T>(&self, f: F) -> Result<Handle<T>, LaunchError<F>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        Handle::launch(&self.shared, f).map(|(handle, _)| handle)
    }

    /// Opens the gate: what is queued runs, then what is launched from now on. Waits for nothing.
    ///
    /// # Errors
    ///
    /// [`AlreadyFlushed`](DispatchError::AlreadyFlushed) if the gate is open,
    /// [`Closed`](DispatchError::Closed) or [`Killed`](DispatchError::Killed) after such a verb.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_dispatcher::{DispatchError, Dispatcher};
    ///
    /// let dispatcher = Dispatcher::new(10);
    /// let guard = dispatcher.guard();
    /// assert_eq!(guard.open(), Ok(()));
    /// assert_eq!(guard.open(), Err(DispatchError::AlreadyFlushed));
    /// assert_eq!(guard.flush_init(), Ok(0), "may follow, once");
    /// ```
    pub fn open(&self) -> Result<(), DispatchError> {
        self.verbs().open()
    }

    /// Opens the gate, if [`open`](Self::open) has not, and waits until what was queued before that
    /// has run. Gives the number of launches that were turned away so far because the queue was full.
    ///
    /// # Errors
    ///
    /// [`AlreadyFlushed`](DispatchError::AlreadyFlushed) to every caller but the first, once the first
    /// one has what it waits for (inside a task: at once). [`Killed`](DispatchError::Killed) if what was
    /// queued is dropped meanwhile, or was. [`Closed`](DispatchError::Closed) after a shutdown.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_dispatcher::Dispatcher;
    ///
    /// let dispatcher = Dispatcher::new(1);
    /// let guard = dispatcher.guard();
    /// let early = guard.launch_with_handle(|| "set up").unwrap();
    /// assert!(guard.launch(|| ()).is_err(), "one too many");
    /// assert_eq!(guard.flush_init(), Ok(1), "is told now");
    /// assert!(early.is_finished());
    /// ```
    pub fn flush_init(&self) -> Result<usize, DispatchError> {
        self.verbs().flush_init(Deadline::NEVER)
    }

    /// Like [`flush_init`](Self::flush_init), but waits no longer than `timeout`.
    ///
    /// # Errors
    ///
    /// As for `flush_init`, and [`TimedOut`](DispatchError::TimedOut): the gate is open then.
    pub fn flush_init_timeout(&self, timeout: Duration) -> Result<usize, DispatchError> {
        self.verbs().flush_init(Deadline::after(timeout))
    }

    /// Waits until everything has run that was accepted before this call. Queues nothing, so it works
    /// on a full queue; before the gate opens it waits for that as well.
    ///
    /// # Errors
    ///
    /// [`Killed`](DispatchError::Killed) if any of it was dropped,
    /// [`WouldDeadlock`](DispatchError::WouldDeadlock) inside a task. After a shutdown it is `Ok`, if all has run.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicBool, Ordering};
    /// use selvedge_dispatcher::Dispatcher;
    ///
    /// let dispatcher = Dispatcher::new(10);
    /// let guard = dispatcher.guard();
    /// guard.open().unwrap();
    /// let ran = Arc::new(AtomicBool::new(false));
    /// let flag = ran.clone();
    /// guard.launch(move || flag.store(true, Ordering::Relaxed)).unwrap();
    /// guard.block_on_queue().unwrap();
    /// assert!(ran.load(Ordering::Relaxed));
    /// ```
    pub fn block_on_queue(&self) -> Result<(), DispatchError> {
        self.verbs().block_on_queue(Deadline::NEVER)
    }

    /// Like [`block_on_queue`](Self::block_on_queue), but waits no longer than `timeout`.
    ///
    /// # Errors
    ///
    /// As for `block_on_queue`, and [`TimedOut`](DispatchError::TimedOut), which changes nothing: wait again.
    pub fn block_on_queue_timeout(&self, timeout: Duration) -> Result<(), DispatchError> {
        self.verbs().block_on_queue(Deadline::after(timeout))
    }

    /// The awaitable form of [`block_on_queue`](Self::block_on_queue): for what was accepted before
    /// this call, however late the future is polled. An example stands at [`Flush`].
    ///
    /// Awaiting it on the worker itself never ends, as nobody is left to run what it waits for.
    ///
    /// # Errors
    ///
    /// The future gives [`Killed`](DispatchError::Killed) if any of it was dropped.
    ///
    /// # Cancellation
    ///
    /// Dropping the future cancels the wait, and nothing else.
    pub fn flush(&self) -> Flush {
        Flush::new(Owner::Counted(self.shared.clone()))
    }

    /// Ends the dispatcher at once: starts nothing more, waits for the task that is running, and drops
    /// the others, on the worker. Gives the number of tasks that were dropped.
    ///
    /// # Errors
    ///
    /// If a shutdown, a kill or the drop of the [`Dispatcher`](crate::Dispatcher) came first, waits for that
    /// to finish and gives [`Closed`](DispatchError::Closed) or [`Killed`](DispatchError::Killed). A shutdown
    /// that runs out of time, before or meanwhile, is not in the way.
    /// [`WouldDeadlock`](DispatchError::WouldDeadlock) inside a task.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_dispatcher::{Dispatcher, LaunchErrorKind};
    ///
    /// let dispatcher = Dispatcher::new(10);
    /// let guard = dispatcher.guard();
    /// guard.launch(|| unreachable!()).unwrap();
    /// assert_eq!(guard.kill(), Ok(1));
    /// assert_eq!(guard.launch(|| ()).unwrap_err().kind(), LaunchErrorKind::Killed);
    /// ```
    pub fn kill(&self) -> Result<usize, DispatchError> {
        self.verbs().kill()
    }

    /// Accepts nothing more from now on, opens the gate if it was shut, runs what was accepted, and joins
    /// the worker.
    ///
    /// # Errors
    ///
    /// As for [`kill`](Self::kill).
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_dispatcher::{DispatchError, Dispatcher};
    ///
    /// let dispatcher = Dispatcher::new(10);
    /// let guard = dispatcher.guard();
    /// guard.launch(|| println!("run, although nobody has opened the gate")).unwrap();
    /// let report = guard.shutdown().unwrap();
    /// assert_eq!((report.run, report.dropped, report.left), (1, 0, 0));
    /// assert_eq!(guard.shutdown(), Err(DispatchError::Closed));
    /// ```
    pub fn shutdown(&self) -> Result<Report, DispatchError> {
        self.verbs().shutdown(Deadline::NEVER)
    }

    /// Like [`shutdown`](Self::shutdown), but waits no longer than `timeout` in all. Running out of time
    /// is not an error: the report says so, and what is left. Launches stay refused, the worker goes on
    /// running what is left, and another `shutdown` or `kill` may follow.
    ///
    /// (Thread-local destructors that tasks left on the worker run after its last task. The thread is
    /// joined, so they are waited for without a limit.)
    ///
    /// # Errors
    ///
    /// As for [`kill`](Self::kill).
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::mpsc::channel;
    /// use std::time::Duration;
    /// use selvedge_dispatcher::Dispatcher;
    ///
    /// let dispatcher = Dispatcher::new(10);
    /// let guard = dispatcher.guard();
    /// let (go, gone) = channel::<()>();
    /// guard.launch(move || _ = gone.recv()).unwrap();
    /// let report = guard.shutdown_timeout(Duration::from_millis(1)).unwrap();
    /// assert!(report.timed_out);
    /// drop(go);
    /// let report = guard.shutdown_timeout(Duration::from_secs(60)).unwrap();
    /// assert_eq!((report.timed_out, report.run), (false, 1));
    /// ```
    pub fn shutdown_timeout(&self, timeout: Duration) -> Result<Report, DispatchError> {
        self.verbs().shutdown(Deadline::after(timeout))
    }

    /// Numbers of the dispatcher, at any time. Takes a lock for a moment; all zero in a forked child.
    ///
    /// # Examples
    ///
    /// ```
    /// use selvedge_dispatcher::Dispatcher;
    ///
    /// let dispatcher = Dispatcher::new(1);
    /// let guard = dispatcher.guard();
    /// guard.launch(|| ()).unwrap();
    /// guard.launch(|| ()).unwrap_err();
    /// let stats = guard.stats();
    /// assert_eq!((stats.queued, stats.run, stats.turned_away), (1, 0, 1));
    /// ```
    pub fn stats(&self) -> Stats {
        self.shared.stats()
    }

    /// Whether the calling thread is the worker: whether this is called inside a task.
    pub fn is_worker_thread(&self) -> bool {
        self.shared.is_worker()
    }
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard").field("shared", &*self.shared).finish()
    }
}
