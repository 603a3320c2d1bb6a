//! Every workload on every subject, at a tiny scale.

#[cfg(feature = "glean-core")]
use super::subjects::GleanCore;
use super::{
    Bounded, DispatcherSubject, Scale,
    subjects::{CrossbeamChannel, MutexVec, Selvedge, SelvedgeGlobal, StdMpsc},
    workloads,
};
use crate::watchdog::watchdog;

const SCALE: Scale = Scale::TINY;

fn every_workload_does_its_work<S: DispatcherSubject>() {
    let _watchdog = watchdog();
    for times in [1, SCALE.launches, 3 * SCALE.launches + 1] {
        workloads::empty_fn::<S>(SCALE.launches, times);
        workloads::fn_1024::<S>(SCALE.held, times);
        workloads::counter_add::<S>(SCALE.launches, times);
        workloads::launch_held::<S, 0>(SCALE.held, times);
        workloads::launch_held::<S, 2>(SCALE.held, times);
        workloads::launch_held::<S, 128>(SCALE.held, times);
    }
    for times in 1..4 {
        workloads::drain::<S>(SCALE.drain, times);
        workloads::flush_empty::<S>(times);
        for producers in [1, 2, 4] {
            workloads::throughput::<S>(producers, SCALE.throughput, times);
        }
    }
    #[cfg(target_os = "linux")]
    for percentile in [50, 99] {
        workloads::wake::<S>(percentile, SCALE.wakes, 2);
    }
}

fn a_bounded_queue_is_flushed<S: Bounded>() {
    let _watchdog = watchdog();
    workloads::flush_full::<S>(SCALE.full, 3);
}

/// Rows wait outside of the timed part by `flush`, so it must not return early.
fn a_flush_waits_for_what_was_launched_before<S: DispatcherSubject>() {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    let dispatcher = S::new();
    let guard = S::guard(&dispatcher);
    let run = Arc::new(AtomicUsize::new(0));
    for launched in 1..=100 {
        let counter = Arc::clone(&run);
        S::launch(&guard, move || {
            counter.fetch_add(1, Ordering::Relaxed);
        });
        S::flush(&guard);
        assert_eq!(run.load(Ordering::Relaxed), launched);
    }
    drop(guard);
    S::shutdown(dispatcher);
}

#[test]
fn selvedge_does_every_workload() {
    every_workload_does_its_work::<Selvedge>();
    a_bounded_queue_is_flushed::<Selvedge>();
    a_flush_waits_for_what_was_launched_before::<Selvedge>();
}

/// One test for all of it: there is one such dispatcher in the process.
#[test]
fn the_global_form_of_selvedge_does_every_workload() {
    every_workload_does_its_work::<SelvedgeGlobal>();
    a_flush_waits_for_what_was_launched_before::<SelvedgeGlobal>();
}

#[test]
fn crossbeam_channel_does_every_workload() {
    every_workload_does_its_work::<CrossbeamChannel>();
    a_bounded_queue_is_flushed::<CrossbeamChannel>();
    a_flush_waits_for_what_was_launched_before::<CrossbeamChannel>();
}

#[test]
fn std_mpsc_does_every_workload() {
    every_workload_does_its_work::<StdMpsc>();
    a_bounded_queue_is_flushed::<StdMpsc>();
    a_flush_waits_for_what_was_launched_before::<StdMpsc>();
}

#[test]
fn mutex_vec_does_every_workload() {
    every_workload_does_its_work::<MutexVec>();
    a_bounded_queue_is_flushed::<MutexVec>();
    a_flush_waits_for_what_was_launched_before::<MutexVec>();
}

/// One test for all of it: there is one dispatcher in the process.
#[cfg(feature = "glean-core")]
#[test]
fn glean_core_does_every_workload() {
    every_workload_does_its_work::<GleanCore>();
    a_flush_waits_for_what_was_launched_before::<GleanCore>();
}

#[test]
#[should_panic(expected = "tasks that ran, against tasks launched")]
fn a_lost_task_is_noticed() {
    use super::workloads::empty_fn;

    /// Loses tasks that capture nothing.
    struct Lossy;

    impl DispatcherSubject for Lossy {
        const NAME: &'static str = "lossy";
        type Dispatcher = <MutexVec as DispatcherSubject>::Dispatcher;
        type Guard = <MutexVec as DispatcherSubject>::Guard;

        fn new() -> Self::Dispatcher {
            MutexVec::new()
        }

        fn guard(dispatcher: &Self::Dispatcher) -> Self::Guard {
            MutexVec::guard(dispatcher)
        }

        fn launch(guard: &Self::Guard, task: impl FnOnce() + Send + 'static) {
            if size_of_val(&task) != 0 {
                MutexVec::launch(guard, task);
            }
        }

        fn flush(guard: &Self::Guard) {
            MutexVec::flush(guard);
        }

        fn shutdown(dispatcher: Self::Dispatcher) {
            MutexVec::shutdown(dispatcher);
        }
    }

    empty_fn::<Lossy>(SCALE.launches, 3);
}
