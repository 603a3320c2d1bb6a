//! Wakers that are lent before there is memory for them.
#![expect(clippy::std_instead_of_core, reason = "tests run on std")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::task::Waker;
use std::thread;

use selvedge_wakers::{LazyWakers, WakerArray};
use static_assertions::assert_impl_all;

assert_impl_all!(LazyWakers: Send, Sync);

#[test]
fn what_nobody_keeps_leaves_nothing() {
    let mut lazy = LazyWakers::new(3);
    for index in 0..3 {
        let lent = lazy.waker(index);
        assert!(lent.will_wake(&lent));
    }
    assert!(lazy.into_array::<3>().is_none());
}

#[test]
fn clones_are_the_wakers_of_the_array_that_follows() {
    for (len, kept) in [(1, 0), (64, 63), (65, 64), (1000, 999)] {
        let mut lazy = LazyWakers::new(len);
        let first = lazy.waker(kept).clone();
        // From the first clone on there is nothing special about a lent waker.
        assert!(lazy.waker(kept).will_wake(&first));
        let other = lazy.waker(0).clone();
        let mut array = lazy.into_vec().expect("there are clones");
        assert!(array.waker(kept).will_wake(&first) && array.waker(0).will_wake(&other));
        assert!(!array.any_ready());
        first.wake();
        array.begin_poll(Waker::noop());
        assert_eq!(array.next_ready(), Some(kept));
        assert_eq!(array.next_ready(), None);
    }
}

#[test]
fn a_wake_without_a_clone_is_kept() {
    let mut lazy = LazyWakers::new(70);
    lazy.waker(69).wake_by_ref();
    lazy.waker(1).wake_by_ref();
    let mut array: WakerArray<70> = lazy.into_array().expect("something was woken");
    array.begin_poll(Waker::noop());
    assert_eq!(
        [array.next_ready(), array.next_ready(), array.next_ready()],
        [Some(1), Some(69), None]
    );
}

#[test]
fn clones_outlive_wakers_that_never_became_an_array() {
    let mut lazy = LazyWakers::new(2);
    let kept = lazy.waker(1).clone();
    drop(lazy);
    kept.wake_by_ref();
    drop(kept.clone());
    kept.wake();
}

#[test]
fn threads_that_share_a_loan_get_wakers_of_one_array() {
    let mut lazy = LazyWakers::new(100);
    let start = Barrier::new(4);
    let lent = lazy.waker(77);
    let clones: Vec<Waker> = thread::scope(|scope| {
        let (lent, start) = (&*lent, &start);
        let threads: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(move || {
                    start.wait();
                    lent.clone()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let array = lazy.into_vec().expect("there are clones");
    assert!(clones.iter().all(|clone| clone.will_wake(&array.waker(77))));
}

#[test]
fn what_makes_no_sense_panics() {
    let mut lazy = LazyWakers::new(2);
    assert!(catch_unwind(AssertUnwindSafe(|| _ = lazy.waker(2).clone())).is_err());
    assert!(catch_unwind(AssertUnwindSafe(|| lazy.into_array::<3>())).is_err());
    // As many as fit no memory can be lent, but not kept.
    let mut lazy = LazyWakers::new(usize::MAX);
    let lent = lazy.waker(usize::MAX - 1);
    assert!(catch_unwind(AssertUnwindSafe(|| lent.clone())).is_err());
}
