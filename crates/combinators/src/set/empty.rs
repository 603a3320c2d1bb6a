//! The empty tuple.

use core::convert::Infallible;
use core::pin::Pin;
use core::task::{Context, Poll};

use selvedge_wakers::WakerArray;

use super::futures::{FutureSet, Polled};
use super::streams::{SizeHint, StreamSet};

/// No children at all.
pub struct Nothing;

impl<M> FutureSet<M> for Nothing {
    type Kept = ();
    type Stop = Infallible;
    type Wakers = WakerArray<0>;

    fn len(&self) -> usize {
        0
    }

    fn is_live(&self, _: usize) -> bool {
        false
    }

    fn poll_child(self: Pin<&mut Self>, _: usize, _: &mut Context<'_>) -> Polled<Infallible> {
        Polled::Pending
    }

    fn take_kept(self: Pin<&mut Self>) {}

    fn release(self: Pin<&mut Self>) {}
}

impl StreamSet for Nothing {
    type Item = Infallible;
    type Wakers = WakerArray<0>;

    fn len(&self) -> usize {
        0
    }

    fn poll_child(self: Pin<&mut Self>, _: usize, _: &mut Context<'_>) -> Poll<Option<Infallible>> {
        Poll::Pending
    }

    fn size_hint(&self) -> SizeHint {
        (0, Some(0))
    }
}
