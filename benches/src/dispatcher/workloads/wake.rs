//! Row `wake`: how long a task waits for a worker that sleeps.

use core::time::Duration;
use std::{sync::mpsc, time::Instant};

use super::expect_run;
use crate::{
    dispatcher::{DispatcherSubject, worker::Worker},
    tally,
};

/// Launches onto a worker that is seen to sleep, and takes the time from the launch to the task's
/// start; the given percentile of at least `least` of those times, times `times`.
///
/// A percentile takes many wakes, however few are asked for. The product is what a harness wants
/// that divides by `times`.
pub fn wake<S: DispatcherSubject>(percentile: u32, least: u64, times: u64) -> Duration {
    let dispatcher = S::new();
    let guard = S::guard(&dispatcher);
    let worker = Worker::of::<S>(&guard);
    let (send, recv) = mpsc::channel();
    let wakes = times.max(least);
    let mut delays: Vec<_> = (0..wakes)
        .map(|_| {
            worker.wait_until_asleep();
            let send = send.clone();
            let launched = Instant::now();
            S::launch(&guard, move || {
                let delay = launched.elapsed();
                tally::add(1);
                send.send(delay).expect("a producer that waits for the delay");
            });
            recv.recv().expect("a worker that runs the task")
        })
        .collect();
    expect_run::<S>(&guard, wakes);
    drop(guard);
    S::shutdown(dispatcher);
    self::percentile(&mut delays, percentile).mul_f64(times as f64)
}

/// The smallest value that `percent` of all do not exceed.
fn percentile(values: &mut [Duration], percent: u32) -> Duration {
    values.sort_unstable();
    let rank = (values.len() * percent as usize).div_ceil(100);
    values[rank.saturating_sub(1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_one_of_the_values() {
        let mut values: Vec<_> = (1..=200).rev().map(Duration::from_nanos).collect();
        assert_eq!(percentile(&mut values, 50), Duration::from_nanos(100));
        assert_eq!(percentile(&mut values, 99), Duration::from_nanos(198));
        assert_eq!(percentile(&mut values[..1], 99), Duration::from_nanos(1));
    }
}
