//! What the models are made of, and the models.

mod dormant;
mod executor;
mod first_use;
mod main_future;
mod queues;
mod shutdown;
mod sleep;
mod task;
