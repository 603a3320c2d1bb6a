//! Wakes: from every thread, at any moment, and never more than a push to a queue.

#[path = "../../task-core/tests/shared/support/counting_waker.rs"]
mod counting_waker;
#[path = "support/dropped.rs"]
mod dropped;
#[path = "../../task-core/tests/shared/support/gate.rs"]
mod gate;
#[path = "support/subject.rs"]
mod subject;
#[path = "../../task-core/tests/shared/wakes.rs"]
mod wakes;
#[path = "../../task-core/tests/shared/support/watchdog.rs"]
mod watchdog;
