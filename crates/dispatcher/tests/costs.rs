//! What can be counted: allocations, wake-ups, sizes, memory.

#[path = "../../sync/tests/shared/counting_allocator.rs"]
mod counting_allocator;
#[path = "support/hold.rs"]
mod hold;
#[path = "../../sync/tests/shared/watchdog.rs"]
mod watchdog;

use std::hint::black_box;
use std::mem::size_of;

use selvedge_dispatcher::{Dispatcher, GlobalDispatcher, Guard};

use counting_allocator::{allocations, cost, total_bytes};
use hold::hold;
use watchdog::watchdog;

/// Allocations of this thread per thousand launches of a closure of `N` words, with the worker held.
fn per_thousand<const N: usize>(guard: &Guard) -> usize {
    let mut counted = 0;
    // The first rounds fill the store of blocks.
    for _ in 0..3 {
        let release = hold(guard);
        counted = allocations(|| {
            for number in 0..1_000u64 {
                let words = [number; N];
                guard.launch(move || _ = black_box(words)).unwrap();
            }
        });
        drop(release);
        guard.block_on_queue().unwrap();
    }
    counted
}

#[test]
fn closures_of_up_to_48_bytes_are_launched_without_an_allocation() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(1);
    let guard = dispatcher.guard();
    guard.open().unwrap();
    assert_eq!(per_thousand::<0>(&guard), 0);
    assert_eq!(per_thousand::<1>(&guard), 0);
    assert_eq!(per_thousand::<6>(&guard), 0);
    assert_eq!(per_thousand::<7>(&guard), 0, "56 bytes fit as well");
    assert_eq!(per_thousand::<8>(&guard), 1_000, "64 bytes are boxed");
    assert_eq!(per_thousand::<31>(&guard), 1_000);
    // A box each, and a block for each 32.
    let boxed = 1_000 + 1_000 / 32..=1_000 + 1_000 / 32 + 1;
    assert!(boxed.contains(&per_thousand::<32>(&guard)), "256 bytes want memory that is new");
    assert!(boxed.contains(&per_thousand::<512>(&guard)));
}

#[test]
fn a_handle_is_one_allocation_and_its_closure_fits_up_to_48_bytes() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(1);
    let guard = dispatcher.guard();
    guard.open().unwrap();
    guard.launch_with_handle(|| ()).unwrap().wait().unwrap();
    let release = hold(&guard);
    let words = [1u64; 6];
    let (small, handle) = cost(|| guard.launch_with_handle(move || black_box(words)));
    assert_eq!(small.allocations, 1);
    let words = [1u64; 7];
    let (large, larger) = cost(|| guard.launch_with_handle(move || black_box(words)));
    assert_eq!(large.allocations, 2);
    drop(release);
    handle.unwrap().wait().unwrap();
    larger.unwrap().wait().unwrap();
}

#[test]
fn a_closure_aligned_beyond_the_slots_is_boxed_and_runs() {
    #[repr(align(64))]
    struct Aligned(u8);
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(10);
    let guard = dispatcher.guard();
    guard.open().unwrap();
    let aligned = Aligned(3);
    let handle = guard
        .launch_with_handle(move || {
            let address = std::ptr::from_ref(&aligned).addr();
            (address % 64, black_box(&aligned).0)
        })
        .unwrap();
    assert_eq!(handle.wait().unwrap(), (0, 3));
}

#[test]
fn guards_are_one_pointer_and_cloned_without_an_allocation() {
    assert_eq!(size_of::<Guard>(), size_of::<usize>());
    assert_eq!(size_of::<Option<Guard>>(), size_of::<usize>());
    let dispatcher = Dispatcher::new(1);
    let guard = dispatcher.guard();
    assert_eq!(allocations(|| drop(black_box(guard.clone()))), 0);
}

#[test]
fn a_launch_to_a_worker_that_is_awake_wakes_nobody() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::builder().spin(0).build().unwrap();
    let guard = dispatcher.guard();
    guard.open().unwrap();
    let release = hold(&guard);
    let before = guard.stats().sleeps;
    for _ in 0..10_000 {
        guard.launch(|| ()).unwrap();
    }
    assert_eq!(guard.stats().sleeps, before, "the held worker has not slept");
    drop(release);
    guard.block_on_queue().unwrap();
    assert!(guard.stats().sleeps <= before + 1, "and sleeps once it has run them all");
}

#[test]
fn there_is_one_sleep_for_each_time_that_the_queue_runs_empty() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::builder().spin(0).build().unwrap();
    let guard = dispatcher.guard();
    guard.open().unwrap();
    for round in 0..1_000 {
        guard.launch(|| ()).unwrap();
        guard.block_on_queue().unwrap();
        // One for the gate, and one for each edge at most.
        assert!(guard.stats().sleeps <= round + 2);
    }
}

#[test]
fn launches_into_a_shut_gate_wake_nobody() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::builder().spin(0).build().unwrap();
    let guard = dispatcher.guard();
    for _ in 0..1_000 {
        guard.launch(|| ()).unwrap();
    }
    assert!(guard.stats().sleeps <= 1);
    guard.flush_init().unwrap();
    assert!(guard.stats().sleeps <= 2);
}

#[test]
fn a_wait_for_an_idle_queue_allocates_nothing() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(1);
    let guard = dispatcher.guard();
    guard.flush_init().unwrap();
    guard.block_on_queue().unwrap();
    assert_eq!(allocations(|| guard.block_on_queue().unwrap()), 0);
}

#[test]
fn a_static_dispatcher_allocates_nothing_before_its_first_launch() {
    static GLOBAL: GlobalDispatcher = GlobalDispatcher::new(10);
    let _watchdog = watchdog();
    assert_eq!(allocations(|| assert_eq!(GLOBAL.stats().queued, 0)), 0);
    GLOBAL.launch(|| ()).unwrap();
    assert_eq!(GLOBAL.flush_init(), Ok(0));
    GLOBAL.shutdown().unwrap();
}

#[test]
fn memory_stays_flat_however_long_the_queue_was() {
    let _watchdog = watchdog();
    let dispatcher = Dispatcher::new(1);
    let guard = dispatcher.guard();
    guard.open().unwrap();
    let round = |tasks: usize| {
        let release = hold(&guard);
        for number in 0..tasks {
            guard.launch(move || _ = black_box([number; 6])).unwrap();
        }
        drop(release);
        guard.block_on_queue().unwrap();
    };
    round(100);
    let before = total_bytes();
    round(100_000);
    round(1);
    // The other tests of this file run meanwhile: each holds less than a megabyte of tasks.
    assert!(
        total_bytes() - before < 10_000_000,
        "100,000 tasks took 6.6 MB, and that is given back"
    );
    let peak_free = total_bytes();
    (0..20).for_each(|_| round(10_000));
    assert!(total_bytes() - peak_free < 10_000_000);
}
