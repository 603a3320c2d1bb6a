//! Polls that register at their end.

use std::task::Waker;

use selvedge_sync::thread::{self, Parker};
use selvedge_wakers::WakerArray;

use super::bodies::Polled;
use super::parent::Parent;

/// Late registration of another parent against two wakes.
pub(crate) fn another_parent_late<const N: usize>(indices: [usize; 2]) {
    selvedge_sync::model(move || {
        let (old, new) = (Parent::watchful(), Parent::watchful());
        let mut polled = Polled::<N>::idle();
        polled.poll(&old);
        let joins = indices.map(|index| polled.wake_elsewhere(index));
        polled.poll_and_register(&new);
        for join in joins {
            join();
        }
        assert_eq!(old.held(), 0, "the old parent is let go");
        polled.settle(&new);
        for index in indices {
            assert!(polled.reported[index] >= 1);
        }
        drop(polled);
        assert_eq!(new.held(), 0);
    });
}
/// Like `merge`: polls until pending or an item.
fn merge_poll<const N: usize>(
    array: &mut WakerArray<N>,
    parent: &Waker,
    items: &mut usize,
    reported: &mut [usize; N],
) -> bool {
    let mut registered = !array.begin_poll_unregistered(parent);
    if registered {
        array.begin_poll(parent);
    }
    loop {
        let Some(index) = array.next_ready() else {
            if !registered {
                array.register(parent);
                registered = true;
                continue;
            }
            if array.extend_poll() {
                continue;
            }
            return false;
        };
        reported[index] += 1;
        if *items > 0 {
            *items -= 1;
            array.make_ready(index);
            return true;
        }
    }
}

/// A parked owner that ends polls early where there is an item, and registers late.
pub(crate) fn a_parked_owner_that_registers_late<const N: usize>(
    indices: [usize; 2],
    items: usize,
) {
    selvedge_sync::model(move || {
        let parker = Parker::new();
        let mut array = WakerArray::<N>::idle();
        for index in indices {
            let waker = array.waker(index).clone();
            thread::spawn(move || waker.wake());
        }
        let mut reported = [0; N];
        let mut items = items;
        loop {
            if merge_poll(&mut array, parker.waker(), &mut items, &mut reported) {
                continue;
            }
            if indices.iter().all(|&index| reported[index] > 0) {
                return;
            }
            parker.park();
        }
    });
}
