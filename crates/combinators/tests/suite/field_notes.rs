//! What went wrong for users of other crates, one test per row; the row's number is in its name.
//! Rows W6 (`empty`), W13 (`panics`), W14 and W17 (`fairness`, `hints`) have their own files too;
//! W15 and W16 are about waker arrays.

use std::future::{Future, pending, poll_fn, ready};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use selvedge_combinators::future::FutureGroup;
use selvedge_combinators::prelude::*;

use crate::subject::{Container, Op, is_distinct, subject};
use crate::support::Step::{Bad, Good, Wait};
use crate::support::{Parent, Shared, Step};

fn cx() -> Context<'static> {
    Context::from_waker(Waker::noop())
}

/// Children check by themselves that they are polled and dropped where they lie.
#[test]
fn w1_groups_drop_in_place_by_key_and_during_a_panic() {
    let (shared, children) = Shared::with(&[&[Wait, Good], &[Wait], &[Wait, Good], &[Wait]]);
    let mut group = FutureGroup::new();
    let keys: Vec<_> = children.into_iter().map(|child| group.insert(child)).collect();
    assert!(pin!(&mut group).poll_next(&mut cx()).is_pending());
    let mut moved = group;
    (0..200).for_each(|_| _ = moved.insert(shared.child(&[])));
    assert!(moved.remove(keys[1]));
    assert_eq!(shared.drops(1), 1);
    shared.wake(0);
    assert!(pin!(&mut moved).poll_next(&mut cx()).is_ready());
    shared.board(|board| board.kids[3].drop_panics = true);
    let drop_it = std::panic::AssertUnwindSafe(|| drop(moved));
    assert!(std::panic::catch_unwind(drop_it).is_err());
    shared.assert_all_dropped_once("group");
}

#[test]
fn w2_a_failed_try_join_drops_only_outputs_that_exist() {
    for container in Container::ALL {
        let (shared, children) = Shared::with(&[&[Good], &[Bad], &[Wait]]);
        let mut joined = subject(Op::TryJoin, container, children);
        drop(joined.poll(&mut cx()));
        drop(joined);
        shared.assert_all_dropped_once("try_join");
    }
}

/// Children panic if they are polled after they have finished.
#[test]
fn w3_a_finished_child_is_not_polled_even_if_its_stale_waker_fires() {
    for op in [Op::Join, Op::TryJoin, Op::RaceOk] {
        for container in Container::ALL {
            let step = if op == Op::RaceOk { Bad } else { Good };
            let plans: [&[Step]; 3] = [&[Wait, step], &[Wait, Wait, step], &[step]];
            let (shared, children) = Shared::with(&plans);
            let mut subject = subject(op, container, children);
            drop(subject.poll(&mut cx()));
            (0..3).for_each(|child| _ = shared.wake(child));
            drop(subject.poll(&mut cx()));
            (0..2).for_each(|child| _ = shared.wake(child));
            drop(subject.poll(&mut cx()));
            assert!(subject.is_terminated());
            assert_eq!(shared.board(|board| board.kids[0].polls), 2);
        }
    }
}

#[test]
fn w4_a_leaked_sub_waker_does_not_keep_the_parent() {
    for op in Op::ALL.into_iter().filter(|&op| op != Op::Chain) {
        let (shared, children) = Shared::with(&[&[Wait], &[Wait], &[Wait]]);
        let (parent, waker) = Parent::new();
        let mut subject = subject(op, Container::Array, children);
        drop(subject.poll(&mut Context::from_waker(&waker)));
        drop(waker);
        assert_eq!(Arc::strong_count(&parent), 2, "{op:?}");
        drop(subject);
        assert_eq!(Arc::strong_count(&parent), 1, "{op:?}");
        assert!(shared.wake(0));
        assert_eq!(parent.wakes(), 0);
    }
}

