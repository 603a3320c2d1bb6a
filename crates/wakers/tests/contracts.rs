//! What the types promise apart from behaviour: sizes, auto traits, and which wakers are equal.
#![expect(clippy::std_instead_of_core, reason = "tests run on std")]

mod support;

use std::mem::size_of;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::task::Waker;

use selvedge_wakers::{StaticOwner, StaticWakers, WakerArray, WakerRef, WakerVec};
use static_assertions::{assert_impl_all, assert_not_impl_any};

use self::support::{Owner, static_owner};

assert_impl_all!(WakerArray<2>: Send, Sync, Unpin, UnwindSafe, RefUnwindSafe, std::fmt::Debug, Default);
assert_impl_all!(WakerVec: Send, Sync, Unpin, UnwindSafe, RefUnwindSafe, std::fmt::Debug);
assert_impl_all!(StaticOwner: Send, Sync, Unpin, UnwindSafe, RefUnwindSafe, std::fmt::Debug);
assert_impl_all!(StaticWakers<2>: Send, Sync, std::fmt::Debug, Default);
assert_impl_all!(WakerRef<'static>: Send, Sync, Unpin, std::fmt::Debug, AsRef<Waker>);
assert_not_impl_any!(WakerArray<2>: Clone);
assert_not_impl_any!(WakerVec: Clone);
assert_not_impl_any!(StaticOwner: Clone);
assert_not_impl_any!(StaticWakers<2>: Clone, Copy);

#[test]
#[cfg(target_pointer_width = "64")]
fn owners_are_a_few_words_and_a_static_slot_is_a_byte() {
    assert_eq!(size_of::<WakerArray<1>>(), 10 * 8);
    assert_eq!(size_of::<WakerArray<10_000>>(), 10 * 8);
    assert_eq!(size_of::<WakerVec>(), 12 * 8);
    assert_eq!(size_of::<StaticOwner>(), 12 * 8);
    assert_eq!(size_of::<WakerRef<'_>>(), size_of::<Waker>());
    assert_eq!(size_of::<StaticWakers<8>>(), 128);
    assert_eq!(size_of::<StaticWakers<1000>>(), 64 + 1024);
}

#[test]
fn wakers_are_equal_exactly_if_slot_and_array_are() {
    let mut grown = WakerVec::with_len(1);
    for len in [70, 300, 5000] {
        grown.resize(len);
    }
    let owners: Vec<Box<dyn Owner>> = vec![
        Box::new(WakerArray::<64>::new()),
        Box::new(WakerArray::<64>::new()),
        Box::new(WakerArray::<1>::new()),
        Box::new(WakerArray::<1>::new()),
        Box::new(WakerArray::<200>::new()),
        Box::new(WakerVec::with_len(200)),
        Box::new(grown),
        Box::new(static_owner::<200>()),
        Box::new(static_owner::<1>()),
    ];
    let mut all: Vec<Waker> = Vec::new();
    for owner in &owners {
        for index in 0..owner.len() {
            let waker = owner.waker(index).clone();
            assert!(waker.will_wake(&owner.waker(index)) && waker.will_wake(&waker.clone()));
            all.push(waker);
        }
    }
    // Pairs that could only be equal if their addresses are.
    all.sort_by_key(|waker| waker.data());
    for pair in all.windows(2) {
        assert!(pair[0].data() != pair[1].data() && !pair[0].will_wake(&pair[1]));
    }
}

#[test]
fn a_waker_stays_equal_to_itself_while_its_array_moves_and_grows() {
    let mut wakers = WakerVec::with_len(100);
    let before: Vec<Waker> = (0..100).map(|index| wakers.waker(index).clone()).collect();
    wakers.resize(10_000);
    wakers.resize(50);
    wakers.resize(100);
    let moved = Box::new(wakers);
    for (index, waker) in before.iter().enumerate() {
        assert!(waker.will_wake(&moved.waker(index)), "slot {index}");
    }
}

#[test]
fn debug_output_names_the_type_and_shows_no_address() {
    let shown = format!("{:?} {:?}", WakerArray::<3>::idle(), WakerVec::with_len(2));
    assert_eq!(
        shown,
        "WakerArray { len: 3, any_ready: false, .. } WakerVec { len: 2, any_ready: true, .. }"
    );
    static BLOCK: StaticWakers<1> = StaticWakers::new();
    assert_eq!(
        format!("{:?}", BLOCK.claim().unwrap()),
        "StaticOwner { len: 1, any_ready: true, .. }"
    );
}
