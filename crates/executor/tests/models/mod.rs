//! What the models are made of, and the models.

mod books;
mod dormant;
mod executor;
mod first_use;
mod foreign_code;
mod main_future;
mod queues;
mod searchers;
mod shutdown;
mod sleep;
#[path = "../../../task-core/tests/shared/support/model_task.rs"]
mod task;
