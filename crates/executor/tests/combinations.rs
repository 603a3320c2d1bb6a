//! tokio's `task_combinations`, in our own words: every position of a panic, a drop and a cancel.

#[path = "../../task-core/tests/shared/combinations.rs"]
mod combinations;
#[path = "support/subject.rs"]
mod subject;
#[path = "../../task-core/tests/shared/support/watchdog.rs"]
mod watchdog;
