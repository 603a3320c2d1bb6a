//! One child of a tuple.

use core::future::Future;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use futures_core::Stream;
use pin_project_lite::pin_project;

use super::futures::{Mode, Polled};
use super::rows::{RowStep, with_item};
use super::streams::SizeHint;

pin_project! {
    /// A child until it has finished, and what it gave.
    pub struct Slot<C, K> {
        #[pin]
        child: Option<C>,
        kept: Option<K>,
    }
}

impl<C, K> Slot<C, K> {
    #[inline]
    pub(crate) fn new(child: C) -> Self {
        Self { child: Some(child), kept: None }
    }

    pub(crate) fn empty() -> Self {
        Self { child: None, kept: None }
    }

    pub(crate) fn is_live(&self) -> bool {
        self.child.is_some()
    }

    pub(crate) fn take_kept(self: Pin<&mut Self>) -> K {
        self.project().kept.take().expect("every child has given its output")
    }
}

impl<F: Future, K> Slot<F, K> {
    #[inline]
    pub(crate) fn poll_future<M>(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Polled<<M as Mode<F::Output>>::Stop>
    where
        M: Mode<F::Output, Keep = K>,
    {
        let mut this = self.project();
        let Some(child) = this.child.as_mut().as_pin_mut() else { return Polled::Pending };
        let Poll::Ready(output) = child.poll(cx) else { return Polled::Pending };
        match M::sort(output) {
            ControlFlow::Continue(keep) => {
                *this.kept = Some(keep);
                this.child.set(None);
                Polled::Kept
            }
            ControlFlow::Break(stop) => Polled::Stop(stop),
        }
    }
}

impl<S: Stream, K> Slot<S, K> {
    #[inline]
    pub(crate) fn poll_stream(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<S::Item>> {
        let mut this = self.project();
        let Some(child) = this.child.as_mut().as_pin_mut() else { return Poll::Pending };
        let item = ready!(child.poll_next(cx));
        if item.is_none() {
            this.child.set(None);
        }
        Poll::Ready(item)
    }

    pub(crate) fn size_hint(&self) -> SizeHint {
        self.child.as_ref().map_or((0, Some(0)), Stream::size_hint)
    }
}

impl<S: Stream> Slot<S, S::Item> {
    #[inline]
    pub(crate) fn poll_row(self: Pin<&mut Self>, cx: &mut Context<'_>) -> RowStep {
        let mut this = self.project();
        if this.kept.is_some() {
            return RowStep::Pending;
        }
        let Some(child) = this.child.as_mut().as_pin_mut() else { return RowStep::Pending };
        match child.poll_next(cx) {
            Poll::Pending => RowStep::Pending,
            Poll::Ready(None) => RowStep::Ended,
            Poll::Ready(Some(item)) => {
                *this.kept = Some(item);
                RowStep::Filled
            }
        }
    }

    pub(crate) fn row_hint(&self) -> SizeHint {
        with_item(self.size_hint(), self.kept.is_some())
    }
}
