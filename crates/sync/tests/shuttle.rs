#![cfg(selvedge_shuttle)]
//! Canaries: faults that random schedules must find, and tests that must pass, to prove the switch
//! is on.

use std::sync::Arc;

use selvedge_sync::atomic::{AtomicUsize, Ordering};
use selvedge_sync::cell::UnsafeCell;
use selvedge_sync::sync::Mutex;
use selvedge_sync::thread::{self, Parker, ThreadId};

/// A load and a store where one read-modify-write is needed.
#[test]
#[should_panic(expected = "an increment was lost")]
fn canary_a_lost_update_is_found() {
    selvedge_sync::schedules(|| {
        let counter = Arc::new(AtomicUsize::new(0));
        let increment = |counter: &AtomicUsize| {
            let seen = counter.load(Ordering::SeqCst);
            counter.store(seen + 1, Ordering::SeqCst);
        };
        let other = counter.clone();
        let thread = thread::spawn(move || increment(&other));
        increment(&counter);
        thread.join().unwrap();
        assert_eq!(counter.load(Ordering::SeqCst), 2, "an increment was lost");
    });
}

/// Two locks taken in opposite orders.
#[test]
#[should_panic(expected = "deadlock")]
fn canary_a_deadlock_is_found() {
    selvedge_sync::schedules(|| {
        let locks = Arc::new((Mutex::new(()), Mutex::new(())));
        let other = locks.clone();
        let thread = thread::spawn(move || {
            let _first = other.0.lock();
            let _second = other.1.lock();
        });
        let _first = locks.1.lock();
        let _second = locks.0.lock();
        drop((_first, _second));
        thread.join().unwrap();
    });
}

struct Shared(UnsafeCell<usize>, AtomicUsize);
// SAFETY: a deliberate lie, which a schedule must uncover.
unsafe impl Sync for Shared {}
// SAFETY: as above.
unsafe impl Send for Shared {}

/// Two threads are inside one cell at the same time.
#[test]
#[should_panic(expected = "a cell is written while it is accessed")]
fn canary_an_interrupted_cell_access_is_found() {
    selvedge_sync::schedules(|| {
        let shared = Arc::new(Shared(UnsafeCell::new(0), AtomicUsize::new(0)));
        let access = |shared: &Shared| {
            shared.0.with_mut(|_| shared.1.fetch_add(1, Ordering::Relaxed));
        };
        let other = shared.clone();
        let thread = thread::spawn(move || access(&other));
        access(&shared);
        thread.join().unwrap();
    });
}

#[test]
fn a_wake_before_or_during_park_ends_it() {
    selvedge_sync::schedules(|| {
        let parker = Parker::new();
        let waker = parker.waker().clone();
        let thread = thread::spawn(move || waker.wake());
        parker.park();
        thread.join().unwrap();
    });
}

#[test]
fn threads_of_a_schedule_have_ids_of_their_own() {
    selvedge_sync::schedules(|| {
        let mine = ThreadId::current();
        let thread = thread::spawn(move || {
            thread::yield_now();
            assert!(!mine.is_current());
            ThreadId::current()
        });
        thread::yield_now();
        assert!(mine.is_current());
        assert_ne!(mine, thread.join().unwrap());
    });
}

#[test]
fn the_choices_of_a_test_differ_between_schedules() {
    let drawn = Arc::new(std::sync::Mutex::new(std::collections::BTreeSet::new()));
    let all = drawn.clone();
    selvedge_sync::schedules(move || {
        all.lock().unwrap().insert(selvedge_sync::random(4));
        let thread = thread::spawn(thread::yield_now);
        thread::yield_now();
        thread.join().unwrap();
    });
    assert_eq!(drawn.lock().unwrap().len(), 4);
}
