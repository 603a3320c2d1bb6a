//! What the models share: an owner that counts its reports, and bodies for several sizes.

use std::sync::Arc as Memory;
use std::task::Waker;

use selvedge_sync::atomic::{AtomicUsize, Ordering};
use selvedge_sync::cell::UnsafeCell;
use selvedge_sync::thread;
use selvedge_wakers::WakerArray;

use super::parent::Parent;

/// An owner, its parent, and what the polls so far have reported.
pub(crate) struct Polled<const N: usize> {
    pub(crate) array: WakerArray<N>,
    pub(crate) reported: [usize; N],
    wakes_before: usize,
    /// What a child reads when it is polled, and what it read last.
    news: Memory<AtomicUsize>,
    heard: usize,
}

impl<const N: usize> Polled<N> {
    pub(crate) fn idle() -> Self {
        let news = Memory::new(AtomicUsize::new(0));
        Self { array: WakerArray::idle(), reported: [0; N], wakes_before: 0, news, heard: 0 }
    }

    pub(crate) fn wake_elsewhere(&self, index: usize) -> impl FnOnce() + 'static + use<N> {
        let waker = self.array.waker(index).clone();
        let thread = thread::spawn(move || waker.wake());
        move || thread.join().unwrap()
    }

    pub(crate) fn poll(&mut self, parent: &Parent) {
        self.wakes_before = parent.wakes();
        self.array.begin_poll(parent.waker());
        self.report();
    }

    /// A poll that looks once more for what was woken.
    pub(crate) fn poll_and_extend(&mut self, parent: &Parent) {
        self.poll(parent);
        self.array.extend_poll();
        self.report();
    }

    /// A poll that registers its parent at the end.
    pub(crate) fn poll_and_register(&mut self, parent: &Parent) {
        self.wakes_before = parent.wakes();
        if !self.array.begin_poll_unregistered(parent.waker()) {
            self.array.begin_poll(parent.waker());
        }
        self.report();
        self.array.register(parent.waker());
        self.report();
    }

    fn report(&mut self) {
        while let Some(index) = self.array.next_ready() {
            self.reported[index] += 1;
            // Relaxed: the wake alone is to make it visible.
            self.heard = self.news.load(Ordering::Relaxed);
        }
    }

    /// With all wakes over: what is ready still must have woken the parent during or after the
    /// last poll. Polls once more then.
    #[track_caller]
    pub(crate) fn settle(&mut self, parent: &Parent) {
        if self.array.any_ready() {
            assert!(parent.wakes() > self.wakes_before, "a wake was lost");
        }
        self.poll(parent);
    }
}

/// One wake against one poll of an idle array of `N`.
pub(crate) fn one_wake_against_a_poll<const N: usize>(index: usize) {
    selvedge_sync::model(move || {
        let parent = Parent::watchful();
        let mut polled = Polled::<N>::idle();
        let join = polled.wake_elsewhere(index);
        polled.poll(&parent);
        join();
        polled.settle(&parent);
        assert_eq!(polled.reported[index], 1);
        assert!(parent.wakes() <= 1, "one edge, one wake");
        drop(polled);
    });
}

/// A slot that was woken, and is woken again during a poll of some kind; then a plain poll.
pub(crate) fn a_second_wake_against<const N: usize>(
    poll: fn(&mut Polled<N>, &Parent),
    index: usize,
) {
    selvedge_sync::model(move || {
        let parent = Parent::new();
        let mut polled = Polled::<N>::idle();
        let (waker, news) = (polled.array.waker(index).clone(), polled.news.clone());
        waker.wake_by_ref();
        let thread = thread::spawn(move || {
            news.store(1, Ordering::Relaxed);
            waker.wake();
        });
        poll(&mut polled, &parent);
        assert_eq!(polled.reported[index], 1, "at most once in a poll");
        thread.join().unwrap();
        polled.settle(&parent);
        assert!((1..=2).contains(&polled.reported[index]));
        assert_eq!(polled.heard, 1, "the second wake was lost");
        assert!(!polled.array.any_ready());
    });
}

