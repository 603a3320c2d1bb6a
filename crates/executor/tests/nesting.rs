//! Drivers inside tasks: every one of them finds every task, and is woken for it.

#[path = "../../task-core/tests/shared/support/by_hand.rs"]
mod by_hand;
#[path = "../../task-core/tests/shared/nesting.rs"]
mod nesting;
#[path = "support/subject.rs"]
mod subject;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;
