//! Children that take turns, in an order that has nothing to do with their places.
//!
//! Every child has a rank; ranks are shuffled over the places. The first poll of a child leaves its
//! waker in a queue that all share. Each later poll wakes the lowest rank that waits there,
//! and lets the child finish if all lower ranks have; otherwise the child queues up again. The child
//! that is polled when all others wait takes its turn at once and so sets the round going.
//! These are the steps of futures-concurrency's published benchmark.

use core::{
    cell::{Cell, RefCell},
    cmp::Reverse,
    fmt,
    pin::Pin,
    task::{Context, Poll, Waker},
};
use std::{collections::BinaryHeap, rc::Rc};

use fastrand::Rng;
use futures_lite::Stream;

use crate::tally;

/// Children in a container, and the queue that they share.
#[derive(Debug)]
pub struct Countdown<C> {
    pub(super) children: C,
    pub(super) queue: Rc<Queue>,
}

impl<C: Container> Countdown<C> {
    /// Makes `len` children in shuffled order.
    ///
    /// # Panics
    ///
    /// If the container is of another size.
    pub fn new(len: usize, rng: &mut Rng) -> Self {
        let waiting = RefCell::new(BinaryHeap::with_capacity(len));
        let queue = Rc::new(Queue { children: len, waiting, finished: Cell::new(0) });
        let child = |rank| Child { rank, stage: Stage::Fresh, queue: Rc::clone(&queue) };
        let mut children: Vec<_> = (0..len).map(child).collect();
        rng.shuffle(&mut children);
        Self { children: C::collect(children), queue }
    }
}

/// Where the wakers of waiting children lie.
#[derive(Debug)]
pub struct Queue {
    pub(super) children: usize,
    waiting: RefCell<BinaryHeap<Ticket>>,
    finished: Cell<usize>,
}

impl Queue {
    /// Drops the wakers that are left, which a subject may have to pay for.
    pub(super) fn clear(&self) {
        self.waiting.borrow_mut().clear();
    }
}

/// A waker in the queue: the lowest rank comes first.
#[derive(Debug)]
struct Ticket(Reverse<usize>, Waker);

impl Ord for Ticket {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

impl PartialOrd for Ticket {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ticket {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Ticket {}

/// A future without output, or a stream of one item.
pub struct Child {
    rank: usize,
    stage: Stage,
    queue: Rc<Queue>,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    Fresh,
    Waiting,
    Done,
}

impl Child {
    /// One poll; `None` after the end.
    fn step(&mut self, cx: &Context<'_>) -> Poll<Option<()>> {
        let Queue { children, waiting, finished } = &*self.queue;
        if matches!(self.stage, Stage::Fresh) && waiting.borrow().len() + 1 == *children {
            self.stage = Stage::Waiting;
        }
        let wait = || waiting.borrow_mut().push(Ticket(Reverse(self.rank), cx.waker().clone()));
        match self.stage {
            Stage::Fresh => {
                wait();
                self.stage = Stage::Waiting;
                Poll::Pending
            }
            Stage::Waiting => {
                let next = waiting.borrow_mut().pop();
                if let Some(Ticket(_, waker)) = next {
                    waker.wake();
                }
                if finished.get() == self.rank {
                    finished.set(self.rank + 1);
                    self.stage = Stage::Done;
                    tally::add(1);
                    Poll::Ready(Some(()))
                } else {
                    wait();
                    Poll::Pending
                }
            }
            Stage::Done => Poll::Ready(None),
        }
    }
}

impl Future for Child {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.step(cx).map(|_| ())
    }
}

impl Stream for Child {
    type Item = ();

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<()>> {
        self.step(cx)
    }
}

impl fmt::Debug for Child {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Child")
            .field("rank", &self.rank)
            .field("stage", &self.stage)
            .finish_non_exhaustive()
    }
}

/// What children come in.
pub trait Container {
    /// Puts the children in.
    fn collect(children: Vec<Child>) -> Self;
}

impl Container for Vec<Child> {
    fn collect(children: Vec<Child>) -> Self {
        children
    }
}

impl<const N: usize> Container for [Child; N] {
    fn collect(children: Vec<Child>) -> Self {
        children.try_into().expect("as many children as there are places")
    }
}

/// Two children.
pub type Pair = (Child, Child);

impl Container for Pair {
    fn collect(children: Vec<Child>) -> Self {
        <[Child; 2]>::collect(children).into()
    }
}

/// Ten children.
pub type Ten = (Child, Child, Child, Child, Child, Child, Child, Child, Child, Child);

impl Container for Ten {
    fn collect(children: Vec<Child>) -> Self {
        <[Child; 10]>::collect(children).into()
    }
}
