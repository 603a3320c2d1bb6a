//! Drivers: any number of them at once, cancelled or forgotten, and none takes another's wake.

#[path = "support/by_hand.rs"]
mod by_hand;
#[path = "support/cells.rs"]
mod cells;
#[path = "support/counting_waker.rs"]
mod counting_waker;
#[path = "../../task-core/tests/shared/drivers.rs"]
mod drivers;
#[path = "support/gate.rs"]
mod gate;
#[path = "support/subject.rs"]
mod subject;
#[path = "support/watchdog.rs"]
mod watchdog;
