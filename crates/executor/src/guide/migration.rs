//! Moving here: old and new names, and what differs.
//!
//! # From async-executor
//!
//! Change the import; the names are the same, and so is the [`Task`](crate::Task) type (async-task's), so handles
//! can be passed between code that has moved and code that has not.
//!
//! | async-executor | here | what differs |
//! |---|---|---|
//! | `Executor` | [`Executor`] | the same |
//! | `StaticExecutor`, with the feature `static` | [`StaticExecutor`] | needs no feature |
//! | `Executor::leak` | [`leak`](crate::Executor::leak) | needs no feature |
//! | `LocalExecutor`, `StaticLocalExecutor` | the crate `selvedge-local-executor` | |
//! | `spawn`, `spawn_many`, `spawn_scoped`, `is_empty` | the same | |
//! | `try_tick`, `tick` | the same | |
//! | `run(future)` | the same | polls `future` when that was woken, not each time that `run` is polled; gives its caller a turn after 192 polls, not 200 |
//! | `block_on(ex.run(future))` | [`ex.block_on(future)`](crate::Executor::block_on) | the other form works too; of several threads in ours, new work wakes one |
//! | a loop of `thread::spawn(move \|\| block_on(ex.run(shutdown.recv())))` | [`Workers`](crate::Workers) | the loop works too |
//! | `Arc<Executor>` moved into tasks, to spawn | [`Spawner`](crate::Spawner) | no cycle; a `Result` |
//! | `Task`, `FallibleTask` | the same types | |
//!
//! Things to look at:
//!
//! * A task that is woken inside a driver stays with that driver until another one is idle, or the driver is held up.
//!   There, every wake went through one queue. So the order in which tasks run on several threads is another.
//! * A detached task that nothing can wake any more is kept until the executor is dropped. async-executor's
//!   `StaticExecutor` frees such a task; here a [`StaticExecutor`] keeps it for good.
//! * A main future that returns `Pending` without having arranged for its wake was polled again there,
//!   by chance, whenever `run` was. Here it is not.
//! * While other drivers are busy, an idle one may look around for some tens of microseconds before it sleeps.
//!
//! # From tokio's multi-threaded runtime
//!
//! | tokio | here | what differs |
//! |---|---|---|
//! | `Runtime::new()` | [`Executor::new()`], or a `static` [`StaticExecutor`]; threads from [`Workers`](crate::Workers) | `const`; any thread may drive |
//! | `worker_threads(n)`, `thread_name`, `thread_stack_size` | [`Workers::new(n)`](crate::Workers::new), [`name_prefix`](crate::Workers::name_prefix), [`stack_size`](crate::Workers::stack_size) | |
//! | `runtime.block_on(future)` | [`ex.block_on(future)`](crate::Executor::block_on) | drives tasks, too; may be called inside a task, where tokio's panics |
//! | `runtime.spawn(future)` | [`ex.spawn(future)`](crate::Executor::spawn) | `future` may borrow; **dropping the handle cancels**: add [`.detach()`](crate::Task::detach) where the handle was dropped |
//! | `tokio::spawn(future)` | `EX.spawn(future)` of a `static`, or a [`Spawner`](crate::Spawner) that is passed on | there is no current executor |
//! | `Handle` | [`Spawner`](crate::Spawner), or `&'static StaticExecutor` | |
//! | `Handle::spawn` after the end: a handle whose task is cancelled | [`Spawner::spawn`](crate::Spawner::spawn): the future back | |
//! | `JoinHandle<T>`: awaiting gives `Result<T, JoinError>` | [`Task<T>`](crate::Task): awaiting gives `T` | a panic of the task continues in whoever awaits it |
//! | `JoinError::is_cancelled` | [`task.fallible().await`](crate::Task::fallible): `None` | |
//! | `handle.abort()` | `drop(task)`, or [`task.cancel().await`](crate::Task::cancel) to wait for it | |
//! | `abort_handle()` | | keep the task where it can be dropped |
//! | `JoinSet` | a `Vec` of tasks, [`spawn_many`](crate::Executor::spawn_many), or a group of `selvedge-combinators` | |
//! | `spawn_blocking`, `block_in_place` | the crate `blocking`, or a thread | |
//! | `drop(runtime)`: waits for the polls that run, drops tasks | [`WorkerThreads::shutdown`](crate::WorkerThreads::shutdown) waits for the polls, the drop of an [`Executor`] drops the tasks | two things here |
//! | `shutdown_timeout`, `shutdown_background` | | workers are waited for without a limit |
//! | `Runtime::metrics` | `Executor::stats`, with the feature `stats` | |
//! | `tokio::time`, `tokio::net` | async-io | any reactor that wakes from a thread of its own, or that [workers drive](crate::Workers::blocking_on) |
//! | co-operative budgets inside tokio's resources | | a task that is always ready must yield by itself |
//!
//! For `LocalSet` and `spawn_local` see the [guide of `selvedge-local-executor`][local].
//!
//! ```
//! use std::io;
//! use selvedge_executor::{StaticExecutor, Workers};
//!
//! // What was
//! //     let runtime = Runtime::new()?;
//! //     runtime.spawn(background());
//! //     let answer = runtime.block_on(async { tokio::spawn(work()).await.unwrap() });
//! // becomes
//! static EX: StaticExecutor = StaticExecutor::new();
//!
//! async fn background() {}
//! async fn work() -> u32 {
//!     42
//! }
//!
//! fn main() -> io::Result<()> {
//!     let workers = Workers::available().start(&EX)?;
//!     EX.spawn(background()).detach();
//!     let answer = EX.block_on(async { EX.spawn(work()).await });
//!     assert_eq!(answer, 42);
//!     workers.shutdown();
//!     Ok(())
//! }
//! ```
//!
//! Code that must stay on tokio's reactor can still use this executor for its tasks: drive it by
//! `runtime.block_on(ex.run(future))`, in which tokio's timers and sockets work.
//!
//! [`Executor`]: crate::Executor
//! [`Executor::new()`]: crate::Executor::new
//! [`StaticExecutor`]: crate::StaticExecutor
//! [local]: https://docs.rs/selvedge-local-executor/latest/selvedge_local_executor/guide/migration/index.html
