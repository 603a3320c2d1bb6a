//! tokio's `task_combinations`, in our own words: every position of a panic, a drop and a cancel.

#[path = "../../task-core/tests/shared/combinations.rs"]
mod combinations;
#[path = "support/subject.rs"]
mod subject;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;
