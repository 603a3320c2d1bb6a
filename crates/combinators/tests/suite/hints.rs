//! `size_hint` and the end of every stream.

use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use futures_core::{FusedStream, Stream};
use futures_lite::stream;
use selvedge_combinators::prelude::*;
use selvedge_combinators::stream::StreamGroup;

use crate::subject::{Container, Op, Seen, is_distinct, subject};
use crate::support::Step::{Bad, Good, Wait};
use crate::support::{Parent, Shared, Step};

fn cx() -> Context<'static> {
    Context::from_waker(Waker::noop())
}

#[test]
fn hints_are_exact_where_those_of_the_children_are() {
    let plans: [&[Step]; 3] = [&[Good, Good, Wait, Bad], &[Bad], &[Good, Wait, Good, Good, Bad]];
    for container in Container::ALL {
        for (op, expected) in [(Op::Merge, 5), (Op::Chain, 5), (Op::Zip, 0)] {
            let (_, children) = Shared::with(&plans);
            assert_eq!(subject(op, container, children).size_hint(), (expected, Some(expected)));
        }
        let plans: [&[Step]; 3] = [&[Good, Good, Bad], &[Wait, Good, Bad], &[Good; 5]];
        let (_, children) = Shared::with(&plans);
        assert_eq!(subject(Op::Zip, container, children).size_hint(), (1, Some(1)));
    }
}

/// The hint is right before and after every poll, items that wait for their row included.
#[test]
fn hints_hold_at_every_step() {
    let plans: [&[Step]; 3] =
        [&[Good, Wait, Good, Good, Bad], &[Wait, Good, Good, Wait, Bad], &[Good, Good, Wait, Bad]];
    for op in [Op::Merge, Op::Zip, Op::Chain, Op::StreamGroup, Op::FutureGroup] {
        for container in Container::ALL.into_iter().filter(|&c| is_distinct(op, c)) {
            let (shared, children) = Shared::with(&plans);
            let (_, waker) = Parent::new();
            let mut subject = subject(op, container, children);
            let mut hints = Vec::new();
            let mut items = 0;
            loop {
                hints.push((items, subject.size_hint()));
                match subject.poll(&mut Context::from_waker(&waker)).seen() {
                    Seen::Pending => (0..3).for_each(|child| _ = shared.wake(child)),
                    Seen::Given(..) => items += 1,
                    Seen::End => break,
                }
            }
            assert!(items > 0);
            for (given, hint) in hints {
                assert_eq!(hint, (items - given, Some(items - given)), "{op:?} over {container:?}");
            }
            assert_eq!(subject.size_hint(), (0, Some(0)));
        }
    }
}

#[test]
fn hints_of_endless_streams_do_not_overflow() {
    let endless = || [stream::repeat(1), stream::repeat(2)];
    assert_eq!(endless().merge().size_hint(), (usize::MAX, None));
    assert_eq!(endless().chain().size_hint(), (usize::MAX, None));
    assert_eq!(endless().zip().size_hint(), (usize::MAX, None));
    assert_eq!((stream::repeat(1), stream::once(2)).zip().size_hint(), (1, Some(1)));
    assert_eq!(endless().into_iter().collect::<StreamGroup<_>>().size_hint(), (usize::MAX, None));
}

#[test]
fn every_stream_stays_at_its_end_and_says_so() {
    let plans: [&[Step]; 3] = [&[Good, Bad], &[Good, Bad], &[Good, Bad]];
    for op in [Op::Merge, Op::Zip, Op::Chain, Op::StreamGroup, Op::FutureGroup] {
        for container in Container::ALL.into_iter().filter(|&c| is_distinct(op, c)) {
            let (shared, children) = Shared::with(&plans);
            let mut subject = subject(op, container, children);
            while subject.poll(&mut cx()).seen() != Seen::End {}
            let polls = shared.take_log();
            assert!(subject.is_terminated());
            for _ in 0..3 {
                assert_eq!(subject.poll(&mut cx()).seen(), Seen::End);
            }
            assert_eq!(shared.take_log(), [], "after {polls:?}");
        }
    }
}

/// W17: also when other inputs could go on.
#[test]
fn a_zip_is_terminated_when_any_input_has_ended() {
    let mut zip = Box::pin((stream::repeat(1), stream::empty::<u8>()).zip());
    assert!(!zip.is_terminated());
    assert_eq!(zip.as_mut().poll_next(&mut cx()), Poll::Ready(None));
    assert!(zip.is_terminated());
}

#[test]
fn wait_until_passes_hints_on_and_fuses() {
    let mut late = Box::pin(stream::iter([1]).wait_until(std::future::ready(())));
    assert_eq!(late.size_hint(), (1, Some(1)));
    let next = |late: &mut Pin<Box<_>>| Stream::poll_next(Pin::as_mut(late), &mut cx());
    assert_eq!(next(&mut late), Poll::Ready(Some(1)));
    assert_eq!(next(&mut late), Poll::Ready(None));
    assert_eq!(next(&mut late), Poll::Ready(None));
    assert!(late.is_terminated());
}
