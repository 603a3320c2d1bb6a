//! Sets of futures.

use core::future::Future;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::children::Children;
use super::ledger::Ledger;
use super::memory::Memory;
use super::wakers::Wakers;

/// What a combinator does with an output `T` of a child.
pub trait Mode<T> {
    /// What is kept until the other children are there.
    type Keep;
    /// What ends the combinator at once.
    type Stop;
    /// Tells one from the other.
    fn sort(output: T) -> ControlFlow<Self::Stop, Self::Keep>;
}

/// What a poll of one child came to.
pub enum Polled<S> {
    /// It waits, or has finished before.
    Pending,
    /// It has finished, is dropped, and its output is kept.
    Kept,
    /// It has finished, and so has the combinator. The child is dropped by `release`.
    Stop(S),
}

/// Futures that are polled by index, and room for what they give.
pub trait FutureSet<M> {
    /// What all children together have given.
    type Kept;
    /// What one child may end it with.
    type Stop;
    /// Sub-wakers for so many children.
    type Wakers: Wakers;

    /// How many children there were at the beginning.
    fn len(&self) -> usize;
    /// Whether a child is still there.
    fn is_live(&self, index: usize) -> bool;
    /// Polls a child unless it has finished.
    fn poll_child(self: Pin<&mut Self>, index: usize, cx: &mut Context<'_>) -> Polled<Self::Stop>;
    /// Takes what is kept. Only once all children have finished.
    fn take_kept(self: Pin<&mut Self>) -> Self::Kept;
    /// Drops all children, and what is kept.
    fn release(self: Pin<&mut Self>);
}

impl<Me, M, L, K> FutureSet<M> for Children<Me, L>
where
    Me: Memory,
    Me::Child: Future,
    M: Mode<<Me::Child as Future>::Output, Keep = K>,
    L: Ledger<K>,
{
    type Kept = L::All;
    type Stop = M::Stop;
    type Wakers = Me::Wakers;

    #[inline]
    fn len(&self) -> usize {
        self.len()
    }

    fn is_live(&self, index: usize) -> bool {
        self.is_live(index)
    }

    #[inline]
    fn poll_child(mut self: Pin<&mut Self>, index: usize, cx: &mut Context<'_>) -> Polled<M::Stop> {
        let Some(child) = self.as_mut().child(index) else { return Polled::Pending };
        let Poll::Ready(output) = child.poll(cx) else { return Polled::Pending };
        match M::sort(output) {
            ControlFlow::Continue(keep) => {
                self.retire(index, keep);
                Polled::Kept
            }
            ControlFlow::Break(stop) => Polled::Stop(stop),
        }
    }

    fn take_kept(self: Pin<&mut Self>) -> L::All {
        self.finished_record().take_all()
    }

    fn release(self: Pin<&mut Self>) {
        self.finished_record().clear();
    }
}
