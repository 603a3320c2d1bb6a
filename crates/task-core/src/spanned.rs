//! A span of `tracing` around a task.

use core::any::type_name;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;
use tracing::Span;

pin_project! {
    /// A future with a span that is entered at each poll, and closed after the future was dropped.
    pub(crate) struct Spanned<F> {
        #[pin]
        future: F,
        span: Span,
    }
}

impl<F> Spanned<F> {
    /// The span is a child of the one that is entered now, where the task is spawned.
    pub(crate) fn new(future: F) -> Self {
        let span = tracing::trace_span!(target: "selvedge", "task", future = type_name::<F>());
        Self { future, span }
    }
}

impl<F: Future> Future for Spanned<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        let _entered = this.span.enter();
        this.future.poll(cx)
    }
}
