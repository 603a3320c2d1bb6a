#![cfg(selvedge_loom)]
//! Models of the protocol, through the public types: two slots a page, two pages a flag.
//!
//! Slots 0 and 1 lie in the root page, 2 and 3 in page 1, 4 and 5 in page 2, 6 and 7 in page 3,
//! which has the flag of page 1.
#![expect(clippy::std_instead_of_core, reason = "tests run on std")]

mod models;

use std::sync::Arc as Memory;
use std::sync::atomic::AtomicUsize as Tally;
use std::task::Waker;

use selvedge_sync::atomic::{AtomicUsize, Ordering};
use selvedge_sync::thread::{self, Parker};
use selvedge_wakers::{StaticWakers, WakerArray, WakerVec};

use self::models::bodies::{
    Polled, a_held_thread_holds_up_nothing, a_second_wake_against, clearing_against_wakes,
    one_wake_against_a_poll, the_edge_publishes, two_wakes_against_two_polls,
};
use self::models::parent::Parent;
use self::models::{growing, late};

#[test]
fn a_wake_is_in_the_snapshot_or_wakes_the_parent() {
    one_wake_against_a_poll::<2>(1);
}

#[test]
fn a_wake_behind_the_root_page_is_in_the_snapshot_or_wakes_the_parent() {
    one_wake_against_a_poll::<3>(2);
}

#[test]
fn a_wake_behind_a_shared_flag_is_in_the_snapshot_or_wakes_the_parent() {
    one_wake_against_a_poll::<7>(6);
}

#[test]
fn a_wake_of_the_root_page_of_several_is_in_the_snapshot_or_wakes_the_parent() {
    one_wake_against_a_poll::<3>(0);
}

#[test]
fn a_wake_that_an_extended_poll_misses_wakes_the_parent() {
    a_second_wake_against::<2>(Polled::poll_and_extend, 1);
}

#[test]
fn a_wake_behind_the_root_page_that_an_extended_poll_misses_wakes_the_parent() {
    a_second_wake_against::<3>(Polled::poll_and_extend, 2);
}

#[test]
fn a_wake_that_a_poll_misses_which_registers_late_wakes_the_parent() {
    a_second_wake_against::<2>(Polled::poll_and_register, 1);
}

#[test]
fn a_wake_behind_the_root_page_that_a_poll_misses_which_registers_late_wakes_the_parent() {
    a_second_wake_against::<3>(Polled::poll_and_register, 2);
}

#[test]
fn a_wake_of_another_group_that_a_poll_misses_which_registers_late_wakes_the_parent() {
    a_second_wake_against::<5>(Polled::poll_and_register, 4);
}

#[test]
fn an_owner_that_parks_is_woken_by_each_of_two_slots() {
    selvedge_sync::model(|| {
        let parker = Parker::new();
        let mut array = WakerArray::<3>::idle();
        for index in [0, 2] {
            let waker = array.waker(index).clone();
            thread::spawn(move || waker.wake());
        }
        let mut missing = 2;
        loop {
            array.begin_poll(parker.waker());
            while array.next_ready().is_some() {
                missing -= 1;
            }
            if missing == 0 {
                return;
            }
            parker.park();
        }
    });
}

#[test]
fn wakes_of_two_slots_of_a_page_are_both_heeded() {
    two_wakes_against_two_polls::<2>([0, 1]);
}

#[test]
fn wakes_of_one_slot_by_two_threads_are_heeded_once_or_twice() {
    two_wakes_against_two_polls::<1>([0, 0]);
}

#[test]
fn wakes_of_two_slots_of_a_further_page_are_both_heeded() {
    two_wakes_against_two_polls::<4>([2, 3]);
}

#[test]
fn wakes_of_the_root_page_and_a_further_page_are_both_heeded() {
    two_wakes_against_two_polls::<3>([0, 2]);
}

#[test]
fn wakes_of_two_pages_are_both_heeded() {
    two_wakes_against_two_polls::<5>([2, 4]);
}

#[test]
fn wakes_of_two_pages_with_one_flag_are_both_heeded() {
    two_wakes_against_two_polls::<7>([2, 6]);
}

