//! Callers whose wakers panic: in wake, in drop, in clone.

#[path = "../../sync/tests/shared/child.rs"]
mod child;
#[path = "../../sync/tests/shared/counting_waker.rs"]
mod counting_waker;
#[path = "../../task-core/tests/shared/support/hostile.rs"]
mod hostile;
#[path = "../../task-core/tests/shared/hostile_wakers.rs"]
mod hostile_wakers;
#[path = "support/subject.rs"]
mod subject;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::future::{Future, pending};
use std::pin::Pin;
use std::task::Context;

use self::hostile::{Hostile, still_works};
use self::subject::Executor;
use self::watchdog::watchdog;

#[test]
fn a_waker_that_panics_when_dropped_is_contained() {
    let _watchdog = watchdog();
    let ex = Executor::new();
    let mut run: Pin<Box<dyn Future<Output = ()> + '_>> = Box::pin(ex.run(pending()));
    let mut tick: Pin<Box<dyn Future<Output = ()> + '_>> = Box::pin(ex.tick());
    for _ in 0..3 {
        let bad = Hostile::panics_in_drop();
        assert!(run.as_mut().poll(&mut Context::from_waker(&bad)).is_pending());
        assert!(tick.as_mut().poll(&mut Context::from_waker(&bad)).is_pending());
    }
    drop((run, tick));
    still_works(&ex);
}
