//! What a poll that registers late may do to its parent.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, RawWaker, RawWakerVTable, Wake, Waker};

use futures_core::Stream;
use futures_lite::stream;
use selvedge_combinators::prelude::*;
use selvedge_combinators::stream::StreamGroup;

thread_local! {
    static CLONES: Cell<usize> = const { Cell::new(0) };
    static PANIC: Cell<bool> = const { Cell::new(false) };
}

static ODD: RawWakerVTable = RawWakerVTable::new(
    |data| {
        CLONES.set(CLONES.get() + 1);
        assert!(!PANIC.take(), "planned panic in a clone");
        RawWaker::new(data, &ODD)
    },
    |_| (),
    |_| (),
    |_| (),
);

fn odd() -> Waker {
    // SAFETY: the functions use nothing but thread-locals.
    unsafe { Waker::new(std::ptr::null(), &ODD) }
}

/// Gives what it is told to, and leaves its waker.
struct Source {
    next: Rc<Cell<Poll<Option<u32>>>>,
    waker: Rc<Cell<Option<Waker>>>,
}

impl Stream for Source {
    type Item = u32;
    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<u32>> {
        self.waker.set(Some(cx.waker().clone()));
        self.next.get()
    }
}

type Handles = (Rc<Cell<Poll<Option<u32>>>>, Rc<Cell<Option<Waker>>>);

fn source() -> (Source, Handles) {
    let (next, waker) = (Rc::new(Cell::new(Poll::Pending)), Rc::default());
    (Source { next: next.clone(), waker: Rc::clone(&waker) }, (next, waker))
}

#[test]
fn a_parent_whose_clone_panics_does_not_end_a_merge() {
    let (one, (next, waker)) = source();
    let mut merged = pin!([one].merge());
    let parent = odd();
    let mut cx = Context::from_waker(&parent);
    assert!(merged.as_mut().poll_next(&mut cx).is_pending());
    // Woken for nothing: the poll begins unregistered, and registers in the end.
    waker.take().unwrap().wake();
    PANIC.set(true);
    let poll = catch_unwind(AssertUnwindSafe(|| merged.as_mut().poll_next(&mut cx)));
    assert!(poll.is_err(), "the panic reaches the caller");
    // No child panicked.
    next.set(Poll::Ready(Some(7)));
    if let Some(waker) = waker.take() {
        waker.wake();
    }
    assert_eq!(merged.as_mut().poll_next(&mut cx), Poll::Ready(Some(7)));
}

#[test]
fn a_merge_that_ends_registers_nobody() {
    let (one, (next, waker)) = source();
    let mut merged = pin!([one].merge());
    let parent = odd();
    let mut cx = Context::from_waker(&parent);
    assert!(merged.as_mut().poll_next(&mut cx).is_pending());
    next.set(Poll::Ready(None));
    waker.take().unwrap().wake();
    CLONES.set(0);
    assert_eq!(merged.as_mut().poll_next(&mut cx), Poll::Ready(None));
    assert_eq!(CLONES.get(), 0, "who is to be woken for a stream that has ended?");
}

struct Task;
impl Wake for Task {
    fn wake(self: Arc<Self>) {}
}

fn the_task_before_is_let_go(stream: impl Stream<Item = u32>) {
    let mut stream = pin!(stream);
    let old = Arc::new(Task);
    let waker = Waker::from(old.clone());
    assert!(stream.as_mut().poll_next(&mut Context::from_waker(&waker)).is_ready());
    drop(waker);
    let new = Waker::from(Arc::new(Task));
    for _ in 0..1000 {
        assert!(stream.as_mut().poll_next(&mut Context::from_waker(&new)).is_ready());
    }
    assert_eq!(Arc::strong_count(&old), 1, "a task that polls no more is kept");
}

#[test]
fn a_merge_that_moved_to_another_task_lets_the_first_one_go() {
    the_task_before_is_let_go([stream::repeat(1), stream::repeat(2)].merge());
}

#[test]
fn a_group_that_moved_to_another_task_lets_the_first_one_go() {
    the_task_before_is_let_go([1, 2].map(stream::repeat).into_iter().collect::<StreamGroup<_>>());
}
