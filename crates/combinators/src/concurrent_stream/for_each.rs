//! Running without collecting.

use core::ops::ControlFlow;

use super::Collector;

/// Collects nothing: for [`for_each`](super::ConcurrentStream::for_each).
#[derive(Clone, Copy, Debug)]
pub struct Discard;

impl Collector<()> for Discard {
    type Output = ();

    fn put(&mut self, _: usize, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn finish(&mut self) {}
}

/// Collects nothing but an error: for [`try_for_each`](super::ConcurrentStream::try_for_each).
#[derive(Clone, Copy, Debug)]
pub struct TryDiscard;

impl<E> Collector<Result<(), E>> for TryDiscard {
    type Output = Result<(), E>;

    fn put(&mut self, _: usize, item: Result<(), E>) -> ControlFlow<Self::Output> {
        match item {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(Err(error)),
        }
    }

    fn finish(&mut self) -> Self::Output {
        Ok(())
    }
}
