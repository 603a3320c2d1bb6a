//! Dropping and cancelling: which verb ends what, where destructors run, and what is lost at exit.
//!
//! Each section starts from a mistake, says what happens, and what to do.
//!
//! # 'I keep a guard, so the dispatcher stays'
//!
//! A [`Guard`](crate::Guard) keeps the memory of the queue and nothing else. What ends the dispatcher is the drop of
//! the [`Dispatcher`](crate::Dispatcher), or a closing verb through any guard; after that every guard is refused.
//!
//! ```
//! use selvedge_dispatcher::{Dispatcher, Guard, LaunchErrorKind};
//!
//! fn logger() -> Guard {
//!     Dispatcher::new(10).guard() // the dispatcher is dropped here, unopened
//! }
//! assert_eq!(logger().launch(|| ()).unwrap_err().kind(), LaunchErrorKind::Closed);
//! ```
//!
//! | dropped | what happens |
//! |---|---|
//! | a guard, or the last one | nothing: queued work goes on, and [`Dispatcher::guard`](crate::Dispatcher::guard) gives new ones |
//! | the dispatcher, its gate open | accepts nothing more; queued tasks run; the thread ends by itself; nobody waits |
//! | the dispatcher, unopened | accepts nothing more; the worker drops the queue, and counts it in [`Stats::dropped`](crate::Stats::dropped) |
//! | the dispatcher, after a closing verb | nothing more |
//! | the dispatcher, forgotten by `mem::forget` | nothing: guards go on working, and may shut it down |
//!
//! Guards that queued closures have captured do not keep the worker alive; there is no cycle.
//!
//! # 'The program ends when the queue is empty'
//!
//! A process ends when `main` returns, whatever its threads are doing. No drop waits here, so what is queued then is
//! lost. End `main` with [`shutdown`](crate::Guard::shutdown), or with the form that has a timeout.
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::{AtomicU32, Ordering};
//! use selvedge_dispatcher::Dispatcher;
//!
//! let written = Arc::new(AtomicU32::new(0));
//! let dispatcher = Dispatcher::new(100);
//! let guard = dispatcher.guard();
//! guard.open().unwrap();
//! for _ in 0..100 {
//!     let written = written.clone();
//!     guard.launch(move || _ = written.fetch_add(1, Ordering::Relaxed)).unwrap();
//! }
//! // `drop(dispatcher)` would not wait for them.
//! assert_eq!(guard.shutdown().unwrap().run, 100);
//! assert_eq!(written.load(Ordering::Relaxed), 100);
//! ```
//!
//! # 'Which verb do I want?'
//!
//! | | [`open`] | [`flush_init`] | [`block_on_queue`], [`flush`] | [`shutdown`] | [`kill`] | drop of the dispatcher |
//! |---|---|---|---|---|---|---|
//! | opens a shut gate | yes | yes | no, waits for it | yes | no | no |
//! | what was queued before | runs | runs | runs | runs | is dropped | runs if the gate was open |
//! | waits for that | no | what was queued before the opening | yes | yes | for the task that runs | no |
//! | later launches | accepted | accepted | accepted | refused | refused | refused |
//! | the worker | goes on | goes on | goes on | is joined | is joined | ends by itself |
//! | a second time | `AlreadyFlushed` | `AlreadyFlushed` | as the first | `Closed` | `Killed` | |
//!
//! Of a `shutdown` and a `kill` that race, one wins; the other waits for it and then gives `Closed` or `Killed`. No verb
//! interrupts a task that runs: a kill waits for it, and starts no other.
//!
//! ```
//! use selvedge_dispatcher::{DispatchError, Dispatcher, LaunchErrorKind, TaskError};
//!
//! let dispatcher = Dispatcher::new(10);
//! let guard = dispatcher.guard();
//! let never = guard.launch_with_handle(|| unreachable!()).unwrap();
//! let flush = guard.flush();
//! assert_eq!(guard.kill(), Ok(1));
//! assert!(matches!(never.wait(), Err::<(), _>(TaskError::Killed)));
//! assert_eq!(futures_lite::future::block_on(flush), Err(DispatchError::Killed));
//! assert_eq!(guard.launch(|| ()).unwrap_err().kind(), LaunchErrorKind::Killed);
//! assert_eq!(guard.shutdown(), Err(DispatchError::Killed));
//! ```
//!
//! # 'The shutdown ran out of time, so it failed'
//!
//! It is `Ok`, and the report says `timed_out`, how many tasks are `left`, and whether one is `running`. The queue
//! is closed from then on, and the worker goes on with what is left. Then wait again, or [`kill`].
//!
//! ```
//! use std::sync::mpsc::channel;
//! use std::time::Duration;
//! use selvedge_dispatcher::Dispatcher;
//!
//! let dispatcher = Dispatcher::new(10);
//! let guard = dispatcher.guard();
//! guard.open().unwrap();
//! let (go, gone) = channel::<()>();
//! guard.launch(move || _ = gone.recv()).unwrap();
//! guard.launch(|| ()).unwrap();
//!
//! let report = guard.shutdown_timeout(Duration::from_millis(1)).unwrap();
//! assert!(report.timed_out && report.left >= 1);
//! drop(go);
//! let report = guard.shutdown().unwrap();
//! assert_eq!((report.timed_out, report.run, report.left), (false, 2, 0));
//! ```
//!
//! # 'I dropped the handle, so the task is cancelled'
//!
//! Dropping a [`Handle`](crate::Handle) detaches: the task runs all the same. (The tasks of `selvedge-executor` and
//! `selvedge-local-executor` are cancelled when they are dropped.) [`cancel`](crate::Handle::cancel) keeps it from
//! starting, and says whether that was in time. A task that has started cannot be stopped.
//!
//! ```
//! use std::sync::Arc;
//! use selvedge_dispatcher::Dispatcher;
//!
//! let held = Arc::new(());
//! let dispatcher = Dispatcher::new(10);
//! let guard = dispatcher.guard();
//! let captured = held.clone();
//! let unwanted = guard.launch_with_handle(move || unreachable!("{captured:?}")).unwrap();
//! assert!(unwanted.cancel());
//! assert_eq!(Arc::strong_count(&held), 2, "it keeps its place, and its closure");
//! guard.flush_init().unwrap();
//! assert_eq!(Arc::strong_count(&held), 1, "until the worker passes it");
//! ```
//!
//! # 'My destructor ran on the wrong thread'
//!
//! | what is dropped | where |
//! |---|---|
//! | what a task captured, after it ran | the worker |
//! | a closure that a launch refused | it comes back to the launching thread |
//! | a closure that is killed, cancelled or discarded unopened | the worker |
//! | a closure that is evicted to make room | the thread whose launch evicts |
//! | an output whose handle is gone | the worker |
//! | an output that its handle never took | wherever the handle is dropped |
//!
//! No lock is held meanwhile, so a destructor may launch, or be refused. A panic of one is reported as the task's
//! own is.
//!
//! # 'I cannot drop this future half-way'
//!
//! | dropped | what is lost |
//! |---|---|
//! | a [`Flush`](crate::Flush) | the wait, and nothing else; what it waits for was settled when it was made |
//! | a [`Handle`](crate::Handle) | the output; the task runs |
//! | a `Handle` whose [`wait_timeout`](crate::Handle::wait_timeout) ran out | as good as before, until it is dropped |
//!
//! A timeout around either is therefore safe. So is `mem::forget`: a forgotten `Flush` keeps the memory of the queue,
//! a forgotten `Handle` that of the output.
//!
//! ```
//! use futures_lite::future::{block_on, or, ready};
//! use selvedge_dispatcher::Dispatcher;
//!
//! let dispatcher = Dispatcher::new(10);
//! let guard = dispatcher.guard();
//! let mut task = guard.launch_with_handle(|| 8).unwrap();
//! let in_time = block_on(or(async { Some((&mut task).await) }, ready(None)));
//! assert!(in_time.is_none(), "the gate is shut");
//! guard.open().unwrap();
//! assert_eq!(task.wait().unwrap(), 8);
//! ```
//!
//! [`open`]: crate::Guard::open
//! [`flush_init`]: crate::Guard::flush_init
//! [`block_on_queue`]: crate::Guard::block_on_queue
//! [`flush`]: crate::Guard::flush
//! [`shutdown`]: crate::Guard::shutdown
//! [`kill`]: crate::Guard::kill
