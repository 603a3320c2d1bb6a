//! Wakers that are lent before they have memory.

use std::mem::ManuallyDrop;
use std::sync::Arc as Memory;
use std::task::Waker;

use selvedge_sync::thread;
use selvedge_wakers::LazyWakers;

use super::parent::Parent;

/// A lent waker may be cloned and woken on several threads while its loan lasts.
fn lent_elsewhere(lazy: &mut LazyWakers, index: usize) -> Memory<ManuallyDrop<Waker>> {
    let lent = lazy.waker(index);
    // SAFETY: the models join their threads before they touch the lender again.
    Memory::new(ManuallyDrop::new(unsafe { Waker::new(lent.data(), lent.vtable()) }))
}

pub(crate) fn two_clones_make_one_block() {
    selvedge_sync::model(|| {
        let mut lazy = LazyWakers::new(3);
        let waker = lent_elsewhere(&mut lazy, 2);
        let theirs = waker.clone();
        let thread = thread::spawn(move || drop(Waker::clone(&theirs)));
        let kept = Waker::clone(&waker);
        thread.join().unwrap();
        let mut array = lazy.into_array::<3>().unwrap();
        kept.wake();
        array.begin_poll(Waker::noop());
        assert_eq!(array.next_ready(), Some(2), "another block");
    });
}

pub(crate) fn a_wake_is_found() {
    selvedge_sync::model(|| {
        let mut lazy = LazyWakers::new(2);
        let waker = lent_elsewhere(&mut lazy, 1);
        let theirs = waker.clone();
        let first = thread::spawn(move || theirs.wake_by_ref());
        let second = Waker::clone(&waker);
        first.join().unwrap();
        let parent = Parent::new();
        let mut array = lazy.into_array::<2>().unwrap();
        let second = thread::spawn(move || second.wake());
        array.begin_poll(parent.waker());
        assert_eq!(array.next_ready(), Some(1));
        second.join().unwrap();
        assert!(!array.any_ready() || parent.wakes() == 1);
    });
}
