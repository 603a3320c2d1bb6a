//! Nobody starves.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use futures_lite::stream;
use selvedge_combinators::prelude::*;
use selvedge_combinators::stream::StreamGroup;

use crate::support::Step::{Good, Wait};
use crate::support::{Parent, Shared};

fn take<S: Stream>(stream: S, n: usize) -> Vec<S::Item> {
    let mut stream = pin!(stream);
    let mut cx = Context::from_waker(Waker::noop());
    let mut next = || match stream.as_mut().poll_next(&mut cx) {
        Poll::Ready(Some(item)) => item,
        _ => panic!("there is always something"),
    };
    (0..n).map(|_| next()).collect()
}

#[test]
fn streams_that_are_always_ready_take_turns() {
    let turns: Vec<usize> = (0..12).map(|turn| turn % 3).collect();
    let streams = || (0..3).map(stream::repeat);
    assert_eq!(take(streams().collect::<Vec<_>>().merge(), 12), turns);
    assert_eq!(take(std::array::from_fn::<_, 3, _>(stream::repeat).merge(), 12), turns);
    assert_eq!(take((stream::repeat(0), stream::repeat(1), stream::repeat(2)).merge(), 12), turns);
    assert_eq!(take(streams().collect::<StreamGroup<_>>(), 12), turns);
}

#[test]
fn a_stream_that_is_woken_gets_its_turn_beside_one_that_is_always_ready() {
    let (shared, children) = Shared::with(&[&[Good; 40], &[Wait, Good, Wait]]);
    let mut merged = pin!(children.merge());
    let (_, waker) = Parent::new();
    let mut cx = Context::from_waker(&waker);
    for _ in 0..10 {
        assert!(merged.as_mut().poll_next(&mut cx).is_ready());
    }
    shared.wake(1);
    let polls = shared.polls(1);
    for _ in 0..2 {
        assert!(merged.as_mut().poll_next(&mut cx).is_ready());
    }
    assert!(shared.polls(1) > polls);
}

/// W17: the first branch does not eat the budget.
#[test]
fn each_poll_starts_at_another_child() {
    let (shared, children) = Shared::with(&[&[], &[], &[]]);
    let mut joined = pin!(children.join());
    let (_, waker) = Parent::new();
    let mut cx = Context::from_waker(&waker);
    let mut orders = Vec::new();
    for _ in 0..4 {
        assert!(std::future::Future::poll(joined.as_mut(), &mut cx).is_pending());
        orders.push(shared.take_log());
        (0..3).for_each(|child| assert!(shared.wake(child)));
    }
    assert_eq!(orders, [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2]]);
}

/// W14: below and above every threshold that peers have.
#[test]
fn the_order_of_polls_does_not_depend_on_the_number_of_children() {
    for n in [2, 29, 30, 31, 32, 64, 65, 200] {
        let plans = vec![&[][..]; n];
        let (shared, children) = Shared::with(&plans);
        let mut joined = children.join();
        let (_, waker) = Parent::new();
        let mut cx = Context::from_waker(&waker);
        assert!(std::future::Future::poll(pin!(&mut joined), &mut cx).is_pending());
        assert_eq!(shared.take_log(), (0..n).collect::<Vec<_>>());
        (0..n).rev().for_each(|child| assert!(shared.wake(child)));
        assert!(std::future::Future::poll(pin!(&mut joined), &mut cx).is_pending());
        assert_eq!(shared.take_log(), (1..n).chain([0]).collect::<Vec<_>>());
    }
}
