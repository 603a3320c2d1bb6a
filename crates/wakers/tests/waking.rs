//! When a slot is reported, and when the parent is told.
#![expect(clippy::std_instead_of_core, reason = "tests run on std")]

mod support;

use std::task::Waker;

use selvedge_wakers::{StaticWakers, WakerArray, WakerVec};

use self::support::{Owner, Parent, forget, idle_owners, static_owner};

/// Runs the body for every kind of owner, at sizes around the borders of a page.
fn for_all(body: impl Fn(&str, &mut dyn Owner)) {
    let all = [idle_owners::<3>(), idle_owners::<64>(), idle_owners::<65>(), idle_owners::<200>()];
    for (name, mut owner) in all.into_iter().flatten() {
        body(&format!("{name} of {}", owner.len()), &mut *owner);
    }
    for (name, mut owner) in idle_owners::<5000>() {
        body(&format!("{name} of 5000"), &mut *owner);
    }
}

#[test]
fn a_woken_slot_is_reported_once() {
    for_all(|name, owner| {
        for index in [0, 1, owner.len() - 1] {
            owner.waker(index).wake_by_ref();
            assert!(owner.is_ready(index) && owner.any_ready(), "{name}");
            assert_eq!(owner.poll(Waker::noop()), [index], "{name}");
            assert!(!owner.is_ready(index) && !owner.any_ready(), "{name}");
            assert_eq!(owner.poll(Waker::noop()), [], "{name}");
        }
    });
}

#[test]
fn the_parent_is_woken_only_when_the_array_leaves_idle() {
    for_all(|name, owner| {
        let parent = Parent::new();
        assert_eq!(owner.poll(&parent.waker), [], "{name}");
        let last = owner.len() - 1;
        for _ in 0..3 {
            owner.waker(last).wake_by_ref();
            assert_eq!(parent.wakes(), 1, "{name}: the first wake of an idle array");
            owner.waker(last).wake_by_ref();
            owner.waker(0).wake_by_ref();
            let clone = owner.waker(last / 2).clone();
            clone.wake_by_ref();
            clone.wake();
            assert_eq!(parent.wakes(), 0, "{name}: not idle");
            let mut reported = owner.poll(&parent.waker);
            reported.sort();
            assert_eq!(reported, [0, last / 2, last], "{name}");
        }
    });
}

#[test]
fn a_wake_during_the_poll_belongs_to_the_next_one_and_wakes_the_parent() {
    for_all(|name, owner| {
        let parent = Parent::new();
        owner.waker(1).wake_by_ref();
        owner.begin_poll(&parent.waker);
        owner.waker(0).wake_by_ref();
        assert_eq!(parent.wakes(), 1, "{name}");
        assert_eq!(owner.next_ready(), Some(1), "{name}");
        owner.waker(1).wake_by_ref();
        assert_eq!((owner.next_ready(), parent.wakes()), (None, 0), "{name}");
        let mut reported = owner.poll(&parent.waker);
        reported.sort();
        assert_eq!(reported, [0, 1], "{name}");
    });
}

#[test]
fn a_slot_woken_while_it_waits_in_the_snapshot_is_reported_once_more() {
    for_all(|name, owner| {
        let parent = Parent::new();
        owner.waker(2).wake_by_ref();
        owner.begin_poll(&parent.waker);
        owner.waker(2).wake_by_ref();
        assert_eq!(parent.wakes(), 1, "{name}");
        assert_eq!((owner.next_ready(), owner.next_ready()), (Some(2), None), "{name}");
        assert_eq!(owner.poll(&parent.waker), [2], "{name}");
    });
}

#[test]
fn what_a_poll_leaves_stays_ready_and_does_not_hide_a_wake() {
    for_all(|name, owner| {
        let parent = Parent::new();
        owner.waker(0).wake_by_ref();
        owner.waker(1).wake_by_ref();
        owner.begin_poll(&parent.waker);
        let first = owner.next_ready().unwrap();
        assert!(owner.any_ready() && owner.is_ready(1 - first), "{name}");
        owner.begin_poll(&parent.waker);
        assert_eq!(parent.wakes(), 0, "{name}");
        owner.waker(first).wake_by_ref();
        assert_eq!(parent.wakes(), 1, "{name}: nothing was woken since the snapshot");
        assert_eq!((owner.next_ready(), owner.next_ready()), (Some(1 - first), None), "{name}");
        assert_eq!(owner.poll(&parent.waker), [first], "{name}");
    });
}

#[test]
fn what_the_owner_sets_wakes_nobody_and_hides_no_wake() {
    for_all(|name, owner| {
        let parent = Parent::new();
        owner.begin_poll(&parent.waker);
        let last = owner.len() - 1;
        assert!(!owner.set_ready(last) && owner.set_ready(last), "{name}");
        assert_eq!(parent.wakes(), 0, "{name}");
        assert_eq!(owner.next_ready(), None, "{name}: it belongs to the next snapshot");
        owner.waker(last).wake_by_ref();
        assert_eq!(parent.wakes(), 1, "{name}: idle speaks of wakes alone");
        assert_eq!(owner.poll(&parent.waker), [last], "{name}");
        owner.set_all_ready();
        assert_eq!(owner.poll(&parent.waker).len(), owner.len(), "{name}");
        assert_eq!(parent.wakes(), 0, "{name}");
    });
}

