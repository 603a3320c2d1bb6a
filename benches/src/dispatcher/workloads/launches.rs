//! Rows that time the launches alone: `empty fn`, `fn 1024`, `counter.add` and `launch held`.

use core::{hint::black_box, time::Duration};
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use super::expect_run;
use crate::{
    dispatcher::{DispatcherSubject, gate::Gate},
    tally,
};

/// Launches a closure that captures nothing, while the worker runs.
pub fn empty_fn<S: DispatcherSubject>(batch: u64, times: u64) -> Duration {
    running::<S>(batch, times, |guard| S::launch(guard, || tally::add(1)))
}

/// Launches a closure that captures an array of 1,024 `i32`, made anew each time, while the worker
/// runs.
pub fn fn_1024<S: DispatcherSubject>(batch: u64, times: u64) -> Duration {
    running::<S>(batch, times, |guard| {
        let captured = [0_i32; 1024];
        S::launch(guard, move || {
            black_box(captured);
            tally::add(1);
        });
    })
}

/// Clones the `Arc` of a counter and launches a closure that adds to it under a lock, while the
/// worker runs.
pub fn counter_add<S: DispatcherSubject>(batch: u64, times: u64) -> Duration {
    let counter = Arc::new(Mutex::new(0_u64));
    let elapsed = running::<S>(batch, times, |guard| {
        let counter = Arc::clone(&counter);
        S::launch(guard, move || {
            *counter.lock().unwrap_or_else(PoisonError::into_inner) += 1;
            tally::add(1);
        });
    });
    let counted = *counter.lock().unwrap_or_else(PoisonError::into_inner);
    assert_eq!(counted, times, "the counter, against the times it was added to");
    elapsed
}

/// Launches a closure that captures `WORDS` words of eight bytes, while the worker stands at a gate.
pub fn launch_held<S: DispatcherSubject, const WORDS: usize>(batch: u64, times: u64) -> Duration {
    batches::<S>(batch, times, |guard, launches| {
        let gate = Gate::hold::<S>(guard);
        let elapsed = timed(launches, || {
            let captured = black_box([1_u64; WORDS]);
            S::launch(guard, move || {
                black_box(&captured);
                tally::add(1);
            });
        });
        gate.open();
        elapsed
    })
}

/// Launches in batches while the worker runs.
fn running<S: DispatcherSubject>(
    batch: u64,
    times: u64,
    mut launch: impl FnMut(&S::Guard),
) -> Duration {
    batches::<S>(batch, times, |guard, launches| timed(launches, || launch(guard)))
}

/// The time of `times` launches, drained between batches outside of that time.
fn batches<S: DispatcherSubject>(
    batch: u64,
    times: u64,
    mut launch: impl FnMut(&S::Guard, u64) -> Duration,
) -> Duration {
    let dispatcher = S::new();
    let guard = S::guard(&dispatcher);
    let mut elapsed = Duration::ZERO;
    let mut left = times;
    while left > 0 {
        let launches = left.min(batch);
        elapsed += launch(&guard, launches);
        S::flush(&guard);
        left -= launches;
    }
    expect_run::<S>(&guard, times);
    drop(guard);
    S::shutdown(dispatcher);
    elapsed
}

/// The time that `times` calls take.
fn timed(times: u64, mut call: impl FnMut()) -> Duration {
    let start = Instant::now();
    for _ in 0..times {
        call();
    }
    start.elapsed()
}
