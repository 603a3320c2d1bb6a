//! What wakers may still do, or keep, when a group's child or all its children are gone.

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

#[test]
fn a_group_that_gave_none_keeps_no_task() {
    struct Task;
    impl std::task::Wake for Task {
        fn wake(self: std::sync::Arc<Self>) {}
    }
    let task = std::sync::Arc::new(Task);
    let parent = Waker::from(task.clone());
    let mut cx = Context::from_waker(&parent);
    let mut group = FutureGroup::new();
    group.insert(std::future::ready(7));
    assert!(matches!(pin!(&mut group).poll_next(&mut cx), Poll::Ready(Some(7))));
    assert!(matches!(pin!(&mut group).poll_next(&mut cx), Poll::Ready(None)));
    drop(parent);
    assert_eq!(std::sync::Arc::strong_count(&task), 1);
    drop(group);
}
