//! Sets of streams that give one type of item.

use core::pin::Pin;
use core::task::{Context, Poll, ready};

use futures_core::Stream;

use super::children::Children;
use super::liveness::Marks;
use super::memory::Memory;
use super::wakers::Wakers;

/// How many items are left: at least, at most.
pub(crate) type SizeHint = (usize, Option<usize>);

/// The hint for two streams one after the other.
pub(crate) fn add_hints(left: SizeHint, right: SizeHint) -> SizeHint {
    let upper = left.1.zip(right.1).and_then(|(left, right)| left.checked_add(right));
    (left.0.saturating_add(right.0), upper)
}

/// Streams that are polled by index.
pub trait StreamSet {
    /// What they give.
    type Item;
    /// Sub-wakers for so many children.
    type Wakers: Wakers;

    /// How many children there were at the beginning.
    fn len(&self) -> usize;
    /// Polls a child, and drops it when it ends. Pending if it has ended before.
    fn poll_child(
        self: Pin<&mut Self>,
        index: usize,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Self::Item>>;
    /// How many items are left in all children.
    fn size_hint(&self) -> SizeHint;
}

impl<Me, L> StreamSet for Children<Me, L>
where
    Me: Memory,
    Me::Child: Stream,
    L: Marks,
{
    type Item = <Me::Child as Stream>::Item;
    type Wakers = Me::Wakers;

    #[inline]
    fn len(&self) -> usize {
        self.len()
    }

    #[inline]
    fn poll_child(
        mut self: Pin<&mut Self>,
        index: usize,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Self::Item>> {
        let Some(child) = self.as_mut().child(index) else { return Poll::Pending };
        let item = ready!(child.poll_next(cx));
        if item.is_none() {
            self.retire(index, ());
        }
        Poll::Ready(item)
    }

    fn size_hint(&self) -> SizeHint {
        self.iter().map(|(_, child)| child.size_hint()).fold((0, Some(0)), add_hints)
    }
}
