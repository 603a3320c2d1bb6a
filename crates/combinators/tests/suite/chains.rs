//! Children that wake one another, or themselves, while their parent is polled.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use selvedge_combinators::future::FutureGroup;
use selvedge_combinators::prelude::*;

use crate::support::Parent;

/// A ring of children: each one waits for a turn, and gives the next one its turn.
#[derive(Default)]
struct Ring {
    wakers: RefCell<Vec<Option<Waker>>>,
    turn: Cell<usize>,
}

struct Link {
    place: usize,
    ring: Rc<Ring>,
}

impl Ring {
    fn links(len: usize) -> (Rc<Self>, Vec<Link>) {
        let ring = Rc::new(Self { wakers: RefCell::new(vec![None; len]), turn: Cell::new(len) });
        let links = (0..len).map(|place| Link { place, ring: ring.clone() }).collect();
        (ring, links)
    }

    fn pass_on(&self, turn: usize) {
        self.turn.set(turn);
        if let Some(Some(waker)) = self.wakers.borrow().get(turn) {
            waker.wake_by_ref();
        }
    }
}

impl Future for Link {
    type Output = usize;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<usize> {
        if self.ring.turn.get() != self.place {
            self.ring.wakers.borrow_mut()[self.place] = Some(cx.waker().clone());
            return Poll::Pending;
        }
        // Backwards, so that no order of slots helps.
        self.ring.pass_on(self.place.wrapping_sub(1));
        Poll::Ready(self.place)
    }
}

#[test]
fn a_chain_of_wakes_is_followed_within_one_poll() {
    for len in [2, 10, 64, 65, 1000, 4096] {
        let (ring, links) = Ring::links(len);
        let mut joined = pin!(links.join());
        let (parent, waker) = Parent::new();
        let mut cx = Context::from_waker(&waker);
        assert!(joined.as_mut().poll(&mut cx).is_pending());
        ring.pass_on(len - 1);
        assert_eq!(parent.wakes(), 1);
        let Poll::Ready(outputs) = joined.as_mut().poll(&mut cx) else { panic!("{len} links") };
        assert_eq!(outputs, (0..len).collect::<Vec<_>>());
    }
}

#[test]
fn a_chain_longer_than_a_group_of_pages_is_followed_as_far_as_there_are_wakes() {
    let (ring, links) = Ring::links(5000);
    let mut joined = pin!(links.join());
    let (parent, waker) = Parent::new();
    let mut cx = Context::from_waker(&waker);
    assert!(joined.as_mut().poll(&mut cx).is_pending());
    ring.pass_on(4999);
    for polls in 1.. {
        let wakes = parent.wakes();
        if joined.as_mut().poll(&mut cx).is_ready() {
            assert!(polls < 1000, "one poll a link behind the first 4,096, and one for the rest");
            break;
        }
        assert!(parent.wakes() > wakes, "waits for a wake that comes");
    }
}

#[test]
fn a_group_follows_a_chain_one_output_a_poll() {
    let (ring, links) = Ring::links(100);
    let mut group: FutureGroup<_> = links.into_iter().collect();
    let (_parent, waker) = Parent::new();
    let mut cx = Context::from_waker(&waker);
    assert!(Pin::new(&mut group).poll_next(&mut cx).is_pending());
    ring.pass_on(99);
    for place in (0..100).rev() {
        assert_eq!(Pin::new(&mut group).poll_next(&mut cx), Poll::Ready(Some(place)));
    }
    assert_eq!(Pin::new(&mut group).poll_next(&mut cx), Poll::Ready(None));
}

/// Wakes itself whenever it is polled, and gives nothing.
struct Restless(Rc<Cell<usize>>);

impl Restless {
    fn step(&self, cx: &Context<'_>) {
        self.0.set(self.0.get() + 1);
        cx.waker().wake_by_ref();
    }
}

impl Future for Restless {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.step(cx);
        Poll::Pending
    }
}

impl Stream for Restless {
    type Item = ();

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<()>> {
        self.step(cx);
        Poll::Pending
    }
}

/// Polls until everybody has settled into a rhythm; each poll must reach each child once, and be
/// followed by a wake.
fn each_poll_reaches_each_child_once(
    len: usize,
    mut poll: impl FnMut(&mut Context<'_>) -> bool,
    counts: &[Rc<Cell<usize>>],
) {
    let (parent, waker) = Parent::new();
    let mut cx = Context::from_waker(&waker);
    for round in 1..=5 {
        let wakes = parent.wakes();
        assert!(poll(&mut cx), "{len} children wait");
        assert!(parent.wakes() > wakes, "somebody was woken: poll again");
        assert!(counts.iter().all(|count| count.get() == round), "{len} children, round {round}");
    }
}

#[test]
fn a_child_that_wakes_itself_is_polled_once_per_poll() {
    for len in [1, 2, 64, 65, 200, 4096, 4200] {
        let children = || -> (Vec<Rc<Cell<usize>>>, Vec<Restless>) {
            let counts: Vec<Rc<Cell<usize>>> = (0..len).map(|_| Rc::default()).collect();
            let children = counts.iter().cloned().map(Restless).collect();
            (counts, children)
        };
        let (counts, kids) = children();
        let mut joined = pin!(kids.join());
        each_poll_reaches_each_child_once(len, |cx| joined.as_mut().poll(cx).is_pending(), &counts);

        let (counts, kids) = children();
        let mut merged = pin!(kids.merge());
        let poll = |cx: &mut Context<'_>| merged.as_mut().poll_next(cx).is_pending();
        each_poll_reaches_each_child_once(len, poll, &counts);

        let (counts, kids) = children();
        let mut group: FutureGroup<_> = kids.into_iter().collect();
        let poll = |cx: &mut Context<'_>| Pin::new(&mut group).poll_next(cx).is_pending();
        each_poll_reaches_each_child_once(len, poll, &counts);
    }
}
