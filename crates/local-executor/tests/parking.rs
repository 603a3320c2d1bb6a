//! `block_on` and the thread's own park token: neither takes what belongs to the other.

#[path = "../../task-core/tests/shared/parking.rs"]
mod parking;
#[path = "support/subject.rs"]
mod subject;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;