#[test]
fn a_wake_during_the_change_of_parents_reaches_the_newest() {
    selvedge_sync::model(|| {
        let (old, new) = (Parent::watchful(), Parent::watchful());
        let mut polled = Polled::<2>::idle();
        polled.poll(&old);
        let joins = [0, 1].map(|index| polled.wake_elsewhere(index));
        polled.poll(&new);
        for join in joins {
            join();
        }
        assert_eq!(old.held(), 0, "the old parent is let go");
        polled.settle(&new);
        assert_eq!(polled.reported, [1, 1]);
        drop(polled);
        assert_eq!(new.held(), 0);
    });
}

#[test]
fn a_taker_that_was_overtaken_by_three_registrations_takes_the_newest_or_none() {
    selvedge_sync::model(|| {
        let parents = [Parent::watchful(), Parent::watchful(), Parent::watchful()];
        let mut polled = Polled::<1>::idle();
        polled.poll(&parents[0]);
        let join = polled.wake_elsewhere(0);
        polled.poll(&parents[1]);
        polled.poll(&parents[2]);
        join();
        polled.settle(&parents[2]);
        assert_eq!(polled.reported, [1]);
    });
}

#[test]
fn a_thread_held_in_the_wake_of_an_old_parent_holds_up_nothing() {
    a_held_thread_holds_up_nothing(false);
}

#[test]
fn a_thread_held_in_the_wake_of_the_same_parent_holds_up_nothing() {
    a_held_thread_holds_up_nothing(true);
}

#[test]
fn what_was_written_before_a_wake_is_visible_when_the_slot_is_reported() {
    the_edge_publishes::<2>(0);
}

#[test]
fn what_was_written_before_a_wake_behind_the_root_page_is_visible() {
    the_edge_publishes::<3>(2);
}

#[test]
fn what_was_written_before_a_wake_of_a_ready_slot_is_visible_or_the_slot_is_reported_again() {
    selvedge_sync::model(|| {
        let mut array = WakerArray::<1>::idle();
        let message = Memory::new(AtomicUsize::new(0));
        array.waker(0).wake_by_ref();
        let (theirs, waker) = (message.clone(), array.waker(0).clone());
        let thread = thread::spawn(move || {
            theirs.store(7, Ordering::Relaxed);
            waker.wake();
        });
        array.begin_poll(Waker::noop());
        assert_eq!(array.next_ready(), Some(0));
        let seen = message.load(Ordering::Relaxed) == 7;
        thread.join().unwrap();
        assert!(seen || array.is_ready(0), "a wake was neither seen nor kept");
    });
}

#[test]
fn clearing_a_slot_loses_no_wake_of_its_neighbour() {
    clearing_against_wakes::<2>(0, 1);
}

#[test]
fn clearing_a_slot_behind_the_root_page_loses_no_wake_of_its_neighbour() {
    clearing_against_wakes::<4>(2, 3);
}

#[test]
fn growing_loses_no_wake_of_an_old_slot_and_none_of_a_new_one() {
    growing::old_and_new();
}

#[test]
fn growing_behind_the_root_page_loses_no_wake_of_a_slot_there() {
    growing::behind_the_root();
}

#[test]
fn growing_in_the_middle_of_a_poll_loses_no_wake() {
    growing::growing_in_the_middle(2, 3);
}

#[test]
fn growing_a_large_array_in_the_middle_of_a_poll_loses_no_wake() {
    growing::growing_in_the_middle(3, 7);
}

#[test]
fn a_late_registration_lets_another_parent_go_and_loses_no_wake() {
    late::another_parent_late::<3>([0, 2]);
}

#[test]
fn a_late_registration_loses_no_wake_of_another_group() {
    late::another_parent_late::<5>([0, 4]);
}

#[test]
fn a_parked_owner_that_registers_late_is_woken_by_each_of_two_slots() {
    late::a_parked_owner_that_registers_late::<3>([0, 2], 1);
}

#[test]
fn a_parked_owner_that_registers_late_is_woken_behind_a_shared_flag() {
    late::a_parked_owner_that_registers_late::<7>([2, 6], 0);
}

