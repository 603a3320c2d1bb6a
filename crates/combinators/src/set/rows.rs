//! Sets of streams that give one item each for a row.

use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::Stream;

use super::children::Children;
use super::ledger::Ledger;
use super::liveness::{Always, Liveness};
use super::memory::Memory;
use super::streams::SizeHint;
use super::wakers::Wakers;

/// What a poll of one child came to.
pub enum RowStep {
    /// It waits, or its item lies here already.
    Pending,
    /// It gave its item of this row.
    Filled,
    /// It has ended, and so has the zip.
    Ended,
}

/// Streams that are polled by index, and one row of their items.
pub trait RowSet {
    /// An item of each child.
    type Row;
    /// Sub-wakers for so many children.
    type Wakers: Wakers;

    /// How many children there are.
    fn len(&self) -> usize;
    /// Polls a child unless its item of this row lies here.
    fn poll_child(self: Pin<&mut Self>, index: usize, cx: &mut Context<'_>) -> RowStep;
    /// Takes the row. Only if all children have given their items.
    fn take_row(self: Pin<&mut Self>) -> Self::Row;
    /// Drops all children and their items.
    fn release(self: Pin<&mut Self>);
    /// How many rows are left.
    fn size_hint(&self) -> SizeHint;
}

/// The hint of a zip of streams with these hints.
pub(crate) fn least(hints: impl Iterator<Item = SizeHint>) -> SizeHint {
    let shorter = |left: SizeHint, right: SizeHint| {
        let upper = match (left.1, right.1) {
            (Some(left), Some(right)) => Some(left.min(right)),
            (left, right) => left.or(right),
        };
        (left.0.min(right.0), upper)
    };
    hints.reduce(shorter).unwrap_or((0, Some(0)))
}

/// The hint of a stream one of whose items may have been taken already.
pub(crate) fn with_item(hint: SizeHint, taken: bool) -> SizeHint {
    let one = usize::from(taken);
    (hint.0.saturating_add(one), hint.1.and_then(|upper| upper.checked_add(one)))
}

pin_project_lite::pin_project! {
    /// Children of one type, and a row of their items.
    pub struct Rows<Me: Memory, L> {
        #[pin]
        children: Children<Me, Always>,
        items: L,
    }
}

impl<Me: Memory, L: Liveness> Rows<Me, L> {
    #[inline]
    pub(crate) fn new(memory: Me) -> Self {
        let items = L::all_live(memory.len());
        Self { children: Children::new(memory), items }
    }
}

impl<Me, L> RowSet for Rows<Me, L>
where
    Me: Memory,
    Me::Child: Stream,
    L: Ledger<<Me::Child as Stream>::Item>,
{
    type Row = L::All;
    type Wakers = Me::Wakers;

    fn len(&self) -> usize {
        self.children.len()
    }

    #[inline]
    fn poll_child(self: Pin<&mut Self>, index: usize, cx: &mut Context<'_>) -> RowStep {
        let this = self.project();
        // Here a ledger says of which child the item is still missing.
        if !this.items.is_live(index) {
            return RowStep::Pending;
        }
        let len = this.children.len();
        let Some(child) = this.children.child(index) else { return RowStep::Pending };
        match child.poll_next(cx) {
            Poll::Pending => RowStep::Pending,
            Poll::Ready(None) => RowStep::Ended,
            Poll::Ready(Some(item)) => {
                this.items.retire(index, len, item);
                RowStep::Filled
            }
        }
    }

    fn take_row(self: Pin<&mut Self>) -> L::All {
        self.project().items.take_all()
    }

    fn release(self: Pin<&mut Self>) {
        let this = self.project();
        this.children.release();
        this.items.clear();
    }

    fn size_hint(&self) -> SizeHint {
        least(
            self.children
                .iter()
                .map(|(index, child)| with_item(child.size_hint(), !self.items.is_live(index))),
        )
    }
}
