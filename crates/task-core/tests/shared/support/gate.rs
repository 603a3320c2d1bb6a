//! A future that is opened by hand, counts its polls and shows its waker.

use std::future::{Future, poll_fn};
use std::task::{Poll, Waker};

use crate::subject::{Cell, RefCell, Shared};

#[derive(Default)]
pub(crate) struct Gate {
    open: Cell<bool>,
    polls: Cell<usize>,
    waker: RefCell<Option<Waker>>,
}

impl Gate {
    pub(crate) fn new() -> Shared<Self> {
        Shared::default()
    }

    /// Completes at the first poll after `open`. One future at a time.
    pub(crate) fn wait(self: &Shared<Self>) -> impl Future<Output = ()> + use<> {
        let this = self.clone();
        poll_fn(move |cx| {
            this.polls.set(this.polls.get() + 1);
            let previous = this.waker.replace(Some(cx.waker().clone()));
            drop(previous);
            if this.open.get() { Poll::Ready(()) } else { Poll::Pending }
        })
    }

    pub(crate) fn open(&self) {
        self.open.set(true);
    }

    pub(crate) fn polls(&self) -> usize {
        self.polls.get()
    }

    /// The waker of the newest poll.
    pub(crate) fn waker(&self) -> Waker {
        self.waker.borrow().clone().expect("the gate was polled")
    }
}
