//! The driver that runs one task.

use core::pin::Pin;
use core::task::{Context, Poll};

use crate::handle::Handle;
use crate::scheduler::{Sleep, SleeperId};

/// The future of `LocalExecutor::tick`.
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
            self.handle.owner().forget_sleeper(id);
        }
    }
}

impl Future for Tick<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.awake();
        let owner = self.handle.owner();
        let _driving = owner.drive();
        loop {
            if let Some(runnable) = owner.next() {
                runnable.run();
                return Poll::Ready(());
            }
            let id = owner.new_sleeper();
            if owner.sleep(id, cx.waker(), || false) == Sleep::Asleep {
                self.asleep = Some(id);
                return Poll::Pending;
            }
        }
    }
}

impl Drop for Tick<'_> {
    fn drop(&mut self) {
        self.awake();
    }
}
