//! Dropping and cancelling: where and when futures end, and who is told.
//!
//! Each section starts from a mistake, says what happens, and what to do. What holds for all of them: **a future is
//! dropped by a driver, on the thread that drives, or by the executor's drop, and nowhere else**; never by
//! whoever wakes it, nor by whoever drops its task.
//!
//! # '`let _ = ex.spawn(..)` starts it'
//!
//! It cancels it: `let _` drops the [`Task`] at once, and dropping a task cancels it. (tokio's `JoinHandle`, and
//! the handle of `selvedge-dispatcher`, detach instead.)
//!
//! | what you do with the task | what becomes of the future |
//! |---|---|
//! | await it | runs; you get its output, or its panic |
//! | keep it | runs; its output stays in the task until you await or drop it: a growing list of finished tasks is a leak |
//! | [`detach`](crate::Task::detach) | runs by itself; its output is dropped, its panic ends with the message |
//! | drop it | is not polled again, and dropped by a driver soon; nobody waits |
//! | await [`cancel()`](crate::Task::cancel) | the same, and you wait until it is gone; you get its output if it had completed |
//! | [`fallible`](crate::Task::fallible), then await | as awaiting, with `None` where no output will ever come; a panic of the task still reaches you |
//! | `mem::forget` it | runs as if detached; its memory and its output are leaked |
//!
//! ```
//! use std::sync::atomic::{AtomicU32, Ordering};
//! use selvedge_executor::Executor;
//!
//! let ran = AtomicU32::new(0);
//! let ex = Executor::new();
//! let _ = ex.spawn(async { ran.fetch_add(1, Ordering::Relaxed) });
//! ex.spawn(async { ran.fetch_add(10, Ordering::Relaxed) }).detach();
//! while ex.try_tick() {}
//! assert_eq!(ran.load(Ordering::Relaxed), 10);
//! ```
//!
//! # 'I dropped the task, so what it holds is free'
//!
//! Not yet. The future may be in the middle of a poll on another thread, which is finished first; otherwise it is
//! queued once more, and the next driver that comes to it drops it. Whoever dropped the task does not wait, and
//! runs no destructor. To know that it is over, await `cancel`, while somebody drives the executor: when it
//! returns, the future is gone.
//!
//! ```
//! use std::future::pending;
//! use std::sync::Arc;
//! use selvedge_executor::Executor;
//!
//! let held = Arc::new(());
//! let ex = Executor::new();
//! let hold = || {
//!     let held = held.clone();
//!     ex.spawn(async move {
//!         pending::<()>().await;
//!         drop(held);
//!     })
//! };
//!
//! drop(hold());
//! assert_eq!(Arc::strong_count(&held), 2, "only marked");
//! assert!(ex.try_tick());
//! assert_eq!(Arc::strong_count(&held), 1);
//!
//! let task = hold();
//! assert_eq!(ex.block_on(task.cancel()), None);
//! assert_eq!(Arc::strong_count(&held), 1, "gone when `cancel` is over");
//! ```
//!
//! [`is_finished`](crate::Task::is_finished) is true as soon as a task is cancelled, although its future may not have
//! been dropped yet; [`is_empty`](crate::Executor::is_empty) waits for that.
//!
//! # 'The time limit cancelled my task'
//!
//! A race drops the futures that lose, and a task that is dropped is cancelled. If it shall go on, race for
//! a reference to it.
//!
//! ```
//! use futures_lite::future::{or, ready};
//! use selvedge_executor::Executor;
//!
//! let ex = Executor::new();
//! let mut task = ex.spawn(async { 5 });
//! let in_time = ex.block_on(or(async { Some((&mut task).await) }, ready(None)));
//! assert_eq!(in_time, None);
//! assert_eq!(ex.block_on(task), 5);
//! ```
//!
//! # 'Dropping the executor is like letting it run down'
//!
//! It runs nothing. It drops every unfinished future, once, on the thread that drops it, before `drop` returns, in
//! whatever state they are: just spawned, queued, or waiting. Their destructors may wake, cancel and lock as
//! they like; spawners refuse from then on. If another thread is in the middle of a wake or of a spawn at that
//! moment, `drop` waits for it: a few instructions of that thread, no more. To let tasks finish, drive the executor
//! until it [is empty](crate::Executor::is_empty), and drop it then.
//!
//! A driver borrows the executor, so none can be left when it is dropped. Wakers, spawners and tasks may be left,
//! on any thread, and do no harm: a waker does nothing and holds a small block of memory, a spawner gives back what
//! it is given, and a task
//!
//! * gives its output, if it had completed;
//! * panics otherwise when it is awaited, with async-task's words 'Task polled after completion';
//! * gives `None` otherwise, if it was made [`fallible`](crate::Task::fallible).
//!
//! ```
//! use std::future::pending;
//! use futures_lite::future::block_on;
//! use selvedge_executor::Executor;
//!
//! let ex = Executor::new();
//! let spawner = ex.spawner();
//! let finished = ex.spawn(async { 1 });
//! ex.try_tick();
//! let unfinished = ex.spawn(pending::<i32>()).fallible();
//! drop(ex);
//!
//! assert_eq!(block_on(finished), 1);
//! assert_eq!(block_on(unfinished), None);
//! assert!(spawner.spawn(async {}).is_err());
//! ```
//!
//! A [`StaticExecutor`](crate::StaticExecutor) is never dropped, nor are its futures that wait: at the end of the
//! process their destructors do not run.
//!
//! # 'The workers are gone, so the tasks are'
//!
//! [`WorkerThreads::shutdown`](crate::WorkerThreads::shutdown), its drop, and the end of
//! [`Workers::scope`](crate::Workers::scope) end threads, each after the poll that it is in. Tasks stay with the
//! executor, for whoever drives it next, or until it is dropped.
//!
//! ```
//! use selvedge_executor::{Executor, Workers};
//!
//! let ex = Executor::new();
//! let (send, receive) = async_channel::bounded(1);
//! let task = Workers::new(2).scope(&ex, || ex.spawn(async move { receive.recv().await })).unwrap();
//! send.try_send(5).unwrap();
//! assert!(!task.is_finished());
//! assert_eq!(ex.block_on(task), Ok(5));
//! ```
//!
//! # 'A task keeps the executor alive'
//!
//! An `Arc<Executor>` inside one of its own tasks is a cycle: the executor keeps the task, and the task the
//! executor. Neither is ever dropped. Give the task a [`Spawner`](crate::Spawner), which keeps nothing
//! alive, or a reference to a [`StaticExecutor`](crate::StaticExecutor).
//!
//! ```
//! use std::future::pending;
//! use std::sync::Arc;
//! use selvedge_executor::Executor;
//!
//! let ex = Arc::new(Executor::new());
//! let spawner = ex.spawner();
//! ex.spawn(async move {
//!     spawner.spawn(async {}).expect("the executor is alive").detach();
//!     pending::<()>().await
//! })
//! .detach();
//! ex.try_tick();
//! let alive = Arc::downgrade(&ex);
//! drop(ex);
//! assert!(alive.upgrade().is_none());
//! ```
//!
//! # 'The borrowed thing is declared in the wrong place'
//!
//! Tasks may borrow from the stack; what they borrow must be declared *before* the executor, so that it is dropped
//! after it. Otherwise the compiler says that it 'does not live long enough'. This is why `drop` waits
//! until every future is gone.
//!
//! # 'A panic ends the worker'
//!
//! It ends its task. The executor, its drivers and all other tasks go on.
//!
//! | what panics | who is told |
//! |---|---|
//! | `poll` of a task | whoever awaits the task, by the panic itself; for a detached task the panic hook alone |
//! | the destructor of a future that has completed | the same |
//! | the destructor of a future that is cancelled, or dropped with the executor | the panic hook alone |
//! | the main future of `run` or `block_on` | the caller of the driver |
//! | the body of `Workers::scope` | its caller, after the threads have ended |
//! | the loop given to `Workers::blocking_on` | the panic hook alone: the worker takes up its work again, a hundred times |
//! | an output, or a panic's payload, that nobody can take any more, when it is dropped | nobody: async-task aborts the process |
//! | the waker of whoever awaits a task | nobody: async-task aborts the process |
//!
//! ```
//! use std::panic::{AssertUnwindSafe, catch_unwind};
//! use selvedge_executor::Executor;
//!
//! let ex = Executor::new();
//! let bad = ex.spawn(async { panic!("only this task") });
//! let good = ex.spawn(async { 3 });
//! while ex.try_tick() {} // no panic gets here
//! assert!(catch_unwind(AssertUnwindSafe(|| ex.block_on::<()>(bad))).is_err());
//! assert_eq!(ex.block_on(good), 3);
//! ```
//!
//! # 'I cannot drop this future half-way'
//!
//! Every future of this crate may be dropped at any await, on any thread that may hold it, and none takes work with it.
//!
//! | dropped | what is lost |
//! |---|---|
//! | `tick()`, `run(f)` before the first poll | nothing has happened; `f` is dropped unpolled |
//! | `tick()` later | nothing; a notification that it was given passes on |
//! | `run(f)` later | `f`, where it stands; tasks stay within reach of every driver, a notification passes on |
//! | a [`Task`], a [`FallibleTask`](crate::FallibleTask) | the task: it is cancelled |
//! | `&mut task` | nothing |
//! | `cancel()` | nothing more: the task is cancelled all the same, and nobody waits for it |
//!
//! # 'It was forgotten, not dropped'
//!
//! `mem::forget` of anything here is safe, as of everything in Rust. A forgotten `run` or `tick` future
//! takes no task with it: those that are in its queue are found by other drivers. The slot of a `run`, which every
//! search for work looks at, and the waker that either was polled with, are kept until the executor is dropped.
//! Forgotten [`WorkerThreads`](crate::WorkerThreads) go on driving. A forgotten executor keeps its tasks for ever.
//!
//! ```
//! use std::future::{Future, pending};
//! use std::mem;
//! use std::task::{Context, Waker};
//! use selvedge_executor::Executor;
//!
//! let ex = Executor::new();
//! let mut run = Box::pin(ex.run(pending::<()>()));
//! assert!(run.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
//! mem::forget(run);
//! assert_eq!(ex.block_on(ex.spawn(async { 1 })), 1);
//! ```
//!
//! [`Task`]: crate::Task
