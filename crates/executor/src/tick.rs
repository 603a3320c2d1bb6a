//! The driver that runs one task.

use core::pin::Pin;
use core::task::{Context, Poll};

use async_task::Runnable;

use crate::handle::Handle;
use crate::scheduler::{Caller, Driver, SleeperId, TurnOf};

/// The future of `Executor::tick`.
#[must_use = "futures do nothing unless awaited"]
pub(crate) struct Tick<'e> {
    handle: &'e Handle,
    asleep: Option<SleeperId>,
}

impl<'e> Tick<'e> {
    pub(crate) fn new(handle: &'e Handle) -> Self {
        Self { handle, asleep: None }
    }

    /// Leaves the list of sleepers.
    fn awake(&mut self) {
        if let Some(id) = self.asleep.take() {
            self.handle.scheduler().forget_sleeper(id);
        }
    }
}

impl Future for Tick<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.awake();
        let mut driver = Driver::new(self.handle.scheduler(), Caller::Foreign);
        driver.polled(TurnOf::Outermost, |driver, _| {
            loop {
                if driver.next_item().map(Runnable::run).is_some() {
                    return Poll::Ready(());
                }
                self.asleep = driver.sleep_nameless(cx.waker());
                if self.asleep.is_some() {
                    return Poll::Pending;
                }
            }
        })
    }
}

impl Drop for Tick<'_> {
    fn drop(&mut self) {
        self.awake();
    }
}
