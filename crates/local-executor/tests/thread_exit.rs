//! The end of a thread: wakes from its last destructors, executors that go with it, handles that stay.

#[path = "support/dropped.rs"]
mod dropped;
#[path = "../../task-core/tests/shared/support/gate.rs"]
mod gate;
#[path = "support/subject.rs"]
mod subject;
#[path = "../../task-core/tests/shared/thread_exit.rs"]
mod thread_exit;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;
