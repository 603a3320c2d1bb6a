//! Dropping and cancelling: where and when futures end, and who is told.
//!
//! Each section starts from a mistake, says what happens, and what to do. What holds for all of them: **a future is
//! dropped by a driver or by the executor's drop, on the executor's thread, and nowhere else**.
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
//! | drop it | is not polled any more, and dropped by a driver soon; nobody waits |
//! | await [`cancel()`](crate::Task::cancel) | the same, and you wait until it is gone; you get its output if it had completed |
//! | [`fallible`](crate::Task::fallible), then await | as awaiting, with `None` where no output will ever come; a panic of the task still reaches you |
//! | `mem::forget` it | runs as if detached; its memory and its output are leaked |
//!
//! ```
//! use std::cell::Cell;
//! use selvedge_local_executor::LocalExecutor;
//!
//! let ran = Cell::new(0);
//! let ex = LocalExecutor::new();
//! let _ = ex.spawn(async { ran.set(ran.get() + 1) });
//! ex.spawn(async { ran.set(ran.get() + 10) }).detach();
//! while ex.try_tick() {}
//! assert_eq!(ran.get(), 10);
//! ```
//!
//! # 'I dropped the task, so what it holds is free'
//!
//! Not yet. Dropping a task marks it and queues it once more; the next driver that comes to it drops the future.
//! So destructors of futures run on the executor's thread, also if the task was dropped on another one. To know
//! that it is over, await `cancel`, while somebody drives the executor.
//!
//! ```
//! use std::future::pending;
//! use std::rc::Rc;
//! use selvedge_local_executor::LocalExecutor;
//!
//! let held = Rc::new(());
//! let ex = LocalExecutor::new();
//! let hold = || {
//!     let held = held.clone();
//!     ex.spawn(async move {
//!         pending::<()>().await;
//!         drop(held);
//!     })
//! };
//!
//! drop(hold());
//! assert_eq!(Rc::strong_count(&held), 2, "only marked");
//! assert!(ex.try_tick());
//! assert_eq!(Rc::strong_count(&held), 1);
//!
//! let task = hold();
//! assert_eq!(ex.block_on(task.cancel()), None);
//! assert_eq!(Rc::strong_count(&held), 1, "gone when `cancel` is over");
//! ```
//!
//! [`is_finished`](crate::Task::is_finished) is true as soon as a task is cancelled, although its future may not have
//! been dropped yet; [`is_empty`](crate::LocalExecutor::is_empty) waits for that.
//!
//! # 'The time limit cancelled my task'
//!
//! A race drops the futures that lose, and a task that is dropped is cancelled. If it shall go on, race for
//! a reference to it.
//!
//! ```
//! use futures_lite::future::{or, ready};
//! use selvedge_local_executor::LocalExecutor;
//!
//! let ex = LocalExecutor::new();
//! let mut task = ex.spawn(async { 5 });
//! let in_time = ex.block_on(or(async { Some((&mut task).await) }, ready(None)));
//! assert_eq!(in_time, None);
//! assert_eq!(ex.block_on(task), 5);
//! ```
//!
//! # 'Dropping the executor is like letting it run down'
//!
//! It runs nothing. It drops every unfinished future, once, on this thread, before `drop` returns, in
//! whatever state they are: just spawned, queued, or waiting. Their destructors may wake, cancel and lock as
//! they like; spawners refuse from then on. If another thread is in the middle of a wake or of a spawn at that
//! moment, `drop` waits for it: a few instructions of that thread, no more. To let tasks finish, drive the
//! executor until it [is empty](crate::LocalExecutor::is_empty), and drop it then.
//!
//! What is left afterwards does no harm: a waker does nothing and holds a small block of memory, a spawner gives
//! back what it is given, and a task
//!
//! * gives its output, if it had completed;
//! * panics otherwise when it is awaited, with async-task's words 'Task polled after completion';
//! * gives `None` otherwise, if it was made [`fallible`](crate::Task::fallible).
//!
//! ```
//! use std::future::pending;
//! use futures_lite::future::block_on;
//! use selvedge_local_executor::LocalExecutor;
//!
//! let ex = LocalExecutor::new();
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
//! A [`StaticLocalExecutor`](crate::StaticLocalExecutor) is never dropped, nor are its futures that wait: at the end
//! of the process their destructors do not run.
//!
//! # 'A task keeps the executor alive'
//!
//! An `Rc<LocalExecutor>` inside one of its own tasks is a cycle: the executor keeps the task, and the task the
//! executor. Neither is ever dropped. Give the task a [`Spawner`](crate::Spawner), which keeps nothing
//! alive, or a reference to a leaked executor.
//!
//! ```
//! use std::future::pending;
//! use std::rc::Rc;
//! use selvedge_local_executor::LocalExecutor;
//!
//! let ex = Rc::new(LocalExecutor::new());
//! let spawner = ex.spawner();
//! ex.spawn(async move {
//!     spawner.spawn(async {}).expect("the executor is alive").detach();
//!     pending::<()>().await
//! })
//! .detach();
//! ex.try_tick();
//! let alive = Rc::downgrade(&ex);
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
//! # 'A panic ends the executor'
//!
//! It ends its task. The executor, and all other tasks, go on.
//!
//! | what panics | who is told |
//! |---|---|
//! | `poll` of a task | whoever awaits the task, by the panic itself; for a detached task the panic hook alone |
//! | the destructor of a future that has completed | the same |
//! | the destructor of a future that is cancelled, or dropped with the executor | the panic hook alone |
//! | the main future of `run` or `block_on` | the caller of the driver |
//! | the closure given to `spawn_with` | whoever awaits the task |
//! | an output, or a panic's payload, that nobody can take any more, when it is dropped | nobody: async-task aborts the process |
//! | the waker of whoever awaits a task | nobody: async-task aborts the process |
//!
//! ```
//! use std::panic::{AssertUnwindSafe, catch_unwind};
//! use selvedge_local_executor::LocalExecutor;
//!
//! let ex = LocalExecutor::new();
//! let bad = ex.spawn(async { panic!("only this task") });
//! let good = ex.spawn(async { 3 });
//! while ex.try_tick() {} // no panic gets here
//! assert!(catch_unwind(AssertUnwindSafe(|| ex.block_on::<()>(bad))).is_err());
//! assert_eq!(ex.block_on(good), 3);
//! ```
//!
//! # 'I cannot drop this future half-way'
//!
//! Every future of this crate may be dropped at any await, and none takes work with it.
//!
//! | dropped | what is lost |
//! |---|---|
//! | `tick()`, `run(f)` before the first poll | nothing has happened; `f` is dropped unpolled |
//! | `tick()` later | nothing; all sleeping drivers are woken for work, so no wake-up goes with it |
//! | `run(f)` later | `f`, where it stands; tasks stay queued, in order |
//! | a [`Task`], a [`FallibleTask`](crate::FallibleTask) | the task: it is cancelled |
//! | `&mut task` | nothing |
//! | `cancel()` | nothing more: the task is cancelled all the same, and nobody waits for it |
//!
//! # 'It was forgotten, not dropped'
//!
//! `mem::forget` of anything here is safe, as of everything in Rust. A forgotten `run` or `tick` future
//! takes no task with it: those stay queued. Its place in the list of drivers, and the waker that it was polled
//! with, are kept until the executor is dropped. A forgotten executor keeps its tasks for ever.
//!
//! ```
//! use std::future::{Future, pending};
//! use std::mem;
//! use std::task::{Context, Waker};
//! use selvedge_local_executor::LocalExecutor;
//!
//! let ex = LocalExecutor::new();
//! let mut run = Box::pin(ex.run(pending::<()>()));
//! assert!(run.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
//! mem::forget(run);
//! assert_eq!(ex.block_on(ex.spawn(async { 1 })), 1);
//! ```
//!
//! [`Task`]: crate::Task
