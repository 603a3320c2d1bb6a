//! The two kinds of waker arrays behind one trait.

use core::task::Waker;

use selvedge_wakers::{LazyWakers, WakerArray, WakerRef, WakerVec};

/// Sub-wakers of a set of children.
pub trait Wakers: Sized {
    /// `len` sub-wakers, none of them ready.
    fn idle(len: usize) -> Self;
    /// Those of a first poll, if anybody keeps one.
    fn kept(lazy: LazyWakers) -> Option<Self>;
    /// Whether any slot is ready.
    fn any_ready(&self) -> bool;
    /// Registers the parent and takes a snapshot.
    fn begin_poll(&mut self, parent: &Waker);
    /// Takes a snapshot where there seems to be something, and registers nobody; lets another parent go.
    /// Whether it did.
    #[must_use]
    fn begin_poll_unregistered(&mut self, parent: &Waker) -> bool;
    /// Registers the parent after all, and adds what was woken meanwhile.
    fn register(&mut self, parent: &Waker);
    /// Adds what was woken since. Whether anything was.
    fn extend_poll(&mut self) -> bool;
    /// Pops a slot of the snapshot.
    fn next_ready(&mut self) -> Option<usize>;
    /// The waker of a slot, on loan.
    fn waker(&self, index: usize) -> WakerRef<'_>;
    /// Puts a slot into the next snapshot.
    fn make_ready(&mut self, index: usize);
    /// Puts every slot into the next snapshot.
    fn set_all_ready(&mut self);
}

impl<const N: usize> Wakers for WakerArray<N> {
    #[inline]
    fn idle(_: usize) -> Self {
        WakerArray::<N>::idle()
    }

    #[inline]
    fn kept(lazy: LazyWakers) -> Option<Self> {
        lazy.into_array()
    }

    #[inline]
    fn any_ready(&self) -> bool {
        self.any_ready()
    }

    #[inline]
    fn begin_poll(&mut self, parent: &Waker) {
        self.begin_poll(parent);
    }

    #[inline]
    fn begin_poll_unregistered(&mut self, parent: &Waker) -> bool {
        self.begin_poll_unregistered(parent)
    }

    #[inline]
    fn register(&mut self, parent: &Waker) {
        self.register(parent);
    }

    #[inline]
    fn extend_poll(&mut self) -> bool {
        self.extend_poll()
    }

    #[inline]
    fn next_ready(&mut self) -> Option<usize> {
        self.next_ready()
    }

    #[inline]
    fn waker(&self, index: usize) -> WakerRef<'_> {
        self.waker(index)
    }

    #[inline]
    fn make_ready(&mut self, index: usize) {
        self.make_ready(index);
    }

    #[inline]
    fn set_all_ready(&mut self) {
        self.set_all_ready();
    }
}

impl Wakers for WakerVec {
    #[inline]
    fn idle(len: usize) -> Self {
        WakerVec::idle_with_len(len)
    }

    #[inline]
    fn kept(lazy: LazyWakers) -> Option<Self> {
        lazy.into_vec()
    }

    #[inline]
    fn any_ready(&self) -> bool {
        self.any_ready()
    }

    #[inline]
    fn begin_poll(&mut self, parent: &Waker) {
        self.begin_poll(parent);
    }

    #[inline]
    fn begin_poll_unregistered(&mut self, parent: &Waker) -> bool {
        self.begin_poll_unregistered(parent)
    }

    #[inline]
    fn register(&mut self, parent: &Waker) {
        self.register(parent);
    }

    #[inline]
    fn extend_poll(&mut self) -> bool {
        self.extend_poll()
    }

    #[inline]
    fn next_ready(&mut self) -> Option<usize> {
        self.next_ready()
    }

    #[inline]
    fn waker(&self, index: usize) -> WakerRef<'_> {
        self.waker(index)
    }

    #[inline]
    fn make_ready(&mut self, index: usize) {
        self.make_ready(index);
    }

    #[inline]
    fn set_all_ready(&mut self) {
        self.set_all_ready();
    }
}
