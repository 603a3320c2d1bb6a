//! Moving here: old and new, and what differs.
//!
//! # From a thread of your own and a channel
//!
//! | a thread and `std::sync::mpsc`, or crossbeam-channel | here | what differs |
//! |---|---|---|
//! | `let (tx, rx) = channel(); spawn(move \|\| for f in rx { f() })` | [`Dispatcher::new`], then [`open`](crate::Guard::open) | a panic of `f` ends `f`, not the thread |
//! | `thread::Builder::name`, `stack_size` | [`Builder::name`], [`Builder::stack_size`] | |
//! | `tx.clone()` | `guard.clone()` | one atomic operation |
//! | `tx.send(Box::new(move \|\| ..))` | [`guard.launch(move \|\| ..)`](crate::Guard::launch) | no box up to 48 bytes; refused, the closure comes back as itself |
//! | `sync_channel(n)` | [`bound_once_open(n)`](crate::Builder::bound_once_open) with [`Overflow::Block`] | `n` must not be zero: there is no rendezvous |
//! | `tx.try_send(f)` | [`Overflow::Reject`], the default | |
//! | a ring that loses the oldest | [`Overflow::DropOldest`] | counted, and told to the handle |
//! | a message enum, and a `match` in the loop | a closure for each message | state: see below |
//! | `send((request, reply)); reply.recv()` | [`launch_with_handle`](crate::Guard::launch_with_handle), [`wait`](crate::Handle::wait) | also a future; has a timeout; a panic is an error |
//! | `send(Flush(reply)); reply.recv()` | [`block_on_queue`](crate::Guard::block_on_queue), or [`flush`](crate::Guard::flush) as a future | works on a full queue |
//! | `drop(tx); thread.join()` | [`shutdown`](crate::Guard::shutdown) | while other guards live, too; with a timeout if wanted; tells what ran |
//! | an `AtomicBool` that the loop looks at | [`kill`](crate::Guard::kill) | drops what is queued, and counts it |
//! | `catch_unwind` around `f()` | [`on_panic`](crate::Builder::on_panic), or the handle | |
//! | `rx.recv_timeout`, for work at intervals | | no counterpart: launch from a timer of yours |
//! | several receivers | | no counterpart: use a thread pool |
//!
//! State that the loop owned goes into an `Arc<Mutex<..>>` that the closures clone: only the worker locks it, so it never
//! waits. If it is not `Send`, it goes into a `thread_local!`, which each task finds on the worker.
//!
//! ```
//! use std::cell::RefCell;
//! use std::rc::Rc;
//! use selvedge_dispatcher::Dispatcher;
//!
//! thread_local! {
//!     static TOTAL: RefCell<Rc<u32>> = RefCell::default();
//! }
//!
//! let dispatcher = Dispatcher::new(10);
//! let guard = dispatcher.guard();
//! guard.open().unwrap();
//! for number in [1, 2, 3] {
//!     let add = move || TOTAL.with_borrow_mut(|total| *Rc::make_mut(total) += number);
//!     guard.launch(add).unwrap();
//! }
//! let total = guard.launch_with_handle(|| TOTAL.with_borrow(|total| **total)).unwrap();
//! assert_eq!(total.wait().unwrap(), 6);
//! guard.shutdown().unwrap();
//! ```
//!
//! # From glean-core's dispatcher
//!
//! glean-core keeps its dispatcher to itself; this is for code that was modelled on it.
//!
//! | glean-core | here | what differs |
//! |---|---|---|
//! | `Dispatcher::new(max)` | [`Dispatcher::new`], or [`GlobalDispatcher::new`] in a `static` | the bound is exact |
//! | `DispatchGuard` | [`Guard`] | one pointer |
//! | `guard.launch(f)`: `Result<(), DispatchError>` | [`launch`](crate::Guard::launch): `Result<(), LaunchError<F>>` | the error carries the closure |
//! | `dispatcher::launch(f)`, which tells nobody | [`GlobalDispatcher::launch`] | an error, not a line of a log |
//! | `flush_init()` | [`flush_init`](crate::Guard::flush_init) | a launch that races it is not lost; a second caller waits for the first |
//! | `block_on_queue()` | [`block_on_queue`](crate::Guard::block_on_queue) | a `Result`: no panic when the worker is gone |
//! | `block_on_queue_timeout(d)`: `RecvTimeoutError` | [`block_on_queue_timeout`](crate::Guard::block_on_queue_timeout) | `DispatchError::TimedOut` |
//! | `kill()`, before the flush only | [`kill`](crate::Guard::kill) | at any time; waits for the running task; counts what it drops |
//! | `shutdown()` | [`shutdown`](crate::Guard::shutdown) | closes at once: what is `Ok` runs, the rest is refused; a launch meanwhile does not block |
//! | the timed wait before it | [`shutdown_timeout`](crate::Guard::shutdown_timeout) | one deadline for all of it |
//! | `reset_dispatcher()` | [`GlobalDispatcher::reset`] | launches that race it belong to one side |
//! | `TESTING_MODE`, `is_test_mode()` | [`set_test_mode`](crate::GlobalDispatcher::set_test_mode), [`is_test_mode`](crate::GlobalDispatcher::is_test_mode) | a launch inside a task does not hang |
//! | `QUEUE_TASKS` | | the gate is part of each dispatcher |
//! | `DispatchError::WorkerPanic` after a task panicked | [`TaskError::Panicked`](crate::TaskError::Panicked) of that task's handle | the worker lives on |
//! | `DispatchError::SendError`, `RecvError` | [`DispatchError::Closed`], [`DispatchError::Killed`] | say why |
//! | no `Drop` | [the drop](crate::Dispatcher#drop) closes | |
//!
//! ```
//! use selvedge_dispatcher::{DispatchError, GlobalDispatcher};
//!
//! static DISPATCHER: GlobalDispatcher = GlobalDispatcher::new(1_000_000).with_name("glean.dispatcher");
//!
//! /// As before: whoever launches need not know what becomes of it.
//! fn launch(task: impl FnOnce() + Send + 'static) {
//!     if let Err(refused) = DISPATCHER.launch(task) {
//!         eprintln!("{refused}");
//!     }
//! }
//!
//! launch(|| println!("before the program is set up"));
//! assert_eq!(DISPATCHER.flush_init(), Ok(0));
//! assert_eq!(DISPATCHER.flush_init(), Err(DispatchError::AlreadyFlushed));
//! DISPATCHER.shutdown().unwrap();
//! launch(|| unreachable!("refused, with a line of its own"));
//! ```
//!
//! [`Builder::name`]: crate::Builder::name
//! [`Builder::stack_size`]: crate::Builder::stack_size
//! [`DispatchError::Closed`]: crate::DispatchError::Closed
//! [`DispatchError::Killed`]: crate::DispatchError::Killed
//! [`Dispatcher::new`]: crate::Dispatcher::new
//! [`GlobalDispatcher::launch`]: crate::GlobalDispatcher::launch
//! [`GlobalDispatcher::new`]: crate::GlobalDispatcher::new
//! [`GlobalDispatcher::reset`]: crate::GlobalDispatcher::reset
//! [`Guard`]: crate::Guard
//! [`Overflow::Block`]: crate::Overflow::Block
//! [`Overflow::DropOldest`]: crate::Overflow::DropOldest
//! [`Overflow::Reject`]: crate::Overflow::Reject
