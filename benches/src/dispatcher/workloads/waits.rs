//! Rows that time the wait for a queue: `drain` and `flush`.

use core::time::Duration;
use std::time::Instant;

use super::{expect_run, small_task};
use crate::dispatcher::{Bounded, DispatcherSubject, gate::Gate};

/// Queues `tasks` behind a gate, then opens it and waits for them; the time from there, `times`
/// over.
pub fn drain<S: DispatcherSubject>(tasks: u64, times: u64) -> Duration {
    released::<S>(S::new(), tasks, times)
}

/// Waits for a queue in which nothing is left, `times` over.
pub fn flush_empty<S: DispatcherSubject>(times: u64) -> Duration {
    let dispatcher = S::new();
    let guard = S::guard(&dispatcher);
    S::launch(&guard, small_task());
    S::flush(&guard);
    let start = Instant::now();
    for _ in 0..times {
        S::flush(&guard);
    }
    let elapsed = start.elapsed();
    expect_run::<S>(&guard, 1);
    drop(guard);
    S::shutdown(dispatcher);
    elapsed
}

/// Waits for a queue that is full up to its bound of `tasks`, as the gate opens, `times` over.
pub fn flush_full<S: Bounded>(tasks: usize, times: u64) -> Duration {
    released::<S>(S::bounded(tasks), tasks as u64, times)
}

/// The time from the opening of the gate until `tasks` tasks behind it have run, `times` over.
fn released<S: DispatcherSubject>(dispatcher: S::Dispatcher, tasks: u64, times: u64) -> Duration {
    let guard = S::guard(&dispatcher);
    let mut elapsed = Duration::ZERO;
    for _ in 0..times {
        let gate = Gate::hold::<S>(&guard);
        for _ in 0..tasks {
            S::launch(&guard, small_task());
        }
        let start = Instant::now();
        gate.open();
        S::flush(&guard);
        elapsed += start.elapsed();
    }
    expect_run::<S>(&guard, tasks * times);
    drop(guard);
    S::shutdown(dispatcher);
    elapsed
}
