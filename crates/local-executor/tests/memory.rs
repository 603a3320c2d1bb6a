//! Memory: bytes per task, and none that stays behind.

#[path = "../../sync/tests/shared/counting_allocator.rs"]
mod counting_allocator;
#[path = "../../task-core/tests/shared/support/gate.rs"]
mod gate;
#[path = "../../task-core/tests/shared/memory.rs"]
mod memory;
#[path = "support/subject.rs"]
mod subject;

use std::future::{Future, pending};
use std::pin::pin;
use std::task::{Context, Waker};

use self::counting_allocator::bytes;
use self::subject::Executor;

// E17: several kilobytes for each `run`.
#[test]
fn an_executor_and_its_drivers_are_small() {
    let ex = Executor::new();
    let scheduler = bytes(|| ex.try_tick());
    assert!(scheduler <= 512, "{scheduler} bytes for the scheduler");
    let mut cx = Context::from_waker(Waker::noop());
    let mut first = pin!(ex.run(pending::<()>()));
    let one = bytes(|| assert!(first.as_mut().poll(&mut cx).is_pending()));
    assert!(one <= 256, "{one} bytes for a sleeping driver");
    let mut second = pin!(ex.run(pending::<()>()));
    let more = bytes(|| assert!(second.as_mut().poll(&mut cx).is_pending()));
    assert!(more <= 256, "{more} bytes for another driver");
}
