//! The rows of table `wakers`, each written once for every subject.
//!
//! Rows that run to the end are driven by one `block_on` for all. Rows that repeat one step on a
//! combinator that stays are polled by hand, return the time of the steps alone, and check
//! after every wake that the parent heard of it.

use core::{
    hint::black_box,
    pin::{Pin, pin},
    task::{Context, Poll},
    time::Duration,
};
use std::{
    future::{Ready, ready},
    rc::Rc,
    time::Instant,
};

use futures_lite::{Stream as _, StreamExt as _, future::block_on};

use super::{
    Groups, Joins, KeyedGroups, Merges, Races,
    countdown::{Countdown, Queue},
    signals::{Board, Parent, Waiter},
};
use crate::tally;

/// Joins children that take turns.
pub fn join<S: Joins<C>, C>(fixture: Countdown<C>) -> Rc<Queue> {
    let Countdown { children, queue } = fixture;
    black_box(block_on(S::join(children)));
    queue.clear();
    tally::expect(queue.children);
    queue
}

/// Races children that take turns.
pub fn race<S: Races<C>, C>(fixture: Countdown<C>) -> Rc<Queue> {
    let Countdown { children, queue } = fixture;
    black_box(block_on(S::race(children)));
    queue.clear();
    tally::expect(1);
    queue
}

/// Merges children that take turns, up to the end of the last.
pub fn merge<S: Merges<C>, C>(fixture: Countdown<C>) -> Rc<Queue> {
    let Countdown { children, queue } = fixture;
    let items = block_on(async {
        let mut merged = pin!(S::merge(children));
        let mut items = 0;
        while let Some(item) = merged.next().await {
            black_box(item);
            items += 1;
        }
        items
    });
    assert_eq!(items, queue.children, "items given, against streams");
    queue.clear();
    tally::expect(queue.children);
    queue
}

/// Joins futures that are ready.
pub fn ready_join<S>(futures: Vec<Ready<usize>>)
where
    S: Joins<Vec<Ready<usize>>, Outputs = Vec<usize>>,
{
    let len = futures.len();
    let outputs = black_box(block_on(S::join(futures)));
    assert_eq!((outputs.len(), outputs.last()), (len, len.checked_sub(1).as_ref()));
}

/// Joins two futures that are ready.
pub fn ready_join_of_2<S>()
where
    S: Joins<(Ready<usize>, Ready<usize>), Outputs = (usize, usize)>,
{
    let (one, two) = (ready(black_box(1)), ready(black_box(2)));
    assert_eq!(black_box(block_on(S::join((one, two)))), (1, 2));
}

/// A join in which one child after the other is woken in vain.
pub fn one_woken_join<S: Joins<Vec<Waiter>>>(board: &Rc<Board>, times: u64) -> Duration {
    one_woken(S::join(board.children()), board, times)
}

/// A race in which one child after the other is woken in vain.
pub fn one_woken_race<S: Races<Vec<Waiter>>>(board: &Rc<Board>, times: u64) -> Duration {
    one_woken(S::race(board.children()), board, times)
}

/// Wakes one child and polls the parent, `times` over.
fn one_woken<F: Future>(future: F, board: &Board, times: u64) -> Duration {
    let mut future = pin!(future);
    let (parent, waker) = Parent::new();
    let cx = &mut Context::from_waker(&waker);
    parent.settle(|| future.as_mut().poll(cx));

    let start = Instant::now();
    for place in board.order(times) {
        board.wake(place);
        parent.expect_woken();
        assert!(future.as_mut().poll(cx).is_pending());
    }
    let elapsed = start.elapsed();
    board.expect_all_waiting();
    elapsed
}

/// A merge in which one stream after the other is woken and gives an item: one wake, one poll that
/// gives the item, one that waits for the next.
pub fn one_woken_merge<S: Merges<Vec<Waiter>>>(board: &Rc<Board>, times: u64) -> Duration {
    let mut merged = pin!(S::merge(board.children()));
    let (parent, waker) = Parent::new();
    let cx = &mut Context::from_waker(&waker);
    parent.settle(|| merged.as_mut().poll_next(cx));

    let start = Instant::now();
    for place in board.order(times) {
        board.call(place);
        parent.expect_woken();
        assert!(matches!(merged.as_mut().poll_next(cx), Poll::Ready(Some(_))));
        assert!(merged.as_mut().poll_next(cx).is_pending());
    }
    let elapsed = start.elapsed();
    board.expect_all_waiting();
    elapsed
}

/// A group in which one future after the other completes and is replaced: one wake, one poll that
/// gives the output, one insertion, one poll that waits for the next.
pub fn group_churn<S: Groups<Waiter>>(board: &Rc<Board>, times: u64) -> Duration {
    let mut group = S::Group::default();
    for child in board.children() {
        S::insert(&mut group, child);
    }
    let (parent, waker) = Parent::new();
    let cx = &mut Context::from_waker(&waker);
    parent.settle(|| Pin::new(&mut group).poll_next(cx));

    let start = Instant::now();
    for place in board.order(times) {
        board.call(place);
        parent.expect_woken();
        assert!(Pin::new(&mut group).poll_next(cx).is_ready());
        S::insert(&mut group, board.child(place));
        assert!(Pin::new(&mut group).poll_next(cx).is_pending());
    }
    let elapsed = start.elapsed();
    board.expect_all_waiting();
    elapsed
}

/// A group out of which one future after the other is removed by its key and replaced: one removal,
/// one insertion, one poll.
pub fn group_remove<S: KeyedGroups<Waiter>>(board: &Rc<Board>, times: u64) -> Duration {
    let mut group = S::Group::default();
    let children = board.children().into_iter();
    let mut keys: Vec<_> = children.map(|child| Some(S::insert(&mut group, child))).collect();
    let (parent, waker) = Parent::new();
    let cx = &mut Context::from_waker(&waker);
    parent.settle(|| Pin::new(&mut group).poll_next(cx));

    let start = Instant::now();
    for place in board.order(times) {
        let key = keys[place].take().expect("a key for every child");
        assert!(S::remove(&mut group, key));
        keys[place] = Some(S::insert(&mut group, board.child(place)));
        assert!(Pin::new(&mut group).poll_next(cx).is_pending());
    }
    let elapsed = start.elapsed();
    board.expect_all_waiting();
    elapsed
}
