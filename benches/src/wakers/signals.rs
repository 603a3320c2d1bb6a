//! Children that wait until one of them is woken, and the parent that has to hear of it.

use core::{
    cell::{Cell, RefCell},
    pin::Pin,
    sync::atomic::{AtomicBool, Ordering},
    task::{Context, Poll, Waker},
};
use std::{rc::Rc, sync::Arc, task::Wake};

use fastrand::Rng;
use futures_lite::Stream;

/// The wakers of waiting children, and the order in which to wake them.
#[derive(Debug)]
pub struct Board {
    wakers: RefCell<Vec<Option<Waker>>>,
    /// The child that may go on.
    called: Cell<Option<usize>>,
    order: Vec<usize>,
}

impl Board {
    /// A board for `len` children, woken in shuffled order.
    pub fn new(len: usize, rng: &mut Rng) -> Rc<Self> {
        let mut order: Vec<_> = (0..len).collect();
        rng.shuffle(&mut order);
        Rc::new(Self { wakers: vec![None; len].into(), called: Cell::new(None), order })
    }

    /// A child that waits at `place`.
    pub(super) fn child(self: &Rc<Self>, place: usize) -> Waiter {
        Waiter { place, board: Rc::clone(self) }
    }

    /// A child for every place.
    pub(super) fn children(self: &Rc<Self>) -> Vec<Waiter> {
        (0..self.order.len()).map(|place| self.child(place)).collect()
    }

    /// The places in the order of the board, over and over, `times` in all.
    pub(super) fn order(&self, times: u64) -> impl Iterator<Item = usize> {
        let times = usize::try_from(times).expect("a count of iterations that fits in memory");
        self.order.iter().copied().cycle().take(times)
    }

    /// Wakes the child at `place`, in vain.
    ///
    /// # Panics
    ///
    /// If it was not polled since it was last woken.
    pub(super) fn wake(&self, place: usize) {
        let waker = self.wakers.borrow_mut()[place].take();
        waker.expect("a child that waits to be woken").wake();
    }

    /// Wakes the child at `place`, and lets it go on.
    pub(super) fn call(&self, place: usize) {
        self.called.set(Some(place));
        self.wake(place);
    }

    /// Checks that the last child woken was polled, and so all of them.
    pub(super) fn expect_all_waiting(&self) {
        assert!(self.wakers.borrow().iter().all(Option::is_some), "a child that was not polled");
    }
}

/// A future that completes when it is called, or a stream that gives an item each time.
///
/// It keeps its waker as careful futures do: an equal one is not cloned again, and what wakes it
/// takes the waker away.
#[derive(Debug)]
pub struct Waiter {
    place: usize,
    board: Rc<Board>,
}

impl Waiter {
    fn step(&self, cx: &Context<'_>) -> Poll<()> {
        let Board { wakers, called, .. } = &*self.board;
        if called.get() == Some(self.place) {
            called.set(None);
            return Poll::Ready(());
        }
        match &mut wakers.borrow_mut()[self.place] {
            Some(waker) => waker.clone_from(cx.waker()),
            none => *none = Some(cx.waker().clone()),
        }
        Poll::Pending
    }
}

impl Future for Waiter {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.step(cx)
    }
}

impl Stream for Waiter {
    type Item = ();

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<()>> {
        self.step(cx).map(Some)
    }
}

/// The task above the subject: it notes that it was woken.
#[derive(Debug, Default)]
pub(super) struct Parent {
    woken: AtomicBool,
}

impl Parent {
    /// A parent and its waker.
    pub(super) fn new() -> (Arc<Self>, Waker) {
        let parent = Arc::new(Self::default());
        let waker = Waker::from(Arc::clone(&parent));
        (parent, waker)
    }

    /// Checks that a wake got through.
    pub(super) fn expect_woken(&self) {
        assert!(self.take(), "a parent that was woken");
    }

    /// Polls until nobody asks for another poll: some subjects poll a limited number at a time.
    pub(super) fn settle<T>(&self, mut poll: impl FnMut() -> Poll<T>) {
        while {
            assert!(poll().is_pending());
            self.take()
        } {}
    }

    /// Whether it was woken since. That happens on this thread, so nothing needs an ordering.
    fn take(&self) -> bool {
        let woken = self.woken.load(Ordering::Relaxed);
        self.woken.store(false, Ordering::Relaxed);
        woken
    }
}

impl Wake for Parent {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.woken.store(true, Ordering::Relaxed);
    }
}
