#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
// That of async-task, whose types are shown here.
#![cfg_attr(docsrs, doc(auto_cfg(hide(feature = "std"))))]

#[cfg(feature = "futures-task")]
mod futures_task;
mod handle;
mod local_executor;
mod run;
mod spawner;
mod static_local_executor;
#[cfg(feature = "stats")]
mod stats;
mod task_books;
mod tick;

#[cfg(not(feature = "loom"))]
#[expect(unreachable_pub, reason = "public for the models, which build with the feature `loom`")]
mod scheduler;
/// The scheduler core, open to the models of this crate. Not part of the interface.
#[cfg(feature = "loom")]
#[doc(hidden)]
pub mod scheduler;

pub use async_task::{FallibleTask, Task};
pub use selvedge_task_core::SpawnError;

pub use crate::local_executor::LocalExecutor;
pub use crate::spawner::Spawner;
pub use crate::static_local_executor::StaticLocalExecutor;
#[cfg(feature = "stats")]
pub use crate::stats::Stats;
