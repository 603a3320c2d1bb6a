//! The one future behind `join`, `try_join`, `race` and `race_ok`.

use core::fmt;
use core::future::Future;
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::FusedFuture;
use pin_project_lite::pin_project;

use crate::set::{FutureSet, Polled, Wakers};
use crate::stage::{Stage, polled_after_completion, polled_after_panic};

#[expect(unnameable_types, reason = "implemented by the modes alone")]
/// What a combinator makes of the end of its children.
pub trait Finish<K, S> {
    /// The combinator's output.
    type Output;
    /// All children have finished, and `kept` is what they gave.
    fn kept(kept: K) -> Self::Output;
    /// One child ended it with `stop`.
    fn stopped(stop: S) -> Self::Output;
}

pin_project! {
    /// The future of [`join`](crate::future::Join::join),
    /// [`try_join`](crate::future::TryJoin::try_join), [`race`](crate::future::Race::race) and
    /// [`race_ok`](crate::future::RaceOk::race_ok): `M` says which one, `S` holds the children.
    ///
    /// It polls a child when that was woken, and at most once per poll of its own. A child that
    /// finishes is dropped where it lies, at once. Wake-ups are kept in one allocation, made at the
    /// first poll and freed on completion.
    ///
    /// # Panics
    ///
    /// When polled after completion, or again after a child panicked.
    #[must_use = "futures do nothing unless awaited or polled"]
    pub struct Combine<M, S: FutureSet<M>> {
        #[pin]
        set: S,
        wakers: Option<S::Wakers>,
        // How many children have given nothing yet.
        left: usize,
        stage: Stage,
        mode: PhantomData<fn() -> M>,
    }
}

impl<M, S: FutureSet<M>> Combine<M, S> {
    #[inline]
    pub(crate) fn new(set: S) -> Self {
        let left = set.len();
        Self { set, wakers: None, left, stage: Stage::Fresh, mode: PhantomData }
    }
}

impl<M, S> Future for Combine<M, S>
where
    S: FutureSet<M>,
    M: Finish<S::Kept, S::Stop>,
{
    type Output = M::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<M::Output> {
        let mut this = self.project();
        let first = match this.stage {
            Stage::Fresh => true,
            Stage::Waiting => false,
            Stage::Polling => polled_after_panic(),
            Stage::Done => polled_after_completion(),
        };
        let len = this.set.len();
        if len > 0 {
            let wakers = this.wakers.get_or_insert_with(|| S::Wakers::idle(len));
            wakers.begin_poll(cx.waker());
            *this.stage = Stage::Polling;
            // Nothing is ready at first, so that the first poll needs no bookkeeping to go over all
            // children. What is woken meanwhile is ready for the next.
            let mut unpolled = 0..len;
            loop {
                let next = if first { unpolled.next() } else { wakers.next_ready() };
                let Some(index) = next else {
                    if !first && wakers.extend_poll() {
                        continue;
                    }
                    break;
                };
                let waker = wakers.waker(index);
                match this.set.as_mut().poll_child(index, &mut Context::from_waker(&waker)) {
                    Polled::Pending => {}
                    Polled::Kept => *this.left -= 1,
                    Polled::Stop(stop) => {
                        this.set.release();
                        *this.wakers = None;
                        *this.stage = Stage::Done;
                        return Poll::Ready(M::stopped(stop));
                    }
                }
            }
            if *this.left > 0 {
                *this.stage = Stage::Waiting;
                return Poll::Pending;
            }
        }
        let kept = this.set.take_kept();
        *this.wakers = None;
        *this.stage = Stage::Done;
        Poll::Ready(M::kept(kept))
    }
}

impl<M, S> FusedFuture for Combine<M, S>
where
    S: FutureSet<M>,
    M: Finish<S::Kept, S::Stop>,
{
    fn is_terminated(&self) -> bool {
        self.stage.is_over()
    }
}

/// A list of the children: pending, ready, or none once the output was given.
impl<M, S: FutureSet<M>> fmt::Debug for Combine<M, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = |index| match self.stage {
            Stage::Done => format_args!("None"),
            _ if self.set.is_live(index) => format_args!("Pending"),
            _ => format_args!("Ready"),
        };
        f.debug_list().entries((0..self.set.len()).map(state)).finish()
    }
}
