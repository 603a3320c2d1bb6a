//! The adapters of table `local`, one file per subject.

mod async_executor;
mod selvedge;
mod tokio;

pub use self::{async_executor::AsyncExecutor, selvedge::Selvedge, tokio::Tokio};
