//! Moving here: old and new names, and what differs.
//!
//! # From async-executor
//!
//! Change the import; the names are the same, and so is the [`Task`](crate::Task) type (async-task's), so handles
//! can be passed between code that has moved and code that has not.
//!
//! | async-executor | here | what differs |
//! |---|---|---|
//! | `LocalExecutor` | [`LocalExecutor`] | the same |
//! | `StaticLocalExecutor`, with the feature `static` | [`StaticLocalExecutor`] | needs no feature |
//! | `LocalExecutor::leak` | [`leak`](crate::LocalExecutor::leak) | needs no feature |
//! | `spawn`, `spawn_many`, `spawn_scoped`, `is_empty` | the same | |
//! | `try_tick`, `tick` | the same | |
//! | `run(future)` | the same | polls `future` when that was woken, not each time that `run` is polled; gives its caller a turn after 192 polls, not 200 |
//! | `futures_lite::future::block_on(ex.run(future))` | [`block_on(future)`](crate::LocalExecutor::block_on) | the other form works too |
//! | an `Executor` beside it, to spawn from other threads | [`spawner()`](crate::LocalExecutor::spawner) | also for futures that are not `Send` |
//! | `Task`, `FallibleTask` | the same types | |
//!
//! Two things to look at:
//!
//! * A detached task that nothing can wake any more is kept until the executor is dropped. async-executor's
//!   `StaticLocalExecutor` frees such a task; here a [`StaticLocalExecutor`] keeps it for good.
//! * A main future that returns `Pending` without having arranged for its wake was polled again there,
//!   by chance, whenever a task ran. Here it is not.
//!
//! # From tokio's `LocalSet` (and `LocalRuntime`)
//!
//! | tokio | here | what differs |
//! |---|---|---|
//! | `LocalSet::new()` | [`LocalExecutor::new()`] | `const`; allocates at first use |
//! | `local.spawn_local(future)` | [`ex.spawn(future)`](crate::LocalExecutor::spawn) | `future` may borrow; **dropping the handle cancels**: add [`.detach()`](crate::Task::detach) where the handle was dropped |
//! | `tokio::task::spawn_local(future)` | `ex.spawn(future)` | there is no current executor: pass a reference, or keep a leaked one in a thread-local |
//! | `local.run_until(future).await` | [`ex.run(future).await`](crate::LocalExecutor::run) | |
//! | `local.block_on(&runtime, future)` | [`ex.block_on(future)`](crate::LocalExecutor::block_on) | without tokio's timers and I/O |
//! | the same, with tokio's timers and I/O | `runtime.block_on(ex.run(future))` | `runtime` drives the reactor, `ex` the tasks |
//! | `local.await` | `while !ex.is_empty() { ex.tick().await }` | both wait for ever for a task that nothing wakes |
//! | `local.enter()` | | no counterpart, as nothing is current |
//! | `LocalRuntime::block_on`, `Runtime::block_on` on one thread | [`ex.block_on(future)`](crate::LocalExecutor::block_on) | may be called inside a task; there it is a panic |
//! | `Handle::spawn` of a `LocalRuntime`'s handle | [`Spawner::spawn`](crate::Spawner::spawn) | a `Result`: it gives the future back once the executor is gone |
//! | `spawn_pinned` of tokio-util's `LocalPoolHandle` | [`Spawner::spawn_with`](crate::Spawner::spawn_with) | onto this executor, not onto a pool |
//! | `JoinHandle<T>`: awaiting gives `Result<T, JoinError>` | [`Task<T>`](crate::Task): awaiting gives `T` | a panic of the task continues in whoever awaits it |
//! | `handle.await` after an abort: `JoinError::is_cancelled` | [`task.fallible().await`](crate::Task::fallible): `None` | |
//! | `handle.abort()` | `drop(task)`, or [`task.cancel().await`](crate::Task::cancel) to wait for it | |
//! | `abort_handle()` | | keep the task where it can be dropped |
//! | `handle.is_finished()` | [`task.is_finished()`](crate::Task::is_finished) | also true once it is cancelled |
//! | `JoinSet` | a `Vec` of tasks, [`spawn_many`](crate::LocalExecutor::spawn_many), or a group of `selvedge-combinators` | |
//! | `tokio::task::yield_now()` | `futures_lite::future::yield_now()` | any crate's works |
//! | `spawn_blocking` | the crate `blocking`, a thread, or `selvedge-dispatcher` | |
//! | `tokio::time`, `tokio::net` | async-io | any reactor that wakes from a thread of its own |
//! | co-operative budgets inside tokio's resources | | a task that is always ready must yield by itself |
//!
//! Dropping a `LocalSet` and dropping a [`LocalExecutor`] do the same to the tasks: each is dropped, unfinished.
//!
//! ```
//! use std::panic::{AssertUnwindSafe, catch_unwind};
//! use selvedge_local_executor::LocalExecutor;
//!
//! // What was
//! //     let local = LocalSet::new();
//! //     local.spawn_local(background());
//! //     match local.run_until(tokio::task::spawn_local(work())).await { Ok(..) => .., Err(..) => .. }
//! // becomes
//! async fn background() {}
//! async fn work() -> u32 {
//!     5
//! }
//!
//! let ex = LocalExecutor::new();
//! ex.spawn(background()).detach();
//! let work = ex.spawn(work());
//! let outcome = catch_unwind(AssertUnwindSafe(|| ex.block_on(work)));
//! assert_eq!(outcome.unwrap(), 5);
//! ```
//!
//! Code that relied on `spawn_local` without a handle to anything:
//!
//! ```
//! use selvedge_local_executor::{StaticLocalExecutor, Task};
//!
//! thread_local! {
//!     static EX: &'static StaticLocalExecutor = Box::leak(Box::new(StaticLocalExecutor::new()));
//! }
//!
//! fn spawn_local<T: 'static>(future: impl Future<Output = T> + 'static) -> Task<T> {
//!     EX.with(|ex| ex.spawn(future))
//! }
//!
//! let sum = EX.with(|ex| *ex).block_on(async {
//!     let task = spawn_local(async { 1 });
//!     task.await + spawn_local(async { 2 }).await
//! });
//! assert_eq!(sum, 3);
//! ```
//!
//! [`LocalExecutor`]: crate::LocalExecutor
//! [`LocalExecutor::new()`]: crate::LocalExecutor::new
//! [`StaticLocalExecutor`]: crate::StaticLocalExecutor
