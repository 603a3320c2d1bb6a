//! Drivers that are never dropped: forgotten ones, and those below a `process::exit`.

#[path = "../../task-core/tests/shared/support/child.rs"]
mod child;
#[path = "../../task-core/tests/shared/forgotten.rs"]
mod forgotten;
#[path = "support/subject.rs"]
mod subject;
#[path = "../../task-core/tests/shared/support/watchdog.rs"]
mod watchdog;
