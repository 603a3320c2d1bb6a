//! Wakes: from every thread, at any moment, and never more than a push to a queue.

#[path = "../../sync/tests/shared/counting_waker.rs"]
mod counting_waker;
#[path = "support/dropped.rs"]
mod dropped;
#[path = "../../task-core/tests/shared/support/gate.rs"]
mod gate;
#[path = "support/subject.rs"]
mod subject;
#[path = "../../task-core/tests/shared/wakes.rs"]
mod wakes;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;