/// Two wakes, of which either may make the edge, against two polls.
pub(crate) fn two_wakes_against_two_polls<const N: usize>(indices: [usize; 2]) {
    selvedge_sync::model(move || {
        let parent = Parent::new();
        let mut polled = Polled::<N>::idle();
        polled.poll(&parent);
        let joins = indices.map(|index| polled.wake_elsewhere(index));
        polled.poll(&parent);
        polled.poll(&parent);
        for join in joins {
            join();
        }
        polled.settle(&parent);
        for index in indices {
            let most = if indices[0] == indices[1] { 2 } else { 1 };
            assert!((1..=most).contains(&polled.reported[index]), "slot {index}");
        }
        assert!(parent.wakes() <= 2, "not more wakes than edges");
    });
}

/// A thread is held inside the wake of the parent until another wake has been delivered.
pub(crate) fn a_held_thread_holds_up_nothing(same_parent: bool) {
    selvedge_sync::model(move || {
        let entered = Memory::new(AtomicUsize::new(0));
        let told = Memory::new(AtomicUsize::new(0));
        let hook = {
            let (entered, told) = (entered.clone(), told.clone());
            move || {
                if entered.fetch_add(1, Ordering::Relaxed) == 0 {
                    while told.load(Ordering::Relaxed) == 0 {
                        thread::yield_now();
                    }
                }
            }
        };
        let old = Parent::with_hook(hook);
        let new = Parent::new();
        let newest = if same_parent { &old } else { &new };
        let mut polled = Polled::<2>::idle();
        polled.poll(&old);
        let join = polled.wake_elsewhere(0);
        // Relaxed, so that nothing but the array's own protocol tells of the take.
        while entered.load(Ordering::Relaxed) == 0 {
            thread::yield_now();
        }
        polled.poll(newest);
        let before = newest.wakes();
        polled.array.waker(1).wake_by_ref();
        assert_eq!(newest.wakes(), before + 1, "the newest parent was not told");
        told.store(1, Ordering::Relaxed);
        join();
        polled.poll(newest);
        assert_eq!(polled.reported, [1, 1]);
    });
}

/// Data that a thread writes before its wake, unsynchronised but for the wake.
pub(crate) struct Message(UnsafeCell<usize>);
// SAFETY: the models write it before the wake and read it when the slot was reported.
unsafe impl Sync for Message {}
// SAFETY: as above.
unsafe impl Send for Message {}

/// The first wake of a slot publishes what came before it.
pub(crate) fn the_edge_publishes<const N: usize>(index: usize) {
    selvedge_sync::model(move || {
        let mut array = WakerArray::<N>::idle();
        let message = Memory::new(Message(UnsafeCell::new(0)));
        let (theirs, waker) = (message.clone(), array.waker(index).clone());
        thread::spawn(move || {
            // SAFETY: nobody reads before the wake.
            theirs.0.with_mut(|message| unsafe { *message = 7 });
            waker.wake();
        });
        if array.is_ready(index) {
            // SAFETY: the slot was woken after the write.
            message.0.with(|message| unsafe { assert_eq!(*message, 7) });
        }
        array.begin_poll(Waker::noop());
        if array.next_ready().is_some() {
            // SAFETY: the wake that led to this came after the write.
            message.0.with(|message| unsafe { assert_eq!(*message, 7) });
        }
    });
}

/// Clearing a slot against a wake of it, and of its neighbour.
pub(crate) fn clearing_against_wakes<const N: usize>(cleared: usize, other: usize) {
    selvedge_sync::model(move || {
        let parent = Parent::new();
        let mut polled = Polled::<N>::idle();
        polled.poll(&parent);
        let joins = [cleared, other].map(|index| polled.wake_elsewhere(index));
        polled.array.clear_ready(cleared);
        polled.poll(&parent);
        for join in joins {
            join();
        }
        polled.settle(&parent);
        assert_eq!(polled.reported[other], 1);
        assert!(polled.reported[cleared] <= 1);
    });
}
