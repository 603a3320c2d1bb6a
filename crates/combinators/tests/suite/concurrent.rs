//! Concurrent streams: limits, orders, errors (W8).

use std::cell::Cell;
use std::future::{Future, ready};
use std::num::NonZeroUsize;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use futures_lite::future::{block_on, yield_now};
use futures_lite::{StreamExt as _, stream};
use selvedge_combinators::prelude::*;

use crate::support::Step::{Bad, Good, Wait};
use crate::support::{Parent, Shared};

/// How many are running now, and the most there were.
#[derive(Clone, Default)]
struct Running(Rc<(Cell<usize>, Cell<usize>)>);

impl Running {
    async fn work(self, turns: usize) -> usize {
        let (now, most) = &*self.0;
        now.set(now.get() + 1);
        most.set(most.get().max(now.get()));
        for _ in 0..turns {
            yield_now().await;
        }
        now.set(now.get() - 1);
        turns
    }

    fn most(&self) -> usize {
        self.0.1.get()
    }
}

fn limit(limit: usize) -> Option<NonZeroUsize> {
    NonZeroUsize::new(limit)
}

#[test]
fn the_limit_holds_for_every_way_to_run() {
    block_on(async {
        for n in [1, 2, 3] {
            let running = Running::default();
            let work = |turns| running.clone().work(turns);
            let four = || stream::iter([3, 1, 2, 4]).co();
            four().limit(limit(n)).map(work).collect::<Vec<_>>().await;
            four().map(work).limit(limit(n)).collect::<Vec<_>>().await;
            four().map(work).limit(limit(n)).limit(limit(9)).collect_in_order::<Vec<_>>().await;
            four().limit(limit(n)).map(work).for_each(|_| ready(())).await;
            let ok = |_| ready(Ok::<_, ()>(()));
            four().limit(limit(n)).map(work).try_for_each(ok).await.unwrap();
            assert_eq!(running.most(), n);
        }
        let running = Running::default();
        let work = |turns| running.clone().work(turns);
        stream::iter([3, 1, 2, 4]).co().map(work).collect::<Vec<_>>().await;
        assert_eq!(running.most(), 4, "without a limit all run");
    });
}

#[test]
fn collections_have_the_order_that_their_method_names() {
    block_on(async {
        let work = |turns: usize| Running::default().work(turns);
        let three = || vec![3, 1, 2].into_co_stream().map(work);
        assert_eq!(three().collect::<Vec<_>>().await, [1, 2, 3]);
        assert_eq!(three().collect_in_order::<Vec<_>>().await, [3, 1, 2]);
    });
}

#[test]
fn take_ends_the_source() {
    block_on(async {
        let endless = || stream::iter(0..u64::MAX).co();
        assert_eq!(endless().take(2).collect::<Vec<_>>().await, [0, 1]);
        assert_eq!(endless().take(0).collect::<Vec<u64>>().await, []);
        assert_eq!(stream::repeat(1).co().take(5).collect::<Vec<_>>().await, [1; 5]);
        let (shared, mut children) = Shared::with(&[&[Good, Good, Good]]);
        children.remove(0).co().take(2).collect::<Vec<_>>().await;
        assert_eq!(shared.polls(0), 2, "the source is not asked for more");
    });
}

#[test]
fn hints_of_the_source_are_right() {
    let hint = |stream: &dyn Fn() -> (usize, Option<usize>)| stream();
    assert_eq!(hint(&|| stream::iter([1, 2, 3]).co().take(2).size_hint()), (2, Some(2)));
    assert_eq!(hint(&|| stream::repeat(1).co().take(2).size_hint()), (2, Some(2)));
    assert_eq!(hint(&|| stream::repeat(1).co().size_hint()), (usize::MAX, None));
    assert_eq!(hint(&|| vec![1, 2].into_co_stream().enumerate().size_hint()), (2, Some(2)));
}

#[test]
fn enumerate_counts_in_the_order_of_the_source() {
    block_on(async {
        let words = ["a", "b"].into_co_stream().enumerate();
        let numbered: Vec<_> = words.map(|(n, word)| ready(format!("{n}{word}"))).collect().await;
        assert_eq!(numbered, ["0a", "1b"]);
    });
}

#[test]
fn the_first_error_ends_it_and_drops_the_rest() {
    let (shared, children) = Shared::with(&[&[Wait, Good], &[Good], &[Bad], &[Wait]]);
    let run = children.into_co_stream().map(|child| child);
    let mut run = pin!(run.collect::<Result<Vec<_>, _>>());
    let (_, waker) = Parent::new();
    let Poll::Ready(Err(error)) = run.as_mut().poll(&mut Context::from_waker(&waker)) else {
        panic!("the third child fails in the first poll")
    };
    drop(error);
    shared.assert_all_dropped_once("collect");

    let count = Cell::new(0);
    let run = vec![1, 2, 3, 4].into_co_stream().limit(limit(1)).try_for_each(|n| {
        count.set(count.get() + 1);
        ready(if n == 2 { Err(n) } else { Ok(()) })
    });
    assert_eq!(block_on(run), Err(2));
    assert_eq!(count.get(), 2);
}

#[test]
fn source_and_futures_are_polled_when_they_were_woken() {
    let (shared, mut children) = Shared::with(&[&[Good, Wait, Wait], &[Wait, Wait, Good]]);
    let child = Cell::new(children.pop());
    let source = children.pop().unwrap();
    let mut run = pin!(source.co().for_each(|token| {
        drop(token);
        let child = child.take();
        async { drop(child.expect("one item").await) }
    }));
    let (parent, waker) = Parent::new();
    let mut poll = || {
        assert!(run.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        shared.take_log()
    };
    assert_eq!(poll(), [0, 1, 0]);
    assert_eq!(poll(), []);
    shared.wake(1);
    assert_eq!(poll(), [1]);
    shared.wake(0);
    assert_eq!(poll(), [0]);
    assert_eq!(parent.wakes(), 2);
}

#[test]
fn an_endless_source_leaves_its_thread_to_others() {
    let (parent, waker) = Parent::new();
    let mut run = pin!(stream::repeat(()).co().for_each(ready));
    for wakes in 1..4 {
        assert!(run.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        assert_eq!(parent.wakes(), wakes);
    }
}

#[test]
fn dropping_it_halfway_drops_everything() {
    for polls in 0..4 {
        let (shared, children) = Shared::with(&[&[Wait, Good], &[Good], &[Wait, Bad], &[Wait]]);
        let run = children.into_co_stream().limit(limit(2)).map(|child| child);
        let mut run = Box::pin(run.collect_in_order::<Vec<_>>());
        for _ in 0..polls {
            assert!(run.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
            (0..4).for_each(|child| _ = shared.wake(child));
        }
        drop(run);
        shared.assert_all_dropped_once("collect_in_order");
    }
}

#[test]
fn a_concurrent_stream_borrows_what_outlives_it() {
    let words = ["a".to_string(), "b".to_string()];
    let sum = Cell::new(0);
    block_on(words.each_ref().into_co_stream().for_each(async |word| {
        sum.set(sum.get() + word.len());
    }));
    assert_eq!(sum.get(), 2);
    assert_eq!(block_on(stream::iter(&words).count()), 2);
}
