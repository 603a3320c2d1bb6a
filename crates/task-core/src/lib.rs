#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod gate;
mod inbox;
mod new_task;
pub mod payload;
#[cfg(feature = "tracing")]
mod spanned;
mod spawn_error;
mod task_future;

pub use crate::gate::{Admission, Gate};
pub use crate::inbox::Inbox;
pub use crate::new_task::new_task;
pub use crate::spawn_error::SpawnError;
pub use crate::task_future::{Books, TaskFuture};
