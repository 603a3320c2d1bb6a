//! Allocations are counted: one per array, none for anything else.
#![expect(clippy::std_instead_of_core, reason = "tests run on std")]

#[path = "../../sync/tests/shared/counting_allocator.rs"]
mod counting_allocator;

use std::hint::black_box;
use std::task::Waker;

use selvedge_wakers::{StaticWakers, WakerArray, WakerVec};

use self::counting_allocator::{Cost, allocations, cost};

/// Everything but construction.
macro_rules! use_it {
    ($owner:expr) => {{
        let owner = &mut $owner;
        let len = owner.len();
        for _ in 0..3 {
            for index in 0..len {
                let clone = owner.waker(index).clone();
                clone.wake_by_ref();
                clone.wake();
            }
            owner.begin_poll(Waker::noop());
            while owner.next_ready().is_some() {}
            owner.set_all_ready();
            if len > 0 {
                owner.clear_ready(0);
            }
        }
    }};
}

fn check_array<const N: usize>() {
    let (Cost { allocations: count, bytes }, mut array) =
        cost(|| black_box(WakerArray::<N>::new()));
    assert_eq!(count, 1, "an array of {N}");
    let pages = N.div_ceil(usize::BITS as usize).max(1) as isize;
    assert!(bytes <= pages * 64 + 48, "{bytes} bytes for {N} slots");
    assert_eq!(allocations(|| use_it!(array)), 0, "using an array of {N}");
    let (Cost { allocations: count, .. }, mut vector) = cost(|| black_box(WakerVec::with_len(N)));
    assert_eq!(count, 1, "a vector of {N}");
    assert_eq!(allocations(|| use_it!(vector)), 0, "using a vector of {N}");
}

#[test]
fn an_array_of_any_size_is_one_allocation_and_nothing_else_allocates() {
    check_array::<0>();
    check_array::<2>();
    check_array::<10>();
    check_array::<64>();
    check_array::<65>();
    check_array::<1000>();
    check_array::<10_000>();
}

#[test]
fn a_vector_grows_in_doubling_steps() {
    let mut vector = WakerVec::with_len(1);
    let count = allocations(|| {
        for len in 0..10_000 {
            vector.resize(len);
        }
    });
    assert!(count <= 8, "{count} allocations to grow from 1 to 10,000");
    assert_eq!(allocations(|| vector.resize(5)), 0);
    assert_eq!(allocations(|| vector.resize(9_999)), 0, "memory is kept");
}

#[test]
fn a_static_block_never_allocates() {
    static BLOCK: StaticWakers<200> = StaticWakers::new();
    for _ in 0..2 {
        assert_eq!(allocations(|| use_it!(BLOCK.claim().unwrap())), 0);
    }
}
