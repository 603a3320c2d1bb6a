//! Arrays that grow while old slots are woken.

use selvedge_sync::thread;
use selvedge_wakers::WakerVec;

use super::parent::Parent;

pub(crate) fn old_and_new() {
    selvedge_sync::model(|| {
        let parent = Parent::new();
        let mut wakers = WakerVec::idle_with_len(3);
        wakers.begin_poll(parent.waker());
        let old = wakers.waker(2).clone();
        let first = thread::spawn(move || old.wake());
        wakers.resize(5);
        let new = wakers.waker(4).clone();
        let second = thread::spawn(move || new.wake());
        let mut reported = [0; 5];
        for round in 0..2 {
            let before = parent.wakes();
            wakers.begin_poll(parent.waker());
            while let Some(index) = wakers.next_ready() {
                reported[index] += 1;
            }
            if round == 1 {
                first.join().unwrap();
                second.join().unwrap();
                assert!(!wakers.any_ready() || parent.wakes() > before, "a wake was lost");
                break;
            }
        }
        wakers.begin_poll(parent.waker());
        while let Some(index) = wakers.next_ready() {
            reported[index] += 1;
        }
        assert_eq!((reported[2], reported[3]), (1, 1));
        assert!((1..=2).contains(&reported[4]), "set when it was added, and woken");
    });
}

pub(crate) fn behind_the_root() {
    selvedge_sync::model(|| {
        let parent = Parent::new();
        let mut wakers = WakerVec::idle_with_len(2);
        wakers.begin_poll(parent.waker());
        let (old, other) = (wakers.waker(1).clone(), wakers.waker(0).clone());
        let thread = thread::spawn(move || {
            old.wake();
            other.wake();
        });
        wakers.resize(3);
        wakers.clear_ready(2);
        let mut reported = [0; 3];
        let mut poll = |wakers: &mut WakerVec| {
            let before = parent.wakes();
            wakers.begin_poll(parent.waker());
            while let Some(index) = wakers.next_ready() {
                reported[index] += 1;
            }
            before
        };
        let before = poll(&mut wakers);
        thread.join().unwrap();
        assert!(!wakers.any_ready() || parent.wakes() > before, "a wake was lost");
        poll(&mut wakers);
        assert_eq!(reported, [1, 1, 0]);
    });
}

/// Growth between the two halves of a poll that registers late.
pub(crate) fn growing_in_the_middle(first: usize, to: usize) {
    selvedge_sync::model(move || {
        let parent = Parent::new();
        let mut wakers = WakerVec::idle_with_len(first);
        wakers.begin_poll(parent.waker());
        let one = wakers.waker(1).clone();
        let two = wakers.waker(0).clone();
        let thread = thread::spawn(move || {
            one.wake();
        });
        let other = thread::spawn(move || {
            two.wake();
        });
        let mut reported = vec![0; to];
        let _begun = wakers.begin_poll_unregistered(parent.waker());
        while let Some(index) = wakers.next_ready() {
            reported[index] += 1;
        }
        wakers.resize(to);
        for index in first..to {
            wakers.clear_ready(index);
        }
        let before = parent.wakes();
        wakers.register(parent.waker());
        while let Some(index) = wakers.next_ready() {
            reported[index] += 1;
        }
        wakers.extend_poll();
        while let Some(index) = wakers.next_ready() {
            reported[index] += 1;
        }
        thread.join().unwrap();
        other.join().unwrap();
        assert!(!wakers.any_ready() || parent.wakes() > before, "a wake was lost");
        wakers.begin_poll(parent.waker());
        while let Some(index) = wakers.next_ready() {
            reported[index] += 1;
        }
        assert_eq!(reported[..2], [1, 1]);
    });
}