/// Clones, wakes and drops on two threads against the drop of the owner: freed once, by the last.
fn the_last_one_frees_the_block<const N: usize>(index: usize) {
    selvedge_sync::model(move || {
        let array = WakerArray::<N>::idle();
        let (first, second) = (array.waker(index).clone(), array.waker(index).clone());
        let one = thread::spawn(move || {
            let clone = first.clone();
            drop(first);
            clone.wake();
        });
        let other = thread::spawn(move || {
            second.wake_by_ref();
            drop(second);
        });
        drop(array);
        one.join().unwrap();
        other.join().unwrap();
    });
}

#[test]
fn the_last_reference_frees_the_block_once() {
    the_last_one_frees_the_block::<1>(0);
}

#[test]
fn the_last_reference_to_a_further_page_frees_the_block_once() {
    the_last_one_frees_the_block::<3>(2);
}

#[test]
fn the_last_reference_to_a_grown_array_frees_all_blocks_once() {
    selvedge_sync::model(|| {
        let mut wakers = WakerVec::idle_with_len(1);
        let old = wakers.waker(0).clone();
        wakers.resize(3);
        let new = wakers.waker(2).clone();
        wakers.resize(7);
        let threads = [old, new].map(|waker| thread::spawn(move || waker.wake()));
        drop(wakers);
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

#[test]
fn an_owner_that_is_dropped_during_a_wake_lets_its_parent_go() {
    selvedge_sync::model(|| {
        let parent = Parent::new();
        let mut polled = Polled::<2>::idle();
        polled.poll(&parent);
        let kept = polled.array.waker(1).clone();
        let join = polled.wake_elsewhere(0);
        polled.poll(&parent);
        drop(polled);
        join();
        assert_eq!(parent.held(), 0, "a sub-waker keeps the parent");
        let wakes = parent.wakes();
        assert!(wakes <= 1, "one edge, one wake");
        kept.wake();
        assert_eq!(parent.wakes(), wakes, "woken by an array that is gone");
    });
}

#[test]
fn a_static_block_has_one_owner_at_a_time_who_finds_everything_in_order() {
    selvedge_sync::model(|| {
        let block: &'static StaticWakers<3> = Box::leak(Box::new(StaticWakers::new()));
        let owners = Memory::new(Tally::new(0));
        let own = move || {
            let Some(mut owner) = block.claim() else { return };
            assert_eq!(owners.fetch_add(1, Ordering::SeqCst), 0, "two owners at a time");
            owner.begin_poll(Waker::noop());
            for index in 0..3 {
                assert_eq!(owner.next_ready(), Some(index));
            }
            owner.set_ready(2);
            owners.fetch_sub(1, Ordering::SeqCst);
        };
        let thread = thread::spawn(own.clone());
        own.clone()();
        own();
        thread.join().unwrap();
    });
}

#[test]
fn a_stale_wake_of_an_earlier_claim_is_spurious_and_hides_none_of_the_next() {
    selvedge_sync::model(|| {
        let block: &'static StaticWakers<3> = Box::leak(Box::new(StaticWakers::new()));
        let (old, new) = (Parent::watchful(), Parent::watchful());
        let mut owner = block.claim().unwrap();
        owner.begin_poll(old.waker());
        let stale = owner.waker(2).clone();
        let thread = thread::spawn(move || stale.wake());
        drop(owner);
        let mut owner = block.claim().unwrap();
        owner.begin_poll(new.waker());
        while owner.next_ready().is_some() {}
        let waker = owner.waker(0).clone();
        let other = thread::spawn(move || waker.wake());
        thread.join().unwrap();
        other.join().unwrap();
        assert_eq!(old.held(), 0);
        assert!(owner.is_ready(0) && new.wakes() > 0, "a wake was lost");
    });
}

#[test]
fn two_threads_that_clone_a_lent_waker_make_one_block() {
    models::lent::two_clones_make_one_block();
}

#[test]
fn a_wake_of_a_lent_waker_is_found_by_the_poll_that_follows() {
    models::lent::a_wake_is_found();
}
