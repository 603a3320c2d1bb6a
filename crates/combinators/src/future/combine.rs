//! The one future behind `join`, `try_join`, `race` and `race_ok`.

use core::fmt;
use core::future::Future;
use core::marker::PhantomData;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::FusedFuture;
use pin_project_lite::pin_project;
use selvedge_wakers::LazyWakers;

use crate::set::{FutureSet, Polled, Wakers};
use crate::stage::{Stage, polled_after_completion, polled_after_panic};

/// What a combinator makes of the end of its children.
#[expect(unnameable_types, reason = "implemented by the modes alone")]
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
    /// finishes is dropped where it lies, at once. Wake-ups are kept in one allocation, made when the first
    /// child clones its waker and freed on completion: none if no child has to wait.
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

/// Polls every child once.
#[inline]
fn poll_all<M, S: FutureSet<M>>(
    mut set: Pin<&mut S>,
    wakers: &mut LazyWakers,
    left: &mut usize,
) -> ControlFlow<S::Stop> {
    for index in 0..wakers.len() {
        let waker = wakers.waker(index);
        match set.as_mut().poll_child(index, &mut Context::from_waker(&waker)) {
            Polled::Pending => {}
            Polled::Kept => *left -= 1,
            Polled::Stop(stop) => return ControlFlow::Break(stop),
        }
    }
    ControlFlow::Continue(())
}

/// Polls the children that were woken, and those that are woken meanwhile.
#[inline]
fn poll_woken<M, S: FutureSet<M>>(
    mut set: Pin<&mut S>,
    wakers: &mut S::Wakers,
    left: &mut usize,
) -> ControlFlow<S::Stop> {
    loop {
        while let Some(index) = wakers.next_ready() {
            let waker = wakers.waker(index);
            match set.as_mut().poll_child(index, &mut Context::from_waker(&waker)) {
                Polled::Pending => {}
                Polled::Kept => *left -= 1,
                Polled::Stop(stop) => return ControlFlow::Break(stop),
            }
        }
        if !wakers.extend_poll() {
            return ControlFlow::Continue(());
        }
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
        let polled = match this.stage {
            Stage::Fresh if this.set.len() == 0 => ControlFlow::Continue(()),
            Stage::Fresh => {
                *this.stage = Stage::Polling;
                let mut lazy = LazyWakers::new(this.set.len());
                let polled = poll_all(this.set.as_mut(), &mut lazy, this.left);
                if polled.is_continue() && *this.left > 0 {
                    *this.stage = Stage::Waiting;
                    *this.wakers = S::Wakers::kept(lazy);
                    if let Some(wakers) = this.wakers {
                        wakers.begin_poll(cx.waker());
                        if wakers.any_ready() {
                            // Woken before there was a parent to be told.
                            cx.waker().wake_by_ref();
                        }
                    }
                    return Poll::Pending;
                }
                polled
            }
            Stage::Waiting => match this.wakers {
                Some(wakers) => {
                    wakers.begin_poll(cx.waker());
                    *this.stage = Stage::Polling;
                    poll_woken(this.set.as_mut(), wakers, this.left)
                }
                // No child has kept its waker, so none can be woken.
                None => ControlFlow::Continue(()),
            },
            Stage::Polling => polled_after_panic(),
            Stage::Done => polled_after_completion(),
        };
        if let ControlFlow::Break(stop) = polled {
            this.set.release();
            *this.wakers = None;
            *this.stage = Stage::Done;
            return Poll::Ready(M::stopped(stop));
        }
        if *this.left > 0 {
            *this.stage = Stage::Waiting;
            return Poll::Pending;
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
