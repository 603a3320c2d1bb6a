//! Panics of polls, destructors and outputs: who is told, and what ends the process.

#[path = "../../task-core/tests/shared/support/child.rs"]
mod child;
#[path = "support/dropped.rs"]
mod dropped;
#[path = "../../task-core/tests/shared/panics.rs"]
mod panics;
#[path = "support/subject.rs"]
mod subject;
#[path = "../../task-core/tests/shared/support/watchdog.rs"]
mod watchdog;
