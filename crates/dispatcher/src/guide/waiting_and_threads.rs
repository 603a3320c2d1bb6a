//! Waiting and threads: the gate, waits and launches inside a task, async code, locks, forks.
//!
//! Each section starts from a mistake, says what happens, and what to do.
//!
//! # 'I launch, and nothing runs'
//!
//! A new dispatcher queues, and runs nothing before its gate opens. [`open`](crate::Guard::open) opens it and
//! returns; [`flush_init`](crate::Guard::flush_init) opens it and waits for what was queued before. Everything
//! that waits for a task waits for the gate as well, so a thread that waits first and would open afterwards
//! waits for itself. No error tells, since another thread might open; a form with a timeout does.
//!
//! ```
//! use std::time::Duration;
//! use selvedge_dispatcher::{DispatchError, Dispatcher};
//!
//! let dispatcher = Dispatcher::new(10);
//! let guard = dispatcher.guard();
//! let task = guard.launch_with_handle(|| 1).unwrap();
//! // `task.wait()` or `guard.block_on_queue()` would wait for ever here.
//! let shut = guard.block_on_queue_timeout(Duration::from_millis(1));
//! assert_eq!(shut, Err(DispatchError::TimedOut));
//! guard.flush_init().unwrap();
//! assert_eq!(task.wait().unwrap(), 1);
//! ```
//!
//! # '`Ok` from a launch means that it has run'
//!
//! It means that it will run. To know that it has, or what it gave, keep a handle and wait for that; or wait for all
//! that was launched before, by [`block_on_queue`](crate::Guard::block_on_queue) or [`flush`](crate::Guard::flush).
//! What is launched while such a wait goes on is not waited for.
//!
//! # 'A task waits for the queue'
//!
//! There is one worker, and it is running that task: what is behind it cannot run. Each verb that would wait says
//! [`WouldDeadlock`](crate::DispatchError::WouldDeadlock) there, and changes nothing; so do the blocking forms of
//! a [`Handle`](crate::Handle). Launch what is to come afterwards as a task of its own; it runs after
//! all that is queued by then.
//!
//! ```
//! use selvedge_dispatcher::{DispatchError, Dispatcher, TaskError};
//!
//! let dispatcher = Dispatcher::new(10);
//! let guard = dispatcher.guard();
//! guard.open().unwrap();
//! let inside = guard.clone();
//! let task = guard.launch_with_handle(move || {
//!     assert!(inside.is_worker_thread());
//!     assert_eq!(inside.block_on_queue(), Err(DispatchError::WouldDeadlock));
//!     assert_eq!(inside.shutdown(), Err(DispatchError::WouldDeadlock));
//!     let next = inside.launch_with_handle(|| 5).unwrap();
//!     assert!(matches!(next.wait(), Err(TaskError::WouldDeadlock)));
//!     inside.launch_with_handle(|| 6).unwrap() // handed out, to be awaited elsewhere
//! });
//! let later = task.unwrap().wait().unwrap();
//! assert_eq!(later.wait().unwrap(), 6);
//! ```
//!
//! Two waits are not found out, because they cannot know where they are made for: a [`Flush`](crate::Flush) or
//! a `Handle` that a task awaits by some `block_on` of its own never ends; and if a task of one dispatcher
//! waits for a second one while a task of that waits for the first, both wait for ever.
//!
//! # 'A task launches tasks'
//!
//! It may. They go to the end of the queue and run after the task, and after all that was queued before them.
//! What differs from a launch on another thread:
//!
//! * under [`Overflow::Block`](crate::Overflow::Block) a full queue turns the launch away at once, for the worker
//!   would wait for itself to make room;
//! * in test mode of a [`GlobalDispatcher`](crate::GlobalDispatcher) it returns at once, for the same reason;
//! * once a shutdown has begun it is refused like any other, so the task must not count on it.
//!
//! ```
//! use std::sync::mpsc::channel;
//! use selvedge_dispatcher::{Dispatcher, LaunchErrorKind, Overflow};
//!
//! let builder = Dispatcher::builder().bound_once_open(1).overflow(Overflow::Block);
//! let dispatcher = builder.build().unwrap();
//! let guard = dispatcher.guard();
//! guard.open().unwrap();
//! let (log, lines) = channel();
//! let inside = guard.clone();
//! guard
//!     .launch(move || {
//!         let later = log.clone();
//!         inside.launch(move || later.send("later").unwrap()).unwrap();
//!         assert_eq!(inside.launch(|| ()).unwrap_err().kind(), LaunchErrorKind::Full);
//!         log.send("first").unwrap();
//!     })
//!     .unwrap();
//! guard.block_on_queue().unwrap(); // for the task
//! guard.block_on_queue().unwrap(); // for what it has launched
//! assert_eq!(lines.iter().collect::<Vec<_>>(), ["first", "later"]);
//! ```
//!
//! # 'I hold a lock while I wait for the queue'
//!
//! If any task before takes the same lock, the worker waits for you and you for it. Release it first. (A launch
//! waits under [`Overflow::Block`](crate::Overflow::Block), and in the test mode of a
//! [`GlobalDispatcher`](crate::GlobalDispatcher); there the same holds. Otherwise it never does.)
//!
//! ```
//! use std::sync::{Arc, Mutex};
//! use std::time::Duration;
//! use selvedge_dispatcher::{DispatchError, Dispatcher};
//!
//! let dispatcher = Dispatcher::new(10);
//! let guard = dispatcher.guard();
//! guard.open().unwrap();
//! let total = Arc::new(Mutex::new(0));
//! let held = total.lock().unwrap();
//! let counted = total.clone();
//! guard.launch(move || *counted.lock().unwrap() += 1).unwrap();
//! let both_wait = guard.block_on_queue_timeout(Duration::from_millis(1));
//! assert_eq!(both_wait, Err(DispatchError::TimedOut));
//! drop(held);
//! guard.block_on_queue().unwrap();
//! assert_eq!(*total.lock().unwrap(), 1);
//! ```
//!
//! # 'I wait in async code'
//!
//! The blocking forms block the thread, and with it the executor's other tasks; on an executor with one thread the
//! queue may even wait for one of those. Await instead: [`flush`](crate::Guard::flush) is
//! [`block_on_queue`](crate::Guard::block_on_queue) as a future, and a handle is a future. Both are woken by the
//! worker, so the waker that they are polled with must not block; a panic of it is contained.
//!
//! ```
//! use futures_lite::future::block_on;
//! use selvedge_dispatcher::Dispatcher;
//!
//! let dispatcher = Dispatcher::new(10);
//! let guard = dispatcher.guard();
//! guard.open().unwrap();
//! block_on(async {
//!     assert_eq!(guard.launch_with_handle(|| 3).unwrap().await.unwrap(), 3);
//!     guard.flush().await.unwrap();
//! });
//! ```
//!
//! # 'One slow task does no harm'
//!
//! Everything behind it waits: there is one thread, and order is what it is for. Work that need not keep its
//! order with the rest belongs on another dispatcher, or on a thread pool.
//!
//! # 'A panic ends the queue'
//!
//! It ends its task. Whoever waits for its handle gets the payload, the hook of the
//! [builder](crate::Builder::on_panic) is called, [`Stats::panicked`](crate::Stats::panicked) counts it, and the next task
//! runs. What the task left half-done is left so: a `Mutex` of std that it held is poisoned.
//!
//! ```
//! use selvedge_dispatcher::{Dispatcher, TaskError};
//!
//! let dispatcher = Dispatcher::new(10);
//! let guard = dispatcher.guard();
//! guard.open().unwrap();
//! let bad = guard.launch_with_handle(|| panic!("only this task")).unwrap();
//! let good = guard.launch_with_handle(|| 4).unwrap();
//! let Err::<(), _>(TaskError::Panicked(payload)) = bad.wait() else { unreachable!() };
//! assert_eq!(payload.message(), Some("only this task"));
//! assert_eq!(good.wait().unwrap(), 4);
//! assert_eq!(guard.stats().panicked, 1);
//! ```
//!
//! # 'The process forks'
//!
//! A forked child has the memory of its parent, queue included, and none of its threads: nobody runs the queue
//! there, and what waits for it waits for ever. So make dispatchers after the fork, where you can: a
//! [`GlobalDispatcher`](crate::GlobalDispatcher) that nobody has used yet is as good in the child as in the parent. Where
//! you cannot, turn on the feature `fork`: every verb in the child then says `Forked`, closures come back from
//! launches, and a new dispatcher may be made. A task that forks returns in both processes; with the feature
//! its thread then ends in the child, without it the child's copy of the worker would go on and run what
//! is queued a second time.
