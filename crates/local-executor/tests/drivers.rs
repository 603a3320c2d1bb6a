//! Drivers: any number of them at once, cancelled or forgotten, and none takes another's wake.

#[path = "../../task-core/tests/shared/support/by_hand.rs"]
mod by_hand;
#[path = "../../sync/tests/shared/counting_waker.rs"]
mod counting_waker;
#[path = "../../task-core/tests/shared/drivers.rs"]
mod drivers;
#[path = "../../task-core/tests/shared/support/gate.rs"]
mod gate;
#[path = "support/subject.rs"]
mod subject;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;
