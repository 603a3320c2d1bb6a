//! Polling too often.

use std::future::{pending, ready};
use std::pin::pin;
use std::task::{Context, Waker};

use futures_core::FusedFuture;
use selvedge_combinators::prelude::*;

fn poll_twice<F: FusedFuture>(future: F) {
    let mut future = pin!(future);
    let mut cx = Context::from_waker(Waker::noop());
    assert!(!future.is_terminated());
    assert!(future.as_mut().poll(&mut cx).is_ready());
    assert!(future.is_terminated());
    let _ = future.poll(&mut cx);
}

#[test]
#[should_panic(expected = "a combinator was polled after it had completed")]
fn join_panics_when_polled_after_completion() {
    poll_twice([ready(1)].join());
}

#[test]
#[should_panic(expected = "a combinator was polled after it had completed")]
fn an_empty_join_panics_when_polled_after_completion() {
    poll_twice(Vec::<std::future::Ready<()>>::new().join());
}

#[test]
#[should_panic(expected = "a combinator was polled after it had completed")]
fn try_join_panics_when_polled_after_an_error() {
    poll_twice((ready(Err::<u8, _>(1)), pending::<Result<u8, u8>>()).try_join());
}

#[test]
#[should_panic(expected = "a combinator was polled after it had completed")]
fn race_panics_when_polled_after_completion() {
    poll_twice(vec![ready(1), ready(2)].race());
}

#[test]
#[should_panic(expected = "a combinator was polled after it had completed")]
fn race_ok_panics_when_polled_after_completion() {
    poll_twice([ready(Err::<u8, _>(1))].race_ok());
}

#[test]
#[should_panic(expected = "a combinator was polled after it had completed")]
fn wait_until_panics_when_polled_after_completion() {
    poll_twice(ready(1).wait_until(ready(())));
}

#[test]
#[should_panic(expected = "a combinator was polled after it had completed")]
fn for_each_panics_when_polled_after_completion() {
    poll_twice(vec![1].into_co_stream().for_each(|_| ready(())));
}

#[test]
fn nothing_happens_before_the_first_poll() {
    let (shared, children) = crate::support::Shared::with(&[&[], &[]]);
    let joined = children.join();
    assert_eq!(shared.take_log(), []);
    drop(joined);
    shared.assert_all_dropped_once("never polled");
}

#[test]
fn a_future_shows_how_far_its_children_are() {
    let mut joined = pin!((ready(1), pending::<u8>()).join());
    assert_eq!(format!("{joined:?}"), "[Pending, Pending]");
    let mut cx = Context::from_waker(Waker::noop());
    assert!(std::future::Future::poll(joined.as_mut(), &mut cx).is_pending());
    assert_eq!(format!("{joined:?}"), "[Ready, Pending]");
    let mut joined = pin!([ready(1)].join());
    assert!(std::future::Future::poll(joined.as_mut(), &mut cx).is_ready());
    assert_eq!(format!("{joined:?}"), "[None]");
}