#[test]
fn clearing_forgets_what_was_set_woken_or_taken() {
    for_all(|name, owner| {
        let parent = Parent::new();
        let last = owner.len() - 1;
        owner.begin_poll(&parent.waker);
        assert!(!owner.clear_ready(last), "{name}");
        owner.set_ready(last);
        assert!(owner.clear_ready(last) && !owner.any_ready(), "{name}: set");
        owner.waker(last).wake_by_ref();
        assert!(owner.clear_ready(last) && !owner.any_ready(), "{name}: woken");
        owner.waker(last).wake_by_ref();
        owner.begin_poll(&parent.waker);
        assert!(owner.clear_ready(last) && !owner.any_ready(), "{name}: in the snapshot");
        assert_eq!(owner.next_ready(), None, "{name}");
        parent.wakes();
        owner.waker(last).wake_by_ref();
        assert_eq!(parent.wakes(), 1, "{name}: the next wake is new");
        assert_eq!(owner.poll(&parent.waker), [last], "{name}");
    });
}

#[test]
fn a_wake_between_two_clears_is_reported_though_its_page_was_flagged_before() {
    for_all(|name, owner| {
        let last = owner.len() - 1;
        for _ in 0..3 {
            owner.waker(last).wake_by_ref();
            owner.clear_ready(last);
        }
        owner.waker(last).wake_by_ref();
        assert_eq!(owner.poll(Waker::noop()), [last], "{name}");
        assert_eq!(owner.poll(Waker::noop()), [], "{name}");
    });
}

#[test]
fn only_the_newest_parent_is_woken() {
    for_all(|name, owner| {
        let (old, new) = (Parent::new(), Parent::new());
        owner.begin_poll(&old.waker);
        assert_eq!(old.held(), 1, "{name}");
        owner.begin_poll(&new.waker);
        assert_eq!((old.held(), new.held()), (0, 1), "{name}");
        owner.waker(0).wake_by_ref();
        assert_eq!((old.wakes(), new.wakes()), (0, 1), "{name}");
        assert_eq!(new.held(), 0, "{name}: a woken parent is not kept");
    });
}

#[test]
fn a_parent_that_is_registered_already_is_not_cloned_again() {
    for_all(|name, owner| {
        let parent = Parent::new();
        for _ in 0..3 {
            owner.begin_poll(&parent.waker);
            assert_eq!(parent.held(), 1, "{name}");
        }
    });
}

#[test]
fn new_arrays_are_ready_and_report_nothing_before_the_first_poll() {
    fn check(mut owner: impl Owner) {
        let len = owner.len();
        assert_eq!(owner.next_ready(), None);
        assert_eq!(owner.any_ready(), len > 0);
        assert_eq!(owner.poll(Waker::noop()), (0..len).collect::<Vec<_>>());
        assert_eq!(owner.poll(Waker::noop()), []);
    }
    check(WakerArray::<0>::new());
    check(WakerArray::<1>::default());
    check(WakerArray::<64>::new());
    check(WakerArray::<1000>::new());
    check(WakerVec::with_len(0));
    check(WakerVec::with_len(65));
    check(WakerVec::with_len(4200));
    check(static_owner::<0>());
    check(static_owner::<64>());
    check(static_owner::<65>());
    check(static_owner::<4200>());
}

#[test]
fn every_claim_starts_with_all_slots_ready_whatever_the_former_owner_left() {
    let block = forget(StaticWakers::<130>::new());
    let parent = Parent::new();
    let mut owner = block.claim().unwrap();
    assert!(block.claim().is_none());
    owner.begin_poll(&parent.waker);
    owner.next_ready();
    let stale = owner.waker(129).clone();
    drop(owner);
    assert_eq!(parent.held(), 0);
    stale.wake_by_ref();
    let mut owner = block.claim().unwrap();
    assert_eq!(owner.next_ready(), None, "no snapshot yet");
    assert_eq!(owner.poll(&parent.waker), (0..130).collect::<Vec<_>>());
    stale.wake();
    assert_eq!((parent.wakes(), owner.poll(&parent.waker)), (1, vec![129]), "a spurious wake");
    forget(owner);
    assert!(block.claim().is_none(), "a forgotten owner keeps the claim");
}

#[test]
fn indices_out_of_range_panic() {
    for_all(|name, owner| {
        let len = owner.len();
        type Call = fn(&mut dyn Owner, usize);
        let calls: [Call; 5] = [
            |owner, index| _ = owner.waker(index),
            |owner, index| _ = owner.is_ready(index),
            |owner, index| _ = owner.set_ready(index),
            |owner, index| owner.make_ready(index),
            |owner, index| _ = owner.clear_ready(index),
        ];
        for (number, call) in calls.into_iter().enumerate() {
            let mut owner = std::panic::AssertUnwindSafe(&mut *owner);
            let outcome = std::panic::catch_unwind(move || call(&mut **owner, len));
            assert!(outcome.is_err(), "{name}: call {number}");
        }
    });
}

#[test]
fn polls_that_return_nothing_starve_no_slot() {
    let mut wakers = WakerVec::with_len(4);
    let mut returned = [0; 4];
    for _ in 0..100 {
        wakers.set_all_ready();
        wakers.begin_poll(Waker::noop());
        wakers.begin_poll(Waker::noop());
        returned[wakers.next_ready().expect("all slots are ready")] += 1;
    }
    assert_eq!(returned, [25; 4]);
}

#[test]
fn a_parent_that_is_released_is_not_kept_and_not_woken() {
    struct Task;
    impl std::task::Wake for Task {
        fn wake(self: std::sync::Arc<Self>) {
            panic!("woken after its release");
        }
    }
    let task = std::sync::Arc::new(Task);
    let parent = Waker::from(task.clone());
    let mut wakers = WakerArray::<2>::idle();
    wakers.begin_poll(&parent);
    drop(parent);
    wakers.release_parent();
    assert_eq!(std::sync::Arc::strong_count(&task), 1);
    wakers.waker(1).wake_by_ref();
    wakers.begin_poll(Waker::noop());
    assert_eq!(wakers.next_ready(), Some(1));
}
