//! Wakers that panic. Children that panic are in the harness.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::{Context, RawWaker, RawWakerVTable, Waker};

use futures_core::Stream;
use selvedge_combinators::prelude::*;

use crate::support::Step::{Bad, Good, Wait};
use crate::support::{Parent, Shared};

static CLONE_PANICS: RawWakerVTable =
    RawWakerVTable::new(|_| panic!("planned panic of a clone"), |_| (), |_| (), |_| ());
static DROP_PANICS: RawWakerVTable = RawWakerVTable::new(
    |data| RawWaker::new(data, &DROP_PANICS),
    |_| (),
    |_| (),
    |data| assert!(data.is_null(), "planned panic of a drop"),
);

/// W13: nothing of the combinator is broken.
#[test]
fn a_parent_whose_clone_panics_leaves_the_combinator_usable() {
    // SAFETY: the functions ignore the data.
    let bad = unsafe { Waker::new(std::ptr::null(), &CLONE_PANICS) };
    let (_, good) = Parent::new();
    let (shared, children) = Shared::with(&[&[Wait, Good], &[Good]]);
    let mut joined = pin!(children.join());
    let mut poll = |waker: &Waker| {
        let mut cx = Context::from_waker(waker);
        catch_unwind(AssertUnwindSafe(|| joined.as_mut().poll(&mut cx).is_ready()))
    };
    assert!(poll(&bad).is_err());
    assert_eq!(shared.take_log(), [0, 1], "every child got its first poll");
    shared.wake(0);
    assert!(poll(&bad).is_err());
    assert_eq!(shared.take_log(), []);
    assert!(poll(&good).unwrap());

    let (shared, children) = Shared::with(&[&[Wait, Good], &[Bad]]);
    let mut merged = pin!(children.merge());
    let mut poll = |waker: &Waker| {
        let mut cx = Context::from_waker(waker);
        catch_unwind(AssertUnwindSafe(|| merged.as_mut().poll_next(&mut cx).is_ready()))
    };
    assert!(poll(&bad).is_err());
    assert!(!poll(&good).unwrap());
    shared.wake(0);
    assert!(poll(&good).unwrap());
}

#[test]
fn a_parent_whose_drop_panics_leaves_everything_dropped_once() {
    // SAFETY: the functions never follow the data.
    let bad = unsafe { Waker::new(std::ptr::dangling(), &DROP_PANICS) };
    let bad = std::mem::ManuallyDrop::new(bad);
    let (shared, children) = Shared::with(&[&[Wait, Good], &[Good]]);
    let mut joined = Box::pin(children.join());
    assert!(joined.as_mut().poll(&mut Context::from_waker(&bad)).is_pending());
    assert!(catch_unwind(AssertUnwindSafe(|| drop(joined))).is_err());
    shared.assert_all_dropped_once("the parent's drop panics");
}
