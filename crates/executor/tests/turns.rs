//! How much is done before a caller gets its turn, with drivers inside drivers and under a flood.

#[path = "support/subject.rs"]
mod subject;
#[path = "../../task-core/tests/shared/turns.rs"]
mod turns;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;
