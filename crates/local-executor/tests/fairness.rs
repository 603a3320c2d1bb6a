//! Fairness: everybody's turn comes within a bounded number of other polls.

#[path = "../../task-core/tests/shared/support/counting_waker.rs"]
mod counting_waker;
#[path = "../../task-core/tests/shared/fairness.rs"]
mod fairness;
#[path = "../../task-core/tests/shared/support/gate.rs"]
mod gate;
#[path = "support/subject.rs"]
mod subject;
#[path = "../../task-core/tests/shared/support/watchdog.rs"]
mod watchdog;
