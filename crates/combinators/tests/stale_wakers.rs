//! What the waker of a child that is gone may still do in a group.

use std::cell::RefCell;
use std::future::poll_fn;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use selvedge_combinators::future::FutureGroup;

type Wakers = Rc<RefCell<Vec<Waker>>>;

/// A child that notes the waker of each of its polls and never completes.
fn waiting(polls: &Wakers) -> impl Future<Output = ()> + use<> {
    let polls = polls.clone();
    poll_fn(move |cx| {
        polls.borrow_mut().push(cx.waker().clone());
        Poll::Pending
    })
}

#[test]
fn a_stale_waker_polls_the_newcomer_in_its_place_once_at_most() {
    let (gone, newcomer) = (Wakers::default(), Wakers::default());
    let mut group = FutureGroup::new();
    let mut cx = Context::from_waker(Waker::noop());
    let key = group.insert(waiting(&gone));
    assert!(pin!(&mut group).poll_next(&mut cx).is_pending());
    assert!(group.remove(key));
    let key = group.insert(waiting(&newcomer));
    assert!(pin!(&mut group).poll_next(&mut cx).is_pending());
    let before = newcomer.borrow().len();
    gone.borrow().iter().for_each(Waker::wake_by_ref);
    for _ in 0..3 {
        assert!(pin!(&mut group).poll_next(&mut cx).is_pending());
    }
    assert!(newcomer.borrow().len() <= before + 1, "one wake, one poll at most");
    assert!(group.contains_key(key));
}
