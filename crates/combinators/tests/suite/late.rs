//! A child that is woken while nobody is registered: polled in the same poll, or the parent is told.

use std::cell::RefCell;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures_core::Stream;
use selvedge_combinators::prelude::*;
use selvedge_combinators::stream::StreamGroup;

#[derive(Default)]
struct Count(AtomicUsize);
impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[derive(Default)]
struct Desk {
    wakers: Vec<Option<Waker>>,
    /// Whom a child wakes when it is polled.
    next: Vec<Option<usize>>,
    /// Items of a child.
    items: Vec<usize>,
}

struct Child(usize, Rc<RefCell<Desk>>);

impl Stream for Child {
    type Item = usize;
    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<usize>> {
        let mut desk = self.1.borrow_mut();
        desk.wakers[self.0] = Some(cx.waker().clone());
        let other = desk.next[self.0].take().and_then(|next| desk.wakers[next].clone());
        let item = desk.items[self.0].checked_sub(1);
        if let Some(left) = item {
            desk.items[self.0] = left;
        }
        drop(desk);
        other.inspect(Waker::wake_by_ref);
        item.map_or(Poll::Pending, |_| Poll::Ready(Some(self.0)))
    }
}

fn check<S: Stream<Item = usize>>(len: usize, collect: impl Fn(Vec<Child>) -> S, same_poll: bool) {
    for registered in [false, true] {
        let desk = Rc::new(RefCell::new(Desk {
            wakers: vec![None; len],
            next: vec![None; len],
            items: vec![0; len],
        }));
        let (a, b) = (len - 2, len - 1);
        let mut stream = pin!(collect((0..len).map(|i| Child(i, desk.clone())).collect()));
        let count = Arc::new(Count::default());
        let parent = Waker::from(count.clone());
        let mut cx = Context::from_waker(&parent);
        assert!(stream.as_mut().poll_next(&mut cx).is_pending());
        if registered {
            // After an item the stream is polled for more, and registers its parent at the start.
            desk.borrow_mut().items[a] = 1;
            let waker = desk.borrow().wakers[a].clone().unwrap();
            waker.wake();
            assert_eq!(stream.as_mut().poll_next(&mut cx), Poll::Ready(Some(a)));
            desk.borrow_mut().next[a] = Some(b);
        } else {
            desk.borrow_mut().next[a] = Some(b);
            let waker = desk.borrow().wakers[a].clone().unwrap();
            waker.wake();
        }
        desk.borrow_mut().items[b] = 1;
        count.0.store(0, Ordering::SeqCst);
        let mut poll = stream.as_mut().poll_next(&mut cx);
        if poll.is_pending() {
            assert!(count.0.load(Ordering::SeqCst) > 0, "{len} {registered}: a wake was lost");
            assert!(!same_poll, "{len} {registered}: not followed within the poll");
            poll = stream.as_mut().poll_next(&mut cx);
        }
        assert_eq!(poll, Poll::Ready(Some(b)), "{len} {registered}");
    }
}

#[test]
fn a_child_woken_by_another_during_a_poll_of_a_merge_has_its_turn() {
    for (len, same) in [(2, true), (64, true), (65, true), (200, true), (4096, true), (4300, false)]
    {
        check(len, |children| children.merge(), same);
    }
}

#[test]
fn a_child_woken_by_another_during_a_poll_of_a_group_has_its_turn() {
    for (len, same) in [(2, true), (64, true), (65, true), (200, true), (4096, true), (4300, false)]
    {
        check(len, |children| children.into_iter().collect::<StreamGroup<_>>(), same);
    }
}
