//! What the models have in common.

mod books;
mod owner;
#[path = "../../../task-core/tests/shared/support/model_task.rs"]
mod task;

pub(crate) use self::books::{Books, TaskScheduler};
pub(crate) use self::owner::{Message, Owner};
pub(crate) use self::task::new_task;
