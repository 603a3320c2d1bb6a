//! The end of an executor: each unfinished future is dropped once, on the owner thread.

#[path = "../../task-core/tests/shared/drop.rs"]
mod drop;
#[path = "support/dropped.rs"]
mod dropped;
#[path = "../../task-core/tests/shared/support/gate.rs"]
mod gate;
#[path = "support/subject.rs"]
mod subject;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;
