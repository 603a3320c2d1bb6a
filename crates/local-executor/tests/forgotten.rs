//! Drivers that are never dropped: forgotten ones, and those below a `process::exit`.

#[path = "../../sync/tests/shared/child.rs"]
mod child;
#[path = "../../task-core/tests/shared/forgotten.rs"]
mod forgotten;
#[path = "support/subject.rs"]
mod subject;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;
