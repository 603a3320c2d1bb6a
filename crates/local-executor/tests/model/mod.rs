//! What the models have in common.

mod owner;
mod task;

pub(crate) use self::owner::{Message, Owner};
pub(crate) use self::task::{TaskScheduler, new_task};