/// Also on completion, when the future lives on.
#[test]
fn w4_a_completed_combinator_keeps_no_parent() {
    let (shared, children) = Shared::with(&[&[Wait, Good], &[Good]]);
    let (parent, waker) = Parent::new();
    let mut joined = pin!(children.join());
    assert!(joined.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    shared.wake(0);
    assert!(joined.as_mut().poll(&mut Context::from_waker(&waker)).is_ready());
    drop(waker);
    assert_eq!(Arc::strong_count(&parent), 1);
}

#[test]
fn w5_merge_does_not_poll_a_stream_after_its_end() {
    for container in Container::ALL {
        let (shared, children) = Shared::with(&[&[Good, Bad], &[Good, Good, Wait, Bad], &[Bad]]);
        let mut merged = subject(Op::Merge, container, children);
        for _ in 0..9 {
            drop(merged.poll(&mut cx()));
            (0..3).for_each(|child| _ = shared.wake(child));
        }
        assert!(merged.is_terminated());
    }
}

#[test]
fn w7_a_group_polls_one_child_when_one_was_woken() {
    let mut group = FutureGroup::with_capacity(1000);
    let shared = Shared::default();
    let keys: Vec<_> = (0..1000).map(|_| group.insert(shared.child(&[]))).collect();
    assert!(pin!(&mut group).poll_next(&mut cx()).is_pending());
    assert_eq!(shared.take_log().len(), 1000);
    keys[10..].iter().for_each(|&key| assert!(group.remove(key)));
    shared.wake(7);
    assert!(pin!(&mut group).poll_next(&mut cx()).is_pending());
    assert_eq!(shared.take_log(), [7]);
}

/// A stale wake may tell the parent once, never once per wake, and polls nobody.
#[test]
fn w7_wakes_of_a_finished_child_do_not_pile_up() {
    let (shared, children) = Shared::with(&[&[Wait, Good], &[Wait]]);
    let (parent, waker) = Parent::new();
    let mut joined = pin!(children.join());
    let mut poll = || assert!(joined.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    poll();
    shared.wake(0);
    poll();
    let before = parent.wakes();
    (0..5).for_each(|_| assert!(shared.wake(0)));
    assert!(parent.wakes() <= before + 1);
    shared.take_log();
    poll();
    assert_eq!(shared.take_log(), []);
}

#[test]
fn w9_one_woken_child_of_100_is_one_poll_and_one_wake() {
    for op in Op::ALL.into_iter().filter(|&op| op != Op::Chain) {
        for container in [Container::Vec, Container::Boxed, Container::Slice] {
            if !is_distinct(op, container) {
                continue;
            }
            let (shared, children) = Shared::with(&[&[][..]; 100]);
            let (parent, waker) = Parent::new();
            let mut subject = subject(op, container, children);
            drop(subject.poll(&mut Context::from_waker(&waker)));
            assert_eq!(shared.take_log().len(), 100);
            assert!(shared.wake(63) && shared.wake(63));
            assert_eq!(parent.wakes(), 1, "{op:?}: two wakes of one child");
            drop(subject.poll(&mut Context::from_waker(&waker)));
            assert_eq!(shared.take_log(), [63], "{op:?}");
            (0..3).for_each(|child| assert!(shared.wake(child)));
            assert_eq!(parent.wakes(), 2, "{op:?}: three children");
        }
    }
}

#[test]
fn w10_the_losers_of_a_nested_race_are_gone_while_the_outer_join_waits() {
    let (shared, children) = Shared::with(&[&[Good], &[Wait], &[Wait]]);
    let mut outer = pin!((children.race(), pending::<()>()).join());
    assert!(outer.as_mut().poll(&mut cx()).is_pending());
    assert_eq!(shared.all_drops(), [1, 1, 1]);
}

/// The harness does this for every point; here it is in one sight.
#[test]
fn w11_an_output_is_dropped_when_the_join_is_cancelled() {
    let (shared, children) = Shared::with(&[&[Good], &[Wait]]);
    let mut joined = Box::pin(children.join());
    assert!(joined.as_mut().poll(&mut cx()).is_pending());
    drop(joined);
    shared.assert_all_dropped_once("join");
}

/// Nothing is polled while an item is worked on; a join of both is the documented way out.
#[test]
fn w12_work_beside_a_merge_goes_on_in_a_join() {
    let (shared, children) = Shared::with(&[&[Good, Good, Bad], &[Wait]]);
    let mut merged = Box::pin(children.merge());
    assert!(merged.as_mut().poll_next(&mut cx()).is_ready());
    let polls = shared.polls(1);
    // Working on the item: nobody is polled.
    assert_eq!(shared.polls(1), polls);
    let rest = poll_fn(|cx| {
        while let Poll::Ready(next) = merged.as_mut().poll_next(cx) {
            if next.is_none() {
                return Poll::Ready(());
            }
        }
        Poll::Pending
    });
    let work = ready(());
    assert!(pin!((rest, work).join()).poll(&mut cx()).is_pending());
    assert_eq!(shared.polls(0), 3);
}

/// futures-concurrency #41: a child that may be polled once only is polled once only.
#[test]
fn other_a_child_is_not_polled_twice_without_a_wake() {
    let (shared, children) = Shared::with(&[&[], &[Wait, Wait, Wait]]);
    let mut joined = pin!(children.join());
    for _ in 0..5 {
        assert!(joined.as_mut().poll(&mut cx()).is_pending());
        shared.wake(1);
    }
    assert_eq!(shared.polls(0), 1);
}

/// W17: a race of two ended streams is over, not pending.
#[test]
fn w17_a_merge_of_ended_streams_ends_in_the_same_poll() {
    let (_, children) = Shared::with(&[&[Bad], &[Bad]]);
    assert!(matches!(pin!(children.merge()).poll_next(&mut cx()), Poll::Ready(None)));
}
