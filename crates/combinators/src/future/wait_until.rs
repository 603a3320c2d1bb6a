//! Starting a future late.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::FusedFuture;
use pin_project_lite::pin_project;

use crate::stage::{polled_after_completion, polled_after_panic};

pin_project! {
    /// The future of [`wait_until`](super::FutureExt::wait_until).
    ///
    /// The deadline is dropped where it lies when it has completed, and so is the future.
    ///
    /// # Panics
    ///
    /// When polled after completion, or again after a panic.
    #[derive(Debug)]
    #[must_use = "futures do nothing unless awaited or polled"]
    pub struct WaitUntil<F, D> {
        #[pin]
        deadline: Option<D>,
        #[pin]
        future: Option<F>,
        polling: bool,
    }
}

impl<F, D> WaitUntil<F, D> {
    pub(crate) fn new(future: F, deadline: D) -> Self {
        Self { deadline: Some(deadline), future: Some(future), polling: false }
    }
}

impl<F: Future, D: Future> Future for WaitUntil<F, D> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let mut this = self.project();
        if *this.polling {
            polled_after_panic();
        }
        if this.future.is_none() {
            polled_after_completion();
        }
        *this.polling = true;
        if let Some(deadline) = this.deadline.as_mut().as_pin_mut() {
            if deadline.poll(cx).is_pending() {
                *this.polling = false;
                return Poll::Pending;
            }
            this.deadline.set(None);
        }
        let future =
            this.future.as_mut().as_pin_mut().expect("checked above, and kept until it is done");
        let output = match future.poll(cx) {
            Poll::Ready(output) => output,
            Poll::Pending => {
                *this.polling = false;
                return Poll::Pending;
            }
        };
        this.future.set(None);
        *this.polling = false;
        Poll::Ready(output)
    }
}

impl<F: Future, D: Future> FusedFuture for WaitUntil<F, D> {
    fn is_terminated(&self) -> bool {
        self.polling || self.future.is_none()
    }
}
