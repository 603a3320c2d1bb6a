//! Fairness: everybody's turn comes within a bounded number of other polls.

#[path = "../../sync/tests/shared/counting_waker.rs"]
mod counting_waker;
#[path = "../../task-core/tests/shared/fairness.rs"]
mod fairness;
#[path = "../../task-core/tests/shared/support/gate.rs"]
mod gate;
#[path = "support/subject.rs"]
mod subject;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;
