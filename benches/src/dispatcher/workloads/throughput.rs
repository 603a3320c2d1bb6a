//! Row `throughput`: several producers launch as fast as they can.

use core::time::Duration;
use std::{sync::Barrier, thread, time::Instant};

use super::{expect_run, small_task};
use crate::dispatcher::DispatcherSubject;

/// Each of `producers` threads launches its share of `tasks` and waits for the queue, `times` over;
/// the time from their start to the end of the last.
pub fn throughput<S: DispatcherSubject>(producers: usize, tasks: u64, times: u64) -> Duration {
    let dispatcher = S::new();
    let guard = S::guard(&dispatcher);
    let share = tasks / producers as u64;
    let line = Barrier::new(producers + 1);
    let elapsed = thread::scope(|scope| {
        for _ in 0..producers {
            let (guard, line) = (guard.clone(), &line);
            scope.spawn(move || {
                line.wait();
                line.wait();
                for _ in 0..times {
                    for _ in 0..share {
                        S::launch(&guard, small_task());
                    }
                    S::flush(&guard);
                }
                line.wait();
            });
        }
        line.wait();
        let start = Instant::now();
        line.wait();
        line.wait();
        start.elapsed()
    });
    expect_run::<S>(&guard, share * producers as u64 * times);
    drop(guard);
    S::shutdown(dispatcher);
    elapsed
}
