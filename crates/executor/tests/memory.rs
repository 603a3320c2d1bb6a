//! Memory: bytes per task, and none that stays behind.

#[path = "../../sync/tests/shared/counting_allocator.rs"]
mod counting_allocator;
#[path = "../../task-core/tests/shared/support/gate.rs"]
mod gate;
#[path = "../../task-core/tests/shared/memory.rs"]
mod memory;
#[path = "support/subject.rs"]
mod subject;

use std::future::{Future, pending, ready};
use std::pin::Pin;
use std::task::{Context, Waker};

use self::counting_allocator::bytes;
use self::subject::Executor;

// E17: several kilobytes for each `run`.
#[test]
fn an_executor_and_its_drivers_are_small() {
    const DRIVERS: usize = 62;
    let ex = Executor::new();
    let scheduler = bytes(|| ex.spawn(ready(())).detach());
    assert!(scheduler <= 2048, "{scheduler} bytes for the scheduler, a task and the injector");
    let mut cx = Context::from_waker(Waker::noop());
    let mut drivers = Vec::with_capacity(DRIVERS);
    let all = bytes(|| {
        for _ in 0..DRIVERS {
            let mut driver: Pin<Box<dyn Future<Output = ()> + '_>> = Box::pin(ex.run(pending()));
            assert!(driver.as_mut().poll(&mut cx).is_pending());
            drivers.push(driver);
        }
    });
    let each = all as usize / DRIVERS;
    assert!(each <= 1152, "{each} bytes for a sleeping driver");
}
