#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
// That of async-task, whose types are shown here.
#![cfg_attr(docsrs, doc(auto_cfg(hide(feature = "std"))))]

mod executor;
#[cfg(feature = "futures-task")]
mod futures_task;
pub mod guide;
mod handle;
mod run;
mod spawner;
mod static_executor;
#[cfg(feature = "stats")]
mod stats;
mod task_books;
mod tick;
mod workers;

#[cfg(not(feature = "loom"))]
#[expect(unreachable_pub, reason = "public for the models, which build with the feature `loom`")]
mod scheduler;
/// The scheduler core, open to the models of this crate. Not part of the interface.
#[cfg(feature = "loom")]
#[doc(hidden)]
pub mod scheduler;

/// The handle of a spawned task, a future of its output; async-task's.
///
/// # Panics
///
/// Awaiting it continues the panic of the task, if that panicked. It panics as well ('Task polled after completion') if
/// the executor was dropped before the task completed; [`fallible`](Task::fallible) gives `None` then.
///
/// # Cancellation
///
/// Dropping it cancels the task; [`detach`](Task::detach) lets it run, [`cancel`](Task::cancel) cancels and waits. What
/// becomes of the future in each case stands in the [guide](crate::guide::dropping_and_cancelling).
#[doc(inline)]
pub use async_task::Task;

/// A [`Task`] whose output is `None` where there will never be one; made by [`Task::fallible`].
///
/// # Panics
///
/// Awaiting it continues the panic of the task, if that panicked.
///
/// # Cancellation
///
/// As for [`Task`].
#[doc(inline)]
pub use async_task::FallibleTask;

#[doc(inline)]
pub use selvedge_task_core::SpawnError;

pub use crate::executor::Executor;
pub use crate::spawner::Spawner;
pub use crate::static_executor::StaticExecutor;
#[cfg(feature = "stats")]
pub use crate::stats::Stats;
pub use crate::workers::{WorkerThreads, Workers};
