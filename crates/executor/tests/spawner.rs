//! Spawners: from every thread, accepted and run, or refused and given back.

#[path = "../../sync/tests/shared/counting_waker.rs"]
mod counting_waker;
#[path = "support/dropped.rs"]
mod dropped;
#[path = "../../task-core/tests/shared/spawner.rs"]
mod spawner;
#[path = "support/subject.rs"]
mod subject;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;
