#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod builder;
mod dispatcher;
mod error;
mod flush;
mod fork;
pub mod global;
mod guard;
pub mod guide;
mod handle;
mod ledger;
mod line;
mod overflow;
mod panics;
mod queue;
mod report;
mod shared;
mod stats;
mod task;
#[cfg(feature = "loom")]
mod unmanned;

pub use crate::builder::Builder;
pub use crate::dispatcher::Dispatcher;
pub use crate::error::{
    DispatchError, LaunchError, LaunchErrorKind, PanicPayload, TaskError, TimedOut,
};
pub use crate::flush::Flush;
pub use crate::global::GlobalDispatcher;
pub use crate::guard::Guard;
pub use crate::handle::Handle;
pub use crate::overflow::Overflow;
pub use crate::report::Report;
pub use crate::stats::Stats;

/// For the models of this crate. Not part of the interface.
#[cfg(feature = "loom")]
#[doc(hidden)]
pub use crate::unmanned::Unmanned;

/// Who decides what, and why nothing is lost.
#[doc = include_str!("DESIGN.md")]
mod design {}
