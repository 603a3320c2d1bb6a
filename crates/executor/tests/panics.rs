//! Panics of polls, destructors and outputs: who is told, and what ends the process.

#[path = "../../sync/tests/shared/child.rs"]
mod child;
#[path = "support/dropped.rs"]
mod dropped;
#[path = "../../task-core/tests/shared/panics.rs"]
mod panics;
#[path = "support/subject.rs"]
mod subject;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;
