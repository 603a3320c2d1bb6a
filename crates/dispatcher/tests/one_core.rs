#![cfg(all(target_os = "linux", feature = "fork"))]
//! One core for all: preempted launches must not make the worker burn it, or wait for ever.

#[path = "../../sync/tests/shared/child.rs"]
mod child;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::hint::black_box;
use std::mem::{size_of, zeroed};
use std::thread;

use selvedge_dispatcher::Dispatcher;

use watchdog::watchdog;

/// Keeps the calling thread, and those that it spawns, on one core.
fn pin() {
    // SAFETY: an all-zero set of cores is a valid, empty one.
    let mut cores: libc::cpu_set_t = unsafe { zeroed() };
    let core = usize::try_from(
        // SAFETY: takes nothing and touches nothing.
        unsafe { libc::sched_getcpu() },
    );
    // SAFETY: the number of a core that there is lies within the set.
    unsafe { libc::CPU_SET(core.unwrap_or(0), &mut cores) };
    // SAFETY: the set is as large as said, and 0 is the calling thread.
    let failed = unsafe { libc::sched_setaffinity(0, size_of_val(&cores), &raw const cores) };
    assert_eq!(failed, 0);
    assert!(size_of::<libc::cpu_set_t>() >= 8);
}

/// In a process of its own, for the sake of the other tests.
#[test]
fn four_producers_and_the_worker_share_one_core() {
    let output = child::in_child("four_producers_and_the_worker_share_one_core", || {
        let _watchdog = watchdog();
        pin();
        let dispatcher = Dispatcher::new(10);
        let guard = dispatcher.guard();
        guard.open().unwrap();
        thread::scope(|scope| {
            for producer in 0..4 {
                let guard = &guard;
                scope.spawn(move || {
                    for number in 0..50_000 {
                        guard.launch(move || _ = black_box([producer, number])).unwrap();
                        if number % 1_000 == 0 {
                            guard.block_on_queue().unwrap();
                        }
                    }
                });
            }
        });
        assert_eq!(guard.shutdown().unwrap().run, 200_000);
    });
    assert!(output.status.success(), "{}", child::text(&output));
}
