//! The source and the futures that run: which of them is polled when.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;
use selvedge_wakers::WakerArray;

use super::{ConcurrentStream, Enumerated};
use crate::group::{GroupChildren, Turn};

/// Slots of the waker array.
const SOURCE: usize = 0;
const RUNNING: usize = 1;

/// How many steps one poll makes before others get a turn.
const STEPS: u32 = 256;

pin_project! {
    /// A source, and the futures of it that run.
    pub(super) struct Work<C: ConcurrentStream> {
        // Gone when it has ended.
        #[pin]
        source: Option<C>,
        running: GroupChildren<Enumerated<C::Future>>,
        started: usize,
        limit: usize,
        wakers: Option<WakerArray<2>>,
        // May be polled: was woken, or gave something the last time.
        source_ready: bool,
        running_ready: bool,
        steps: u32,
    }
}

impl<C: ConcurrentStream> Work<C> {
    pub(super) fn new(source: C) -> Self {
        let limit = source.concurrency_limit().map_or(usize::MAX, usize::from);
        Self {
            source: Some(source),
            running: GroupChildren::with_capacity(0),
            started: 0,
            limit,
            wakers: None,
            source_ready: false,
            running_ready: false,
            steps: 0,
        }
    }

    pub(super) fn running(&self) -> usize {
        self.running.len()
    }

    /// Starts a poll.
    pub(super) fn begin(self: Pin<&mut Self>, cx: &mut Context<'_>) {
        let this = self.project();
        let wakers = this.wakers.get_or_insert_with(WakerArray::new);
        wakers.begin_poll(cx.waker());
        while let Some(slot) = wakers.next_ready() {
            *if slot == SOURCE { &mut *this.source_ready } else { &mut *this.running_ready } = true;
        }
        if *this.running_ready {
            this.running.begin(&wakers.waker(RUNNING));
        }
        *this.steps = STEPS;
    }

    /// The next output and its number, once a poll has started; `None` when all is done.
    pub(super) fn next(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<(usize, C::Item)>> {
        let mut this = self.project();
        let Some(wakers) = this.wakers else { return Poll::Pending };
        loop {
            let room = this.running.len() < *this.limit;
            if !(*this.running_ready || *this.source_ready && room) {
                let done = this.source.is_none() && this.running.len() == 0;
                return if done { Poll::Ready(None) } else { Poll::Pending };
            }
            let Some(steps) = this.steps.checked_sub(1) else {
                cx.waker().wake_by_ref();
                return Poll::Pending;
            };
            *this.steps = steps;
            if *this.running_ready {
                match this.running.next(&mut poll_future) {
                    Some((_, output)) => return Poll::Ready(Some(output)),
                    None => *this.running_ready = false,
                }
                continue;
            }
            let waker = wakers.waker(SOURCE);
            let source = this.source.as_mut().as_pin_mut();
            match source.map(|source| source.poll_work(&mut Context::from_waker(&waker))) {
                Some(Poll::Pending) => *this.source_ready = false,
                Some(Poll::Ready(Some(future))) => {
                    let future = Enumerated::new(future, *this.started);
                    *this.started += 1;
                    // Its first poll: the others had theirs.
                    if let Turn::Last(output) = this.running.insert_and_poll(future, poll_future) {
                        return Poll::Ready(Some(output));
                    }
                }
                Some(Poll::Ready(None)) | None => {
                    *this.source_ready = false;
                    this.source.set(None);
                }
            }
        }
    }

    /// Drops the source and all futures.
    pub(super) fn release(self: Pin<&mut Self>) {
        let mut this = self.project();
        this.source.set(None);
        *this.running = GroupChildren::with_capacity(0);
        *this.wakers = None;
    }
}

fn poll_future<F: Future>(future: Pin<&mut F>, cx: &mut Context<'_>) -> Turn<F::Output> {
    match future.poll(cx) {
        Poll::Ready(output) => Turn::Last(output),
        Poll::Pending => Turn::Pending,
    }
}
