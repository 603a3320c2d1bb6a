//! tokio's `LocalSet`, without a runtime around it.

use core::{
    pin::Pin,
    task::{Context, Poll},
};

use ::tokio::task::{JoinHandle, LocalSet};

use crate::local::LocalSubject;

/// tokio's `LocalSet`.
#[derive(Debug)]
pub struct Tokio;

impl LocalSubject for Tokio {
    const NAME: &'static str = "tokio";

    type Executor = LocalSet;
    type Handle<T: 'static> = Joined<T>;

    fn new() -> Self::Executor {
        LocalSet::new()
    }

    fn spawn<T: 'static>(
        ex: &Self::Executor,
        future: impl Future<Output = T> + 'static,
    ) -> Self::Handle<T> {
        Joined(ex.spawn_local(future))
    }

    fn run<T>(ex: &Self::Executor, main: impl Future<Output = T>) -> impl Future<Output = T> {
        ex.run_until(main)
    }
}

/// A join handle whose task neither panics nor is cancelled.
#[derive(Debug)]
pub struct Joined<T>(JoinHandle<T>);

impl<T> Future for Joined<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        Pin::new(&mut self.0).poll(cx).map(|joined| joined.expect("a task that runs to its end"))
    }
}
