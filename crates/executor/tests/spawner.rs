//! Spawners: from every thread, accepted and run, or refused and given back.

#[path = "../../task-core/tests/shared/support/counting_waker.rs"]
mod counting_waker;
#[path = "support/dropped.rs"]
mod dropped;
#[path = "../../task-core/tests/shared/spawner.rs"]
mod spawner;
#[path = "support/subject.rs"]
mod subject;
#[path = "../../task-core/tests/shared/support/watchdog.rs"]
mod watchdog;
