//! Wakers that count, and the same tests for every kind of owner.
#![allow(clippy::allow_attributes, reason = "which parts are unused differs from file to file")]
#![allow(dead_code, reason = "each test file uses a part")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Wake, Waker};

use selvedge_wakers::{StaticOwner, StaticWakers, WakerArray, WakerRef, WakerVec};

/// Counts its wakes.
#[derive(Default)]
pub(crate) struct Counter(AtomicUsize);

impl Wake for Counter {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// A parent that can be looked at.
pub(crate) struct Parent {
    counter: Arc<Counter>,
    pub(crate) waker: Waker,
}

impl Parent {
    pub(crate) fn new() -> Self {
        let counter = Arc::new(Counter::default());
        Self { waker: Waker::from(counter.clone()), counter }
    }

    /// Wakes since the last call.
    pub(crate) fn wakes(&self) -> usize {
        self.counter.0.swap(0, Ordering::SeqCst)
    }

    /// Clones of the waker that somebody else holds.
    pub(crate) fn held(&self) -> usize {
        Arc::strong_count(&self.counter) - 2
    }
}

/// What all owners have in common.
pub(crate) trait Owner {
    fn len(&self) -> usize;
    fn begin_poll(&mut self, parent: &Waker);
    fn begin_poll_unregistered(&mut self, parent: &Waker) -> bool;
    fn register(&mut self, parent: &Waker);
    fn extend_poll(&mut self) -> bool;
    fn next_ready(&mut self) -> Option<usize>;
    fn waker(&self, index: usize) -> WakerRef<'_>;
    fn is_ready(&self, index: usize) -> bool;
    fn any_ready(&self) -> bool;
    fn set_ready(&mut self, index: usize) -> bool;
    fn make_ready(&mut self, index: usize);
    fn set_all_ready(&mut self);
    fn clear_ready(&mut self, index: usize) -> bool;

    /// Polls, and gives all that was ready.
    fn poll(&mut self, parent: &Waker) -> Vec<usize> {
        self.begin_poll(parent);
        std::iter::from_fn(|| self.next_ready()).collect()
    }
}

macro_rules! owner {
    ([$($generics:tt)*] $owner:ty) => {
        impl<$($generics)*> Owner for $owner {
            fn len(&self) -> usize { <$owner>::len(self) }
            fn begin_poll(&mut self, parent: &Waker) { <$owner>::begin_poll(self, parent) }
            fn begin_poll_unregistered(&mut self, parent: &Waker) -> bool {
                <$owner>::begin_poll_unregistered(self, parent)
            }
            fn register(&mut self, parent: &Waker) { <$owner>::register(self, parent) }
            fn extend_poll(&mut self) -> bool { <$owner>::extend_poll(self) }
            fn next_ready(&mut self) -> Option<usize> { <$owner>::next_ready(self) }
            fn waker(&self, index: usize) -> WakerRef<'_> { <$owner>::waker(self, index) }
            fn is_ready(&self, index: usize) -> bool { <$owner>::is_ready(self, index) }
            fn any_ready(&self) -> bool { <$owner>::any_ready(self) }
            fn set_ready(&mut self, index: usize) -> bool { <$owner>::set_ready(self, index) }
            fn make_ready(&mut self, index: usize) { <$owner>::make_ready(self, index) }
            fn set_all_ready(&mut self) { <$owner>::set_all_ready(self) }
            fn clear_ready(&mut self, index: usize) -> bool { <$owner>::clear_ready(self, index) }
        }
    };
}
owner!([const N: usize] WakerArray<N>);
owner!([] WakerVec);
owner!([] StaticOwner);

/// Where forgotten things stay in sight of a leak checker.
static FORGOTTEN: Mutex<Vec<Forgotten>> = Mutex::new(Vec::new());

struct Forgotten(#[expect(dead_code, reason = "only to be found there")] *const ());
// SAFETY: the pointer is never used.
unsafe impl Send for Forgotten {}

/// Never runs the destructor, and gives the value a place for ever.
pub(crate) fn forget<T>(value: T) -> &'static T {
    let place: &'static T = Box::leak(Box::new(value));
    FORGOTTEN.lock().unwrap().push(Forgotten(std::ptr::from_ref(place).cast()));
    place
}

/// A static owner of `N` slots. Leaks the block, as tests need many.
pub(crate) fn static_owner<const N: usize>() -> StaticOwner {
    forget(StaticWakers::<N>::new()).claim().expect("nobody has claimed it")
}

/// Every kind of owner of `N` slots, none of them ready.
pub(crate) fn idle_owners<const N: usize>() -> Vec<(&'static str, Box<dyn Owner>)> {
    let mut fixed = static_owner::<N>();
    fixed.poll(Waker::noop());
    let mut grown = WakerVec::idle_with_len(N.min(3));
    grown.resize(N / 3);
    grown.resize(N / 2);
    grown.resize(N);
    grown.poll(Waker::noop());
    vec![
        ("array", Box::new(WakerArray::<N>::idle())),
        ("vec", Box::new(WakerVec::idle_with_len(N))),
        ("grown vec", Box::new(grown)),
        ("static", Box::new(fixed)),
    ]
}
