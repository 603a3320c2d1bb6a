#![cfg(selvedge_shuttle)]
//! Whole waker arrays under random schedules, with pages and groups as small as in models.
#![expect(clippy::std_instead_of_core, reason = "tests run on std")]

use std::sync::Arc;
use std::task::{Wake, Waker};

use selvedge_sync::atomic::{AtomicUsize, Ordering};
use selvedge_sync::thread::{self, Parker};
use selvedge_sync::{random, schedules};
use selvedge_wakers::{StaticWakers, WakerArray, WakerVec};

const PRODUCERS: usize = 3;
const MESSAGES: usize = 4;

/// Producers count up a slot's tally and wake it; the owner looks at the tallies of reported slots
/// alone, and sleeps when nothing is reported. A lost wake is a deadlock.
macro_rules! every_message_arrives {
    ($owner:expr, $len:expr) => {{
        let (mut owner, len) = ($owner, $len);
        let tallies: Arc<Vec<_>> = Arc::new((0..len).map(|_| AtomicUsize::new(0)).collect());
        let threads: Vec<_> = (0..PRODUCERS)
            .map(|_| {
                let indices: Vec<usize> = (0..MESSAGES).map(|_| random(len)).collect();
                let wakers: Vec<Waker> =
                    indices.iter().map(|index| owner.waker(*index).clone()).collect();
                let tallies = tallies.clone();
                thread::spawn(move || {
                    for (index, waker) in indices.into_iter().zip(wakers) {
                        tallies[index].fetch_add(1, Ordering::Relaxed);
                        if random(2) == 0 { waker.wake() } else { waker.wake_by_ref() }
                    }
                })
            })
            .collect();
        let mut parker = Parker::new();
        let mut seen = vec![0; len];
        let mut missing = PRODUCERS * MESSAGES;
        while missing > 0 {
            if random(3) == 0 {
                parker = Parker::new();
            }
            owner.begin_poll(parker.waker());
            let mut left_early = false;
            while let Some(index) = owner.next_ready() {
                let now = tallies[index].load(Ordering::Relaxed);
                missing -= now - seen[index];
                seen[index] = now;
                left_early = random(8) == 0;
                if left_early {
                    break;
                }
            }
            if missing > 0 && !left_early {
                parker.park();
            }
        }
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    }};
}

#[test]
fn every_message_arrives_at_a_small_array() {
    schedules(|| every_message_arrives!(WakerArray::<3>::idle(), 3));
}

#[test]
fn every_message_arrives_at_an_array_of_several_pages() {
    schedules(|| every_message_arrives!(WakerVec::idle_with_len(4), 4));
}

#[test]
fn every_message_arrives_at_an_array_with_shared_flags() {
    schedules(|| every_message_arrives!(WakerVec::idle_with_len(30), 30));
}

static STATIC: StaticWakers<9> = StaticWakers::new();

#[test]
fn every_message_arrives_at_a_static_array_that_is_claimed_again_and_again() {
    schedules(|| {
        let mut owner = STATIC.claim().expect("the owner before has gone");
        assert!(STATIC.claim().is_none());
        let parker = Parker::new();
        owner.begin_poll(parker.waker());
        while owner.next_ready().is_some() {}
        every_message_arrives!(owner, 9);
    });
}

/// A parent whose references are counted.
struct Parent;

impl Wake for Parent {
    fn wake(self: Arc<Self>) {}
}

#[test]
fn wakes_that_race_the_drop_of_an_array_leave_nothing_behind() {
    schedules(|| {
        let parent = Arc::new(Parent);
        let mut owner = WakerVec::idle_with_len(9);
        owner.begin_poll(&Waker::from(parent.clone()));
        let threads: Vec<_> = [0, 8]
            .map(|index| {
                let waker = owner.waker(index).clone();
                thread::spawn(move || {
                    let owned = waker.clone();
                    owned.wake();
                    waker.wake();
                })
            })
            .into();
        if random(2) == 0 {
            owner.begin_poll(&Waker::from(Arc::new(Parent)));
        }
        drop(owner);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(Arc::strong_count(&parent), 1, "the parent's waker was not dropped");
    });
}

#[test]
fn an_array_grows_while_its_old_slots_are_woken() {
    schedules(|| {
        let mut owner = WakerVec::idle_with_len(2);
        let (early, told) = (owner.waker(1).clone(), Arc::new(AtomicUsize::new(0)));
        let other_told = told.clone();
        let thread = thread::spawn(move || {
            other_told.store(1, Ordering::Relaxed);
            early.wake();
        });
        owner.resize(random(20) + 2);
        let parker = Parker::new();
        let mut reported = false;
        while !reported || told.load(Ordering::Relaxed) == 0 {
            owner.begin_poll(parker.waker());
            while let Some(index) = owner.next_ready() {
                reported |= index == 1;
            }
            if !reported {
                parker.park();
            }
        }
        thread.join().unwrap();
    });
}
