#![cfg(selvedge_loom)]
//! Canaries: faults that loom must find, and one model that must pass, to prove the switch is on.

use selvedge_sync::atomic::{AtomicUsize, Ordering, full_fence, full_fence_after_rmw};
use selvedge_sync::cell::UnsafeCell;
use selvedge_sync::sync::{Arc, LeakCheck};
use selvedge_sync::thread::{self, Parker, ThreadId};

/// A load and a store where one read-modify-write is needed.
#[test]
#[should_panic(expected = "an increment was lost")]
fn canary_a_lost_update_is_found() {
    selvedge_sync::model(|| {
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

struct Shared(UnsafeCell<usize>);
// SAFETY: a deliberate lie, which the model must uncover.
unsafe impl Sync for Shared {}
// SAFETY: as above.
unsafe impl Send for Shared {}

/// Two threads write one cell without any order between them.
#[test]
#[should_panic]
fn canary_an_unsynchronised_cell_access_is_found() {
    selvedge_sync::model(|| {
        let shared = Arc::new(Shared(UnsafeCell::new(0)));
        let other = shared.clone();
        let thread = thread::spawn(move || {
            // SAFETY: none; this access races, which is what the canary is for.
            other.0.with_mut(|value| unsafe { *value += 1 });
        });
        // SAFETY: none; see above.
        shared.0.with_mut(|value| unsafe { *value += 1 });
        thread.join().unwrap();
    });
}

/// A flag stored with less than Release does not publish what was written before it.
#[test]
#[should_panic]
fn canary_a_missing_release_is_found() {
    selvedge_sync::model(|| {
        let shared = Arc::new((Shared(UnsafeCell::new(0)), AtomicUsize::new(0)));
        let other = shared.clone();
        let thread = thread::spawn(move || {
            // SAFETY: nobody reads before the flag is set.
            other.0.0.with_mut(|value| unsafe { *value = 1 });
            other.1.store(1, Ordering::Relaxed);
        });
        if shared.1.load(Ordering::Acquire) == 1 {
            // SAFETY: none; the flag was not released, which is what the canary is for.
            shared.0.0.with(|value| unsafe { assert_eq!(*value, 1) });
        }
        thread.join().unwrap();
    });
}

/// What is marked is used by a thread that does not hold it.
#[test]
#[should_panic]
fn canary_a_use_without_order_before_the_drop_is_found() {
    selvedge_sync::model(|| {
        let marked = Box::new(LeakCheck::new());
        let address = &raw const *marked as usize;
        let thread = thread::spawn(move || {
            // SAFETY: none; the owner may be dropping it, which is what the canary is for.
            unsafe { &*(address as *const LeakCheck) }.used();
        });
        drop(marked);
        thread.join().unwrap();
    });
}

/// Store buffering: of two threads that write, fence and read, one must see the other.
#[test]
fn of_two_threads_that_write_fence_and_read_one_sees_the_other() {
    selvedge_sync::model(|| {
        let words = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
        let theirs = words.clone();
        let thread = thread::spawn(move || {
            theirs.0.store(1, Ordering::Relaxed);
            full_fence();
            theirs.1.load(Ordering::Relaxed)
        });
        words.1.swap(1, Ordering::Relaxed);
        full_fence_after_rmw();
        let seen = words.0.load(Ordering::Relaxed);
        assert_ne!((seen, thread.join().unwrap()), (0, 0));
    });
}

/// The same without one of the fences.
#[test]
#[should_panic(expected = "neither saw the other")]
fn canary_a_missing_fence_is_found() {
    selvedge_sync::model(|| {
        let words = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
        let theirs = words.clone();
        let thread = thread::spawn(move || {
            theirs.0.store(1, Ordering::Relaxed);
            theirs.1.load(Ordering::Relaxed)
        });
        words.1.store(1, Ordering::Relaxed);
        full_fence();
        let seen = words.0.load(Ordering::Relaxed);
        assert_ne!((seen, thread.join().unwrap()), (0, 0), "neither saw the other");
    });
}

#[test]
fn a_wake_before_or_during_park_ends_it() {
    selvedge_sync::model(|| {
        let parker = Parker::new();
        let waker = parker.waker().clone();
        let thread = thread::spawn(move || waker.wake());
        parker.park();
        thread.join().unwrap();
    });
}

#[test]
fn threads_of_a_model_have_ids_of_their_own() {
    selvedge_sync::model(|| {
        let mine = ThreadId::current();
        let started = Arc::new(AtomicUsize::new(0));
        let other_started = started.clone();
        let thread = thread::spawn(move || {
            other_started.fetch_add(1, Ordering::Relaxed);
            assert!(!mine.is_current());
            ThreadId::current()
        });
        started.fetch_add(1, Ordering::Relaxed);
        assert!(mine.is_current());
        assert_ne!(mine, thread.join().unwrap());
    });
}
